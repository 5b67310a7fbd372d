"""Hybrid friction with two modes: moving, or motionless with a decaying speed."""

from __future__ import annotations

from ._parameters import MU_C, SIGMA, positive
from ._step_needs import capture_window
from .law import Conditions, Param, Role, StepConditions, StepNeed, Stick, Values
from .stribeck import Stribeck

ROUNDING = 1e-9
"""Relative tolerance of the inequalities: sides that agree to this are accepted."""


def exceeds(small: float, large: float) -> bool:
    """Whether the inequality small < large is violated; equal sides, as in Table 1 of the paper, are accepted.

    >>> exceeds(2e-3 * 1, 2 * 1e-3), exceeds(5e3, 1e3)
    (False, True)
    """
    return small > large * (1 + ROUNDING)


def misses_zero(p: Values, conditions: Conditions) -> list[str]:
    """Faults if the speed can jump over the window within one step, see `capture_window`.

    >>> misses_zero(SimpleNamespace(Sigma=1e-4, mu_s=1.1), Conditions(step=1e-3, inertia=1, force=1.1))
    ['m Sigma = 0.0001 must be above (u_max + f_s) Te = 0.0022, ...']
    """
    m, u, step = conditions.inertia, conditions.force, conditions.step
    if m is None or u is None or step is None:
        return []
    need = capture_window(p, StepConditions(step, m, conditions.load, u)).bound(1.0)
    if not exceeds(need, p.Sigma):
        return []
    return [
        f"m Sigma = {m * p.Sigma:g} must be above (u_max + f_s) Te = {m * need:g}, or an explicit step may jump over "
        f"the stick window; raise Sigma above {need:g} or keep the step below {step * p.Sigma / need:g} s"
    ]


class Hybrid(Stribeck):
    """Two-mode friction: moving on the Stribeck curve, or motionless, captured below the speed Sigma.

    It is captured when its speed is below Sigma and the force on it below mu_c. In the motionless mode the speed decays
    at the rate p0. It moves again when the force exceeds mu_s and the speed is below Sigma_2; it is then not captured
    until its speed has exceeded 2 Sigma_2 or has reached 0. The defaults are Table 1 of the paper, with Sigma_2 = 2 %
    of Sigma and without viscous friction.

    >>> Bearing(mass, law=Hybrid(tau_c=1, tau_s=1.5, Sigma=2e-3, Sigma_2=4e-5, p0=1e3))
    """

    source = (
        "R. Nouailletas, E. Mendes, D. Koenig: Hybrid modeling and identification of dry friction systems, application "
        "to a clutch actuator. Control Engineering Practice 18 (2010) 904-917, (5)-(10)"
    )

    lock = "hybrid"
    mu_c = positive(MU_C)
    Sigma = SIGMA
    Sigma_2 = Param(4e-5, "{vel}", "speed below which it can break away", above=0, role=Role.NUMERICAL)
    p0 = Param(1e3, "1/s", "decay rate of the speed while motionless", above=0, role=Role.NUMERICAL)

    @staticmethod
    def stick(p: Values) -> Stick:
        return Stick(window=p.Sigma, release=p.Sigma_2, relaxation=p.p0, capture=p.mu_c)

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        decay = StepNeed(
            "p0",
            -1,
            lambda c: c / at.h,
            rule="p0 < c/h",
            why="the slip decays at the rate p0; to vanish within one step the paper also requires p0 > 5/h: no "
            "explicit method satisfies both",
            numbers=f", stable; the slip vanishes within a step only for p0 > 5/h = {5 / at.h:g}",
        )
        return [capture_window(p, at), decay]

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return min(p.v_s, p.Sigma_2)

    @staticmethod
    def checks(p: Values, conditions: Conditions | None = None) -> list[str]:
        known = conditions or Conditions()
        warnings = []
        if exceeds(p.Sigma_2, p.Sigma):
            warnings.append(
                f"Sigma_2 = {p.Sigma_2:g} must be below Sigma = {p.Sigma:g}, or it breaks away as soon as it is "
                f"captured; 2 % of Sigma is usual: Sigma_2 = {0.02 * p.Sigma:g}"
            )
        if known.sample_time is not None and exceeds(5 / known.sample_time, p.p0):
            warnings.append(
                f"p0 = {p.p0:g} 1/s must be above 5/Ts = {5 / known.sample_time:g} 1/s, or the speed has not decayed "
                f"within the sample time Ts = {known.sample_time:g} s; raise p0"
            )
        if known.resolution is not None and exceeds(p.Sigma, known.resolution * p.p0):
            limit = known.resolution * p.p0
            warnings.append(
                f"Sigma = {p.Sigma:g} must be below delta_x p0 = {limit:g}, or the sensor of resolution delta_x = "
                f"{known.resolution:g} detects creep in the motionless mode; lower Sigma or raise p0"
            )
        return warnings + misses_zero(p, known)
