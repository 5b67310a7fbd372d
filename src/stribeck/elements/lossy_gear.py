"""A pair of gears with losses."""

from __future__ import annotations

from ..declare import Param
from ..traced import exact
from ._loss import EFFICIENCY, LOSS_TABLE, loss_faults, stamp_loss
from ._network import Network
from .element import Element


class LossyGear(Element):
    """A gear with mesh and bearing losses, as Modelica's LossyGear: phi_a = ratio phi_b relative to the support.

    `efficiency` is one value for both directions of power. The table has rows of the speed |w| of a relative to the
    support, the efficiencies eta1 when a drives and eta2 when b drives, and the bearing torques tbf1 and tbf2 of both
    cases at a. It is linear between rows and constant beyond the last. With eta2 = 0 the gear is self-locking: b cannot
    drive a. Results tau_a, tau_b and tau_support are the torques that flow into the gear, tau_loss is the loss at a:
    0 = tau_b + ratio (tau_a - tau_loss). The mode is Stuck when the gear sticks.

    >>> m.add("gear", LossyGear(motor, wheel, ratio=3, efficiency=0.97))
    >>> table = [[0, 0.5, 0, "2 N.m", 0], ["300 rpm", 0.7, 0.4, "1 N.m", "1 N.m"]]
    >>> m.add("worm", LossyGear(motor, wheel, ratio=40, loss_table=table))
    """

    group = "couplings"
    domain = "rotational"
    role = "coupling"
    flanges = ("a", "b", "support")
    ports = ("heat",)
    to_ground = ("support",)
    ratio = Param(None, "1", "speed of a over speed of b")
    efficiency = EFFICIENCY
    loss_table = LOSS_TABLE
    faults = staticmethod(loss_faults)

    def stamp(self, net: Network) -> None:
        net.coupling(self, {"a": 1, "b": -exact(self.p.ratio), "support": exact(self.p.ratio) - 1})
        stamp_loss(net, self, "a", "support")
