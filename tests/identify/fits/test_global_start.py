"""Evolution on functions whose minimum is known."""

import numpy as np
import pytest

from stribeck.identify.fits.global_start import _evolved, _hypercube
from stribeck.identify.fits.losses import LOSSES


class Landscape:
    """A problem whose residual is a function of the point; it refuses points beyond `edge`, as a simulation may."""

    def __init__(self, height, edge=np.inf):
        self.height, self.edge = height, edge

    def residuals(self, points):
        return [np.array([self.height(p)]) if p[0] < self.edge else None for p in points]


def lowest(landscape, box):
    low, high = (np.array(ends, float) for ends in zip(*box, strict=True))
    said = []
    best = _evolved(landscape, LOSSES["linear"], low, high, np.random.default_rng(3), lambda *what: said.append(what))
    assert all(0 < share <= 0.32 for share, _ in said)
    assert np.all((low <= best) & (best <= high))
    return best


def test_evolution_comes_near_the_bottom_of_a_turned_valley():
    """A paraboloid whose axes differ by 10 and are turned by 45 degrees, 1/20 of the box away at most."""
    valley = Landscape(lambda p: np.hypot(p[0] - p[1], 0.1 * (p[0] + p[1] - 0.8)))
    assert lowest(valley, [(-1, 1), (-1, 1)]) == pytest.approx([0.4, 0.4], abs=0.1)


def test_evolution_leaves_side_minima():
    """Waves of length 0.157 on a bowl; the start, 0, is two of them off."""
    waves = Landscape(lambda p: np.sum(1 + 20 * (p - 0.3) ** 2 - np.cos(40 * (p - 0.3))))
    assert lowest(waves, [(-0.5, 0.5)] * 3) == pytest.approx([0.3, 0.3, 0.3], abs=0.07)


def test_evolution_goes_around_points_that_fail():
    bowl = Landscape(lambda p: np.sum((p - 0.3) ** 2), edge=0.35)
    assert lowest(bowl, [(-1, 1), (-1, 1)]) == pytest.approx([0.3, 0.3], abs=0.05)


def test_one_parameter_is_enough():
    assert lowest(Landscape(lambda p: (p[0] - 0.7) ** 2), [(-1, 1)]) == pytest.approx([0.7], abs=0.05)


def test_a_hypercube_takes_every_part_of_every_range_once():
    low, high = np.array([0.0, -2.0]), np.array([1.0, 2.0])
    points = np.array(_hypercube(low, high, 40, np.random.default_rng(0)))
    parts = np.floor(40 * (points - low) / (high - low))
    assert all(sorted(column) == list(range(40)) for column in parts.T)
