"""Karnopp: stick within a speed window."""

from __future__ import annotations

from .law import Param, Role, StepConditions, StepNeed, Stick, Values
from .stribeck import Stribeck


class Karnopp(Stribeck):
    """Karnopp's friction: within the window |v| < dv it holds like a stuck contact, up to mu_s; outside it slides.

    It balances forces, not slip: within the window the slip is constant. If a force acts against it, friction drives
    with a power of up to mu_s dv times the load; the energy balance counts that as negative dissipation. A narrower
    window drives less.

    >>> Bearing(mass, law=Karnopp(tau_c=1, tau_s=1.5, dw=1e-3))
    """

    source = (
        "D. Karnopp: Computer Simulation of Stick-Slip Friction in Mechanical Dynamic Systems. Journal of Dynamic "
        "Systems, Measurement, and Control 107 (1985) 100-103"
    )

    lock = "karnopp"
    dv = Param(1e-4, "{vel}", "half-width of the window", above=0, aliases=("dw",), role=Role.NUMERICAL)

    @staticmethod
    def stick(p: Values) -> Stick:
        return Stick(window=p.dv)

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        need = 0.5 * at.h * at.acceleration
        return [
            StepNeed(
                "dv",
                1,
                lambda c: need,
                rule="dv > h/2 |dv/dt|",
                why="a step must not jump over the window",
                numbers=f" = {at.h:g}/2 {at.acceleration:.4g} = {need:.4g}",
            )
        ]

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return min(p.v_s, p.dv)
