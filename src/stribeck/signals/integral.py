"""The integral over time."""

from __future__ import annotations

from ..declare import Param
from ._graph import Graph
from ._state import NOMINAL, Dynamic
from .signal import Operand, Signal


class Integral(Dynamic):
    """`start` plus the integral of u over time.

    >>> Torque(mass, tau=-2 * Integral(Sensor("mass.phi") - 1))
    """

    u = Operand(None, "", "input")
    start = Param(0.0, "", "initial value")
    nominal = NOMINAL

    @property
    def direct(self) -> list[Signal]:
        """None: the input acts on the rate only."""
        return []

    def lower(self, graph: Graph) -> int:
        state = self.state(graph, start=self.p.start)
        graph.later(lambda: graph.rate(state, graph.lower(self.p.u)))
        return state
