"""Evolution on functions whose minimum is known."""

import numpy as np
import pytest

from stribeck.identify.fits.global_start import Evolution, _hypercube


def lowest(cost, start, generations=150):
    evolution = Evolution(np.array(start), np.random.default_rng(3))
    for _ in range(generations):
        points = evolution.population()
        evolution.learn(points[np.argsort([cost(p) for p in points])])
    return evolution.mean


def test_evolution_finds_the_bottom_of_a_narrow_turned_valley():
    """A paraboloid whose axes differ by 1000 and are turned by 45 degrees."""

    def cost(p):
        return (p[0] - p[1]) ** 2 + 1e-6 * (p[0] + p[1] - 0.8) ** 2

    assert lowest(cost, [0.9, 0.1]) == pytest.approx([0.4, 0.4], abs=1e-3)


def test_evolution_leaves_side_minima():
    def cost(p):
        return float(np.sum(20 * (p - 0.3) ** 2 - 0.15 * np.cos(40 * (p - 0.3))))

    assert lowest(cost, [0.8, 0.8, 0.8]) == pytest.approx([0.3, 0.3, 0.3], abs=1e-2)


def test_a_hypercube_takes_every_part_of_every_range_once():
    low, high = np.array([0.0, -2.0]), np.array([1.0, 2.0])
    points = np.array(_hypercube(low, high, 40, np.random.default_rng(0)))
    parts = np.floor(40 * (points - low) / (high - low))
    assert all(sorted(column) == list(range(40)) for column in parts.T)
