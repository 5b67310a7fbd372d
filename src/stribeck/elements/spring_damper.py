"""A spring and a damper in parallel."""

from __future__ import annotations

from ..declare import Param
from ._network import Network
from .element import Element


class SpringDamper(Element):
    """A spring and a damper in parallel: tau = c (phi_rel - phi_rel0) + d w_rel; without b fixed to the ground.

    >>> m.add("shaft", SpringDamper(motor, mass, c="2 kN.m/rad", d="3 N.m.s/rad"))
    """

    group = "springs"
    flanges = ("a", "b")
    to_ground = ("b",)
    ports = ("heat",)
    c = Param(None, "{force}/{disp}", "stiffness", min=0)
    d = Param(None, "{force}.s/{disp}", "damping", min=0)
    phi_rel0 = Param(0.0, "{disp}", "relative position at which the spring is relaxed", aliases=("s_rel0",))

    def stamp(self, net: Network) -> None:
        net.spring_damper(self, self.flange("a"), self.flange("b"), self.p.c, self.p.d, self.p.phi_rel0)
