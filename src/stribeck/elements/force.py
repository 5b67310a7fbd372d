"""A force from outside."""

from __future__ import annotations

from typing import Any

from ._declare import Element, Input


class Force(Element):
    """A force that drives its flange; the ground takes the reaction.

    >>> m.add("push", Force(slider, f=Step(height="3 N", start=1)))
    """

    domain = "translational"
    f = Input(None, "N", "force on the flange")

    def stamp(self, net: Any) -> None:
        net.source(self, net.GROUND, self.flange("a"), self.p.f)
