"""A spring between two flanges."""

from __future__ import annotations

from ..declare import Param
from ._network import Network
from .element import Element


class Spring(Element):
    """A linear spring: tau = c (phi_rel - phi_rel0), phi_rel = phi_b - phi_a; without b it is fixed to the ground.

    >>> m.add("spring", Spring(motor, mass, c="2 N.m/rad"))
    """

    group = "springs"
    flanges = ("a", "b")
    to_ground = ("b",)
    c = Param(None, "{force}/{disp}", "stiffness", min=0)
    phi_rel0 = Param(0.0, "{disp}", "relative position at which the spring is relaxed", aliases=("s_rel0",))

    def stamp(self, net: Network) -> None:
        net.spring_damper(self, self.flange("a"), self.flange("b"), self.p.c, 0.0, self.p.phi_rel0)
