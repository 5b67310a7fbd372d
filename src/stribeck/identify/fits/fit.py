"""Output-error fits: the parameters with which a simulated model follows what was measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...declare import unknown
from ...errors import SpecError, StribeckError, UnknownName
from ...spec import Model
from ..records.inspect import require_motion
from ..records.measurement import Measurement
from .constraints import with_constraints
from .global_start import GLOBAL, global_points
from .levenberg import Minimum, minimise
from .losses import LOSSES, Loss
from .per_record import found_by_record
from .plateaus import last_slope, tied
from .problem import Problem
from .result import FitResult
from .simulation import Rig
from .ties import check_ties
from .uncertainty import uncertainty

ROUNDS = 3
"""Times that the sizes of the noise are estimated anew, where they matter."""
SETTLED = 0.02
"""Change of these sizes from which on another round would change nothing."""

ROUGH = 25.0
"""Accuracy of the search with fixed steps, as `minimise` takes it: their own error is larger."""

Progress = Callable[[float, str], None]


def fit(
    model: Model,
    measurement: Measurement | Sequence[Measurement],
    free: Sequence[str],
    *,
    outputs: Mapping[str, str],
    inputs: Mapping[str, str] | None = None,
    start: Mapping[str, Any] | None = None,
    bounds: Mapping[str, tuple[Any, Any]] | None = None,
    initial: Mapping[str, Any] | None = None,
    per_record: Sequence[str] = (),
    noise: Mapping[str, float] | None = None,
    loss: str = "linear",
    solver: str = "adaptive",
    hold: bool = True,
    substeps: int = 1,
    tolerance: float = 1e-8,
    global_start: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> FitResult:
    """Finds the `free` parameters (paths as in `set_parameter`) with which the simulated `outputs` follow the channels.

    `outputs` and `inputs` tie names of the model to channels: {"load.phi": "q"}, {"motor.tau": "i"}; inputs are
    `External` signals, held from sample to sample (`hold`) or straight between. Several measurements are fitted at
    once. `initial` sets parameters to the first sample of a channel, {"load.phi0": "q"}, or to a number. What is free
    but differs from record to record is named in `per_record` instead of `free`, and found as "load.phi0@run7".

    `start` and `bounds` are those of the model and its declarations unless given. `noise` are standard deviations of
    the outputs by name; without it they are taken from the residuals. `loss` ("linear", "soft_l1", "huber", "cauchy")
    bounds the weight of outliers. `solver="fixed"` makes `substeps` steps per sample; "adaptive" searches with these
    and has the last word with `tolerance`. `global_start` looks for the start: "guided" leads the model along the
    measured motion and fits the force that this takes; "lhs" and "evolution" search all of the bounds. `progress` is
    called with a share from 0 to 1 and a text.

    >>> result = fit(model, run, ["joint.law.mu_c", "load.m"], outputs={"load.s": "q"}, inputs={"motor.f": "f"})
    >>> print(result)
    """
    records = [measurement] if isinstance(measurement, Measurement) else list(measurement)
    if not records:
        raise SpecError("fit: there is no measurement; give one, or a list of them")
    if loss not in LOSSES:
        raise UnknownName(unknown("fit: there is no loss", loss, LOSSES))
    if global_start is not None and global_start not in GLOBAL:
        raise UnknownName(unknown("fit: there is no global_start", global_start, GLOBAL))
    rigs = [
        Rig(model, record, dict(outputs), dict(inputs or {}), dict(initial or {}), solver, hold, substeps, tolerance)
        for record in records
    ]
    for rig in rigs:
        require_motion(rig.measurement, *rig.outputs.values())
        check_ties(rig, [*free, *per_record])
    parameters, constraints = with_constraints(rigs, found_by_record(rigs, free, per_record, start or {}, bounds or {}))
    problem = Problem(rigs, parameters, _sizes(rigs, noise), constraints)
    if problem.count <= len(parameters):
        raise SpecError(f"fit: {problem.count} samples count, too few for {len(parameters)} parameters; see `valid`")
    search = Search(problem, LOSSES[loss], noise is not None, progress)
    return search.run(global_start, seed)


class Search:
    """The way of one fit: a quick search with fixed steps, then the last word; the noise is estimated on the way."""

    def __init__(self, problem: Problem, loss: Loss, noise_known: bool, progress: Progress | None) -> None:
        self.problem = problem
        self.loss = loss
        self.noise_known = noise_known
        self.scaled = noise_known
        """Whether the sizes of the noise are known well enough to tell outliers."""
        self.progress = progress
        self.runs = 0
        self.iterations = 0

    def run(self, global_start: str | None, seed: int) -> FitResult:
        """All stages."""
        solver = self.problem.rigs[0].solver
        x = np.zeros(len(self.problem.free))
        quick = self._quick()
        if global_start is not None:
            x = self._best_of(quick or self.problem, global_start, seed)
        if quick is not None:
            there = self._refine(quick, x, ROUGH, f"search, {quick.rigs[0].solver} steps").x
            x = self._lowest([there, x, np.zeros_like(x)])
            self.problem = self.problem.with_sigma(self.sigma)
        last = self._refine(self.problem, x, 1e-4, f"{solver} steps")
        return self._result(last)

    def _lowest(self, points: Sequence[np.ndarray]) -> np.ndarray:
        """The best of these points: the search with fixed steps goes astray where a law needs smaller ones, and it may
        end where only these can be run."""
        costs = [np.inf if r is None else self.loss.cost(r) for r in self.problem.residuals(points)]
        self.runs += len(points)
        return points[int(np.argmin(costs))]

    def _quick(self) -> Problem | None:
        """The same problem with fixed steps, if that helps and the records allow it."""
        if self.problem.rigs[0].solver != "adaptive":
            return None
        try:
            quick = self.problem.with_solver("fixed")
            (r,) = quick.residuals([np.zeros(len(quick.free))])
        except StribeckError:
            return None
        return None if r is None else quick

    def _best_of(self, problem: Problem, way: str, seed: int) -> np.ndarray:
        """The best of several searches that begin where a look at all of the bounds found low costs."""
        found: list[Minimum] = []
        points = global_points(problem, self.loss, way, seed, self._say)
        for number, x in enumerate(points):
            self._say(0.3 + 0.2 * number / len(points), f"search {number + 1} of {len(points)}")
            found.append(minimise(problem, x, self.loss, accuracy=10.0, limit=20))
        return min(found, key=lambda minimum: minimum.cost).x

    def _refine(self, problem: Problem, x: np.ndarray, accuracy: float, title: str) -> Minimum:
        """A minimum with the sizes of the noise that its residuals show."""
        plain = LOSSES["linear"]
        for number in range(ROUNDS):
            first = number == 0 and not self.scaled and self.loss is not plain
            minimum = minimise(
                problem,
                x,
                plain if first else self.loss,
                accuracy=accuracy,
                watch=lambda i, cost: self._watch(i, title),
            )
            self.runs += minimum.runs
            self.iterations += minimum.iterations
            x, self.sigma, self.problem_now = minimum.x, dict(problem.sigma), problem
            if self.noise_known:
                break
            factors = _spreads(problem, minimum.residual, robust=self.loss is not plain)
            self.sigma = {name: problem.sigma[name] * factors[name] for name in problem.sigma}
            self.scaled = True
            ratios = np.array(list(factors.values()))
            even = len(ratios) == 1 and self.loss is plain
            if even or (np.abs(ratios - 1) < SETTLED).all():
                break
            problem = problem.with_sigma(self.sigma)
        return minimum

    def _watch(self, iteration: int, title: str) -> None:
        self._say(min(0.95, 0.5 + 0.03 * iteration), f"{title}: iteration {iteration}")

    def _say(self, share: float, text: str) -> None:
        if self.progress is not None:
            self.progress(share, text)

    def _result(self, last: Minimum) -> FitResult:
        """Slopes once more, from both sides, and from them what is certain."""
        self._say(0.96, "uncertainty")
        problem = self.problem_now
        x, slope = last_slope(problem, last.x, last.residual)
        known = uncertainty(slope, last.residual, problem.blocks, self.loss)
        known = tied(problem, x, last.residual, slope, known)
        self._say(1.0, "done")
        return FitResult(problem, replace(last, x=x), known, self.loss, self.iterations, self.runs)


def _sizes(rigs: Sequence[Rig], noise: Mapping[str, float] | None) -> dict[str, float]:
    """Sizes of the noise of the outputs: as known, or to begin with those of the signals themselves."""
    outputs = list(rigs[0].outputs)
    for name, value in (noise or {}).items():
        if name not in outputs:
            raise UnknownName(unknown("fit: noise of something that is not among the outputs:", name, outputs))
        if not value > 0:
            raise SpecError(f"fit: the noise of {name} is {value:g}; it must be above 0")
    if noise is not None:
        missing = [name for name in outputs if name not in noise]
        if missing:
            raise SpecError(f"fit: noise of '{missing[0]}' is missing; give that of every output, or none")
        return dict(noise)
    return {name: max(float(np.std(rig.measured[i][rig.valid])) for rig in rigs) for i, name in enumerate(outputs)}


def _spreads(problem: Problem, residual: np.ndarray, robust: bool) -> dict[str, float]:
    """Spread of the residuals by output, as a multiple of the size that was assumed."""
    spreads = {}
    for name in problem.sigma:
        parts = [residual[block.at][block.valid] for block in problem.blocks if block.output == name]
        values = np.concatenate(parts)
        spread = 1.4826 * float(np.median(np.abs(values))) if robust else float(np.sqrt(np.mean(values**2)))
        spreads[name] = max(spread, 1e-12)
    return spreads
