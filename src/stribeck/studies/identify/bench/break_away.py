"""Break-away: what drive it takes to start a motion, over position and direction, from ramps in a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import SpecError
from ..records.inspect import require_motion
from ..records.measurement import Measurement
from ..regression.estimate import Estimate, linear_fit
from .break_away_curve import WAYS, BreakAwayCurve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REST = 0.02
"""Time without motion that makes a rest (s); at least 5 samples."""
STEPS = 2
"""Steps of the sensor that make a motion: a single one may be due to an elastic displacement next to an edge."""
NOISE = 6
"""Standard deviations of its noise that are added to that."""
RISE = 0.1
"""Share of the drive at break-away by which it must have risen during the rest."""
LINE = 0.25
"""Last share of a ramp through which a line is drawn: the drive at break-away, and its rate."""
FEWEST = 8
"""Starts of motion below which none counts as an outlier."""
HIGHEST, PER_DEGREE = 6, 4
"""Degree of a polynomial that the data choose at most, and starts of motion that each degree needs."""


@dataclass(frozen=True, eq=False)
class BreakAways:
    """The starts of motion that were found; arrays with one entry each, in SI.

    `drive` is positive for a drive in the direction of the motion, `travel` the way in this direction since the last
    reversal (or since the start of the record), `rate` how fast the drive rose.

    >>> found = break_aways(record).beyond(play=3.0)
    >>> up = found.curve(+1, degree=3)
    >>> up(30.0), up.error(30.0), up.mean()
    (0.1389, 0.0003, (0.1357, 0.0001))
    """

    time: np.ndarray
    position: np.ndarray
    drive: np.ndarray
    direction: np.ndarray
    rate: np.ndarray
    travel: np.ndarray
    units: tuple[str, str] = ("", "")
    """Of drive and position."""

    def __len__(self) -> int:
        return int(self.time.size)

    def where(self, keep: Any) -> BreakAways:
        """Those that an array of bool names.

        >>> found.where(found.position < 60)
        """
        at = np.asarray(keep, bool)
        names = ("time", "position", "drive", "direction", "rate", "travel")
        return replace(self, **{name: getattr(self, name)[at] for name in names})

    def towards(self, direction: int) -> BreakAways:
        """Those of one direction, 1 or -1.

        >>> found.towards(-1).drive.mean()
        0.15
        """
        return self.where(self.direction == direction)

    def beyond(self, play: float) -> BreakAways:
        """Without those that come less than `play` after a reversal, where only a part of the machine moves.

        >>> found.beyond(play=3.0)
        """
        return self.where(self.travel >= play)

    def joined(self, *others: BreakAways) -> BreakAways:
        """With those of other tests, for instance at other rates.

        >>> slow.joined(fast)
        """
        parts = (self, *others)
        names = ("time", "position", "drive", "direction", "rate", "travel")
        whole: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        return replace(self, **whole)

    def without_outliers(self, spread: float = 4.0) -> BreakAways:
        """Without those that are further from a smooth curve through most of them than `spread` times usual.

        >>> found.without_outliers()
        """
        keep = np.ones(len(self), bool)
        for way in (1, -1):
            at = np.flatnonzero(self.direction == way)
            if at.size >= FEWEST:
                off = np.abs(_off_smooth(self.position[at], self.drive[at]))
                keep[at] = off <= max(spread * 1.4826 * np.median(off), 1e-9 * np.abs(self.drive[at]).max())
        return self.where(keep)

    def curve(self, direction: int, degree: int | None = None, *, delay: bool | None = None) -> BreakAwayCurve:
        """A polynomial of the position through the break-aways of one direction.

        Without a `degree` it is the one that the criterion of Schwarz (BIC) prefers. A motion is seen late, by the time
        in which the machine comes to the next step of the sensor, so that a faster ramp reads too high. With tests at
        different rates, the polynomial is that of a ramp without a rate (`delay`; by itself if rates differ twofold).

        >>> found.curve(-1, degree=4).estimate
        """
        part = self.towards(direction)
        if len(part) < 3:
            raise SpecError(
                f"break-away: {len(part)} starts of motion in direction {direction:+d} are too few for a curve; ramp "
                "more often, or look with a smaller moved"
            )
        slow, fast = np.quantile(part.rate, [0.1, 0.9])  # a single ramp that was read wrong is no second rate
        late = bool(slow < 0.5 * fast) if delay is None else delay
        if late and np.ptp(part.rate) < 1e-3 * part.rate.max():
            raise SpecError(
                f"break-away: all ramps rise by {part.rate.mean():.3g} {self.units[0]}/s; the delay of the sensor "
                "needs tests at different rates (joined), or delay=False"
            )
        most = min(HIGHEST, len(part) // PER_DEGREE)
        degrees = range(most + 1) if degree is None else [degree]
        fits = [_polynomial(part, d, late) for d in degrees]
        best = min(fits, key=_criterion)
        return BreakAwayCurve(best, direction, float(part.position.min()), float(part.position.max()), self.units)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Starts of motion over the position, and the curves that they support.

        >>> found.beyond(play=3.0).without_outliers().plot("break-away.png")
        """
        from .break_away_plot import plot_break_aways

        return plot_break_aways(self, path)

    def __str__(self) -> str:
        lines = []
        for way, word in WAYS.items():
            part = self.towards(way)
            if len(part):
                lines.append(
                    f"{word}: {len(part)} starts of motion, {part.drive.mean():.5g} {self.units[0]} on average, "
                    f"{part.drive.min():.5g} to {part.drive.max():.5g}"
                )
        return "\n".join(lines) or "no start of motion"


def break_aways(
    measurements: Measurement | Sequence[Measurement],
    drive: str = "u",
    position: str = "q",
    *,
    moved: float | None = None,
    rest: float = REST,
) -> BreakAways:
    """Finds the starts of motion in records in which the drive rises slowly from rest, again and again.

    A rest is what changes by less than `moved` for `rest` (s); the next change by `moved` is a motion. Without it
    `moved` is two steps of the sensor and six times its noise, or ten times its noise if its resolution is not known;
    with a fine sensor choose it above the elastic displacement before break-away. The drive is read from a line through
    the last quarter of its ramp; motions against the drive, or under one that has not risen, are left out. Noise of the
    drive starts motions early, by two standard deviations or so.

    >>> found = break_aways(record, drive="u", position="q")
    >>> print(found)
    """
    records = [measurements] if isinstance(measurements, Measurement) else list(measurements)
    parts = [_found(record, drive, position, moved, rest) for record in records]
    if not parts:
        raise SpecError("break-away: there are no records; give at least one Measurement")
    whole = parts[0].joined(*parts[1:])
    if not len(whole):
        step = _moved(records[0], position, moved)
        raise SpecError(
            f"break-away: '{position}' of {records[0].name} never starts to move by {step:g} from a rest of {rest:g} "
            f"s with '{drive}' rising; choose moved and rest for this record"
        )
    return whole


def _found(record: Measurement, drive: str, position: str, moved: float | None, rest: float) -> BreakAways:
    require_motion(record, position, drive)
    u, q = np.asarray(record[drive]), np.asarray(record[position])
    step = _moved(record, position, moved)
    rows = []
    long = max(5, round(rest * (record.time.size - 1) / (record.time[-1] - record.time[0])))
    for begin, start in _starts(q, step, long):
        way = int(np.sign(q[start] - q[begin]))
        level, rate = _line(record.time[begin:start], way * u[begin:start])
        rise = level - float((way * u[begin:start]).min())
        if level > 0 and rise > RISE * level and record.valid[begin:start].all():
            rows.append((record.time[start], float(np.median(q[begin:start])), level, way, rate))
    times, places, levels, ways, rates = np.array(rows, float).reshape(-1, 5).T
    units = (record.units[drive], record.units[position])
    return BreakAways(times, places, levels, ways.astype(int), rates, _travel(places, ways), units)


def _moved(record: Measurement, position: str, moved: float | None) -> float:
    """The change of position that counts as motion."""
    if moved is not None:
        return moved * (1 - 1e-9)
    noise = 1.4826 * float(np.median(np.abs(np.diff(np.asarray(record[position]), 2)))) / 6**0.5
    known = position in record.resolution
    step = STEPS * record.resolution[position] + NOISE * noise if known else 10 * noise
    if not step > 0:
        raise SpecError(
            f"{record.name}: say with moved= what change of '{position}' is a motion; neither its resolution nor any "
            "noise tells it"
        )
    return float(step) * (1 - 1e-9)


def _starts(q: np.ndarray, moved: float, rest: int) -> list[tuple[int, int]]:
    """Where a rest begins and where the motion after it is first seen."""
    found, place, since, resting = [], q[0], 0, False
    for k, x in enumerate(q.tolist()):
        if abs(x - place) >= moved:
            if resting:
                found.append((since, k))
            place, since, resting = x, k, False
        elif k - since >= rest:
            resting = True
    return found


def _line(time: np.ndarray, u: np.ndarray) -> tuple[float, float]:
    """Value at the last sample and slope of a line through the end of a ramp, which begins at its lowest value."""
    lowest = u.size - 1 - int(np.argmin(u[::-1]))
    first = u.size - max(round(LINE * (u.size - lowest)), 2)
    slope, level = np.polyfit(time[first:] - time[-1], u[first:], 1)
    return float(level), float(slope)


def _travel(place: np.ndarray, way: np.ndarray) -> np.ndarray:
    """How far each start is from the first one of the same direction in a row."""
    travel, first = np.zeros(place.size), 0
    for k in range(place.size):
        if way[k] != way[first]:
            first = k
        travel[k] = way[k] * (place[k] - place[first])
    return travel


def _off_smooth(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Distance of points from the polynomial whose distances have the least sum of sizes: outliers do not bend it."""
    degree = min(HIGHEST, x.size // PER_DEGREE)
    rows = np.polynomial.chebyshev.chebvander(2 * (x - x.min()) / max(np.ptp(x), 1e-300) - 1, degree)
    weight, off = np.ones(x.size), y
    for _ in range(30):
        found = np.linalg.lstsq(rows * weight[:, None], y * weight, rcond=None)[0]
        off = y - rows @ found
        weight = 1 / np.sqrt(np.maximum(np.abs(off), 1e-6 * np.abs(y).max()))
    return np.asarray(off)


def _polynomial(part: BreakAways, degree: int, late: bool) -> Estimate:
    drive, position = part.units
    terms = {f"b{k}": part.position**k for k in range(degree + 1)}
    units = {f"b{k}": _per(drive, position, k) for k in range(degree + 1)}
    if late:
        terms["delay"], units["delay"] = part.rate, "s"
    return linear_fit(terms, part.drive, units=units, method=f"break-away, degree {degree}")


def _per(drive: str, position: str, power: int) -> str:
    return drive if power == 0 or not position else f"{drive}/{position}{power if power > 1 else ''}"


def _criterion(fit: Estimate) -> float:
    """Of Schwarz: n log(mean square) + parameters log n."""
    n = fit.residuals.size
    return float(n * np.log(max(np.mean(fit.residuals**2), 1e-300)) + len(fit.names) * np.log(n))
