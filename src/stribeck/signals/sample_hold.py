"""Periodic sampling."""

from __future__ import annotations

from ..declare import Param
from .signal import Operand, Signal


class SampleHold(Signal):
    """u at `start`, `start + period`, ..., held in between; `initial` before the first sample.

    >>> Torque(mass, tau=SampleHold(PID(3, "mass.w", Kp=2), period="1 ms"))
    """

    group = "memory"
    op = "SAMPLE"
    memory = True
    u = Operand(None, "{value}", "input")
    period = Param(None, "s", "sample time", above=0)
    start = Param(0.0, "s", "time of the first sample", min=0)
    initial = Param(0.0, "{value}", "value before the first sample")

    @property
    def sensed(self) -> str:
        """The quantity of its input."""
        return str(self.p.u.sensed)

    @property
    def sample_time(self) -> float | None:
        """The period."""
        return self.p.period

    def bounds(self) -> tuple[float, float] | None:
        """Those of its input, and the value before the first sample."""
        bounds: tuple[float, float] | None = self.p.u.bounds()
        if bounds is None or self.p.start <= 0:
            return bounds
        return min(*bounds, self.p.initial), max(*bounds, self.p.initial)

    def data(self) -> list[float]:
        return [self.p.period, self.p.start, self.p.initial]
