"""A constant."""

from __future__ import annotations

from ..declare import Param
from .signal import Signal


class Constant(Signal):
    """A constant value; a plain number or a text such as "3 N.m" means this signal.

    >>> Torque(mass, tau=Constant(3))
    >>> Torque(mass, tau="3 N.m")
    """

    group = "time"
    op = "CONSTANT"
    value = Param(None, "{value}", "value")

    @property
    def shorthand(self) -> object:
        """The value."""
        return self.value

    def data(self) -> list[float]:
        return [self.p.value]

    def at(self, t: float) -> float:
        return self.p.value

    def rate(self, t: float) -> float:
        return 0.0

    def span(self) -> tuple[float, float]:
        return self.p.value, self.p.value
