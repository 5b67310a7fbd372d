"""Noise reduction of a force by a filter that does not distort it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..records.filters import smoothed

HARMONICS = 30
"""Harmonics of the loops, on average, that the filter keeps at least, if the sampling rate allows it."""
LOWEST, WIDEST = 0.1, 0.3
"""Highest first cutoff, and highest cutoff, relative to the sampling rate; above it a filter removes little noise."""
WIDER = 1.6
"""Factor by which the cutoff is raised while the filter distorts the signal."""
DISTORTED = 1.1
"""Removed part of a signal, relative to the noise just above the cutoff, from which on it is more than noise."""


class Denoised(NamedTuple):
    """A signal without noise, the standard deviation of the white noise that was removed, and the cutoff at each sample
    (Hz); 0 without a filter."""

    signal: np.ndarray
    noise: float = 0.0
    cutoff: np.ndarray | float = 0.0

    def repeated(self, h: float, times: int) -> Iterator[np.ndarray]:
        """The signal with new noise, behind the same filter; nothing if there is no noise.

        >>> list(denoised(force, 1e-3, 2.0).repeated(1e-3, 40))
        """
        for number in range(times if self.noise else 0):
            rng = np.random.default_rng([number, 1])
            yield _smoothed(self.signal + self.noise * rng.normal(size=self.signal.size), h, self.cutoff)


def denoised(values: np.ndarray, h: float, rate: np.ndarray | float) -> Denoised:
    """A signal that oscillates at about `rate` (Hz, may change with time) without its noise; unchanged if every filter
    removes more than noise.

    The noise density below the cutoff is taken from that just above it, because a drive may filter its force at higher
    frequencies.

    >>> denoised(1.2 * np.sin(2 * np.pi * t) + 0.01 * rng.normal(size=t.size), 1e-3, 1.0).noise
    0.0103
    """
    cutoff = np.minimum(HARMONICS * rate, LOWEST / h)
    while np.max(cutoff) < WIDEST / h:
        signal = _smoothed(values, h, cutoff)
        rest = values - signal
        noise = _density(rest, h, float(np.max(cutoff)))
        if np.sqrt(np.mean(rest**2)) < DISTORTED * noise * np.sqrt(1 - 2 * np.mean(cutoff) * h):
            return Denoised(signal, noise, cutoff)
        cutoff = cutoff * WIDER
    return Denoised(values)


def _smoothed(values: np.ndarray, h: float, cutoff: np.ndarray | float) -> np.ndarray:
    """A filter with a variable cutoff: interpolated between fixed ones, at most an octave apart."""
    low, high = float(np.min(cutoff)), float(np.max(cutoff))
    octaves = int(np.ceil(np.log2(high / low)))
    if not octaves:
        return smoothed(values, h, high)
    place = octaves * np.log(cutoff / low) / np.log(high / low)
    fixed = enumerate(np.geomspace(low, high, octaves + 1).tolist())
    shares = ((np.maximum(1 - np.abs(place - number), 0.0), edge) for number, edge in fixed)
    return np.asarray(sum((share * smoothed(values, h, edge) for share, edge in shares), np.zeros_like(values)))


def _density(rest: np.ndarray, h: float, cutoff: float) -> float:
    """Standard deviation of white noise with the spectral density of a residual above the cutoff, without single lines.

    A residual that is concentrated in few places is due to kinks of the signal and is not noise."""
    window = np.hanning(rest.size)
    power = np.abs(np.fft.rfft(rest * window)) ** 2 / np.sum(window**2)
    wave = np.fft.rfftfreq(rest.size, h)
    band = (wave > 1.3 * cutoff) & (wave < 4 * cutoff)
    white = float(np.sqrt(np.median(power[band]) / np.log(2)))  # ln 2: median over mean of chi-square(2)
    spread = float(np.median(np.abs(rest)) / (0.6745 * max(np.sqrt(np.mean(rest**2)), 1e-300)))
    return white * min(1.0, spread)
