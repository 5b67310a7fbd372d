"""A time delay."""

from __future__ import annotations

from ..declare import Count, Param
from .signal import Operand, Signal


class Delay(Signal):
    """u(t - delay); for t < delay the initial value of u.

    >>> Torque(mass, tau=-3 * Delay("mass.w", delay="5 ms"))
    """

    group = "memory"
    op = "DELAY"
    memory = True
    u = Operand(None, "{value}", "input")
    delay = Param(None, "s", "delay", above=0)
    points = Count(10000, "1", "largest number of past points to keep", min=2, max=1e7)

    def data(self) -> list[float]:
        return [self.p.delay, float(self.p.points)]
