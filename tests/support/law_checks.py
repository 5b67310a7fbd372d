"""What holds for every law, whatever its equations: the C against the SymPy text in high precision."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import sympy
from sympy.core.relational import Relational

from stribeck.codegen.equations import Equations

DIGITS = 60
STEP = sympy.Float("1e-20", DIGITS)


def high(value):
    """A number with 60 digits."""
    return sympy.Float(value, DIGITS)


class Point:
    """Numbers for the parameters, the speed and the states of a law."""

    def __init__(self, equations, p, v, z):
        self.p, self.v, self.z = list(p), float(v), list(z)
        symbols = [*equations.parameters, equations.v, *equations.z]
        self.values = dict(zip(symbols, [*self.p, self.v, *self.z], strict=True))

    def evaluate(self, expression, shift=None):
        """The expression in high precision, with some symbols shifted."""
        shift = shift or {}
        return sympy.N(expression.subs({s: high(x) + shift.get(s, 0) for s, x in self.values.items()}), DIGITS)

    def slope(self, expression, symbol):
        """Derivative by a central difference in high precision: its error is far below that of doubles."""
        h = STEP * abs(high(self.values[symbol]))
        return (self.evaluate(expression, {symbol: h}) - self.evaluate(expression, {symbol: -h})) / (2 * h)


def random_points(equations, seed, n):
    """Points around the defaults (1 for 0): parameters within half a decade, speeds over many, states of their size."""
    rng = np.random.default_rng(seed)
    law = equations.law
    points = []
    while len(points) < n:
        values = {k: (param.default or 1.0) * 10 ** rng.uniform(-0.5, 0.5) for k, param in law.params.items()}
        p = SimpleNamespace(**values)
        if not law.faults(p):
            v = rng.choice([-1, 1]) * 10 ** rng.uniform(-6, 2)
            z = [state.nominal(p) * rng.uniform(-1.2, 1.2) for state in law.states.values()]
            points.append(Point(equations, values.values(), v, z))
    return points


def close(c, exact, scale=0.0):
    """Equal to rounding, relative to the exact value or to the size of its largest part."""
    return abs(c - float(exact)) <= 1e-12 * max(abs(float(exact)), scale)


def check_values(law, native, n=20):
    """flow, steady, storage and breakaway against SymPy; flow and flow_jac agree to the last bit."""
    equations = Equations.of(law)
    for point in random_points(equations, 1, n):
        exact = [point.evaluate(e) for e in equations.flow]
        out = native.flow(point.p, point.v, point.z)
        np.testing.assert_array_equal(native.flow_jac(point.p, point.v, point.z)[0], out)
        scale = float(max(map(abs, exact)))
        assert all(close(c, e, scale) for c, e in zip(out, exact, strict=True)), (point.p, point.v, point.z)
        if equations.z:
            steady = [point.evaluate(e) for e in equations.steady]
            assert all(map(close, native.steady(point.p, point.v), steady))
            assert close(native.storage(point.p, point.z)[0], point.evaluate(equations.storage))
        if equations.breakaway is not None:
            assert close(native.breakaway(point.p), point.evaluate(equations.breakaway))


def check_derivatives(law, native, n=8):
    """Derivatives by speed, states and parameters, and the gradient of the storage, against differences."""
    equations = Equations.of(law)
    for point in random_points(equations, 2, n):
        c = np.hstack([native.flow_dp(point.p, point.v, point.z), native.flow_jac(point.p, point.v, point.z)[1]])
        for row, output in zip(c, equations.flow, strict=True):
            # change of the output for a relative change of each argument
            exact = [point.slope(output, symbol) * x for symbol, x in point.values.items()]
            scale = float(max(map(abs, exact)))
            ours = [slope * x for slope, x in zip(row, point.values.values(), strict=True)]
            assert all(close(o, e, scale) for o, e in zip(ours, exact, strict=True)), (point.values, ours, exact)
        if equations.storage is not None:
            gradient = [point.slope(equations.storage, z) for z in equations.z]
            assert all(map(close, native.storage(point.p, point.z)[1], gradient))


def breakpoints(equations, p):
    """Speeds at which a Piecewise of the law changes its piece."""
    values = dict(zip(equations.parameters, p, strict=True))
    relations = set().union(*(e.atoms(Relational) for e in equations.flow))
    roots = [root for r in relations for root in sympy.solve((r.lhs - r.rhs).subs(values), equations.v)]
    return [float(root) for root in roots if root.is_real]


def check_finite(law, native, huge=1e300):
    """No value or derivative is infinite or NaN at zeros of both signs, breakpoints and huge arguments."""
    equations = Equations.of(law)
    p = [param.default for param in law.params.values()]
    sizes = [state.nominal(SimpleNamespace(**dict(zip(law.params, p, strict=True)))) for state in law.states.values()]
    edges = breakpoints(equations, p)
    edges = [math.nextafter(edge, way) for edge in edges for way in (edge, -math.inf, math.inf)]
    for v in [0.0, -0.0, 5e-324, -5e-324, 1e-300, 1e-3, -1e-3, huge, -huge, *edges]:
        for factor in (0.0, -0.0, 1.0, -1.0):
            z = [factor * size for size in sizes]
            out, jac = native.flow_jac(p, v, z)
            assert np.isfinite(out).all() and np.isfinite(jac).all(), (v, z, out, jac)
            assert np.isfinite(native.flow_dp(p, v, z)).all(), (v, z)
        if sizes:
            assert np.isfinite(native.steady(p, v)).all(), v
            assert np.isfinite(native.flow_jac(p, 0.0, [huge * size for size in sizes])[1]).all()
