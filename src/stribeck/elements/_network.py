"""The network that elements stamp into: the primitives of the kernel, between flanges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ..laws import Law
    from ..signals import Signal
    from .element import Element, Flange


class ThermalNetwork(Protocol):
    """The thermal network: capacities, temperatures and heat flows between thermal flanges."""

    def store(self, element: Element, place: Flange, capacity: float, start: float) -> None:
        """A heat capacity (J/K) with its initial temperature (K); capacities on one node add up."""

    def fix(self, element: Element, place: Flange, temperature: Signal) -> None:
        """A given temperature."""

    def source(self, element: Element, place: Flange, flow: Signal) -> None:
        """A heat source."""

    def conductor(
        self, element: Element, a: Flange, b: Flange, ambient: Signal, flow: Signal, conductance: Signal
    ) -> None:
        """Heat flow from a to b, or to the surroundings if b is not connected."""


class Network(Protocol):
    """The mechanical network; a place is a flange or the ground."""

    GROUND: int
    """The ground, which never moves."""

    @property
    def thermal(self) -> ThermalNetwork:
        """The thermal network."""

    def ground(self, element: Element, node: Flange) -> None:
        """A fixed node."""

    def body(self, element: Element, node: Flange, inertia: float, position0: float, speed0: float) -> None:
        """Inertia on a node."""

    def motion(self, element: Element, node: Flange, kind: str, signal: Signal, position0: float) -> None:
        """A prescribed "position" or "speed"."""

    def coupling(self, element: Element, ratios: Mapping[str, float | Fraction], offset: float = 0.0) -> None:
        """A rigid coupling: the sum of ratio * speed over these flanges is 0."""

    def loss(
        self,
        element: Element,
        a: str,
        support: str,
        table: Sequence[Sequence[float]],
        law: Law,
        lines: bool = False,
        part: str = "loss",
    ) -> None:
        """Losses of the coupling that was added last: friction of flange a, whose ratio is 1, against the support."""

    def spring_damper(
        self, element: Element, a: Flange, b: Flange, c: float, d: float, rel0: float, part: str = ""
    ) -> None:
        """Spring and damper in parallel."""

    def source(
        self,
        element: Element,
        a: Flange | int,
        b: Flange | int,
        signal: Signal,
        passive: bool = False,
        energy: Signal | None = None,
        part: str = "",
        heat: Signal | None = None,
    ) -> None:
        """A torque on b, with its reaction on a."""

    def show(self, element: Element, name: str, unit: str, signal: Signal, scale: float = 1.0) -> None:
        """Makes a signal of the element a result, times a factor."""

    def show_torque(self, element: Element, signal: Signal) -> None:
        """Makes a signal the torque of an element that has several branches in parallel."""

    def friction(
        self,
        element: Element,
        a: Flange | int,
        b: Flange,
        law: Law,
        load: Signal,
        load_backward: Signal | None = None,
        engage: str | None = None,
        part: str = "",
        unlimited: str | None = None,
        gap: Signal | None = None,
        restitution: float = 0.0,
        v_small: float = 0.0,
    ) -> None:
        """A friction law between two places, under a load."""
