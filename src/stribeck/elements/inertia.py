"""A body that turns."""

from __future__ import annotations

from typing import Any

from ..declare import Param
from ._declare import Element


class Inertia(Element):
    """A rigid body that turns about an axis: J dw/dt = sum of the torques. Both flanges are the same node.

    >>> mass = m.add("mass", Inertia(J="1 kg.m2", w0="500 rpm"))
    """

    domain = "rotational"
    flanges = ("a", "b")
    rigid = True
    J = Param(None, "kg.m2", "moment of inertia", above=0)
    phi0 = Param(0.0, "rad", "angle at the start")
    w0 = Param(0.0, "rad/s", "speed at the start")

    def stamp(self, net: Any) -> None:
        net.body(self, self.flange("a"), self.p.J, self.p.phi0, self.p.w0)
