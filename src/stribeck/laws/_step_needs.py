"""Bounds on the parameters of a law for explicit methods with a fixed step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from ..declare import Values


@dataclass(frozen=True)
class StepConditions:
    """Operating conditions of a contact in a run with the step h (s), in SI.

    >>> at = StepConditions(h=1e-3, inertia=0.04, acceleration=120)
    >>> Karnopp.step_needs(Values(dv=0.01), at)[0].formula
    'dv > h/2 |dv/dt| = 0.001/2 120 = 0.06'
    """

    h: float
    inertia: float
    """Inertia reduced to the slip."""
    load: float = 1.0
    """The largest load of the run."""
    force: float = 0.0
    """The largest force of the rest of the machine on the contact."""
    acceleration: float = 0.0
    """The largest acceleration of the slip under load."""
    speed: float = 0.0
    """The largest slip under load."""
    speed_time: float = 0.0
    """The time of the largest slip (s)."""


@dataclass(frozen=True)
class StepNeed:
    """A bound of a parameter: with `sign` 1 a lower bound, with -1 an upper bound, bound(c), where c is the largest
    h |lambda| at which a method is stable. In `rule` N is the load, J the inertia, h the step, v the slip, u the force.

    >>> StepNeed("p0", -1, lambda c: c / 1e-3, rule="p0 < c/h", why="the slip decays at the rate p0").bound(2)
    2000.0
    """

    parameter: str
    sign: int
    bound: Callable[[float], float]
    rule: str
    why: str
    numbers: str = ""
    """Numbers of the contact, appended to the rule in the report."""
    of_states: bool = False
    """Whether it comes from the rates of the states: methods that treat these implicitly do not need it."""

    @property
    def formula(self) -> str:
        """The rule with its numbers.

        >>> StepNeed("p0", -1, lambda c: c / 1e-3, rule="p0 < c/h", why="", numbers=" = c/0.001").formula
        'p0 < c/h = c/0.001'
        """
        return self.rule + self.numbers


def transition(p: Values, at: StepConditions) -> list[StepNeed]:
    """A curve through v = 0 with the slope (2 mu_c/v_0 + mu_v) N, which must stay below c J/h.

    >>> p = Values(mu_c=1.0, v_0=0.01, mu_v=0.0)
    >>> transition(p, StepConditions(h=1e-3, inertia=0.04, load=5000))[0].bound(2)
    125.0
    """

    def v_0(c: float) -> float:
        left = c * at.inertia / (at.load * at.h) - p.mu_v
        return float(2 * p.mu_c / left) if left > 0 else inf

    N, J, h = at.load, at.inertia, at.h
    rule, numbers = "v_0 > 2 mu_c N h/(c J)", f" = 2 {p.mu_c:g} {N:.4g} {h:g}/(c {J:.4g})"
    if p.mu_v:
        rule, numbers = "v_0 > 2 mu_c/(c J/(N h) - mu_v)", f", J/(N h) = {J / (N * h):.4g}, mu_v = {p.mu_v:g}"
    return [
        StepNeed(
            "v_0",
            1,
            v_0,
            rule,
            why="the slope at rest is (2 mu_c/v_0 + mu_v) N; from c = 1 on the slip decays without oscillation; the "
            "price is creep, v_0/2 atanh(tau/(N mu_c))",
            numbers=f"{numbers}; no oscillation from {v_0(1.0):.4g} on",
        )
    ]


def capture_window(p: Values, at: StepConditions) -> StepNeed:
    """A capture window that no step can jump over: at a reversal friction acts with the force, so a step changes the
    slip by (u + mu_s N) h/J; (11), (24) and (27) of Nouailletas, Mendes, Koenig 2010 omit friction.

    >>> capture_window(Values(mu_s=1.1), StepConditions(h=1e-3, inertia=1, force=1.1)).bound(2)
    0.0022
    """
    most = at.force + p.mu_s * at.load
    need = float(most * at.h / at.inertia)
    return StepNeed(
        "Sigma",
        1,
        lambda c: need,
        rule="Sigma > (u + mu_s N) h/J",
        why="a step must not jump over the window; at a reversal friction acts with the force u, which "
        "(11) and (27) of nouailletas2010 omit",
        numbers=f" = {most:.4g} {at.h:g}/{at.inertia:.4g} = {need:.4g}",
    )


def relaxation(parameter: str, most: Callable[[float], float], rule: str, at: StepConditions) -> list[StepNeed]:
    """Bristles that relax in slip at a rate proportional to their stiffness; no bound without slip.

    >>> at = StepConditions(h=1e-3, inertia=0.04, speed=2.0, speed_time=0.5)
    >>> relaxation("sigma0", lambda c: c * 1.0 / (at.h * at.speed), "sigma0 < c mu_c/(h |v|)", at)[0].formula
    'sigma0 < c mu_c/(h |v|), |v| = 2 at 0.5 s'
    """
    why = "in slip the bristles relax at the rate sigma0 |v|/mu"
    numbers = f", |v| = {at.speed:.4g} at {at.speed_time:g} s"
    return [StepNeed(parameter, -1, most, rule, why, numbers, of_states=True)] if at.speed > 0 else []


def damper(parameter: str, beside: str, other: float, at: StepConditions) -> StepNeed:
    """Bristle damping at rest plus viscous friction must stay below c J/(h N).

    >>> damper("sigma1", "sigma2", 0.0, StepConditions(h=1e-3, inertia=0.04, load=1.0)).bound(2)
    80.0
    """
    return StepNeed(
        parameter,
        -1,
        lambda c: c * at.inertia / (at.h * at.load) - other,
        rule=f"{parameter} < c J/(h N)" + (f" - {beside}" if beside else ""),
        why=f"at rest the bristles act as a damper N {parameter}",
        numbers=f" = c {at.inertia:.4g}/({at.h:g} {at.load:.4g})" + (f" - {other:g}" if beside else ""),
    )
