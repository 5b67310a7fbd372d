"""Samples that do not belong to the course of a channel: single outliers, and jumps of a position."""

from __future__ import annotations

import numpy as np

SPREAD = 1.4826
"""From the median of absolute deviations to the standard deviation of normal noise."""
BEYOND = 8.0
"""Standard deviations of the noise beyond which a sample is an outlier."""
COMMON, RARE = 0.98, 2.5
"""A quantile of the deviations, and how far beyond it an outlier is: noise may have long tails."""
CHANGES = 4.0
"""Usual changes from sample to sample, in the neighbourhood, beyond which it is one."""
COUNTS = 4.0
"""Steps of the sensor beyond which a change is a jump."""
LEAST = 0.02
"""Least deviation of an outlier, relative to the range of the channel: less does no harm."""
ALIKE = 0.5
"""Distance from a neighbour, relative to the deviation, below which a sample belongs to a course."""
PAIR = 3.0
"""Least deviation of several outliers in sequence, relative to the largest of other samples."""
STEPS = 9
"""Samples within which a step may be."""
NEAR, AROUND = 5, 51
"""Samples of the median that a sample is compared with, and of its neighbourhood."""


def outliers(values: np.ndarray, grain: float = 0.0) -> np.ndarray:
    """Which samples deviate from the median of their neighbours by far more than noise, changes and sensor steps.

    One or two samples in sequence can be outliers, two only if they deviate far more than any other sample: friction
    that reverses for two samples is a course. A step is not one, nor a sample that is like one next to it.

    >>> np.flatnonzero(outliers(np.where(np.arange(100) == 40, 9.0, np.sin(np.arange(100)))))
    array([40])
    """
    off = np.abs(values - _median(values, NEAR))
    change = np.abs(np.diff(values, prepend=values[0]))
    limit = np.maximum(_limit(off, change, grain), LEAST * float(np.ptp(values)))
    far = off > np.maximum(limit, _range(values))
    return _alone(values, far, off) if far.any() and not far.all() else far


def _alone(values: np.ndarray, far: np.ndarray, off: np.ndarray) -> np.ndarray:
    """Those of the far samples from which the values return."""
    found = far.copy()
    others = np.flatnonzero(~far)
    largest = float(off[others].max())
    for i in np.flatnonzero(far):
        after = int(np.searchsorted(others, i))
        sides = others[max(after - 1, 0) : after + 1]
        like = np.abs(values[i] - values[sides]).min() < ALIKE * off[i]
        several = sides.size == 2 and sides[1] - sides[0] > 2
        found[i] = not like and not (several and off[i] < PAIR * largest)
    return found


def jumps(values: np.ndarray, grain: float = 0.0) -> np.ndarray:
    """The samples before which a position jumps: one change far larger than those around it, and not reversed.

    >>> jumps(np.where(np.arange(100) < 40, 0.0, 5.0) + np.sin(0.1 * np.arange(100)))
    array([40])
    """
    change = np.diff(values)
    off = change - _median(change, NEAR + 2)
    far = np.abs(off) > np.maximum(_limit(np.abs(off), np.abs(change), grain), 1e-6 * float(np.ptp(values)))
    back = np.zeros_like(far)  # an outlier is a jump and its reversal
    for shift in (1, 2):
        pair = far[shift:] & far[:-shift] & (off[shift:] * off[:-shift] < 0)
        back[shift:] |= pair
        back[:-shift] |= pair
    return np.flatnonzero(far & ~back) + 1


def _range(values: np.ndarray) -> np.ndarray:
    """The range of the neighbours without the two largest and the two smallest: that of a step next to a sample, where
    friction has a narrow peak."""
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(values, STEPS // 2, mode="edge"), STEPS)
    ordered = np.sort(windows, axis=1)
    return np.asarray(ordered[:, -3] - ordered[:, 2])


def _limit(off: np.ndarray, change: np.ndarray, grain: float) -> np.ndarray:
    noise = max(BEYOND * SPREAD * float(np.median(off)), RARE * float(np.quantile(off, COMMON)))
    usual = CHANGES * np.maximum(_median(change, AROUND), np.median(change))
    return np.asarray(np.maximum(np.maximum(usual, noise), COUNTS * grain))


def _median(values: np.ndarray, size: int) -> np.ndarray:
    from scipy.ndimage import median_filter

    return np.asarray(median_filter(values, size, mode="nearest"))
