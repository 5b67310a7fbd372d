"""Starts of motion: where slow ramps of the drive make a machine slide, apart from elastic creep and fast motion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...errors import SpecError
from ..records.inspect import grain
from ..records.measurement import Measurement

STEPS = 2
"""Steps of the sensor that make a motion: a single one may be due to an elastic displacement next to an edge."""
NOISE = 6
"""Standard deviations of its noise that are added to that."""
RISE = 0.1
"""Share of the drive at break-away by which it must have risen."""
FALL = 0.2
"""Share of its rise by which the drive falls after a ramp."""
LINE = 0.25
"""Last share of a ramp through which a line is drawn: the drive at break-away, and its rate."""
LATE = 0.2
"""Share of break-away by which the drive may rise while the motion sets in."""
ONSET = 1 / (2**0.5 - 1)
"""Time since the start of an even acceleration, by the time in which its way doubles."""
SOON = 1.5
"""By the soonest doubling of the way, one that counts as well."""
SPIKE = 5
"""Samples of which the median drive is taken: steps of a sensor make derivative action jump for one or two."""
EVEN = 8
"""Standard deviations of the noise of the drive that are no rise or fall."""
QUIET = 0.1
"""Share of the range of the drive that this may be, else it is averaged."""


@dataclass(frozen=True)
class Start:
    """One start of motion: number of its sample, rest position, drive and its rate in the direction `way` (1 or -1).

    `onset` is about the time (s) from the start until it is seen, `late` how much the drive rose meanwhile.

    >>> Start(1510, 0.2, 0.151, 0.1, 1, 0.03, 0.003)
    """

    sample: int
    position: float
    drive: float
    rate: float
    way: int
    onset: float
    late: float
    held: bool = False
    """Whether the drive no longer rose, at a limit perhaps."""

    @property
    def fast(self) -> bool:
        """Whether the ramp was too fast to tell break-away.

        >>> start.fast
        False
        """
        return self.late > LATE * self.drive


@dataclass(frozen=True)
class _Ramp:
    """Samples at which the drive begins to rise, is highest, and has fallen again."""

    low: int
    peak: int
    fall: int


@dataclass(frozen=True, eq=False)
class _Path:
    """A ramp in positive direction: what the machine does from its rest on, until some time after the ramp."""

    ramp: _Ramp
    rested: int
    """Sample from which on it is at rest."""
    time: np.ndarray
    way: np.ndarray
    """The farthest since then."""

    @classmethod
    def of(cls, time: np.ndarray, q: np.ndarray, ramp: _Ramp, moved: float) -> _Path:
        last = min(ramp.fall + (ramp.fall - ramp.low) // 2, q.size - 1)
        lowest = ramp.low + int(np.argmin(q[ramp.low : ramp.fall + 1]))
        rested = ramp.low + int(np.argmax(q[ramp.low : lowest + 1] < q[lowest] + 0.5 * moved))
        way = np.maximum.accumulate(q[rested : last + 1] - q[lowest])
        return cls(ramp, rested, time[rested : last + 1], way)

    def passes(self, moved: float) -> int | None:
        """When it has gone so far, before the drive falls."""
        k = int(np.searchsorted(self.way, moved))
        return k if k <= self.ramp.fall - self.rested and k < self.way.size else None

    def doubles(self, moved: float) -> float:
        """Time in which it goes twice as far; infinite if the drive is taken back before."""
        k, twice = np.searchsorted(self.way, [moved, 2 * moved])
        return float(self.time[twice] - self.time[k]) if twice < self.way.size else float("inf")

    def sharpness(self, moved: float, rest: float) -> float:
        """This time by that of the ramp, at least a rest: creep doubles with the drive, a motion at once."""
        k = min(int(np.searchsorted(self.way, moved)), self.way.size - 1)
        rested = float(self.time[k] - self.time[0])
        return self.doubles(moved) / rested if rested >= rest else float("inf")


def starts(record: Measurement, drive: str, position: str, moved: float | None, rest: float) -> list[Start]:
    """What each ramp of the drive sets in motion, in order of time; nothing counts twice.

    >>> starts(record, "u", "q", moved=None, rest=0.02)
    """
    u, q = np.asarray(record[drive], float), np.asarray(record[position], float)
    least = (least_motion(record, position) if moved is None else moved) * (1 - 1e-9)
    smooth, even, blur = _evened(u)
    paths = [
        (way, _Path.of(record.time, way * q, ramp, least))
        for way in (1, -1)
        for ramp in _ramps(way * smooth, even, blur)
        if way * smooth[ramp.peak] > even and record.valid[ramp.low : ramp.peak + 1].all()
    ]
    paths = [(way, path) for way, path in paths if path.passes(least) is not None]
    size = least if moved is not None else _size([path for _, path in paths], least, rest)
    found = [_start(record.time, way * u, path, size, rest, q, way) for way, path in paths]
    return sorted((start for start in found if start), key=lambda start: start.sample)


def least_motion(record: Measurement, position: str) -> float:
    """The change of position that a sensor shows without doubt.

    >>> least_motion(record, "q")
    0.00307
    """
    q = np.asarray(record[position], float)
    noise = _noise(q)
    step = record.resolution.get(position, 0.0) or grain(q)
    least = STEPS * step + NOISE * noise if step else 10 * noise
    if not least > 0:
        raise SpecError(
            f"{record.name}: say with moved= what change of '{position}' is a motion; neither its resolution nor any "
            "noise tells it"
        )
    return float(least)


def _noise(x: np.ndarray) -> float:
    return 1.4826 * float(np.median(np.abs(np.diff(x, 2)))) / 6**0.5


def _size(paths: list[_Path], least: float, rest: float) -> float:
    """By which way motions are told from creep in all ramps alike: the first one that doubles nearly as soon as any."""
    if not paths:
        return least
    far = max(float(path.way[-1]) for path in paths)
    sizes = least * 2.0 ** np.arange(max(int(np.log2(max(far / least, 1.0))), 1))
    sharp = np.array([sorted(path.sharpness(size, rest) for path in paths)[len(paths) // 4] for size in sizes])
    return float(sizes[np.argmax(sharp <= SOON * sharp.min())])  # the least if the drive is always taken back at once


def _evened(u: np.ndarray) -> tuple[np.ndarray, float, int]:
    """The drive without spikes, averaged if it is noisy; what change is no rise or fall yet; by how many samples a fall
    may be early."""
    noise, span = _noise(u), float(np.ptp(np.quantile(u, [0.01, 0.99]))) or float(np.ptp(u))
    u, half = _without_spikes(u), int(0.5 * (EVEN * noise / (QUIET * span)) ** 2)
    if half:
        sums = np.cumsum(np.concatenate([np.zeros(1), np.pad(u, half, mode="edge")]))
        u = (sums[2 * half + 1 :] - sums[: -2 * half - 1]) / (2 * half + 1)
    return u, max(EVEN * noise / (2 * half + 1) ** 0.5, 1e-3 * span), half + SPIKE


def _without_spikes(u: np.ndarray) -> np.ndarray:
    padded = np.pad(u, SPIKE // 2, mode="edge")
    return np.asarray(np.median(np.lib.stride_tricks.sliding_window_view(padded, SPIKE), axis=-1))


def _ramps(u: np.ndarray, even: float, blur: int) -> Iterator[_Ramp]:
    """Where the drive rises from a lowest to a highest value, before it falls again."""
    least = most = float(u[0])
    low = peak = 0
    for k, x in enumerate(u.tolist()):
        if most - least <= even:  # not yet rising
            least = min(least, x)
            if x <= least + even:
                low, most, peak = k, least, k
        if x > most:
            most, peak = x, k
        elif most - x > max(even, FALL * (most - least)) and most - least > even:
            yield _Ramp(low, peak, min(k + blur, u.size - 1))
            least = most = x
            low = peak = k
    if most - least > even:
        yield _Ramp(low, peak, u.size - 1)


def _start(
    time: np.ndarray, u: np.ndarray, path: _Path, moved: float, rest: float, q: np.ndarray, way: int
) -> Start | None:
    """Of a ramp in positive direction, if it sets something in motion from rest."""
    seen, low = path.passes(moved), path.ramp.low
    if seen is None or path.time[seen] - path.time[0] < rest:
        return None
    k = path.rested + seen
    end = _end(u, path.ramp, k)
    if end - low < SPIKE:
        return None
    even = _without_spikes(u[low:end])
    level, rate, rise = _line(time[low:end], even)
    if level <= 0 or rise < RISE * level:
        return None
    held = bool(rate * (time[end - 1] - time[low]) < RISE * rise)
    doubled = path.doubles(moved)
    onset = ONSET * doubled if np.isfinite(doubled) else 0.5 * rest
    begin = int(np.searchsorted(time, time[k] - onset)) - SPIKE // 2
    before = float(even[min(begin - low, even.size - 1)]) if begin > path.rested else 0.0
    return Start(
        k, float(np.median(q[path.rested : k])), level, rate, way, onset, max(level - before, rate * onset), held
    )


def _end(u: np.ndarray, ramp: _Ramp, seen: int) -> int:
    """Where the drive is taken back, but not after the motion is seen."""
    if seen <= ramp.peak:
        return seen
    limit = u[ramp.peak] - FALL * (u[ramp.peak] - u[ramp.low])
    return ramp.peak + 1 + int(np.flatnonzero(u[ramp.peak : seen] >= min(limit, u[ramp.peak]))[-1])


def _line(time: np.ndarray, u: np.ndarray) -> tuple[float, float, float]:
    """Value at the last sample and slope of a line through the end of a ramp, and how much it has risen."""
    first = u.size - max(round(LINE * u.size), 2)
    slope, level = np.polyfit(time[first:] - time[-1], u[first:], 1)
    begin = max(u.size // 10, 1)
    return float(level), float(slope), float(level - np.mean(u[:begin]))
