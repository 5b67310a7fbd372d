"""Oscillating motion, divided at its reversals: mean drive and mean speed of each half period."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ...errors import SpecError
from ..records.filters import smoothed
from ..records.inspect import require_drive
from ..records.measurement import Measurement

Profile = Callable[[Any, int], Any]
"""Dry friction as a function of position and direction, up to a factor."""
SHARE = 0.3
"""Smallest reversal, relative to the range of the motion."""
NEAR = 0.03
"""Relative distance from a threshold within which the machine may dwell at it."""
HARMONICS = (6.0, 40.0)
"""Cutoff of the speed filter, relative to the frequency of the swings: for a coarse and for a fine sensor."""


@dataclass(frozen=True, eq=False)
class Swing:
    """The motion between two reversals, without `trim` at both ends.

    >>> swing.direction, swing.drive, swing.speed
    (1, 0.136, 37.3)
    """

    direction: int
    time: float
    """Start time (s)."""
    duration: float
    drive: float
    """Mean drive in the direction of the motion."""
    speed: float
    """Mean speed: distance over time."""
    gain: float
    """Mean acceleration: change of speed over time."""
    speeds: np.ndarray
    """Smoothed speeds in the direction of the motion, sample by sample."""
    positions: np.ndarray

    def above(self, threshold: float, kink: bool = False) -> float:
        """Mean of the speed above a threshold, 0 elsewhere; with a kink, of its excess over the threshold.

        >>> swing.above(40.0)
        23.3
        """
        if threshold <= 0:
            return self.speed
        return float(np.mean(above(self.speeds, threshold, kink)))

    def profile(self, friction: Profile) -> float:
        """Mean over time of friction that depends on position and direction.

        >>> swing.profile(lambda q, way: 0.1 + 0.001 * q)
        0.13
        """
        return float(np.mean(np.abs(np.asarray(friction(self.positions, self.direction), float))))


def above(speeds: np.ndarray, threshold: float, kink: bool = False) -> np.ndarray:
    """Speeds above a threshold, 0 elsewhere; with a kink, their excess over the threshold.

    A machine may dwell at a jump of friction, with any fraction of it: near the threshold the fraction rises from 0
    to 1.

    >>> above(np.array([100.0, 240.0, 300.0]), 240.0)
    array([  0., 120., 300.])
    """
    if kink:
        return np.maximum(speeds - threshold, 0.0)
    return np.asarray(speeds * np.clip(0.5 + (speeds / threshold - 1) / (2 * NEAR), 0.0, 1.0))


def swings(
    record: Measurement,
    drive: str = "u",
    position: str = "q",
    *,
    trim: float = 0.0,
    settle: int = 1,
    hold: bool = True,
) -> list[Swing]:
    """The half periods between the reversals of a record, without the first `settle` and incomplete ones.

    Between two reversals the speed starts and ends at 0, so the mean drive is the mean friction, for any inertia and
    any shape of the motion. `trim` omits a distance next to the reversals, such as a play. `hold`: the drive is held
    from sample to sample, as a command; otherwise it is interpolated linearly, as a measured force.

    >>> swings(records[0], trim=1.0)[0].speed
    37.3
    """
    require_drive(record, drive, position)
    motion = _Motion.of(record, position, settle)
    force = _Drive(np.asarray(record[drive]), hold)
    found = [motion.swing(force, *motion.inside(a, b, trim)) for a, b in pairwise(motion.turns[settle:])]
    kept = [swing for swing in found if swing is not None and _counts(swing, record)]
    if not kept:
        raise SpecError(
            f"{record.name}: '{position}' has no complete swing; trim = {trim:g} must be below half of a swing, and "
            "its samples valid"
        )
    return [swing if trim > 0 else replace(swing, gain=0.0) for swing in kept]


def _counts(swing: Swing, record: Measurement) -> bool:
    inside = (record.time >= swing.time) & (record.time <= swing.time + swing.duration)
    return bool(inside.sum() > 4 and record.valid[inside].all())


@dataclass(frozen=True, eq=False)
class _Motion:
    """A smoothed position and its speed; times in samples."""

    begin: float
    step: float
    course: np.ndarray
    speed: np.ndarray
    turns: list[float]

    @classmethod
    def of(cls, record: Measurement, position: str, settle: int) -> _Motion:
        h, q = record.even("swings"), np.asarray(record[position])
        turns = _turns(q, SHARE * float(np.ptp(q)))
        if len(turns) < 2 + settle:
            raise SpecError(
                f"{record.name}: '{position}' has {len(turns)} reversals; swings need at least {2 + settle}: measure "
                "longer, or reduce settle"
            )
        frequency = 0.5 * (len(turns) - 1) / (h * (turns[-1] - turns[0]))
        grid = record.resolution.get(position, 0.0)
        cutoff = min(frequency * _harmonics(float(np.ptp(q)), grid), 0.4 / h)
        course = smoothed(q, h, cutoff)
        speed = np.gradient(course, h)
        exact = [_crossing(speed, turn, 0.25 / (frequency * h)) for turn in turns]
        return cls(float(record.time[0]), h, course, speed, exact)

    def inside(self, a: float, b: float, trim: float) -> tuple[float, float]:
        """The times between which it is at least `trim` away from two reversals; empty if b comes before a."""
        if trim <= 0:
            return a, b
        at = np.arange(int(np.ceil(a)), int(b) + 1)
        ends = self._at(self.course, a), self._at(self.course, b)
        sign = 1 if ends[1] > ends[0] else -1
        gone = np.maximum.accumulate(sign * (self.course[at] - ends[0]))
        most = sign * (ends[1] - ends[0])
        return float(np.interp(trim, gone, at)), float(np.interp(most - trim, gone, at)) if most > 2 * trim else a

    def swing(self, drive: _Drive, a: float, b: float) -> Swing | None:
        """The swing between two times."""
        at = np.arange(int(np.ceil(a)), int(b) + 1)
        if at.size < 4:
            return None
        gone = self._at(self.course, b) - self._at(self.course, a)
        sign, duration = (1 if gone > 0 else -1), self.step * (b - a)
        return Swing(
            direction=sign,
            time=self.begin + self.step * a,
            duration=duration,
            drive=sign * drive.mean(a, b),
            speed=sign * gone / duration,
            gain=sign * (self._at(self.speed, b) - self._at(self.speed, a)) / duration,
            speeds=sign * self.speed[at],
            positions=self.course[at],
        )

    @staticmethod
    def _at(values: np.ndarray, time: float) -> float:
        k = min(int(time), values.size - 2)
        return float(values[k] + (time - k) * (values[k + 1] - values[k]))


@dataclass(frozen=True, eq=False)
class _Drive:
    """Samples of the drive; held or interpolated linearly."""

    u: np.ndarray
    hold: bool

    def mean(self, a: float, b: float) -> float:
        """Mean between two times in samples. Dry friction jumps at a reversal: next to it the drive is that of the
        nearest sample inside."""
        first, last = int(np.ceil(a)), int(b)
        begin, end = (self.u[int(a)], self.u[last]) if self.hold else (self.u[first], self.u[last])
        between = self.u[first:last] if self.hold else 0.5 * (self.u[first:last] + self.u[first + 1 : last + 1])
        return float((between.sum() + (first - a) * begin + (b - last) * end) / (b - a))


def _crossing(speed: np.ndarray, turn: int, reach: float) -> float:
    """The time, between samples, at which the speed changes its sign near a reversal of the counts."""
    first = max(turn - int(reach), 0)
    near = speed[first : turn + int(reach) + 1]
    at = first + np.flatnonzero(np.sign(near[1:]) != np.sign(near[:-1]))
    if not at.size:
        return float(turn)
    k = int(at[np.argmin(np.abs(at - turn))])
    return k + float(speed[k] / (speed[k] - speed[k + 1])) if speed[k] != speed[k + 1] else float(k)


def _turns(q: np.ndarray, least: float) -> list[int]:
    """Samples at which the motion reverses by more than `least`: the middle of the standstill."""
    if not least > 0:
        return []
    found, sign, best, top = [], 0, 0, 0.0
    low = high = float(q[0])
    for k, x in enumerate(q.tolist()):
        if sign == 0:
            low, high = min(low, x), max(high, x)
            sign = 1 if x - low >= least else -1 if high - x >= least else 0
            best, top = k, x
        elif sign * (x - top) > 0:
            best, top = k, x
        elif sign * (top - x) >= least:
            found.append(_middle(q, best, k))
            sign, best, top = -sign, k, x
    return found


def _middle(q: np.ndarray, first: int, end: int) -> int:
    """The middle of the samples at the same extreme position, before the motion resumes."""
    same = np.flatnonzero(np.isclose(q[first:end], q[first], rtol=0, atol=1e-9 * max(abs(q[first]), 1e-300)))
    return first + int(same[-1]) // 2


def _harmonics(span: float, step: float) -> float:
    """Harmonics that a sensor can resolve: half the square root of its steps per swing."""
    return float(np.clip(0.5 * np.sqrt(span / step), *HARMONICS)) if step else HARMONICS[1]
