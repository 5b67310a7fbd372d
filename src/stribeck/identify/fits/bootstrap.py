"""Bootstrap of a fit: many sets of records as the fitted model and its residuals could have given them, fitted again.

Residuals are drawn in blocks of neighbours, long enough for their autocorrelation (moving blocks, H. Kuensch 1989).
With several records, records are drawn with replacement instead, so that what differs between them counts. All fits go
on together: in every iteration their points are one batch of simulations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...errors import SpecError
from ...results.data_table import DataTable
from .problem import Slope
from .simulation import MARK
from .sums import combined, gram
from .uncertainty import RECORDS, noise_covariance

if TYPE_CHECKING:
    from .result import FitResult

ITERATIONS = 8
"""Most iterations of the fits."""
ENDED = 0.01
"""Predicted reduction of the sum of squares, relative to the variance of the residuals, at which a fit ends: a tenth of
a standard error."""
LONGEST = 1.0
"""Longest step of a coordinate."""
TOGETHER = 64
"""Fits of one batch, between two reports of the progress."""

Progress = Callable[[float, str], None]


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Estimates from all sets, in SI: a row for each fit that ended, a column for each parameter.

    >>> print(result.bootstrap(n=50))
    """

    names: list[str]
    units: dict[str, str]
    best: dict[str, float]
    samples: np.ndarray
    drawn: str
    """What was drawn: blocks of residuals, or records."""
    lost: int
    """Fits that did not end within the limit of iterations, or met parameters that cannot be simulated."""

    @property
    def errors(self) -> dict[str, float]:
        """Standard deviations of the estimates.

        >>> result.bootstrap(n=50).errors["load.m"]
        """
        return dict(zip(self.names, self.samples.std(axis=0, ddof=1).tolist(), strict=True))

    def interval(self, level: float = 0.95) -> dict[str, tuple[float, float]]:
        """Intervals between quantiles of the estimates.

        >>> result.bootstrap(n=50).interval(0.9)["load.m"]
        """
        if not 0 < level < 1:
            raise SpecError(f"interval: level = {level:g} must be between 0 and 1, for instance 0.95")
        low, high = np.quantile(self.samples, [0.5 - level / 2, 0.5 + level / 2], axis=0)
        return {name: (float(a), float(b)) for name, a, b in zip(self.names, low, high, strict=True)}

    def __str__(self) -> str:
        ends, errors = self.interval(), self.errors
        rows = [
            [n, f"{self.best[n]:.6g}", f"{errors[n]:.2g}", f"{ends[n][0]:.6g} to {ends[n][1]:.6g}", self.units[n]]
            for n in self.names
        ]
        table = DataTable(("parameter", "value", "std. error", "95 % interval", "unit"), rows)
        lost = f"; {self.lost} fits were lost" if self.lost else ""
        return f"{table.text()}\nbootstrap of {len(self.samples)} sets, {self.drawn}{lost}"


def bootstrap(result: FitResult, n: int, seed: int, progress: Progress | None) -> Bootstrap:
    """Fits to `n` sets."""
    if n < 2:
        raise SpecError(f"bootstrap: n = {n} sets; at least 2 are needed, 200 are usual")
    if result.unidentifiable:
        path = next(iter(result.unidentifiable))
        raise SpecError(f"bootstrap: {path} is not identifiable; fit again without it")
    if result.minimum.slope is None or result.minimum.slope.grain.any():
        raise SpecError("bootstrap: a parameter has an effect only across jumps of the outputs; fit again without it")
    many = len(result.records) >= RECORDS and not any(MARK in name for name in result.names)
    draw = _Records(result) if many else _Blocks(result)
    random = np.random.default_rng(seed)
    found: list[np.ndarray] = []
    for first in range(0, n, TOGETHER):
        if progress is not None:
            progress(first / n, f"bootstrap: {first} of {n}")
        sets = [draw(random) for _ in range(min(TOGETHER, n - first))]
        found += _fitted(result, sets)
    if len(found) < 2:
        raise SpecError(f"bootstrap: {n - len(found)} of {n} fits were lost; the minimum is too narrow for this method")
    values = [[p.value(float(c)) for p, c in zip(result.free, x, strict=True)] for x in found]
    best = {name: result.best[name] for name in result.names}
    return Bootstrap(list(result.names), dict(result.units), best, np.array(values), draw.text, n - len(found))


@dataclass(frozen=True, eq=False)
class _Set:
    """A set of records: what is added to the residuals of the fit, and the weights of the samples."""

    added: np.ndarray
    weight: np.ndarray


class _Blocks:
    """Blocks of residuals, drawn within every output of every record."""

    def __init__(self, result: FitResult) -> None:
        self.result = result
        residual = result.minimum.residual
        self.parts = []
        for block in result.problem.blocks:
            kept = residual[block.at][block.valid]
            kept = kept - kept.mean()
            self.parts.append((block, kept, _length(kept)))
        longest = max(length for _, _, length in self.parts)
        self.text = f"residuals drawn in blocks of {longest} samples" if longest > 1 else "residuals drawn"
        # residuals are smaller than the noise by the degrees of freedom that the parameters used
        freedom = max(result.uncertainty.effective - len(result.names), 1.0)
        self.scale = float(np.sqrt(1 + len(result.names) / freedom))

    def __call__(self, random: np.random.Generator) -> _Set:
        residual = self.result.minimum.residual
        drawn = np.zeros_like(residual)
        for block, kept, length in self.parts:
            starts = random.integers(0, kept.size, -(-kept.size // length))
            at = (starts[:, None] + np.arange(length)).ravel()[: kept.size] % kept.size
            part = np.zeros(block.valid.size)
            part[block.valid] = self.scale * kept[at]
            drawn[block.at] = part
        # model - (fitted outputs + drawn): the residuals of a point are its own, less those of the fit, less the drawn
        return _Set(-residual - drawn, np.ones_like(residual))


class _Records:
    """Records, drawn with replacement."""

    def __init__(self, result: FitResult) -> None:
        self.result = result
        self.text = f"{len(result.records)} records drawn"

    def __call__(self, random: np.random.Generator) -> _Set:
        count = len(self.result.records)
        times = np.bincount(random.integers(0, count, count), minlength=count).astype(float)
        weight = np.zeros_like(self.result.minimum.residual)
        for block in self.result.problem.blocks:
            weight[block.at] = times[block.record]
        return _Set(np.zeros_like(weight), weight)


def _length(kept: np.ndarray) -> int:
    """Length of blocks: 1 for white residuals, else five times the sum of their autocorrelation, and at most a tenth of
    the record."""
    covariance = noise_covariance(kept, kept.size)
    if covariance.size == 1 or covariance[0] <= 0:
        return 1
    time = 1 + 2 * float(np.abs(covariance[1:]).sum()) / float(covariance[0])
    return int(np.clip(np.ceil(5 * time), 1, max(kept.size // 10, 1)))


def _fitted(result: FitResult, sets: list[_Set]) -> list[np.ndarray]:
    """The minima of several sets; without those that were lost."""
    slope = result.minimum.slope
    assert slope is not None
    variance = 2 * result.minimum.cost / max(result.problem.count - len(result.names), 1)
    fits = [_DrawnFit(result, each, slope) for each in sets]
    waiting = fits
    for _ in range(ITERATIONS):
        waiting = [fit for fit in waiting if not fit.ended(ENDED * variance)]
        if not waiting:
            break
        points = [fit.trial() for fit in waiting]
        for fit, r in zip(waiting, result.problem.residuals(points), strict=True):
            fit.take(r)
    return [fit.x for fit in fits if fit.ended(ENDED * variance)]


class _DrawnFit:
    """Gauss-Newton steps for one set, with the Jacobian of the fit, corrected by every step (C. Broyden 1965)."""

    def __init__(self, result: FitResult, drawn: _Set, slope: Slope) -> None:
        self.result, self.drawn = result, drawn
        self.jacobian = slope.jacobian
        self.x: np.ndarray = result.minimum.x
        self.r = result.minimum.residual + drawn.added
        self.share = 1.0
        self.next: np.ndarray = self.x

    @property
    def weight(self) -> np.ndarray:
        """Weights of the samples: how often they were drawn, and those of the robust loss."""
        return np.asarray(self.drawn.weight * self.result.loss.weight(self.r))

    @property
    def cost(self) -> float:
        """Half of the weighted sum of squares."""
        return 0.5 * float(np.sum(self.weight * self.r**2))

    def step(self) -> tuple[np.ndarray, float]:
        """A step, and twice the reduction of the cost that it predicts."""
        weighted = self.weight[:, None] * self.jacobian
        gradient, normal = gram(weighted, self.r), gram(weighted, self.jacobian)
        step = np.linalg.lstsq(normal, -gradient, rcond=None)[0]
        return step * min(1.0, LONGEST / max(float(np.abs(step).max()), 1e-300)), float(-gradient @ step)

    def ended(self, enough: float) -> bool:
        """Whether the next step would not matter."""
        return self.step()[1] <= enough

    def trial(self) -> np.ndarray:
        """The next point."""
        self.next = self.result.problem.projected(self.x + self.share * self.step()[0])
        return np.asarray(self.next)

    def take(self, r: np.ndarray | None) -> None:
        """Moves to the next point, whose residuals are given, if it is lower; else the next step is shorter."""
        before, moved = self.cost, self.next - self.x
        length = float(moved @ moved)
        if r is None or length == 0.0:
            self.share /= 4
            return
        change = r + self.drawn.added - self.r
        missed = change - combined(self.jacobian, moved)
        self.jacobian = self.jacobian + np.outer(missed, moved / length)
        old = self.x, self.r
        self.x, self.r = self.next, r + self.drawn.added
        if self.cost > before:
            (self.x, self.r), self.share = old, self.share / 2
        else:
            self.share = 1.0
