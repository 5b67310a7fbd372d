"""The network of heat: what the thermal elements put into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ..elements import Element, Flange
from ..signals import Signal


class HeatPath(NamedTuple):
    """Heat from one thermal node to another; one that is None is outside of the network."""

    element: Element
    a: int | None
    b: int | None
    signal: Signal
    ambient: Signal | None = None
    """The temperature where nothing is connected to b."""
    conductance: Signal | None = None


@dataclass
class HeatNetwork:
    """Receives what thermal elements stamp, on thermal nodes.

    >>> network.thermal.capacity
    {0: 650.0}
    """

    of: Mapping[Flange, int]
    """The node of every thermal flange and connected heat port."""
    capacity: dict[int, float] = field(default_factory=dict)
    """Heat capacity of the nodes that have one."""
    start: dict[int, float] = field(default_factory=dict)
    fixed: dict[int, tuple[Element, Signal]] = field(default_factory=dict)
    """Nodes with a given temperature."""
    flows: list[HeatPath] = field(default_factory=list)
    shown: list[tuple[Element, int]] = field(default_factory=list)
    """Elements that show the temperature of their node."""

    def store(self, element: Element, place: Flange, capacity: float, start: float) -> None:
        """A heat capacity; those on one node add up."""
        node = self.of[place]
        self.capacity[node] = self.capacity.get(node, 0.0) + capacity
        self.start[node] = start
        self.shown.append((element, node))

    def fix(self, element: Element, place: Flange, temperature: Signal) -> None:
        """A given temperature."""
        self.fixed[self.of[place]] = (element, temperature)
        self.shown.append((element, self.of[place]))

    def source(self, element: Element, place: Flange, flow: Signal) -> None:
        """Heat from outside."""
        self.flows.append(HeatPath(element, None, self.of[place], flow))

    def conductor(
        self, element: Element, a: Flange, b: Flange, ambient: Signal, flow: Signal, conductance: Signal
    ) -> None:
        """Heat from a to b, or to the surroundings if nothing is connected there."""
        outside = None if b in self.of else ambient
        self.flows.append(HeatPath(element, self.of[a], self.of.get(b), flow, outside, conductance))

    @property
    def thin(self) -> list[int]:
        """Nodes without a capacity and without a given temperature."""
        return [node for node in sorted(set(self.of.values())) if node not in self.capacity and node not in self.fixed]
