"""Residuals of a model against records, and how they change with the free parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...errors import StribeckError
from .constraints import Constraints
from .free import Free
from .simulation import Rig, simulate_all

STEP = 3e-4
"""Step of the differences, in coordinates of `Free`: 0.03 % of a positive parameter. Events make the outputs of a
machine bend sharply as functions of its parameters, and the solver leaves errors near its tolerance of 1e-8: a smaller
step would show these instead of the slope."""

WIDER = (1e-2, 1e-1)
"""Steps for parameters that have no effect within the first one."""
UNMOVED = 1e-9
"""Change of residuals, in sizes of the noise, that is rounding."""
WEAK = 1e-4
"""Squared length of a combination of columns, scaled to 1 each and over that of the strongest one, below which they
nearly cancel."""
NOISY = 0.7
"""Difference of a slope to one side from the mean of both, as a share of it, from which on it is noise."""


@dataclass(frozen=True)
class Block:
    """The residuals of one output in one record: where they stand, and which of them count."""

    record: int
    output: str
    at: slice
    valid: np.ndarray


@dataclass(frozen=True, eq=False)
class Slope:
    """Derivatives of the residuals by the coordinates; which columns are more than noise of the simulation, because the
    slopes to both sides agree; and the grain: how far a coordinate must move at least to have an effect, else 0."""

    jacobian: np.ndarray
    trusted: np.ndarray
    grain: np.ndarray


@dataclass(frozen=True, eq=False)
class Problem:
    """All residuals (model - measurement) / sigma in one array, and 0 at samples that do not count.

    `sigma` is the size of the noise by output, the same in all records.

    >>> problem.residuals([np.zeros(2)])
    """

    rigs: Sequence[Rig]
    free: Sequence[Free]
    sigma: Mapping[str, float]
    constraints: Constraints = field(default_factory=Constraints)
    steps: dict[int, float] = field(default_factory=dict)
    """Steps of the coordinates within which they had an effect when the slopes were last taken; infinite if they have
    none at all."""

    @property
    def blocks(self) -> list[Block]:
        """The residuals in parts."""
        blocks: list[Block] = []
        first = 0
        for record, rig in enumerate(self.rigs):
            for output in rig.outputs:
                blocks.append(Block(record, output, slice(first, first + rig.time.size), rig.valid))
                first += rig.time.size
        return blocks

    @property
    def count(self) -> int:
        """Residuals that count."""
        return sum(int(block.valid.sum()) for block in self.blocks)

    @property
    def limits(self) -> np.ndarray:
        """Bounds of the coordinates: a row of the lower, a row of the upper ones."""
        return np.array([parameter.limits for parameter in self.free]).T

    def with_sigma(self, sigma: Mapping[str, float]) -> Problem:
        """The same with other sizes of the noise."""
        return replace(self, sigma=dict(sigma))

    def with_solver(self, solver: str) -> Problem:
        """The same with another solver, whose grain is its own: a fixed step sees a threshold at the end of a step."""
        return replace(self, rigs=[rig.with_solver(solver) for rig in self.rigs], steps={})

    def values(self, x: np.ndarray) -> dict[str, float]:
        """The parameters at a point of the search."""
        return self.constraints.values(self.free, x)

    def limits_at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of the coordinates at a point, constraints between parameters among them."""
        low, high = self.limits
        return self.constraints.lower_bounds(self.free, x, low), high

    def projected(self, x: np.ndarray, active: np.ndarray | None = None) -> np.ndarray:
        """The point within all bounds and constraints; coordinates whose constraint is `active` move with it."""
        return self.constraints.projected(self.free, np.clip(x, *self.limits), active)

    def residuals(self, points: Sequence[np.ndarray]) -> list[np.ndarray | None]:
        """Residuals at several points, simulated in parallel; None where the model cannot be run."""
        runs = simulate_all(self.rigs, [self.values(x) for x in points])
        return [None if run is None else self._residual(run) for run in runs]

    def failure(self, x: np.ndarray) -> StribeckError:
        """Why the model cannot be run at a point where it cannot."""
        try:
            for rig in self.rigs:
                rig.simulate(self.values(x))
        except StribeckError as error:
            return error
        raise AssertionError("the model can be run")

    def _residual(self, run: Sequence[np.ndarray]) -> np.ndarray:
        rows = []
        for rig, outputs in zip(self.rigs, run, strict=True):
            for row, measured, name in zip(outputs, rig.measured, rig.outputs, strict=True):
                rows.append(np.where(rig.valid, (row - measured) / self.sigma[name], 0.0))
        return np.concatenate(rows)

    def slope(self, x: np.ndarray, r: np.ndarray) -> Slope:
        """Forward differences, all points in parallel."""
        return self._slope(r, self._beside(x, r, (1.0,)))

    def central_slope(self, x: np.ndarray, r: np.ndarray) -> Slope:
        """Central differences, and what they are worth."""
        return self._slope(r, self._beside(x, r, (1.0, -1.0)))

    @staticmethod
    def _slope(r: np.ndarray, beside: Sequence[list[tuple[float, np.ndarray]]]) -> Slope:
        columns = [_difference(r, entries) for entries in beside]
        trusted = [_agree(r, entries, column) for entries, column in zip(beside, columns, strict=True)]
        widths = [max((abs(d) for d, _ in entries), default=0.0) for entries in beside]
        grain = [width if width > 2 * STEP else 0.0 for width in widths]
        return Slope(np.array(columns).T, np.array(trusted), np.array(grain))

    def along_weak(self, x: np.ndarray, r: np.ndarray, slope: Slope) -> Slope:
        """The same with slopes along weak directions of columns without a grain measured there: as small differences
        of columns that nearly cancel they would be the errors of these."""
        jacobian = slope.jacobian.copy()
        size = np.linalg.norm(jacobian, axis=0)
        used = np.flatnonzero((size > 0) & (slope.grain == 0))
        scaled = jacobian[:, used] / size[used]
        values, vectors = np.linalg.eigh(scaled.T @ scaled)
        for u in vectors.T[values < WEAK * values.max(initial=0.0)]:
            way = np.zeros_like(x)
            way[used] = u / size[used]
            step = STEP / float(np.abs(way).max())
            sides = [(d, there) for d, there in self._along(x, way, (step, -step)) if there is not None]
            if sides:
                scaled += np.outer(_difference(r, sides) - scaled @ u, u)
        jacobian[:, used] = scaled * size[used]
        return replace(slope, jacobian=jacobian)

    def _along(self, x: np.ndarray, way: np.ndarray, steps: Sequence[float]) -> list[tuple[float, np.ndarray | None]]:
        """Residuals some steps along a way, without the points that bounds or constraints would move."""
        points = {d: x + d * way for d in steps}
        inside = {d: p for d, p in points.items() if np.allclose(self.projected(p), p, rtol=0, atol=1e-12)}
        return list(zip(inside, self.residuals(list(inside.values())), strict=True))

    def _beside(self, x: np.ndarray, r: np.ndarray, sides: Sequence[float]) -> list[list[tuple[float, np.ndarray]]]:
        """For every coordinate some points beside x: how far, and the residuals there.

        The other side is taken where a point is beyond a bound or cannot be run; and a wider step where a point is no
        different from x. Forces that are held from sample to sample make that: a body breaks away at the first sample
        above its static friction, so that a slightly larger friction changes nothing."""
        found: list[list[tuple[float, np.ndarray]]] = [[] for _ in self.free]
        for step in (STEP, *WIDER):
            for way in (sides, (-1.0,) if len(sides) == 1 else ()):
                known = {i: min(width, WIDER[-1]) for i, width in self.steps.items() if step > STEP}
                waiting = [i for i, entries in enumerate(found) if not entries and step >= known.get(i, STEP)]
                shifts = [(i, side * step) for i in waiting for side in way]
                beside: dict[int, list[tuple[float, np.ndarray]]] = {i: [] for i in waiting}
                for i, d, there in self._shifted(x, shifts):
                    beside[i].append((d, there))
                for i, entries in beside.items():
                    if entries and all(np.abs(there - r).max() > UNMOVED for _, there in entries):
                        found[i] = entries
                        self.steps[i] = step
                    elif entries and step >= self.steps.get(i, STEP):
                        self.steps[i] = next((wider for wider in WIDER if wider > step), np.inf)
        return found

    def _shifted(self, x: np.ndarray, shifts: Sequence[tuple[int, float]]) -> list[tuple[int, float, np.ndarray]]:
        """Residuals after shifts of single coordinates, as far as the bounds go; without those that cannot be run."""
        low, high = self.limits_at(x)
        points = [np.where(np.arange(x.size) == i, np.clip(x + d, low, high), x) for i, d in shifts]
        inside = [(i, point) for (i, _), point in zip(shifts, points, strict=True) if point[i] != x[i]]
        residuals = self.residuals([point for _, point in inside])
        return [
            (i, float(point[i] - x[i]), there)
            for (i, point), there in zip(inside, residuals, strict=True)
            if there is not None
        ]


def _difference(r: np.ndarray, entries: Sequence[tuple[float, np.ndarray]]) -> np.ndarray:
    """The derivative from the residuals at one or two points beside."""
    if not entries:
        return np.zeros_like(r)
    (d, there), *rest = entries
    if rest:
        e, other = rest[0]
        return np.asarray((there - other) / (d - e))
    return np.asarray((there - r) / d)


def _agree(r: np.ndarray, entries: Sequence[tuple[float, np.ndarray]], slope: np.ndarray) -> bool:
    """Whether the slopes to both sides differ by less than what they have in common."""
    size = float(np.linalg.norm(slope))
    if size > 0 and max(abs(d) for d, _ in entries) > 2 * STEP:
        return True
    sides = [np.asarray((there - r) / d) for d, there in entries]
    return size > 0 and all(float(np.linalg.norm(side - slope)) < NOISY * size for side in sides)
