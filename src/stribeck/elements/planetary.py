"""A planetary gear."""

from __future__ import annotations

from ..declare import Param, exact
from ._loss import EFFICIENCY, LOSS_TABLE, loss_faults, stamp_loss
from ._network import Network
from .element import Element


class Planetary(Element):
    """A planetary gear without inertia: (1 + ratio) w_carrier = w_sun + ratio w_ring.

    Losses are those of the gear from sun (a) to ring (b) with the carrier held, by its `efficiency` or `loss_table` as
    in LossyGear; its speed is that of the sun against the carrier, so a set that turns as one loses nothing. Results
    tau_sun, tau_carrier and tau_ring are the torques that flow into it; with losses tau_loss is the torque that the sun
    loses to the carrier, and mode tells whether the set is stuck in itself.

    >>> m.add("set", Planetary(engine, load, ring, ratio="2.5"))
    >>> m.add("set", Planetary(engine, load, ring, ratio="2.5", efficiency=0.98))
    """

    group = "couplings"
    domain = "rotational"
    role = "coupling"
    flanges = ("sun", "carrier", "ring")
    ports = ("heat",)
    to_ground = flanges
    ratio = Param(None, "1", "teeth of the ring by teeth of the sun", above=0)
    efficiency = EFFICIENCY
    loss_table = LOSS_TABLE
    faults = staticmethod(loss_faults)

    def stamp(self, net: Network) -> None:
        ratio = exact(self.p.ratio)
        net.coupling(self, {"sun": 1, "carrier": -1 - ratio, "ring": ratio})
        stamp_loss(net, self, "sun", "carrier")
