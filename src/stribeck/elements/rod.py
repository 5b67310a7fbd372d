"""A rod without mass."""

from __future__ import annotations

from ..declare import Param
from ._network import Network
from .element import Element


class Rod(Element):
    """A rigid translational connection: s_b = s_a + L, v_b = v_a. Results f_a and f_b flow into it: f_a + f_b = 0.

    If both flanges have initial positions, those are used.

    >>> m.add("tow", Rod(tractor, trailer, L="4 m"))
    """

    group = "couplings"
    domain = "translational"
    role = "coupling"
    flanges = ("a", "b")
    L = Param(0.0, "m", "distance of b from a")

    def stamp(self, net: Network) -> None:
        net.coupling(self, {"a": 1, "b": -1}, self.p.L)
