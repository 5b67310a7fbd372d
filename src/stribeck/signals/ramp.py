"""A ramp."""

from __future__ import annotations

from ..declare import Param
from .signal import Signal


class Ramp(Signal):
    """`offset` before `start`, then linear to `offset + height` within `duration`, then constant.

    >>> Speed(w=Ramp(height="500 rpm", duration=2))
    """

    group = "time"
    op = "RAMP"
    height = Param(None, "{value}", "height of the ramp")
    duration = Param(None, "s", "duration of the ramp; for a sudden change use Step", above=0)
    start = Param(0.0, "s", "time at which the ramp begins")
    offset = Param(0.0, "{value}", "value before the ramp")

    def data(self) -> list[float]:
        return [self.p.height, self.p.duration, self.p.start, self.p.offset]

    def at(self, t: float) -> float:
        done = min(max((t - self.p.start) / self.p.duration, 0.0), 1.0)
        return self.p.offset + self.p.height * done

    def rate(self, t: float) -> float:
        return self.p.height / self.p.duration if self.p.start <= t < self.p.start + self.p.duration else 0.0

    def span(self) -> tuple[float, float]:
        ends = self.at(0.0), self.p.offset + self.p.height
        return min(ends), max(ends)

    def kinks(self) -> bool:
        return bool(self.p.start + self.p.duration > 0 and self.p.height != 0)
