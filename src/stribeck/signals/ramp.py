"""A steady change from one value to another."""

from __future__ import annotations

from types import SimpleNamespace

from ..declare import Param
from ._declare import Signal


class Ramp(Signal):
    """`offset` before `start`, then a straight line to `offset + height` within `duration`, then held.

    >>> Speed(w=Ramp(height="500 rpm", duration=2))
    """

    op = "RAMP"
    height = Param(None, "{value}", "height of the ramp")
    duration = Param(None, "s", "duration of the ramp; for a sudden change use Step", above=0)
    start = Param(0.0, "s", "time at which the ramp begins")
    offset = Param(0.0, "{value}", "value before the ramp")

    def data(self, p: SimpleNamespace) -> list[float]:
        return [p.height, p.duration, p.start, p.offset]

    def at(self, p: SimpleNamespace, t: float) -> float:
        done = min(max((t - p.start) / p.duration, 0.0), 1.0)
        return float(p.offset + p.height * done)

    def rate(self, p: SimpleNamespace, t: float) -> float:
        return float(p.height / p.duration) if p.start <= t < p.start + p.duration else 0.0

    def span(self, p: SimpleNamespace) -> tuple[float, float]:
        ends = self.at(p, 0.0), p.offset + p.height
        return min(ends), max(ends)

    def kinks(self, p: SimpleNamespace) -> bool:
        return bool(p.start + p.duration > 0 and p.height != 0)
