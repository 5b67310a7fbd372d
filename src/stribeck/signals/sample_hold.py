"""Sampling at equal times."""

from __future__ import annotations

from ..declare import Param
from ._declare import Operand, Signal


class SampleHold(Signal):
    """u at `start`, `start + period`, ..., held in between; `initial` before the first sample.

    >>> Torque(mass, tau=SampleHold(PID(3, "mass.w", Kp=2), period="1 ms"))
    """

    op = "SAMPLE"
    memory = True
    u = Operand(None, "{value}", "input")
    period = Param(None, "s", "sample time", above=0)
    start = Param(0.0, "s", "time of the first sample", min=0)
    initial = Param(0.0, "{value}", "value before the first sample")

    def data(self) -> list[float]:
        return [self.p.period, self.p.start, self.p.initial]
