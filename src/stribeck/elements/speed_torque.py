"""A torque that depends on speed."""

from __future__ import annotations

from typing import Self

from ..declare import Param, Word
from ..signals import Scope, Signal
from ..signals.extremes import Maximum
from ..signals.function import Function
from ..signals.sensor import Sensor
from ..signals.where import Where
from ._network import Network
from .domains import Domain
from .element import Element

FORMS = ("constant", "linear", "quadratic", "quadratic one way", "constant power", "along the motion")


class SpeedTorque(Element):
    """A torque on its flange as a function of the relative speed k = w/w_nominal; a load is a negative torque.

    `form` is one of
    "constant": tau_nominal;
    "linear": tau_nominal k;
    "quadratic": tau_nominal k |k|, against the motion in both directions if tau_nominal is negative (a fan);
    "quadratic one way": tau_nominal k^2, the same sign in both directions;
    "constant power": tau_nominal up to the speed w_nominal, tau_nominal/k above it, odd in k;
    "along the motion": tau_nominal tanh(k), smooth at 0, full from about 3 w_nominal on.
    A load that holds a body at rest is friction: Bearing or Guide. In the energy balance this element is an input,
    negative for a load.

    >>> m.add("fan", SpeedTorque(shaft, tau_nominal="-20 N.m", w_nominal="1500 rpm", form="quadratic"))
    """

    group = "sources"
    tau_nominal = Param(None, "{force}", "torque at the nominal speed", aliases=("f_nominal",))
    w_nominal = Param(1.0, "{vel}", "nominal speed", above=0, aliases=("v_nominal",))
    form = Word(None, "1", "how the torque depends on speed", options=FORMS)
    signal: Signal

    def formula(self, w: Signal) -> Signal:
        """The torque at a speed; needs `.p`."""
        tau, k = self.p.tau_nominal, (1 / self.p.w_nominal) * w
        forms: dict[str, Signal] = {
            "constant": 0 * k + tau,
            "linear": tau * k,
            "quadratic": tau * (k * abs(k)),
            "quadratic one way": tau * k**2,
            "constant power": Where(k < 0, -1.0, 1.0) * (tau / Maximum([abs(k), 1.0])),
            "along the motion": tau * Function("tanh", k),
        }
        return forms[self.p.form]

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element, with the formula bound to the speed of its flange."""
        bound = super().bind(domain, scope)
        speed = Sensor(f"{self.name}.{domain.speed}_rel")
        bound.signal = bound.formula(speed).bind("", self.label, (scope or Scope()).at(self.name))
        return bound

    def stamp(self, net: Network) -> None:
        net.source(self, net.GROUND, self.flange("a"), self.signal)
