"""A rolling wheel."""

from __future__ import annotations

from ..declare import Param
from ..traced import exact
from ._network import Network
from .element import Element


class Wheel(Element):
    """A wheel that rolls without slip: s_b = radius phi_a, from its axle (a) to the vehicle (b).

    Results tau_a and f_b are the torque and the force that flow into it: 0 = radius f_b + tau_a.

    >>> m.add("wheel", Wheel(axle, car, radius="300 mm"))
    """

    group = "couplings"
    role = "coupling"
    flanges = ("a", "b")
    flange_domains = {"a": "rotational", "b": "translational"}  # noqa: RUF012
    radius = Param(None, "m", "radius of the wheel", above=0)

    def stamp(self, net: Network) -> None:
        net.coupling(self, {"a": exact(self.p.radius), "b": -1})
