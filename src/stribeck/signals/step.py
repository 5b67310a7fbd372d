"""A step."""

from __future__ import annotations

from ..declare import Param
from .signal import Signal


class Step(Signal):
    """`offset` before `start`, `offset + height` from then on.

    >>> Torque(mass, tau=Step(height="3 N.m", start=1))
    """

    group = "time"
    op = "STEP"
    height = Param(None, "{value}", "height of the step")
    start = Param(0.0, "s", "time of the step")
    offset = Param(0.0, "{value}", "value before the step")

    def data(self) -> list[float]:
        return [self.p.height, self.p.start, self.p.offset]

    def at(self, t: float) -> float:
        return self.p.offset + (self.p.height if t >= self.p.start else 0.0)

    def rate(self, t: float) -> float:
        return 0.0

    def span(self) -> tuple[float, float]:
        ends = self.at(0.0), self.p.offset + self.p.height
        return min(ends), max(ends)

    def jumps(self) -> bool:
        return bool(self.p.start > 0 and self.p.height != 0)
