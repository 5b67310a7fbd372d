"""The public border: arguments of a wrong kind are refused by their names."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

import stribeck as sb
from stribeck.arguments import checked, fits


@pytest.mark.parametrize(
    ("value", "hint", "answer"),
    [
        (1, float, True), (np.float32(1), float, True), (True, float, False), ("1", float, False),
        (10**400, float, False), (1.0, int, False), (np.int64(3), int, True), (np.bool_(True), bool, True),
        (1, bool, False), (1j, complex, True), ("a", str | None, True), (None, str | None, True),
        (b"a", str | None, False), ("a", Path, False), (Path(), Path, True),
        ([1, 2.5], Sequence[float], True), ("12", Sequence[str], False), (["a", 1], Sequence[str], False),
        (np.zeros(3), Sequence[float], True), (np.zeros(3), Sequence[str], False), (np.float64(1), np.ndarray, False),
        ({"a": 1}, Mapping[str, float], True), ({1: 1}, Mapping[str, float], False), ([], Mapping[str, float], False),
        ((1, "a"), tuple[int, str], True), ((1, 2), tuple[int, str], False), (len, Callable[[str], int], True),
        (3, Callable[[str], int], False), ((x for x in "ab"), Iterable[str], True), (3, Iterable[str], False),
    ],
)  # fmt: skip
def test_what_fits(value, hint, answer):
    assert fits(value, hint) is answer


def test_a_message_names_function_parameter_value_and_kind():
    def area(width: float, names: Sequence[str] = (), *others: int, **more: str | None) -> float:
        return width

    area.__qualname__ = "area"
    guarded = checked(area)
    assert guarded(2, ["a"], 3, x=None) == 2
    for arguments, more, message in [
        (["2"], {}, r"area: width = '2' must be a number"),
        ([2, "a"], {}, r"area: names = 'a' must be Sequence of a text"),
        ([2, (), 1.5], {}, r"area: others = 1.5 must be a whole number"),
        ([2], {"x": 3}, r"area: x = 3 must be a text or None"),
        ([], {}, r"area: missing a required argument: 'width'"),
    ]:
        with pytest.raises(sb.ArgumentError, match=message) as caught:
            guarded(*arguments, **more)
        assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: sb.simulate(42), "model"),
        (lambda: sb.simulate(sb.load_model("stick-slip"), progress=3), "progress"),
        (lambda: sb.load_model(None), "source"),
        (lambda: sb.overlay([1]), "results"),
        (lambda: sb.Result.load(3.5), "path"),
        (lambda: sb.analysis.compare(sb.load_model("stick-slip"), 3), "laws"),
        (lambda: sb.analysis.linearize("stick-slip"), "model"),
        (lambda: sb.Model(3), "name"),
        (lambda: sb.Model().varied([1]), "values"),
        (lambda: sb.Model().to_yaml(7), "path"),
        (lambda: sb.identify.Measurement(1, 2), "time|channels|name"),
    ],
)
def test_the_border(call, name):
    with pytest.raises(sb.StribeckError, match=name):
        call()


def test_signatures_and_documentation_stay():
    assert "tolerance" in sb.simulate.__doc__
    assert sb.simulate.__name__ == "simulate" and sb.simulate.__wrapped__
