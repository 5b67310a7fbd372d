"""Pulses and square waves."""

from __future__ import annotations

import math

from ..declare import Count, Param, Values
from ._graph import Graph, weighted
from .signal import Signal


class Pulse(Signal):
    """`offset + height` for `width` at the beginning of every `period` from `start` on, else `offset`.

    >>> Torque(mass, tau=Pulse(height="3 N.m", period=2, width=0.1, count=5))
    """

    group = "time"
    op = "PULSE"
    height = Param(None, "{value}", "height of the pulses")
    period = Param(None, "s", "time from one pulse to the next", above=0)
    width = Param(None, "s", "duration of a pulse", above=0)
    start = Param(0.0, "s", "time of the first pulse")
    offset = Param(0.0, "{value}", "value between the pulses")
    count = Count(0, "1", "number of pulses; 0: unlimited", min=0)

    @staticmethod
    def faults(p: Values) -> list[str]:
        if p.width >= p.period:
            return [f"width = {p.width:g} s must be below period = {p.period:g} s; for one long pulse make both longer"]
        return []

    def data(self) -> list[float]:
        p = self.p
        return [p.height, p.period, p.width, p.start, p.offset, p.count]

    def at(self, t: float) -> float:
        p = self.p
        k = math.floor((t - p.start) / p.period)
        if t < p.start + k * p.period:  # the jumps are where the kernel places them after rounding
            k -= 1
        elif t >= p.start + (k + 1) * p.period:
            k += 1
        on = k >= 0 and (not p.count or k < p.count) and t < p.start + k * p.period + p.width
        return p.offset + p.height * on

    def rate(self, t: float) -> float:
        return 0.0

    def over(self) -> bool:
        """Whether the last pulse ends before t = 0."""
        p = self.p
        return bool(p.count and p.start + (p.count - 1) * p.period + p.width <= 0)

    def span(self) -> tuple[float, float]:
        ends = self.p.offset, self.p.offset + (0.0 if self.over() else self.p.height)
        return min(ends), max(ends)

    def jumps(self) -> bool:
        return bool(self.p.height != 0 and not self.over())


class Square(Signal):
    """Alternates between `offset + amplitude` and `offset - amplitude` from `start` on; `offset` before.

    >>> Torque(mass, tau=Square(amplitude="3 N.m", f="2 Hz"))
    """

    group = "time"
    amplitude = Param(None, "{value}", "amplitude")
    f = Param(None, "Hz", "frequency", above=0)
    duty = Param(0.5, "1", "duty cycle: share of a period at the upper value", above=0)
    offset = Param(0.0, "{value}", "mean of both values, and value before the start")
    start = Param(0.0, "s", "time at which the wave begins")

    @staticmethod
    def faults(p: Values) -> list[str]:
        return [f"duty = {p.duty:g} must be below 1; for the upper value at all times use Step"] if p.duty >= 1 else []

    @property
    def pulse(self) -> Pulse:
        """The wave from `start` on as pulses above the lower value."""
        p = self.p
        return Pulse.ready(self.path, height=2 * p.amplitude, period=1 / p.f, width=p.duty / p.f, start=p.start)

    def lower(self, graph: Graph) -> int:
        p = self.p
        pulses, base = graph.lower(self.pulse), -p.amplitude
        if p.start <= 0:
            return weighted(graph, [(1.0, pulses)], p.offset + base)
        return weighted(graph, [(1.0, pulses), (1.0, graph.node("STEP", (), [base, p.start, p.offset]))])

    def at(self, t: float) -> float:
        p = self.p
        return p.offset if t < p.start else p.offset - p.amplitude + self.pulse.at(t)

    def rate(self, t: float) -> float:
        return 0.0

    def span(self) -> tuple[float, float]:
        return self.p.offset - abs(self.p.amplitude), self.p.offset + abs(self.p.amplitude)

    def jumps(self) -> bool:
        return bool(self.p.amplitude != 0)
