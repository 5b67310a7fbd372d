"""Times at which an output crosses a level, and how well they are known from the points of the grid."""

from __future__ import annotations

from typing import Any

import numpy as np


class Crossings(np.ndarray):
    """Times (s), with `error` (s): how far each would move if every second point of the grid were missing, at most the
    distance of the points around it. What is computed from them is a plain array.

    >>> bool(result.crossings("mass.w", 0.1, direction=+1).error.max() < 1e-3)
    True
    """

    error: np.ndarray = np.empty(0)

    @classmethod
    def of(cls, times: np.ndarray, coarse: np.ndarray, grid: np.ndarray) -> Crossings:
        """From the crossings of the whole curve and of the curve through every second point."""
        at = np.clip(np.searchsorted(grid, times), 1, max(grid.size - 1, 1))
        widest = np.diff(grid)[at - 1] if grid.size > 1 else np.zeros(times.size)
        moved = np.abs(times[:, None] - coarse[None, :]).min(axis=1, initial=np.inf)
        found = times.view(cls)
        found.error = np.minimum(moved, widest)
        return found

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Results of arithmetic are no crossings any more."""
        plain = np.asarray(array)
        return plain[()] if plain.ndim == 0 else plain

    def __getitem__(self, key: Any) -> Any:
        """A part of the crossings keeps their errors."""
        part = np.asarray(self)[key]
        if part.ndim != 1 or self.error.shape != self.shape:
            return part
        chosen = part.view(Crossings)
        chosen.error = self.error[key]
        return chosen
