"""A torque from outside."""

from __future__ import annotations

from typing import Any

from ._declare import Element, Input


class Torque(Element):
    """A torque that drives its flange; the ground takes the reaction.

    >>> m.add("motor", Torque(mass, tau=Sine(amplitude="3 N.m", f=2)))
    """

    domain = "rotational"
    tau = Input(None, "N.m", "torque on the flange")

    def stamp(self, net: Any) -> None:
        net.source(self, net.GROUND, self.flange("a"), self.p.tau)
