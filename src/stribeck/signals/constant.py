"""A value that does not change."""

from __future__ import annotations

from types import SimpleNamespace

from ..declare import Param
from ._declare import Signal


class Constant(Signal):
    """The same value at all times; a plain number or a text such as "3 N.m" means this signal.

    >>> Torque(mass, tau=Constant(3))
    >>> Torque(mass, tau="3 N.m")
    """

    op = "CONSTANT"
    value = Param(None, "{value}", "value")

    def data(self, p: SimpleNamespace) -> list[float]:
        return [p.value]

    def at(self, p: SimpleNamespace, t: float) -> float:
        return float(p.value)

    def rate(self, p: SimpleNamespace, t: float) -> float:
        return 0.0

    def span(self, p: SimpleNamespace) -> tuple[float, float]:
        return p.value, p.value
