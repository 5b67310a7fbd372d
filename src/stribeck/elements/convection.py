"""Heat transfer between two temperatures."""

from __future__ import annotations

from typing import Self

from ..declare import Param, Values
from ..signals import Scope, Signal
from ..signals.sensor import Sensor
from ._network import Network
from .domains import Domain
from .element import Element, Input


class Convection(Element):
    """Convection or conduction from a to b: Q_flow = G dT, dT = T_a - T_b; without b, to the ambient air.

    Give the conductance G, or the heat transfer coefficient h and the area A, G = h A. G and h may be signals: a
    rotating disc cools better. Between heat ports and given temperatures no thermal mass is needed.

    >>> m.add("cooling", Convection(plate, h="40 W/(m2.K)", A="0.05 m2", T_ambient="20 degC"))
    >>> m.add("contact", Convection(lining, plate, G=12))
    >>> m.add("fan", Convection(disc, G=0.5 + 0.02 * abs(shaft.sensor("w"))))
    """

    group = "heat"
    domain = "thermal"
    flanges = ("a", "b")
    to_ground = ("b",)
    G = Input(None, "W/K", "conductance, instead of h and A", min=0, optional=True)
    h = Input(None, "W/(m2.K)", "heat transfer coefficient", min=0, optional=True)
    A = Param(None, "m2", "area", min=0, optional=True)
    T_ambient = Input(293.15, "K", "ambient temperature if b is not connected", above=0)
    flow: Signal
    conductance: Signal

    @staticmethod
    def faults(p: Values) -> list[str]:
        whole = p.h is not None and p.A is not None
        if (p.G is None) == whole and (p.h is None) == (p.A is None):
            return []
        return ["give either the conductance G, or both h and A (G = h A)"]

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element, with the heat flow bound to the temperatures of its flanges."""
        bound = super().bind(domain, scope)
        name = "h" if self.G is None else "G"
        signal = self.given_signal(name)
        conductance = signal if self.G is not None else bound.p.A * signal
        flow = conductance * Sensor(f"{self.name}.dT")
        place = (scope or Scope()).at(self.name)
        bound.conductance = conductance.bind("", self.label, place.at("G"))
        bound.flow = flow.bind("", self.label, place.at("Q_flow"))
        return bound

    def stamp(self, net: Network) -> None:
        ends = self.flange("a"), self.flange("b")
        net.thermal.conductor(self, *ends, self.p.T_ambient, self.flow, self.conductance)
