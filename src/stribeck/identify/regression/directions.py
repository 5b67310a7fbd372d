"""Singular value decomposition of regressors: directions of the parameter space that are identifiable or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

RANK_TOLERANCE = 1e-10
"""Singular value, relative to the largest one, below which a direction does not change the target."""
NEARLY = 15.0
"""Condition index from which on regressors are nearly collinear."""
MOSTLY = 0.5
"""Fraction of the variance of a parameter that comes from one direction."""
SHOWN = 0.05
"""Smallest weight, relative to the largest one, that is shown in a combination."""


@dataclass(frozen=True, eq=False)
class Directions:
    """Singular values and vectors of regressors, each scaled to unit length.

    >>> directions = Directions.of(matrix)
    >>> directions.inverse @ target
    """

    size: np.ndarray
    """Norms of the regressors."""
    left: np.ndarray
    strength: np.ndarray
    right: np.ndarray

    @classmethod
    def of(cls, matrix: np.ndarray, projected: np.ndarray | None = None) -> Directions:
        """From the regressors in columns; `projected` are their projections onto instruments.

        >>> Directions.of(matrix).condition
        4.35
        """
        size = np.linalg.norm(matrix, axis=0)
        scaled = (matrix if projected is None else projected) / np.where(size > 0, size, 1.0)
        return cls(size, *np.linalg.svd(scaled, full_matrices=False))

    @property
    def scale(self) -> np.ndarray:
        """The scale factors of the regressors."""
        return np.where(self.size > 0, self.size, 1.0)

    @property
    def identifiable(self) -> np.ndarray:
        """Which directions change the target."""
        return np.asarray(self.strength > RANK_TOLERANCE * max(self.strength[0], 1e-300))

    @property
    def inverse(self) -> np.ndarray:
        """The pseudo-inverse: from the target to the parameters."""
        full = self.identifiable
        return np.asarray((self.right[full].T / self.strength[full]) @ self.left[:, full].T / self.scale[:, None])

    @property
    def condition(self) -> float:
        """Condition number: largest over smallest singular value."""
        return float(self.strength[0] / self.strength[-1]) if self.strength[-1] > 0 else float("inf")

    def collinear(self, names: Sequence[str]) -> tuple[tuple[float, tuple[str, ...]], ...]:
        """Groups of regressors that are nearly collinear: condition index, and names (Belsley, Kuh and Welsch 1980).

        A group shares one small singular value, from which most of the variance of each of its parameters comes.
        """
        full = self.identifiable
        strength, right = self.strength[full], self.right[full]
        share = (right / strength[:, None]) ** 2
        share /= np.maximum(share.sum(axis=0), 1e-300)
        index = strength[0] / strength
        groups = [
            (float(i), tuple(name for name, part in zip(names, row, strict=True) if part > MOSTLY))
            for i, row in zip(index, share, strict=True)
            if i > NEARLY
        ]
        return tuple(group for group in groups if len(group[1]) > 1)

    def unidentifiable(self, covariance: np.ndarray, goal: np.ndarray) -> np.ndarray:
        """Parameters in a direction that does not change the target, or with an error larger than the whole target."""
        errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        empty = np.any(np.abs(self.right[~self.identifiable]) > 1e-6, axis=0)
        return np.asarray(empty | (self.size == 0) | (errors * self.size > np.linalg.norm(goal)))

    def hidden(self, names: Sequence[str], noise: float, goal: np.ndarray) -> tuple[Mapping[str, float], ...]:
        """Combinations of parameters that do not change the target, or by less than the noise (its norm)."""
        rows = self.right[~self.identifiable | (noise > self.strength * np.linalg.norm(goal))]
        shown = [np.where(np.abs(row) > SHOWN * np.abs(row).max(), row, 0.0) for row in rows]
        return tuple(
            {name: float(part / scale) for name, part, scale in zip(names, parts, self.scale, strict=True) if part}
            for parts in shown
        )
