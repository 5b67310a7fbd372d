"""Break-away as a polynomial of the position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...regression.estimate import Estimate

WAYS = {1: "forward", -1: "backward"}


@dataclass(frozen=True, eq=False)
class BreakAwayCurve:
    """Break-away over position in one direction: sum of b_k q^k, between the positions `low` and `high` of the data.

    >>> curve(15.0)
    0.14
    """

    estimate: Estimate
    direction: int
    low: float
    high: float
    units: tuple[str, str] = ("", "")
    onset: float = 0.0
    """Mean time (s) from break-away until the sensor shows a motion."""

    @property
    def coefficients(self) -> np.ndarray:
        """Polynomial coefficients, the constant first.

        >>> curve.coefficients[0]
        0.14
        """
        return np.array([self.estimate.values[f"b{k}"] for k in range(self._size)])

    @property
    def delay(self) -> float:
        """Mean delay of the detection of motions (s).

        >>> curve.delay
        0.014
        """
        return self.onset

    def __call__(self, position: Any) -> Any:
        """Break-away at a position."""
        return np.polynomial.polynomial.polyval(position, self.coefficients)

    def error(self, position: Any) -> Any:
        """Standard error of the curve at a position.

        >>> curve.error([0, 30, 60])
        """
        rows = np.vander(np.atleast_1d(np.asarray(position, float)), self._size, increasing=True)
        spread = np.sqrt(np.einsum("ij,jk,ik->i", rows, self._covariance, rows))
        return spread if np.ndim(position) else float(spread[0])

    def mean(self, low: float | None = None, high: float | None = None) -> tuple[float, float]:
        """The mean over a range of positions, by default that of the data, and its standard error.

        >>> curve.mean(0, 30)[0]
        0.14
        """
        a, b = self.low if low is None else low, self.high if high is None else high
        powers = np.arange(1, self._size + 1)
        weights = (b**powers - a**powers) / powers / (b - a) if b > a else a ** (powers - 1)
        return float(weights @ self.coefficients), float(np.sqrt(weights @ self._covariance @ weights))

    @property
    def _size(self) -> int:
        return sum(name.startswith("b") for name in self.estimate.names)

    @property
    def _covariance(self) -> np.ndarray:
        return self.estimate.covariance[: self._size, : self._size]

    def __str__(self) -> str:
        mean, error = self.mean()
        return (
            f"break-away {WAYS[self.direction]}: mean {mean:.5g} ± {error:.2g} {self.units[0]} from {self.low:.4g} to "
            f"{self.high:.4g} {self.units[1]}\n{self.estimate}"
        )
