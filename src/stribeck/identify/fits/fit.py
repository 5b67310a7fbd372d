"""Output-error fits: parameters for which the simulated outputs of a model follow the measured ones."""

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
from .levenberg import LeastSquaresResult, minimise
from .losses import LOSSES, RobustLoss
from .per_record import found_by_record
from .plateaus import last_slope, tied
from .problem import Problem, Slope
from .result import FitResult
from .simulation import Rig
from .ties import check_ties
from .uncertainty import uncertainty

ROUNDS = 3
"""Most rounds of estimating the noise levels from the residuals, where these levels matter."""
NOISE_CHANGE = 0.02
"""Relative change of the noise levels below which no further round is needed."""

ACCURACY = 1e-4
"""`accuracy` of `minimise` at the end."""
ROUGH = 25.0
"""`accuracy` of `minimise` in the search with fixed steps, whose discretisation error is larger than that."""

LIMIT, LAST = 60, 30
"""Most iterations of a search, and of the last ones after a search with fixed steps. These are few, unless the model
does not follow the records."""

LOWER = 0.1
"""Cost after the search with fixed steps, relative to that before it, from which on it has not been misled."""

BEGINNING, LEAST_BEGINNING = 0.125, 1000
"""Share of a record, and least number of samples, of which its beginning is fitted first."""
FOLLOWED = 0.01
"""Residuals relative to the signal below which the minimum that the beginning led to is no other than the best one."""

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
    accuracy: float = ACCURACY,
    global_start: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> FitResult:
    """Estimates the `free` parameters (paths as in `set_parameter`): simulated `outputs` are to follow the channels.

    `outputs` and `inputs` map names of the model to channels: {"load.phi": "q"}, {"motor.tau": "i"}. Inputs are
    `External` signals, held from sample to sample (`hold`) or interpolated linearly. Several measurements are fitted
    together. `initial` sets parameters to the first sample of a channel, {"load.phi0": "q"}, or to a number. A free
    parameter that differs between records is named in `per_record` instead of `free`; its estimates are called
    "load.phi0@run7".

    `start` and `bounds` default to the values of the model and the bounds of its declarations. `noise` gives the
    standard deviations of the outputs by name; by default they are estimated from the residuals. `loss` ("linear",
    "soft_l1", "huber", "cauchy") limits the weight of outliers. `solver="fixed"` makes `substeps` steps per sample;
    with "adaptive" only the search uses fixed steps, and the final iterations use the adaptive solver with
    `tolerance`. They end when a step reduces the sum of squares by less than `accuracy` times the variance of the
    residuals: by default a hundredth of a standard error from the minimum. `global_start` searches for a start:
    "guided" forces the model along the measured motion and minimises the guide force; "lhs" and "evolution" search the
    whole range of the bounds. `progress` is called with a fraction from 0 to 1 and a text.

    >>> result = fit(model, run, ["joint.law.mu_c", "load.m"], outputs={"load.s": "q"}, inputs={"motor.f": "f"})
    >>> print(result)
    """
    records = [measurement] if isinstance(measurement, Measurement) else list(measurement)
    if not records:
        raise SpecError("fit: there is no measurement; give one or a list of them")
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
        raise SpecError(f"fit: {problem.count} valid samples are too few for {len(parameters)} parameters; see `valid`")
    search = Search(problem, LOSSES[loss], noise is not None, progress, accuracy)
    return search.run(global_start, seed)


class Search:
    """The stages of one fit: a quick search with fixed steps, then the final iterations with the solver asked for. The
    noise levels are estimated in between."""

    def __init__(
        self,
        problem: Problem,
        loss: RobustLoss,
        noise_known: bool,
        progress: Progress | None,
        accuracy: float = ACCURACY,
    ) -> None:
        self.problem = problem
        self.loss = loss
        self.noise_known = noise_known
        self.scaled = noise_known
        """Whether the noise levels are known well enough to recognise outliers."""
        self.accuracy = accuracy
        self.progress = progress
        self.problem_now = problem
        self.sigma: dict[str, float] = {}
        self.runs = 0
        self.iterations = 0

    def run(self, global_start: str | None, seed: int) -> FitResult:
        """All stages."""
        solver = self.problem.rigs[0].solver
        x = np.zeros(len(self.problem.free))
        (quick, r), borrowed = self._quick(), None
        if global_start is not None:
            x, r = self._best_of(quick or self.problem, global_start, seed), None
        if quick is not None:
            rough = self._searched(quick, x, r)
            self.problem = self.problem.with_sigma(self.sigma)
            x, r = self._lowest(rough.x, [x, np.zeros_like(x)], self._cost_before(quick, r))
            borrowed = self._borrowed(rough) if x is rough.x else None
        limit = LIMIT if quick is None else LAST
        last = self._refine(self.problem, x, self.accuracy, f"{solver} steps", r, borrowed, limit)
        return self._result(last)

    def _lowest(
        self, found: np.ndarray, starts: Sequence[np.ndarray], before: float
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """The end of the search with fixed steps, or one of its starts if that has a lower cost, and the residuals
        there. The search is misled where a law needs smaller steps, and may end at a point that only smaller steps can
        simulate. If the end is far below the cost `before` the search, the starts are not simulated."""
        (r,) = self.problem.residuals([found])
        self.runs += 1
        if r is not None and self.loss.cost(r) < LOWER * before:
            return found, r
        residuals = [r, *self.problem.residuals(starts)]
        self.runs += len(starts)
        costs = [np.inf if r is None else self.loss.cost(r) for r in residuals]
        best = int(np.argmin(costs))
        return [found, *starts][best], residuals[best]

    def _cost_before(self, quick: Problem, r: np.ndarray | None) -> float:
        """The cost of residuals with fixed steps, in the present noise levels; 0 if they are not known."""
        return 0.0 if r is None else self.loss.cost(self._rescaled(quick.sigma) * r)

    def _rescaled(self, before: Mapping[str, float]) -> np.ndarray:
        """Factors of all residuals from earlier noise levels to the present ones."""
        parts = [np.full(b.valid.size, before[b.output] / self.sigma[b.output]) for b in self.problem.blocks]
        return np.concatenate(parts)

    def _borrowed(self, rough: LeastSquaresResult) -> Slope | None:
        """The Jacobian of the search with fixed steps, in the present noise levels; None if a parameter acts across
        jumps, which lie elsewhere with other steps."""
        slope = rough.slope
        if slope is None or slope.grain.any():
            return None
        return replace(slope, jacobian=self._rescaled(self.problem_now.sigma)[:, None] * slope.jacobian)

    def _quick(self) -> tuple[Problem | None, np.ndarray | None]:
        """The same problem with fixed steps, if that is faster and the records allow it, and its residuals at the
        start."""
        if self.problem.rigs[0].solver != "adaptive":
            return None, None
        try:
            quick = self.problem.with_solver("fixed")
            (r,) = quick.residuals([quick.projected(np.zeros(len(quick.free)))])
        except StribeckError:
            return None, None
        return (None, None) if r is None else (quick, r)

    def _searched(self, quick: Problem, x: np.ndarray, r: np.ndarray | None) -> LeastSquaresResult:
        """The minimum with fixed steps. It begins at the minimum of the beginning of long records; unless that leads to
        a model that follows the records, also at x, and the lower one counts."""
        title = f"search, {quick.rigs[0].solver} steps"
        y, s = self._on_beginning(quick, x, r)
        rough = self._refine(quick, y, ROUGH, title, s)
        if y is x or self._relative(rough) < FOLLOWED:
            return rough
        there = self._relative(rough), rough, self.sigma, self.problem_now
        again = self._refine(quick, x, ROUGH, title, r)
        if self._relative(again) < there[0]:
            return again
        _, rough, self.sigma, self.problem_now = there
        return rough

    def _relative(self, found: LeastSquaresResult) -> float:
        """Largest root mean square residual of an output, relative to the signal."""
        sizes, spreads = _sizes(self.problem.rigs, None), _spreads(self.problem_now, found.residual, robust=False)
        return max(spreads[name] * self.problem_now.sigma[name] / max(sizes[name], 1e-300) for name in spreads)

    def _on_beginning(
        self, problem: Problem, x: np.ndarray, r: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """The minimum of the beginning of long records, and its residuals on all of them; x itself if records are short
        or that is no better. A short record is quicker to simulate, and has fewer local minima: less can go another
        way."""
        longest = max(rig.time.size for rig in problem.rigs)
        samples = max(LEAST_BEGINNING, int(BEGINNING * longest))
        if 2 * samples > longest:
            return x, r
        part, loss = problem.beginning(samples), self.loss if self.scaled else LOSSES["linear"]
        before = [r] if r is not None else problem.residuals([x])
        try:
            found = minimise(part, x, loss, accuracy=ROUGH, watch=lambda i, _: self._watch(i, "search, beginning"))
        except StribeckError:
            return x, before[0]
        (after,) = problem.residuals([found.x])
        self.runs += found.runs + 2
        self.iterations += found.iterations
        costs = [np.inf if r is None else loss.cost(r) for r in (*before, after)]
        return (found.x, after) if costs[1] < costs[0] else (x, before[0])

    def _best_of(self, problem: Problem, way: str, seed: int) -> np.ndarray:
        """The best of several searches, started at the points of lowest cost within the bounds."""
        found: list[LeastSquaresResult] = []
        points = global_points(problem, self.loss, way, seed, self._report)
        for number, x in enumerate(points):
            self._report(0.3 + 0.2 * number / len(points), f"search {number + 1} of {len(points)}")
            found.append(minimise(problem, x, self.loss, accuracy=10.0, limit=20))
        return min(found, key=lambda minimum: minimum.cost).x

    def _refine(
        self,
        problem: Problem,
        x: np.ndarray,
        accuracy: float,
        title: str,
        r: np.ndarray | None = None,
        borrowed: Slope | None = None,
        limit: int = LIMIT,
    ) -> LeastSquaresResult:
        """A minimum, with the noise levels estimated from its residuals."""
        plain = LOSSES["linear"]
        for number in range(ROUNDS):
            first = number == 0 and not self.scaled and self.loss is not plain
            minimum = minimise(
                problem,
                x,
                plain if first else self.loss,
                accuracy=accuracy,
                limit=limit,
                watch=lambda i, cost: self._watch(i, title),
                r=r,
                borrowed=borrowed,
            )
            r = borrowed = None
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
            if even or (np.abs(ratios - 1) < NOISE_CHANGE).all():
                break
            problem = problem.with_sigma(self.sigma)
        return minimum

    def _watch(self, iteration: int, title: str) -> None:
        self._report(min(0.95, 0.5 + 0.03 * iteration), f"{title}: iteration {iteration}")

    def _report(self, share: float, text: str) -> None:
        if self.progress is not None:
            self.progress(share, text)

    def _result(self, last: LeastSquaresResult) -> FitResult:
        """An accurate Jacobian at the minimum, and the uncertainty that follows from it."""
        self._report(0.96, "uncertainty")
        problem = self.problem_now
        x, slope = last_slope(problem, last)
        known = uncertainty(slope, last.residual, problem.blocks, self.loss)
        known = tied(problem, x, last.residual, slope, known)
        self._report(1.0, "done")
        return FitResult(problem, replace(last, x=x, slope=slope), known, self.loss, self.iterations, self.runs)


def _sizes(rigs: Sequence[Rig], noise: Mapping[str, float] | None) -> dict[str, float]:
    """Noise levels of the outputs: as given, or as a first guess the standard deviations of the signals."""
    outputs = list(rigs[0].outputs)
    for name, value in (noise or {}).items():
        if name not in outputs:
            raise UnknownName(unknown("fit: noise is given for a name that is not an output:", name, outputs))
        if not value > 0:
            raise SpecError(f"fit: the noise of {name} is {value:g}; it must be above 0")
    if noise is not None:
        missing = [name for name in outputs if name not in noise]
        if missing:
            raise SpecError(f"fit: noise of '{missing[0]}' is missing; give it for every output or for none")
        return dict(noise)
    return {name: max(float(np.std(rig.measured[i][rig.valid])) for rig in rigs) for i, name in enumerate(outputs)}


def _spreads(problem: Problem, residual: np.ndarray, robust: bool) -> dict[str, float]:
    """Standard deviation of the residuals by output, as a multiple of the assumed noise level."""
    spreads = {}
    for name in problem.sigma:
        parts = [residual[block.at][block.valid] for block in problem.blocks if block.output == name]
        values = np.concatenate(parts)
        spread = 1.4826 * float(np.median(np.abs(values))) if robust else float(np.sqrt(np.mean(values**2)))
        spreads[name] = max(spread, 1e-12)
    return spreads
