"""Saturation and dead zone."""

from __future__ import annotations

from types import SimpleNamespace

from ..declare import Param
from ._declare import Operand
from ._piecewise import Line, Piecewise


class _Limited(Piecewise):
    """A function that changes at `low` and at `high`."""

    u = Operand(None, "{value}", "input")
    low = Param(None, "{value}", "lower end")
    high = Param(None, "{value}", "upper end")

    @staticmethod
    def faults(p: SimpleNamespace) -> list[str]:
        if isinstance(p.low, float) and isinstance(p.high, float) and p.low >= p.high:
            return [f"low = {p.low:g} must be below high = {p.high:g}; exchange them"]
        return []

    def knots(self) -> list[float]:
        return [self.p.low, self.p.high]


class Saturation(_Limited):
    """u, but not below `low` and not above `high`.

    >>> Torque(mass, tau=Saturation(3 * Sensor("mass.w"), low="-5 N.m", high="5 N.m"))
    """

    def lines(self) -> list[Line]:
        low, high = self.knots()
        return [Line(low, low, 0.0), Line(low, low, 1.0), Line(high, high, 0.0)]


class DeadZone(_Limited):
    """0 for u between `low` and `high`; `u - low` below and `u - high` above.

    >>> Torque(mass, tau=-100 * DeadZone("mass.phi", low="-1 deg", high="1 deg"))
    """

    def lines(self) -> list[Line]:
        low, high = self.knots()
        return [Line(low, 0.0, 1.0), Line(low, 0.0, 0.0), Line(high, 0.0, 1.0)]
