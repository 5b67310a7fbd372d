"""The graph that signals are lowered into: nodes that the kernel evaluates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from ..traced import is_always

if TYPE_CHECKING:
    from .signal import Signal

FOREVER = 1e30
"""A sample time (s) that no simulation reaches: one sample only."""


class Graph(Protocol):
    """A list of nodes: each has an operation of the kernel, the nodes it reads, and numbers."""

    def node(self, op: str, operands: Sequence[int] = (), data: Sequence[float] = ()) -> int:
        """Adds a node and returns its number; equal nodes share one."""

    def lower(self, signal: Signal) -> int:
        """The node of a bound signal; equal signals share one."""

    def sensor(self, quantity: str) -> int:
        """The node of a quantity of the machine, such as "mass.w"."""

    def named(self, name: str) -> int:
        """The node of a named signal of the model."""

    def external(self, name: str, start: float, unit: str) -> int:
        """The node of an input that is set from outside."""

    def state(self, name: str, start: float, nominal: float = 1.0) -> int:
        """The node of a new continuous state."""

    def rate(self, state: int, node: int) -> None:
        """Sets the node that is the rate of a state; it may depend on the state."""

    def feed(self, sample: int, node: int) -> None:
        """Sets the node that a SAMPLE without operand reads; it may depend on the sample. Such a sample takes the value
        just before the instant, and takes none at t = 0."""

    def later(self, action: Callable[[], None]) -> None:
        """Runs an action after the present signal has been lowered, so that signals may refer to each other."""


def weighted(graph: Graph, terms: Sequence[tuple[float, int]], constant: float = 0.0) -> int:
    """The node of `constant + sum of k * node`; an empty sum is a constant, and 1 * node is the node itself.

    >>> weighted(graph, [(1.0, 4)])
    4
    """
    terms = [(k, node) for k, node in terms if not is_always(k, 0.0)]
    if not terms:
        return graph.node("CONSTANT", (), [constant])
    if is_always(constant, 0.0) and len(terms) == 1 and is_always(terms[0][0], 1.0):
        return terms[0][1]
    return graph.node("SUM", [node for _, node in terms], [constant, *(k for k, _ in terms)])


def initial(graph: Graph, node: int) -> int:
    """The node that keeps the initial value of another node.

    >>> initial(graph, graph.sensor("mass.w"))
    """
    return graph.node("SAMPLE", [node], [FOREVER, 0.0, 0.0])
