"""What a law outside of the package does not state: roles of parameters, characteristic speeds, sizes of states, steady
states, and needs of a fixed step. All follow from its units and formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf, isfinite, nan, sqrt
from typing import TYPE_CHECKING, Any

from ..declare import Param, Series, Values
from ..errors import SpecError
from ..formula import FormulaTape, NoDerivative, derivative, is_zero
from ..traced import value_of
from ._dimension import LOAD, PLAIN, VEL, read_unit
from ._roles import Role
from ._step_needs import StepConditions, StepNeed
from .functions import Abs, Piecewise

if TYPE_CHECKING:
    from .law import Flow, Law

SLOW = (1e-6, 1e-3, 1.0)
"""Speeds of steady sliding at which the size of a state is read (SI)."""
SLOPE = 1e-4
"""Step of the differences for slopes, relative to a characteristic size."""
WIDEST = 1e12
"""Factor by which a parameter is changed at most in the search for a bound."""


def plain_values(p: Values) -> Values:
    """Parameters as plain numbers, without a record of what follows from them.

    >>> plain_values(Values(mu_c=1.0))
    Values(mu_c=1.0)
    """
    return Values(**{k: [value_of(x) for x in v] if isinstance(v, list) else value_of(v) for k, v in vars(p).items()})


def defaults(law: type[Law]) -> Values:
    """The default parameters of a law."""
    return law().resolve({}, law.__name__)


# --- roles ------------------------------------------------------------------------------------------------------------

USUAL_NAMES = {
    word: role
    for role, words in ((Role.COULOMB, ("mu_c", "tau_c", "f_c")), (Role.STATIC, ("mu_s", "tau_s", "f_s")))
    for word in words
}
USUAL_UNITS = {
    "{load}/{disp}": Role.STIFFNESS,
    "{load}.s/{disp}": Role.DAMPING,
    str(VEL): Role.SPEED,
    str(PLAIN): Role.SHAPE,
}


def with_roles(params: Mapping[str, Param]) -> dict[str, Param]:
    """The parameters; those without role get the one that their unit and name suggest.

    >>> with_roles({"d": Param(1.0, "{load}.s/{disp}", "damping")})["d"].role
    <Role.DAMPING: 'damping'>
    """
    units = {name: str(read_unit(param.unit)[1]) for name, param in params.items()}
    loads = [name for name, unit in units.items() if unit == str(LOAD) and not isinstance(params[name], Series)]

    def role(name: str, param: Param) -> Role:
        if isinstance(param, Series):
            return Role.CURVE if units[name] == str(LOAD) else Role.SHAPE
        words = [USUAL_NAMES[word] for word in (name, *param.aliases) if word in USUAL_NAMES]
        if name in loads:
            return words[0] if words else Role.COULOMB if len(loads) == 1 else Role.CURVE
        return USUAL_UNITS.get(units[name], Role.CURVE)

    return {name: param if param.role else replace(param, role=role(name, param)) for name, param in params.items()}


# --- speeds and sizes -------------------------------------------------------------------------------------------------


def slowest(law: type[Law], p: Values) -> Any:
    """The smallest speed among the parameters: one in {vel}, the inverse of one in s/{disp}, a spacing of a table."""
    speeds: list[Any] = []
    for name, param in law.params.items():
        dimension, value = read_unit(param.unit)[1], getattr(p, name)
        if isinstance(param, Series):
            steps = [b - a for a, b in zip([0.0, *value], value, strict=False)] if dimension == VEL else []
            speeds += [step for step in steps if step > 0]
        elif dimension == VEL and value > 0:
            speeds.append(value)
        elif dimension == PLAIN.over(VEL) and value > 0:
            speeds.append(1 / value)
    return min(speeds, default=inf)


def peak(law: type[Law], p: Values) -> Any:
    """The width of a friction peak at v = 0: the Stribeck speed, or the smallest speed if friction falls."""
    if hasattr(p, "v_s"):
        return p.v_s
    if "_falls" not in vars(law):
        law._falls = falls(law)  # type: ignore[attr-defined]
    return law.nominal_speed(p) if law._falls else inf  # type: ignore[attr-defined]


def falls(law: type[Law]) -> bool:
    """Whether steady friction with the default parameters falls somewhere with speed."""
    p = defaults(law)
    width = slowest(law, p)
    if not isfinite(width):
        return False
    friction = [steady_friction(law, p, share * width) for share in (1e-6, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)]
    return any(later < before * (1 - 1e-9) for before, later in pairwise(friction))


def steady_friction(law: type[Law], p: Values, v: float) -> float:
    """Friction per unit load at a constant speed v > 0."""
    try:
        z = states_at(law, p, v)
        return float(law.flow(p, v, *z, *law.curves(p, v)).friction)
    except ArithmeticError:  # of Python, where C has inf or nan
        return nan


def states_at(law: Any, p: Values, v: float) -> tuple[float, ...]:
    """The states in steady sliding."""
    if not law.states:
        return ()
    steady = law.steady(p, v)
    return steady if isinstance(steady, tuple) else (steady,)


def size_of_state(steady: Callable[..., Any], p: Values, index: int) -> Any:
    """The largest value of a state in steady sliding at a few speeds; 1 if there is none."""
    sizes = [abs(steady(p, v)[index]) for v in SLOW]
    return max((size for size in sizes if 0 < size < inf), default=1.0)


# --- steady states ----------------------------------------------------------------------------------------------------


def steady_of(
    params: Sequence[str],
    names: Sequence[str],
    flow: Callable[..., Flow],
    curves: Callable[[Values, Any], tuple[Any, ...]],
) -> Callable[[Values, Any], tuple[Any, ...]]:
    """The states with zero rates, from rates that are linear in their state: z = r(0)/(r(0) - r(1)), 0 at rest."""
    tape = FormulaTape()
    symbols = Values(**{name: tape.input(name) for name in params})
    v, z = tape.input("v"), {name: tape.input(name) for name in names}
    _check_linear(flow(symbols, v, *z.values(), *curves(symbols, v)).rates, z)

    def steady(p: Values, v: Any) -> tuple[Any, ...]:
        g = curves(p, v)
        low, high = (flow(p, v, *[z] * len(names), *g).rates for z in (0.0, 1.0))
        falls = [low[name] - high[name] for name in names]
        return tuple(
            Piecewise((0.0, Abs(fall) <= 0), (low[name] / Piecewise((1.0, Abs(fall) <= 0), (fall, True)), True))
            for name, fall in zip(names, falls, strict=True)
        )

    return steady


def _check_linear(rates: Mapping[str, Any], z: Mapping[str, Any]) -> None:
    """Refuses rates that are not linear in their state, or that depend on other states."""
    for name, rate in rates.items():
        for other, x in z.items():
            try:
                slope = derivative(rate, x)
                curved = any(not is_zero(derivative(slope, y)) for y in z.values())
            except NoDerivative:
                curved = True
            if curved or (other != name and not is_zero(slope)):
                raise SpecError(
                    f"it is missing; the rate of {name} is not linear in {name} alone, so write the value of every "
                    "state in steady sliding"
                )


# --- fixed steps ------------------------------------------------------------------------------------------------------


def window_needs(law: Any, p: Values, at: StepConditions) -> list[StepNeed]:
    """The need of a law with a stick window, if one parameter is the window: a step must not jump over it."""
    from ._equations import LawEquations  # which needs the classes of laws

    equations = LawEquations(law)
    window = equations.functions["stick"].outputs[0].node
    need = at.h * at.acceleration / 2
    numbers = f" = {at.h:g}/2 {at.acceleration:.4g} = {need:.4g}"
    why = "a step must not jump over the window"
    return [
        StepNeed(name, 1, lambda c: need, f"{name} > h/2 |dv/dt|", why, numbers)
        for name, x in equations.scalars.items()
        if x.node == window
    ]


def step_needs(law: type[Law], p: Values, at: StepConditions) -> list[StepNeed]:
    """Bounds from the slopes of the formulas: friction at rest, and rates of the states at the largest speed; of a law
    that sticks, from its window."""
    if law.family == "locking":
        return [] if getattr(law, "lock", "") == "switch" else window_needs(law, p, at)
    numbers = plain_values(p)
    rest = Need(law, numbers, lambda p: abs(_slope_at_rest(law, p)) * at.load / at.inertia, at.h)
    found = rest.bounds("the slope of friction at rest times N h/J < c", "at rest it acts as a damper", of_states=False)
    if law.states and at.speed > 0:
        relaxes = Need(law, numbers, lambda p: _relaxation(law, p, at.speed), at.h)
        why = f"the states relax fastest at |v| = {at.speed:.4g}, at {at.speed_time:g} s"
        found += relaxes.bounds("the relaxation rate of the states times h < c", why, of_states=True)
    return found


def _slope_at_rest(law: type[Law], p: Values) -> float:
    width = slowest(law, p)
    dv = SLOPE * (width if isfinite(width) else 1.0)
    z = [0.0] * len(law.states)
    above, below = (law.flow(p, v, *z, *law.curves(p, v)).friction for v in (dv, -dv))
    return float(above - below) / (2 * dv)


def _relaxation(law: type[Law], p: Values, v: float) -> float:
    """The largest rate at which a state returns to its steady value."""
    z, g, largest = list(states_at(law, p, v)), law.curves(p, v), 0.0
    for i, (name, state) in enumerate(law.states.items()):
        if name in (rates := law.flow(p, v, *z, *g).rates):
            dz = SLOPE * state.nominal(p)
            moved = [*z[:i], z[i] - dz, *z[i + 1 :]]
            largest = max(largest, abs(law.flow(p, v, *moved, *g).rates[name] - rates[name]) / dz)
    return largest


class Need:
    """A rate (1/s) times the step must stay below c; the parameter it depends on most gets a bound."""

    def __init__(self, law: type[Law], p: Values, rate: Callable[[Values], float], h: float) -> None:
        self.law, self.p, self.rate, self.h = law, p, rate, h

    def bounds(self, rule: str, why: str, *, of_states: bool) -> list[StepNeed]:
        """The bound as a list, empty if no parameter changes the rate."""
        here = self.rate(self.p)
        if not 0 < here < inf:
            return []
        powers = {name: self._power(name, here) for name in self.law.scalars if getattr(self.p, name) > 0}
        name = max(powers, key=lambda name: round(abs(powers[name]), 6), default="")
        if not name or abs(powers[name]) < 0.1:
            return []
        sign = 1 if powers[name] < 0 else -1
        numbers = f", {here * self.h:.4g} with {name} = {getattr(self.p, name):g}"
        return [StepNeed(name, sign, lambda c: self._bound(name, sign, c), rule, why, numbers, of_states)]

    def _with(self, name: str, factor: float) -> float:
        changed = Values(**{**vars(self.p), name: getattr(self.p, name) * factor})
        return self.rate(changed)

    def _power(self, name: str, here: float) -> float:
        """The power of a parameter in the rate."""
        return (self._with(name, 1.01) / here - 1) / 0.01

    def _bound(self, name: str, sign: int, c: float) -> float:
        """The value of the parameter at which the rate times the step is c, by bisection."""
        low, high = 1 / WIDEST, WIDEST
        for _ in range(60):
            middle = sqrt(low * high)
            too_fast = self._with(name, middle) * self.h > c
            if too_fast == (sign > 0):
                low = middle
            else:
                high = middle
        return float(getattr(self.p, name) * sqrt(low * high))


def faults_of_lists(law: type[Law], p: Values) -> list[str]:
    """Faults of the two lists of a law: as many ordinates as abscissae, and these increase."""
    if not law.curve:
        return []
    x, y = (getattr(p, name) for name in law.curve)
    names = law.curve
    if len(x) != len(y):
        return [f"{names[0]} has {len(x)} points and {names[1]} {len(y)}; give one value for each"]
    for i in range(1, len(x)):
        if x[i] <= x[i - 1]:
            return [f"{names[0]}[{i}] = {x[i]:g} comes after {x[i - 1]:g}; they must increase: sort the points"]
    return []
