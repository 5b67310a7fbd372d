"""Zero-phase filters: forwards, then backwards."""

from __future__ import annotations

import numpy as np

from ...errors import SpecError

ORDER = 4
PADDING = 15
"""Time constants of the slowest pole by which a record is extended at its ends: transients decay to e^-15."""


def smoothed(values: np.ndarray, sample_time: float, cutoff: float, order: int = ORDER) -> np.ndarray:
    """A Butterworth filter forwards and backwards: no delay, and a gain of 1/2 at `cutoff` (Hz).

    >>> smoothed(noisy, 1e-3, 50.0)
    """
    from scipy.signal import butter, sosfiltfilt

    most = 0.5 / sample_time
    if not 0 < cutoff < most:
        raise SpecError(f"cutoff = {cutoff:g} Hz must be above 0 and below {most:g} Hz, half of the sampling rate")
    sections = butter(order, cutoff, fs=1 / sample_time, output="sos")
    slowest = 2 * np.pi * cutoff * sample_time * np.sin(np.pi / (2 * order))  # decay of its slowest pole per sample
    padding = min(values.size - 1, int(np.ceil(PADDING / slowest)) + 12)
    return np.asarray(sosfiltfilt(sections, values, padlen=padding))


def derivative(values: np.ndarray, sample_time: float, cutoff: float, order: int = 1) -> np.ndarray:
    """First or second derivative: filtered, then central differences.

    >>> derivative(np.sin(t), 1e-3, 20.0)
    """
    course = smoothed(values, sample_time, cutoff)
    for _ in range(order):
        course = np.gradient(course, sample_time)
    return course
