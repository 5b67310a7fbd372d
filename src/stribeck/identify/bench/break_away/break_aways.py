"""Break-away: the drive that starts a motion, over position and direction, from ramps in a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import SpecError, UnknownName
from ...records.inspect import grain, require_drive
from ...records.measurement import Measurement
from ...regression.estimate import Estimate, linear_fit
from ..onset import Onset, onset
from ..starts import StartOfMotion, least_motion, starts_of_motion
from ..weight import lightened, weight_at, weight_of
from .curve import WAYS, BreakAwayCurve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROUNDS = 3
"""Detections with an estimated weight."""
REST = 0.02
"""Least time of a rest (s)."""
ARRAYS = ("time", "position", "drive", "direction", "rate", "travel", "late", "error", "common")
STRANGE = 30.0
"""Mean squared residual of a ramp, relative to the median, from which on its motion is not understood."""
RANGE = 20
"""Least range of positions, in sensor steps, of a polynomial that is not constant."""
FEW = 3
"""Least number of starts of motion for a curve."""
FEWEST = 8
"""Least number of starts of motion for a test of outliers."""
HIGHEST, PER_DEGREE = 6, 4
"""Highest degree of a polynomial in the automatic choice, and starts of motion per degree."""


@dataclass(frozen=True, eq=False)
class BreakAways:
    """Starts of motion; arrays with one entry each, in SI.

    `drive` is break-away: the drive, positive in the direction of the motion, from which on the contact slides. `rate`
    is its rate, `late` its rise from then until the sensor shows a motion, `error` its standard error without that
    which all ramps share (`common`: covariance common @ common.T). `travel` is the displacement in this direction since
    the last reversal (or the start of the record).

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
    error: np.ndarray
    common: np.ndarray
    units: tuple[str, str] = ("", "")
    """Units of drive and position."""
    step: float = 0.0
    """Step of the sensor."""
    notes: tuple[str, ...] = ()
    """Records that were not used, and why."""
    gravity: tuple[float, float] = (0.0, 0.0)
    """Factors of sin q and cos q in the drive that holds a weight, which is subtracted."""

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
        0.14
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
        whole: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS[:-1]}
        notes = tuple(note for part in parts for note in part.notes)
        common = _side_by_side([part.common for part in parts])
        return replace(self, **whole, common=common, notes=notes, step=max(part.step for part in parts))

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

    def curve(self, direction: int, degree: int | None = None) -> BreakAwayCurve:
        """A polynomial of the position through the break-aways of one direction.

        By default the Bayesian information criterion (BIC) selects the `degree`; over less than twenty sensor steps
        break-away is taken as constant. Errors are those of the scatter between ramps, and of what the ramps share:
        how friction falls while the sensor does not show the motion yet.

        >>> found.curve(-1, degree=4).estimate
        """
        part = self.towards(direction)
        if len(part) < FEW:
            raise SpecError(
                f"break-away: {len(part)} starts of motion in direction {direction:+d} are too few for a curve; "
                "record more ramps, or give a smaller moved"
            )
        short = np.ptp(part.position) < RANGE * self.step
        most = 0 if short else min(HIGHEST, len(part) // PER_DEGREE)
        degrees = range(most + 1) if degree is None else [degree]
        best = min((_polynomial(part, d) for d in degrees), key=_criterion)
        ends = float(part.position.min()), float(part.position.max())
        onset = float(np.mean(part.late / part.rate))
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
        return "\n".join([*lines, *self.notes]) or "no start of motion"


def break_aways(
    measurements: Measurement | Sequence[Measurement],
    drive: str = "u",
    position: str = "q",
    *,
    moved: float | None = None,
    rest: float = REST,
    gravity: str | tuple[float, float] | None = None,
) -> BreakAways:
    """Break-away in records with repeated slow ramps of the drive from rest.

    There is at most one per ramp, after a rest of at least `rest` (s). Break-away is where sliding begins, not where
    the sensor first moves: a ramp slides when half of its travel, and at least `moved`, has come within the last 7 %
    of its rise, and goes on doubling; `moved` is two sensor steps plus six times the noise by default. Elastic creep
    before that does not count. The motion of all ramps together is then explained by creep, a friction that falls with
    the speed and an inertia, which gives the drive at which each began to slide (`onset`). Omitted are motions under a
    constant drive, and those during which it rises by more than a fifth. Noise of the drive that is not in the record
    starts motions early, by about two standard deviations. Records without a start of motion are named in `notes`.

    `gravity` is for an arm: the drive that holds its weight is a sin q + b cos q, with (a, b) as given, or "fit" for
    ramps in both directions from different angles. It is subtracted, so `drive` is friction alone.

    >>> found = break_aways(record, drive="u", position="q")
    >>> print(found)
    """
    records = [measurements] if isinstance(measurements, Measurement) else list(measurements)
    if not records:
        raise SpecError("break-away: there are no records; give at least one Measurement")
    if gravity is not None:
        return _without_weight(records, drive, position, gravity, {"moved": moved, "rest": rest})
    usable: list[tuple[Measurement, list[StartOfMotion]]] = []
    notes: list[str] = []
    for record in records:
        try:
            require_drive(record, drive, position)
            usable.append((record, _found(record, drive, position, moved, rest)))
        except UnknownName:
            raise
        except SpecError as error:
            notes.append(str(error))
    if not usable:
        raise SpecError(notes[0] if len(notes) == 1 else f"{notes[0]}; {len(notes) - 1} other records fail as well")
    levels = _levels([start for _, starts in usable for start in starts])
    parts, done = [], 0
    for record, starts in usable:
        parts.append(_collected(record, drive, position, starts, levels, done))
        done += len(starts)
    whole = parts[0].joined(*parts[1:])
    whole = replace(whole, notes=tuple(f"not used: {note}" for note in notes), common=levels.common)
    return whole.where(levels.misfit < STRANGE * max(float(np.median(levels.misfit)), 1.0))


def _without_weight(
    records: list[Measurement],
    drive: str,
    position: str,
    gravity: str | tuple[float, float],
    options: dict[str, Any],
) -> BreakAways:
    """Break-away of an arm without the drive that holds its weight. Where that is fitted, drives at the starts of
    motion give a first estimate, with which they are detected again, and break-aways the last one."""
    if isinstance(gravity, str) and gravity != "fit":
        gravity = _factors(gravity)
    if isinstance(gravity, str):
        held = (0.0, 0.0)
        for _ in range(ROUNDS):
            lighter = [lightened(record, drive, position, held) for record in records]
            starts = [s for record in lighter for s in starts_of_motion(record, drive, position, **options)]
            seen = np.array([(s.position, s.drive - 0.5 * s.late, s.direction) for s in starts]).reshape(-1, 3)
            held = tuple(np.add(held, weight_of(*seen.T)[0]))
    else:
        held = (float(gravity[0]), float(gravity[1]))
    found = break_aways([lightened(record, drive, position, held) for record in records], drive, position, **options)
    more, errors = weight_of(found.position, found.drive, found.direction) if gravity == "fit" else ((0.0, 0.0), None)
    weight = weight_at(found.position, more)
    whole = (held[0] + more[0], held[1] + more[1])
    text = f"weight: {whole[0]:.4g} sin q + {whole[1]:.4g} cos q {found.units[0]}"
    if errors is not None:
        text += f", standard errors {errors[0]:.2g} and {errors[1]:.2g}"
    return replace(found, drive=found.drive - found.direction * weight, gravity=whole, notes=(text, *found.notes))


def _factors(text: str) -> tuple[float, float]:
    """Two numbers, as on a command line: 0.6,0."""
    try:
        sine, cosine = map(float, text.split(","))
    except ValueError:
        raise SpecError(f"break-away: gravity = {text!r} must be 'fit' or the factors of sin q and cos q") from None
    return sine, cosine


def _found(record: Measurement, drive: str, position: str, moved: float | None, rest: float) -> list[StartOfMotion]:
    """The starts of motion of a record, from slow ramps."""
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
    return good


def _levels(starts: list[StartOfMotion]) -> Onset:
    """Break-away of all starts; the ramps of each direction are evaluated together."""
    direction = np.array([start.direction for start in starts])
    level, error, misfit = np.zeros(len(starts)), np.zeros(len(starts)), np.zeros(len(starts))
    blocks = []
    for way in WAYS:
        at = np.flatnonzero(direction == way)
        if at.size:
            found = onset([start.window for start in starts if start.direction == way])
            level[at], error[at], misfit[at] = found.level, found.error, found.misfit
            block = np.zeros((len(starts), found.common.shape[1]))
            block[at] = found.common
            blocks.append(block)
    return Onset(level, error, np.hstack(blocks), misfit)


def _collected(
    record: Measurement, drive: str, position: str, starts: list[StartOfMotion], levels: Onset, first: int
) -> BreakAways:
    at = slice(first, first + len(starts))
    rows = [(record.time[s.sample], s.position, s.drive, s.direction, s.rate) for s in starts]
    times, places, seen, signs, rates = np.array(rows, float).T
    late = np.maximum(seen - levels.level[at], 0.0)
    units = (record.units[drive], record.units[position])
    step = record.resolution.get(position, 0.0) or grain(np.asarray(record[position], float))
    travel, way = _travel(places, signs), signs.astype(int)
    return BreakAways(times, places, levels.level[at], way, rates, travel, late, levels.error[at],
                      levels.common[at], units, step)  # fmt: skip


def _side_by_side(blocks: list[np.ndarray]) -> np.ndarray:
    """Sets that were evaluated separately share nothing."""
    whole = np.zeros((sum(len(block) for block in blocks), sum(block.shape[1] for block in blocks)))
    row = column = 0
    for block in blocks:
        whole[row : row + len(block), column : column + block.shape[1]] = block
        row, column = row + len(block), column + block.shape[1]
    return whole


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


def _polynomial(part: BreakAways, degree: int) -> Estimate:
    """Least squares; what the ramps share does not show in their scatter, so its covariance is added."""
    drive, position = part.units
    terms = {f"b{k}": part.position**k for k in range(degree + 1)}
    units = {f"b{k}": _per(drive, position, k) for k in range(degree + 1)}
    fit = linear_fit(terms, part.drive, units=units, method=f"break-away, degree {degree}")
    shared = np.linalg.pinv(np.column_stack(list(terms.values()))) @ part.common
    return replace(fit, covariance=fit.covariance + shared @ shared.T)


def _per(drive: str, position: str, power: int) -> str:
    return drive if power == 0 or not position else f"{drive}/{position}{power if power > 1 else ''}"


def _criterion(fit: Estimate) -> float:
    """BIC: n log(mean square) + parameters log n."""
    n = fit.residuals.size
    return float(n * np.log(max(np.mean(fit.residuals**2), 1e-300)) + len(fit.names) * np.log(n))
