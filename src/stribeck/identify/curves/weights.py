"""Weights of points that follow from the residuals: outliers count less, and noise may grow with speed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...errors import SpecError
from .steady_points import SteadyPoints

LOSSES: dict[str, tuple[float, Callable[[np.ndarray], np.ndarray]]] = {
    "huber": (1.345, lambda r: 1 / np.maximum(np.abs(r), 1.0)),
    "soft_l1": (1.5, lambda r: 1 / np.sqrt(1 + r**2)),
    "cauchy": (2.385, lambda r: 1 / (1 + r**2)),
}
"""Robust losses: the residual, in standard deviations, at which the weight begins to fall (95 % efficient for normal
noise), and the weight of a residual relative to it."""
NOISES = ("equal", "growing")
GROWTH = np.concatenate([[0.0], np.geomspace(0.1, 100.0, 61)])
"""Trial ratios of the noise at the fastest point to that at rest, less 1."""
ITERATIONS = 12
SETTLED = 1e-4
"""Relative change of the errors of points after which they have converged."""
SURE = 4.0
"""Least gain of the log-likelihood, times two, for growing noise: one parameter at 95 %."""


def reweighted(
    points: SteadyPoints, loss: str, noise: str, curve: Callable[[SteadyPoints], np.ndarray]
) -> tuple[SteadyPoints, float]:
    """Points with errors that follow from residuals, and the factor by which the covariance of a robust fit is larger.

    `curve` fits points and gives the curve at their speeds.

    >>> reweighted(points, "linear", "equal", lambda each: each.friction)[1]
    1.0
    """
    if loss not in ("linear", *LOSSES):
        raise SpecError(f"loss = '{loss}' must be one of linear, {', '.join(LOSSES)}")
    if noise not in NOISES:
        raise SpecError(f"noise = '{noise}' must be one of {', '.join(NOISES)}")
    if loss == "linear" and noise == "equal":
        return points, 1.0
    base = np.ones(len(points)) if points.friction_error is None else points.friction_error
    trial, widening = replace(points, friction_error=base), 1.0
    for _ in range(ITERATIONS):
        rest = points.friction - curve(trial)
        shape = _growing(rest / base, np.abs(points.speed)) if noise == "growing" else np.ones_like(base)
        weight, widening = _robust(rest / (base * shape), loss)
        errors = base * shape / np.sqrt(weight)
        before, trial = trial, replace(points, friction_error=errors)
        if np.max(np.abs(before.friction_error / errors - 1)) < SETTLED:
            break
    return trial, widening


def _growing(rest: np.ndarray, pace: np.ndarray) -> np.ndarray:
    """Standard deviations relative to that at rest, 1 + growth |v| / fastest, of the largest likelihood; all 1 if noise
    does not grow significantly."""
    shapes = 1 + np.outer(GROWTH, pace / pace.max())
    floor = 1e-9 * float(np.abs(rest).max()) + 1e-300
    likelihood = [-rest.size * np.log(np.mean((rest / s) ** 2) + floor**2) - 2 * np.sum(np.log(s)) for s in shapes]
    best = int(np.argmax(likelihood))
    return np.asarray(shapes[best if likelihood[best] - likelihood[0] > SURE else 0])


def _robust(rest: np.ndarray, loss: str) -> tuple[np.ndarray, float]:
    """Weights of residuals, and the factor of the covariance (Huber 1981): the mean square of the weighted residuals,
    over the squared mean slope of the weighted residual by the residual."""
    if loss == "linear":
        return np.ones_like(rest), 1.0
    begin, weigh = LOSSES[loss]
    spread = 1.4826 * float(np.median(np.abs(rest)))
    if spread == 0:
        return np.ones_like(rest), 1.0
    relative = rest / (begin * spread)
    weight, step = weigh(relative), 1e-6
    slope = float(np.mean(((relative + step) * weigh(relative + step) - relative * weight) / step))
    squares = float(np.sum((weight * relative) ** 2)) / float(np.sum(weight * relative**2))
    return weight, squares * float(np.mean(weight)) / max(slope, 0.1) ** 2


def noise_notes(points: SteadyPoints, weighted: SteadyPoints, loss: str, noise: str) -> tuple[str, ...]:
    """What was found about the noise.

    >>> noise_notes(points, points, "linear", "equal")
    ()
    """
    if noise == "equal" or loss != "linear" or weighted.friction_error is None:
        return ()
    base = np.ones(len(points)) if points.friction_error is None else points.friction_error
    shape = weighted.friction_error / base
    if np.ptp(shape) == 0:
        return ("the noise of the points does not grow with speed",)
    fastest = float(shape[int(np.argmax(np.abs(points.speed)))])
    return (f"the noise of the points grows with speed: {fastest:.2g} times that at rest at the fastest point",)
