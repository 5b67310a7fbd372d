"""Designs: which points, and that a larger one contains a smaller one."""

from __future__ import annotations

import numpy as np
import pytest

from stribeck import sweeps
from stribeck.errors import SpecError

RANGES = {"spring.c": (1.0, 4.0), "pull.w": (0.05, 0.2)}


def test_a_grid_has_all_combinations():
    design = sweeps.grid({"spring.c": [1, 2, 3], "pull.w": [0.1, 0.2]})
    assert {tuple(row) for row in design.table} == {(c, w) for c in (1, 2, 3) for w in (0.1, 0.2)}
    assert design.points == 6 and design.axes["pull.w"].tolist() == [0.1, 0.2]


def test_a_list_is_taken_in_order():
    design = sweeps.listed({"spring.c": [1, 2], "pull.w": [0.1, 0.2]})
    np.testing.assert_array_equal(design.table, [[1, 0.1], [2, 0.2]])


def test_a_latin_hypercube_has_one_value_in_each_part():
    for column, (low, high) in zip(sweeps.latin_hypercube(RANGES, 20).table.T, RANGES.values(), strict=True):
        assert sorted(np.floor((column - low) / (high - low) * 20)) == list(range(20))


@pytest.mark.parametrize("make", [sweeps.sobol, sweeps.latin_hypercube])
def test_samples_stay_within_their_ranges_and_repeat(make):
    design = make(RANGES, 37, seed=5)
    for column, (low, high) in zip(design.table.T, RANGES.values(), strict=True):
        assert low <= column.min() and column.max() <= high
    np.testing.assert_array_equal(design.table, make(RANGES, 37, seed=5).table)
    assert not np.array_equal(design.table, make(RANGES, 37, seed=6).table)


def test_ranges_may_be_of_numpy():
    given = sweeps.sobol({"spring.c": np.array([1, 4])}, 8)
    np.testing.assert_array_equal(given.table, sweeps.sobol({"spring.c": (1.0, 4.0)}, 8).table)


def test_more_points_add_to_fewer():
    np.testing.assert_array_equal(sweeps.sobol(RANGES, 200).table[:50], sweeps.sobol(RANGES, 50).table)
    means, covariance = {"spring.c": 2.0, "pull.w": 0.1}, [[0.04, 1e-3], [1e-3, 1e-4]]
    few, many = (sweeps.monte_carlo(means, covariance, n) for n in (50, 4000))
    np.testing.assert_array_equal(many.table[:50], few.table)
    # standard errors of 4000 draws: 1.6 % of the deviations, and about twice that of a covariance
    np.testing.assert_allclose(np.cov(many.table.T), covariance, rtol=0.1)
    np.testing.assert_allclose(many.table.mean(axis=0), [2.0, 0.1], atol=5 * np.sqrt(0.04 / 4000))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sweeps.grid({"spring.c": 2.0}), "is one value"),
        (lambda: sweeps.grid({"spring.c": []}), "no points"),
        (lambda: sweeps.listed({"a": [1, 2], "b": [1]}), "one value per point"),
        (lambda: sweeps.grid({"a": [np.nan]}), "finite"),
        (lambda: sweeps.grid({"a": [[1, 2], [2, 1]]}), "one number for each"),
        (lambda: sweeps.sobol({"a": (1, 2, 3)}, 8), r"\(low, high\)"),
        (lambda: sweeps.sobol({"a": (2, 1)}, 8), r"\(low, high\)"),
        (lambda: sweeps.sobol({"a": (1, 2)}, 0), "not possible"),
        (lambda: sweeps.grid({"a": np.zeros(20000), "b": np.zeros(20000)}), "limit"),
        (lambda: sweeps.monte_carlo({"a": 1.0}, [[-1.0]], 5), "negative eigenvalue"),
        (lambda: sweeps.monte_carlo({"a": 1.0, "b": 1.0}, [[1.0]], 5), "symmetric"),
    ],
)
def test_what_is_no_design_is_refused(make, message):
    with pytest.raises(SpecError, match=message):
        make()
