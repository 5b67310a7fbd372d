"""A force without its noise: smoothed as far as its own course bears it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..records.filters import smoothed

HARMONICS = 30
"""Of the loops, on average, up to which a noisy force is kept at least, if the sampling rate allows it."""
LOWEST, WIDEST = 0.1, 0.3
"""Of the sampling rate, where filters begin at the latest and end; beyond they take hardly any noise away."""
WIDER = 1.6
"""By which the filter is opened while it bends the course."""
BENT = 1.1
"""What a filter takes away is noise as long as it is not larger than this, relative to the noise next to its band."""


class Quiet(NamedTuple):
    """A course, the standard deviation of the white noise that was on it, and the filter against it at each sample
    (Hz); 0 is none."""

    course: np.ndarray
    noise: float = 0.0
    cutoff: np.ndarray | float = 0.0

    def repeated(self, h: float, times: int) -> Iterator[np.ndarray]:
        """The course with new noise, behind the same filter; none if there is no noise.

        >>> list(quiet(force, 1e-3, 2.0).repeated(1e-3, 40))
        """
        for number in range(times if self.noise else 0):
            rng = np.random.default_rng([number, 1])
            yield _smoothed(self.course + self.noise * rng.normal(size=self.course.size), h, self.cutoff)


def quiet(values: np.ndarray, h: float, rate: np.ndarray | float) -> Quiet:
    """A course that swings at about `rate` (Hz, may change along the course) without its noise; as it is, if each
    filter takes more than noise.

    The noise in the band of the filter is as strong as next to it, even where a drive has filtered its force above.

    >>> quiet(1.2 * np.sin(2 * np.pi * t) + 0.01 * rng.normal(size=t.size), 1e-3, 1.0).noise
    0.0101
    """
    cutoff = np.minimum(HARMONICS * rate, LOWEST / h)
    while np.max(cutoff) < WIDEST / h:
        course = _smoothed(values, h, cutoff)
        rest = values - course
        noise = _density(rest, h, float(np.max(cutoff)))
        if np.sqrt(np.mean(rest**2)) < BENT * noise * np.sqrt(1 - 2 * np.mean(cutoff) * h):
            return Quiet(course, noise, cutoff)
        cutoff = cutoff * WIDER
    return Quiet(values)


def _smoothed(values: np.ndarray, h: float, cutoff: np.ndarray | float) -> np.ndarray:
    """Behind a filter that changes along the course: between two of a few fixed ones, an octave apart at most."""
    low, high = float(np.min(cutoff)), float(np.max(cutoff))
    octaves = int(np.ceil(np.log2(high / low)))
    if not octaves:
        return smoothed(values, h, high)
    place = octaves * np.log(cutoff / low) / np.log(high / low)
    fixed = enumerate(np.geomspace(low, high, octaves + 1).tolist())
    shares = ((np.maximum(1 - np.abs(place - number), 0.0), edge) for number, edge in fixed)
    return np.asarray(sum((share * smoothed(values, h, edge) for share, edge in shares), np.zeros_like(values)))


def _density(rest: np.ndarray, h: float, cutoff: float) -> float:
    """Standard deviation of white noise with the spectrum of a rest above the cutoff, where single lines do not count.

    A rest that stands in few places comes from kinks of the course, which are no noise."""
    window = np.hanning(rest.size)
    power = np.abs(np.fft.rfft(rest * window)) ** 2 / np.sum(window**2)
    wave = np.fft.rfftfreq(rest.size, h)
    band = (wave > 1.3 * cutoff) & (wave < 4 * cutoff)
    white = float(np.sqrt(np.median(power[band]) / np.log(2)))  # the median of a chi-square of two is below its mean
    spread = float(np.median(np.abs(rest)) / (0.6745 * max(np.sqrt(np.mean(rest**2)), 1e-300)))
    return white * min(1.0, spread)
