"""A signal that comes later."""

from __future__ import annotations

from ..declare import Count, Param
from .signal import Operand, Signal


class Delay(Signal):
    """u as it was `delay` ago; before that the value of u at the start.

    >>> Torque(mass, tau=-3 * Delay("mass.w", delay="5 ms"))
    """

    group = "memory"
    op = "DELAY"
    memory = True
    u = Operand(None, "{value}", "input")
    delay = Param(None, "s", "delay", above=0)
    points = Count(10000, "1", "number of points of the past that are kept at most", min=2, max=1e7)

    def data(self) -> list[float]:
        return [self.p.delay, float(self.p.points)]
