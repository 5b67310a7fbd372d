"""Separable nonlinear least squares: few nonlinear parameters are searched, the linear ones follow.

G. Golub, V. Pereyra: Separable nonlinear least squares: the variable projection method and its applications. Inverse
Problems 19 (2003). The search starts on a grid: it needs no start values and does not end in a local minimum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from .estimate import Estimate, linear_fit

Columns = Callable[[Mapping[str, float]], Mapping[str, np.ndarray]]
"""From the nonlinear parameters to the column of each linear one."""
Limits = Mapping[str, tuple[float, float]]
"""Bounds of linear parameters."""
FREE = (-np.inf, np.inf)
STEP = 1e-5
"""Step of central differences, relative to a parameter."""
MOST_EVALUATIONS = 60
"""Most steps of a search, which need not converge."""
MOST_TRIALS = 4000
"""Most points of a grid that are evaluated; a finer grid is thinned."""


@dataclass(frozen=True, eq=False)
class Separated:
    """The best parameters and their residuals.

    >>> found.values, found.cost
    ({'a': 2.0, 'T': 0.3}, 0.399)
    """

    linear: Mapping[str, float]
    nonlinear: Mapping[str, float]
    residuals: np.ndarray
    """Weighted."""

    @property
    def values(self) -> dict[str, float]:
        """All parameters.

        >>> found.values["T"]
        0.3
        """
        return {**self.linear, **self.nonlinear}

    @property
    def cost(self) -> float:
        """Sum of squares.

        >>> found.cost
        0.399
        """
        return float(self.residuals @ self.residuals)


def separable_fit(
    columns: Columns,
    target: np.ndarray,
    grids: Mapping[str, np.ndarray],
    weight: np.ndarray | float = 1.0,
    limits: Limits | None = None,
) -> Separated:
    """The parameters that minimise the squares of weight (target - columns p); nonlinear ones are positive.

    `grids` are start values of the nonlinear parameters; their ends are bounds. `limits` are bounds of linear ones.

    >>> separable_fit(lambda x: {"a": np.exp(-t / x["T"])}, y, {"T": np.geomspace(0.01, 10, 50)}).values
    {'a': 2.0, 'T': 0.3}
    """
    trials = list(product(*grids.values()))
    trials = trials[:: max(1, len(trials) // MOST_TRIALS)]
    start = min((solved(columns, target, dict(zip(grids, t, strict=True)), weight, limits) for t in trials), key=_cost)
    return refined(columns, target, start.nonlinear, {n: (g[0], g[-1]) for n, g in grids.items()}, weight, limits)


def refined(
    columns: Columns,
    target: np.ndarray,
    start: Mapping[str, float],
    bounds: Mapping[str, tuple[float, float]],
    weight: np.ndarray | float = 1.0,
    limits: Limits | None = None,
) -> Separated:
    """A local minimum, from start values of the nonlinear parameters.

    >>> refined(columns, y, {"T": 0.25}, {"T": (0.01, 10)}).nonlinear
    {'T': 0.3}
    """
    from scipy.optimize import least_squares

    free = [name for name in start if bounds[name][0] < bounds[name][1]]
    if not free:
        return solved(columns, target, start, weight, limits)

    def at(logs: np.ndarray) -> Separated:
        return solved(columns, target, {**start, **dict(zip(free, np.exp(logs), strict=True))}, weight, limits)

    low, high = (np.log([bounds[name][side] for name in free]) for side in (0, 1))
    first = np.clip(np.log([start[name] for name in free]), low, high)
    scale = max(solved(columns, target, start, weight, limits).cost ** 0.5, 1e-300)
    search = least_squares(
        lambda x: at(x).residuals / scale,
        first,
        bounds=(low, high),
        xtol=1e-12,
        ftol=1e-14,
        gtol=1e-14,
        max_nfev=MOST_EVALUATIONS,
    )
    return min(at(search.x), at(first), key=_cost)


def solved(
    columns: Columns,
    target: np.ndarray,
    nonlinear: Mapping[str, float],
    weight: np.ndarray | float = 1.0,
    limits: Limits | None = None,
) -> Separated:
    """The linear parameters for given nonlinear ones.

    >>> solved(columns, y, {"T": 0.3}).linear
    {'a': 2.0}
    """
    terms = columns(nonlinear)
    matrix = np.column_stack(list(terms.values())) * np.reshape(weight, (-1, 1))
    size = np.maximum(np.linalg.norm(matrix, axis=0), 1e-300)
    goal = target * weight
    found = np.linalg.lstsq(matrix / size, goal, rcond=1e-12)[0] / size
    low, high = ([(limits or {}).get(name, FREE)[side] for name in terms] for side in (0, 1))
    if np.any(found < low) or np.any(found > high):
        from scipy.optimize import lsq_linear

        found = lsq_linear(matrix / size, goal, (np.array(low) * size, np.array(high) * size)).x / size
    return Separated(dict(zip(terms, found.tolist(), strict=True)), dict(nonlinear), goal - matrix @ found)


def profile(
    columns: Columns,
    target: np.ndarray,
    grids: Mapping[str, np.ndarray],
    name: str,
    best: Separated,
    weight: np.ndarray | float = 1.0,
    limits: Limits | None = None,
) -> np.ndarray:
    """Profile: the least cost along the grid of one nonlinear parameter, with all others free.

    >>> profile(columns, y, {"T": grid}, "T", found)
    """
    bounds = {n: (g[0], g[-1]) for n, g in grids.items()}
    costs = []
    for value in grids[name]:
        fixed = {**bounds, name: (value, value)}
        costs.append(refined(columns, target, {**best.nonlinear, name: float(value)}, fixed, weight, limits).cost)
    return np.array(costs)


def linearised_estimate(
    model: Callable[[Mapping[str, float]], np.ndarray],
    values: Mapping[str, float],
    target: np.ndarray,
    *,
    units: Mapping[str, str] | None = None,
    errors: np.ndarray | None = None,
    coloured: bool = False,
    method: str = "least squares",
) -> Estimate:
    """Estimates of a nonlinear model with their uncertainty, from its linearisation at the best fit.

    >>> linearised_estimate(lambda p: p["a"] * np.exp(-t / p["T"]), found.values, y).interval()["T"]
    (0.299, 0.3)
    """
    slopes = {name: _slope(model, values, name) for name in values}
    linear = sum((slopes[name] * values[name] for name in values), np.zeros_like(target))
    return linear_fit(
        slopes, linear + target - model(values), units=units, errors=errors, coloured=coloured, method=method
    )


def _slope(model: Callable[[Mapping[str, float]], np.ndarray], values: Mapping[str, float], name: str) -> np.ndarray:
    step = STEP * (abs(values[name]) or 1.0)
    above, below = (model({**values, name: values[name] + sign * step}) for sign in (1, -1))
    return np.asarray((above - below) / (2 * step))


def _cost(found: Separated) -> float:
    return found.cost
