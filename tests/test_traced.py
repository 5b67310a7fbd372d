"""Numbers with a record: arithmetic as without, decisions and losses of the record noted."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stribeck.compile.parameters import Slots
from stribeck.compile.record import Record
from stribeck.traced import (
    Recorder,
    Traced,
    TracedFraction,
    decimal_remainder,
    exact,
    function,
    is_close,
    pinned,
    power,
    rounded,
)

NUMBERS = st.floats(-1e6, 1e6).filter(lambda x: abs(x) > 1e-3)


def replay(slots: Slots, outputs: list[Traced], inputs: list[float]) -> tuple[list[float], int]:
    """The values of some numbers for other inputs, by the kernel, and the guard that fails."""
    record = Record.of(slots, outputs)
    values, guard = record.run(np.array(inputs, float))
    return values.tolist(), guard


FORMULAS = {
    "sum": lambda x, y: x + y + 2.0,
    "difference": lambda x, y: 3.0 - x - y,
    "product": lambda x, y: 2.0 * x * y,
    "quotient": lambda x, y: x / y + 1.0 / x,
    "negative": lambda x, y: -x - (-y),
    "power": lambda x, y: power(x * x, 1.5) + y**2,
    "functions": lambda x, y: function("sqrt", x * x) + function("tanh", y) + function("sin", x) * function("cos", y),
}


@pytest.mark.parametrize("name", FORMULAS)
@given(x=NUMBERS, y=NUMBERS, u=NUMBERS, v=NUMBERS)
def test_the_kernel_repeats_a_formula_to_the_last_bit(name: str, x: float, y: float, u: float, v: float) -> None:
    slots = Slots()
    a, b = slots.recorder.input(x), slots.recorder.input(y)
    made = FORMULAS[name](a, b)
    assert made.value == FORMULAS[name](x, y)
    assert replay(slots, [made], [u, v])[0] == [FORMULAS[name](u, v)]


def test_equal_operations_are_recorded_once() -> None:
    recorder = Recorder()
    x = recorder.input(2.0)
    assert (x * 3.0).node == (x * 3.0).node
    assert (x - x) == 0.0
    assert not isinstance(x - x, Traced)


@pytest.mark.parametrize("other", [1.0, 2.0, 3.0])
def test_a_comparison_becomes_a_guard(other: float) -> None:
    slots = Slots()
    x = slots.recorder.input(2.0)
    larger = max(x, 1.5)
    assert replay(slots, [larger], [2.5]) == ([2.5], -1)
    assert replay(slots, [larger], [1.0])[1] >= 0


@pytest.mark.parametrize("leave", [float, math.sin, hash, int, round, lambda x: np.array([x], float)])
def test_what_leaves_the_record_is_pinned(leave: object) -> None:
    slots = Slots()
    x = slots.recorder.input(2.0)
    leave(x)  # type: ignore[operator]
    assert replay(slots, [x], [2.0])[1] == -1
    assert replay(slots, [x], [2.5])[1] >= 0


@given(st.lists(st.decimals(min_value="0.01", max_value=99, places=2), min_size=4, max_size=4))
def test_exact_numbers_round_as_fractions_do(decimals: list[object]) -> None:
    """A sum of products of quotients of decimals, for other decimals than those of the record."""
    slots = Slots()

    def formula(a: object, b: object, c: object, d: object) -> object:
        return (a / b - c) * d / (a + 7) - 1 / b  # type: ignore[operator]

    numbers = [slots.recorder.input(x) for x in (1.5, 0.3, 2.1, 0.7)]
    made = formula(*map(exact, numbers))
    assert isinstance(made, TracedFraction)
    shown = rounded(made)
    floats = [float(x) for x in decimals]  # type: ignore[arg-type]
    inputs = {number.node: x for number, x in zip(numbers, floats, strict=True)}
    inputs |= {low: decimal_remainder(inputs[node]) for node, low in slots.recorder.remainders.items()}
    expected = float(formula(*(Fraction(repr(x)) for x in floats)))  # type: ignore[arg-type]
    assert replay(slots, [shown], [inputs[node] for node in slots.recorder.inputs])[0] == [expected]


def test_what_cancels_for_all_parameters_leaves_no_trace() -> None:
    slots = Slots()
    r, s = (exact(slots.recorder.input(x)) for x in (3.7, 1.3))
    assert not r * s / r - s
    assert not slots.recorder.pins
    assert (r + 1) / (r + 1) == 1
    assert not slots.recorder.pins


def test_what_cancels_for_these_parameters_is_pinned() -> None:
    slots = Slots()
    r, s = (exact(slots.recorder.input(x)) for x in (0.3, 0.1))
    assert not r - 3 * s  # as written, not as binary numbers
    assert slots.recorder.pins


def test_small_things() -> None:
    x = Recorder().input(2.0)
    assert pinned(x) == 2.0
    assert is_close(x, 2.0 + 1e-12)
    assert not is_close(x, 2.1)
    assert f"{x:g}" == "2"
    assert repr([x]) == "[2.0]"
    assert bool(x)
    assert abs(-x) == x
    with pytest.raises(TypeError):
        x + "2"
