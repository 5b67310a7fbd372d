"""A planetary gear."""

from __future__ import annotations

from ..declare import Param
from ..traced import exact
from ._loss import EFFICIENCY, LOSS_TABLE, loss_faults, stamp_loss
from ._network import Network
from .element import Element


class Planetary(Element):
    """A planetary gear without inertia: (1 + ratio) w_carrier = w_sun + ratio w_ring.

    Losses are those of the gear from sun (a) to ring (b) with a fixed carrier, given by `efficiency` or `loss_table` as
    in LossyGear. Their speed is that of the sun relative to the carrier, so a set that rotates as one has no losses.
    Results tau_sun, tau_carrier and tau_ring are the torques that flow into it. With losses, tau_loss is the torque
    lost between sun and carrier, and the mode is Stuck when the set is locked by friction.

    >>> m.add("set", Planetary(engine, load, ring, ratio="2.5"))
    >>> m.add("lossy", Planetary(engine, load, ring, ratio="2.5", efficiency=0.98))
    """

    group = "couplings"
    domain = "rotational"
    role = "coupling"
    flanges = ("sun", "carrier", "ring")
    ports = ("heat",)
    to_ground = flanges
    ratio = Param(None, "1", "teeth of the ring over teeth of the sun", above=0)
    efficiency = EFFICIENCY
    loss_table = LOSS_TABLE
    faults = staticmethod(loss_faults)

    def stamp(self, net: Network) -> None:
        ratio = exact(self.p.ratio)
        net.coupling(self, {"sun": 1, "carrier": -1 - ratio, "ring": ratio})
        stamp_loss(net, self, "sun", "carrier")
