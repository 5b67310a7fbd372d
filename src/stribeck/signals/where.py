"""A switch between two signals."""

from __future__ import annotations

from ._graph import Graph
from .comparison import true, truth
from .signal import Operand, Signal


class Where(Signal):
    """`then` while the condition is true, else `otherwise`; a signal that is not a condition is true from 0.5 on.

    >>> Torque(mass, tau=Where(Sensor("mass.w") < 3, then="5 N.m", otherwise=0))
    """

    group = "functions"
    condition = Operand(None, "1", "condition")
    then = Operand(None, "{value}", "value while it is true")
    otherwise = Operand(0.0, "{value}", "value while it is false")

    @property
    def logical(self) -> bool:
        """Whether both values are conditions."""
        return self.p.then.logical and self.p.otherwise.logical

    def lower(self, graph: Graph) -> int:
        values = [graph.lower(value) for value in (self.p.then, self.p.otherwise)]
        return graph.node("SWITCH", [truth(graph, self.p.condition), *values])

    def chosen(self, t: float) -> Signal:
        """The active value at t."""
        return self.p.then if true(self.p.condition, t) else self.p.otherwise

    def at(self, t: float) -> float:
        return self.chosen(t).at(t)

    def rate(self, t: float) -> float:
        return self.chosen(t).rate(t)

    def span(self) -> tuple[float, float]:
        ends = [*self.p.then.span(), *self.p.otherwise.span()]
        return min(ends), max(ends)

    def jumps(self) -> bool:
        return True
