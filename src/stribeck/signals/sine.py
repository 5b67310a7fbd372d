"""A sine wave."""

from __future__ import annotations

import math

from ..declare import Param
from ..traced import function
from .signal import Signal


class Sine(Signal):
    """`offset + amplitude * sin(2 pi f (t - start) + phase)`, and `offset` before `start`.

    >>> Torque(mass, tau=Sine(amplitude="3 N.m", f="2 Hz"))
    """

    group = "time"
    op = "SINE"
    amplitude = Param(None, "{value}", "amplitude")
    f = Param(None, "Hz", "frequency", min=0)
    phase = Param(0.0, "rad", "initial phase")
    offset = Param(0.0, "{value}", "mean value, and value before the start")
    start = Param(0.0, "s", "time at which the oscillation begins")

    def data(self) -> list[float]:
        return [self.p.amplitude, 2 * math.pi * self.p.f, self.p.phase, self.p.offset, self.p.start]

    def at(self, t: float) -> float:
        p = self.p
        if t < p.start:
            return p.offset
        return p.offset + p.amplitude * function("sin", 2 * math.pi * p.f * (t - p.start) + p.phase)

    def rate(self, t: float) -> float:
        if t < self.p.start:
            return 0.0
        omega = 2 * math.pi * self.p.f
        return self.p.amplitude * omega * function("cos", omega * (t - self.p.start) + self.p.phase)

    def span(self) -> tuple[float, float]:
        return self.p.offset - abs(self.p.amplitude), self.p.offset + abs(self.p.amplitude)

    def jumps(self) -> bool:
        return bool(self.p.start > 0 and self.p.amplitude * function("sin", self.p.phase) != 0)

    def kinks(self) -> bool:
        return bool(self.p.start > 0 and self.p.amplitude * self.p.f * function("cos", self.p.phase) != 0)
