"""One filter for both sides of an equation of motion, and the noise that it lets through."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..records.filters import ORDER, smoothed

BOXES = 4
"""Running means, one after the other: a cubic spline of finite length."""
WIDTH = 0.72
"""Length of each, in periods of the cutoff: half of the cutoff passes with 1/sqrt(2) of its amplitude."""
QUIET = 0.2
"""Share of the sampling rate above which a position holds nothing but noise."""


@dataclass(frozen=True)
class Band:
    """What is left of terms that were made of a motion up to `cutoff` (Hz): up to half of it, where they are whole.

    Its memory ends after 1.5 periods of the cutoff, so that a bad sample spoils nothing beyond.

    >>> Band(100.0, 1e-3).reach
    12
    """

    cutoff: float
    sample_time: float

    @property
    def width(self) -> int:
        """Samples in a running mean, an odd number.

        >>> Band(100.0, 1e-3).width
        7
        """
        return 2 * round(0.5 * WIDTH / (self.cutoff * self.sample_time) - 0.5) + 1

    @property
    def reach(self) -> int:
        """Samples to either side that count.

        >>> Band(100.0, 1e-3).reach
        12
        """
        return BOXES * (self.width // 2)

    def through(self, values: np.ndarray) -> np.ndarray:
        """A course behind the filter, without a shift in time; the ends are continued evenly.

        >>> Band(100.0, 1e-3).through(force)
        """
        from scipy.ndimage import uniform_filter1d

        course = np.asarray(values, float)
        for _ in range(BOXES):
            course = uniform_filter1d(course, self.width, mode="nearest")
        return np.asarray(course)

    def whole(self, valid: np.ndarray) -> np.ndarray:
        """Which samples behind the filter were made of valid ones only.

        >>> Band(100.0, 1e-3).whole(run.valid)
        """
        bad = np.concatenate(([0], np.cumsum(~valid)))
        at = np.arange(valid.size)
        high, low = np.minimum(at + self.reach + 1, valid.size), np.maximum(at - self.reach, 0)
        return np.asarray(bad[high] == bad[low])

    def noise(self, derivative: int) -> float:
        """Standard deviation of a derivative, behind this filter, of samples with white noise of 1.

        >>> Band(100.0, 1e-3).noise(2)
        """
        wave = _waves()
        mean = np.sin(0.5 * self.width * wave) / (self.width * np.sin(0.5 * wave))
        return _deviation(mean**BOXES * _motion(wave, self, derivative))

    def motion_noise(self, derivative: int) -> float:
        """The same before this filter, as the motion has it.

        >>> resolution / np.sqrt(12) * Band(100.0, 1e-3).motion_noise(1)
        """
        return _deviation(_motion(_waves(), self, derivative))


def sensor_noise(values: np.ndarray, valid: np.ndarray, sample_time: float) -> float:
    """Standard deviation of the white noise in a course, from what it holds above a fifth of the sampling rate.

    >>> sensor_noise(run["q"], run.valid, 1e-3)
    2.9e-05
    """
    rest = (values - smoothed(values, sample_time, QUIET / sample_time))[valid]
    return float(np.sqrt(np.mean(rest**2) / (1 - 2 * QUIET)))


def _waves() -> np.ndarray:
    """Frequencies up to half of the sampling rate, in rad per sample."""
    return np.linspace(0, np.pi, 4001)[1:-1]


def _motion(wave: np.ndarray, band: Band, derivative: int) -> np.ndarray:
    """What `Motion` makes of waves: a Butterworth filter forwards and backwards, and central differences."""
    smooth = 1 / (1 + (np.tan(wave / 2) / np.tan(np.pi * band.cutoff * band.sample_time)) ** (2 * ORDER))
    return np.asarray(smooth * (np.sin(wave) / band.sample_time) ** derivative)


def _deviation(gain: np.ndarray) -> float:
    return float(np.sqrt(np.mean(gain**2)))
