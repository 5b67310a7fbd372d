"""Base class of laws whose bristle is a hysteresis spring: n elements that stick and slip share one deflection z.

The spring force of an element is F_i = k_i (z - r_i) + s_i W_i within its limits +-W_i. It keeps where it was last
released, the deflection r_i, and from which side, s_i: both 0 as long as it has never slipped. Between two reversals of
z every element sticks and then slips, so the clipped force is exact, and only a reversal changes what is kept: elements
beyond their limits are released there. So nonlocal memory takes one continuous state, whatever n.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from ..traced import value_of
from ._counted import CountedLaw
from ._curve import stribeck_curve
from ._elements import ALPHA, BETA, share
from ._parameters import EXPONENT, MU_C, MU_S, SIGMA0, SIGMA1, SIGMA2, V_S, positive
from ._step_needs import StepConditions, StepNeed, damper, relaxation
from .functions import Abs, Piecewise, larger, power, sign, smaller
from .law import AtMost, Expr, Flow, Jump, Memory, Mode, Param, Role, State, Values

PASSED = 0.99
"""Share of the sliding friction s(v) up to which the beginning of a branch is a reference: where s(v) falls below it,
the rate would have a pole."""

SLACK = 1e-9
"""Force beyond the limit, relative to it, from which on an element has slipped, and speed of the reversal of z,
relative to v: in steady sliding z rests, and rounding must not release elements."""


def signed_power(x: Expr, exponent: Expr) -> Expr:
    """sgn(x) |x|^exponent for exponents of at least 1.

    >>> signed_power(-2.0, 2.0), signed_power(0.5, 1.0)
    (-4.0, 0.5)
    """
    return Piecewise((x, exponent <= 1), (x * power(x, exponent - 1), True))


class HysteresisLaw(CountedLaw, registered=False):
    """Friction F_h + sigma1 z' + sigma2 v, where F_h is the force of the hysteresis spring at the deflection z.

    The limits W_i add up to `reserve` times mu_s: with less they would all slip at rest, and hold nothing.
    """

    sigma0 = SIGMA0
    sigma1 = SIGMA1
    sigma2 = SIGMA2
    mu_c = positive(MU_C)
    mu_s = positive(MU_S)
    v_s = V_S
    exponent = EXPONENT
    transition = Param(1.0, "1", "exponent of the transition from presliding to sliding", min=1, role=Role.SHAPE)
    reserve = Param(1.25, "1", "limits of all elements together, in terms of mu_s", above=1, role=Role.SHAPE)
    alpha = ALPHA
    beta = BETA
    default_of = staticmethod(share)
    orders = (AtMost("mu_c", "mu_s"),)

    based: ClassVar[bool] = False
    """Whether the rate depends on the base: the spring force at the beginning of the present branch."""

    turning: ClassVar[Callable[..., Expr]]
    """turning(v, rate): what releases elements when it changes its sign"""

    @classmethod
    def states_for(cls, n: int) -> dict[str, State]:  # type: ignore[override]
        places = {f"released_{i + 1}": _place(i + 1) for i in range(n)}
        return {"z": cls.deflection()} | places | {f"side_{i + 1}": _side(i + 1) for i in range(n)}

    @classmethod
    def states_of_one(cls) -> dict[str, State]:
        return {"z": cls.deflection(), "released_i": _place("i"), "side_i": _side("i")}

    @classmethod
    def deflection(cls) -> State:
        """The deflection; it never passes that of a first motion up to mu_s, since at a new largest deflection the
        spring is on the curve of the first motion."""
        return State("{disp}", "deflection", lambda p: p.mu_s / p.sigma0, bound=lambda p: cls.bent(p, p.mu_s))

    def resolve(self, units: Mapping[str, str], owner: str) -> Values:
        p = super().resolve(units, owner)
        order = sorted(range(p.n), key=lambda i: p.alpha[i] / p.beta[i])  # by the displacement at which they slip
        p.alpha, p.beta = ([given[i] for i in order] for given in (p.alpha, p.beta))
        return p

    # -- one element ---

    @staticmethod
    def stiffness(p: Values, e: Values) -> Expr:
        """Stiffness of an element."""
        return p.sigma0 * e.beta

    @staticmethod
    def limit(p: Values, e: Values) -> Expr:
        """Largest force of an element."""
        return e.alpha * (p.reserve * p.mu_s)

    @classmethod
    def loaded(cls, p: Values, e: Values, z: Expr, released: Expr, side: Expr) -> Expr:
        """The force of an element if it could not slip."""
        return cls.stiffness(p, e) * (z - released) + side * cls.limit(p, e)

    @classmethod
    def force(cls, p: Values, e: Values, z: Expr, released: Expr, side: Expr) -> Expr:
        """The force of an element."""
        limit = cls.limit(p, e)
        return larger(smaller(cls.loaded(p, e, z, released, side), limit), -limit)

    @classmethod
    def energy(cls, p: Values, e: Values, F: Expr) -> Expr:
        """Energy in the spring of an element."""
        return F**2 / (2 * cls.stiffness(p, e))

    @classmethod
    def guard(cls, p: Values, e: Values, v: Expr, loaded: Expr, turning: Expr) -> Expr:
        """Rate of z in the direction of an element that slips."""
        onward = sign(loaded) * turning + SLACK * Abs(v)
        return Piecewise((onward, Abs(loaded) > (1 + SLACK) * cls.limit(p, e)), (1, True))

    # -- all elements ---

    @staticmethod
    def g(p: Values, v: Expr) -> Expr:
        return stribeck_curve(p, v)

    @staticmethod
    def friction(p: Values, v: Expr, F: Expr, dz: Expr) -> Expr:
        """Friction from the spring force and the rate of the deflection."""
        return F + p.sigma1 * dz + p.sigma2 * v

    @staticmethod
    def ratio(v: Expr, F: Expr, start: Expr, s: Expr) -> Expr:
        """How far the spring force is from the beginning of the branch (seen in the direction of v) to sliding."""
        return (sign(v) * F - start) / (s - start)

    @classmethod
    def drive(cls, p: Values, v: Expr, F: Expr, base: Expr, s: Expr) -> Expr:
        """The rate of z."""
        forward = sign(v) * base
        start = Piecewise((forward, forward < PASSED * s), (0, True)) if cls.based else 0
        return v * (1 - signed_power(cls.ratio(v, F, start, s), p.transition))

    @classmethod
    def total(cls, p: Values, z: Expr, kept: Sequence[Expr]) -> Expr:
        """The spring force at a deflection."""
        elements = cls.elements(p)
        n = len(elements)
        return sum(cls.force(p, e, z, r, s) for e, r, s in zip(elements, kept[:n], kept[n : 2 * n], strict=True))

    @classmethod
    def base(cls, p: Values, v: Expr, z: Expr, kept: Sequence[Expr]) -> Expr:
        """The spring force at the beginning of the present branch, 0 on the curve of the first motion. Elements that
        take longer to slip remember older reversals, so from the last to the first these are the reversals in time. A
        loop is closed where z passes the reversal before it, or the mirror image of the first one; then all newer ones
        are forgotten. `tools/codegen/hysteresis.py` has the same in C."""
        way, start, first = sign(v), None, True
        for r, s in reversed(list(zip(kept[: p.n], kept[p.n : 2 * p.n], strict=True))):
            passed = way * z >= way * r if s == way else first and way * z >= -way * r
            if way == 0 or (s != 0 and passed):
                break
            start = r if s == -way else start
            first = first and s == 0
        return 0.0 if start is None else cls.total(p, start, kept)

    @classmethod
    def rate(cls, p: Values, v: Expr, z: Expr, kept: Sequence[Expr], *g: Expr) -> Expr:
        """The rate of z."""
        base = cls.base(p, v, z, kept) if cls.based else 0.0
        return cls.drive(p, v, cls.total(p, z, kept), base, *g)

    @classmethod
    def flow(cls, p: Values, v: Expr, z: Expr, *kept: Expr) -> Flow:
        places, g = kept[: 2 * p.n], kept[2 * p.n :]
        rate = cls.rate(p, v, z, places, *g)
        return Flow(cls.friction(p, v, cls.total(p, z, places), rate), z=rate)

    @classmethod
    def jumps(cls, p: Values, v: Expr, z: Expr, *kept: Expr, hold: Expr) -> list[Jump]:
        turning = cls.turning(v, cls.rate(p, v, z, kept, *cls.curves(p, v)))
        jumps = []
        for i, (e, r, s) in enumerate(zip(cls.elements(p), kept[: p.n], kept[p.n :], strict=True), 1):
            loaded = cls.loaded(p, e, z, r, s)
            guard = cls.guard(p, e, v, loaded, turning)
            jumps.append(Jump(guard, **{f"released_{i}": z, f"side_{i}": sign(loaded)}))
        return jumps

    @classmethod
    def bent(cls, p: Values, force: Any) -> Any:
        """The deflection of a first motion at which the spring has a force. The curve is concave, so Newton's method
        from 0 arrives there piece by piece."""
        elements, z = cls.elements(p), 0 * p.sigma0
        for _ in range(len(elements) + 1):
            sticking = [e for e in elements if cls.stiffness(p, e) * z < cls.limit(p, e)]
            missing = force - sum(cls.force(p, e, z, 0, 0) for e in elements)
            if not sticking or missing <= 0:
                break
            z = z + missing / sum(cls.stiffness(p, e) for e in sticking)
        return z

    @classmethod
    def steady(cls, p: Values, v: Expr) -> tuple[Expr, ...]:
        return (sign(v) * cls.bent(p, cls.g(p, v)), *[0] * (2 * p.n))

    @classmethod
    def storage(cls, p: Values, z: Expr, *kept: Expr) -> Expr:
        elements = cls.elements(p)
        rows = zip(elements, kept[: p.n], kept[p.n : 2 * p.n], strict=True)
        return sum(cls.energy(p, e, cls.force(p, e, z, r, s)) for e, r, s in rows)

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return p.v_s

    @classmethod
    def step_needs(cls, p: Values, at: StepConditions) -> list[StepNeed]:
        sticking = cls.sticking(p)
        rule = "sigma0 < c mu_c/(transition h |v| b)"
        most = relaxation("sigma0", lambda c: c * p.mu_c / (at.h * at.speed * p.transition * sticking), rule, at)
        return [*most, damper("sigma1", "sigma2", p.sigma2, at)]

    @classmethod
    def sticking(cls, p: Values) -> float:
        """Share b of the stiffness that sticks in steady sliding at mu_c."""
        z = cls.bent(p, p.mu_c)
        return float(sum(value_of(e.beta) for e in cls.elements(p) if cls.stiffness(p, e) * z < cls.limit(p, e)))


def _place(i: int | str) -> Memory:
    text = f"deflection at which element {i} was last released; 0: it has never slipped"
    return Memory("{disp}", text, lambda p: p.mu_s / p.sigma0)


def _side(i: int | str) -> Mode:
    return Mode(f"limit from which element {i} was released; 0: it has never slipped", (-1, 0, 1))
