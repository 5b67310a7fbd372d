"""Global search for start values: guided motion, a Latin hypercube of the bounds, or differential evolution."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np

from .guided import guided_points
from .losses import RobustLoss
from .problem import Problem

GLOBAL = ("guided", "lhs", "evolution")
DECADE = math.log(10.0)
"""Range of the search about the start where there is no bound: a factor of 10."""
SAMPLES = 16
"""Points of the hypercube per parameter."""
TOGETHER = 32
"""Points of one batch, between two reports of the progress."""
FOLLOWED = 3
"""Best points from which a search begins."""

SMALL = 1e-3
"""Standard deviation of the costs of a population, relative to their mean, at which it has converged."""


def global_points(
    problem: Problem, loss: RobustLoss, way: str, seed: int, progress: Callable[[float, str], None]
) -> list[np.ndarray]:
    """Starting points for local searches: the start itself, and the sampled points of lowest cost.

    >>> global_points(problem, result.loss, "lhs", seed=0, progress=progress)
    """
    low, high = box(problem)
    rng = np.random.default_rng(seed)
    if way == "evolution":
        return [_evolved(problem, loss, low, high, rng, progress)]
    if way == "guided":
        points = guided_points(problem, low, high, progress)
    else:
        points = _hypercube(low, high, SAMPLES * low.size, rng)
    costs = _costs(problem, loss, points, progress)
    best = np.argsort(costs)[:FOLLOWED]
    return [np.zeros(low.size), *(points[i] for i in best if math.isfinite(costs[i]))]


def box(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """The search range in coordinates: the bounds; a decade about the start where there are none."""
    low, high = problem.limits
    logs = np.array([parameter.log for parameter in problem.free])
    far = np.where(logs, DECADE, 10.0)
    near = np.where(logs, DECADE, [1.0 if p.low >= 0 else 10.0 for p in problem.free])
    return np.where(np.isfinite(low), low, -near), np.where(np.isfinite(high), high, far)


def _hypercube(low: np.ndarray, high: np.ndarray, number: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Points that take each of `number` equal parts of the range of every parameter once."""
    from scipy.stats import qmc

    return list(low + (high - low) * qmc.LatinHypercube(low.size, rng=rng).random(number))


def _costs(
    problem: Problem,
    loss: RobustLoss,
    points: list[np.ndarray],
    progress: Callable[[float, str], None],
) -> np.ndarray:
    costs: list[float] = []
    for at in range(0, len(points), TOGETHER):
        costs += [math.inf if r is None else loss.cost(r) for r in problem.residuals(points[at : at + TOGETHER])]
        progress(0.3 * len(costs) / len(points), f"global start: {len(costs)} of {len(points)}")
    return np.array(costs)


def _evolved(
    problem: Problem,
    loss: RobustLoss,
    low: np.ndarray,
    high: np.ndarray,
    rng: np.random.Generator,
    progress: Callable[[float, str], None],
) -> np.ndarray:
    """The best point that a population finds in the box, by differential evolution (R. Storn, K. Price 1997)."""
    from scipy.optimize import differential_evolution

    size, generations = population_size(low.size)

    def costs(points: np.ndarray) -> np.ndarray:
        found = [math.inf if r is None else loss.cost(r) for r in problem.residuals(list(points.T))]
        return np.where(np.isnan(found), math.inf, found)

    done = count(1)

    def report(intermediate_result: Any) -> None:
        generation = next(done)
        progress(0.3 * generation / generations, f"global start: generation {generation} of {generations}")

    best = differential_evolution(
        costs,
        list(zip(low, high, strict=True)),
        x0=np.zeros(low.size),
        popsize=size,
        maxiter=generations,
        tol=SMALL,
        rng=rng,
        polish=False,
        vectorized=True,
        updating="deferred",
        callback=report,
    )
    return np.asarray(best.x)


def population_size(parameters: int) -> tuple[int, int]:
    """Points per parameter, and generations: about as many simulations as (8 + 3 ln n)(20 + 5 n).

    >>> population_size(6)
    (3, 35)
    """
    points = 8 + int(3 * math.log(parameters))
    size = max(2, points // parameters + 1)
    return size, max(1, points * (20 + 5 * parameters) // (size * parameters) - 1)
