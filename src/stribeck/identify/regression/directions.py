"""The directions of a space of parameters: what the data say about each, and what they do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

EMPTY = 1e-10
"""A direction of the parameters is empty when it moves the target by less than this share of the strongest one."""
SHOWN = 0.05
"""Parts below this share of the largest one are left out of a combination that is hidden."""


@dataclass(frozen=True, eq=False)
class Directions:
    """Singular values and vectors of regressors, each scaled to the same size.

    >>> directions = Directions.of(matrix)
    >>> directions.inverse @ target
    """

    size: np.ndarray
    """Norms of the regressors."""
    left: np.ndarray
    strength: np.ndarray
    right: np.ndarray

    @classmethod
    def of(cls, matrix: np.ndarray, seen: np.ndarray | None = None) -> Directions:
        """From the regressors in columns; `seen` is what instruments see of them.

        >>> Directions.of(matrix).condition
        3.2
        """
        size = np.linalg.norm(matrix, axis=0)
        scaled = (matrix if seen is None else seen) / np.where(size > 0, size, 1.0)
        return cls(size, *np.linalg.svd(scaled, full_matrices=False))

    @property
    def scale(self) -> np.ndarray:
        """What the regressors were divided by."""
        return np.where(self.size > 0, self.size, 1.0)

    @property
    def full(self) -> np.ndarray:
        """Which directions are not empty."""
        return np.asarray(self.strength > EMPTY * max(self.strength[0], 1e-300))

    @property
    def inverse(self) -> np.ndarray:
        """From the target to the parameters, by least squares."""
        full = self.full
        return np.asarray((self.right[full].T / self.strength[full]) @ self.left[:, full].T / self.scale[:, None])

    @property
    def condition(self) -> float:
        """Strongest by weakest direction."""
        return float(self.strength[0] / self.strength[-1]) if self.strength[-1] > 0 else float("inf")

    def lost(self, covariance: np.ndarray, goal: np.ndarray) -> np.ndarray:
        """Parameters that the data do not give: part of an empty direction, or more uncertain than the whole target."""
        errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        empty = np.any(np.abs(self.right[~self.full]) > 1e-6, axis=0)
        return np.asarray(empty | (self.size == 0) | (errors * self.size > np.linalg.norm(goal)))

    def hidden(self, names: Sequence[str], noise: float, goal: np.ndarray) -> tuple[Mapping[str, float], ...]:
        """Combinations of parameters that are empty, or drowned in the noise (root of the sum of its squares)."""
        rows = self.right[~self.full | (noise > self.strength * np.linalg.norm(goal))]
        shown = [np.where(np.abs(row) > SHOWN * np.abs(row).max(), row, 0.0) for row in rows]
        return tuple(
            {name: float(part / scale) for name, part, scale in zip(names, parts, self.scale, strict=True) if part}
            for parts in shown
        )
