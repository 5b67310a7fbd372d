"""A hydrodynamic torque converter."""

from __future__ import annotations

from typing import Self

from ..declare import Param, Series, Values
from ..signals import Scope, Signal
from ..signals.arithmetic import Gain
from ..signals.extremes import Maximum
from ..signals.lookup import Lookup, increasing
from ..signals.relay import Relay
from ..signals.sensor import Sensor
from ._friction import LawParam
from ._network import Network
from ._resistance import positive
from .domains import Domain
from .element import Element, Input

NEAR = 1e-9
"""Relative speed by which the turbine must overrun before the sides swap roles: when locked up the speeds differ by
rounding only, which must not swap them."""


def beyond(u: Signal, x: list[float], y: list[float]) -> Signal:
    """A table whose last segment is extended slightly, so that there is no kink at its end.

    >>> beyond(Sensor("converter.nu"), [0, 0.8, 1], [3e-3, 2e-3, 0])
    """
    slope = (y[-1] - y[-2]) / (x[-1] - x[-2])
    return Lookup(u, [*x[:-1], x[-1] + 1], [*y[:-1], y[-1] + slope])


class TorqueConverter(Element):
    """A torque converter with pump a and turbine b; its housing is the ground.

    With the speed ratio nu = w_b/w_a the pump takes tau_pump = capacity(nu) w_a^2 and the turbine delivers
    tau_turbine = ratio(nu) tau_pump; the stator carries the difference. When the turbine overruns the pump they swap
    roles as a fluid coupling: tau = -coast(w_a/w_b) w_b^2 at both. The tables are linear between their points from
    nu = 0, which also applies to a turbine that rotates backward, to nu = 1, where the capacity is 0. A pump that
    rotates backward takes no torque.

    `lockup`, a command from 0 to 1, adds a lock-up clutch: |tau_lockup| = mu cgeo fn_max lockup.
    Its mode is the mode of the converter.

    >>> m.add("converter", TorqueConverter(engine, gearbox, nu=[0, 0.8, 1], capacity=[3e-3, 2e-3, 0], ratio=[2, 1, 1],
    ...                                    lockup=Ramp(1, 0.5), law=Coulomb(mu_c=0.1), fn_max="8 kN", cgeo=0.4))
    """

    group = "sources"
    domain = "rotational"
    flanges = ("a", "b")
    ports = ("heat",)
    nu = Series(None, "1", "speed ratios from 0 to 1, increasing", min=0, max=1)
    capacity = Series(None, "N.m.s2/rad2", "torque of the pump over the square of its speed, 0 at the end", min=0)
    ratio = Series(None, "1", "torque ratio of turbine and pump", min=0)
    coast = Series(None, "N.m.s2/rad2", "capacity when the turbine drives; default: `capacity`", 0, optional=True)
    w_small = Param(1e-3, "rad/s", "lower limit of the driving speed in nu", above=0)
    lockup = Input(None, "1", "normal force of the lock-up clutch over fn_max; open where not positive", optional=True)
    law = LawParam(None, "1", "friction law of the lock-up clutch, in terms of coefficients", load="1", optional=True)
    fn_max = Param(None, "N", "normal force of the lock-up clutch at lockup = 1", min=0, optional=True)
    cgeo = Param(1.0, "m", "friction radius of the lock-up clutch times number of surfaces", min=0)
    pump: Signal
    turbine: Signal

    @staticmethod
    def faults(p: Values) -> list[str]:
        parts = {name: getattr(p, name) is not None for name in ("lockup", "law", "fn_max")}
        if any(parts.values()) and not all(parts.values()):
            missing = " and ".join(name for name, given in parts.items() if not given)
            return [f"a lock-up clutch needs lockup, law and fn_max; give {missing} too, or none of them"]
        if len(p.nu) < 2 or p.nu[0] != 0 or p.nu[-1] != 1:
            return [f"nu = {p.nu} must begin with 0 and end with 1"]
        for name in ("capacity", "ratio", "coast"):
            values = getattr(p, name)
            if values is not None and len(values) != len(p.nu):
                return [f"{name} has {len(values)} values for {len(p.nu)} speed ratios; give one for each"]
            if values is not None and name != "ratio" and values[-1] != 0:
                return [
                    f"{name}[{len(values) - 1}] = {values[-1]:g} must be 0: at equal speeds no torque is transmitted"
                ]
        for nu, ratio, capacity in zip(p.nu, p.ratio, p.capacity, strict=True):
            if nu * ratio > 1 + 1e-9 and capacity > 0:
                return [f"ratio = {ratio:g} at nu = {nu:g} gives out more power than it takes; keep nu ratio within 1"]
        return increasing("nu", p.nu)

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element, with its torques bound to the speeds of its flanges."""
        bound = super().bind(domain, scope)
        p, place = bound.p, (scope or Scope()).at(self.name)
        a, b = Sensor(f"{self.name}.w_rel_pump"), -Sensor(f"{self.name}.w_rel_turbine")
        nu = b / Maximum([a, p.w_small])
        forward = Relay(1 - nu, -NEAR, NEAR, start=1)
        drive = forward * beyond(nu, p.nu, p.capacity) * positive(a) ** 2
        coast = beyond(a / Maximum([b, p.w_small]), p.nu, p.coast or p.capacity)
        back = (1 - forward) * coast * positive(b) ** 2
        bound.pump = (back - drive).bind("", self.label, place.at("pump"))
        bound.turbine = (back - beyond(nu, p.nu, p.ratio) * drive).bind("", self.label, place.at("turbine"))
        return bound

    def stamp(self, net: Network) -> None:
        """Torques from the housing to the pump, and from the turbine to the housing: both are positive from a to b."""
        net.source(self, net.GROUND, self.flange("a"), self.pump, passive=True, part="pump")
        net.source(self, self.flange("b"), net.GROUND, self.turbine, passive=True, part="turbine")
        p = self.p
        if p.lockup is not None:
            load = Gain.ready(f"{self.name}.lockup", u=p.lockup, k=p.cgeo * p.fn_max)
            net.friction(self, self.flange("a"), self.flange("b"), p.law, load, engage="steady", part="lockup")
            net.show(self, "fn", "N", p.lockup, p.fn_max)
