"""How far two records of the same motion are shifted against each other."""

from __future__ import annotations

import numpy as np

OVERLAP = 0.3
"""Share of the shorter record that must remain common to both."""
FLAT = 0.5
"""Where more than this share of all shifts fits as well as the best one, none is the right one."""

ALIKE = 4.0
"""Two shifts fit equally well when what they leave unexplained differs by less than this factor (of its square)."""
ROUNDING = 1e-6
"""Of correlations: what sampling and interpolation cost."""


def shift(here: np.ndarray, there: np.ndarray, near: float = 0.0) -> float:
    """By how many samples `there` must be moved to the right to look like `here`; ValueError if that cannot be told.

    The correlation coefficient of the common part is largest there: scales and offsets do not matter, nor how much of
    the records is common. Where periods fit equally well, it is the one nearest to `near`.

    >>> shift(x[:900], x[100:])
    100.0
    """
    for values in (here, there):
        if np.ptp(values) == 0:
            raise ValueError(f"one of them is constant at {values[0]:g}")
    lags, match = _correlations(here, there)
    good = 1 - match <= ALIKE * (1 - match.max()) + ROUNDING
    if good.sum() > FLAT * good.size:
        raise ValueError("they look alike at every shift; record a motion with reversals")
    top = _top_around(int(np.flatnonzero(good)[np.argmin(np.abs(lags[good] - near))]), good, match)
    return float(lags[top] + _vertex(match[max(top - 1, 0) : top + 2]))


def _correlations(here: np.ndarray, there: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shifts, and the coefficient of correlation of what is common then."""
    a, b = (here - here.mean()) / here.std(), (there - there.mean()) / there.std()
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
    """The best of the shifts without a break around this one that are good."""
    bad = np.flatnonzero(~good)
    place = int(np.searchsorted(bad, at))
    start = int(bad[place - 1]) + 1 if place else 0
    stop = int(bad[place]) if place < bad.size else good.size
    return start + int(np.argmax(match[start:stop]))


def _vertex(around: np.ndarray) -> float:
    """Where the parabola through three values is highest, counted from the middle one."""
    if around.size < 3:
        return 0.0
    bend = around[0] - 2 * around[1] + around[2]
    return float(0.5 * (around[0] - around[2]) / bend) if bend else 0.0
