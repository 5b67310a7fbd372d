"""Ramps of a drive: where it rises steadily, and until when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

FALL = 0.2
"""Fall of the drive after a ramp, relative to its rise."""
SPIKE = 5
"""Samples of a median filter of the drive: sensor steps cause spikes of one or two samples by derivative action."""
FLAT = 8
"""Change of the drive, in standard deviations of its noise, that is neither rise nor fall."""
MOST_NOISE = 0.1
"""Largest such change, relative to the range of the drive; a noisier drive is averaged."""
JUMP = 0.3
"""Rise within some samples, relative to the whole, that is not part of a ramp."""
LINE = 0.25
"""Last fraction of a ramp, through which a line is fitted: the drive at its end, and its rate."""
PRECISION = 1e-3
"""Noise of a smoothed ramp, relative to its rise."""
WIDEST = 0.1
"""Longest average of a ramp, relative to its length."""


@dataclass(frozen=True)
class DriveRamp:
    """Samples at which the drive begins to rise, has its maximum, and has fallen again.

    >>> DriveRamp(100, 1510, 1512)
    """

    low: int
    peak: int
    fall: int


@dataclass(frozen=True, eq=False)
class Averaged:
    """A drive without spikes, averaged if it is noisy.

    >>> Averaged.of(u).flat
    0.001
    """

    values: np.ndarray
    noise: float
    """Standard deviation of the noise before averaging."""
    flat: float
    """Change that is neither rise nor fall."""
    blur: int
    """Samples by which a fall may be early."""

    @classmethod
    def of(cls, u: np.ndarray) -> Averaged:
        """The average of a drive, as long as its noise requires.

        >>> Averaged.of(u).values.shape == u.shape
        True
        """
        noise, span = noise_level(u), float(np.ptp(np.quantile(u, [0.01, 0.99]))) or float(np.ptp(u))
        u, half = without_spikes(u), int(0.5 * (FLAT * noise / (MOST_NOISE * max(span, 1e-300))) ** 2)
        if half:
            sums = np.cumsum(np.concatenate([np.zeros(1), np.pad(u, half, mode="edge")]))
            u = (sums[2 * half + 1 :] - sums[: -2 * half - 1]) / (2 * half + 1)
        return cls(u, noise, max(FLAT * noise / (2 * half + 1) ** 0.5, 1e-3 * span), half + SPIKE)

    def ramps(self, sign: int) -> Iterator[DriveRamp]:
        """Rises of the drive (sign 1), or falls (-1), from one extreme to the next.

        >>> [ramp.peak for ramp in Averaged.of(u).ramps(1)]
        """
        u, flat = sign * self.values, self.flat
        least = most = float(u[0])
        low = peak = 0
        for k, x in enumerate(u.tolist()):
            if most - least <= flat:  # not yet rising
                least = min(least, x)
                if x <= least + flat:
                    low, most, peak = k, least, k
            if x > most:
                most, peak = x, k
            elif most - x > max(flat, FALL * (most - least)) and most - least > flat:
                yield self._steady(u, DriveRamp(low, peak, min(k + self.blur, u.size - 1)))
                least = most = x
                low = peak = k
        if most - least > flat:
            yield self._steady(u, DriveRamp(low, peak, u.size - 1))

    def _steady(self, u: np.ndarray, ramp: DriveRamp) -> DriveRamp:
        """The ramp without a jump before it, such as that of a drive that is switched off, and the rest after that."""
        span = 2 * self.blur
        if ramp.peak - ramp.low <= 2 * span:
            return ramp
        part = u[ramp.low : ramp.peak + 1]
        rises = part[span:] - part[:-span]
        jumps = np.flatnonzero(rises > max(JUMP * float(np.ptp(part)), self.flat))
        last = int(jumps[-1]) + span if jumps.size else 0
        if not jumps.size or part.size - last < span:  # no jump, or a step of the drive
            return ramp
        base = float(part[last])
        waits = np.flatnonzero(part[last:] <= base + self.flat)
        return DriveRamp(ramp.low + last + (int(waits[-1]) if waits.size else 0), ramp.peak, ramp.fall)


def noise_level(x: np.ndarray) -> float:
    """Standard deviation of white noise on a smooth signal, from second differences.

    >>> noise_level(np.linspace(0, 1, 1000))
    0.0
    """
    return 1.4826 * float(np.median(np.abs(np.diff(x, 2)))) / 6**0.5


def without_spikes(u: np.ndarray) -> np.ndarray:
    """The median of five samples.

    >>> without_spikes(np.array([0.0, 0, 9, 0, 0]))
    array([0., 0., 0., 0., 0.])
    """
    padded = np.pad(u, SPIKE // 2, mode="edge")
    return np.asarray(np.median(np.lib.stride_tricks.sliding_window_view(padded, SPIKE), axis=-1))


def smooth_rise(u: np.ndarray, noise: float) -> np.ndarray:
    """A rising drive on lines through the neighbours of each sample, so many that noise is a thousandth of the rise;
    straight lines are unchanged, also at the ends.

    >>> smooth_rise(np.linspace(0.0, 1.0, 200), noise=0.01)[-1]
    1.0
    """
    rise = max(float(np.ptp(u)), 1e-300)
    half = int(min(0.5 * (noise / (PRECISION * rise)) ** 2, 0.5 * WIDEST * u.size))
    if half < 1:
        return u
    at = np.arange(u.size, dtype=float)
    low, high = np.maximum(at - half, 0).astype(int), np.minimum(at + half + 1, u.size).astype(int)
    columns = np.column_stack([np.ones(u.size), at, at * at, u, at * u])
    sums = np.vstack([np.zeros(columns.shape[1]), np.cumsum(columns, axis=0)])
    n, x, xx, y, xy = (sums[high] - sums[low]).T
    slope = (n * xy - x * y) / (n * xx - x * x)
    return np.asarray((y - slope * x) / n + slope * at)


def end_of_rise(u: np.ndarray, ramp: DriveRamp, seen: int) -> int:
    """The sample at which the drive falls, but not after `seen`.

    >>> end_of_rise(u, DriveRamp(100, 1499, 1512), seen=1400)
    1400
    """
    if seen <= ramp.peak:
        return seen
    limit = u[ramp.peak] - FALL * (u[ramp.peak] - u[ramp.low])
    return ramp.peak + 1 + int(np.flatnonzero(u[ramp.peak : seen] >= min(limit, u[ramp.peak]))[-1])


def last_line(time: np.ndarray, u: np.ndarray) -> tuple[float, float, float]:
    """Value at the last sample and slope of a line through the end of a ramp, and the rise of the ramp.

    >>> last_line(t, 0.5 * t)
    (0.5, 0.5, 0.4775)
    """
    first = u.size - max(round(LINE * u.size), 2)
    slope, level = np.polyfit(time[first:] - time[-1], u[first:], 1)
    begin = max(u.size // 10, 1)
    return float(level), float(slope), float(level - np.mean(u[:begin]))
