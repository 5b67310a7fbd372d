"""Quantisation, as by an encoder or a converter."""

from __future__ import annotations

import math

from ..declare import Param, Word
from .signal import Operand, Signal


class Quantiser(Signal):
    """The multiple of `step` nearest to u, or with mode "floor" the next lower one, as an encoder counts.

    >>> Quantiser("motor.phi", step="0.36 deg", mode="floor")
    """

    group = "memory"
    op = "QUANTISE"
    u = Operand(None, "{value}", "input")
    step = Param(None, "{value}", "height of the steps", above=0)
    mode = Word("round", "1", "rounding", options=("round", "floor"))

    @property
    def sensed(self) -> str:
        """The quantity of its input."""
        return str(self.p.u.sensed)

    @property
    def resolution(self) -> float | None:
        """The height of the steps."""
        return self.p.step

    @property
    def tight(self) -> bool:
        """Whether the bounds of the input are tight."""
        return bool(self.p.u.tight and not self.p.u.jumps())

    @property
    def shift(self) -> float:
        """Offset before rounding down."""
        return 0.5 if self.p.mode == "round" else 0.0

    def data(self) -> list[float]:
        return [self.p.step, self.shift]

    def quantised(self, u: float) -> float:
        """The value for one value of the input."""
        return float(self.p.step * math.floor(u / self.p.step + self.shift)) if math.isfinite(u) else u

    def at(self, t: float) -> float:
        return self.quantised(self.p.u.at(t))

    def rate(self, t: float) -> float:
        return 0.0

    def span(self) -> tuple[float, float]:
        low, high = (self.quantised(u) for u in self.p.u.span())
        return low, high

    def jumps(self) -> bool:
        low, high = self.span()
        return low != high

    def kinks(self) -> bool:
        return False
