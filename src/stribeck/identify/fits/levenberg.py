"""Levenberg-Marquardt within bounds, with several trial steps and geodesic acceleration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .losses import RobustLoss
from .problem import Problem, Slope
from .sums import combined, crowding, gram

LONGEST = 1.5
"""Longest step of a coordinate on a log scale: a factor of 4.5."""
PROBE = 0.1
"""Fraction of a step at which the second derivative of the residuals along it is measured."""
MOST_ACCELERATION = 0.75
"""Largest acceleration, relative to the step, that is used."""
GAIN_RATIO = 0.8
"""Actual over predicted reduction of the cost above which a step is accepted without trying others."""
NEAR = 25.0
"""Reduction of the sum of squares, relative to the variance of the residuals, below which the Jacobian is used once
more: 5 standard errors of one parameter."""
SHORT = 0.02
"""Step of all coordinates, 2 % of positive parameters, below which a rough search uses the Jacobian again, corrected
by what the step showed."""
UNCHANGED = 0.01
"""The same reduction up to which a Jacobian is that of the present point: a tenth of a standard error,"""
UNMOVED = 1e-3
"""or a move of all coordinates up to which it is: some difference steps, over which it is taken as constant anyway."""
SCAN = tuple(1e-3 * 2.0**k for k in range(8))
"""Shifts, to both sides, of coordinates that have an effect only across jumps."""
FOLLOWED = 3
"""Number of the best shifts that are tried together with a step of the other coordinates."""
FIRST_DAMPING, LEAST_DAMPING = 1e-3, 1e-9
CREEPING = 8
"""Steps that together reduce the sum of squares by less than the variance of the residuals, after which a search ends:
a parameter runs away to where it has no effect, and every simulation takes longer."""
LEAST_EFFECTIVE = 50
"""Least number of independent residuals that counts for the end of a search."""
TRIES = 8
"""Most increases of the damping until a step reduces the cost."""


@dataclass(frozen=True, eq=False)
class LeastSquaresResult:
    """The end of a search."""

    x: np.ndarray
    residual: np.ndarray
    cost: float
    iterations: int
    runs: int
    """Number of simulations of all records."""
    converged: bool
    refused: str = ""
    """The error of the last trial steps, if none of them could be simulated."""
    slope: Slope | None = None
    """The last Jacobian."""
    accurate: bool = False
    """Whether that is as accurate as possible, and practically at this point."""
    elsewhere: bool = False
    """Whether it is the Jacobian of another point or of another model, which confirms one of this point."""


def minimise(
    problem: Problem,
    x: np.ndarray,
    loss: RobustLoss,
    *,
    accuracy: float = 1e-4,
    limit: int = 60,
    watch: Callable[[int, float], None] | None = None,
    r: np.ndarray | None = None,
    borrowed: Slope | None = None,
    close: Slope | None = None,
) -> LeastSquaresResult:
    """A local minimum of the cost. The search ends when a step reduces the sum of squares by less than `accuracy` times
    the variance of the residuals (1 would be one standard error of one parameter), or when no step reduces it.

    `r` are the residuals at x, if they are known. A `borrowed` Jacobian, of a model that is quicker to simulate, takes
    the first steps, as long as they reduce the cost as it predicts; each of them corrects it. One of
    the same model at a `close` point, a few standard errors away, is used until it fails.

    >>> minimise(problem, np.zeros(2), result.loss).converged
    True
    """
    x = problem.projected(x)
    if r is None:
        (r,) = problem.residuals([x])
    if r is None:
        raise problem.failure(x)
    descent = Descent(problem, loss, x, r, borrowed, close)
    drops: list[float] = []
    for iteration in range(1, limit + 1):
        drop = descent.step(accuracy)
        enough = descent.enough(accuracy)
        if drop <= enough:
            return descent.minimum(iteration, converged=True)
        drops.append(drop)
        if len(drops) >= CREEPING and sum(drops[-CREEPING:]) < max(descent.variance, enough / accuracy):
            return descent.minimum(iteration, converged=False)
        if watch is not None:
            watch(iteration, descent.cost)
    return descent.minimum(limit, converged=False)


@dataclass(frozen=True, eq=False)
class Linearisation:
    """The Jacobian J at a point, WJ with weights W of the residuals, J'WJ, and which coordinates no bound blocks."""

    jacobian: np.ndarray
    weighted: np.ndarray
    normal: np.ndarray
    moving: np.ndarray
    fine: np.ndarray
    """Moving coordinates with a derivative; the others have only differences across jumps."""
    smooth: bool
    """Whether all coordinates that are not held by equal bounds are such."""
    slope: Slope

    @classmethod
    def of(cls, slope: Slope, problem: Problem, loss: RobustLoss, x: np.ndarray, r: np.ndarray) -> Linearisation:
        """From a Jacobian at a point."""
        jacobian = slope.jacobian
        weighted = loss.weight(r)[:, None] * jacobian
        gradient, normal = gram(weighted, r), gram(weighted, jacobian)
        low, high = problem.limits_at(x)
        blocked = ((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0))
        moving = ~blocked & (normal.diagonal() > 0)
        fine = moving & slope.trusted & (slope.grain == 0)
        return cls(jacobian, weighted, normal, moving, fine, bool((fine | (low >= high)).all()), slope)

    def reduction(self, gradient: np.ndarray, step: np.ndarray) -> float:
        """The reduction of the cost by a step that the quadratic model predicts."""
        return -float(gradient @ step + 0.5 * step @ self.normal @ step)


class Descent:
    """The state of a search: point, residuals, damping."""

    def __init__(
        self,
        problem: Problem,
        loss: RobustLoss,
        x: np.ndarray,
        r: np.ndarray,
        borrowed: Slope | None = None,
        close: Slope | None = None,
    ) -> None:
        self.problem = problem
        self.loss = loss
        self.x = x
        self.r = r
        self.cost = loss.cost(r)
        self.damping = FIRST_DAMPING
        self.runs = 1
        self.refused = ""
        self.careful = False
        """Whether the last step was so short that the next one needs an accurate Jacobian."""
        self.slope = close if borrowed is None else borrowed
        self.slopes = None if self.slope is None else Linearisation.of(self.slope, problem, loss, x, r)
        """The Jacobian of the last point, if it is used once more."""
        self.borrowed = borrowed is not None
        """Whether that is the Jacobian of another model."""
        self.reference: np.ndarray | None = None
        """The last Jacobian, after its last step: it confirms an accurate one."""
        self.measured: np.ndarray | None = None
        """The point at which it was measured; None if it was borrowed."""
        self.accurate_at: tuple[np.ndarray, float] | None = None
        """Where the last accurate Jacobian was computed, and the cost there."""
        self.logs = np.array([parameter.log for parameter in problem.free])

    @property
    def variance(self) -> float:
        """Variance of the residuals at the current point."""
        return 2 * self.cost / max(self.problem.count - self.x.size, 1)

    def enough(self, accuracy: float) -> float:
        """Reduction of the sum of squares that is not worth a step. Where residuals are autocorrelated, because the
        model does not follow the records, standard errors are larger, and so is what is worth a step; but not in a
        rough search, that begins there."""
        if accuracy > 1:
            return accuracy * self.variance
        most = max(self.problem.count / LEAST_EFFECTIVE, 1.0)
        return accuracy * self.variance * min(crowding(self.r), most)

    def minimum(self, iterations: int, converged: bool) -> LeastSquaresResult:
        """The result at the current point."""
        return LeastSquaresResult(
            self.x,
            self.r,
            self.cost,
            iterations,
            self.runs,
            converged and not self.refused,
            self.refused,
            self.slope,
            self._accurate,
            self._elsewhere,
        )

    @property
    def _elsewhere(self) -> bool:
        """Whether the last Jacobian is that of another point or of another model."""
        return self.slope is not None and (
            self.measured is None or bool(np.abs(self.x - self.measured).max(initial=0.0) > UNMOVED)
        )

    @property
    def _accurate(self) -> bool:
        """Whether the last Jacobian is as accurate as possible, and practically at the present point."""
        at = self.accurate_at
        if at is None:
            return False
        near = np.abs(self.x - at[0]).max(initial=0.0) <= UNMOVED
        return bool(near) or 2 * (at[1] - self.cost) <= UNCHANGED * self.variance

    def _at_minimum(self, slopes: Linearisation, gradient: np.ndarray, accuracy: float) -> bool:
        """Whether a Jacobian that is as accurate as possible predicts that no step reduces the cost any more."""
        if self.borrowed or not self._accurate or not slopes.smooth:
            return False
        step = self._solved(-gradient, slopes, self.damping)
        return 2 * slopes.reduction(gradient, step) <= self.enough(accuracy)

    def step(self, accuracy: float) -> float:
        """One step; returns the reduction of the sum of squares. The last short steps use the Jacobian once more; it is
        recomputed if they fail. A borrowed one is replaced as soon as the end is near. At the end of a search to better
        than one standard error the coordinates without a derivative are scanned across jumps."""
        for _ in range(2):
            kept = self.slopes is not None
            slopes = self.slopes or self._linearised()
            x, r, gradient, cost = self.x, self.r, gram(slopes.weighted, self.r), self.cost
            if self._at_minimum(slopes, gradient, accuracy):
                return 0.0
            drop = self._descend(slopes, kept)
            self.careful = drop < NEAR * self.variance
            ended = drop <= self.enough(accuracy)
            self.slopes = slopes if drop > 0 and self.careful else None
            if self.borrowed or (accuracy > 1 and np.abs(self.x - x).max() < SHORT):
                predicted = slopes.reduction(gradient, self.x - x)
                apt = slopes.smooth and cost - self.cost > GAIN_RATIO * predicted > 0
                self.slopes = self._corrected(slopes, self.x - x, self.r - r) if apt else None
            self.reference = (self.slopes or slopes).jacobian
            if self.borrowed and self.careful:
                self.slopes = None
            if not (ended and self.borrowed) and (drop > 0 or not kept):
                break
        return drop + (self._scan(slopes) if ended and accuracy < 1 else 0.0)

    def _linearised(self) -> Linearisation:
        """By forward differences; if `careful`, by those that an earlier Jacobian confirms, or by central ones: sides
        that do not agree are separated by a jump."""
        reference = self.reference if self._elsewhere else None
        accurate = self.problem.accurate_slope(self.x, self.r, reference) if self.careful else None
        slope = accurate or self.problem.slope(self.x, self.r)
        self.runs += self.x.size * (2 if self.careful and reference is None else 1)
        self.measured = self.x
        self.slope, self.borrowed = slope, False
        self.accurate_at = (self.x, self.cost) if self.careful else None
        return Linearisation.of(slope, self.problem, self.loss, self.x, self.r)

    def _corrected(self, slopes: Linearisation, step: np.ndarray, change: np.ndarray) -> Linearisation:
        """The Jacobian with the change of the residuals along the last step as it was (C. Broyden 1965)."""
        missed = change - combined(slopes.jacobian, step)
        jacobian = slopes.jacobian + np.outer(missed, step / float(step @ step))
        return Linearisation.of(replace(slopes.slope, jacobian=jacobian), self.problem, self.loss, self.x, self.r)

    def _scan(self, slopes: Linearisation) -> float:
        """Shifts the coordinates without a derivative one by one, to both sides, across jumps. The other coordinates
        take a Gauss-Newton step, without which no shift would reduce the cost. Returns the reduction of the sum of
        squares by the best shift."""
        shifts = [
            np.where(np.arange(self.x.size) == i, side * width, 0.0)
            for i in np.flatnonzero(slopes.moving & ~slopes.fine)
            for width in SCAN
            for side in (1.0, -1.0)
        ]
        trials = self._residuals([self._at(shift) for shift in shifts])
        ranked = []
        for shift, trial in zip(shifts, trials, strict=True):
            if trial is not None:
                follow = self._solved(-gram(slopes.weighted, trial), slopes, self.damping, slopes.fine)
                ranked.append((self.loss.cost(trial + combined(slopes.jacobian, follow)), shift, follow))
        best = sorted(ranked, key=lambda entry: entry[0])[:FOLLOWED]
        points = [self._at(shift + part) for _, shift, follow in best for part in (follow, 0.0 * follow)]
        return self._best_of(points, self._residuals(points))

    def _best_of(self, points: list[np.ndarray], trials: list[np.ndarray | None]) -> float:
        """Moves to the best point if it has a lower cost; returns the reduction of the sum of squares."""
        costs = [np.inf if trial is None else self.loss.cost(trial) for trial in trials]
        best = int(np.argmin(costs)) if costs else 0
        found = trials[best] if costs else None
        if found is None or not costs[best] < self.cost:
            return 0.0
        drop = 2 * (self.cost - costs[best])
        self.x, self.r, self.cost, self.slopes = points[best], found, costs[best], None
        return drop

    def _descend(self, slopes: Linearisation, near: bool) -> float:
        """Increases the damping until a step reduces the cost."""
        if not slopes.moving.any():
            return 0.0
        for number in range(1 if near else TRIES):
            points, trials = self._trials(slopes, near or (number == 0 and self._accurate))
            costs = [np.inf if trial is None else self.loss.cost(trial) for trial in trials]
            best = int(np.argmin(costs))
            found = trials[best]
            if found is not None and costs[best] < self.cost:
                drop = 2 * (self.cost - costs[best])
                self.x, self.r, self.cost = points[best], found, costs[best]
                self.damping = self._next_damping(best, len(points))
                self.refused = ""
                return drop
            self.damping *= 10
            self.refused = str(self.problem.failure(points[0])) if all(trial is None for trial in trials) else ""
        return 0.0

    def _next_damping(self, best: int, count: int) -> float:
        """The damping after the best of the trial steps: less after the step itself, its acceleration, or its part
        without jumps; the same after the last of many, which has more; not less than at first after the probe, because
        the step was much too long."""
        if best == 0 or 1 < best < count - 1 or count == 2:
            return max(0.1 * self.damping, LEAST_DAMPING)
        return max(self.damping, FIRST_DAMPING) if best == 1 else self.damping

    def _trials(self, slopes: Linearisation, near: bool) -> tuple[list[np.ndarray], list[np.ndarray | None]]:
        """Trial points and their residuals.

        The step v solves (J'WJ + damping diag(J'WJ)) v = -J'W r in the coordinates that no bound blocks. Unless it
        reduces the cost as predicted, or the end is near, others are tried: a part of it, a step with ten times the
        damping, and v + a/2 with the geodesic acceleration a, which solves the same system with the second derivative
        of r along v (M. Transtrum, J. Sethna: Improvements to the Levenberg-Marquardt algorithm for nonlinear
        least-squares minimization, arXiv:1201.5885)."""
        gradient = gram(slopes.weighted, self.r)
        v = self._solved(-gradient, slopes, self.damping)
        rough = not np.array_equal(slopes.fine, slopes.moving)
        fine = [self._at(self._solved(-gradient, slopes, self.damping, slopes.fine), slopes)] if rough else []
        if near:
            points = [self._at(v, slopes), *fine]
            return points, self._residuals(points)
        points = [self._at(v, slopes)]
        trials = self._residuals(points)
        predicted = slopes.reduction(gradient, points[0] - self.x)
        if trials[0] is not None and self.cost - self.loss.cost(trials[0]) > GAIN_RATIO * predicted > 0:
            return points, trials
        points.append(self._at(PROBE * v, slopes))
        trials += self._residuals(points[1:])
        probe = trials[1]
        if probe is not None:
            second = 2 / PROBE**2 * (probe - self.r - combined(slopes.jacobian, points[1] - self.x))
            a = self._solved(-gram(slopes.weighted, second), slopes, self.damping)
            if np.linalg.norm(a) < MOST_ACCELERATION * np.linalg.norm(v):
                points.append(self._at(v + a / 2, slopes))
        points += [*fine, self._at(self._solved(-gradient, slopes, 10 * self.damping), slopes)]
        return points, trials + self._residuals(points[2:])

    def _residuals(self, points: list[np.ndarray]) -> list[np.ndarray | None]:
        self.runs += len(points)
        return self.problem.residuals(points)

    def _solved(
        self, right: np.ndarray, slopes: Linearisation, damping: float, among: np.ndarray | None = None
    ) -> np.ndarray:
        """A damped step in the moving coordinates, or `among` them, of limited length on a log scale."""
        moving = slopes.moving if among is None else among
        part = slopes.normal[np.ix_(moving, moving)]
        step = np.zeros_like(right)
        step[moving] = np.linalg.lstsq(part + damping * np.diag(part.diagonal()), right[moving], rcond=None)[0]
        longest = float(np.abs(step[self.logs]).max(initial=0.0))
        return step * min(1.0, LONGEST / longest) if longest else step

    def _at(self, step: np.ndarray, slopes: Linearisation | None = None) -> np.ndarray:
        return self.problem.projected(self.x + step, None if slopes is None else ~slopes.moving)
