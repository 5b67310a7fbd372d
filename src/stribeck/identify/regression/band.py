"""One filter for both sides of a regression equation, and the noise that passes through it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..records.filters import ORDER, smoothed

BOXES = 4
"""Moving averages in series: their kernel is a cubic spline of finite length."""
WIDTH = 0.72
"""Length of each, in periods of the cutoff: the gain is 1/sqrt(2) at half of the cutoff."""
NOISE_BAND = 0.2
"""Frequency, relative to the sampling rate, above which a position contains only noise."""


@dataclass(frozen=True)
class Band:
    """A low-pass filter for terms computed from a motion with this `cutoff` (Hz): it passes frequencies up to half of
    it, where the terms are complete.

    The kernel ends after 1.5 periods of the cutoff, so a bad sample has no effect beyond.

    >>> Band(100.0, 1e-3).reach
    12
    """

    cutoff: float
    sample_time: float

    @property
    def width(self) -> int:
        """Samples in a moving average, an odd number.

        >>> Band(100.0, 1e-3).width
        7
        """
        return 2 * round(0.5 * WIDTH / (self.cutoff * self.sample_time) - 0.5) + 1

    @property
    def reach(self) -> int:
        """Samples to either side that the kernel covers.

        >>> Band(100.0, 1e-3).reach
        12
        """
        return BOXES * (self.width // 2)

    def filtered(self, values: np.ndarray) -> np.ndarray:
        """A signal behind the filter, without a time shift; the end values are extended.

        >>> Band(100.0, 1e-3).filtered(force)
        """
        from scipy.ndimage import uniform_filter1d

        course = np.asarray(values, float)
        for _ in range(BOXES):
            course = uniform_filter1d(course, self.width, mode="nearest")
        return np.asarray(course)

    def unaffected(self, valid: np.ndarray) -> np.ndarray:
        """Which filtered samples depend on valid samples only.

        >>> Band(100.0, 1e-3).unaffected(run.valid)
        """
        bad = np.concatenate(([0], np.cumsum(~valid)))
        at = np.arange(valid.size)
        high, low = np.minimum(at + self.reach + 1, valid.size), np.maximum(at - self.reach, 0)
        return np.asarray(bad[high] == bad[low])

    def noise(self, derivative: int) -> float:
        """Standard deviation of a derivative of unit white noise, behind this filter.

        >>> Band(100.0, 1e-3).noise(2)
        """
        wave = _frequencies()
        mean = np.sin(0.5 * self.width * wave) / (self.width * np.sin(0.5 * wave))
        return _deviation(mean**BOXES * _motion(wave, self, derivative))

    def motion_noise(self, derivative: int) -> float:
        """The same before this filter, as in `Motion`.

        >>> 1e-5 / np.sqrt(12) * Band(100.0, 1e-3).motion_noise(1)
        """
        return _deviation(_motion(_frequencies(), self, derivative))


def sensor_noise(values: np.ndarray, valid: np.ndarray, sample_time: float) -> float:
    """Standard deviation of the white noise in a signal, from its content above a fifth of the sampling rate.

    >>> sensor_noise(run["q"], run.valid, 2e-3)
    2.65e-06
    """
    rest = (values - smoothed(values, sample_time, NOISE_BAND / sample_time))[valid]
    return float(np.sqrt(np.mean(rest**2) / (1 - 2 * NOISE_BAND)))


def _frequencies() -> np.ndarray:
    """Frequencies up to half of the sampling rate, in rad per sample."""
    return np.linspace(0, np.pi, 4001)[1:-1]


def _motion(wave: np.ndarray, band: Band, derivative: int) -> np.ndarray:
    """Frequency response of `Motion`: a Butterworth filter forwards and backwards, and central differences."""
    smooth = 1 / (1 + (np.tan(wave / 2) / np.tan(np.pi * band.cutoff * band.sample_time)) ** (2 * ORDER))
    return np.asarray(smooth * (np.sin(wave) / band.sample_time) ** derivative)


def _deviation(gain: np.ndarray) -> float:
    return float(np.sqrt(np.mean(gain**2)))
