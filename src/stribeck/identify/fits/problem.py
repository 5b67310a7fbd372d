"""Residuals of a model against records, and their derivatives by the free parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...errors import StribeckError
from .constraints import Constraints
from .free import Free
from .simulation import Rig, simulate_all
from .sums import combined, gram, length

STEP = 3e-4
"""Step of the finite differences, in coordinates of `Free`: 0.03 % of a positive parameter. Events make the outputs
nearly non-smooth functions of the parameters, and the solver has errors near its tolerance of 1e-8: a smaller step
would show these errors instead of the slope."""

WIDER = (1e-2, 1e-1)
"""Steps for parameters that have no effect within the first one."""
SMOOTHER = (3e-3, 3e-2)
"""Steps for columns that are noise of the simulation at the first one."""
UNMOVED = 1e-9
"""Change of residuals, in units of the noise level, that is rounding error."""
WEAK = 1e-4
"""Eigenvalue of J'J with columns of unit length, relative to the largest one, below which columns nearly cancel."""
NOISY = 0.7
"""Relative difference of a one-sided slope from the mean of both sides from which on the slope counts as noise."""
AGREEMENT = 0.1
"""Relative difference of two columns, found with other steps, below which neither is noise."""


Neighbours = list[tuple[float, np.ndarray]]
"""Shifts of one coordinate, and the residuals after them."""


@dataclass(frozen=True)
class Block:
    """The residuals of one output in one record: their position in the array, and which of them are valid."""

    record: int
    output: str
    at: slice
    valid: np.ndarray


@dataclass(frozen=True, eq=False)
class Slope:
    """The Jacobian of the residuals by the coordinates. A column is `trusted` if the slopes to both sides agree, so
    that it is more than noise of the simulation. `grain` is the least distance that a coordinate must move to have an
    effect, or 0."""

    jacobian: np.ndarray
    trusted: np.ndarray
    grain: np.ndarray


@dataclass(frozen=True, eq=False)
class Problem:
    """All residuals (model - measurement) / sigma in one array; 0 at samples that are not valid.

    `sigma` is the noise level by output, the same in all records.

    >>> problem.residuals([np.zeros(2)])
    """

    rigs: Sequence[Rig]
    free: Sequence[Free]
    sigma: Mapping[str, float]
    constraints: Constraints = field(default_factory=Constraints)
    steps: dict[int, float] = field(default_factory=dict)
    """Difference steps of the coordinates that had an effect when the Jacobian was last computed; infinite for a
    coordinate without any effect."""

    @property
    def blocks(self) -> list[Block]:
        """The residuals by record and output."""
        blocks: list[Block] = []
        first = 0
        for record, rig in enumerate(self.rigs):
            for output in rig.outputs:
                blocks.append(Block(record, output, slice(first, first + rig.time.size), rig.valid))
                first += rig.time.size
        return blocks

    @property
    def count(self) -> int:
        """Number of valid residuals."""
        return sum(int(block.valid.sum()) for block in self.blocks)

    @property
    def limits(self) -> np.ndarray:
        """Bounds of the coordinates: a row of the lower, a row of the upper ones."""
        return np.array([parameter.limits for parameter in self.free]).T

    def with_sigma(self, sigma: Mapping[str, float]) -> Problem:
        """The same problem with other noise levels."""
        return replace(self, sigma=dict(sigma))

    def with_solver(self, solver: str) -> Problem:
        """The same problem with another solver. Its grain differs: with fixed steps thresholds act at the end
        of a step."""
        return replace(self, rigs=[rig.with_solver(solver) for rig in self.rigs], steps={})

    def beginning(self, samples: int) -> Problem:
        """The same problem with the first samples of every record."""
        return replace(self, rigs=[rig.beginning(samples) for rig in self.rigs], steps={})

    def values(self, x: np.ndarray) -> dict[str, float]:
        """The parameters at a point of the search."""
        return self.constraints.values(self.free, x)

    def limits_at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of the coordinates at a point, including the constraints between parameters."""
        low, high = self.limits
        return self.constraints.lower_bounds(self.free, x, low), high

    def projected(self, x: np.ndarray, active: np.ndarray | None = None) -> np.ndarray:
        """The point projected onto all bounds and constraints; coordinates whose constraint is `active` stay on it."""
        return self.constraints.projected(self.free, np.clip(x, *self.limits), active)

    def residuals(self, points: Sequence[np.ndarray]) -> list[np.ndarray | None]:
        """Residuals at several points, simulated in parallel; None where the model cannot be simulated."""
        runs = simulate_all(self.rigs, [self.values(x) for x in points])
        return [None if run is None else self._residual(run) for run in runs]

    def failure(self, x: np.ndarray) -> StribeckError:
        """The error of the model at a point where it cannot be simulated."""
        try:
            for rig in self.rigs:
                rig.simulate(self.values(x))
        except StribeckError as error:
            return error
        raise AssertionError("the model can be simulated")

    def _residual(self, run: Sequence[np.ndarray]) -> np.ndarray:
        rows = []
        for rig, outputs in zip(self.rigs, run, strict=True):
            for row, measured, name in zip(outputs, rig.measured, rig.outputs, strict=True):
                rows.append(np.where(rig.valid, (row - measured) / self.sigma[name], 0.0))
        return np.concatenate(rows)

    def slope(self, x: np.ndarray, r: np.ndarray) -> Slope:
        """Forward differences, all points in parallel."""
        return self._slope(r, self._neighbours(x, r, (1.0,)))

    def central_slope(self, x: np.ndarray, r: np.ndarray) -> Slope:
        """Central differences, and which of them can be trusted; noisy ones with wider steps, as far as that helps."""
        return self._smoother(x, r, self._slope(r, self._neighbours(x, r, (1.0, -1.0))))

    def accurate_slope(self, x: np.ndarray, r: np.ndarray, other: np.ndarray | None) -> Slope:
        """Forward differences where they agree with another Jacobian, which had other steps or is that of another
        point: neither is noise then. Central ones elsewhere, and everywhere if columns nearly cancel."""
        if other is None:
            return self.central_slope(x, r)
        forward = self._neighbours(x, r, (1.0,))
        columns = np.array([_difference(r, entries) for entries in forward]).T
        sizes = np.sqrt(np.einsum("ij,ij->j", columns, columns))
        gaps = np.sqrt(np.einsum("ij,ij->j", columns - other, columns - other))
        doubtful = np.flatnonzero(~(gaps < AGREEMENT * sizes))
        if not doubtful.size:
            values = np.linalg.eigvalsh(gram(columns, columns) / np.outer(sizes, sizes))
            doubtful = np.arange(x.size if values[0] < WEAK * values[-1] else 0)
        if doubtful.size:
            central = self._neighbours(x, r, (1.0, -1.0), doubtful.tolist())
            forward = [central[i] if i in doubtful else entries for i, entries in enumerate(forward)]
        return self._smoother(x, r, self._slope(r, forward))

    def _smoother(self, x: np.ndarray, r: np.ndarray, slope: Slope) -> Slope:
        """The Jacobian with columns that are noise of the simulation measured again with wider steps. Fixed steps of
        stiff bristles have errors that change with every parameter: an inertia that matters would look as if it did
        not."""
        jacobian, trusted = slope.jacobian.copy(), slope.trusted.copy()
        for step in SMOOTHER:
            noisy = [i for i in np.flatnonzero(~trusted).tolist() if np.any(jacobian[:, i])]
            entries: dict[int, Neighbours] = {i: [] for i in noisy}
            for i, d, shifted in self._shifted(x, [(i, side * step) for i in noisy for side in (1.0, -1.0)]):
                entries[i].append((d, shifted))
            for i, pair in entries.items():
                if len(pair) == 2 and _same(r, pair, _difference(r, pair)):
                    jacobian[:, i], trusted[i] = _difference(r, pair), True
        return Slope(jacobian, trusted, slope.grain)

    @staticmethod
    def _slope(r: np.ndarray, neighbours: Sequence[Neighbours]) -> Slope:
        columns = [_difference(r, entries) for entries in neighbours]
        trusted = [_agree(r, entries, column) for entries, column in zip(neighbours, columns, strict=True)]
        widths = [max((abs(d) for d, _ in entries), default=0.0) for entries in neighbours]
        grain = [width if width > 2 * STEP else 0.0 for width in widths]
        return Slope(np.array(columns).T, np.array(trusted), np.array(grain))

    def along_weak(self, x: np.ndarray, r: np.ndarray, slope: Slope) -> Slope:
        """The same Jacobian, with the derivatives along weak directions (columns without grain that nearly cancel)
        measured directly: as differences of nearly equal columns they would be mostly error."""
        jacobian = slope.jacobian.copy()
        size = np.linalg.norm(jacobian, axis=0)
        used = np.flatnonzero((size > 0) & (slope.grain == 0))
        scaled = jacobian[:, used] / size[used]
        values, vectors = np.linalg.eigh(gram(scaled, scaled))
        for u in vectors.T[values < WEAK * values.max(initial=0.0)]:
            direction = np.zeros_like(x)
            direction[used] = u / size[used]
            step = STEP / float(np.abs(direction).max())
            sides = [(d, shifted) for d, shifted in self._along(x, direction, (step, -step)) if shifted is not None]
            if sides:
                scaled += np.outer(_difference(r, sides) - combined(scaled, u), u)
        jacobian[:, used] = scaled * size[used]
        return replace(slope, jacobian=jacobian)

    def _along(
        self, x: np.ndarray, direction: np.ndarray, steps: Sequence[float]
    ) -> list[tuple[float, np.ndarray | None]]:
        """Residuals at steps along a direction, without the points that bounds or constraints would move."""
        points = {d: x + d * direction for d in steps}
        inside = {d: p for d, p in points.items() if np.allclose(self.projected(p), p, rtol=0, atol=1e-12)}
        return list(zip(inside, self.residuals(list(inside.values())), strict=True))

    def _neighbours(
        self, x: np.ndarray, r: np.ndarray, sides: Sequence[float], among: Sequence[int] | None = None
    ) -> list[Neighbours]:
        """For every coordinate, or those `among` them, its neighbours of x.

        The other side is used where a point is beyond a bound or cannot be simulated, and a wider step where the
        residuals do not change. That happens with forces that are held from sample to sample: a body breaks away at the
        first sample above its static friction, so a slightly larger friction changes nothing."""
        found: list[Neighbours] = [[] for _ in self.free]
        asked = range(len(found)) if among is None else among
        for step in (STEP, *WIDER):
            for tried in (sides, (-1.0,) if len(sides) == 1 else ()):
                known = {i: min(width, WIDER[-1]) for i, width in self.steps.items() if step > STEP}
                waiting = [i for i in asked if not found[i] and step >= known.get(i, STEP)]
                shifts = [(i, side * step) for i in waiting for side in tried]
                neighbours: dict[int, Neighbours] = {i: [] for i in waiting}
                for i, d, shifted in self._shifted(x, shifts):
                    neighbours[i].append((d, shifted))
                for i, entries in neighbours.items():
                    if entries and all(np.abs(shifted - r).max() > UNMOVED for _, shifted in entries):
                        found[i] = entries
                        self.steps[i] = step
                    elif entries and step >= self.steps.get(i, STEP):
                        self.steps[i] = next((wider for wider in WIDER if wider > step), np.inf)
        return found

    def _shifted(self, x: np.ndarray, shifts: Sequence[tuple[int, float]]) -> list[tuple[int, float, np.ndarray]]:
        """Residuals after shifts of single coordinates within the bounds, without points that cannot be simulated."""
        low, high = self.limits_at(x)
        points = [np.where(np.arange(x.size) == i, np.clip(x + d, low, high), x) for i, d in shifts]
        inside = [(i, point) for (i, _), point in zip(shifts, points, strict=True) if point[i] != x[i]]
        residuals = self.residuals([point for _, point in inside])
        return [
            (i, float(point[i] - x[i]), shifted)
            for (i, point), shifted in zip(inside, residuals, strict=True)
            if shifted is not None
        ]


def _difference(r: np.ndarray, entries: Neighbours) -> np.ndarray:
    """The difference quotient from the residuals at one or two neighbours."""
    if not entries:
        return np.zeros_like(r)
    (d, shifted), *rest = entries
    if rest:
        e, other = rest[0]
        return np.asarray((shifted - other) / (d - e))
    return np.asarray((shifted - r) / d)


def _agree(r: np.ndarray, entries: Neighbours, slope: np.ndarray) -> bool:
    """Whether the slopes to both sides differ by less than what they have in common."""
    size = float(length(slope))
    if size > 0 and max(abs(d) for d, _ in entries) > 2 * STEP:
        return True
    return _same(r, entries, slope)


def _same(r: np.ndarray, entries: Neighbours, slope: np.ndarray) -> bool:
    """Whether one-sided slopes are about the mean of both."""
    size = float(length(slope))
    sides = [np.asarray((shifted - r) / d) for d, shifted in entries]
    return size > 0 and all(float(length(side - slope)) < NOISY * size for side in sides)
