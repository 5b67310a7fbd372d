"""A heat capacity."""

from __future__ import annotations

from ..declare import Param
from ._network import Network
from .element import Element


class ThermalMass(Element):
    """A lumped heat capacity at the temperature T: C dT/dt = sum of the heat flows into it.

    Any number of elements may heat it through their ports `heat`. C is mass times specific heat: 1 kg of steel has
    about 480 J/K, of grey cast iron 540 J/K, of aluminium 900 J/K.

    >>> plate = m.add("plate", ThermalMass(C="650 J/K", T0="20 degC"))
    >>> m.add("clutch", Clutch(engine, gearbox, law=Coulomb(mu_c=0.3), fn_max="4 kN", heat=plate))
    """

    group = "heat"
    domain = "thermal"
    role = "store"
    C = Param(None, "J/K", "heat capacity", above=0)
    T0 = Param(293.15, "K", "initial temperature", above=0)

    def stamp(self, net: Network) -> None:
        net.thermal.store(self, self.flange("a"), self.p.C, self.p.T0)
