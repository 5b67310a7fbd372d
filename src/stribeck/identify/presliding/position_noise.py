"""Covariance of positions that are computed from a noisy force.

Noise at a reversal makes the contact turn early or late, which shifts all later positions: the levels of the strokes
are a random walk. Noise within a stroke, the unknown instant of a count transition and other errors have no such
memory. Least squares without the random walk would give late strokes too much weight, and would bias the parameters,
because the derivatives follow the same random walk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .strokes import strokes

SMALLEST = 1e-3
"""Least standard deviation of the steps of the random walk, relative to that of the other errors."""


@dataclass(frozen=True, eq=False)
class RandomWalk:
    """Effect of force noise on a path: a random walk of the levels of the strokes, and a variance about it.

    >>> random_walk(path, perturbed).steps.mean()
    1e-07
    """

    stroke: np.ndarray
    """Number of the stroke of each sample."""
    steps: np.ndarray
    """Standard deviations of the steps of the level at the reversals."""
    variance: np.ndarray
    """Variance about the level at each sample."""

    def spread(self, at: np.ndarray, besides: np.ndarray) -> PositionCovariance:
        """Covariance of positions at samples; `besides` are their variances from other causes.

        >>> random_walk(path, perturbed).spread(np.array([10, 20]), np.array([1e-16, 1e-16]))
        """
        return PositionCovariance(np.sqrt(self.variance[at] + besides), self.stroke[at], self.steps)


@dataclass(frozen=True, eq=False)
class PositionCovariance:
    """Covariance of positions: independent errors, and a level per stroke that follows a random walk.

    >>> np.sum(spread.white(rest) ** 2)  # squared Mahalanobis distance
    """

    deviation: np.ndarray
    stroke: np.ndarray
    steps: np.ndarray

    def white(self, rest: np.ndarray) -> np.ndarray:
        """Whitened residuals: about the levels, and of the steps of the levels, each divided by its standard deviation.

        >>> np.mean(spread.white(rest) ** 2)
        0.605
        """
        levels = self.levels(rest)
        return np.concatenate([(rest - levels[self.stroke]) / self.deviation, np.diff(levels) / self._steps])

    @property
    def _steps(self) -> np.ndarray:
        return np.asarray(np.maximum(self.steps, SMALLEST * float(np.mean(self.deviation))))

    def levels(self, rest: np.ndarray) -> np.ndarray:
        """The maximum likelihood levels of the strokes, the first one 0: a tridiagonal system.

        >>> spread.levels(rest)[spread.stroke]
        """
        from scipy.linalg import solveh_banded

        count = self.steps.size + 1
        if count == 1:
            return np.zeros(1)
        weight = np.bincount(self.stroke, self.deviation**-2, count)[1:]
        pull = np.bincount(self.stroke, rest * self.deviation**-2, count)[1:]
        stiff = self._steps**-2
        diagonal = weight + stiff + np.append(stiff[1:], 0.0)
        return np.concatenate([[0.0], solveh_banded(np.vstack([np.append(0.0, -stiff[1:]), diagonal]), pull)])


def random_walk(path: np.ndarray, perturbed: np.ndarray) -> RandomWalk:
    """The random walk of a path from its changes by noise, one realisation per row; without rows there is none.

    >>> random_walk(path, np.array([contact.displacement(load, values) - path for load in loads]))
    """
    if not len(perturbed):
        return RandomWalk(np.zeros(path.size, int), np.zeros(0), np.zeros(path.size))
    starts = [part.start for part in strokes(path)]
    stroke = np.searchsorted(starts, np.arange(path.size), side="right") - 1
    levels = np.add.reduceat(perturbed, starts, axis=1) / np.bincount(stroke)
    steps = np.sqrt(np.mean(np.diff(levels, axis=1) ** 2, axis=0))
    return RandomWalk(stroke, steps, np.mean((perturbed - levels[:, stroke]) ** 2, axis=0))
