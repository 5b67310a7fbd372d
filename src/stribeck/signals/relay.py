"""A relay with hysteresis."""

from __future__ import annotations

from ..declare import Count, Param, Values
from .signal import Operand, Signal


class Relay(Signal):
    """Switches to `on` when u rises above `high`, and to `off` when u falls below `low`.

    >>> Torque(mass, tau=Relay(3 - Sensor("mass.w"), low=-0.1, high=0.1, off=0, on="5 N.m"))
    """

    group = "memory"
    op = "RELAY"
    memory = True
    u = Operand(None, "", "input")
    low = Param(None, "", "value of the input below which it switches off")
    high = Param(None, "", "value of the input above which it switches on")
    off = Param(0.0, "{value}", "value while it is off")
    on = Param(1.0, "{value}", "value while it is on")
    start = Count(0, "1", "1: initially on if the input is between low and high", min=0, max=1)

    @staticmethod
    def faults(p: Values) -> list[str]:
        if p.low >= p.high:
            return [f"low = {p.low:g} must be below high = {p.high:g}; without hysteresis use a comparison"]
        return []

    def data(self) -> list[float]:
        p = self.p
        return [p.low, p.high, p.off, p.on, p.start]
