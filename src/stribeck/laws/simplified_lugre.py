"""Simplified LuGre: straight lines in place of the Stribeck curve."""

from __future__ import annotations

from math import inf

from ._math import Abs, Piecewise, held, larger, sign
from .improved_dahl import relaxing
from .law import BristleLaw, Conditions, Expr, Flow, Param, State, Values, static_below_kinetic

FLOOR = 0.01
"""Smallest value of the curve s(v): friction is never above mu_s/FLOOR."""


def curve(p: Values, v: Expr) -> Expr:
    """mu_s over the friction in steady sliding, s(|v|): from 1 at rest to mu_s/mu_c at dv, then falling."""
    ratio = p.mu_s / p.mu_c
    speed = Abs(held(v))
    rising = 1 + speed / p.dv * (ratio - 1)
    falling = larger(ratio - p.sigma2 / p.mu_c * (speed - p.dv), FLOOR)
    return Piecewise((falling, speed > p.dv), (rising, True))


class SimplifiedLuGre(BristleLaw):
    """LuGre with a Stribeck curve of two branches: static at rest, Coulomb friction at the speed dv, viscous beyond it.

    The curve falls with sigma2/mu_c beyond dv, in 1/speed (the paper, where mu_c = 1, writes sigma2). It would reach 0
    at the speed dv + mu_s/sigma2, where friction is infinite, and is held at 0.01 shortly before; stay well below.

    >>> Bearing(mass, law=SimplifiedLuGre(sigma0=1e4, tau_c=1, tau_s=1.5, dw=0.01))
    """

    source = "Guo Jing-hao, Dong Quan-lin: A Simplified LuGre Model, 2017, (4)"

    sigma0 = Param(1e5, "{load}/{disp}", "bristle stiffness", above=0)
    sigma1 = Param(316.22776601683796, "{load}.s/{disp}", "bristle damping", above=0)
    sigma2 = Param(0.0, "{load}.s/{disp}", "viscous friction", min=0, aliases=("tau_v", "f_v"))
    mu_c = Param(1.0, "{load}", "Coulomb friction", above=0, aliases=("tau_c", "f_c"))
    mu_s = Param(
        1.5, "{load}", "static friction; 1.5 mu_c unless given", above=0, aliases=("tau_s", "f_s"), times="mu_c"
    )
    dv = Param(1e-2, "{vel}", "speed at which friction has fallen to mu_c", above=0, aliases=("dw",))

    z = State(
        "{disp}",
        "mean bristle deflection",
        nominal=lambda p: p.mu_s / p.sigma0,
        bound=lambda p: inf if p.sigma2 else p.mu_s / p.sigma0,
    )

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr) -> Flow:
        return relaxing(p, v, z, curve(p, v))

    @staticmethod
    def steady(p: Values, v: Expr) -> Expr:
        return (sign(v) * p.mu_s / curve(p, v) - p.sigma2 * v) / p.sigma0

    @staticmethod
    def storage(p: Values, z: Expr) -> Expr:
        return p.sigma0 * z**2 / 2

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return float(p.dv)

    @staticmethod
    def peak_speed(p: Values) -> float:
        return float(p.dv)

    faults = staticmethod(static_below_kinetic)

    @staticmethod
    def passive(p: Values) -> bool:
        # as for ImprovedDahl; where the curve is held at its floor, viscous friction has no limit
        return bool(p.sigma2 == 0)

    @staticmethod
    def checks(p: Values, conditions: Conditions | None = None) -> list[str]:
        if p.sigma2 == 0:
            return []
        limit = p.dv + p.mu_s / p.sigma2
        return [
            f"the curve of SimplifiedLuGre turns negative at the speed dv + mu_s/sigma2 = {limit:g}, where friction "
            f"would be infinite; it is held at {FLOOR:g} there, and the law is no longer passive; lower sigma2, or use "
            "LuGre if it runs that fast"
        ]
