"""Parameters between jumps: a body that breaks away at the first sample above its static friction does not tell where
between two samples that friction lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .problem import UNMOVED, Problem, Slope
from .uncertainty import Uncertainty

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


def tied(problem: Problem, x: np.ndarray, r: np.ndarray, slope: Slope, known: Uncertainty) -> Uncertainty:
    """The same with blind directions in which plateaus move: what is known only between jumps is not known at all if
    these go elsewhere while others move along a direction that does not show.

    >>> tied(problem, x, r, slope, known).blind
    """
    blind = known.blind.copy()
    for i in np.flatnonzero(slope.grain > 0):
        for k in range(blind.shape[1]):
            blind[i, k] += _carried(problem, x, r, int(i), float(slope.grain[i]), known.blind[:, k])
    return replace(known, blind=blind)


def _carried(problem: Problem, x: np.ndarray, r: np.ndarray, i: int, half: float, way: np.ndarray) -> float:
    """Whether a plateau moves up (1) or down (-1) along a way, or not: a third of its half along it, an edge is inside
    of where it was. What follows on the other side of an edge is as far off as a jump."""
    unit = np.eye(x.size)[i] * half
    there = x + half / 3 * way / max(np.abs(way).max(), 1e-300)
    points = [x + 1.05 * unit, x - 1.05 * unit, there, there + 0.95 * unit, there - 0.95 * unit]
    runs = problem.residuals([problem.projected(point) for point in points])
    above, below, middle, up, down = (r if run is None else run for run in runs)
    left_up = np.abs(up - middle).max() > 0.5 * np.abs(above - r).max() > 0
    left_down = np.abs(down - middle).max() > 0.5 * np.abs(below - r).max() > 0
    return float(left_down) - float(left_up)


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
