"""A pair of gears."""

from __future__ import annotations

from ..declare import Param, Values
from ..traced import exact
from ._network import Network
from .element import Element


class Gear(Element):
    """A gear without losses: phi_a = ratio phi_b, both relative to the support; the default support is the ground.

    Results tau_a, tau_b and tau_support are the torques that flow into it: 0 = ratio tau_a + tau_b.

    >>> m.add("gear", Gear(motor, wheel, ratio=3))
    """

    group = "couplings"
    domain = "rotational"
    role = "coupling"
    flanges = ("a", "b", "support")
    to_ground = ("support",)
    ratio = Param(None, "1", "speed of a over speed of b")

    @staticmethod
    def faults(p: Values) -> list[str]:
        return ["ratio = 0 would fix a; give the speed of a over that of b"] if p.ratio == 0 else []

    def stamp(self, net: Network) -> None:
        net.coupling(self, {"a": 1, "b": -exact(self.p.ratio), "support": exact(self.p.ratio) - 1})
