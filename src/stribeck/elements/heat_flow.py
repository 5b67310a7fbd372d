"""An external heat flow."""

from __future__ import annotations

from ._network import Network
from .element import Element, Input


class HeatFlow(Element):
    """A given heat flow into its flange: a heater, the sun, a neighbour outside the model.

    >>> m.add("heater", HeatFlow(housing, Q_flow=Step("200 W", start=10)))
    """

    group = "heat"
    domain = "thermal"
    Q_flow = Input(None, "W", "heat flow into the flange")

    def stamp(self, net: Network) -> None:
        net.thermal.source(self, self.flange("a"), self.p.Q_flow)
