"""Base class of inertias and masses."""

from __future__ import annotations

from typing import ClassVar

from ..traced import Number
from ._network import Network
from .element import Element


class Body(Element, registered=False):
    """A rigid body: it gives its node inertia and initial values. Both flanges are the same node."""

    group = "bodies"
    role = "body"
    flanges = ("a", "b")
    rigid = True
    quantities: ClassVar[tuple[str, str, str]]
    """The names of the parameters for inertia, initial position and initial speed."""

    @property
    def inertia(self) -> float:
        """Its moment of inertia (kg.m2) or mass (kg); needs `.p`."""
        return getattr(self.p, self.quantities[0])

    def start(self) -> tuple[Number | None, Number | None]:
        """Initial position and speed where they were given; the node determines the rest."""
        _, position, speed = (getattr(self.p, name) if name in self.given else None for name in self.quantities)
        return position, speed

    def unstated(self) -> tuple[Number | None, Number | None]:
        """Initial position and speed where they were not given."""
        _, position, speed = (None if name in self.given else getattr(self.p, name) for name in self.quantities)
        return position, speed

    def begin(self, position: Number, speed: Number) -> None:
        """Takes over the initial values of the node."""
        _, position0, speed0 = self.quantities
        setattr(self.p, position0, position)
        setattr(self.p, speed0, speed)

    def stamp(self, net: Network) -> None:
        """One body on one node."""
        net.body(self, self.flange("a"), *(getattr(self.p, name) for name in self.quantities))
