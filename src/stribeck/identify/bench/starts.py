"""Starts of sliding: where slow ramps of the drive make a contact slide, as opposed to elastic creep.

Creep grows with the drive; sliding goes on without it. A ramp slides from where at least half of the travel since rest
has come within the last 7 % of its rise, and where the travel doubles, twice, within little more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import SpecError
from ..records.inspect import grain
from ..records.measurement import Measurement
from .drive_ramps import SPIKE, Averaged, DriveRamp, end_of_rise, last_line, noise_level, smooth_rise, without_spikes
from .onset import Window

STEPS = 2
"""Sensor steps of a motion: a single step may be an elastic displacement near a count transition."""
NOISE = 6
"""Standard deviations of the sensor noise that are added to that."""
RISE = 0.1
"""Least rise of a ramp, relative to the drive at its end."""
SLIDING = 0.07
"""Rise of the drive, relative to that of the ramp, within which sliding makes half of the travel."""
GOES_ON = (0.1, 0.25)
"""Further rise of the drive, relative to that of the ramp, within which sliding doubles the travel once and twice."""
DOUBLED, HALVED = 1 / (2**0.5 - 1), 1 / (1 - 0.5**0.5)
"""Time since the start of a constant acceleration over the time until the travel has doubled, and over that since half
of it."""
LATE = 0.25
"""Largest rise of the drive during the onset of sliding, relative to the rise of the ramp."""
FURTHER, EVALUATED = 4.0, 16.0
"""Travel of a test, and largest one that is evaluated, relative to that at detection."""
AFTER = 40
"""Least number of samples that are evaluated after detection."""
DITHER = 0.3
"""Noise, in sensor steps, from which on samples are used rather than count transitions."""
RESTING, MOVING = 40, 80
"""Most positions of a window before and after detection."""
UNEVEN = 0.05
"""Standard deviation of the lines of an encoder, in counts."""


@dataclass(frozen=True, eq=False)
class StartOfMotion:
    """One start of sliding: its sample of detection, rest position, drive at detection and rate of the drive in this
    `direction` (1 or -1).

    `begin` is a first estimate of the instant (s) from which it slides, `late` the rise of the drive since then.

    >>> StartOfMotion(1510, 0.2, 0.151, 0.1, 1, 1.48, 0.003, 0.15, False, windows[0])
    """

    sample: int
    position: float
    drive: float
    rate: float
    direction: int
    begin: float
    late: float
    rise: float
    """Rise of the drive during the ramp."""
    saturated: bool
    """Whether the drive no longer rose, for instance at a limit."""
    window: Window

    @property
    def fast(self) -> bool:
        """Whether the ramp was too fast to identify break-away.

        >>> start.fast
        False
        """
        return self.late > LATE * self.rise


@dataclass(frozen=True, eq=False)
class _Path:
    """The motion during a ramp in positive direction, from rest until some time after the ramp."""

    ramp: DriveRamp
    rested: int
    """First sample at rest."""
    time: np.ndarray
    travel: np.ndarray
    """Largest displacement since then."""
    drive: np.ndarray
    """Largest drive since then, relative to its rise in the ramp."""

    @classmethod
    def of(cls, time: np.ndarray, q: np.ndarray, u: np.ndarray, ramp: DriveRamp, moved: float) -> _Path:
        last = min(ramp.fall + (ramp.fall - ramp.low) // 2, q.size - 1)
        lowest = ramp.low + int(np.argmin(q[ramp.low : ramp.fall + 1]))
        rested = ramp.low + int(np.argmax(q[ramp.low : lowest + 1] < q[lowest] + 0.5 * moved))
        travel = np.maximum.accumulate(q[rested : last + 1] - q[lowest])
        drive = np.maximum.accumulate(u[rested : last + 1]) - u[ramp.low]
        return cls(ramp, rested, time[rested : last + 1], travel, drive)

    def slides(self, moved: float) -> int | None:
        """The first sample, counted from rest, at which it slides by the definition above."""
        before = np.searchsorted(self.drive, self.drive * (1 - SLIDING), side="left")
        gained = self.travel - self.travel[np.minimum(before, np.arange(before.size))]
        suddenly = gained >= np.maximum(moved, 0.5 * self.travel)
        falls = self.ramp.fall - self.rested
        for k in np.flatnonzero(suddenly).tolist():
            if k > falls:
                return None
            if self._goes_on(k, falls):
                return int(k)
        return None

    def _goes_on(self, k: int, falls: int) -> bool:
        """Whether the travel doubles, and doubles again, before the drive has risen much; a drive that falls before
        that leaves it open."""
        for times, further in zip((2, 4), GOES_ON, strict=True):
            end = int(np.searchsorted(self.drive, self.drive[k] * (1 + further), side="right"))
            stop = min(end, self.travel.size - 1)
            if self.travel[stop] < times * self.travel[k] and end < min(falls, self.travel.size):
                return False
        return True

    def passes(self, travel: float) -> float:
        """The instant at which it has moved so far; infinite if it does not."""
        k = int(np.searchsorted(self.travel, travel))
        return float(self.time[k]) if k < self.travel.size else float("inf")


def starts_of_motion(
    record: Measurement, drive: str, position: str, moved: float | None, rest: float
) -> list[StartOfMotion]:
    """The starts of sliding in the order of time, at most one per ramp of the drive.

    >>> starts_of_motion(record, "u", "q", moved=None, rest=0.02)
    """
    u, q = np.asarray(record[drive], float), np.asarray(record[position], float)
    least = (least_motion(record, position) if moved is None else moved) * (1 - 1e-9)
    sensor = (record.resolution.get(position, 0.0) or grain(q), noise_level(q))
    calm = Averaged.of(u)
    found = []
    for sign in (1, -1):
        for ramp in calm.ramps(sign):
            if record.valid[ramp.low : ramp.peak + 1].all():
                path = _Path.of(record.time, sign * q, sign * calm.values, ramp, least)
                found.append(_start(record.time, sign * u, sign * q, path, least, rest, sensor, calm.noise, sign))
    return sorted((start for start in found if start), key=lambda start: start.sample)


def least_motion(record: Measurement, position: str) -> float:
    """The smallest change of position that is certainly a motion.

    >>> least_motion(record, "q")
    0.224
    """
    q = np.asarray(record[position], float)
    noise = noise_level(q)
    step = record.resolution.get(position, 0.0) or grain(q)
    least = STEPS * step + NOISE * noise if step else 10 * noise
    if not least > 0:
        raise SpecError(
            f"{record.name}: '{position}' has neither a resolution nor noise; give moved=, the change of it that is a "
            "motion"
        )
    return float(least)


def _start(
    time: np.ndarray,
    u: np.ndarray,
    q: np.ndarray,
    path: _Path,
    moved: float,
    rest: float,
    sensor: tuple[float, float],
    noise: float,
    direction: int,
) -> StartOfMotion | None:
    """The start of sliding of a ramp in positive direction, if there is one from rest."""
    seen, low = path.slides(moved), path.ramp.low
    if seen is None or path.time[seen] - path.time[0] < rest:
        return None
    k = path.rested + seen
    end = end_of_rise(u, path.ramp, k)
    if end - low < SPIKE:
        return None
    smooth = without_spikes(u[low:end])
    level, rate, rise = last_line(time[low:end], smooth)
    if rise < RISE * abs(level):
        return None
    saturated = bool(rate * (time[end - 1] - time[low]) < RISE * rise)
    travel = float(path.travel[seen])
    onset = DOUBLED * (path.passes(2 * travel) - time[k])
    if not onset < DOUBLED * (time[path.ramp.fall] - time[k]):  # the drive falls before
        onset = HALVED * (time[k] - path.passes(0.5 * travel))
    begin = max(float(time[k] - onset), float(path.time[0]))
    before = float(smooth[min(max(int(np.searchsorted(time, begin)) - low, 0), smooth.size - 1)])
    window = _window(time, u, q, path, (k, end), sensor, noise, (begin, rate, level, float(time[k]) - begin))
    place = direction * float(np.median(q[path.rested : k]))
    return StartOfMotion(k, place, level, rate, direction, begin, level - before, rise, saturated, window)


# --- what is evaluated ------------------------------------------------------------------------------------------------


def _window(
    time: np.ndarray,
    u: np.ndarray,
    q: np.ndarray,
    path: _Path,
    ends: tuple[int, int],
    sensor: tuple[float, float],
    noise: float,
    guess: tuple[float, float, float, float],
) -> Window:
    """Forcing and positions from rest until it has slid some way, or has stopped."""
    seen, end = ends
    first, low = path.rested, path.ramp.low
    far = int(np.searchsorted(path.travel, min(EVALUATED * path.travel[seen - first], path.travel[-1])))
    last = min(max(first + far, seen + AFTER), q.size - 1)
    forcing = u[low : last + 1].copy()
    forcing[: end - low] = smooth_rise(without_spikes(u[low:end]), noise)
    at, place, spread = _positions(time[first : last + 1], q[first : last + 1], seen - first, sensor)
    half = 0.5 * float(np.median(np.diff(time[low : last + 1])))  # a drive holds until its next sample
    return Window(time[low : last + 1] + half, forcing, at, place, spread, float(forcing[0]), *guess)


def _positions(
    time: np.ndarray, q: np.ndarray, seen: int, sensor: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Instants, positions and standard deviations: count transitions of a coarse sensor, else samples and averages."""
    step, noise = sensor
    if step and noise < DITHER * step:
        edges = _transitions(time, q, step, noise)
        kept = _kept(edges[0], int(np.searchsorted(edges[0], time[seen])))
        return edges[0][kept], edges[1][kept], edges[2][kept]
    moving = np.unique(np.linspace(max(seen - RESTING, 0), q.size - 1, MOVING).astype(int))
    groups = np.array_split(np.arange(moving[0]), min(RESTING, max(int(moving[0]), 1))) if moving[0] else []
    at = [*(time[g].mean() for g in groups), *time[moving]]
    place = [*(q[g].mean() for g in groups), *q[moving]]
    spread = [*(np.sqrt(step**2 / 12 + noise**2 / g.size) for g in groups),
              *[np.sqrt(step**2 / 12 + noise**2)] * moving.size]  # fmt: skip
    return np.array(at), np.array(place), np.maximum(np.array(spread), 1e-6 * float(np.ptp(q)))


def _kept(at: np.ndarray, seen: int) -> np.ndarray:
    """Some of many transitions: the first one, others before detection, and those after it at even times."""
    before = np.linspace(1, max(seen - 1, 1), RESTING).astype(int)
    after = np.arange(seen, at.size)
    if after.size > MOVING:
        after = np.searchsorted(at, np.linspace(at[seen], at[-1], MOVING))
    every = np.concatenate([[0], before, after])
    return np.unique(every[every < at.size])


def _transitions(
    time: np.ndarray, q: np.ndarray, step: float, noise: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rest position, known to a count, then the first passage of each edge between counts."""
    most = np.maximum.accumulate(q)
    at = np.flatnonzero(np.diff(most) > 0.5 * step)
    place = 0.5 * (most[at] + most[at + 1])
    h = np.diff(time)[at]
    instants = time[at] + 0.5 * h
    speed = np.gradient(place, instants) if at.size > 1 else np.zeros(at.size)
    spread = np.sqrt((np.abs(speed) * h) ** 2 / 12 + (UNEVEN * step) ** 2 + noise**2)
    rest = float(np.median(q[: max(int(at[0]) if at.size else q.size, 1)]))
    return np.append(time[0], instants), np.append(rest, place), np.append(step / 12**0.5, spread)
