"""A sudden change."""

from __future__ import annotations

from types import SimpleNamespace

from ..declare import Param
from ._declare import Signal


class Step(Signal):
    """`offset` before `start`, `offset + height` from then on.

    >>> Torque(mass, tau=Step(height="3 N.m", start=1))
    """

    op = "STEP"
    height = Param(None, "{value}", "height of the step")
    start = Param(0.0, "s", "time of the step")
    offset = Param(0.0, "{value}", "value before the step")

    def data(self, p: SimpleNamespace) -> list[float]:
        return [p.height, p.start, p.offset]

    def at(self, p: SimpleNamespace, t: float) -> float:
        return float(p.offset + (p.height if t >= p.start else 0.0))

    def rate(self, p: SimpleNamespace, t: float) -> float:
        return 0.0

    def span(self, p: SimpleNamespace) -> tuple[float, float]:
        ends = self.at(p, 0.0), p.offset + p.height
        return min(ends), max(ends)

    def jumps(self, p: SimpleNamespace) -> bool:
        return bool(p.start > 0 and p.height != 0)
