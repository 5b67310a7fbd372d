"""Parameters that a paper does not print, drawn from stated ranges."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

WIDE = 8.0
"""A range over more than this factor is drawn equally in its logarithm."""
Values = dict[str, np.ndarray]


def draw_values(ranges: Mapping[str, tuple[float, float]], n: int, seed: int = 1) -> Values:
    """`n` values of each parameter between its limits, by the path of the parameter; the same for the same seed.

    >>> draw_values({"spring.c": (1, 4), "friction.law.v_s": (1e-4, 1e-2)}, 3)["spring.c"].shape
    (3,)
    """
    rng = np.random.default_rng(seed)
    return {path: _drawn(rng, low, high, n) for path, (low, high) in ranges.items()}


def _drawn(rng: np.random.Generator, low: float, high: float, n: int) -> np.ndarray:
    if low > 0 and high > WIDE * low:
        return np.exp(rng.uniform(float(np.log(low)), float(np.log(high)), n))
    return rng.uniform(low, high, n)


def words(ranges: Mapping[str, tuple[float, float]]) -> str:
    """The ranges as a text.

    >>> words({"k": (1, 4), "pull": (0.05, 0.2)})
    'k 1 to 4, pull 0.05 to 0.2'
    """
    return ", ".join(f"{name} {low:g} to {high:g}" for name, (low, high) in ranges.items())
