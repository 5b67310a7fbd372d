"""The ledger and the other tables."""

import pytest

from stribeck.results import Energy

ENERGY = Energy({"pull": 2.0, "motor": -1.0}, {"spring": -0.5}, {"friction": 1.5}, 1e-9, 1e-16, {"spring": 1.0})


def test_throughput_is_the_initial_store_plus_the_work_of_all_sources():
    assert ENERGY.throughput == 4.0
    assert Energy().throughput == 0.0


def test_throughput_of_something_that_falls_is_what_its_height_gives():
    assert Energy(stored={"car": 0.0}, released={"car": 3.0}).throughput == 3.0


def test_balance_line_by_line():
    rows = ENERGY.balance()
    assert [row[:2] for row in rows[:3]] == [("input", "pull"), ("input", "motor"), ("stored", "spring")]
    assert rows[0].share == 0.5
    assert [row.term for row in rows[-2:]] == ["numerical", "residual"]
    assert [row.share for row in Energy().balance()] == [0.0, 0.0]


def test_dictionary_and_back():
    assert Energy.from_dict(ENERGY.to_dict()) == ENERGY


def test_printed_tables_line_up(result):
    lines = str(ENERGY).splitlines()
    assert lines[0].split() == ["term", "element", "J", "share"]
    assert lines[1] == "input       pull          2      0.5"
    assert "steps                   120" in str(result.statistics)


def test_extremes_by_output(result):
    peak = result.extremes["friction.tau"]
    assert peak["max"] == pytest.approx(1.5, abs=1e-3)
    assert list(peak) == ["min", "t_min", "max", "t_max"]
    assert list(result.extremes) == list(result.names)
    assert str(result.extremes).splitlines()[0].split() == ["output", "min", "t_min", "max", "t_max"]
    with pytest.raises(KeyError, match=r"did you mean 'friction.tau'"):
        result.extremes["fricton.tau"]
