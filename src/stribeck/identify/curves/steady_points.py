"""Friction at steady speeds: given points, or phases of a record with constant speed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...declare import unknown
from ...errors import FileError, SpecError, UnknownName
from ...results.data_table import DataTable
from ...tables import read_columns
from ...units import logged_unit, parse_unit, si_unit, to_si
from ..records.inspect import require_drive
from ..records.measurement import Measurement
from ..records.reading import named_columns
from ..regression.coloured import long_run
from ..regression.estimate import Estimate
from ..regression.terms import Term
from .phase_regressors import fit_regressors

SPEEDS = ("m/s", "rad/s")
FLOOR = 0.5
"""Least error of a point, relative to the median: a long phase must not outweigh all others."""
SAME_SPEED = 1.02
"""Ratio of speeds below which they count as equal."""
USED = 0.9
"""Least fraction of samples of a phase that are not masked."""
UNSIGNED = 6
"""Points from which on equal friction in both directions, without a change of its sign, is no chance."""
COUNTS = 4
"""Least number of encoder steps in the shortest phase; with fewer the speed is not known."""


@dataclass(frozen=True, eq=False)
class SteadyPoints:
    """Points of friction over speed; errors are standard deviations, None if they are equal.

    >>> points = steady_points(run, force="tau", position="q")
    >>> points.speed, points.friction, points.start
    """

    speed: np.ndarray
    friction: np.ndarray
    friction_error: np.ndarray | None = None
    units: tuple[str, str] = ("", "")
    start: np.ndarray | None = None
    """Times (s) at which the phases begin and end, if they are parts of a record."""
    stop: np.ndarray | None = None
    regressors: Estimate | None = None
    """What was subtracted from the force besides friction, if `regressors` were given."""

    @classmethod
    def of(cls, speed: Any, friction: Any, errors: Any = None, units: tuple[str, str] = ("", "")) -> SteadyPoints:
        """Checked points, in SI: `units` are those of the numbers that are given.

        >>> SteadyPoints.of([-2, -1, 1, 2], [-1.2, -1.1, 1.1, 1.2], units=("m/s", "N"))
        """
        if friction is None:
            raise SpecError("give friction as well as speed, or the points that steady_points found in a record")
        v, f = _numbers("speed", speed), _numbers("friction", friction)
        if v.shape != f.shape:
            raise SpecError(f"there are {v.size} speeds and {f.size} values of friction; give one for each speed")
        if np.any(v == 0):
            i = int(np.argmax(v == 0))
            raise SpecError(f"speed[{i}] = 0: friction at rest is not a point of the curve; omit it")
        if v.size and np.mean(v * f < 0) > 0.5:
            raise SpecError("friction and speed have opposite signs; give the force that drives the motion")
        if v.size >= UNSIGNED and np.ptp(np.sign(v)) and (np.all(f > 0) or np.all(f < 0)) and _same_both_ways(v, f):
            raise SpecError(
                "friction has the same sign and size in both directions: these are magnitudes; give friction the sign "
                "of its speed, or positive speeds only"
            )
        if v.size and np.ptp(f) == 0 and (not f[0] or np.ptp(np.sign(v))):
            raise SpecError(
                f"friction is constant at {f[0] + 0.0:g}, whatever the speed; check the sensor and the column"
            )
        spread = None if errors is None else _numbers("errors", np.broadcast_to(errors, v.shape))
        if spread is not None and np.any(spread <= 0):
            raise SpecError(f"errors[{int(np.argmax(spread <= 0))}] must be above 0; omit the point instead")
        (pace, speed_unit), (load, load_unit) = _si("speed", units[0]), _si("friction", units[1])
        if speed_unit and speed_unit not in SPEEDS:
            raise SpecError(f"'{units[0]}' is not a unit of speed; give units=('rad/s', 'N.m') or similar")
        known = (speed_unit or getattr(speed, "unit", ""), load_unit or getattr(friction, "unit", ""))
        return cls(pace * v, load * f, None if spread is None else load * spread, known)

    @classmethod
    def read(
        cls,
        path: str | Path,
        speed: int | str,
        friction: int | str,
        errors: int | str | None = None,
        *,
        units: Mapping[str, str] | None = None,
        columns: str | Sequence[str] | None = None,
        table: int | str | None = None,
    ) -> SteadyPoints:
        """The columns of a file (.csv, .parquet, .mat ...), by name or number; rows with an empty cell are omitted.
        Units are those of the file unless `units` gives others. `columns` and `table` are those of `Measurement.read`.

        >>> SteadyPoints.read("joint2.csv", "speed", "torque", units={"speed": "deg/s"})
        """
        file = read_columns(path, table=table)
        file = file if columns is None else named_columns(file, columns)
        given = dict(units or {})
        stray = next((name for name in given if name not in (str(speed), str(friction))), None)
        if stray is not None:
            raise UnknownName(
                unknown(f"{file.place}: units of a column that is not read:", stray, [str(speed), str(friction)])
            )
        names = [speed, friction, *([] if errors is None else [errors])]
        rows = np.array([file.numbers(name) for name in names])
        rows = rows[:, np.isfinite(rows).all(axis=0)]
        if not rows.size:
            raise FileError(f"{file.place}: no row has numbers in the columns {', '.join(map(str, names))}")
        stated = (given.get(str(speed)) or file[speed].unit, given.get(str(friction)) or file[friction].unit)
        return cls.of(rows[0], rows[1], rows[2] if errors is not None else None, stated)

    @property
    def weight(self) -> np.ndarray:
        """Weights in least squares; 1 for a point with the root mean square error.

        >>> SteadyPoints.of([1.0, 2.0], [1.1, 1.2], errors=[0.1, 0.2]).weight
        array([1.58, 0.79])
        """
        if self.friction_error is None:
            return np.ones_like(self.speed)
        return np.asarray(np.sqrt(np.mean(self.friction_error**2)) / self.friction_error)

    def side(self, sign: int) -> SteadyPoints:
        """The points of one direction, with speed and friction as positive numbers.

        >>> SteadyPoints.of([-2.0, 1.0], [-1.2, 1.1]).side(-1).speed
        array([2.])
        """
        part = self.chosen(self.speed * sign > 0)
        return replace(part, speed=sign * part.speed, friction=sign * part.friction)

    @property
    def levels(self) -> np.ndarray:
        """Absolute speeds that differ by more than 2 %: repeated ones count once.

        >>> SteadyPoints.of([-1.0, 1.01, 2.0], [-1, 1, 2]).levels
        array([1., 2.])
        """
        found: list[float] = []
        for pace in np.sort(np.abs(self.speed)).tolist():
            if not found or pace > SAME_SPEED * found[-1]:
                found.append(pace)
        return np.array(found)

    def __len__(self) -> int:
        return int(self.speed.size)

    def __str__(self) -> str:
        names = [f"speed [{self.units[0] or 'SI'}]", f"friction [{self.units[1] or 'SI'}]"]
        columns = [self.speed, self.friction]
        for name, column in (("error", self.friction_error), ("from [s]", self.start), ("to [s]", self.stop)):
            if column is not None:
                names.append(name)
                columns.append(column)
        table = DataTable(names, [[float(cell) for cell in row] for row in zip(*columns, strict=True)]).text()
        return table if self.regressors is None else f"{table}\n{self.regressors}"

    def joined(self, other: SteadyPoints) -> SteadyPoints:
        """These points and those of another record.

        >>> len(points.joined(points)) == 2 * len(points)
        True
        """
        if self.units != other.units:
            raise SpecError(f"points in {self.units} and {other.units} cannot be joined; give units when reading them")
        parts = {
            name: None if a is None or b is None else np.concatenate([a, b])
            for name in ("friction_error", "start", "stop")
            for a, b in [(getattr(self, name), getattr(other, name))]
        }
        speed, friction = (np.concatenate([getattr(self, n), getattr(other, n)]) for n in ("speed", "friction"))
        return replace(self, speed=speed, friction=friction, regressors=None, **parts)  # type: ignore[arg-type]

    def chosen(self, at: np.ndarray) -> SteadyPoints:
        """A selection of the points.

        >>> points.chosen(points.speed > 0.1)
        """
        parts = {
            name: None if column is None else column[at]
            for name, column in (("friction_error", self.friction_error), ("start", self.start), ("stop", self.stop))
        }
        return replace(self, speed=self.speed[at], friction=self.friction[at], **parts)  # type: ignore[arg-type]


def steady_points(
    run: Measurement,
    force: str,
    *,
    position: str | None = None,
    speed: str | None = None,
    shortest: float | str = "0.25 s",
    tolerance: float = 0.05,
    settle: float | str = 0.0,
    inertia: float = 0.0,
    regressors: Sequence[str | Term] = (),
) -> SteadyPoints:
    """One point for each phase of a record in which the speed is constant within `tolerance`.

    The speed is the slope of a line through the positions of a phase, which is exact even for coarse encoders, or the
    mean of a channel `speed`. Friction is the mean of the channel `force`; its standard error accounts for
    autocorrelated samples. A phase lasts `shortest` or longer; its first `settle` (s) are omitted. `inertia` corrects
    for the remaining acceleration.

    `regressors` are terms of `inverse_model` that act besides friction: "gravity", "harmonics(6.2832, 1, 2)",
    "channel(T, viscous)", "acceleration(q2)". Their parameters are common to all phases and friction is free in each,
    so they are found from their changes within phases; those that are constant there, such as temperatures, from
    phases at the same speed.

    >>> steady_points(run, "tau", position="q", shortest="0.5 s")
    """
    if (position is None) == (speed is None):
        raise SpecError(f"{run.name}: give the channel of the position or that of the speed, not both")
    channel = position or speed or ""
    require_drive(run, force, channel, speeds=position is None)
    step = run.even("steady_points")
    length = to_si(shortest, "s", run.name, "shortest")
    window = max(round(length / step), 12)
    if window > len(run) // 2:
        raise SpecError(f"{run.name}: shortest = {length:g} s is longer than half of the record; give a shorter time")
    span = window // 3
    pace, noise = _pace(run, channel, position is not None, span, step)
    skip = round(to_si(settle, "s", run.name, "settle") / step)
    parts = list(_phases(pace, noise, window, span, tolerance, skip, run.valid))
    if not parts:
        raise SpecError(
            f"{run.name}: '{channel}' has no steady phase of {length:g} s within {tolerance:.0%}; reduce shortest or "
            "increase tolerance, or fit the whole record with fit()"
        )
    load, others = np.asarray(run[force]), None
    if regressors:
        others, acting = fit_regressors(run, force, channel, parts, regressors)
        load = load - acting
    found = [_point(run, channel, load, part, position is not None, inertia) for part in parts]
    columns = np.array(found).T
    v, f, error, start, stop = columns
    error = np.maximum(error, max(FLOOR * float(np.median(error)), 1e-9 * float(np.abs(f).max())))
    unit = run.units[channel] if speed else f"{run.units[channel]}/s" if run.units[channel] else ""
    return SteadyPoints(v, f, error, (unit, run.units[force]), start, stop, others)


def _same_both_ways(v: np.ndarray, f: np.ndarray) -> bool:
    """Whether friction at a speed backwards is that forwards, rather than its reverse about a load."""
    ahead, back = v > 0, v < 0
    if min(ahead.sum(), back.sum()) < UNSIGNED // 2:
        return False
    order = np.argsort(v[ahead])
    expected = np.interp(-v[back], v[ahead][order], f[ahead][order])
    same = float(np.mean((f[back] - expected) ** 2))
    reversed_ = float(np.var(f[back] + expected))  # a load adds a constant
    return same < 0.25 * reversed_


def _si(name: str, unit: str) -> tuple[float, str]:
    """The factor to SI, and the SI unit."""
    meant = logged_unit(unit or "")
    try:
        return (parse_unit(meant).factor, si_unit(meant)) if meant else (1.0, "")
    except ValueError as error:
        raise SpecError(f"unit '{unit}' of {name}: {error}") from None


def _numbers(name: str, values: Any) -> np.ndarray:
    try:
        array = np.array(values, float)
    except (TypeError, ValueError):
        raise SpecError(f"{name} must be an array of numbers") from None
    if array.ndim != 1:
        raise SpecError(f"{name} has {array.ndim} dimensions; give one row of numbers")
    if not np.all(np.isfinite(array)):
        raise SpecError(f"{name}[{int(np.argmin(np.isfinite(array)))}] is not finite; omit the point")
    return array


def _pace(run: Measurement, channel: str, is_position: bool, span: int, step: float) -> tuple[np.ndarray, float]:
    """The mean speed over a span of samples around each sample, and its sensor noise."""
    values = np.asarray(run[channel])
    grain = run.resolution.get(channel, 0.0)
    before = span // 2
    if is_position:
        pace = (values[span:] - values[:-span]) / (span * step)
        return np.pad(pace, (before, span - before), "edge"), COUNTS / 2 * grain / (span * step)
    pace = np.convolve(values, np.full(span, 1 / span), "valid")
    noise = 3 * float(np.median(np.abs(np.diff(values)))) / np.sqrt(span)
    return np.pad(pace, (before, span - 1 - before), "edge"), noise + grain


def _phases(
    pace: np.ndarray, noise: float, shortest: int, span: int, tolerance: float, skip: int, valid: np.ndarray
) -> Iterator[slice]:
    """Phases with a constant speed that is not 0. A mean speed within the tolerance covers half a span to both sides; a
    phase is extended by half of this, because the rest may belong to a change of speed within the tolerance."""
    start, need, more = 0, shortest - span, span // 4
    fastest = float(np.abs(pace).max())
    while start + need <= pace.size:
        head = pace[start : start + need]
        level = float(np.median(head))
        allowed = tolerance * abs(level) + noise
        moving = abs(level) > max(2 * noise, 1e-6 * fastest)
        if not moving or np.any(np.abs(head - level) > allowed):
            start += max(need // 8, 1)
            continue
        off = np.abs(pace[start:] - level) > allowed
        stop = start + int(np.argmax(off)) if off.any() else pace.size
        phase = slice(max(start - more, 0) + skip, min(stop + more, pace.size))
        if phase.stop - phase.start >= need and valid[phase].mean() >= USED:
            yield phase
        start = stop


def _point(
    run: Measurement, channel: str, force: np.ndarray, part: slice, is_position: bool, inertia: float
) -> tuple[float, float, float, float, float]:
    """Speed, friction and its standard error of one phase, with its start and end times."""
    keep = run.valid[part]
    time, values, load = run.time[part][keep], np.asarray(run[channel])[part][keep], force[part][keep]
    middle = time - time.mean()
    if is_position:
        bend, v, _ = np.polyfit(middle, values, 2)
        acceleration = 2 * bend
    else:
        acceleration, v = np.polyfit(middle, values, 1)
    rest = (load - load.mean())[:, None]
    error = float(np.sqrt(max(long_run(rest)[0][0, 0], 0.0) / load.size))
    return float(v), float(load.mean() - inertia * acceleration), error, float(time[0]), float(time[-1])
