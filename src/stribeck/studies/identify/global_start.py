"""A start from all of the bounds: Latin hypercube, or evolution with an adapted covariance (CMA-ES)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .losses import Loss
from .problem import Problem

GLOBAL = ("lhs", "cma")
DECADE = math.log(10.0)
"""How far to look beside the start where there is no bound: a factor of 10."""
SAMPLES = 16
"""Points of the hypercube per parameter."""
FOLLOWED = 3
"""Best points from which a search begins."""


def global_points(
    problem: Problem, loss: Loss, way: str, seed: int, say: Callable[[float, str], None]
) -> list[np.ndarray]:
    """Points from which to search: the start itself, and the best of those looked at.

    >>> global_points(problem, LOSSES["linear"], "lhs", 0, print)
    """
    low, high = box(problem)
    rng = np.random.default_rng(seed)
    if way == "cma":
        return [_cma(problem, loss, low, high, rng, say)]
    points = _hypercube(low, high, SAMPLES * low.size, rng)
    costs = _costs(problem, loss, points, say)
    best = np.argsort(costs)[:FOLLOWED]
    return [np.zeros(low.size), *(points[i] for i in best if math.isfinite(costs[i]))]


def box(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Where to look, in coordinates: the bounds; a decade beside the start where there are none."""
    low, high = problem.limits
    logs = np.array([parameter.log for parameter in problem.free])
    far = np.where(logs, DECADE, 10.0)
    near = np.where(logs, DECADE, [1.0 if p.low >= 0 else 10.0 for p in problem.free])
    return np.where(np.isfinite(low), low, -near), np.where(np.isfinite(high), high, far)


def _hypercube(low: np.ndarray, high: np.ndarray, count: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Points of which every parameter takes every of `count` equal parts of its range once."""
    ranks = np.array([rng.permutation(count) for _ in low]).T
    return list(low + (high - low) * (ranks + rng.random(ranks.shape)) / count)


def _costs(
    problem: Problem, loss: Loss, points: list[np.ndarray], say: Callable[[float, str], None], first: float = 0.0
) -> np.ndarray:
    costs: list[float] = []
    for at in range(0, len(points), 8):
        costs += [math.inf if r is None else loss.cost(r) for r in problem.residuals(points[at : at + 8])]
        say(first + 0.3 * len(costs) / len(points) * (1 - first), f"global start: {len(costs)} of {len(points)}")
    return np.array(costs)


def _cma(
    problem: Problem,
    loss: Loss,
    low: np.ndarray,
    high: np.ndarray,
    rng: np.random.Generator,
    say: Callable[[float, str], None],
) -> np.ndarray:
    """CMA-ES (N. Hansen: The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772), in the unit cube of the box."""
    n = low.size
    size = 4 + int(3 * math.log(n)) + 4
    weights = math.log((size + 1) / 2) - np.log(np.arange(1, size // 2 + 1))
    weights /= weights.sum()
    worth = 1 / float(weights @ weights)
    c_path, c_step = (4 + worth / n) / (n + 4 + 2 * worth / n), (worth + 2) / (n + worth + 5)
    c_one = 2 / ((n + 1.3) ** 2 + worth)
    c_mu = min(1 - c_one, 2 * (worth - 2 + 1 / worth) / ((n + 2) ** 2 + worth))
    damping = 1 + 2 * max(0.0, math.sqrt((worth - 1) / (n + 1)) - 1) + c_step
    expected = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    mean, sigma, covariance = -low / (high - low), 0.3, np.eye(n)
    path, step_path = np.zeros(n), np.zeros(n)
    best, lowest = np.zeros(n), math.inf
    generations = 20 + 5 * n
    for generation in range(1, generations + 1):
        values, axes = np.linalg.eigh(covariance)
        spread = np.sqrt(np.maximum(values, 1e-20))
        moves = (rng.normal(size=(size, n)) * spread) @ axes.T
        cubes = np.clip(mean + sigma * moves, 0.0, 1.0)
        points = [low + (high - low) * cube for cube in cubes]
        costs = np.array([math.inf if r is None else loss.cost(r) for r in problem.residuals(points)])
        order = np.argsort(costs)
        if costs[order[0]] < lowest:
            best, lowest = points[order[0]], float(costs[order[0]])
        chosen = (cubes[order[: size // 2]] - mean) / sigma
        shift = weights @ chosen
        mean = mean + sigma * shift
        whitened = axes @ ((axes.T @ shift) / spread)
        step_path = (1 - c_step) * step_path + math.sqrt(c_step * (2 - c_step) * worth) * whitened
        length = float(np.linalg.norm(step_path))
        short = length / math.sqrt(1 - (1 - c_step) ** (2 * generation)) < (1.4 + 2 / (n + 1)) * expected
        path = (1 - c_path) * path + short * math.sqrt(c_path * (2 - c_path) * worth) * shift
        covariance = (
            (1 - c_one - c_mu) * covariance
            + c_one * (np.outer(path, path) + (not short) * c_path * (2 - c_path) * covariance)
            + c_mu * (chosen.T * weights) @ chosen
        )
        sigma *= math.exp((c_step / damping) * (length / expected - 1))
        say(0.3 * generation / generations, f"global start: generation {generation} of {generations}")
        if sigma * spread.max() < 1e-3:
            break
    return best
