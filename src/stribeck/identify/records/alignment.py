"""Time shift between two records of the same motion, by cross-correlation."""

from __future__ import annotations

import numpy as np

OVERLAP = 0.3
"""Least overlap, as a fraction of the shorter record."""
FLAT = 0.5
"""If more than this fraction of all shifts fits as well as the best one, the shift is not identifiable."""

ALIKE = 4.0
"""Ratio of unexplained variances below which two shifts fit equally well."""
ROUNDING = 1e-6
"""Error of correlations due to sampling and interpolation."""


def shift(values: np.ndarray, other: np.ndarray, near: float = 0.0) -> float:
    """Number of samples by which `other` must be delayed to match `values`; ValueError if that is not identifiable.

    The correlation coefficient of the common part is maximised: scales, offsets and the length of the common part do
    not matter. If several periods fit equally well, the shift nearest to `near` is returned.

    >>> shift(x[:900], x[100:])
    100.0
    """
    for signal in (values, other):
        if np.ptp(signal) == 0:
            raise ValueError(f"one of them is constant at {signal[0]:g}")
    lags, match = _correlations(values, other)
    good = 1 - match <= ALIKE * (1 - match.max()) + ROUNDING
    if good.sum() > FLAT * good.size:
        raise ValueError("they match equally well at every shift; record a motion with reversals")
    top = _top_around(int(np.flatnonzero(good)[np.argmin(np.abs(lags[good] - near))]), good, match)
    return float(lags[top] + _vertex(match[max(top - 1, 0) : top + 2]))


def _correlations(values: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shifts, and the correlation coefficients of the common parts."""
    a, b = (values - values.mean()) / values.std(), (other - other.mean()) / other.std()
    size = 1 << int(np.ceil(np.log2(a.size + b.size)))

    def sums(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.asarray(np.fft.irfft(np.fft.rfft(x, size) * np.conj(np.fft.rfft(y, size)), size))

    ones_a, ones_b = np.ones(a.size), np.ones(b.size)
    count = np.rint(sums(ones_a, ones_b))
    common = np.flatnonzero(count >= max(OVERLAP * min(a.size, b.size), 3))
    lags = np.where(common > size // 2, common - size, common)
    n = count[common]
    sum_a, sum_b = sums(a, ones_b)[common] / n, sums(ones_a, b)[common] / n
    spread_a, spread_b = sums(a * a, ones_b)[common] / n - sum_a**2, sums(ones_a, b * b)[common] / n - sum_b**2
    alive = (spread_a > 1e-6) & (spread_b > 1e-6)
    spread = np.sqrt(np.where(alive, spread_a * spread_b, 1.0))
    match = np.where(alive, (sums(a, b)[common] / n - sum_a * sum_b) / spread, -1.0)
    order = np.argsort(lags)
    return lags[order], match[order]


def _top_around(at: int, good: np.ndarray, match: np.ndarray) -> int:
    """The best shift in the contiguous range of good shifts that contains `at`."""
    bad = np.flatnonzero(~good)
    place = int(np.searchsorted(bad, at))
    start = int(bad[place - 1]) + 1 if place else 0
    stop = int(bad[place]) if place < bad.size else good.size
    return start + int(np.argmax(match[start:stop]))


def _vertex(around: np.ndarray) -> float:
    """Position of the maximum of the parabola through three values, relative to the middle one."""
    if around.size < 3:
        return 0.0
    bend = around[0] - 2 * around[1] + around[2]
    return float(0.5 * (around[0] - around[2]) / bend) if bend else 0.0
