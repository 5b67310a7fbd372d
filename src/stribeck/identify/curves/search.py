"""Grids of the nonlinear parameters of a curve, and sums of squares of the best curves."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np

from ..regression.separable import Separated, refined, separable_fit, solved
from .form import CurveForm
from .steady_points import SteadyPoints

EXPONENTS = np.geomspace(0.4, 5.0, 11)
FINENESS = 60
"""Number of trial Stribeck speeds."""
COARSE = 12
"""The same for comparisons of many fits."""
ENOUGH = 1000
"""Most points of the grid when points are left out; a finer grid is thinned."""
TOGETHER = 256
"""Points of the grid that are evaluated at once."""
THRESHOLDS = 60
"""Number of trial thresholds; with fewer points, all between them."""
LOADS = np.geomspace(0.2, 5.0, 9)
"""Trial ratios of friction backwards to that forwards."""
WORTH = 2.0
"""Cost on the grid, relative to the largest one allowed, up to which a minimum is refined."""
APART = 1.3
"""Ratio of Stribeck speeds from which on two curves are different ones."""
BEYOND = 10.0
"""Range of trial Stribeck speeds: this factor below the slowest point and above the fastest one."""


def grids_of(points: SteadyPoints, form: CurveForm, fineness: int = FINENESS) -> dict[str, np.ndarray]:
    """Trial values of the nonlinear parameters.

    >>> grids_of(points, CurveForm())["v_s"][[0, -1]]
    array([0.001, 100.0])
    """
    pace = np.unique(np.abs(points.speed))
    grids = {}
    if form.stribeck:
        grids["v_s"] = np.geomspace(pace[0] / BEYOND, pace[-1] * BEYOND, FINENESS)
        if form.exponent is None:
            grids["exponent"] = EXPONENTS
    if form.threshold:
        between = pace[1:-1] if pace.size <= THRESHOLDS else np.quantile(pace, np.linspace(0.02, 0.98, THRESHOLDS))
        grids["v_v"] = 0.5 * (between[:-1] + between[1:]) if form.threshold == "jump" else between[:-1]
    if form.loads:
        grids["load_backward"] = LOADS
    grids = {name: grid[:: max(1, grid.size // fineness)] for name, grid in grids.items()}
    return {name: _within(grid, *form.bounds[name]) if name in form.bounds else grid for name, grid in grids.items()}


def _within(grid: np.ndarray, low: float, high: float) -> np.ndarray:
    """Trial values between bounds; these are tried, too."""
    ends = [max(low, 1e-3 * float(grid[0])), min(high, 1e3 * float(grid[-1]))]
    inside = grid[(grid > ends[0]) & (grid < ends[1])]
    return np.concatenate([[ends[0]], inside, [ends[1]]])


DEEP = 1 - 1e-9
"""A minimum along the Stribeck speed is below its neighbours by more than rounding: where v_s is below all speeds, the
costs are flat."""


def rivals(points: SteadyPoints, form: CurveForm, best: float, most: float) -> list[Separated]:
    """Other curves with a cost up to `most`: minima along the Stribeck speed that are not at the `best` one.

    >>> rivals(points, CurveForm(), 0.2, 1e-4)
    []
    """
    grids = grids_of(points, form)

    def columns(x: Mapping[str, float]) -> dict[str, np.ndarray]:
        return form.columns(points.speed, x)

    rest = {name: grid[:: max(1, grid.size // COARSE)] for name, grid in grids.items() if name != "v_s"}
    trials = []
    for v_s in grids["v_s"]:
        points_of_rest = [dict(zip(rest, each, strict=True)) for each in product(*rest.values())] or [{}]
        every = (
            solved(columns, points.friction, {**x, "v_s": v_s}, points.weight, form.bounds) for x in points_of_rest
        )
        trials.append(min(every, key=lambda found: found.cost))
    costs = np.array([trial.cost for trial in trials])
    low = np.flatnonzero(costs[1:-1] < DEEP * np.minimum(costs[:-2], costs[2:])) + 1
    low = low[costs[low] <= WORTH * most]
    bounds = {name: (float(grid[0]), float(grid[-1])) for name, grid in grids.items()}
    found: list[Separated] = []
    for at in low:
        each = refined(columns, points.friction, trials[at].nonlinear, bounds, points.weight, form.bounds)
        same = [each.nonlinear["v_s"] / other for other in (best, *(rival.nonlinear["v_s"] for rival in found))]
        inside = bounds["v_s"][0] * 1.01 < each.nonlinear["v_s"] < bounds["v_s"][1] / 1.01
        if inside and each.cost <= most and all(not 1 / APART < ratio < APART for ratio in same):
            found.append(each)
    return found


def squares(points: SteadyPoints, form: CurveForm) -> float:
    """The weighted sum of squared residuals of the best curve.

    >>> squares(points, CurveForm())
    1.58e-05
    """
    grids = grids_of(points, form, COARSE)
    return separable_fit(
        lambda x: form.columns(points.speed, x), points.friction, grids, _weight(points), form.bounds
    ).cost


def squares_from(points: SteadyPoints, form: CurveForm, start: Mapping[str, float]) -> float:
    """The same, from start values of the nonlinear parameters instead of a grid.

    >>> squares_from(points, CurveForm(), {"v_s": 0.2})
    1.58e-05
    """
    bounds = {name: (float(grid[0]), float(grid[-1])) for name, grid in grids_of(points, form, COARSE).items()}
    return refined(
        lambda x: form.columns(points.speed, x), points.friction, start, bounds, _weight(points), form.bounds
    ).cost


def squares_without_each(points: SteadyPoints, form: CurveForm) -> tuple[np.ndarray, list[dict[str, float]]]:
    """The same with each point left out in turn, evaluated on the grid, and where on the grid: leaving out a point
    reduces the sum of squares by r^2 / (1 - h) with its leverage h.

    >>> squares_without_each(points, CurveForm())[0].shape
    (30,)
    """
    grids, weight, costs = grids_of(points, form), _weight(points), []
    trials = [dict(zip(grids, map(float, values), strict=True)) for values in product(*grids.values())]
    trials = trials[:: -(-len(trials) // ENOUGH)]
    goal = points.friction * weight
    for first in range(0, len(trials), TOGETHER):
        some = [form.columns(points.speed, trial) for trial in trials[first : first + TOGETHER]]
        matrices = np.array([list(terms.values()) for terms in some]).transpose(0, 2, 1) * weight[:, None]
        base = np.linalg.qr(matrices)[0]
        rest = goal - (base @ (base.transpose(0, 2, 1) @ goal)[..., None])[..., 0]
        free = np.maximum(1 - np.sum(base**2, axis=2), 1e-9)
        costs.append(np.sum(rest**2, axis=1)[:, None] - rest**2 / free)
    every = np.concatenate(costs)
    at = np.argmin(every, axis=0)
    return every[at, np.arange(len(points))], [trials[i] for i in at]


def _weight(points: SteadyPoints) -> np.ndarray:
    return np.ones(len(points)) if points.friction_error is None else 1 / points.friction_error
