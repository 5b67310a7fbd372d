"""Parameters between jumps: a body that breaks away at the first sample above its static friction does not tell where
between two samples that friction lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .problem import UNMOVED, Problem, Slope

HALVINGS = 8
"""Of the distance to an edge: it is found to 1 % of the first guess."""


def last_slope(problem: Problem, x: np.ndarray, r: np.ndarray) -> tuple[np.ndarray, Slope]:
    """Slopes for the errors of a minimum, and the minimum with coordinates that have an effect only across jumps in
    the middle of their plateaus; half of a plateau is the grain.

    >>> x, slope = last_slope(problem, minimum.x, minimum.residual)
    """
    slope = problem.central_slope(x, r)
    halves = np.zeros(x.size)
    for i in np.flatnonzero(slope.grain > 0):
        below, above = _edges(problem, x, r, int(i), float(slope.grain[i]))
        x = np.where(np.arange(x.size) == i, x + (above - below) / 2, x)
        halves[i] = (above + below) / 2
    if halves.any():
        slope = replace(problem.central_slope(x, r), grain=halves)
    return x, problem.along_weak(x, r, slope)


def _edges(problem: Problem, x: np.ndarray, r: np.ndarray, i: int, far: float) -> tuple[float, float]:
    """How far a coordinate can go down and up until something changes, by halving; at most `far`, or to a bound."""
    low, high = problem.limits_at(x)
    outer = np.array([min(far, x[i] - low[i]), min(far, high[i] - x[i])])
    inner = np.zeros(2)
    for _ in range(HALVINGS):
        middle = (inner + outer) / 2
        flat = _unmoved(problem, x, r, i, (-middle[0], middle[1]))
        inner, outer = np.where(flat, middle, inner), np.where(flat, outer, middle)
    return float(outer[0]), float(outer[1])


def _unmoved(problem: Problem, x: np.ndarray, r: np.ndarray, i: int, shifts: Sequence[float]) -> list[bool]:
    points = [np.where(np.arange(x.size) == i, x + shift, x) for shift in shifts]
    return [there is not None and np.abs(there - r).max() <= UNMOVED for there in problem.residuals(points)]
