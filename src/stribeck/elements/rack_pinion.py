"""A rack and its pinion."""

from __future__ import annotations

from ..declare import Param
from ..traced import exact
from ._network import Network
from .element import Element


class RackPinion(Element):
    """A gear from rotation (a) to translation (b): phi_a = ratio s_b.

    Results tau_a and f_b are the torque and the force that flow into it: 0 = ratio tau_a + f_b.

    >>> m.add("rack", RackPinion(motor, slider, ratio="50 rad/m"))
    """

    group = "couplings"
    role = "coupling"
    flanges = ("a", "b")
    flange_domains = {"a": "rotational", "b": "translational"}  # noqa: RUF012
    ratio = Param(None, "rad/m", "angle of a over displacement of b")

    def stamp(self, net: Network) -> None:
        net.coupling(self, {"a": 1, "b": -exact(self.p.ratio)})
