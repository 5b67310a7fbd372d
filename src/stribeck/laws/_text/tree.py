"""The tree of a formula. Every node knows its place in the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""First character of a node in the text, and the one behind its last."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number, optionally with a unit: 20 [mm/s]."""

    value: float
    unit: str
    span: Span

    @property
    def parts(self) -> tuple[Node, ...]:
        """None."""
        return ()


@dataclass(frozen=True, slots=True)
class Name:
    """A symbol: a parameter, a state, v, hold, or a name that the law defines."""

    name: str
    span: Span

    @property
    def parts(self) -> tuple[Node, ...]:
        """None."""
        return ()


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator with its operands: + - * / ^, a sign ("neg"), comparisons, and, or, not, if."""

    op: str
    parts: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """A function of arguments."""

    function: str
    parts: tuple[Node, ...]
    span: Span


Node: TypeAlias = Number | Name | Operator | Call


def nodes(root: Node) -> Iterator[Node]:
    """A node and all below it, from left to right."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.parts)
