"""The smallest and the largest of several signals."""

from __future__ import annotations

from typing import ClassVar

from ._graph import Graph, weighted
from .signal import Operands, Signal


class _Extreme(Signal, registered=False):
    """Base of minimum and maximum: sign * max(sign * terms)."""

    group = "limits"
    sign: ClassVar[float]
    terms = Operands(None, "{value}", "signals to choose from")

    def lower(self, graph: Graph) -> int:
        # a + max(0, b - a), or a - max(0, a - b): piecewise linear, 0 up to 0, then rising
        first, *others = (graph.lower(term) for term in self.p.terms)
        for other in others:
            excess = weighted(graph, [(self.sign, other), (-self.sign, first)])
            gain = graph.node("PIECEWISE", [excess], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
            first = weighted(graph, [(1.0, first), (self.sign, gain)])
        return first

    def chosen(self, t: float) -> Signal:
        """The active term at t; at a tie the one that is active afterwards."""
        terms: list[Signal] = self.p.terms
        return max(terms, key=lambda term: (self.sign * term.at(t), self.sign * term.rate(t)))

    def at(self, t: float) -> float:
        return self.chosen(t).at(t)

    def rate(self, t: float) -> float:
        return self.chosen(t).rate(t)

    def span(self) -> tuple[float, float]:
        choose = max if self.sign > 0 else min
        spans = [term.span() for term in self.p.terms]
        return choose(low for low, _ in spans), choose(high for _, high in spans)

    def kinks(self) -> bool:
        return len(self.p.terms) > 1 or super().kinks()


class Minimum(_Extreme):
    """The smallest of the terms.

    >>> Minimum(["motor.w", 100])
    """

    sign = -1.0


class Maximum(_Extreme):
    """The largest of the terms.

    >>> Maximum(["motor.w", 0])
    """

    sign = 1.0
