"""A sine sweep."""

from __future__ import annotations

import math

from ..declare import Param, Values, Word
from ..traced import function, power
from .signal import Signal


class Chirp(Signal):
    """`offset + amplitude * sin(angle)`; the frequency changes from f0 to f1 within `duration`, then is constant;
    before `start` the value is `offset`.

    With sweep "linear" the frequency changes linearly in time, with "logarithmic" exponentially.

    >>> Torque(mass, tau=Chirp(amplitude="3 N.m", f0="0.1 Hz", f1="50 Hz", duration=20, sweep="logarithmic"))
    """

    group = "time"
    op = "CHIRP"
    amplitude = Param(None, "{value}", "amplitude")
    f0 = Param(None, "Hz", "initial frequency", min=0)
    f1 = Param(None, "Hz", "frequency at the end of the sweep", min=0)
    duration = Param(None, "s", "duration of the sweep", above=0)
    phase = Param(0.0, "rad", "initial phase")
    offset = Param(0.0, "{value}", "mean value, and value before the start")
    start = Param(0.0, "s", "time at which the sweep begins")
    sweep = Word("linear", "1", "how the frequency changes", options=("linear", "logarithmic"))

    @staticmethod
    def faults(p: Values) -> list[str]:
        if p.sweep == "logarithmic" and min(p.f0, p.f1) <= 0:
            return [
                f"f0 = {p.f0:g} Hz and f1 = {p.f1:g} Hz must be above 0 for a logarithmic sweep; use sweep='linear'"
            ]
        return []

    @property
    def logarithmic(self) -> bool:
        """Whether the sweep is logarithmic."""
        return bool(self.p.sweep == "logarithmic" and self.p.f0 != self.p.f1)

    def data(self) -> list[float]:
        p = self.p
        return [p.amplitude, p.f0, p.f1, p.duration, p.phase, p.offset, p.start, float(self.logarithmic)]

    def frequency(self, t: float) -> float:
        """Frequency (Hz) at t, from `start` on."""
        p, share = self.p, min((t - self.p.start) / self.p.duration, 1.0)
        return p.f0 * power(p.f1 / p.f0, share) if self.logarithmic else p.f0 + (p.f1 - p.f0) * share

    def angle(self, t: float) -> float:
        """Argument of the sine at t, from `start` on."""
        p, within = self.p, min(t - self.p.start, self.p.duration)
        if self.logarithmic:
            turns = (self.frequency(t) - p.f0) * p.duration / function("log", p.f1 / p.f0)
        else:
            turns = (p.f0 + self.frequency(t)) / 2 * within
        return 2 * math.pi * (turns + p.f1 * (t - p.start - within)) + p.phase

    def at(self, t: float) -> float:
        p = self.p
        return p.offset if t < p.start else p.offset + p.amplitude * function("sin", self.angle(t))

    def rate(self, t: float) -> float:
        if t < self.p.start:
            return 0.0
        return self.p.amplitude * 2 * math.pi * self.frequency(t) * function("cos", self.angle(t))

    def span(self) -> tuple[float, float]:
        return self.p.offset - abs(self.p.amplitude), self.p.offset + abs(self.p.amplitude)

    def jumps(self) -> bool:
        return bool(self.p.start > 0 and self.p.amplitude * function("sin", self.p.phase) != 0)

    def kinks(self) -> bool:
        return bool(self.p.start > 0 and self.p.amplitude * self.p.f0 * function("cos", self.p.phase) != 0)
