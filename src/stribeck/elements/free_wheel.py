"""A free-wheel."""

from __future__ import annotations

from ..laws.coulomb import Coulomb
from ..signals.constant import Constant
from ._network import Network
from .element import Element


class FreeWheel(Element):
    """A one-way connection: b can overrun a, w_rel = w_b - w_a >= 0; any torque in the other direction is transmitted.

    Locked, a drives b with tau <= 0; overrunning, tau = 0. An initial slip or a jump of a prescribed speed in the wrong
    direction causes an impulse. A free-wheel against the ground is a backstop. Modes: Stuck and Forward. For compliant
    bristles, or a limited torque in the overrunning direction, use OneWayClutch.

    >>> m.add("freewheel", FreeWheel(hub, wheel))
    """

    group = "friction"
    flanges = ("a", "b")
    ports = ("heat",)

    def stamp(self, net: Network) -> None:
        """Dry friction without load, unlimited in the backward direction."""
        law = Coulomb(mu_c=1).bind({"load": "1"}, self.label)
        nothing = Constant.ready(f"{self.name}.load", value=0.0)
        net.friction(self, self.flange("a"), self.flange("b"), law, nothing, unlimited="backward")
