"""Levenberg-Marquardt within bounds, with several dampings tried at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...errors import SimulationError
from .losses import Loss
from .problem import Problem
from .simulation import WORKERS

LONGEST = 1.5
"""Longest step of a coordinate on a log scale: a factor of 4.5."""
DAMPINGS = 10.0 ** np.arange(12)
"""Factors of the damping that are tried until one lowers the cost."""


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where a search has ended."""

    x: np.ndarray
    residual: np.ndarray
    jacobian: np.ndarray
    cost: float
    iterations: int
    runs: int
    """Simulations of all records."""
    converged: bool


def minimise(
    problem: Problem,
    x: np.ndarray,
    loss: Loss,
    *,
    accuracy: float = 1e-3,
    limit: int = 60,
    watch: Callable[[int, float], None] | None = None,
) -> Minimum:
    """The nearest minimum of the cost. The step solves (J'WJ + damping diag(J'WJ)) dx = -J'W r in the coordinates that
    no bound stops; it ends when the step that is left is below `accuracy` standard errors, or nothing lowers the cost.

    >>> minimise(problem, np.zeros(5), LOSSES["linear"]).x
    """
    low, high = problem.limits
    x = np.clip(x, low, high)
    (r,) = problem.residuals([x])
    if r is None:
        values = ", ".join(f"{path} = {value:g}" for path, value in problem.values(x).items())
        problem.rigs[0].simulate(problem.values(x))  # raises what is wrong
        raise SimulationError(f"fit: the model cannot be run at the start: {values}; give other start values")
    cost, damping, runs, converged = loss.cost(r), 1e-3, 1, False
    jacobian = np.zeros((r.size, x.size))
    iteration = 0
    for iteration in range(1, limit + 1):
        jacobian = problem.jacobian(x, r)
        runs += x.size
        weight = loss.weight(r)
        gradient = jacobian.T @ (weight * r)
        normal = jacobian.T @ (weight[:, None] * jacobian)
        moving = ~(((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0))) & (normal.diagonal() > 0)
        if not moving.any() or _left(gradient[moving], normal[np.ix_(moving, moving)], cost, problem) < accuracy:
            converged = True
            break
        for start in range(0, DAMPINGS.size, WORKERS):
            tried = damping * DAMPINGS[start : start + WORKERS]
            points = [_moved(problem, x, gradient, normal, moving, d) for d in tried]
            trials = problem.residuals(points)
            runs += len(points)
            costs = [np.inf if trial is None else loss.cost(trial) for trial in trials]
            best = int(np.argmin(costs))
            if costs[best] < cost:
                break
        trial = trials[best]
        if trial is None or not costs[best] < cost:
            converged = True  # nothing lowers the cost: the slopes are at the noise of the simulation
            break
        x, r, cost = points[best], trial, costs[best]
        damping = max(tried[best] / 10, 1e-9)
        if watch is not None:
            watch(iteration, cost)
    return Minimum(x, r, jacobian, cost, iteration, runs, converged)


def _left(gradient: np.ndarray, normal: np.ndarray, cost: float, problem: Problem) -> float:
    """The step to the minimum that the slopes promise, in standard errors."""
    drop = float(gradient @ np.linalg.lstsq(normal, gradient, rcond=1e-12)[0])
    variance = 2 * cost / max(problem.count - len(problem.free), 1)
    return float(np.sqrt(max(drop, 0.0) / variance)) if variance > 0 else 0.0


def _moved(
    problem: Problem, x: np.ndarray, gradient: np.ndarray, normal: np.ndarray, moving: np.ndarray, damping: float
) -> np.ndarray:
    """The point after one damped step."""
    part = normal[np.ix_(moving, moving)]
    step = np.zeros_like(x)
    step[moving] = -np.linalg.lstsq(part + damping * np.diag(part.diagonal()), gradient[moving], rcond=None)[0]
    logs = np.array([parameter.log for parameter in problem.free])
    longest = float(np.abs(step[logs]).max(initial=0.0))
    step *= min(1.0, LONGEST / longest) if longest else 1.0
    low, high = problem.limits
    return np.asarray(np.clip(x + step, low, high))
