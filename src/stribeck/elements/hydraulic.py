"""Two pistons coupled by a fluid."""

from __future__ import annotations

from ..declare import Param
from ..traced import exact
from ._network import Network
from .element import Element


class Hydraulic(Element):
    """Two pistons on an incompressible fluid: area_a s_a = area_b s_b, so b moves out as a moves in.

    Results f_a and f_b are the forces that flow into it: 0 = area_b f_a + area_a f_b.

    >>> m.add("press", Hydraulic(lever, stamp, area_a="2 cm2", area_b="80 cm2"))
    """

    group = "couplings"
    domain = "translational"
    role = "coupling"
    flanges = ("a", "b")
    area_a = Param(None, "m2", "area of piston a", above=0)
    area_b = Param(None, "m2", "area of piston b", above=0)

    def stamp(self, net: Network) -> None:
        net.coupling(self, {"a": 1, "b": -exact(self.p.area_b) / exact(self.p.area_a)})
