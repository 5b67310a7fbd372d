"""The battery that every law of the package passes, for any law: on its formulas, without a machine."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, nan
from typing import Any

from ..declare import Values
from ..errors import SpecError
from ..formula import NUMBERS, FormulaTape
from ._equations import LawEquations
from ._formula_units import unit_fault
from .functions import extrapolate, interpolate
from .law import Law, Mode, State

SPEEDS = [10.0**k for k in range(-9, 4)]
"""Speeds of the battery (SI)."""
POINTS = 60
"""Random points of a check."""
ROUNDING = 1e-9
"""Relative error that is rounding."""
DIFFERENCE = 1e-6
"""Relative step of differences; their error is about its square root."""
MOST_JUMPS = 3
"""Jumps of one guard at one instant."""


@dataclass(frozen=True)
class LawCheck:
    """One check: its name, what it says, and the fault; an empty fault means that the law passes."""

    name: str
    text: str
    fault: str = ""


@dataclass(frozen=True)
class LawReport:
    """What the battery found.

    >>> check(LuGre).passed
    True
    """

    law: str
    checks: tuple[LawCheck, ...]

    @property
    def passed(self) -> bool:
        """Whether the law passes all checks."""
        return not any(entry.fault for entry in self.checks)

    def __str__(self) -> str:
        width = max(len(entry.name) for entry in self.checks)
        lines = [
            f"  {'FAILS ' if entry.fault else 'passes'}  {entry.name:{width}}  {entry.fault or entry.text}"
            for entry in self.checks
        ]
        return "\n".join([f"{self.law}: {'passes' if self.passed else 'fails'}", *lines])


def check(law: type[Law] | Law) -> LawReport:
    """Tests a law as the laws of the package are tested, with its parameters: finite, exact derivatives, odd, steady
    states, energy, break-away, jumps. `print(check(...))` shows a line for each.

    >>> print(check(Makkar))
    Makkar: passes
    ...
    """
    instance = law() if isinstance(law, type) else law
    if instance.count and not instance.separate:
        raise SpecError(
            f"{type(instance).__name__} decides by its reversals, which formulas cannot: it exists as compiled C, and "
            "the tests of the package check that"
        )
    bench = _Bench(instance)
    found = [LawCheck(name, text, run(bench)) for name, (applies, text, run) in BATTERY.items() if applies(bench)]
    return LawReport(type(instance).__name__, tuple(found))


class _Bench:
    """A law at numbers: its formulas are evaluated as the kernel evaluates them."""

    def __init__(self, law: Law) -> None:
        self.kind = _with_count(law)
        self.law, self.p = law, law.resolve({}, type(law).__name__)
        self.equations = LawEquations(self.kind)
        self.functions = self.equations.functions
        self.needed = {name: self.equations.tape.behind(f.outputs) for name, f in self.functions.items()}
        self.parameters = _named_numbers(self.kind.symbols(str), self.p)
        self.states = self.kind.states
        self.sizes = {name: float(state.nominal(self.p)) for name, state in self.states.items()}

    def at(self, function: str, v: float = 0.0, z: list[float] | None = None, hold: float = 0.0) -> list[list[float]]:
        """The results of a function of the kernel, one list per array."""
        tape = self.equations.tape
        z = [0.0] * len(self.states) if z is None else z
        inputs = {
            **self.parameters,
            "v": v,
            "v_held": v,
            "hold": hold,
            "turn": 1.0,
            **dict(zip(self.states, z, strict=True)),
        }
        points = [getattr(self.p, name) for name in self.kind.curve]
        values = _values(tape, self.needed[function], inputs, points)
        return [[values[x.node] for x in array] for array in self.functions[function].results.values()]

    def flow(self, v: float, z: list[float]) -> list[float]:
        """Friction and rates."""
        return self.at("flow", v, z)[0]

    def steady(self, v: float) -> list[float]:
        """The states in steady sliding."""
        return self.at("steady", v)[0] if self.states else []

    def points(self, seed: int) -> Iterator[tuple[float, list[float]]]:
        """Random speeds, with states of their size and modes among their values."""
        rng = random.Random(seed)
        for _ in range(POINTS):
            v = rng.choice([-1, 1]) * 10 ** rng.uniform(-6, 2)
            yield (
                v,
                [self._anywhere(name, state, rng) for name, state in self.states.items()],
            )

    def _anywhere(self, name: str, state: State, rng: random.Random) -> float:
        """A random value of a state."""
        if isinstance(state, Mode) and state.values:
            return float(rng.choice(state.values))
        return self.sizes[name] * rng.uniform(-1.0 if state.directed else 0.0, 1.0)

    def forward(self, seed: int) -> Iterator[tuple[float, list[float]]]:
        """Positive speeds with states that motion can reach: after any steady sliding and after rest with any
        deflection, with jumps made."""
        rng = random.Random(seed)
        for _ in range(POINTS):
            v = 10 ** rng.uniform(-8, 4)
            if "guard" not in self.functions:
                yield v, self.around(self.steady(v), rng)
            elif rng.random() < 0.5:
                yield v, self.settled(v, self.steady(rng.choice([-1, 1]) * 10 ** rng.uniform(-8, 4)))
            else:
                yield v, self.settled(v, self.around(self.steady(0.0), rng))

    def around(self, steady: list[float], rng: random.Random) -> list[float]:
        """States around steady ones, at their bounds and of their size; modes as they are."""
        found = []
        for (name, state), x in zip(self.states.items(), steady, strict=True):
            bound = float(state.bound(self.p))
            size = bound if isfinite(bound) else self.sizes[name]
            kinds = [min(x * rng.uniform(0, 1), bound), size, size * rng.uniform(-1, 1)]
            found.append(x if isinstance(state, Mode) else rng.choice(kinds))
        return found

    def after_jump(self, v: float, z: list[float], hold: float) -> list[float] | None:
        """The states after the jump of the first negative guard; None if there is none."""
        fired = [i for i, guard in enumerate(self.at("guard", v, z, hold)[0]) if guard < 0]
        return self.at("jump", v, z, hold)[0][fired[0] * len(z) :][: len(z)] if fired else None

    @property
    def most_jumps(self) -> int:
        """Jumps at one instant that the battery accepts."""
        return MOST_JUMPS * len(self.equations.jumps)

    def settled(self, v: float, z: list[float]) -> list[float]:
        """States after their jumps at the speed v, without acceleration."""
        for _ in range(self.most_jumps):
            after = self.after_jump(v, z, self.flow(v, z)[0])
            if after is None:
                break
            z = after
        return z


def _with_count(law: Law) -> Any:
    """The class of a law; of a law of equal elements with another number of them, a class of so many."""
    kind: Any = type(law)
    if law.count in (0, kind.n.default if law.count else 0):
        return kind
    return type(kind.__name__, (kind,), {"n": replace(kind.n, default=law.count)}, registered=False)


def _named_numbers(names: Values, p: Values) -> dict[str, float]:
    """The parameters by the names of their inputs: a list has one for each number."""
    found: dict[str, float] = {}
    for key, name in vars(names).items():
        found |= zip(name, getattr(p, key), strict=True) if isinstance(name, list) else {name: getattr(p, key)}
    return found


def _values(
    tape: FormulaTape, nodes: Sequence[int], inputs: dict[str, Any], points: list[list[float]]
) -> dict[int, Any]:
    """The values of some nodes; NaN where one has none."""
    values: dict[int, Any] = {}
    for node in nodes:
        op, operands = tape.nodes[node]
        if op in ("INPUT", "CONSTANT"):
            values[node] = inputs.get(tape.names[node], nan) if op == "INPUT" else tape.values[node]
            continue
        x = [values[i] for i in operands]
        try:
            values[node] = _of_points(op, x[0], points) if op in CURVES else NUMBERS[op](*x)
        except (ArithmeticError, ValueError):
            values[node] = nan
    return values


CURVES = {"HELD": interpolate, "LINES": extrapolate, "HELD_SLOPE": interpolate, "LINES_SLOPE": extrapolate}


def _of_points(op: str, x: float, points: list[list[float]]) -> float:
    """A table, or its slope to the right."""
    curve, (xs, ys) = CURVES[op], points
    if not op.endswith("SLOPE"):
        return float(curve(x, xs, ys))
    if len(xs) < 2 or (op == "HELD_SLOPE" and not xs[0] <= x < xs[-1]):
        return 0.0
    i = max((i for i in range(len(xs) - 1) if xs[i] <= x), default=0)
    return (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i])


# --- the checks: a fault in words, or nothing -------------------------------------------------------------------------


def _at(v: float, z: list[float]) -> str:
    return f"v = {v:g}" + (f", states {', '.join(f'{x:g}' for x in z)}" if z else "")


def _finite(b: _Bench) -> str:
    modes = [isinstance(state, Mode) for state in b.states.values()]
    for v in [0.0, -0.0, 5e-324, 1e-300, *SPEEDS, *(-v for v in SPEEDS), 1e12]:
        for share in (0.0, 0.7, -1.0):
            z = [float(mode) if mode else share * size for mode, size in zip(modes, b.sizes.values(), strict=True)]
            if not all(isfinite(x) for array in b.at("flow_jac", v, z) for x in array):
                return f"a value or derivative is not finite at {_at(v, z)}; keep what is divided by away from 0"
    return ""


def _derivatives(b: _Bench) -> str:
    names = ["v", *b.states]
    for v, z in b.points(1):
        here, slopes = b.at("flow_jac", v, z)
        for column, name in enumerate(names):
            if isinstance(b.states.get(name), Mode):
                continue
            x = [v, *z]
            step = DIFFERENCE * max(abs(x[column]), 1e-12)
            sides = []
            for sign in (1, -1):
                moved = [y + sign * step * (i == column) for i, y in enumerate(x)]
                sides.append([sign * (a - c) / step for a, c in zip(b.flow(moved[0], moved[1:]), here, strict=True)])
            for row, f in enumerate(here):
                slope = slopes[row * len(names) + column]
                scale = abs(slope) + 1e-9 * abs(f) / step + max(abs(side[row]) for side in sides)
                if all(abs(slope - side[row]) > 1e-3 * scale for side in sides):
                    return f"the derivative by {name} is {slope:g} at {_at(v, z)}, differences say {sides[0][row]:g}"
    return ""


def _odd(b: _Bench) -> str:
    for v, z in b.points(2):
        turned = [-x if state.directed else x for x, state in zip(z, b.states.values(), strict=True)]
        here, there = b.flow(v, z), b.flow(-v, turned)
        if abs(here[0] + there[0]) > ROUNDING * (abs(here[0]) + abs(there[0])):
            return (
                f"friction is {here[0]:g} at {_at(v, z)} and {there[0]:g} in the other direction; or state odd = False"
            )
    return ""


def _steady(b: _Bench) -> str:
    for v in [sign * v for v in SPEEDS for sign in (1, -1) if b.kind.family != "locking" or sign > 0]:
        z = b.steady(v)
        rates, slopes = b.at("flow_jac", v, z)
        for row, (name, rate) in enumerate(zip(["friction", *b.states], rates, strict=True)):
            parts = sum(abs(s * x) for s, x in zip(slopes[row * (1 + len(z)) :], [v, *z], strict=False))
            if row and abs(rate) > ROUNDING * (parts + abs(v) * (b.states[name].unit == "{disp}")):
                return f"the rate of {name} is {rate:g} in its steady state at {_at(v, z)}; check `steady`"
        for x, (name, state) in zip(z, b.states.items(), strict=True):
            if isinstance(state, Mode) and state.values and x not in state.values:
                return f"{name} = {x:g} at v = {v:g} is not one of {state.values}"
    return ""


def _passive(b: _Bench) -> str:
    if not b.kind.passive(b.p):
        return ""
    for v, z in b.forward(3):
        friction, *rates = b.flow(v, z)
        stored = [0.0]
        if b.kind.family == "bristle":
            stored = [g * r for g, r in zip(b.at("storage", v, z)[0], rates, strict=True)]
        power = friction * v - sum(stored)
        if power < -1e-6 * (abs(friction * v) + sum(map(abs, stored))):
            return f"it gives the power {-power:g} at {_at(v, z)}; state `passive`, or check signs and storage"
    return ""


def _storage(b: _Bench) -> str:
    gradient, energy = b.at("storage")
    if energy[0] != 0 or any(gradient):
        return f"the energy at rest is {energy[0]:g} with the gradient {gradient}; it must be 0"
    z = [0.0 if isinstance(state, Mode) else b.sizes[name] for name, state in b.states.items()]
    (energy,) = b.at("storage", 0.0, z)[1:]
    return "" if energy[0] > 0 else f"the energy is {energy[0]:g} with {_at(0.0, z)}; it must be positive"


def _breakaway(b: _Bench) -> str:
    z = b.steady(0.0)
    limit, rest = b.at("breakaway", 0.0, z)[0][0], b.flow(0.0, z)[0]
    if not limit >= rest * (1 - ROUNDING) >= 0:
        return f"the static limit {limit:g} is below the sliding friction {rest:g} at v = 0"
    if b.kind.lock != "switch":
        window, release, relaxation, capture = b.at("stick")[0]
        if not (window > release >= 0 and relaxation >= 0 and capture >= 0):
            return f"the window {window:g} must be above the release speed {release:g}, which must not be negative"
    return ""


def _bounds(b: _Bench) -> str:
    for v, z in b.forward(4):
        for (name, state), x, rate in zip(b.states.items(), z, b.flow(v, z)[1:], strict=True):
            if x >= state.bound(b.p) and rate > ROUNDING * v:
                return f"{name} grows beyond its bound {state.bound(b.p):g} at {_at(v, z)}"
    return ""


def _jumps(b: _Bench) -> str:
    rng = random.Random(5)
    for v, start in b.points(5):
        v, z, hold = abs(v) if b.kind.family == "locking" else v, start, rng.uniform(-2, 2)
        for count in range(b.most_jumps + 1):
            after = b.after_jump(v, z, hold)
            if after is None:
                break
            if count == b.most_jumps:
                return f"jumps do not end at {_at(v, start)}; a guard must be positive after its jump"
            z = after
            for x, (name, state) in zip(z, b.states.items(), strict=True):
                if isinstance(state, Mode) and state.values and x not in state.values:
                    return f"{name} jumps to {x:g} at {_at(v, start)}; it has the values {state.values}"
    return ""


def _scales(b: _Bench) -> str:
    faults = b.kind.faults(b.p)
    if faults:
        return str(faults[0])
    for name, size in b.sizes.items():
        if not 0 < size < inf:
            return f"the nominal value of {name} is {size:g}; it must be positive"
    speed = b.kind.nominal_speed(b.p)
    return "" if speed > 0 else f"the nominal speed is {speed:g}; it must be positive"


Check = tuple[Callable[[_Bench], bool], str, Callable[[_Bench], str]]

BATTERY: dict[str, Check] = {
    "scales": (lambda b: True, "nominal values and speeds are positive", _scales),
    "units": (lambda b: True, "units of friction and rates agree", lambda b: unit_fault(b.kind)),
    "finite": (lambda b: True, "values and derivatives are finite at rest and at all speeds", _finite),
    "derivatives": (lambda b: True, "derivatives agree with differences", _derivatives),
    "odd": (lambda b: b.kind.odd and b.kind.family != "locking", "friction is odd in the speed", _odd),
    "steady": (lambda b: bool(b.states) and b.kind.settles, "steady states are steady", _steady),
    "bounds": (lambda b: b.kind.family == "bristle", "states stay within their bounds", _bounds),
    "passive": (lambda b: True, "no energy is generated, or the law says so", _passive),
    "storage": (
        lambda b: b.kind.family == "bristle",
        "the stored energy is 0 at rest and positive elsewhere",
        _storage,
    ),
    "break-away": (lambda b: b.kind.family == "locking", "the static limit is not below sliding friction", _breakaway),
    "jumps": (lambda b: "guard" in b.functions, "jumps end, among the values of the modes", _jumps),
}
"""The checks: which laws they apply to, what passing means, and the check."""
