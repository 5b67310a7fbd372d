"""When a converged value is met."""

import pytest

from stribeck_papers.converged import compare, golden

NAME = "B.LuGre_Table1_s1_316.23.period"


def test_met_to_the_digits_of_two_methods():
    first, second = golden()[NAME].values
    spread = abs(first - second)
    assert compare({NAME: 0.5 * (first + second)})[0].met
    assert compare({NAME: first})[0].difference == spread
    assert not compare({NAME: first + 1e-8})[0].met
    assert compare({NAME: (first + 1e-8, 2e-8)})[0].met
    assert not compare({NAME: float("nan")})[0].met


def test_unknown_names_are_refused():
    with pytest.raises(KeyError):
        compare({"X.unknown": 1.0})


def test_every_row_says_where_it_comes_from():
    for name, row in golden().items():
        assert row.methods and row.values, name
