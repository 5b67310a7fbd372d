"""How far positions scatter that are explained from a noisy force.

Noise at a reversal turns the contact early or late, and all that follows is moved with it: the level of the strokes
walks from reversal to reversal. Noise within a stroke, the unknown instant of a change of the count and the rest stay
where they are. Squares of what is left without regard to the walk weigh late strokes too much, and as slopes walk with
the same noise they would bias the parameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .strokes import strokes

SMALLEST = 1e-3
"""Of the other deviations: steps of the level are not taken for smaller."""


@dataclass(frozen=True, eq=False)
class Walk:
    """What noise of the force does to a path: a level for each stroke that walks, and a variance around it.

    >>> walk(path, stirred).steps
    array([2.1e-08, 2.3e-08])
    """

    stroke: np.ndarray
    """Number of the stroke of each sample."""
    steps: np.ndarray
    """Standard deviations of the change of the level at each reversal."""
    variance: np.ndarray
    """At each sample."""

    def spread(self, at: np.ndarray, besides: np.ndarray) -> Spread:
        """Of positions at samples, with their variance from other causes.

        >>> walk(path, stirred).spread(np.array([10, 20]), np.array([1e-16, 1e-16]))
        """
        return Spread(np.sqrt(self.variance[at] + besides), self.stroke[at], self.steps)


@dataclass(frozen=True, eq=False)
class Spread:
    """Standard deviations of positions, of which those of a stroke share a level.

    >>> np.sum(spread.white(rest) ** 2)  # squares by their covariance
    """

    deviation: np.ndarray
    stroke: np.ndarray
    steps: np.ndarray

    def white(self, rest: np.ndarray) -> np.ndarray:
        """What is left around the levels and the steps of these, each by its standard deviation.

        >>> np.mean(spread.white(rest) ** 2)
        0.98
        """
        levels = self.levels(rest)
        return np.concatenate([(rest - levels[self.stroke]) / self.deviation, np.diff(levels) / self._steps])

    @property
    def _steps(self) -> np.ndarray:
        return np.asarray(np.maximum(self.steps, SMALLEST * float(np.mean(self.deviation))))

    def levels(self, rest: np.ndarray) -> np.ndarray:
        """The most likely level of each stroke, from 0 on: a tridiagonal system.

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


def walk(path: np.ndarray, stirred: np.ndarray) -> Walk:
    """From what noise does to a path, once in each row; without rows there is none.

    >>> walk(path, np.array([contact.way(load, values) - path for load in loads]))
    """
    if not len(stirred):
        return Walk(np.zeros(path.size, int), np.zeros(0), np.zeros(path.size))
    starts = [part.start for part in strokes(path)]
    stroke = np.searchsorted(starts, np.arange(path.size), side="right") - 1
    levels = np.add.reduceat(stirred, starts, axis=1) / np.bincount(stroke)
    steps = np.sqrt(np.mean(np.diff(levels, axis=1) ** 2, axis=0))
    return Walk(stroke, steps, np.mean((stirred - levels[:, stroke]) ** 2, axis=0))
