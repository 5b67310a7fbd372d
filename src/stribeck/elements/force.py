"""An external force."""

from __future__ import annotations

from ..signals import Signal
from ._network import Network
from .element import Element, Input


class Force(Element):
    """A force that drives its flange; the ground takes the reaction.

    >>> m.add("push", Force(slider, f=Step(height="3 N", start=1)))
    """

    group = "sources"
    domain = "translational"
    f = Input(None, "N", "force on the flange")

    def drive(self) -> Signal | None:
        signal: Signal = self.p.f
        return signal

    def stamp(self, net: Network) -> None:
        net.source(self, net.GROUND, self.flange("a"), self.p.f)
