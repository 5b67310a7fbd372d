"""Crossings: how well they are known, by their own word and in truth."""

import numpy as np
import pytest

import stribeck as sb


@pytest.fixture(scope="module")
def exact():
    """On a grid so fine that interpolation adds nothing to the error of the run."""
    return sb.simulate("stick-slip", intervals=200_000)


@pytest.mark.parametrize("name", ["mass.w", "friction.tau", "spring.tau"])
@pytest.mark.parametrize("intervals", [250, 500, 2500])
def test_the_error_is_no_smaller_than_the_truth(exact, name, intervals):
    coarse = sb.simulate("stick-slip", intervals=intervals)
    misses, stated = [], []
    for level in np.linspace(0.1, 0.9, 9) * np.abs(exact[name]).max() * np.sign(exact[name].mean()):
        found, truth = coarse.crossings(name, level), exact.crossings(name, level)
        if found.size == truth.size:  # two crossings between two points may be missed
            misses += np.abs(np.asarray(found) - truth).tolist()
            stated += found.error.tolist()
    assert len(misses) > 20
    inside = np.array(misses) <= 1.5 * np.array(stated) + 1e-6
    assert inside.mean() > 0.9  # an estimate, no bound: by chance the coarser curve may be as wrong
    assert max(misses) < 25 / intervals


def test_parts_keep_their_errors(exact):
    found = exact.crossings("mass.w", 0.1)
    assert found[:2].error.tolist() == found.error[:2].tolist()
    assert type(found - 1.0) is np.ndarray
    assert isinstance(found[0], float)


def test_no_crossings(exact):
    found = exact.crossings("mass.w", 99.0)
    assert found.size == found.error.size == 0
