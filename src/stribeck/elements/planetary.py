"""A planetary gear."""

from __future__ import annotations

from typing import Any

from ..declare import Param, exact
from ._declare import Element


class Planetary(Element):
    """A planetary gear without losses and inertia: (1 + ratio) w_carrier = w_sun + ratio w_ring.

    Results tau_sun, tau_carrier and tau_ring are the torques that flow into it.

    >>> m.add("set", Planetary(engine, load, ring, ratio="2.5"))
    """

    domain = "rotational"
    role = "coupling"
    flanges = ("sun", "carrier", "ring")
    to_ground = flanges
    ratio = Param(None, "1", "teeth of the ring by teeth of the sun", above=0)

    def stamp(self, net: Any) -> None:
        ratio = exact(self.p.ratio)
        net.coupling(self, {"sun": 1, "carrier": -1 - ratio, "ring": ratio})
