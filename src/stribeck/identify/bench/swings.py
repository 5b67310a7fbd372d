"""Motion to and fro, cut at its turning points: what the drive and the speed are on average in between."""

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
"""Dry friction over position and direction, up to a factor."""
SHARE = 0.3
"""A turning point is where the motion turns back by at least this share of its whole range."""
NEAR = 0.03
"""How near a speed is to a threshold if the machine may stay there, by the threshold."""
HARMONICS = (6.0, 40.0)
"""Speeds are smoothed at so many times the frequency of the swings: by a coarse sensor, and by a fine one."""


@dataclass(frozen=True, eq=False)
class Swing:
    """One way between two turning points, without `trim` at both ends.

    >>> swing.direction, swing.drive, swing.speed
    (1, 0.11, 63.4)
    """

    direction: int
    time: float
    """Where it begins (s)."""
    duration: float
    drive: float
    """Mean drive in the direction of the motion."""
    speed: float
    """Mean speed, from the way by the time."""
    gain: float
    """Mean acceleration: what speed is gained from begin to end by the time."""
    speeds: np.ndarray
    """Smoothed speeds in the direction of the motion, sample by sample."""
    positions: np.ndarray

    def above(self, threshold: float, kink: bool = False) -> float:
        """Mean of the speed where it is above a threshold, and 0 elsewhere; with a kink of what is beyond it.

        >>> swing.above(240.0)
        37.2
        """
        if threshold <= 0:
            return self.speed
        return float(np.mean(above(self.speeds, threshold, kink)))

    def profile(self, friction: Profile) -> float:
        """Mean over time of a friction that depends on position and direction.

        >>> swing.profile(lambda q, way: 0.1 + 0.001 * q)
        0.13
        """
        return float(np.mean(np.abs(np.asarray(friction(self.positions, self.direction), float))))


def above(speeds: np.ndarray, threshold: float, kink: bool = False) -> np.ndarray:
    """Speeds above a threshold, and 0 elsewhere; with a kink what is beyond it.

    Where friction jumps a machine stays, with any share of it: near the threshold the share goes from 0 to 1.

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
    """The ways between turning points of a record, without the first `settle` and what is not complete.

    Between two turning points speed begins and ends at 0, so that the mean drive is the mean friction, whatever the
    inertia and the course of the motion. `trim` leaves out the way next to the turning points, such as a play. `hold`:
    the drive is held from sample to sample, as commands are; else it is straight between, as measured ones are.

    >>> swings(record, trim=3.0)[0].speed
    63.4
    """
    require_drive(record, drive, position)
    motion = _Motion.of(record, position, settle)
    force = _Drive(np.asarray(record[drive]), hold)
    found = [motion.swing(force, *motion.inside(a, b, trim)) for a, b in pairwise(motion.turns[settle:])]
    kept = [swing for swing in found if swing is not None and _counts(swing, record)]
    if not kept:
        raise SpecError(
            f"{record.name}: no swing of '{position}' is left; trim = {trim:g} must be below half of a swing, and "
            "its samples valid"
        )
    return [swing if trim > 0 else replace(swing, gain=0.0) for swing in kept]


def _counts(swing: Swing, record: Measurement) -> bool:
    inside = (record.time >= swing.time) & (record.time <= swing.time + swing.duration)
    return bool(inside.sum() > 4 and record.valid[inside].all())


@dataclass(frozen=True, eq=False)
class _Motion:
    """A position, smoothed, and the speed of that; times in samples."""

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
                f"{record.name}: '{position}' turns round {len(turns)} times; swings need at least {2 + settle} turns: "
                "measure longer, or choose settle smaller"
            )
        frequency = 0.5 * (len(turns) - 1) / (h * (turns[-1] - turns[0]))
        grid = record.resolution.get(position, 0.0)
        cutoff = min(frequency * _harmonics(float(np.ptp(q)), grid), 0.4 / h)
        course = smoothed(q, h, cutoff)
        speed = np.gradient(course, h)
        exact = [_crossing(speed, turn, 0.25 / (frequency * h)) for turn in turns]
        return cls(float(record.time[0]), h, course, speed, exact)

    def inside(self, a: float, b: float, trim: float) -> tuple[float, float]:
        """From where to where it is at least `trim` away from two turning points; nowhere if b comes before a."""
        if trim <= 0:
            return a, b
        at = np.arange(int(np.ceil(a)), int(b) + 1)
        ends = self._at(self.course, a), self._at(self.course, b)
        way = 1 if ends[1] > ends[0] else -1
        gone = np.maximum.accumulate(way * (self.course[at] - ends[0]))
        most = way * (ends[1] - ends[0])
        return float(np.interp(trim, gone, at)), float(np.interp(most - trim, gone, at)) if most > 2 * trim else a

    def swing(self, drive: _Drive, a: float, b: float) -> Swing | None:
        """What happens between two times."""
        at = np.arange(int(np.ceil(a)), int(b) + 1)
        if at.size < 4:
            return None
        gone = self._at(self.course, b) - self._at(self.course, a)
        way, duration = (1 if gone > 0 else -1), self.step * (b - a)
        return Swing(
            direction=way,
            time=self.begin + self.step * a,
            duration=duration,
            drive=way * drive.mean(a, b),
            speed=way * gone / duration,
            gain=way * (self._at(self.speed, b) - self._at(self.speed, a)) / duration,
            speeds=way * self.speed[at],
            positions=self.course[at],
        )

    @staticmethod
    def _at(values: np.ndarray, time: float) -> float:
        k = min(int(time), values.size - 2)
        return float(values[k] + (time - k) * (values[k + 1] - values[k]))


@dataclass(frozen=True, eq=False)
class _Drive:
    """Samples of the drive; held from one to the next, or straight between."""

    u: np.ndarray
    hold: bool

    def mean(self, a: float, b: float) -> float:
        """Between two times in samples. At a turning point dry friction jumps: next to it the drive is that of the next
        sample inside."""
        first, last = int(np.ceil(a)), int(b)
        begin, end = (self.u[int(a)], self.u[last]) if self.hold else (self.u[first], self.u[last])
        between = self.u[first:last] if self.hold else 0.5 * (self.u[first:last] + self.u[first + 1 : last + 1])
        return float((between.sum() + (first - a) * begin + (b - last) * end) / (b - a))


def _crossing(speed: np.ndarray, turn: int, reach: float) -> float:
    """Where the speed changes its sign next to a turning point of the counts, between samples."""
    first = max(turn - int(reach), 0)
    near = speed[first : turn + int(reach) + 1]
    at = first + np.flatnonzero(np.sign(near[1:]) != np.sign(near[:-1]))
    if not at.size:
        return float(turn)
    k = int(at[np.argmin(np.abs(at - turn))])
    return k + float(speed[k] / (speed[k] - speed[k + 1])) if speed[k] != speed[k + 1] else float(k)


def _turns(q: np.ndarray, least: float) -> list[int]:
    """Samples at which the motion turns round for more than `least`: the middle of where it stands."""
    if not least > 0:
        return []
    found, way, best, top = [], 0, 0, 0.0
    low = high = float(q[0])
    for k, x in enumerate(q.tolist()):
        if way == 0:
            low, high = min(low, x), max(high, x)
            way = 1 if x - low >= least else -1 if high - x >= least else 0
            best, top = k, x
        elif way * (x - top) > 0:
            best, top = k, x
        elif way * (top - x) >= least:
            found.append(_middle(q, best, k))
            way, best, top = -way, k, x
    return found


def _middle(q: np.ndarray, first: int, end: int) -> int:
    """The middle of the samples that are as far out as the first one, before the motion is under way again."""
    same = np.flatnonzero(np.isclose(q[first:end], q[first], rtol=0, atol=1e-9 * max(abs(q[first]), 1e-300)))
    return first + int(same[-1]) // 2


def _harmonics(span: float, step: float) -> float:
    """How many of them a sensor with such steps can show: half the square root of its steps per swing."""
    return float(np.clip(0.5 * np.sqrt(span / step), *HARMONICS)) if step else HARMONICS[1]
