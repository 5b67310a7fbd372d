"""A differential."""

from __future__ import annotations

from ..declare import Param
from ..traced import exact
from ._network import Network
from .element import Element


class Differential(Element):
    """A differential with final drive: w_drive = ratio (w_left + w_right) / 2; both sides receive the same torque.

    Results tau_drive, tau_left and tau_right are the torques that flow into it.

    >>> m.add("rear", Differential(shaft, wheel_left, wheel_right, ratio=3.5))
    """

    group = "couplings"
    domain = "rotational"
    role = "coupling"
    flanges = ("drive", "left", "right")
    to_ground = flanges
    ratio = Param(1.0, "1", "speed of the drive over the mean speed of the sides")

    def stamp(self, net: Network) -> None:
        half = exact(self.p.ratio) / 2
        net.coupling(self, {"drive": 1, "left": -half, "right": -half})
