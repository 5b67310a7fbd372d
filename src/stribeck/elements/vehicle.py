"""A vehicle on a road."""

from __future__ import annotations

from typing import Self

from ..declare import Param
from ..laws.coulomb import Coulomb
from ..signals import Scope, Signal
from ..signals.constant import Constant
from ..signals.function import Function
from ..signals.integral import Integral
from ..signals.sensor import Sensor
from ._body import Body
from ._network import Network
from .domains import Domain
from .element import Input

GRAVITY = 9.80665
"""Standard gravity (m/s2)."""


class Vehicle(Body):
    """A vehicle as a point mass: m dv/dt = sum of the forces - f_drag - f_roll - f_grade.

    f_drag = rho/2 c_w A (v - v_wind) |v - v_wind|; f_roll is dry friction c_r m g cos(slope), which holds the vehicle
    on a gentle slope; f_grade = m g sin(slope), positive uphill. Add the inertia of the wheels to m.

    >>> car = m.add("car", Vehicle(m="1500 kg", c_w=0.3, A="2.2 m2", c_r=0.01, slope="3 deg", v0="50 km/h"))
    """

    domain = "translational"
    alone = True
    quantities = ("m", "s0", "v0")
    ports = ("heat",)
    m = Param(None, "kg", "mass", above=0)
    c_w = Param(None, "1", "drag coefficient", min=0, optional=True)
    A = Param(None, "m2", "frontal area", min=0, optional=True)
    rho = Param(1.2, "kg/m3", "density of air", min=0)
    v_wind = Input(0.0, "m/s", "wind along the road, positive from behind")
    c_r = Param(None, "1", "coefficient of rolling resistance", min=0, optional=True)
    slope = Input(None, "rad", "angle of the road, positive uphill; level by default", optional=True)
    g = Param(GRAVITY, "m/s2", "gravity", above=0)
    s0 = Param(0.0, "m", "initial position")
    v0 = Param(0.0, "m/s", "initial speed")
    drag: Signal | None
    grade: Signal | None
    lifted: Signal | None
    normal: Signal | None

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element, with the forces bound to speed and slope."""
        bound = super().bind(domain, scope)
        p, place = bound.p, (scope or Scope()).at(self.name)
        v, weight = Sensor(f"{self.name}.v"), p.m * p.g
        slope = Constant(0.0) if self.slope is None else self.given_signal("slope")
        bound.drag = bound.grade = bound.lifted = bound.normal = None
        if p.c_w is not None and p.A is not None:
            air = v - self.given_signal("v_wind")
            bound.drag = (-0.5 * p.rho * p.c_w * p.A * (air * abs(air))).bind("", self.label, place.at("drag"))
        if self.slope is not None:
            rise = Function("sin", slope)
            bound.grade = (-weight * rise).bind("", self.label, place.at("grade"))
            bound.lifted = (weight * Integral(v * rise)).bind("", self.label, place.at("height"))
        if p.c_r is not None:
            bound.normal = (p.c_r * weight * Function("cos", slope)).bind("", self.label, place.at("roll"))
        return bound

    def stamp(self, net: Network) -> None:
        """A body; between it and the ground drag, grade and rolling resistance, if given."""
        super().stamp(net)
        ends = (net.GROUND, self.flange("a"))
        if self.drag is not None:
            net.source(self, *ends, self.drag, passive=True, part="drag")
        if self.grade is not None:
            net.source(self, *ends, self.grade, passive=True, energy=self.lifted, part="grade")
        if self.normal is not None:
            law = Coulomb(mu_c=1).bind({"load": "1"}, self.label)
            net.friction(self, *ends, law, self.normal, part="roll")
