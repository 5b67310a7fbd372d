"""A damper between two flanges."""

from __future__ import annotations

from ..declare import Param
from ._network import Network
from .element import Element


class Damper(Element):
    """A linear damper: tau = d w_rel, w_rel = w_b - w_a; without b it is fixed to the ground.

    >>> m.add("damper", Damper(mass, d="0.1 N.m.s/rad"))
    """

    group = "springs"
    flanges = ("a", "b")
    to_ground = ("b",)
    ports = ("heat",)
    d = Param(None, "{force}.s/{disp}", "damping", min=0)

    def stamp(self, net: Network) -> None:
        net.spring_damper(self, self.flange("a"), self.flange("b"), 0.0, self.p.d, 0.0)
