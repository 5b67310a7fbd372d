"""An eddy-current brake."""

from __future__ import annotations

from ..declare import Param
from ..signals import Signal
from ..signals.sensor import Sensor
from ._resistance import Resistance
from .element import Input


class EddyCurrentBrake(Resistance):
    """A contactless brake: tau = 2 tau_nominal u^2 k/(1 + k^2), k = w/w_nominal; the maximum is at w_nominal.

    `u` is the current relative to that of tau_nominal. A warm rotor conducts less: w_nominal is multiplied by
    1 + alpha (T - T_nominal). The temperature is that at the port `heat` if it is connected, else T.
    tau acts against w; the stator is the ground.

    >>> m.add("retarder", EddyCurrentBrake(shaft, tau_nominal="800 N.m", w_nominal="1000 rpm", u="pedal"))
    """

    group = "sources"
    flanges = ("a",)
    to_ground = ()
    domain = "rotational"
    tau_nominal = Param(None, "N.m", "largest torque", min=0)
    w_nominal = Param(None, "rad/s", "speed of the largest torque", above=0)
    u = Input(1.0, "1", "current, relative to that of tau_nominal")
    T = Input(293.15, "K", "temperature of the rotor if the heat port is not connected", above=0)
    T_nominal = Param(293.15, "K", "temperature of w_nominal", above=0)
    alpha = Param(0.0, "1/K", "temperature coefficient of the resistance")

    def torque(self, x: Signal, v: Signal) -> Signal:
        p = self.p
        u, T = type(self).params["u"].accept(self.u, self.label, "u"), Sensor(f"{self.name}.T")
        k = v / p.w_nominal if p.alpha == 0 else v / (p.w_nominal * (1 + p.alpha * (T - p.T_nominal)))
        return 2 * p.tau_nominal * u**2 * (k / (1 + k**2))
