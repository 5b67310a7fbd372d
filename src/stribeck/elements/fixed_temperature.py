"""A given temperature."""

from __future__ import annotations

from ._network import Network
from .element import Element, Input


class FixedTemperature(Element):
    """A node with a given temperature, whatever heat flows into it: ambient air, cooling water, an oil sump.

    >>> oil = m.add("oil", FixedTemperature(T="90 degC"))
    >>> m.add("cooling", Convection(plate, oil, h="300 W/(m2.K)", A="0.04 m2"))
    """

    group = "heat"
    domain = "thermal"
    role = "temperature"
    T = Input(293.15, "K", "temperature", above=0)

    def stamp(self, net: Network) -> None:
        net.thermal.fix(self, self.flange("a"), self.p.T)
