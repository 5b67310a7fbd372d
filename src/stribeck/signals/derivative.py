"""The time derivative."""

from __future__ import annotations

from ..declare import Param
from ..errors import SpecError
from ._graph import Graph, weighted
from ._state import NOMINAL, Dynamic, lag
from .signal import Operand, Scope, Signal


class Derivative(Dynamic):
    """Filtered derivative of u: `s / (T s + 1)`, that is (u - x) / T with T x' = u - x; the initial value is 0, x = u.

    With T = 0 it is the exact derivative, which exists for functions of time only.

    >>> Derivative("motor.phi", T="1 ms")
    """

    u = Operand(None, "", "input")
    T = Param(0.0, "s", "time constant of the filter; 0: none", min=0)
    nominal = NOMINAL

    def bind(self, unit: str, owner: str, scope: Scope | None = None) -> Signal:
        """As for every signal; the exact derivative of anything but a function of time is refused."""
        bound = super().bind(unit, owner, scope)
        if bound.p.T == 0 and not bound.p.u.time_only:
            raise SpecError(
                f"{owner}: T = 0 s gives the exact derivative, and {bound.p.u!r} is not a function of time alone; "
                "give the time constant of a filter, for instance T='1 ms', or take a sensor of the speed"
            )
        return bound

    def lower(self, graph: Graph) -> int:
        u, T = graph.lower(self.p.u), self.p.T
        if T == 0:
            return graph.node("RATE", [u])
        return weighted(graph, [(1 / T, u), (-1 / T, lag(self, graph, self.p.u, T))])
