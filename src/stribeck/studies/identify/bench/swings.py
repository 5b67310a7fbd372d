"""Motion to and fro, cut at its turning points: what the drive and the speed are on average in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....errors import SpecError
from ..records.filters import smoothed
from ..records.inspect import require_drive
from ..records.measurement import Measurement

Profile = Callable[[Any, int], Any]
"""Dry friction over position and direction, up to a factor."""
SHARE = 0.3
"""A turning point is where the motion turns back by at least this share of its whole range."""
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
    blur: float = 0.0
    """Standard deviation of a smoothed speed that the steps of the sensor leave."""

    def above(self, threshold: float, kink: bool = False) -> float:
        """Mean of the speed where it is above a threshold, and 0 elsewhere; with a kink of what is beyond it.

        >>> swing.above(240.0)
        37.2
        """
        if threshold <= 0:
            return self.speed
        fast = self.speeds > threshold
        return float(np.mean(np.where(fast, self.speeds - (threshold if kink else 0.0), 0.0)))

    def profile(self, friction: Profile) -> float:
        """Mean over time of a friction that depends on position and direction.

        >>> swing.profile(lambda q, way: 0.1 + 0.001 * q)
        0.13
        """
        return float(np.mean(np.abs(np.asarray(friction(self.positions, self.direction), float))))


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
    h = record.even("swings")
    u, q = np.asarray(record[drive]), np.asarray(record[position])
    if not hold:
        u = np.append(0.5 * (u[1:] + u[:-1]), u[-1])  # mean from one sample to the next
    turns = _turns(q, SHARE * float(np.ptp(q)))
    if len(turns) < 2 + settle:
        raise SpecError(
            f"{record.name}: '{position}' turns round {len(turns)} times; swings need at least {2 + settle} turns: "
            "measure longer, or choose settle smaller"
        )
    frequency = 0.5 * (len(turns) - 1) / (h * (turns[-1] - turns[0]))
    step = record.resolution.get(position, 0.0)
    cutoff = min(frequency * _harmonics(float(np.ptp(q)), step), 0.4 / h)
    speed = np.gradient(smoothed(q, h, cutoff), h)
    found = []
    for a, b in zip(turns[settle:-1], turns[settle + 1 :], strict=True):
        way = 1 if q[b] > q[a] else -1
        first, last = _inside(way * q[a : b + 1], trim)
        first, last = a + first, a + last
        if last - first < 4 or not record.valid[first:last].all():
            continue
        found.append(
            Swing(
                direction=way,
                time=float(record.time[first]),
                duration=h * (last - first),
                drive=way * float(u[first:last].mean()),
                speed=way * float(q[last] - q[first]) / (h * (last - first)),
                gain=way * float(speed[last] - speed[first]) / (h * (last - first)) if trim > 0 else 0.0,
                speeds=way * speed[first:last],
                positions=q[first:last],
                blur=_blur(step, h, cutoff),
            )
        )
    if not found:
        raise SpecError(
            f"{record.name}: no swing of '{position}' is left; trim = {trim:g} must be below half of a swing, and "
            "its samples valid"
        )
    return found


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


def _inside(way: np.ndarray, trim: float) -> tuple[int, int]:
    """First and last sample that are at least `trim` away from both ends."""
    if trim <= 0:
        return 0, way.size - 1
    inside = np.flatnonzero((way - way[0] >= trim) & (way[-1] - way >= trim))
    return (int(inside[0]), int(inside[-1])) if inside.size else (0, 0)


def _harmonics(span: float, step: float) -> float:
    """How many of them a sensor with such steps can show: half the square root of its steps per swing."""
    return float(np.clip(0.5 * np.sqrt(span / step), *HARMONICS)) if step else HARMONICS[1]


def _blur(step: float, h: float, cutoff: float) -> float:
    """White noise of step/sqrt(12) per sample, differentiated up to a frequency."""
    return float(step / np.sqrt(12) * 2 * np.pi * cutoff * np.sqrt(2 * cutoff * h / 3))
