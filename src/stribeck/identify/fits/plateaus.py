"""Parameters with plateaus: a body breaks away at the first sample above its static friction, so the outputs do not
depend on the exact value of this friction between two samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .levenberg import LeastSquaresResult
from .problem import UNMOVED, Problem, Slope
from .uncertainty import Uncertainty

HALVINGS = 8
"""Bisections of the distance to an edge, which is then known to 1 % of the first guess."""


def last_slope(problem: Problem, last: LeastSquaresResult) -> tuple[np.ndarray, Slope]:
    """The Jacobian for the uncertainty of a minimum, and the minimum itself, moved to the middle of the plateau in
    coordinates that have an effect only across jumps. Half the width of a plateau is the grain.

    >>> x, slope = last_slope(problem, result.minimum)
    """
    x, r, slope = last.x, last.residual, last.slope
    if slope is None or not last.accurate:
        slope = problem.accurate_slope(x, r, slope.jacobian if slope is not None and last.elsewhere else None)
    halves = np.zeros(x.size)
    for i in np.flatnonzero(slope.grain > 0):
        below, above = _edges(problem, x, r, int(i), float(slope.grain[i]))
        x = np.where(np.arange(x.size) == i, x + (above - below) / 2, x)
        halves[i] = (above + below) / 2
    if halves.any():
        slope = replace(problem.central_slope(x, r), grain=halves)
    return x, problem.along_weak(x, r, slope)


def tied(problem: Problem, x: np.ndarray, r: np.ndarray, slope: Slope, known: Uncertainty) -> Uncertainty:
    """The same uncertainty, with plateaus that move along blind directions: a parameter that is known to within its
    plateau is not identifiable if the plateau moves while others change along such a direction.

    >>> tied(problem, x, r, slope, known).blind
    """
    blind = known.blind.copy()
    for i in np.flatnonzero(slope.grain > 0):
        for k in range(blind.shape[1]):
            blind[i, k] += _shift_of_plateau(problem, x, r, int(i), float(slope.grain[i]), known.blind[:, k])
    return replace(known, blind=blind)


def _shift_of_plateau(
    problem: Problem, x: np.ndarray, r: np.ndarray, i: int, half: float, direction: np.ndarray
) -> float:
    """Whether a plateau moves up (1), down (-1) or not (0) along a direction: after a third of its half width an edge
    lies inside the former plateau. Beyond an edge the residuals differ by a jump."""
    unit = np.eye(x.size)[i] * half
    moved = x + half / 3 * direction / max(np.abs(direction).max(), 1e-300)
    points = [x + 1.05 * unit, x - 1.05 * unit, moved, moved + 0.95 * unit, moved - 0.95 * unit]
    runs = problem.residuals([problem.projected(point) for point in points])
    above, below, middle, up, down = (r if run is None else run for run in runs)
    left_up = np.abs(up - middle).max() > 0.5 * np.abs(above - r).max() > 0
    left_down = np.abs(down - middle).max() > 0.5 * np.abs(below - r).max() > 0
    return float(left_down) - float(left_up)


def _edges(problem: Problem, x: np.ndarray, r: np.ndarray, i: int, far: float) -> tuple[float, float]:
    """Distances down and up within which a coordinate has no effect, by bisection; at most `far` or to a bound."""
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
    return [shifted is not None and np.abs(shifted - r).max() <= UNMOVED for shifted in problem.residuals(points)]
