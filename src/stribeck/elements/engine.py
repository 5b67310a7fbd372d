"""A combustion engine."""

from __future__ import annotations

from typing import Self

from ..declare import Param, Series, Values
from ..signals import Matrix, Scope, Signal
from ..signals.extremes import Maximum, Minimum
from ..signals.limits import Saturation
from ..signals.lookup import increasing
from ..signals.map import Map
from ..signals.sensor import Sensor
from ._network import Network
from .domains import Domain
from .element import Element, Input


class Engine(Element):
    """The torque of an engine from a map over speed and throttle; its inertia is an Inertia on the same node.

    `tau_map[i][j]` is the torque at w_map[i] and throttle_map[j]; drag is a negative torque at throttle 0. The map is
    interpolated bilinearly and constant beyond its edges. The effective throttle is u, limited to 0 and 1 and modified
    by two governors: below w_idle it opens, fully at w_idle - band; towards w_max it closes, fully at w_max.

    >>> m.add("engine", Engine(crank, u="pedal", w_map=[0, 300, 600], throttle_map=[0, 1],
    ...                        tau_map=[[0, 90], [-20, 150], [-40, 120]], w_idle="800 rpm", w_max="6000 rpm"))
    """

    group = "sources"
    domain = "rotational"
    u = Input(None, "1", "throttle, 0 to 1")
    w_map = Series(None, "rad/s", "speeds of the map, increasing")
    throttle_map = Series(None, "1", "throttles of the map, increasing", min=0, max=1)
    tau_map = Matrix(None, "N.m", "torques: one row per speed, with one torque per throttle")
    w_idle = Param(None, "rad/s", "speed below which the idle governor opens", min=0, optional=True)
    w_max = Param(None, "rad/s", "speed at which the throttle is closed", above=0, optional=True)
    band = Param(10.0, "rad/s", "width of both governors", above=0)
    signal: Signal

    @staticmethod
    def faults(p: Values) -> list[str]:
        for name in ("w_map", "throttle_map"):
            if fault := increasing(name, getattr(p, name)):
                return fault
        rows, columns = len(p.w_map), len(p.throttle_map)
        if min(rows, columns) < 2:
            return [f"the map has {rows} speeds and {columns} throttles; give at least two of each"]
        if len(p.tau_map) != rows or len(p.tau_map[0]) != columns:
            return [
                f"tau_map has {len(p.tau_map)} x {len(p.tau_map[0])} torques for a grid of {rows} x {columns}; "
                "give one row per speed, with one torque per throttle"
            ]
        if p.w_idle is not None and p.w_max is not None and p.w_idle > p.w_max - p.band:
            return [f"w_idle = {p.w_idle:g} rad/s must be below w_max - band = {p.w_max - p.band:g} rad/s"]
        return []

    def throttle(self, w: Signal) -> Signal:
        """The effective throttle at a speed; needs `.p`."""
        p = self.p
        asked = self.given_signal("u")
        if p.w_idle is not None:
            asked = Maximum([asked, (p.w_idle - w) * (1 / p.band)])
        if p.w_max is not None:
            asked = Minimum([asked, (p.w_max - w) * (1 / p.band)])
        return Saturation(asked, 0.0, 1.0)

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element, with the map bound to the speed of its flange."""
        bound = super().bind(domain, scope)
        p, w = bound.p, Sensor(f"{self.name}.w_rel")
        torque = Map(w, bound.throttle(w), p.w_map, p.throttle_map, p.tau_map)
        bound.signal = torque.bind("", self.label, (scope or Scope()).at(self.name))
        return bound

    def stamp(self, net: Network) -> None:
        net.source(self, net.GROUND, self.flange("a"), self.signal)
