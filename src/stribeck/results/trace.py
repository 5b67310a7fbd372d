"""One output over time: an array with name, unit and times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class Trace(np.ndarray):
    """Values of one output on the time grid; results of arithmetic are plain arrays.

    >>> w = result["mass.w"]
    >>> w.name, w.unit, w.max(), w.at(8.0)
    ('mass.w', 'rad/s', 0.3768, 0.2306)
    """

    name: str = ""
    unit: str = ""
    time: np.ndarray = np.empty(0)
    _at: Callable[[Any], Any] | None = None

    @classmethod
    def of(cls, values: np.ndarray, name: str, unit: str, time: np.ndarray, at: Callable[[Any], Any]) -> Trace:
        """A view of `values` with labels; `at` interpolates between the grid points."""
        trace = values.view(cls)
        trace.name, trace.unit, trace.time, trace._at = name, unit, time, at
        return trace

    def at(self, t: Any) -> Any:
        """Value at any time of the run (s), between grid points by the interpolant of the result.

        >>> result["mass.w"].at([8.0, 8.1])
        array([0.2306, 0.2672])
        """
        if self._at is None:
            raise TypeError("this array is no longer a trace of a result; use result.at(t, name)")
        return self._at(t)

    def __getitem__(self, key: Any) -> Any:
        """A part of the trace keeps its labels and the times that belong to it."""
        part = np.asarray(self)[key]
        if part.ndim != 1 or self.time.shape != self.shape or self._at is None:
            return part
        return Trace.of(part, self.name, self.unit, self.time[key], self._at)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Results of arithmetic have another meaning and unit, so they carry no label."""
        plain = np.asarray(array)
        return plain[()] if plain.ndim == 0 else plain

    def __repr__(self) -> str:
        unit = f" [{self.unit}]" if self.unit else ""
        values = np.array2string(np.asarray(self), threshold=6, edgeitems=3, precision=6, separator=", ")
        return f"{self.name or 'Trace'}{unit} {values}"

    __str__ = __repr__
