"""Continuous states of signals."""

from __future__ import annotations

from collections.abc import Sequence

from ..declare import Param
from ._graph import Graph, initial, weighted
from .signal import Signal

NOMINAL = Param(1.0, "", "nominal value of the states (scales the error test)", above=0)


class Dynamic(Signal, registered=False):
    """Base of signals with continuous states."""

    group = "dynamics"
    memory = True

    def state(self, graph: Graph, name: str = "", start: float = 0.0) -> int:
        """The node of a new state, named after the path of the signal."""
        words = [word for word in (self.path, name) if word]
        return graph.state(".".join(words) or type(self).__name__.lower(), start, self.p.nominal)


def start_of(graph: Graph, u: Signal) -> tuple[float, list[tuple[float, int]]]:
    """The initial value of a signal, as a number or, if not yet known, as a term of a sum.

    >>> start_of(graph, Sine(amplitude=1, f=2, offset=3).bind("", "u"))
    (3.0, [])
    """
    return (u.at(0.0), []) if u.time_only else (0.0, [(1.0, initial(graph, graph.lower(u)))])


def lag(signal: Dynamic, graph: Graph, u: Signal, T: float, name: str = "") -> int:
    """The node of `T y' = u - y` that starts in steady state, y = u.

    If u(0) is not yet known, the state is the deviation from it: y = u(0) + x.
    """
    start, terms = start_of(graph, u)
    x = signal.state(graph, name, start)
    past: Sequence[tuple[float, int]] = [(1.0, x), *terms]
    graph.rate(x, weighted(graph, [(1 / T, graph.lower(u)), *((-k / T, node) for k, node in past)]))
    return weighted(graph, past)
