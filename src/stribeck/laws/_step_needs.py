"""What an explicit method with a fixed step asks of the parameters of a law."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from ..declare import Values


@dataclass(frozen=True)
class StepConditions:
    """What a contact meets in a run with the step h (s), in SI.

    >>> Karnopp.step_needs(p, StepConditions(h=1e-3, inertia=0.04, acceleration=120))
    """

    h: float
    inertia: float
    """Reduced inertia of the slip."""
    load: float = 1.0
    """The largest load of the run."""
    force: float = 0.0
    """The largest force on the contact by the rest of the machine."""
    acceleration: float = 0.0
    """The largest acceleration of the slip under load."""
    speed: float = 0.0
    """The largest slip under load."""
    speed_time: float = 0.0
    """When that was (s)."""


@dataclass(frozen=True)
class StepNeed:
    """A bound of a parameter: with `sign` 1 it must be at least, with -1 at most bound(c), where c is the largest
    h |lambda| that a method bears. In `rule` N is the load, J the inertia, h the step, v the slip, u the force.

    >>> StepNeed("p0", -1, lambda c: c / h, rule="p0 < c/h", why="the slip decays with p0")
    """

    parameter: str
    sign: int
    bound: Callable[[float], float]
    rule: str
    why: str
    numbers: str = ""
    """What follows the rule in the report: the numbers of the contact."""
    of_states: bool = False
    """Whether it comes from the rates of the states: methods that solve for these implicitly do not need it."""

    @property
    def formula(self) -> str:
        """The rule, and its numbers.

        >>> need.formula
        'dv > h/2 |dv/dt| = 0.001/2 120 = 0.06'
        """
        return self.rule + self.numbers


def transition(p: Values, at: StepConditions) -> list[StepNeed]:
    """A curve through v = 0 with the slope (2 mu_c/v_0 + mu_v) N, which must stay below c J/h.

    >>> transition(Tanh().p, StepConditions(h=1e-3, inertia=0.04, load=5000))[0].bound(2)
    0.0125
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
            why="the slope at rest is (2 mu_c/v_0 + mu_v) N; from c = 1 on the slip ends without swinging; the price "
            "is creep, v_0/2 atanh(tau/(N mu_c))",
            numbers=f"{numbers}; ends without swinging from {v_0(1.0):.4g} on",
        )
    ]


def capture_window(p: Values, at: StepConditions) -> StepNeed:
    """A window of capture that no step passes: at a reversal friction acts along with the force, so that a step changes
    the slip by (u + mu_s N) h/J; (11), (24) and (27) of Nouailletas, Mendes, Koenig 2010 leave friction out.

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
        why="a step must not pass the window; when the slip turns round friction acts along with the force u, which "
        "(11) and (27) of nouailletas2010 leave out",
        numbers=f" = {most:.4g} {at.h:g}/{at.inertia:.4g} = {need:.4g}",
    )


def relaxation(parameter: str, most: Callable[[float], float], rule: str, at: StepConditions) -> list[StepNeed]:
    """Bristles that relax in slip with a rate that grows with their stiffness; nothing without slip.

    >>> relaxation("sigma0", lambda c: c * p.mu_c / (at.h * at.speed), "sigma0 < c mu_c/(h |v|)", at)
    """
    why = "bristles relax with sigma0 |v|/mu in slip"
    numbers = f", |v| = {at.speed:.4g} at {at.speed_time:g} s"
    return [StepNeed(parameter, -1, most, rule, why, numbers, of_states=True)] if at.speed > 0 else []


def damper(parameter: str, beside: str, other: float, at: StepConditions) -> StepNeed:
    """A damper at rest, beside viscous friction: together they must stay below c J/(h N).

    >>> damper("sigma1", "sigma2", p.sigma2, at).bound(2)
    80.0
    """
    return StepNeed(
        parameter,
        -1,
        lambda c: c * at.inertia / (at.h * at.load) - other,
        rule=f"{parameter} < c J/(h N)" + (f" - {beside}" if beside else ""),
        why=f"at rest the bristles are a damper N {parameter}",
        numbers=f" = c {at.inertia:.4g}/({at.h:g} {at.load:.4g})" + (f" - {other:g}" if beside else ""),
    )
