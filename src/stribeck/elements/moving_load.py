"""A load that opposes motion."""

from __future__ import annotations

from typing import Self

from ..declare import Param
from ..laws.coulomb import Coulomb
from ..signals import Scope, Signal
from ..signals.constant import Constant
from ..signals.function import Function
from ..signals.sensor import Sensor
from ._network import Network
from ._resistance import positive
from .domains import Domain
from .element import Element, Input


class MovingLoad(Element):
    """A torque of magnitude tau against the motion of its flange; it never drives.

    At rest it balances the applied torque up to tau: a body stops under it, stays, and starts under a larger torque.
    With w_0 the torque is tau tanh(w/w_0): smooth, without holding torque, so a body creeps. A negative tau from a
    sensor counts as 0.

    >>> m.add("dyno", MovingLoad(shaft, tau=Pulse(height="15 N.m", period="1 s", width=0.5)))
    """

    group = "sources"
    ports = ("heat",)
    tau = Input(None, "{force}", "magnitude of the torque", min=0, aliases=("f",))
    w_0 = Param(None, "{vel}", "speed at which a smooth load reaches 76 %", above=0, aliases=("v_0",), optional=True)
    smooth: Signal | None

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element, with the smooth torque bound to the speed of its flange."""
        bound = super().bind(domain, scope)
        bound.smooth = None
        if bound.p.w_0 is not None:
            size = self.given_signal("tau")
            size = size if isinstance(size, Constant) else positive(size)
            speed = Sensor(f"{self.name}.{domain.speed}_rel")
            torque = -size * Function("tanh", (1 / bound.p.w_0) * speed)
            bound.smooth = torque.bind("", self.label, (scope or Scope()).at(self.name))
        return bound

    def stamp(self, net: Network) -> None:
        """Dry friction under the load tau, or a passive source."""
        if self.smooth is not None:
            net.source(self, net.GROUND, self.flange("a"), self.smooth, passive=True)
            return
        law = Coulomb(mu_c=1).bind({"load": "1"}, self.label)
        net.friction(self, net.GROUND, self.flange("a"), law, self.p.tau)
