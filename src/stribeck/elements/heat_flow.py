"""Heat from outside."""

from __future__ import annotations

from ._network import Network
from .element import Element, Input


class HeatFlow(Element):
    """A given flow of heat into its flange: a heater, the sun, a neighbour that is no part of the model.

    >>> m.add("heater", HeatFlow(housing, Q_flow=Step("200 W", start=10)))
    """

    group = "heat"
    domain = "thermal"
    Q_flow = Input(None, "W", "heat that flows into the flange")

    def stamp(self, net: Network) -> None:
        net.thermal.source(self, self.flange("a"), self.p.Q_flow)
