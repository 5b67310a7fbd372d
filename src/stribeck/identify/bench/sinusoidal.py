"""The sinusoidal test: dry and viscous friction from oscillations at different speeds, without the inertia."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import SpecError
from ..records.measurement import Measurement
from ..regression.estimate import Estimate, linear_fit
from .swings import NEAR, Profile, Swing, above, swings

PRIOR = 10
"""Weight, in swings, of the pooled variance in that of a record."""
DIFFERENT = 1.1
"""Least ratio of the fastest to the slowest record."""
SHAPES = ("jump", "kink")
"""Viscous friction above a threshold: fv |v|, which jumps at the threshold, or fv (|v| - threshold), a kink."""


@dataclass(frozen=True, eq=False)
class Sinusoidal:
    """Friction from oscillations at different speeds.

    `estimate` has fc (or fc_forward and fc_backward) and fv; with a profile of the dry friction, the ratios 1/beta of
    sliding friction to the profile instead of fc. `points` are the records: mean speed, mean drive and its standard
    error.

    >>> found = sinusoidal(records, trim=1.0)
    >>> found.estimate["fv"]
    0.0007
    """

    estimate: Estimate
    swings: tuple[tuple[Swing, ...], ...]
    threshold: float
    threshold_range: tuple[float, float] | None = None
    """95 % interval of the threshold, if it was estimated."""

    @property
    def points(self) -> list[tuple[float, float, float]]:
        """For each record: mean speed, mean drive, and the standard error of the latter.

        >>> found.points[0][:2]
        (37.3, 0.136)
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
    """Dry and viscous friction from at least two records of oscillations at different speeds.

    Between two reversals mean drive = fc + fv mean speed, because the inertia cancels (Nouailletas 2010, (34)-(37)).
    The means are measured, so the motion need not be a sine. Each record gives one equation per direction, weighted by
    the scatter of its swings. With a `threshold` viscous friction acts above this speed only, with a jump or a kink
    (`shape`); "find" estimates the threshold.

    `trim` omits a distance next to the reversals, such as a play; `inertia` corrects for the remaining difference of
    speeds at the ends. With a `profile`, a function of position and direction such as break-away curves, dry friction
    is proportional to it, with the factor 1/beta.

    `hold`: the drive is held between samples, as a command; False for a measured drive, which is interpolated linearly.
    With the channel of the reference as `position`, reversals and speeds are those of the reference, as in the paper;
    this requires good tracking.

    >>> records = [bench.sine(v, swing=10, centre=12, tracking=tracking, periods=3) for v in (50, 100)]
    >>> print(sinusoidal(records))
    """
    if shape not in SHAPES:
        raise SpecError(f"sinusoidal: shape = '{shape}' must be one of {', '.join(SHAPES)}")
    given = [records] if isinstance(records, Measurement) else list(records)
    parts = tuple(tuple(swings(record, drive, position, trim=trim, settle=settle, hold=hold)) for record in given)
    if not parts:
        raise SpecError("sinusoidal: there are no records; give at least two, with different speeds")
    problem = _Problem(_groups(parts), shape == "kink", inertia, profile, symmetric, _units(given[0], drive, position))
    _check_speeds(parts)
    if threshold == "find":
        at, ends = _searched(problem)
        return Sinusoidal(_with_threshold_error(problem, at, ends), parts, at, ends)
    if isinstance(threshold, str) or not threshold >= 0:
        raise SpecError(f"sinusoidal: threshold = {threshold!r} must be a speed (SI) or 'find'")
    return Sinusoidal(problem.solved(threshold), parts, float(threshold))


def _groups(parts: Sequence[Sequence[Swing]]) -> list[list[Swing]]:
    """The swings of each record in each direction."""
    groups = [[swing for swing in part if swing.direction == way] for part in parts for way in (1, -1)]
    return [group for group in groups if group]


@dataclass(frozen=True, eq=False)
class _Problem:
    """One equation for each record and direction: the mean over its swings.

    Swings of one record share the same model error, so standard errors must not fall with their number; they follow
    from the residuals of the means of different records.
    """

    groups: list[list[Swing]]
    kink: bool
    inertia: float
    profile: Profile | None
    symmetric: bool
    units: dict[str, str]

    def solved(self, threshold: float) -> Estimate:
        """The estimate for a given threshold of viscous friction."""
        terms = {**self._dry, "fv": self._fast(threshold)}
        units = dict.fromkeys(terms, self.units["share" if self.profile else "fc"]) | {"fv": self.units["fv"]}
        return linear_fit(terms, self._target, units=units, errors=self.errors, method="sinusoidal test")

    def misfit(self, threshold: float) -> float:
        """Weighted mean square residual for a given threshold."""
        terms = np.column_stack([*self._dry.values(), self._fast(threshold)]) / self.errors[:, None]
        goal = self._target / self.errors
        return float(np.mean((goal - terms @ np.linalg.lstsq(terms, goal, rcond=None)[0]) ** 2))

    def dwell(self, threshold: float) -> float:
        """Excess of the time near a threshold over that of a motion passing through it, as a fraction."""
        off = np.abs(self._samples[0] / threshold - 1) / NEAR
        near, around = int(np.sum(off < 1)), 0.5 * int(np.sum((off >= 1) & (off < 3)))
        return 0.0 if self.kink else max(1 - around / max(near, 1), 0.0)

    def _fast(self, threshold: float) -> np.ndarray:
        """Regressor of viscous friction: mean speeds above a threshold."""
        if threshold <= 0:
            return self._means(lambda s: s.speed)
        speeds, shares, begins = self._samples
        return np.asarray(np.add.reduceat(above(speeds, threshold, self.kink) * shares, begins))

    @cached_property
    def _samples(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Speeds of all swings, their weights in the mean of their group, and the first index of each group."""
        speeds = [np.concatenate([s.speeds for s in group]) for group in self.groups]
        shares = [np.concatenate([np.full(s.speeds.size, 1 / s.speeds.size / len(g)) for s in g]) for g in self.groups]
        begins = np.cumsum([0, *(part.size for part in speeds[:-1])])
        return np.concatenate(speeds), np.concatenate(shares), begins

    def _means(self, value: Callable[[Swing], float]) -> np.ndarray:
        return np.array([np.mean([value(swing) for swing in group]) for group in self.groups])

    @cached_property
    def _target(self) -> np.ndarray:
        return self._means(self._drive)

    def _drive(self, swing: Swing) -> float:
        """Mean drive without the inertia force."""
        return swing.drive - self.inertia * swing.gain

    @cached_property
    def _dry(self) -> dict[str, np.ndarray]:
        profile, name = self.profile, "share" if self.profile else "fc"
        level = self._means(lambda s: s.profile(profile) if profile else 1.0)
        sign = np.array([group[0].direction for group in self.groups])
        if self.symmetric:
            return {name: level}
        return {f"{name}_forward": np.where(sign > 0, level, 0.0), f"{name}_backward": np.where(sign < 0, level, 0.0)}

    @cached_property
    def errors(self) -> np.ndarray:
        """Standard errors of the means. The variance of the swings of a record is shrunk towards the pooled variance of
        all records (white noise over time), which has the weight of PRIOR swings: few swings may agree by chance."""
        count = np.array([len(group) for group in self.groups])
        time = self._means(lambda s: s.duration)
        spread = np.array(
            [np.var([self._drive(s) for s in group], ddof=min(len(group) - 1, 1)) for group in self.groups]
        )
        known = count > 1
        common = float(np.average((spread * time)[known], weights=count[known] - 1)) if known.any() else 0.0
        if not common > 0:
            return np.ones(count.size)
        return np.asarray(np.sqrt(((count - 1) * spread + PRIOR * common / time) / (count - 1 + PRIOR) / count))


def _with_threshold_error(problem: _Problem, at: float, ends: tuple[float, float]) -> Estimate:
    """The estimate with an estimated threshold: one degree of freedom less, and the effect of its uncertainty."""
    from scipy.stats import t

    found = problem.solved(at)
    freedom = max(found.freedom - 1, 1.0)
    low, high = (np.array(list(problem.solved(end).values.values())) for end in ends)
    change = (high - low) / (2 * t.ppf(0.975, freedom))
    covariance = found.covariance * found.freedom / freedom + np.outer(change, change)
    return replace(found, covariance=covariance, freedom=freedom)


def _searched(problem: _Problem) -> tuple[float, tuple[float, float]]:
    """The threshold with the least residual, and its 95 % interval (F test). If the machine dwells near it, with any
    fraction of the jump of friction, the interval is widened."""
    from scipy.stats import f

    every = [swing for group in problem.groups for swing in group]
    top = max(float(swing.speeds.max()) for swing in every)
    grid = np.linspace(0, 0.98 * top, 197)
    for _ in range(3):
        misfit = np.array([problem.misfit(v) for v in grid])
        best = int(np.argmin(misfit))
        grid = np.linspace(grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)], 21)
    at, least = float(grid[len(grid) // 2]), float(misfit.min())
    free = max(len(problem.groups) - len(problem.solved(at).names) - 1, 1)
    most = least * (1 + float(f.ppf(0.95, 1, free)) / free)
    widening = problem.dwell(at) * NEAR * at
    return at, (max(_edge(problem, at, 0.0, most) - widening, 0.0), _edge(problem, at, 0.98 * top, most) + widening)


def _edge(problem: _Problem, at: float, limit: float, most: float) -> float:
    """The threshold between its best value and a limit at which the residual reaches `most`."""
    inside, step = 0.0, 1e-4
    while step < 1 and problem.misfit(at + step * (limit - at)) <= most:
        inside, step = step, 2 * step
    outside = min(step, 1.0)
    for _ in range(12):
        middle = 0.5 * (inside + outside)
        inside, outside = (middle, outside) if problem.misfit(at + middle * (limit - at)) <= most else (inside, middle)
    return at + outside * (limit - at)


def _check_speeds(parts: tuple[tuple[Swing, ...], ...]) -> None:
    speeds = [float(np.mean([swing.speed for swing in record])) for record in parts]
    if max(speeds) < DIFFERENT * min(speeds):
        raise SpecError(
            f"sinusoidal: all records have about the same mean speed, {min(speeds):.3g} to {max(speeds):.3g}; viscous "
            "friction needs records of different speeds, preferably by a factor of 2"
        )


def _units(record: Measurement, drive: str, position: str) -> dict[str, str]:
    force, place = record.units[drive], record.units[position]
    viscous: Any = f"{force}.s/{place}" if place else ""
    return {"fc": force, "fv": viscous, "share": "1"}
