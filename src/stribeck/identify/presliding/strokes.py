"""Strokes of a record: the monotonic sections between reversals."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

SMALLEST = 0.02
"""Smallest reversal, relative to the range of a channel."""
NOISES = 8.0
"""Smallest reversal, in standard deviations of the noise."""


class Stroke(NamedTuple):
    """Samples from one reversal to the next, and whether the channel rises (1) or falls (-1)."""

    start: int
    stop: int
    sign: int


def noise_of(values: np.ndarray) -> float:
    """Standard deviation of the noise on a smooth signal, from second differences; robust against kinks.

    >>> noise_of(np.sin(t) + 0.01 * rng.normal(size=t.size))
    0.0098
    """
    bends = values[:-2] - 2 * values[1:-1] + values[2:]
    return float(np.median(np.abs(bends - np.median(bends))) / (0.6745 * np.sqrt(6)))


def strokes(values: np.ndarray, smallest: float | None = None) -> list[Stroke]:
    """The strokes of a channel; `smallest` is the smallest reversal that counts.

    >>> [(s.start, s.stop, s.sign) for s in strokes(np.array([0.0, 1, 2, 1, 0, 1]), 0.5)]
    [(0, 2, 1), (2, 4, -1), (4, 5, 1)]
    """
    least = max(SMALLEST * float(np.ptp(values)), NOISES * noise_of(values)) if smallest is None else smallest
    turns = _turns(values, least)
    ends = [0, *turns, values.size - 1]
    return [Stroke(a, b, 1 if values[b] > values[a] else -1) for a, b in pairwise(ends) if b > a]


def pace(parts: list[Stroke], h: float) -> np.ndarray:
    """Frequency of the loops at each sample (Hz), interpolated between reversals from the shorter adjacent stroke.

    >>> pace([Stroke(0, 2, 1), Stroke(2, 4, -1)], 0.25)
    array([1., 1., 1., 1., 1.])
    """
    turns = [part.stop for part in parts[:-1]]
    shortest = [min(a.stop - a.start, b.stop - b.start) for a, b in pairwise(parts)]
    logs = np.interp(np.arange(parts[-1].stop + 1), turns, -np.log(2 * h * np.array(shortest)))
    return np.asarray(np.exp(logs))


def lagged_strokes(signal: np.ndarray, parts: list[Stroke]) -> list[Stroke]:
    """The strokes of a signal that follows another one with a lag: each reversal is the next extremum.

    >>> lagged_strokes(delayed, strokes(load))
    """
    ends = [0]
    for part, after in pairwise(parts):
        piece = part.sign * signal[part.stop : after.stop + 1]
        ends.append(part.stop + int(np.argmax(piece)))
    ends.append(signal.size - 1)
    return [Stroke(a, b, part.sign) for (a, b), part in zip(pairwise(ends), parts, strict=True)]


def _turns(values: np.ndarray, least: float) -> list[int]:
    """The samples at which the channel reverses by more than `least`."""
    turns: list[int] = []
    top = bottom = 0
    sign = 0
    for i, value in enumerate(values.tolist()):
        top = i if value > values[top] else top
        bottom = i if value < values[bottom] else bottom
        if sign >= 0 and values[top] - value > least:
            if sign > 0:
                turns.append(top)
            sign, bottom = -1, i
        elif sign <= 0 and value - values[bottom] > least:
            if sign < 0:
                turns.append(bottom)
            sign, top = 1, i
        if sign > 0:
            bottom = top
        elif sign < 0:
            top = bottom
    return turns
