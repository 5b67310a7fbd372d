"""Comparisons of signals and their combinations: 1 if true, else 0."""

from __future__ import annotations

from ..declare import Word
from ..errors import SpecError
from ._graph import Graph, weighted
from .signal import Operand, Operands, Signal

RELATIONS = {"<": (1.0, True), ">=": (1.0, False), ">": (-1.0, True), "<=": (-1.0, False)}
"""Sign of left - right, and whether the relation holds if that is negative."""


class Condition(Signal, registered=False):
    """Base of signals that are 1 (true) or 0 (false) and change at events only."""

    group = "expressions"

    @property
    def logical(self) -> bool:
        """Always."""
        return True

    def __bool__(self) -> bool:
        raise SpecError(
            f"{self!r} is a signal that changes with time and has no truth value in Python; "
            "write a & b, a | b, ~a or Where(a, x, y), and (0 < u) & (u < 1) for 0 < u < 1"
        )

    def rate(self, t: float) -> float:
        return 0.0

    def span(self) -> tuple[float, float]:
        return 0.0, 1.0

    def kinks(self) -> bool:
        return False


class Compare(Condition):
    """1 while the relation (<, <=, > or >=) holds between left and right, else 0; changes are events.

    >>> Sensor("mass.w") > 3
    Compare(left='mass.w', relation='>', right=3)
    """

    left = Operand(None, "", "left side")
    relation = Word(None, "1", "relation", options=tuple(RELATIONS))
    right = Operand(None, "", "right side")

    def lower(self, graph: Graph) -> int:
        sign, below = RELATIONS[self.relation]
        sides = [(sign, graph.lower(self.p.left)), (-sign, graph.lower(self.p.right))]
        return threshold(graph, weighted(graph, sides), 0.0, *((1.0, 0.0) if below else (0.0, 1.0)))

    def at(self, t: float) -> float:
        sign, below = RELATIONS[self.relation]
        return float((sign * (self.p.left.at(t) - self.p.right.at(t)) < 0) == below)

    def jumps(self) -> bool:
        (low, high), (bottom, top) = self.p.left.span(), self.p.right.span()
        return bool(low <= top and bottom <= high and not (low == high and bottom == top))


class And(Condition):
    """1 while all conditions are true.

    >>> (Sensor("mass.w") > 0) & (Sensor("mass.w") < 3)
    """

    conditions = Operands(None, "1", "conditions")

    def lower(self, graph: Graph) -> int:
        first, *others = (truth(graph, condition) for condition in self.p.conditions)
        for other in others:
            first = graph.node("PRODUCT", [first, other])
        return first

    def at(self, t: float) -> float:
        return float(all(true(condition, t) for condition in self.p.conditions))


class Or(Condition):
    """1 while at least one condition is true.

    >>> (Sensor("mass.w") < 0) | (Sensor("mass.w") > 3)
    """

    conditions = Operands(None, "1", "conditions")

    def lower(self, graph: Graph) -> int:
        first, *others = (_not(graph, truth(graph, condition)) for condition in self.p.conditions)
        for other in others:
            first = graph.node("PRODUCT", [first, other])
        return _not(graph, first)

    def at(self, t: float) -> float:
        return float(any(true(condition, t) for condition in self.p.conditions))


class Not(Condition):
    """1 while the condition is false.

    >>> ~(Sensor("mass.w") > 3)
    """

    condition = Operand(None, "1", "condition")

    def lower(self, graph: Graph) -> int:
        return _not(graph, truth(graph, self.p.condition))

    def at(self, t: float) -> float:
        return float(not true(self.p.condition, t))


def truth(graph: Graph, condition: Signal) -> int:
    """The node of a condition; any other signal is true above 0.5.

    >>> truth(graph, Pulse(1, period=2, width=1).bind("", "u"))
    """
    node = graph.lower(condition)
    return node if condition.logical else threshold(graph, node, 0.5, 0.0, 1.0)


def true(condition: Signal, t: float) -> bool:
    """Whether a condition holds at t; any other signal is true above 0.5."""
    return bool(condition.at(t) >= 0.5)


def threshold(graph: Graph, node: int, knot: float, below: float, above: float) -> int:
    """The node with the value `below` and, from the knot on, `above`.

    >>> threshold(graph, graph.sensor("mass.w"), 0.0, 0.0, 1.0)
    """
    return graph.node("PIECEWISE", [node], [1.0, knot, 0.0, below, 0.0, 0.0, above, 0.0])


def _not(graph: Graph, node: int) -> int:
    return weighted(graph, [(-1.0, node)], 1.0)
