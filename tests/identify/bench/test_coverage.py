"""Intervals of the friction tests hold what they promise."""

import os

import numpy as np
import pytest
from support.bench_truth import RAMPS, SWINGS, broken_away, swung
from support.break_away_truth import CELLS, FIRST, trial
from support.coverage import coverage


@pytest.mark.slow
@pytest.mark.parametrize("trial, cases", [(broken_away, RAMPS), (swung, SWINGS)], ids=["ramps", "swings"])
def test_intervals_hold_what_they_promise(trial, cases):
    found = coverage(trial, cases)
    print(found)
    assert found.holds, found


@pytest.mark.parametrize("case", RAMPS)
def test_curves_of_ramps_hold_the_truth(case):
    """Three tests: of 9 intervals of 95 % more than three miss the truth once in 1500 times."""
    assert sum(not held for seed in range(3) for held in broken_away(case, seed).values()) <= 3


@pytest.mark.parametrize("case", ["viscous", "play", "jump, found"])
def test_swings_hold_the_truth(case):
    assert sum(not held for seed in range(2) for held in swung(case, seed).values()) <= 2


SEEDED = ["Switch-4096", "LuGre-1000000", "Tanh-500"]


@pytest.mark.parametrize("cell", SEEDED)
def test_break_away_of_ramps_of_three_rates(cell):
    """Of the campaign below one trial each: presliding of a hundred counts is not break-away."""
    for off, error, _ in trial(cell, FIRST):
        assert abs(off) < 0.04  # 0.5 % of scatter, up to 1.5 % of what the sensor leaves open
        assert abs(off) < 3.5 * error < 0.09


@pytest.mark.slow
@pytest.mark.parametrize("cell", CELLS)
def test_break_away_of_all_laws_and_encoders(cell):
    """The campaign of `support/break_away_truth.py`, without its store. docs/notes/break-away.md has what it reached:
    cells of 56 counts are the worst, so the bars are not yet those of 1 % and 95 %."""
    trials = int(os.environ.get("STRIBECK_TRIALS", "400"))
    off, _, held = np.array([row for k in range(trials) for row in trial(cell, FIRST + k)], float).T
    assert abs(off.mean()) < 0.02 + 2 * off.std() / len(off) ** 0.5
    assert held.mean() > 0.8
