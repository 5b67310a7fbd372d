"""Break-away: what drive it takes to start a motion, over position and direction, from ramps in a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import SpecError
from ...records.inspect import require_drive
from ...records.measurement import Measurement
from ...regression.estimate import Estimate, linear_fit
from ..starts import Start, least_motion, starts
from .curve import WAYS, BreakAwayCurve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REST = 0.02
"""Time without motion that makes a rest (s)."""
ARRAYS = ("time", "position", "drive", "direction", "rate", "travel", "late")
TOLD, GUESSED = 0.05, 0.5
"""Standard error of what drives read too high, by `late`: where different rates tell it (of the slowest), or not."""
GENTLE, HIDDEN = 1.6, 2.5
"""Shares of `late` that the rates tell where friction does not fall, and above which `late` means nothing."""
BLUR = 0.25
"""Standard error of what is taken off because friction falls gently, as a share of it."""
FEW = 3
"""Starts of motion that a curve needs at least."""
FEWEST = 8
"""Starts of motion below which none counts as an outlier."""
HIGHEST, PER_DEGREE = 6, 4
"""Degree of a polynomial that the data choose at most, and starts of motion that each degree needs."""


@dataclass(frozen=True, eq=False)
class BreakAways:
    """The starts of motion that were found; arrays with one entry each, in SI.

    `drive` is positive for a drive in the direction of the motion, `travel` the way in this direction since the last
    reversal (or since the start of the record), `rate` how fast the drive rose, `late` about how much it rose from the
    start of a motion until that was seen.

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
    late: np.ndarray
    units: tuple[str, str] = ("", "")
    """Of drive and position."""

    def __len__(self) -> int:
        return int(self.time.size)

    def where(self, keep: Any) -> BreakAways:
        """Those that an array of bool names.

        >>> found.where(found.position < 60)
        """
        at = np.asarray(keep, bool)
        return replace(self, **{name: getattr(self, name)[at] for name in ARRAYS})

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
        whole: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS}
        return replace(self, **whole)

    def without_outliers(self, spread: float = 4.0) -> BreakAways:
        """Without those that are further from a smooth curve through most of them than `spread` times usual; ramps of
        each rate among themselves, as faster ones read higher and scatter more.

        >>> found.without_outliers()
        """
        keep = np.ones(len(self), bool)
        pace = np.round(np.log2(self.rate / self.rate.min(initial=np.inf)))
        for way, level in product(WAYS, np.unique(pace)):
            at = np.flatnonzero((self.direction == way) & (pace == level))
            if at.size >= FEWEST:
                off = np.abs(_off_smooth(self.position[at], self.drive[at]))
                keep[at] = off <= max(spread * 1.4826 * np.median(off), 1e-9 * np.abs(self.drive[at]).max())
        return self.where(keep)

    def curve(self, direction: int, degree: int | None = None, *, delay: bool | None = None) -> BreakAwayCurve:
        """A polynomial of the position through the break-aways of one direction.

        Without a `degree` it is the one that the criterion of Schwarz (BIC) prefers. A motion is seen late, by the time
        in which the machine comes to the next step of the sensor, so that drives read too high. Tests at rates that
        differ twofold tell how much, as a share of `late` (`delay=True`); else `late` itself is subtracted, and half of
        it is a standard error. `delay=False` leaves drives as they were read.

        >>> found.curve(-1, degree=4).estimate
        """
        part = self.towards(direction)
        if len(part) < FEW:
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
        fits = [_polynomial(part, d, part.late if late else None) for d in degrees]
        best = min(fits, key=_criterion)
        if delay is not False:
            best = _in_time(best, part, late)
        ends = float(part.position.min()), float(part.position.max())
        onset = 0.0 if delay is False else float(np.mean(part.late / part.rate))
        return BreakAwayCurve(best, direction, *ends, self.units, onset)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Starts of motion over the position, and the curves that they support.

        >>> found.beyond(play=3.0).without_outliers().plot("break-away.png")
        """
        from .plot import plot_break_aways

        return plot_break_aways(self, path)

    def __str__(self) -> str:
        lines = []
        for way, word in WAYS.items():
            part = self.towards(way)
            if len(part):
                lines.append(
                    f"{word}: {len(part)} starts of motion, {part.drive.mean():.5g} {self.units[0]} on average, "
                    f"{part.drive.min():.5g} to {part.drive.max():.5g}, seen late by about {np.median(part.late):.2g}"
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

    Each ramp of the drive counts at most once, after a rest of at least `rest` (s). A motion goes on at once, while
    elastic creep before break-away only grows with the drive: of all ways, from two steps of the sensor and six times
    its noise on by factors of two, motions are seen at the one that doubles soonest; `moved` says which way to take
    instead. The drive is read from a line through the last quarter of its ramp. Motions against the drive are left out,
    those under a drive that is held, and those during which it rises by more than a fifth. Noise of the drive starts
    motions early, by two standard deviations or so.

    >>> found = break_aways(record, drive="u", position="q")
    >>> print(found)
    """
    records = [measurements] if isinstance(measurements, Measurement) else list(measurements)
    if not records:
        raise SpecError("break-away: there are no records; give at least one Measurement")
    parts = [_found(record, drive, position, moved, rest) for record in records]
    return parts[0].joined(*parts[1:])


def _found(record: Measurement, drive: str, position: str, moved: float | None, rest: float) -> BreakAways:
    require_drive(record, drive, position)
    found = starts(record, drive, position, moved, rest)
    good = [start for start in found if not (start.fast or start.held)]
    if sum(start.fast for start in found) > len(good):
        raise SpecError(_too_fast(record, drive, position, [start for start in found if start.fast]))
    held = [start.drive for start in found if start.held]
    if len(held) > len(good):
        raise SpecError(
            f"break-away: '{drive}' of {record.name} no longer rises when '{position}' starts to move, {len(held)} "
            f"times at about {np.median(held):.4g} {record.units[drive]}: if that is its limit, raise it; break-away "
            "is not told"
        )
    if not good:
        raise SpecError(_nothing(record, drive, position, moved, rest))
    rows = [(record.time[s.sample], s.position, s.drive, s.way, s.rate) for s in good]
    times, places, levels, ways, rates = np.array(rows, float).T
    late = rates * np.median([start.onset for start in good])
    units = (record.units[drive], record.units[position])
    return BreakAways(times, places, levels, ways.astype(int), rates, _travel(places, ways), late, units)


def _too_fast(record: Measurement, drive: str, position: str, fast: list[Start]) -> str:
    share = np.median([start.late / start.drive for start in fast])
    rate = np.median([start.rate for start in fast])
    return (
        f"break-away: '{position}' of {record.name} starts to move {len(fast)} times while '{drive}' rises by "
        f"{rate:.3g} {record.units[drive]}/s, or {share:.0%} of itself until a motion is seen: these are no slow "
        "ramps; raise the drive more slowly, or find friction with inverse_model or fit"
    )


def _nothing(record: Measurement, drive: str, position: str, moved: float | None, rest: float) -> str:
    turned = record.with_channel(drive, -np.asarray(record[drive]), record.units[drive])
    against = sum(not start.fast for start in starts(turned, drive, position, moved, rest))
    if against >= FEW:
        return (
            f"break-away: '{position}' of {record.name} starts to move against '{drive}', {against} times; turn the "
            "sign of one of them, or subtract what it takes to hold a weight"
        )
    step = least_motion(record, position) if moved is None else moved
    return (
        f"break-away: '{position}' of {record.name} never starts to move by {step:g} from a rest of {rest:g} s with "
        f"'{drive}' rising; choose moved and rest for this record"
    )


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


def _polynomial(part: BreakAways, degree: int, late: np.ndarray | None) -> Estimate:
    drive, position = part.units
    terms = {f"b{k}": part.position**k for k in range(degree + 1)}
    units = {f"b{k}": _per(drive, position, k) for k in range(degree + 1)}
    if late is not None:
        terms["late"], units["late"] = late, "1"
    return linear_fit(terms, part.drive, units=units, method=f"break-away, degree {degree}")


def _in_time(fit: Estimate, part: BreakAways, told: bool) -> Estimate:
    """With the doubt about when motions began, and without what they were late by if the rates have not told it.

    If friction falls at once by D, the way grows as D t^2 / 2J; then `late` is right, and the rates tell a share near
    1. If it does not fall at all, the way grows as r t^3 / 6J with the rate r of the drive: it doubles 1.6 times as
    soon as `late` expects, and drives read too high by something that grows as r^(2/3). Shares between 1 and 1.6 are
    between these extremes. Larger ones say that the sensor does not show when motions begin: then nothing but the
    extremes is known, r and r^(2/3), and the middle is taken with the error of an even distribution."""
    late = part.late
    if not told:
        return _shifted(fit, float(np.mean(late)), GUESSED * float(np.mean(late)))
    sudden, gentle = (_extrapolated(part, len(fit.names) - 2, power) for power in (1.0, 2 / 3))
    value, share = fit.values["b0"], fit.values["late"]
    if share > HIDDEN:
        return _shifted(fit, value - 0.5 * (sudden + gentle), abs(sudden - gentle) / np.sqrt(12))
    shift = min(max((share - 1) / (GENTLE - 1), 0.0), 1.0) * (value - gentle)
    return _shifted(fit, shift, max(TOLD * float(late.min()), BLUR * abs(shift)))


def _extrapolated(part: BreakAways, degree: int, power: float) -> float:
    """The constant term at rate 0, if drives read too high by a power of the rate."""
    return _polynomial(part, degree, float(part.late.min()) * (part.rate / part.rate.min()) ** power).values["b0"]


def _shifted(fit: Estimate, shift: float, doubt: float) -> Estimate:
    covariance = fit.covariance.copy()
    covariance[0, 0] += doubt**2
    return replace(fit, values={**fit.values, "b0": fit.values["b0"] - shift}, covariance=covariance)


def _per(drive: str, position: str, power: int) -> str:
    return drive if power == 0 or not position else f"{drive}/{position}{power if power > 1 else ''}"


def _criterion(fit: Estimate) -> float:
    """Of Schwarz: n log(mean square) + parameters log n."""
    n = fit.residuals.size
    return float(n * np.log(max(np.mean(fit.residuals**2), 1e-300)) + len(fit.names) * np.log(n))
