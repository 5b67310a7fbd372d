"""A rigid connection with a fixed angle between its flanges."""

from __future__ import annotations

from ..declare import Param
from ._network import Network
from .element import Element


class Disc(Element):
    """A rigid connection: phi_b = phi_a + deltaPhi, w_b = w_a. Results tau_a and tau_b flow into it: tau_a + tau_b = 0.

    If both flanges have initial angles, those are used.

    >>> m.add("crank", Disc(shaft, hub, deltaPhi="90 deg"))
    """

    group = "couplings"
    domain = "rotational"
    role = "coupling"
    flanges = ("a", "b")
    deltaPhi = Param(0.0, "rad", "angle of b relative to a")

    def stamp(self, net: Network) -> None:
        net.coupling(self, {"a": 1, "b": -1}, self.p.deltaPhi)
