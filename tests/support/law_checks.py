"""What holds for every law, whatever its equations: the C against its text in high precision."""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace

import numpy as np
import sympy
from support import high
from sympy.core.relational import Relational

from stribeck.errors import SpecError
from stribeck.laws import Mode
from stribeck.laws._elements import ElementLaw
from stribeck.laws._hysteresis import HysteresisLaw
from stribeck.laws._symbolic import Magnitude, TabulatedFunction
from tools.codegen.equations import Equations

STEP = high.number("1e-20")

equations_of = cache(Equations.of)


class Point:
    """Numbers for the parameters (a namespace), the speed, the states and the holding friction of a law."""

    def __init__(self, law, p, v, z, hold=0.0):
        self.law, self.p, self.v, self.z, self.hold = law, p, float(v), list(z), float(hold)
        self.numbers = law.numbers(p)

    @property
    def continuous(self):
        """The arguments by which friction and rates have slopes, by name: scalar parameters, speed, states."""
        states = [name for name, state in self.law.states.items() if not isinstance(state, Mode)]
        values = {**vars(self.p), "v": self.v, **dict(zip(self.law.states, self.z, strict=True))}
        return {name: values[name] for name in [*self.law.scalars, "v", *states]}

    def high(self, shift=None):
        """Parameters, speed, states and hold with many digits, some of them shifted."""
        shift = shift or {}

        def number(name, x):
            if isinstance(x, int):
                return x
            return [high.number(y) for y in x] if isinstance(x, list) else high.number(x) + shift.get(name, 0)

        p = SimpleNamespace(**{name: number(name, x) for name, x in vars(self.p).items()})
        z = [number(name, x) for name, x in zip(self.law.states, self.z, strict=True)]
        return p, number("v", self.v), z, number("hold", self.hold)

    def flow(self, shift=None):
        """Friction and rates, in the order of C."""
        with high.precision():
            p, v, z, _ = self.high(shift)
            flow = self.law.flow(p, v, *z, *self.law.curves(p, v))
        return [flow.friction, *(flow.rates.get(name, 0) for name in self.law.states)]

    def storage(self, shift=None):
        """Stored energy."""
        with high.precision():
            p, _, z, _ = self.high(shift)
            return self.law.storage(p, *z)

    def steady(self):
        """States in steady sliding."""
        with high.precision():
            p, v, _, _ = self.high()
            steady = self.law.steady(p, v)
        return steady if isinstance(steady, tuple) else (steady,)

    def jumps(self):
        """Guards, and the states after each jump."""
        with high.precision():
            p, v, z, hold = self.high()
            jumps = self.law.jumps(p, v, *z, hold=hold)
        kept = dict(zip(self.law.states, z, strict=True))
        return [jump.guard for jump in jumps], [list((kept | jump.states).values()) for jump in jumps]

    def slope(self, function, name):
        """Derivatives of the outputs by a central difference, whose error is far below that of doubles."""
        h = STEP * abs(high.number(self.continuous[name]))
        above, below = function({name: h}), function({name: -h})
        return [(a - b) / (2 * h) for a, b in zip(above, below, strict=True)]


def random_parameters(law, rng, decades=0.5):
    """Parameters around the defaults (1 for 0), some of them exactly there, that the law accepts."""
    while True:
        p = SimpleNamespace(**{name: _around(x, rng, decades) for name, x in vars(law().resolve({}, "")).items()})
        try:
            law(**vars(p))
        except SpecError:
            continue
        return p


def _around(default, rng, decades):
    if isinstance(default, int):
        return default
    if isinstance(default, list):
        return [x * 10 ** rng.uniform(0, 0.1) for x in default]
    exact = default and rng.random() < 0.2
    return default if exact else (default or 1.0) * 10 ** rng.uniform(-decades, decades)


def random_points(law, seed, n):
    """Points with random parameters, speeds over many decades, states and holding frictions of their size."""
    rng = np.random.default_rng(seed)
    points = []
    for _ in range(n):
        p = random_parameters(law, rng)
        v = rng.choice([-1, 1]) * 10 ** rng.uniform(-6, 2)
        z = [
            float(rng.choice(state.values))
            if isinstance(state, Mode) and state.values
            else state.nominal(p) * rng.uniform(-1.2 * state.directed, 1.2)
            for state in law.states.values()
        ]
        points.append(Point(law, p, v, z, hold=rng.uniform(-2, 2)))
    return points


def close(c, exact, scale=0.0):
    """Equal to rounding, relative to the exact value or to the size of its largest part."""
    return abs(c - float(exact)) <= 1e-12 * max(abs(float(exact)), scale)


def all_close(c, exact, scale=0.0):
    return all(close(x, y, scale) for x, y in zip(c, exact, strict=True))


def check_values(law, native, n=20):
    """Every C function against the text; flow and flow_jac agree to the last bit."""
    for point in random_points(law, 1, n):
        where, exact = vars(point), point.flow()
        out = native.flow(point.numbers, point.v, point.z)
        np.testing.assert_array_equal(native.flow_jac(point.numbers, point.v, point.z)[0], out)
        assert all_close(out, exact, float(max(map(abs, exact)))), where
        if law.states:
            assert all_close(native.steady(point.numbers, point.v), point.steady()), where
        if law.family == "bristle":
            assert close(native.storage(point.numbers, point.z)[0], point.storage()), where
        if law.family == "locking":
            check_locking(law, native, point)
        if native.n_guard:
            check_jumps(native, point)


def check_locking(law, native, point):
    """Limits and windows of sticking."""
    with high.precision():
        p, v, z, _ = point.high()
        assert close(native.breakaway(point.numbers, point.z), law.breakaway(p, *z)), vars(point)
        if hasattr(law, "change"):
            for turn in (-1, 1):
                changed = law.change(p, v, *z, turn=turn)
                ours = native.change(point.numbers, point.v, point.z, turn)
                assert all_close(ours, changed if isinstance(changed, tuple) else (changed,)), vars(point)
        if law.lock != "switch":
            stick = law.stick(p)
            assert all_close(
                native.stick(point.numbers), [stick.window, stick.release, stick.relaxation, stick.capture]
            )


def check_jumps(native, point):
    """Guards, and all states after every jump; states that are not named stay as they are."""
    guards, states = point.jumps()
    arguments = point.numbers, point.v, point.z, point.hold
    assert all_close(native.guard(*arguments), guards, scale=1.0), vars(point)
    for which, exact in enumerate(states):
        assert all_close(native.jump(*arguments, which), exact), vars(point)


def check_derivatives(law, native, n=8):
    """Derivatives by speed and states, and the gradient of the storage, against differences."""
    discrete = [isinstance(state, Mode) for state in law.states.values()]
    for point in random_points(law, 2, n):
        jac = native.flow_jac(point.numbers, point.v, point.z)[1]
        assert not jac[:, 1:][:, discrete].any()
        ours = np.hstack([jac[:, :1], jac[:, 1:][:, [not d for d in discrete]]])
        # change of the outputs for a relative change of each argument; those by parameters are the size of the parts,
        # which may cancel in a derivative by the speed
        sizes = list(point.continuous.values())[len(law.scalars) :]
        exact = np.array(
            [[float(s * x) for s in point.slope(point.flow, name)] for name, x in point.continuous.items()]
        )
        for row, right in zip(ours * sizes, exact.T, strict=True):
            assert all_close(row, right[len(law.scalars) :], np.abs(right).max()), (vars(point), row, right)
        if law.family == "bristle":
            gradient = native.storage(point.numbers, point.z)[1]
            for name, slope in zip(law.states, gradient, strict=True):
                exact_slope = (
                    point.slope(lambda s, at=point: [at.storage(s)], name)[0] if name in point.continuous else 0
                )
                assert close(slope, exact_slope)


def breakpoints(equations, p):
    """Speeds at which a Piecewise of the law changes its piece, with states at 0, and points of its curve."""
    values = {symbol: getattr(p, symbol.name) for symbol in equations.parameters} | dict.fromkeys(equations.z, 0)
    relations = set().union(*(e.atoms(Relational) for e in equations.flow))
    gaps = [(r.lhs - r.rhs).replace(Magnitude, lambda x: x).subs(values) for r in relations]
    gaps = [gap for gap in gaps if gap.has(equations.v) and not gap.has(TabulatedFunction)]
    roots = [root for gap in gaps for root in sympy.solve(gap, equations.v) if root.is_real]
    knots = getattr(p, equations.law.curve[0]) if equations.law.curve else []
    return sorted({sign * float(root) for root in [*roots, *knots] for sign in (-1, 1)})


def check_finite(law, native, huge=1e300):
    """No value or derivative is infinite or NaN at zeros of both signs, breakpoints and huge arguments."""
    p = law().resolve({}, "")
    numbers = law.numbers(p)
    sizes = [state.nominal(p) for state in law.states.values()]
    far = [state.nominal(p) * (1 if isinstance(state, Mode) else huge) for state in law.states.values()]
    edges = [math.nextafter(e, way) for e in breakpoints(equations_of(law), p) for way in (e, -math.inf, math.inf)]
    for v in [0.0, -0.0, 5e-324, -5e-324, 1e-300, 1e-3, -1e-3, huge, -huge, *edges]:
        for factor in (0.0, -0.0, 0.7, 1.0, -0.7, -1.0):
            z = [factor * size for size in sizes]
            out, jac = native.flow_jac(numbers, v, z)
            assert np.isfinite(out).all() and np.isfinite(jac).all(), (v, z, out, jac)
        if sizes:
            assert np.isfinite(native.steady(numbers, v)).all(), v
            assert np.isfinite(native.flow_jac(numbers, 0.0, far)[1]).all()


def loss(law, native, p, v, z):
    """Power that friction takes and does not store, relative to the sizes of both."""
    numbers = law.numbers(p)
    friction, *rates = native.flow(numbers, v, z)
    stored = native.storage(numbers, z)[1] * rates if law.family == "bristle" else np.zeros(1)
    return (friction * v - stored.sum()) / max(abs(friction * v) + np.abs(stored).sum(), 1e-300)


def reachable(law, native, p, rng, n):
    """Speeds of many sizes, with states between their bounds, at them, and around those of steady sliding; modes that
    have a direction have that of the speed, and forces of elements that slip too."""
    for v in 10 ** rng.uniform(-8, 9, n):
        steady = native.steady(law.numbers(p), v) if law.states else []
        for kind in ("bound", "between", "steady"):
            z = []
            for state, at in zip(law.states.values(), steady, strict=True):
                bound = state.bound(p)
                size = bound if math.isfinite(bound) else 1.2 * state.nominal(p)
                if isinstance(state, Mode):
                    z.append(float(rng.choice([x for x in state.values if x >= 0] or [0])))
                elif kind == "steady":
                    z.append(min(at * rng.uniform(0, 1.2), bound))
                else:
                    z.append(size if kind == "bound" else size * rng.uniform(-1 * state.directed, 1))
            if issubclass(law, ElementLaw):
                half = len(z) // 2
                z[:half] = [abs(force) if slip else force for force, slip in zip(z[:half], z[half:], strict=True)]
            yield v, turned(law, p, rng) if issubclass(law, HysteresisLaw) else z


def turned(law, p, rng):
    """A hysteresis spring on its first way up, or after a first way down, from where it goes up."""
    most = float(law.bent(p, p.mu_s))
    low = -most * rng.uniform(0, 1) * rng.choice([0, 1])
    slipped = [law.stiffness(p, e) * -low > law.limit(p, e) for e in law.elements(p)]
    z = low + (most - low) * rng.choice([0, 1, rng.uniform(0, 1)])
    return [z, *(low * slip for slip in slipped), *(-1.0 * slip for slip in slipped)]
