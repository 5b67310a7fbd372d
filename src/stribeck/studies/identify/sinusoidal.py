"""The sinusoidal test: dry and viscous friction from swings of different speeds, without the inertia."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ...errors import SpecError
from .estimate import Estimate, linear_fit
from .measurement import Measurement
from .swings import Profile, Swing, swings

DIFFERENT = 1.1
"""Factor between the slowest and the fastest record."""
SHAPES = ("jump", "kink")
"""Viscous friction above a threshold: fv |v| that jumps there, or fv (|v| - threshold) that begins there."""


@dataclass(frozen=True, eq=False)
class Sinusoidal:
    """What swings of different speeds tell about friction.

    `estimate` has fc (or fc_forward and fc_backward) and fv; with a profile of the dry friction the shares of it that
    act in sliding (1/beta) instead. `points` are the records: mean speed, mean drive and its standard error.

    >>> found = sinusoidal(records, threshold=240, trim=3.0)
    >>> found.estimate["fv"], found.estimate.errors["fv"]
    (7.2e-04, 1e-05)
    """

    estimate: Estimate
    swings: tuple[tuple[Swing, ...], ...]
    threshold: float
    threshold_range: tuple[float, float] | None = None
    """95 % of it, if it was looked for."""

    @property
    def points(self) -> list[tuple[float, float, float]]:
        """Of each record: mean speed, mean drive, and the standard error of that.

        >>> found.points[0]
        (63.4, 0.1081, 0.0004)
        """
        rows = []
        for record in self.swings:
            drive = np.array([swing.drive for swing in record])
            error = float(drive.std(ddof=1) / drive.size**0.5) if drive.size > 1 else float("nan")
            rows.append((float(np.mean([swing.speed for swing in record])), float(drive.mean()), error))
        return rows

    def __str__(self) -> str:
        lines = [str(self.estimate)]
        if self.threshold_range:
            low, high = self.threshold_range
            lines.append(f"viscous friction begins at {self.threshold:.5g} (95 % from {low:.5g} to {high:.5g})")
        elif self.threshold:
            lines.append(f"viscous friction begins at {self.threshold:.5g}, as given")
        return "\n".join(lines)


def sinusoidal(
    records: Measurement | Sequence[Measurement],
    drive: str = "u",
    position: str = "q",
    *,
    threshold: float | str = 0.0,
    shape: str = "jump",
    trim: float = 0.0,
    inertia: float = 0.0,
    profile: Profile | None = None,
    symmetric: bool = False,
    settle: int = 1,
    hold: bool = True,
) -> Sinusoidal:
    """Dry and viscous friction from records that swing to and fro at different speeds: at least two.

    Every swing from one turning point to the next gives one equation: mean drive = fc + fv mean speed, where the
    inertia drops out (Nouailletas 2010, (34)-(37)); means are measured, so that the motion need not be a sine. Swings
    are weighted by the scatter within their record. With a `threshold` viscous friction acts above this speed only
    ("find" looks for it), in the `shape` of a jump or a kink. `trim` leaves out the way next to turning points, such as
    a play; what speed differs at the ends of the rest is taken out with the `inertia`. With a `profile`, a function of
    position and direction such as break-away curves, dry friction is a share of it: 1/beta.

    `hold`: the drive is held between samples, as commands are; measured ones are straight between them (False). With
    the channel of the reference as `position` turning points and speeds are those that were wanted, as in the
    paper; that serves where the machine has followed well.

    >>> print(sinusoidal([bench.sine(v, swing=25, centre=32, tracking=tracking) for v in (50, 100, 200)]))
    """
    if shape not in SHAPES:
        raise SpecError(f"sinusoidal: shape = '{shape}' must be one of {', '.join(SHAPES)}")
    given = [records] if isinstance(records, Measurement) else list(records)
    parts = tuple(tuple(swings(record, drive, position, trim=trim, settle=settle, hold=hold)) for record in given)
    if not parts:
        raise SpecError("sinusoidal: there are no records; give at least two, with different speeds")
    problem = _Problem(parts, shape == "kink", inertia, profile, symmetric, _units(given[0], drive, position))
    _check_speeds(parts)
    if threshold == "find":
        at, ends = _searched(problem)
        return Sinusoidal(problem.solved(at), parts, at, ends)
    if isinstance(threshold, str) or not threshold >= 0:
        raise SpecError(f"sinusoidal: threshold = {threshold!r} must be a speed (SI) or 'find'")
    return Sinusoidal(problem.solved(threshold), parts, float(threshold))


@dataclass(frozen=True, eq=False)
class _Problem:
    """The equations of all swings."""

    parts: tuple[tuple[Swing, ...], ...]
    kink: bool
    inertia: float
    profile: Profile | None
    symmetric: bool
    units: dict[str, str]

    def solved(self, threshold: float) -> Estimate:
        """The friction, if its viscous part begins at this speed."""
        terms = {**self._dry(), "fv": np.array([s.above(threshold, self.kink) for s in self._all])}
        target = np.array([s.drive - self.inertia * s.gain for s in self._all])
        units = {name: self.units["share" if self.profile else "fv" if name == "fv" else "fc"] for name in terms}
        units["fv"] = self.units["fv"]
        return linear_fit(terms, target, units=units, errors=self._errors(target), method="sinusoidal test")

    @property
    def _all(self) -> list[Swing]:
        return [swing for record in self.parts for swing in record]

    def _dry(self) -> dict[str, np.ndarray]:
        profile, name = self.profile, "share" if self.profile else "fc"
        level = np.array([s.profile(profile) if profile else 1.0 for s in self._all])
        way = np.array([s.direction for s in self._all])
        if self.symmetric:
            return {name: level}
        return {f"{name}_forward": np.where(way > 0, level, 0.0), f"{name}_backward": np.where(way < 0, level, 0.0)}

    def _errors(self, target: np.ndarray) -> np.ndarray:
        """Standard deviation of a swing of its record, apart from what both directions differ by; not below a tenth of
        the median, for few swings may agree by chance."""
        ends = np.cumsum([0, *(len(record) for record in self.parts)])
        way = np.array([s.direction for s in self._all])
        spread = np.array([_spread(target[a:b], way[a:b]) for a, b in pairwise(ends)])
        known = spread[spread > 0]
        if not known.size:
            return np.ones(target.size)
        spread = np.maximum(np.where(spread > 0, spread, np.median(known)), 0.1 * np.median(known))
        return np.repeat(spread, np.diff(ends))


def _spread(values: np.ndarray, way: np.ndarray) -> float:
    rest = np.concatenate([values[way == w] - values[way == w].mean() for w in (1, -1) if np.any(way == w)])
    free = rest.size - len(set(way.tolist()))
    return float(np.sqrt(rest @ rest / free)) if free > 0 else 0.0


def _searched(problem: _Problem) -> tuple[float, tuple[float, float]]:
    """The threshold that leaves least unexplained, and the range in which that is not significantly more (F test)."""
    from scipy.stats import f

    top = max(float(s.speeds.max()) for s in problem._all)
    grid = np.linspace(0, 0.98 * top, 197)
    for _ in range(3):
        misfit = np.array([_misfit(problem, v) for v in grid])
        best = int(np.argmin(misfit))
        grid = np.linspace(grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)], 21)
    at, least = float(grid[len(grid) // 2]), float(misfit.min())
    free = max(len(problem._all) - len(problem.solved(at).names) - 1, 1)
    most = least * (1 + float(f.ppf(0.95, 1, free)) / free)
    return at, (_edge(problem, at, 0.0, most), _edge(problem, at, 0.98 * top, most))


def _edge(problem: _Problem, at: float, limit: float, most: float) -> float:
    """How far the threshold can go from its best value towards a limit before more than `most` is left."""
    inside, step = 0.0, 1e-4
    while step < 1 and _misfit(problem, at + step * (limit - at)) <= most:
        inside, step = step, 2 * step
    outside = min(step, 1.0)
    for _ in range(12):
        middle = 0.5 * (inside + outside)
        inside, outside = (
            (middle, outside) if _misfit(problem, at + middle * (limit - at)) <= most else (inside, middle)
        )
    return at + outside * (limit - at)


def _misfit(problem: _Problem, threshold: float) -> float:
    """Weighted mean square that is left at a threshold."""
    found = problem.solved(threshold)
    weights = problem._errors(np.array([s.drive for s in problem._all]))
    return float(np.mean((found.residuals / weights) ** 2))


def _check_speeds(parts: tuple[tuple[Swing, ...], ...]) -> None:
    speeds = [float(np.mean([swing.speed for swing in record])) for record in parts]
    if max(speeds) < DIFFERENT * min(speeds):
        raise SpecError(
            f"sinusoidal: all records swing at about the same speed, {min(speeds):.3g} to {max(speeds):.3g} on "
            "average; what grows with speed needs records of different speeds, better by a factor of 2"
        )


def _units(record: Measurement, drive: str, position: str) -> dict[str, str]:
    force, place = record.units[drive], record.units[position]
    viscous: Any = f"{force}.s/{place}" if place else ""
    return {"fc": force, "fv": viscous, "share": "1"}
