"""Intervals by likelihood ratio: where the cost of a fit is no quadratic function of its parameters.

The profile of a parameter is the least cost over all others. The likelihood ratio statistic D = 2 (cost - minimum) /
variance of the residuals is the square of (x - estimate) / error for quadratic costs. Autocorrelated residuals, and
scatter between records, make it larger by the same factor as the squared error; D is divided by that factor.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...declare import unknown
from ...errors import SpecError, StribeckError, UnknownName
from .levenberg import minimise
from .problem import Problem, Slope
from .sums import gram

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .result import FitResult

CLOSE = 0.02
"""Relative error of the root of D at an end of the interval."""
TRIES = 10
"""Most points on one side."""
GROWTH = 3.0
"""Largest increase of the distance from one point to the next."""
FARTHEST = 30.0
"""Distance, in half widths of the quadratic interval, beyond which the interval is open."""
ACCURACY = 1e-2
"""`accuracy` of the minima over the other parameters: a tenth of a standard error."""
WIDE = 0.05
"""Standard error of a coordinate, 5 % of a positive parameter, from which on its curvature may matter."""
LOPSIDED = 1.2
"""Ratio of the roots of D at two standard errors to both sides, or to 2, from which on an interval should be a
profile."""


@dataclass(frozen=True, eq=False)
class Profile:
    """The interval of one parameter by likelihood ratio, in SI, and the points on which it rests.

    >>> result.profile("load.m").interval
    (1.0, 1.0)
    """

    path: str
    unit: str
    level: float
    value: float
    interval: tuple[float, float]
    """Ends; infinite, or a bound of the parameter, where the records do not limit it."""
    quadratic: tuple[float, float]
    """The interval from the curvature at the minimum."""
    values: np.ndarray
    ratios: np.ndarray
    """Signed roots of the statistic at `values`: about -2 and 2 at the ends of an interval of 95 %."""

    def plot(self, path: str | Path | None = None) -> Figure:
        """Plots the signed root over the parameter; a straight line would be a quadratic cost.

        >>> result.profile("load.m").plot("profile.png")
        """
        from .plots import plot_profile

        return plot_profile(self, path)

    def __str__(self) -> str:
        low, high = (f"{end:.6g}" for end in self.interval)
        ends = " to ".join(f"{end:.6g}" for end in self.quadratic)
        unit = f" {self.unit}" if self.unit else ""
        return (
            f"{self.path} = {self.value:.6g}{unit}: {low} to {high} with {100 * self.level:g} % by likelihood ratio "
            f"({ends} from the curvature)"
        )


def profile(result: FitResult, path: str, level: float = 0.95) -> Profile:
    """The profile of one parameter of a fit, as far as its interval needs it."""
    if path not in result.names:
        raise UnknownName(unknown("profile: the fit has no free parameter", path, result.names))
    if not 0 < level < 1:
        raise SpecError(f"profile: level = {level:g} must be between 0 and 1, for instance 0.95")
    if path in result.unidentifiable:
        raise SpecError(f"profile: {path} is not identifiable: {result.unidentifiable[path]}")
    from scipy.special import stdtrit

    i = result.names.index(path)
    target = float(stdtrit(result.uncertainty.freedom, 0.5 + level / 2))
    root = _Root(result, i)
    ends = [_end(root, side, target) for side in (-1.0, 1.0)]
    at = sorted(root.known)
    p = result.free[i]
    return Profile(
        path,
        p.unit,
        level,
        p.value(float(result.minimum.x[i])),
        (_value(result, i, ends[0]), _value(result, i, ends[1])),
        result.interval(level)[path],
        np.array([p.value(x) for x in at]),
        np.array([root.known[x] for x in at]),
    )


def asymmetric(result: FitResult) -> list[str]:
    """Parameters whose quadratic intervals are wrong: two standard errors to both sides, while the others follow along
    their correlation, the cost rises differently, or not as the curvature says. Only wide intervals can be."""
    slope, errors = result.minimum.slope, result.uncertainty.errors
    wide = [i for i, path in enumerate(result.names) if errors[i] > WIDE and path not in result.unidentifiable]
    if slope is None or not wide:
        return []
    points = [result.problem.projected(x) for i in wide for x in _both_sides(result, i)]
    residuals = iter(result.problem.residuals(points))
    roots = {i: [_linear_root(result, slope, i, next(residuals)) for _ in range(2)] for i in wide}
    return [result.names[i] for i, pair in roots.items() if not _even(*pair)]


def _both_sides(result: FitResult, i: int) -> list[np.ndarray]:
    """Two standard errors of a coordinate to both sides, with what the others do by their correlation."""
    follow = 2 * result.uncertainty.covariance[:, i] / result.uncertainty.errors[i]
    return [result.minimum.x - follow, result.minimum.x + follow]


def _linear_root(result: FitResult, slope: Slope, i: int, r: np.ndarray | None) -> float:
    """The root of the statistic at residuals, less what a linear step of the other coordinates would gain."""
    if r is None:
        return math.inf
    others = np.delete(slope.jacobian, i, axis=1)
    weighted = result.loss.weight(r)[:, None] * others
    gradient = gram(weighted, r)
    gain = float(gradient @ np.linalg.lstsq(gram(weighted, others), gradient, rcond=None)[0])
    return math.sqrt(max(_statistic(result, r) - gain / _variance(result), 0.0) / _factor(result, i))


def _even(below: float, above: float) -> bool:
    """Whether both roots are about equal, and about 2."""
    small, large = sorted((below, above))
    return large < LOPSIDED * small and small > 2 / LOPSIDED and large < 2 * LOPSIDED


class _Root:
    """The signed root of the statistic over one coordinate, with all points computed so far."""

    def __init__(self, result: FitResult, i: int) -> None:
        self.result, self.i = result, i
        self.at = result.minimum.x
        self.error = float(result.uncertainty.errors[i])
        self.factor = _factor(result, i)
        self.known: dict[float, float] = {float(self.at[i]): 0.0}
        self.points: dict[float, np.ndarray] = {float(self.at[i]): self.at}

    def __call__(self, x: float) -> float:
        """The root at a coordinate; infinite where the model cannot be simulated."""
        if x not in self.known:
            self.known[x] = self._computed(x)
        return self.known[x]

    def _computed(self, x: float) -> float:
        problem, side = _held(self.result.problem, self.i, x), math.copysign(1.0, x - float(self.at[self.i]))
        start = self._start(x)
        try:
            found = minimise(
                problem, start, self.result.loss, accuracy=ACCURACY, limit=20, borrowed=self.result.minimum.slope
            )
        except StribeckError:
            return side * math.inf
        self.points[x] = found.x
        return side * math.sqrt(max(_statistic(self.result, found.residual) / self.factor, 0.0))

    def _start(self, x: float) -> np.ndarray:
        """From the nearest point: the others follow along their correlation."""
        near = min(self.points, key=lambda known: abs(known - x))
        follow = self.result.uncertainty.covariance[:, self.i] / self.error**2
        start = self.points[near] + (x - near) * follow
        start[self.i] = x
        return np.asarray(start)


def _end(root: _Root, side: float, target: float) -> float:
    """The coordinate at which the root has the size `target`, by secants; infinite if there is none."""
    centre, width = float(root.at[root.i]), target * root.error
    low, high = root.result.problem.limits_at(root.at)
    bound = float((low, high)[side > 0][root.i])
    near, near_size = centre, 0.0
    x = centre + side * width
    for _ in range(TRIES):
        x = min(x, bound) if side > 0 else max(x, bound)
        size = abs(root(x))
        if abs(size - target) < CLOSE * target:
            return x
        if not math.isfinite(size):
            x = (near + x) / 2
            continue
        if (x == bound and size < target) or abs(x - centre) > FARTHEST * width:
            return side * math.inf
        slope = (size - near_size) / abs(x - near) if size != near_size else 0.0
        reach = (target - size) / slope if slope > 0 else math.inf
        reach = min(reach, (GROWTH - 1) * abs(x - centre))
        near, near_size, x = x, size, x + side * max(reach, -0.9 * abs(x - centre))
    return x


def _held(problem: Problem, i: int, x: float) -> Problem:
    """The same problem with one coordinate held."""
    value, free = problem.free[i].value(x), list(problem.free)
    free[i] = replace(free[i], low=value, high=value)
    return replace(problem, free=free, steps={})


def _statistic(result: FitResult, r: np.ndarray) -> float:
    """2 (cost - minimum) / variance."""
    return 2 * (result.loss.cost(r) - result.minimum.cost) / _variance(result)


def _variance(result: FitResult) -> float:
    """Variance of the residuals at the minimum."""
    return 2 * result.minimum.cost / max(result.problem.count - len(result.names), 1)


def _factor(result: FitResult, i: int) -> float:
    """Squared standard error of a coordinate over that of independent residuals."""
    slope, residual = result.minimum.slope, result.minimum.residual
    if slope is None:
        return 1.0
    hessian = gram(slope.jacobian, result.loss.bend(residual)[:, None] * slope.jacobian)
    plain = _variance(result) * float(np.linalg.pinv(hessian)[i, i])
    return max(float(result.uncertainty.errors[i]) ** 2 / plain, 1e-12) if plain > 0 else 1.0


def _value(result: FitResult, i: int, x: float) -> float:
    """A parameter at a coordinate; its bound, or infinity, where the interval is open."""
    p = result.free[i]
    if math.isfinite(x):
        return p.value(x)
    return p.high if x > 0 else p.low
