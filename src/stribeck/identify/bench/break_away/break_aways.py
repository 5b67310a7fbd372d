"""Break-away: the drive that starts a motion, over position and direction, from ramps in a record."""

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
from ..starts import StartOfMotion, least_motion, starts_of_motion
from .curve import WAYS, BreakAwayCurve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REST = 0.02
"""Least time of a rest (s)."""
ARRAYS = ("time", "position", "drive", "direction", "rate", "travel", "late")
KNOWN_DELAY, UNKNOWN_DELAY = 0.05, 0.5
"""Standard error of the delay correction, relative to `late`: with different rates (of the slowest), and without."""
GENTLE, HIDDEN = 1.6, 2.5
"""Estimated multiples of `late` if friction does not fall, and above which `late` is meaningless."""
BLUR = 0.25
"""Relative standard error of the correction for friction that falls gradually."""
FEW = 3
"""Least number of starts of motion for a curve."""
FEWEST = 8
"""Least number of starts of motion for a test of outliers."""
HIGHEST, PER_DEGREE = 6, 4
"""Highest degree of a polynomial in the automatic choice, and starts of motion per degree."""


@dataclass(frozen=True, eq=False)
class BreakAways:
    """Starts of motion; arrays with one entry each, in SI.

    `drive` is positive in the direction of the motion, `travel` the displacement in this direction since the last
    reversal (or the start of the record), `rate` the rate of the drive, `late` its approximate rise from the start of a
    motion until the detection.

    >>> found = break_aways(record).beyond(play=3.0)
    >>> up = found.curve(+1, degree=3)
    >>> up(15.0), up.mean()[0]
    (0.14, 0.14)
    """

    time: np.ndarray
    position: np.ndarray
    drive: np.ndarray
    direction: np.ndarray
    rate: np.ndarray
    travel: np.ndarray
    late: np.ndarray
    units: tuple[str, str] = ("", "")
    """Units of drive and position."""

    def __len__(self) -> int:
        return int(self.time.size)

    def where(self, keep: Any) -> BreakAways:
        """The starts of motion selected by an array of bool.

        >>> found.where(found.position < 60)
        """
        at = np.asarray(keep, bool)
        return replace(self, **{name: getattr(self, name)[at] for name in ARRAYS})

    def towards(self, direction: int) -> BreakAways:
        """The starts of motion in one direction, 1 or -1.

        >>> found.towards(-1).drive.mean()
        0.15
        """
        return self.where(self.direction == direction)

    def beyond(self, play: float) -> BreakAways:
        """Without the starts less than `play` after a reversal, where only a part of the machine moves.

        >>> found.beyond(play=3.0)
        """
        return self.where(self.travel >= play)

    def joined(self, *others: BreakAways) -> BreakAways:
        """Joined with the starts of motion of other tests, for instance at other rates.

        >>> slow.joined(fast)
        """
        parts = (self, *others)
        whole: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS}
        return replace(self, **whole)

    def without_outliers(self, spread: float = 4.0) -> BreakAways:
        """Without outliers: more than `spread` robust standard deviations from a smooth curve. Ramps of different rates
        are tested separately, because faster ones read higher and scatter more.

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

        By default the Bayesian information criterion (BIC) selects the `degree`. A motion is detected late, when the
        machine has reached the next sensor step, so drives read too high. Tests at rates that differ by a factor of two
        identify this error, as a multiple of `late` (`delay=True`); otherwise `late` itself is subtracted, with half of
        it as standard error. `delay=False` makes no correction.

        >>> found.curve(-1, degree=4).estimate
        """
        part = self.towards(direction)
        if len(part) < FEW:
            raise SpecError(
                f"break-away: {len(part)} starts of motion in direction {direction:+d} are too few for a curve; "
                "record more ramps, or give a smaller moved"
            )
        slow, fast = np.quantile(part.rate, [0.1, 0.9])  # a single wrong reading is not a second rate
        late = bool(slow < 0.5 * fast) if delay is None else delay
        if late and np.ptp(part.rate) < 1e-3 * part.rate.max():
            raise SpecError(
                f"break-away: all ramps rise by {part.rate.mean():.3g} {self.units[0]}/s; the delay "
                "correction needs tests at different rates (joined), or delay=False"
            )
        most = min(HIGHEST, len(part) // PER_DEGREE)
        degrees = range(most + 1) if degree is None else [degree]
        fits = [_polynomial(part, d, part.late if late else None) for d in degrees]
        best = min(fits, key=_criterion)
        if delay is not False:
            best = _without_delay(best, part, late)
        ends = float(part.position.min()), float(part.position.max())
        onset = 0.0 if delay is False else float(np.mean(part.late / part.rate))
        return BreakAwayCurve(best, direction, *ends, self.units, onset)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Plots starts of motion over the position, and curves through them.

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
                    f"{part.drive.min():.5g} to {part.drive.max():.5g}, late by about {np.median(part.late):.2g}"
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
    """Detects the starts of motion in records with repeated slow ramps of the drive from rest.

    There is at most one per ramp, after a rest of at least `rest` (s). A motion accelerates at once, while elastic
    creep before break-away only grows with the drive. A motion is detected at the travel with the shortest doubling
    time, searched from two sensor steps plus six times the noise upwards in factors of two; `moved` gives this travel
    instead. The drive is read from a line through the last quarter of its ramp. Omitted are motions against the drive,
    under a constant drive, and those during which it rises by more than a fifth. Noise of the drive starts motions
    early, by about two standard deviations.

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
    found = starts_of_motion(record, drive, position, moved, rest)
    good = [start for start in found if not (start.fast or start.saturated)]
    if sum(start.fast for start in found) > len(good):
        raise SpecError(_too_fast(record, drive, position, [start for start in found if start.fast]))
    held = [start.drive for start in found if start.saturated]
    if len(held) > len(good):
        raise SpecError(
            f"break-away: '{drive}' of {record.name} no longer rises when '{position}' starts to move, {len(held)} "
            f"times at about {np.median(held):.4g} {record.units[drive]}: if that is its limit, raise it"
        )
    if not good:
        raise SpecError(_nothing(record, drive, position, moved, rest))
    rows = [(record.time[s.sample], s.position, s.drive, s.direction, s.rate) for s in good]
    times, places, levels, signs, rates = np.array(rows, float).T
    late = rates * np.median([start.onset for start in good])
    units = (record.units[drive], record.units[position])
    return BreakAways(times, places, levels, signs.astype(int), rates, _travel(places, signs), late, units)


def _too_fast(record: Measurement, drive: str, position: str, fast: list[StartOfMotion]) -> str:
    share = np.median([start.late / start.drive for start in fast])
    rate = np.median([start.rate for start in fast])
    return (
        f"break-away: '{position}' of {record.name} starts to move {len(fast)} times while '{drive}' rises by "
        f"{rate:.3g} {record.units[drive]}/s, or {share:.0%} of it until the detection: the ramps are too fast; "
        "raise the drive more slowly, or use inverse_model or fit"
    )


def _nothing(record: Measurement, drive: str, position: str, moved: float | None, rest: float) -> str:
    turned = record.with_channel(drive, -np.asarray(record[drive]), record.units[drive])
    against = sum(not start.fast for start in starts_of_motion(turned, drive, position, moved, rest))
    if against >= FEW:
        return (
            f"break-away: '{position}' of {record.name} starts to move against '{drive}', {against} times; change "
            "the sign of one of them, or subtract the drive that holds a weight"
        )
    step = least_motion(record, position) if moved is None else moved
    return (
        f"break-away: '{position}' of {record.name} never starts to move by {step:g} from a rest of {rest:g} s with "
        f"'{drive}' rising; choose moved and rest for this record"
    )


def _travel(place: np.ndarray, sign: np.ndarray) -> np.ndarray:
    """Distance of each start from the first one of consecutive starts in the same direction."""
    travel, first = np.zeros(place.size), 0
    for k in range(place.size):
        if sign[k] != sign[first]:
            first = k
        travel[k] = sign[k] * (place[k] - place[first])
    return travel


def _off_smooth(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Residuals of a polynomial with the least sum of absolute residuals, which is robust against outliers."""
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


def _without_delay(fit: Estimate, part: BreakAways, known: bool) -> Estimate:
    """Corrected for the late detection (unless different rates have identified it), with its uncertainty.

    If friction falls at once by D, the travel grows as D t^2 / 2J; then `late` is right, and the rates give a multiple
    near 1. If it does not fall at all, the travel grows as r t^3 / 6J with the rate r of the drive: it doubles 1.6
    times as soon as `late` assumes, and drives read too high by an amount proportional to r^(2/3). Multiples between 1
    and 1.6 lie between these extremes. Larger ones show that the sensor does not resolve the onset: then only the
    extremes are known, r and r^(2/3), and their mean is used with the standard error of a uniform distribution."""
    late = part.late
    if not known:
        return _shifted(fit, float(np.mean(late)), UNKNOWN_DELAY * float(np.mean(late)))
    sudden, gentle = (_extrapolated(part, len(fit.names) - 2, power) for power in (1.0, 2 / 3))
    value, share = fit.values["b0"], fit.values["late"]
    if share > HIDDEN:
        return _shifted(fit, value - 0.5 * (sudden + gentle), abs(sudden - gentle) / np.sqrt(12))
    shift = min(max((share - 1) / (GENTLE - 1), 0.0), 1.0) * (value - gentle)
    return _shifted(fit, shift, max(KNOWN_DELAY * float(late.min()), BLUR * abs(shift)))


def _extrapolated(part: BreakAways, degree: int, power: float) -> float:
    """The constant term extrapolated to rate 0, if the excess of the drives is a power of the rate."""
    return _polynomial(part, degree, float(part.late.min()) * (part.rate / part.rate.min()) ** power).values["b0"]


def _shifted(fit: Estimate, shift: float, error: float) -> Estimate:
    covariance = fit.covariance.copy()
    covariance[0, 0] += error**2
    return replace(fit, values={**fit.values, "b0": fit.values["b0"] - shift}, covariance=covariance)


def _per(drive: str, position: str, power: int) -> str:
    return drive if power == 0 or not position else f"{drive}/{position}{power if power > 1 else ''}"


def _criterion(fit: Estimate) -> float:
    """BIC: n log(mean square) + parameters log n."""
    n = fit.residuals.size
    return float(n * np.log(max(np.mean(fit.residuals**2), 1e-300)) + len(fit.names) * np.log(n))
