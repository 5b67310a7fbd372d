"""What inertias and masses share."""

from __future__ import annotations

from typing import ClassVar

from ._network import Network
from .element import Element


class Body(Element, registered=False):
    """A rigid body: it gives its node inertia and a start. Both flanges are the same node."""

    group = "bodies"
    role = "body"
    flanges = ("a", "b")
    rigid = True
    quantities: ClassVar[tuple[str, str, str]]
    """The parameters for inertia, position and speed at the start."""

    @property
    def inertia(self) -> float:
        """Its moment of inertia (kg.m2) or mass (kg); needs `.p`."""
        return float(getattr(self.p, self.quantities[0]))

    def start(self) -> tuple[float | None, float | None]:
        """Position and speed at the start, where they were given; the node decides on the rest."""
        _, position, speed = (getattr(self.p, name) if name in self.given else None for name in self.quantities)
        return position, speed

    def begin(self, position: float, speed: float) -> None:
        """Takes over the start of the node."""
        _, position0, speed0 = self.quantities
        setattr(self.p, position0, position)
        setattr(self.p, speed0, speed)

    def stamp(self, net: Network) -> None:
        """One body on one node."""
        net.body(self, self.flange("a"), *(getattr(self.p, name) for name in self.quantities))
