"""An external torque."""

from __future__ import annotations

from ..signals import Signal
from ._network import Network
from .element import Element, Input


class Torque(Element):
    """A torque that drives its flange; the ground takes the reaction.

    >>> m.add("motor", Torque(mass, tau=Sine(amplitude="3 N.m", f=2)))
    """

    group = "sources"
    domain = "rotational"
    tau = Input(None, "N.m", "torque on the flange")

    def drive(self) -> Signal | None:
        signal: Signal = self.p.tau
        return signal

    def stamp(self, net: Network) -> None:
        net.source(self, net.GROUND, self.flange("a"), self.p.tau)
