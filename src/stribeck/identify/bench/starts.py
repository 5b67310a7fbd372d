"""Detection of break-away: where slow ramps of the drive start a motion, as opposed to elastic creep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...errors import SpecError
from ..records.inspect import grain
from ..records.measurement import Measurement

STEPS = 2
"""Sensor steps of a motion: a single step may be an elastic displacement near a count transition."""
NOISE = 6
"""Standard deviations of the sensor noise that are added to that."""
RISE = 0.1
"""Least rise of the drive in a ramp, relative to the drive at break-away."""
FALL = 0.2
"""Fall of the drive after a ramp, relative to its rise."""
LINE = 0.25
"""Last fraction of a ramp, through which a line is fitted: the drive at break-away, and its rate."""
LATE = 0.2
"""Largest rise of the drive during the onset of motion, relative to break-away."""
ONSET = 1 / (2**0.5 - 1)
"""Time since the start of a constant acceleration over the time in which the travel doubles."""
SOON = 1.5
"""Doubling time, relative to the shortest one, that is as good."""
SPIKE = 5
"""Samples of a median filter of the drive: sensor steps cause spikes of one or two samples by derivative action."""
FLAT = 8
"""Change of the drive, in standard deviations of its noise, that is neither rise nor fall."""
MOST_NOISE = 0.1
"""Largest such change, relative to the range of the drive; a noisier drive is averaged."""


@dataclass(frozen=True)
class StartOfMotion:
    """One start of motion: its sample, rest position, drive and rate of the drive in this `direction` (1 or -1).

    `onset` is the approximate time (s) from the start until its detection, `late` the rise of the drive meanwhile.

    >>> StartOfMotion(1510, 0.2, 0.151, 0.1, 1, 0.03, 0.003)
    """

    sample: int
    position: float
    drive: float
    rate: float
    direction: int
    onset: float
    late: float
    saturated: bool = False
    """Whether the drive no longer rose, for instance at a limit."""

    @property
    def fast(self) -> bool:
        """Whether the ramp was too fast to identify break-away.

        >>> start.fast
        False
        """
        return self.late > LATE * self.drive


@dataclass(frozen=True)
class _Ramp:
    """Samples at which the drive begins to rise, has its maximum, and has fallen again."""

    low: int
    peak: int
    fall: int


@dataclass(frozen=True, eq=False)
class _Path:
    """The motion during a ramp in positive direction, from rest until some time after the ramp."""

    ramp: _Ramp
    rested: int
    """First sample at rest."""
    time: np.ndarray
    travel: np.ndarray
    """Largest displacement since then."""

    @classmethod
    def of(cls, time: np.ndarray, q: np.ndarray, ramp: _Ramp, moved: float) -> _Path:
        last = min(ramp.fall + (ramp.fall - ramp.low) // 2, q.size - 1)
        lowest = ramp.low + int(np.argmin(q[ramp.low : ramp.fall + 1]))
        rested = ramp.low + int(np.argmax(q[ramp.low : lowest + 1] < q[lowest] + 0.5 * moved))
        travel = np.maximum.accumulate(q[rested : last + 1] - q[lowest])
        return cls(ramp, rested, time[rested : last + 1], travel)

    def passes(self, moved: float) -> int | None:
        """The sample, counted from rest, at which it has moved so far, if that is before the drive falls."""
        k = int(np.searchsorted(self.travel, moved))
        return k if k <= self.ramp.fall - self.rested and k < self.travel.size else None

    def doubling_time(self, moved: float) -> float:
        """Time until it has moved twice as far; infinite if the drive falls before."""
        k, twice = np.searchsorted(self.travel, [moved, 2 * moved])
        return float(self.time[twice] - self.time[k]) if twice < self.travel.size else float("inf")

    def sharpness(self, moved: float, rest: float) -> float:
        """Doubling time relative to the time since rest (at least `rest`): creep doubles with the drive, a motion at
        once."""
        k = min(int(np.searchsorted(self.travel, moved)), self.travel.size - 1)
        rested = float(self.time[k] - self.time[0])
        return self.doubling_time(moved) / rested if rested >= rest else float("inf")


def starts_of_motion(
    record: Measurement, drive: str, position: str, moved: float | None, rest: float
) -> list[StartOfMotion]:
    """The starts of motion in the order of time, at most one per ramp of the drive.

    >>> starts_of_motion(record, "u", "q", moved=None, rest=0.02)
    """
    u, q = np.asarray(record[drive], float), np.asarray(record[position], float)
    least = (least_motion(record, position) if moved is None else moved) * (1 - 1e-9)
    smooth, flat, blur = _averaged(u)
    paths = [
        (sign, _Path.of(record.time, sign * q, ramp, least))
        for sign in (1, -1)
        for ramp in _ramps(sign * smooth, flat, blur)
        if sign * smooth[ramp.peak] > flat and record.valid[ramp.low : ramp.peak + 1].all()
    ]
    paths = [(sign, path) for sign, path in paths if path.passes(least) is not None]
    size = least if moved is not None else _detection_travel([path for _, path in paths], least, rest)
    found = [_start(record.time, sign * u, path, size, rest, q, sign) for sign, path in paths]
    return sorted((start for start in found if start), key=lambda start: start.sample)


def least_motion(record: Measurement, position: str) -> float:
    """The smallest change of position that is certainly a motion.

    >>> least_motion(record, "q")
    0.224
    """
    q = np.asarray(record[position], float)
    noise = _noise(q)
    step = record.resolution.get(position, 0.0) or grain(q)
    least = STEPS * step + NOISE * noise if step else 10 * noise
    if not least > 0:
        raise SpecError(
            f"{record.name}: '{position}' has neither a resolution nor noise; give moved=, the change of it that is a "
            "motion"
        )
    return float(least)


def _noise(x: np.ndarray) -> float:
    return 1.4826 * float(np.median(np.abs(np.diff(x, 2)))) / 6**0.5


def _detection_travel(paths: list[_Path], least: float, rest: float) -> float:
    """The travel that separates motion from creep in all ramps: the smallest one with a short doubling time."""
    if not paths:
        return least
    far = max(float(path.travel[-1]) for path in paths)
    sizes = least * 2.0 ** np.arange(max(int(np.log2(max(far / least, 1.0))), 1))
    sharp = np.array([sorted(path.sharpness(size, rest) for path in paths)[len(paths) // 4] for size in sizes])
    return float(sizes[np.argmax(sharp <= SOON * sharp.min())])  # the least if the drive always falls at once


def _averaged(u: np.ndarray) -> tuple[np.ndarray, float, int]:
    """The drive without spikes, averaged if it is noisy; the change that is neither rise nor fall; and the number of
    samples by which a fall may be early."""
    noise, span = _noise(u), float(np.ptp(np.quantile(u, [0.01, 0.99]))) or float(np.ptp(u))
    u, half = _without_spikes(u), int(0.5 * (FLAT * noise / (MOST_NOISE * span)) ** 2)
    if half:
        sums = np.cumsum(np.concatenate([np.zeros(1), np.pad(u, half, mode="edge")]))
        u = (sums[2 * half + 1 :] - sums[: -2 * half - 1]) / (2 * half + 1)
    return u, max(FLAT * noise / (2 * half + 1) ** 0.5, 1e-3 * span), half + SPIKE


def _without_spikes(u: np.ndarray) -> np.ndarray:
    padded = np.pad(u, SPIKE // 2, mode="edge")
    return np.asarray(np.median(np.lib.stride_tricks.sliding_window_view(padded, SPIKE), axis=-1))


def _ramps(u: np.ndarray, flat: float, blur: int) -> Iterator[_Ramp]:
    """Ramps of the drive: rises from a minimum to a maximum, before it falls again."""
    least = most = float(u[0])
    low = peak = 0
    for k, x in enumerate(u.tolist()):
        if most - least <= flat:  # not yet rising
            least = min(least, x)
            if x <= least + flat:
                low, most, peak = k, least, k
        if x > most:
            most, peak = x, k
        elif most - x > max(flat, FALL * (most - least)) and most - least > flat:
            yield _Ramp(low, peak, min(k + blur, u.size - 1))
            least = most = x
            low = peak = k
    if most - least > flat:
        yield _Ramp(low, peak, u.size - 1)


def _start(
    time: np.ndarray, u: np.ndarray, path: _Path, moved: float, rest: float, q: np.ndarray, direction: int
) -> StartOfMotion | None:
    """The start of motion of a ramp in positive direction, if there is one from rest."""
    seen, low = path.passes(moved), path.ramp.low
    if seen is None or path.time[seen] - path.time[0] < rest:
        return None
    k = path.rested + seen
    end = _end(u, path.ramp, k)
    if end - low < SPIKE:
        return None
    smooth = _without_spikes(u[low:end])
    level, rate, rise = _line(time[low:end], smooth)
    if level <= 0 or rise < RISE * level:
        return None
    saturated = bool(rate * (time[end - 1] - time[low]) < RISE * rise)
    doubled = path.doubling_time(moved)
    onset = ONSET * doubled if np.isfinite(doubled) else 0.5 * rest
    begin = int(np.searchsorted(time, time[k] - onset)) - SPIKE // 2
    before = float(smooth[min(begin - low, smooth.size - 1)]) if begin > path.rested else 0.0
    place, late = float(np.median(q[path.rested : k])), max(level - before, rate * onset)
    return StartOfMotion(k, place, level, rate, direction, onset, late, saturated)


def _end(u: np.ndarray, ramp: _Ramp, seen: int) -> int:
    """The sample at which the drive falls, but not after the detection of the motion."""
    if seen <= ramp.peak:
        return seen
    limit = u[ramp.peak] - FALL * (u[ramp.peak] - u[ramp.low])
    return ramp.peak + 1 + int(np.flatnonzero(u[ramp.peak : seen] >= min(limit, u[ramp.peak]))[-1])


def _line(time: np.ndarray, u: np.ndarray) -> tuple[float, float, float]:
    """Value at the last sample and slope of a line through the end of a ramp, and the rise of the ramp."""
    first = u.size - max(round(LINE * u.size), 2)
    slope, level = np.polyfit(time[first:] - time[-1], u[first:], 1)
    begin = max(u.size // 10, 1)
    return float(level), float(slope), float(level - np.mean(u[:begin]))
