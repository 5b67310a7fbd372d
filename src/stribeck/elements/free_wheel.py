"""A free-wheel."""

from __future__ import annotations

from ..laws.coulomb import Coulomb
from ..signals.constant import Constant
from ._network import Network
from .element import Element


class FreeWheel(Element):
    """A connection that lets b overrun a, w_rel = w_b - w_a >= 0, and holds any torque that would turn it back.

    Locked, a drives b with tau <= 0; overrunning, tau = 0. A start or a prescribed speed that jumps the wrong way is
    answered by an impulse. A free-wheel against the ground is a backstop. Modes: Stuck and Forward. Bristles that
    yield and a drive that also transmits a limited torque the other way: OneWayClutch.

    >>> m.add("hub", FreeWheel(chain, wheel))
    """

    group = "friction"
    flanges = ("a", "b")
    ports = ("heat",)

    def stamp(self, net: Network) -> None:
        """Dry friction without load, which is unlimited backwards."""
        law = Coulomb(mu_c=1).bind({"load": "1"}, self.label)
        nothing = Constant.ready(f"{self.name}.load", value=0.0)
        net.friction(self, self.flange("a"), self.flange("b"), law, nothing, unlimited="backward")
