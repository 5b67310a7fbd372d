"""Saturation and dead zone."""

from __future__ import annotations

from typing import Any

from ..declare import Param, Values
from ..traced import is_number
from ._piecewise import Line, Piecewise
from .signal import Operand


class _Limited(Piecewise, registered=False):
    """Base of functions with knots at `low` and `high`."""

    group = "limits"
    u = Operand(None, "{value}", "input")
    low = Param(None, "{value}", "lower end")
    high = Param(None, "{value}", "upper end")

    @staticmethod
    def faults(p: Values) -> list[str]:
        return out_of_order(p.low, p.high)

    def knots(self) -> list[float]:
        return [self.p.low, self.p.high]


def out_of_order(low: Any, high: Any) -> list[str]:
    """Faults of two limits, if both are known numbers.

    >>> out_of_order(2.0, 1.0)
    ['low = 2 must be below high = 1; exchange them']
    """
    if not (is_number(low) and is_number(high)) or low < high:
        return []
    way_out = "exchange them" if low > high else "they are equal: lower low or raise high"
    return [f"low = {low:g} must be below high = {high:g}; {way_out}"]


class Saturation(_Limited):
    """u limited to the range from `low` to `high`.

    >>> Torque(mass, tau=Saturation(3 * Sensor("mass.w"), low="-5 N.m", high="5 N.m"))
    """

    def bounds(self) -> tuple[float, float] | None:
        """Both limits."""
        return self.p.low, self.p.high

    def lines(self) -> list[Line]:
        low, high = self.knots()
        return [Line(low, low, 0.0), Line(low, low, 1.0), Line(high, high, 0.0)]


class DeadZone(_Limited):
    """0 for u between `low` and `high`, `u - low` below, `u - high` above.

    >>> Torque(mass, tau=-100 * DeadZone("mass.phi", low="-1 deg", high="1 deg"))
    """

    def lines(self) -> list[Line]:
        low, high = self.knots()
        return [Line(low, 0.0, 1.0), Line(low, 0.0, 0.0), Line(high, 0.0, 1.0)]
