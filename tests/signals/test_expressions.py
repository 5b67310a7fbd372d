"""Operators between signals, numbers, texts and NumPy's functions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stribeck as sb
from stribeck.errors import SpecError, UnitError
from stribeck.signals import (
    Compare,
    Constant,
    Function,
    Gain,
    Integral,
    Maximum,
    Minimum,
    Not,
    Product,
    Saturation,
    Scope,
    Sensor,
    Sine,
    Sum,
    Time,
    Where,
)

W, PHI = Sensor("mass.w"), Sensor("mass.phi")


def test_expressions_read_as_written():
    u = 30 * (1 - PHI) - 2 * W + 5 * Integral(1 - PHI)
    assert repr(u) == (
        "Sum(terms=[Gain(u=Sum(terms=[1, 'mass.phi'], gains=[1, -1]), k=30), Gain(u='mass.w', k=2), "
        "Gain(u=Integral(u=Sum(terms=[1, 'mass.phi'], gains=[1, -1])), k=5)], gains=[1, -1, 1])"
    )
    assert W + PHI == Sum([W, PHI]) != PHI + W
    assert Sum(["mass.w", "3 rad/s"]) == W + "3 rad/s"
    assert Product("mass.w", "mass.w") == W * W
    assert Gain(W, -1) == -W and +W is W
    assert (W > 3) == Compare("mass.w", ">", 3) == (3 < W)  # noqa: SIM300
    assert abs(W) == Function("abs", W)
    assert ~(W > 3) == Not(W > 3)
    assert 3 / W != W / 3


def test_numpy_functions_are_signals():
    assert np.sin(W) == Function("sin", W)
    assert np.arctan(W) == Function("atan", W)
    assert np.float64(3) * W == Gain(W, 3.0) == W * np.float64(3)
    assert np.float64(3) - W == Sum([3.0, W], [1, -1])
    assert np.maximum(W, 0) == Maximum([W, 0])
    assert np.minimum(0.0, W) == Minimum([0.0, W])
    assert (np.float64(3) > W) == Compare(W, "<", 3.0)
    assert np.abs(W) == abs(W)
    with pytest.raises(TypeError, match=r"np.sinh of a signal is not supported; use sqrt, exp, .*, maximum and"):
        np.sinh(W)
    with pytest.raises(TypeError):
        np.add.reduce([W, W], axis=None, dtype=float)


@pytest.mark.parametrize("product", [lambda: np.array([1.0, 2.0]) * W, lambda: np.maximum(W, [[1.0, 2.0]])])
def test_arrays_are_refused(product):
    with pytest.raises(
        SpecError, match=r"a signal is one value and \[.*1.*2.*\] an array; write \[k \* u for k in array"
    ):
        product()


def test_equality_is_of_declarations():
    assert Sine(1, f=2) == Sine(amplitude=1, f=2) != Sine(1, f=3)
    bound = (W + 1).bind("", "u")
    assert bound == (W + 1).bind("", "elsewhere", Scope(path="motor.tau"))
    assert bound != W + 1


@pytest.mark.parametrize("decide", [bool, lambda c: 0 if c else 1, lambda c: c and c], ids=["bool", "if", "and"])
def test_python_cannot_decide_on_a_condition(decide):
    with pytest.raises(SpecError, match=r"has no truth value in Python; write a & b"):
        decide(W > 3)


def test_chained_comparisons_are_refused():
    with pytest.raises(SpecError, match=r"write .*\(0 < u\) & \(u < 1\) for 0 < u < 1"):
        0 < W < 1  # noqa: B015


def test_texts_in_expressions_are_converted_by_their_own_units():
    bound = (Time() * "2 kN" + "3 kN").bind("N", "force 'push', f")
    assert bound.at(1.0) == 5000.0
    assert Function("sin", "90 deg").bind("", "u").at(0.0) == pytest.approx(1)
    assert (Time() > "1 min").bind("", "u").at(61.0) == 1.0
    with pytest.raises(UnitError, match=r"force 'push', f.terms.1: value = '3 N.m' is not in units of N"):
        (Time() + "3 N.m").bind("N", "force 'push', f")


def test_sums_fold_gains_and_constants_into_one_node():
    class Nodes:
        def __init__(self):
            self.made = []

        def node(self, op, operands=(), data=()):
            self.made.append((op, list(operands), list(data)))
            return len(self.made) - 1

        def lower(self, signal):
            return signal.lower(self)

        def sensor(self, quantity):
            return self.node("SENSOR", (), [quantity])

    nodes = Nodes()
    (3 * W - 2 * PHI + 1 - "50 cm").bind("", "u").lower(nodes)
    assert [op for op, _, _ in nodes.made] == ["SENSOR", "SENSOR", "SUM"]
    assert nodes.made[-1] == ("SUM", [0, 1], [0.5, 3.0, -2.0])


# random expressions: a signal, and the same as a Python function of time
def leaf(make, function):
    return st.floats(-3, 3).map(lambda x: (make(x), function(x)))


LEAVES = st.one_of(
    leaf(Constant, lambda x: lambda t: x),
    leaf(lambda x: Sine(2, f=0.4, phase=x), lambda x: lambda t: 2 * math.sin(0.8 * math.pi * t + x)),
    leaf(lambda x: Time() - x, lambda x: lambda t: t - x),
)


def grown(children):
    pair = st.tuples(children, children)
    return st.one_of(
        pair.map(lambda p: (p[0][0] + p[1][0], lambda t: p[0][1](t) + p[1][1](t))),
        pair.map(lambda p: (p[0][0] - p[1][0], lambda t: p[0][1](t) - p[1][1](t))),
        pair.map(lambda p: (p[0][0] * p[1][0], lambda t: p[0][1](t) * p[1][1](t))),
        pair.map(lambda p: (p[0][0] / (1 + p[1][0] ** 2), lambda t: p[0][1](t) / (1 + p[1][1](t) ** 2))),
        pair.map(lambda p: (Minimum([p[0][0], p[1][0]]), lambda t: min(p[0][1](t), p[1][1](t)))),
        pair.map(lambda p: (Maximum([p[0][0], p[1][0]]), lambda t: max(p[0][1](t), p[1][1](t)))),
        pair.map(lambda p: (Where(p[0][0] > p[1][0], *(x[0] for x in p)), lambda t: max(p[0][1](t), p[1][1](t)))),
        children.map(lambda c: (abs(c[0]), lambda t: abs(c[1](t)))),
        children.map(lambda c: (-c[0], lambda t: -c[1](t))),
        children.map(lambda c: (np.tanh(c[0]), lambda t: math.tanh(c[1](t)))),
        children.map(lambda c: (Saturation(c[0], -1, 1), lambda t: min(max(c[1](t), -1), 1))),
    )


EXPRESSIONS = st.recursive(LEAVES, grown, max_leaves=8)


@settings(max_examples=150, deadline=None)
@given(EXPRESSIONS, st.floats(0, 5))
def test_any_expression_has_the_value_of_its_formula(expression, t):
    signal, function = expression
    bound = signal.bind("", "u")
    size = 1 + max(abs(x) for x in bound.span() if math.isfinite(x)) if any(map(math.isfinite, bound.span())) else 1e3
    assert bound.time_only
    assert bound.at(t) == pytest.approx(function(t), rel=1e-9, abs=1e-12 * size + 1e-9)
    low, high = bound.span()
    assert low - 1e-9 * size <= bound.at(t) <= high + 1e-9 * size


@settings(max_examples=25, deadline=None)
@given(EXPRESSIONS)
def test_any_expression_through_the_kernel(expression):
    signal, _ = expression
    model = sb.Model("any")
    model.add("mass", sb.Inertia(J=1))
    model.add("spring", sb.Spring("mass", c=1))
    model.signal("u", signal)
    times = np.linspace(0.0137, 2, 23)
    got = np.asarray(sb.simulate(sb.Model.from_yaml(model.to_yaml()), times=times)["u"])
    bound = signal.bind("", "u")
    expected = np.array([bound.at(t) for t in times])
    near = np.array([bound.at(t - 1e-7) for t in times])
    size = 1 + np.abs(expected).max()
    assert np.all((np.abs(got - expected) < 1e-9 * size) | (np.abs(got - near) < 1e-5 * size))
