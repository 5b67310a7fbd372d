"""Base classes of laws with equal elements in parallel that have a force each.

An element that sticks and slips is a spring: while it sticks, its force grows with the displacement, F' = k v; where
|F| reaches its limit in the direction of motion, it slips, and F follows another rate; where the speed turns round, it
sticks again. A law states the stiffness, the limit and the rate of one element once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from ..traced import value_of
from ._counted import CountedLaw
from ._parameters import SIGMA0, SIGMA1, SIGMA2
from ._step_needs import StepConditions, StepNeed, damper
from .functions import Abs, Piecewise, sign
from .law import Expr, Flow, Jump, Mode, Role, Series, State, Values

ALPHA = Series(
    None,
    "1",
    "shares of the elements in the friction limit, divided by their sum; default 1, 3, 5, ...",
    above=0,
    optional=True,
    role=Role.SHAPE,
)
BETA = Series(
    None,
    "1",
    "shares of the elements in the stiffness, divided by their sum; default equal",
    above=0,
    optional=True,
    role=Role.SHAPE,
)

STILL = 1e-12
"""Speed (m/s or rad/s) at which no element begins to slip: the rounding of a slip that another contact keeps at 0."""


def share(name: str, n: int) -> list[float]:
    """Shares of n elements in the friction limit, alpha, or in the stiffness, beta, where none are given.

    >>> share("alpha", 3)
    [1.0, 3.0, 5.0]
    """
    return [2.0 * i + 1.0 if name == "alpha" else 1.0 for i in range(n)]


class SeparateLaw(CountedLaw, registered=False):
    """Friction of n elements whose forces do not depend on each other: friction(p, v, sum of the forces, sum of their
    rates). An element has a force F and a discrete state, its mode."""

    separate = True
    mode: ClassVar[str] = "slip"
    """What the discrete state of an element is called."""

    rate: ClassVar[Callable[..., Expr]]
    """rate(p, e, v, F, mode, *g): rate of the force of an element with the parameters e"""
    guard: ClassVar[Callable[..., Expr]]
    """guard(p, e, v, F, mode, *g): positive until the element jumps"""
    turned: ClassVar[Callable[..., tuple[Expr, Expr]]]
    """turned(p, e, v, F, mode): force and mode after that"""
    stiffness: ClassVar[Callable[..., Expr]]
    """stiffness(p, e): of an element"""
    friction: ClassVar[Callable[..., Expr]]
    """friction(p, v, F, dF): from the sums of forces and of their rates"""
    rest_limit: ClassVar[Callable[..., Any]]
    """rest_limit(p, e): the largest force at v = 0"""

    @classmethod
    def mode_state(cls, i: int | str) -> State:
        """The discrete state of element i."""
        return Mode(f"direction in which element {i} slips; 0: it sticks", (-1, 0, 1))

    @classmethod
    def states_for(cls, n: int) -> dict[str, State]:  # type: ignore[override]
        def force(i: int) -> State:
            return State("{load}", f"friction of element {i + 1}", lambda p: cls.rest_limit(p, cls.elements(p)[i]))

        modes = {f"{cls.mode}_{i + 1}": cls.mode_state(i + 1) for i in range(n)}
        return {f"F_{i + 1}": force(i) for i in range(n)} | modes

    @classmethod
    def states_of_one(cls) -> dict[str, State]:
        return {
            "F_i": State("{load}", "friction of element i", lambda p: 1.0),
            f"{cls.mode}_i": cls.mode_state("i"),
        }

    @classmethod
    def energy(cls, p: Values, e: Values, F: Expr) -> Expr:
        """Energy in the spring of an element."""
        return F**2 / (2 * cls.stiffness(p, e))

    @classmethod
    def flow(cls, p: Values, v: Expr, *z: Expr) -> Flow:
        elements = cls.elements(p)
        F, modes, g = _split(len(elements), z)
        rates = [cls.rate(p, *one, *g) for one in zip(elements, [v] * len(elements), F, modes, strict=True)]
        names = (f"F_{i + 1}" for i in range(len(elements)))
        return Flow(cls.friction(p, v, sum(F), sum(rates)), **dict(zip(names, rates, strict=True)))

    @classmethod
    def jumps(cls, p: Values, v: Expr, *z: Expr, hold: Expr) -> list[Jump]:
        elements, g = cls.elements(p), cls.curves(p, v)
        F, modes, _ = _split(len(elements), z)
        jumps = []
        for i, (e, f, mode) in enumerate(zip(elements, F, modes, strict=True), 1):
            force, other = cls.turned(p, e, v, f, mode)
            jumps.append(Jump(cls.guard(p, e, v, f, mode, *g), **{f"F_{i}": force, f"{cls.mode}_{i}": other}))
        return jumps

    @classmethod
    def storage(cls, p: Values, *z: Expr) -> Expr:
        return sum(cls.energy(p, e, f) for e, f in zip(cls.elements(p), z, strict=False))


class ElementLaw(SeparateLaw, registered=False):
    """Friction of n elements that stick and slip.

    Unless their shares are given, break-away displacements are distributed uniformly up to 2 mu/sigma0: equal
    stiffness, limits as 1, 3, 5, ... (W. D. Iwan, Journal of Applied Mechanics 33, 1966). The friction of a first
    motion then is close to the parabola mu (1 - (1 - sigma0 x/(2 mu))^2).
    """

    sigma0 = SIGMA0
    sigma1 = SIGMA1
    sigma2 = SIGMA2
    alpha = ALPHA
    beta = BETA
    default_of = staticmethod(share)

    limit: ClassVar[Callable[..., Expr]]
    """limit(p, e, *g): the force up to which an element with the parameters e sticks"""
    slipping: ClassVar[Callable[..., Expr]]
    """slipping(p, e, F, *g): the rate of a force that slips forward"""

    @staticmethod
    def stiffness(p: Values, e: Values) -> Expr:
        """Stiffness of an element."""
        return p.sigma0 * e.beta

    @staticmethod
    def friction(p: Values, v: Expr, F: Expr, dF: Expr) -> Expr:
        """Friction from the sums of forces and of their rates: springs with dampers, and viscous friction."""
        return F + p.sigma1 / p.sigma0 * dF + p.sigma2 * v

    @classmethod
    def rate(cls, p: Values, e: Values, v: Expr, F: Expr, slip: Expr, *g: Expr) -> Expr:
        """Rate of the force of an element."""
        slipping = slip * cls.slipping(p, e, slip * F, *g)
        return Piecewise((cls.stiffness(p, e) * v, Abs(slip) < 0.5), (slipping, True))

    @classmethod
    def guard(cls, p: Values, e: Values, v: Expr, F: Expr, slip: Expr, *g: Expr) -> Expr:
        """Share of the limit that is left to an element that sticks; speed in the direction of one that slips."""
        way = Piecewise((sign(v), Abs(v) > STILL), (0, True))
        return Piecewise((1 - way * F / cls.limit(p, e, *g), Abs(slip) < 0.5), (slip * v, True))

    @classmethod
    def turned(cls, p: Values, e: Values, v: Expr, F: Expr, slip: Expr) -> tuple[Expr, Expr]:
        """Force and mode of an element after its guard has become negative: it slips in the direction of its force on
        the limit, which is that of motion. Where another contact holds the motion, the sign of a speed is rounding."""
        return F, Piecewise((sign(F), Abs(slip) < 0.5), (0, True))

    @classmethod
    def steady(cls, p: Values, v: Expr) -> tuple[Expr, ...]:
        elements, g = cls.elements(p), cls.curves(p, v)
        return (*(sign(v) * cls.limit(p, e, *g) for e in elements), *(sign(v) for _ in elements))

    @classmethod
    def step_needs(cls, p: Values, at: StepConditions) -> list[StepNeed]:
        least = min(value_of(cls.rest_limit(p, e) / e.beta) for e in cls.elements(p))
        stick = StepNeed(
            "sigma0",
            -1,
            lambda c: c * least / (at.h * at.speed),
            rule="sigma0 < c min(mu alpha/beta)/(h |v|)",
            why="an element that sticks must not pass its limit within a step by more than c of it",
            numbers=f", |v| = {at.speed:.4g} at {at.speed_time:g} s",
            of_states=True,
        )
        return [*([stick] if at.speed > 0 else []), damper("sigma1", "sigma2", p.sigma2, at)]


def _split(n: int, z: Sequence[Expr]) -> tuple[Sequence[Expr], Sequence[Expr], Sequence[Expr]]:
    """Forces, modes and what follows them."""
    return z[:n], z[n : 2 * n], z[2 * n :]
