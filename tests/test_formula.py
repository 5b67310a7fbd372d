"""Formulas: recorded operations, their derivatives, and what they refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stribeck.errors import SpecError
from stribeck.formula import CHAINS, NUMBERS, OPERATIONS, FormulaTape, NoDerivative, apply, derivative, piecewise

STEP = 1e-6
PLAIN = [name for name, op in OPERATIONS.items() if not op.curve]
SMOOTH = [name for name in PLAIN if OPERATIONS[name].slope is not None and not OPERATIONS[name].truth]
POINT = (0.7, 1.3, 1.8, 0.9)


def value(formula, names):
    """The number of a formula, operation by operation."""
    tape, numbers = formula.tape, {}
    for node, (op, operands) in enumerate(tape.nodes[: formula.node + 1]):
        if op == "INPUT":
            numbers[node] = names[tape.names[node]]
        elif op == "CONSTANT":
            numbers[node] = tape.values[node]
        else:
            numbers[node] = NUMBERS[op](*(numbers[x] for x in operands))
    return numbers[formula.node]


@pytest.mark.parametrize("name", SMOOTH)
def test_derivatives_agree_with_differences(name):
    tape = FormulaTape()
    inputs = [tape.input(letter) for letter in "abcd"[: OPERATIONS[name].arity]]
    if name == "SELECT":
        inputs[0] = inputs[1] < 2.0
    y = apply(name, *inputs)
    for letter in "abcd"[name == "SELECT" : OPERATIONS[name].arity]:
        here = dict(zip("abcd", POINT, strict=True))
        x = next(Formula for Formula in inputs if tape.names.get(Formula.node) == letter)
        slope = derivative(y, x)
        slope = slope if isinstance(slope, float) else value(slope, here)
        above, below = (value(y, here | {letter: here[letter] + h}) for h in (STEP, -STEP))
        assert slope == pytest.approx((above - below) / (2 * STEP), rel=1e-7, abs=1e-9)


def test_equal_operations_are_recorded_once():
    tape = FormulaTape()
    x, y = tape.input("x"), tape.input("y")
    assert (x + y).node == (y + x).node and (x * y).node == (y * x).node
    assert (x - y).node != (y - x).node


def test_numbers_are_computed_and_neutral_ones_vanish():
    x = FormulaTape().input("x")
    assert (x + 0).node == x.node and (x * 1).node == x.node and (0 + x).node == x.node
    assert x * 0 == 0.0 and (x - x) == 0.0
    minus = -x
    assert (-minus).node == x.node
    assert apply("EXP", 0.0) == 1.0 and x**0 == 1.0


def test_a_selection_between_equal_values_is_no_selection():
    x = FormulaTape().input("x")
    assert piecewise((x, x < 0), (x, True)).node == x.node


def test_a_chain_rounds_like_its_operations():
    """Every row of operations gives the bits of its parts."""
    rng = np.random.default_rng(1)
    for name, op in CHAINS.items():
        if name.endswith("SELECT"):
            continue
        a, b, c, d = rng.uniform(0.1, 2.0, 4)
        words = name.split("_")
        numbers, result = [c, d], NUMBERS[words[0]](a, b)
        if words[-1] not in "LR":  # two operations and the one that joins them
            result = NUMBERS[words[1]](result, NUMBERS[words[2]](c, d))
            words = words[:1]
        for op_name, side in zip(words[1::2], words[2::2], strict=True):
            other = numbers.pop(0)
            result = NUMBERS[op_name](*((result, other) if side == "L" else (other, result)))
        assert eval(op.c.format(a=a, b=b, c=c, d=d)) == result, name


def test_formulas_do_not_decide():
    x = FormulaTape().input("x")
    with pytest.raises(SpecError, match=r"use Piecewise"):
        bool(x < 1)
    with pytest.raises(SpecError, match=r"use Piecewise"):
        max(x, 0)


def test_formulas_are_not_numbers():
    x = FormulaTape().input("x")
    for function in (math.tanh, float, np.arccosh, np.maximum.reduce):
        with pytest.raises(SpecError, match="is a formula, not a number"):
            function(x)


def test_functions_of_numpy_are_recorded():
    x = FormulaTape().input("x")
    assert np.tanh(x).node == apply("TANH", x).node
    assert (np.float64(2.0) * x).node == (2.0 * x).node
    assert (np.float64(2.0) > x).node == (x < 2.0).node


def test_what_has_no_second_derivative_says_so():
    tape = FormulaTape()
    v = tape.input("v")
    slope = derivative(apply("STRIBECK", v, 0.1, 2.0), v)
    with pytest.raises(NoDerivative, match="has no further one"):
        derivative(slope, v)


def test_formulas_of_two_tapes_do_not_mix():
    with pytest.raises(SpecError, match="of another"):
        FormulaTape().input("a") + FormulaTape().input("b")


def test_text_for_people():
    tape = FormulaTape()
    v, w = tape.input("v"), tape.input("w")
    assert repr((v + w) * 2 / abs(v - (w - 1))) == "Formula((v + w)*2/|v - (w - 1)|)"
    assert repr(piecewise((0.0, v < 0), (apply("TANH", v), True))) == "Formula(v < 0 ? 0 : tanh(v))"
