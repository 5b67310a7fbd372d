"""The break-away protocol: repeated slow ramps until a motion starts, over the range and in both directions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...errors import SpecError, StribeckError
from .starts import FURTHER, SLIDING

FAR, HASTY = 16, 0.3
"""Travel, relative to the smallest motion, from which on a ramp ends also if half of it has come within this share of
the drive: ramps too fast for the test."""


@dataclass(frozen=True)
class Ramps:
    """The break-away test of Nouailletas 2010 (Figure 9) between the positions `low` and `high`; all in SI.

    The drive rises at `rate` (per s) from `start` until the machine slides: half of the travel, and at least `moved`,
    has come within the last 7 % of the drive. It is kept until the machine has moved on by `stride`, at least four
    times the travel at detection, then reset to 0 until the sensor has been at rest for `rest` (s), and at least as
    long as the motion has lasted. If it stops before, that was creep, and the drive rises on. The direction is reversed
    at `high` and `low`, `turns` times.

    >>> Ramps(low=2, high=63, rate=0.2, moved=0.112, stride=1.0)
    """

    low: float
    high: float
    rate: float
    moved: float
    stride: float = 0.0
    start: float = 0.0
    rest: float = 0.02
    turns: int = 2
    """Number of passes: up, down, up, ..."""

    def __post_init__(self) -> None:
        for name in ("rate", "moved", "rest"):
            if not getattr(self, name) > 0:
                raise SpecError(f"ramps: {name} = {getattr(self, name):g} must be above 0")
        if not self.low < self.high:
            raise SpecError(f"ramps: low = {self.low:g} must be below high = {self.high:g}")
        if self.turns < 1:
            raise SpecError(f"ramps: turns = {self.turns} must be at least 1")

    def started(self, h: float, limit: float) -> Callable[[int, float], float | None]:
        """The control law with sample time h (s): drive as a function of sample number and sensor, None at the end.

        >>> drive = Ramps(low=2, high=63, rate=0.2, moved=0.112).started(1e-3, limit=2.0)
        >>> drive(0, 0.0)
        0.0
        """
        return _Running(self, h, limit)


class _Running:
    """State of the test: at rest, ramp, or moving on."""

    def __init__(self, plan: Ramps, h: float, limit: float) -> None:
        self.plan, self.h, self.limit = plan, h, limit
        self.sign, self.turned = 1, 0
        self.drive, self.still, self.last = 0.0, 0, 0.0
        self.moving = 0
        """Samples of the last motion: its end takes about as long."""
        self.place: float | None = None
        self.passed: list[float] = []
        """Travel at each sample of the ramp."""
        self.act = self._resting

    def __call__(self, k: int, q: float) -> float | None:
        if self.place is None:
            self.place = q
        return self.act(q)

    def _resting(self, q: float) -> float | None:
        """No drive until the sensor is at rest."""
        if self.place is not None and abs(q - self.place) >= 0.5 * self.plan.moved * (1 - 1e-9):
            self.place, self.still = q, 0
        self.still += 1
        if self.still * self.h < self.plan.rest or self.still < self.moving:
            return 0.0
        self.place, self.still = q, 0
        if (q >= self.plan.high) if self.sign > 0 else (q <= self.plan.low):
            self.sign, self.turned = -self.sign, self.turned + 1
            if self.turned >= self.plan.turns:
                return None
        self.drive, self.passed, self.act = self.plan.start, [], self._ramp
        return self.sign * self.drive

    def _ramp(self, q: float) -> float:
        """A rising drive until it slides."""
        assert self.place is not None
        travel = self.sign * (q - self.place)
        self.passed.append(travel)
        if self._slides(travel):
            self.still, self.moving, self.act = 0, 0, self._moving_on
            return self._moving_on(q)
        self.drive += self.plan.rate * self.h
        if self.drive > self.limit:
            raise StribeckError(
                f"break-away test: nothing has moved at {self.place:g} with the largest drive, {self.limit:g}; "
                "keep low and high away from the stops, or raise the limit"
            )
        return self.sign * self.drive

    def _slides(self, travel: float) -> bool:
        """Whether the travel has come suddenly."""
        samples = (self.drive - self.plan.start) / (self.plan.rate * self.h)
        far = travel >= max(self.plan.stride, FAR * self.plan.moved)
        before = self.passed[max(len(self.passed) - 1 - max(round((HASTY if far else SLIDING) * samples), 1), 0)]
        return travel - before >= max(self.plan.moved * (1 - 1e-9), 0.5 * travel)

    def _moving_on(self, q: float) -> float:
        """The same drive for a stride; a rising one again if it stops before."""
        assert self.place is not None
        self.still, self.moving = self.still + 1 if q == self.last else 0, self.moving + 1
        self.last = q
        if self.sign * (q - self.place) >= max(self.plan.stride * (1 - 1e-9), FURTHER * self.passed[-1]):
            self.place, self.still, self.act = q, 0, self._resting
            return 0.0
        if self.still * self.h >= self.plan.rest:
            self.place, self.passed, self.act = q, [], self._ramp
        return self.sign * self.drive
