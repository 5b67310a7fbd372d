"""Base class of laws with equal elements in parallel, each of which sticks and slips by itself.

An element is a spring: while it sticks, its force grows with the displacement, F' = k v; where |F| reaches its limit in
the direction of motion, it slips, and F follows another rate; where the speed turns round, it sticks again. A law
states the stiffness, the limit and the rate of one element once; the number of elements belongs to the contact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

from ..declare import Count
from ..traced import pinned, value_of
from ._parameters import SIGMA0, SIGMA1, SIGMA2
from ._step_needs import StepConditions, StepNeed, damper
from .functions import Abs, Piecewise, sign
from .law import BristleLaw, Expr, Flow, Jump, Mode, Role, Series, State, Values

MOST = 20
"""Most elements of a contact."""

STILL = 1e-12
"""Speed (m/s or rad/s) at which no element begins to slip: the rounding of a slip that another contact keeps at 0."""


class _States:
    """The states of a law by its number of elements: of an instance, and of the class those of the default."""

    def __get__(self, law: ElementLaw | None, kind: type[ElementLaw]) -> dict[str, State]:
        return states_of(kind, kind.n.default if law is None else law.count)  # type: ignore[arg-type]


@cache
def states_of(law: type[ElementLaw], n: int) -> dict[str, State]:
    """All forces, then all modes.

    >>> list(states_of(GMS, 2))
    ['F_1', 'F_2', 'slip_1', 'slip_2']
    """
    forces = {f"F_{i + 1}": _force(law, i) for i in range(n)}
    modes = {
        f"slip_{i + 1}": Mode(f"direction in which element {i + 1} slips; 0: it sticks", (-1, 0, 1)) for i in range(n)
    }
    return forces | modes


def _force(law: type[ElementLaw], i: int) -> State:
    return State("{load}", f"friction of element {i + 1}", lambda p: law.rest_limit(p, law.elements(p)[i]))


class ElementLaw(BristleLaw, registered=False):
    """Friction of n elements: friction(p, v, sum of the forces, sum of their rates).

    Unless their shares are given, break-away displacements are distributed uniformly up to 2 mu/sigma0: equal
    stiffness, limits as 1, 3, 5, ... (W. D. Iwan, Journal of Applied Mechanics 33, 1966). The friction of a first
    motion then is close to the parabola mu (1 - (1 - sigma0 x/(2 mu))^2).
    """

    n = Count(10, "1", "number of elements", min=1, max=MOST, role=Role.NUMERICAL)
    sigma0 = SIGMA0
    sigma1 = SIGMA1
    sigma2 = SIGMA2
    alpha = Series(
        None,
        "1",
        "shares of the elements in the friction limit, divided by their sum; default 1, 3, 5, ...",
        above=0,
        optional=True,
        role=Role.SHAPE,
    )
    beta = Series(
        None,
        "1",
        "shares of the elements in the stiffness, divided by their sum; default equal",
        above=0,
        optional=True,
        role=Role.SHAPE,
    )

    each: ClassVar[list[str]] = []
    """Names of the parameters that every element has."""

    limit: ClassVar[Callable[..., Expr]]
    """limit(p, e, *g): the force up to which an element with the parameters e sticks"""
    slipping: ClassVar[Callable[..., Expr]]
    """slipping(p, e, F, *g): the rate of a force that slips forward"""
    rest_limit: ClassVar[Callable[..., Any]]
    """rest_limit(p, e): the limit at v = 0"""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.each, cls.curve = cls.curve, []
        cls.scalars = [name for name in cls.scalars if not isinstance(cls.params[name], Count)]
        cls.states = _States()  # type: ignore[assignment]
        cls.described = {
            "F_i": State("{load}", "friction of element i", lambda p: 1.0),
            "slip_i": Mode("direction in which element i slips; 0: it sticks", (-1, 0, 1)),
        }

    @classmethod
    def canonical(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        given = super().canonical(values)
        lengths = [len(given[name]) for name in cls.each if hasattr(given.get(name), "__len__")]
        return given if "n" in given or not lengths else {"n": lengths[0]} | given

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of elements."""
        return type(self).n.to_si(self.n, {}, type(self).__name__, "n")

    def resolve(self, units: Mapping[str, str], owner: str) -> Values:
        p = super().resolve(units, owner)
        n = p.n = int(pinned(p.n))
        p.alpha = _shares([2 * i + 1 for i in range(n)] if p.alpha is None else p.alpha)
        p.beta = _shares([1] * n if p.beta is None else p.beta)
        return p

    @classmethod
    def faults(cls, p: Values) -> list[str]:
        n = round(value_of(p.n))
        wrong = [(name, given) for name in cls.each if (given := getattr(p, name)) is not None and len(given) != n]
        lengths = [f"{name} has {len(given)} numbers for n = {n} elements; give one for each" for name, given in wrong]
        return lengths + super().faults(p)

    @classmethod
    def symbols(cls, make: Callable[[str], Any]) -> Values:
        p = Values(**{name: make(name) for name in cls.scalars}, n=cls.n.default)
        for name in cls.each:
            setattr(p, name, [make(f"{name}_{i + 1}") for i in range(p.n)])
        return p

    @classmethod
    def numbers(cls, p: Values) -> list[float]:
        shares = [x for name in cls.each for x in getattr(p, name)]
        return [getattr(p, name) for name in cls.scalars] + shares

    @classmethod
    def elements(cls, p: Values) -> list[Values]:
        """The parameters of each element.

        >>> [e.alpha for e in GMS.elements(GMS(n=2).resolve({}, "GMS"))]
        [0.25, 0.75]
        """
        rows = zip(*(getattr(p, name) for name in cls.each), strict=True)
        return [Values(**dict(zip(cls.each, row, strict=True))) for row in rows]

    @staticmethod
    def stiffness(p: Values, e: Values) -> Expr:
        """Stiffness of an element."""
        return p.sigma0 * e.beta

    @staticmethod
    def friction(p: Values, v: Expr, F: Expr, dF: Expr) -> Expr:
        """Friction from the sums of forces and of their rates: springs with dampers, and viscous friction."""
        return F + p.sigma1 / p.sigma0 * dF + p.sigma2 * v

    # -- one element ---

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

    @staticmethod
    def turned(F: Expr, slip: Expr) -> Expr:
        """The mode of an element after its guard has become negative: that of its force on the limit, which has the
        direction of motion. Where another contact holds the motion, the sign of a speed is rounding."""
        return Piecewise((sign(F), Abs(slip) < 0.5), (0, True))

    @classmethod
    def energy(cls, p: Values, e: Values, F: Expr) -> Expr:
        """Energy in the spring of an element."""
        return F**2 / (2 * cls.stiffness(p, e))

    # -- all elements ---

    @classmethod
    def flow(cls, p: Values, v: Expr, *z: Expr) -> Flow:
        elements = cls.elements(p)
        F, slip, g = _split(len(elements), z)
        rates = [cls.rate(p, *one, *g) for one in zip(elements, [v] * len(elements), F, slip, strict=True)]
        names = (f"F_{i + 1}" for i in range(len(elements)))
        return Flow(cls.friction(p, v, sum(F), sum(rates)), **dict(zip(names, rates, strict=True)))

    @classmethod
    def jumps(cls, p: Values, v: Expr, *z: Expr, hold: Expr) -> list[Jump]:
        elements, g = cls.elements(p), cls.curves(p, v)
        F, slip, _ = _split(len(elements), z)
        rows = enumerate(zip(elements, F, slip, strict=True), 1)
        return [Jump(cls.guard(p, e, v, f, s, *g), **{f"slip_{i}": cls.turned(f, s)}) for i, (e, f, s) in rows]

    @classmethod
    def steady(cls, p: Values, v: Expr) -> tuple[Expr, ...]:
        elements, g = cls.elements(p), cls.curves(p, v)
        return (*(sign(v) * cls.limit(p, e, *g) for e in elements), *(sign(v) for _ in elements))

    @classmethod
    def storage(cls, p: Values, *z: Expr) -> Expr:
        return sum(cls.energy(p, e, f) for e, f in zip(cls.elements(p), z, strict=False))

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


def _shares(weights: Sequence[Any]) -> list[Any]:
    """Numbers divided by their sum."""
    total = sum(weights)
    return [weight / total for weight in weights]


def _split(n: int, z: Sequence[Expr]) -> tuple[Sequence[Expr], Sequence[Expr], Sequence[Expr]]:
    """Forces, modes and what follows them."""
    return z[:n], z[n : 2 * n], z[2 * n :]
