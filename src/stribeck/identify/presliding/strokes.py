"""Strokes of a record: the stretches between reversals, in which a channel only rises or only falls."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

SMALLEST = 0.02
"""Of the span of a channel: what turns back by less is no reversal."""
NOISES = 8.0
"""Standard deviations of the noise by which a channel must turn back, at least."""


class Stroke(NamedTuple):
    """Samples from one reversal to the next, and whether the channel rises (1) or falls (-1)."""

    start: int
    stop: int
    sign: int


def noise_of(values: np.ndarray) -> float:
    """Standard deviation of what is left of a smooth course, from second differences; robust against kinks.

    >>> noise_of(np.sin(t) + 0.01 * rng.normal(size=t.size))
    0.0101
    """
    bends = values[:-2] - 2 * values[1:-1] + values[2:]
    return float(np.median(np.abs(bends - np.median(bends))) / (0.6745 * np.sqrt(6)))


def strokes(values: np.ndarray, smallest: float | None = None) -> list[Stroke]:
    """The strokes of a channel; `smallest` is by how much it must turn back to be seen.

    >>> [(s.start, s.stop, s.sign) for s in strokes(np.array([0.0, 1, 2, 1, 0, 1]), 0.5)]
    [(0, 2, 1), (2, 4, -1), (4, 5, 1)]
    """
    least = max(SMALLEST * float(np.ptp(values)), NOISES * noise_of(values)) if smallest is None else smallest
    turns = _turns(values, least)
    ends = [0, *turns, values.size - 1]
    return [Stroke(a, b, 1 if values[b] > values[a] else -1) for a, b in pairwise(ends) if b > a]


def pace(parts: list[Stroke], h: float) -> np.ndarray:
    """How often each sample's loop comes (Hz), from the shorter stroke at each reversal on to that at the next one.

    >>> pace([Stroke(0, 2, 1), Stroke(2, 4, -1)], 0.25)
    array([1., 1., 1., 1., 1.])
    """
    turns = [part.stop for part in parts[:-1]]
    shortest = [min(a.stop - a.start, b.stop - b.start) for a, b in pairwise(parts)]
    logs = np.interp(np.arange(parts[-1].stop + 1), turns, -np.log(2 * h * np.array(shortest)))
    return np.asarray(np.exp(logs))


def turned(course: np.ndarray, parts: list[Stroke]) -> list[Stroke]:
    """The strokes of a course that follows another one with some delay: each reversal is where it turns thereafter.

    >>> turned(delayed, strokes(values))
    """
    ends = [0]
    for part, after in pairwise(parts):
        piece = part.sign * course[part.stop : after.stop + 1]
        ends.append(part.stop + int(np.argmax(piece)))
    ends.append(course.size - 1)
    return [Stroke(a, b, part.sign) for (a, b), part in zip(pairwise(ends), parts, strict=True)]


def _turns(values: np.ndarray, least: float) -> list[int]:
    """Where the channel turns back by more than `least`."""
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
