"""An oscillation."""

from __future__ import annotations

import math
from types import SimpleNamespace

from ..declare import Param
from ._declare import Signal


class Sine(Signal):
    """`offset + amplitude * sin(2 pi f (t - start) + phase)`, and `offset` before `start`.

    >>> Torque(mass, tau=Sine(amplitude="3 N.m", f="2 Hz"))
    """

    op = "SINE"
    amplitude = Param(None, "{value}", "amplitude")
    f = Param(None, "Hz", "frequency", min=0)
    phase = Param(0.0, "rad", "phase at the start")
    offset = Param(0.0, "{value}", "mean value, and value before the start")
    start = Param(0.0, "s", "time at which the oscillation begins")

    def data(self, p: SimpleNamespace) -> list[float]:
        return [p.amplitude, 2 * math.pi * p.f, p.phase, p.offset, p.start]

    def at(self, p: SimpleNamespace, t: float) -> float:
        if t < p.start:
            return float(p.offset)
        return float(p.offset + p.amplitude * math.sin(2 * math.pi * p.f * (t - p.start) + p.phase))

    def rate(self, p: SimpleNamespace, t: float) -> float:
        if t < p.start:
            return 0.0
        omega = 2 * math.pi * p.f
        return float(p.amplitude * omega * math.cos(omega * (t - p.start) + p.phase))

    def span(self, p: SimpleNamespace) -> tuple[float, float]:
        return p.offset - abs(p.amplitude), p.offset + abs(p.amplitude)

    def jumps(self, p: SimpleNamespace) -> bool:
        return bool(p.start > 0 and p.amplitude * math.sin(p.phase) != 0)

    def kinks(self, p: SimpleNamespace) -> bool:
        return bool(p.start > 0 and p.amplitude * p.f * math.cos(p.phase) != 0)
