"""A first-order low-pass filter."""

from __future__ import annotations

from ..declare import Param
from ._graph import Graph, weighted
from ._state import NOMINAL, Dynamic, lag
from .signal import Operand, Signal


class LowPass(Dynamic):
    """`T y' = u - y`; the initial value is that of u (steady state) unless `start` is given.

    >>> LowPass("motor.w", T="10 ms")
    """

    u = Operand(None, "{value}", "input")
    T = Param(None, "s", "time constant, 1 / (2 pi cut-off frequency)", above=0)
    start = Param(None, "{value}", "initial value; default: that of the input", optional=True)
    nominal = NOMINAL

    @property
    def direct(self) -> list[Signal]:
        """The input acts on the rate only, unless the initial value is taken from it."""
        return self.operands if self.start is None else []

    def lower(self, graph: Graph) -> int:
        u, T, start = self.p.u, self.p.T, self.p.start
        if start is None:
            return lag(self, graph, u, T)
        y = self.state(graph, start=start)
        graph.later(lambda: graph.rate(y, weighted(graph, [(1 / T, graph.lower(u)), (-1 / T, y)])))
        return y
