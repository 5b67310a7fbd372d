"""A body that moves along a line."""

from __future__ import annotations

from typing import Any

from ..declare import Param
from ._declare import Element


class Mass(Element):
    """A rigid body that moves along a line: m dv/dt = sum of the forces. Both flanges are the same node.

    >>> slider = m.add("slider", Mass(m="2 kg", v0="0.1 m/s"))
    """

    domain = "translational"
    flanges = ("a", "b")
    rigid = True
    m = Param(None, "kg", "mass", above=0)
    s0 = Param(0.0, "m", "position at the start")
    v0 = Param(0.0, "m/s", "speed at the start")

    def stamp(self, net: Any) -> None:
        net.body(self, self.flange("a"), self.p.m, self.p.s0, self.p.v0)
