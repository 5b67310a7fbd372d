"""A hard stop."""

from __future__ import annotations

from math import inf
from typing import Self

from ..declare import Param, Values
from ..errors import SpecError
from ..laws.coulomb import Coulomb
from ..signals import Scope, Signal
from ..signals.constant import Constant
from ..signals.sensor import Sensor
from ._network import Network
from .domains import Domain
from .element import Element


class Stop(Element):
    """A rigid stop at one end or at both: phi_min <= phi_rel <= phi_max, phi_rel = phi_b - phi_a.

    A single flange is b, and a is the ground: `Stop(slider, s_max=0.1)` keeps slider.s below 0.1 m. At an impact the
    body rebounds with `restitution` times the speed of approach, or stays if that was below w_small; momentum is
    transferred to the other body or to the ground. While the stop is closed, tau is the contact torque: positive at the
    upper end, negative at the lower end. Modes: Free, Stuck. With both ends the results are tau_low, mode_low, tau_high
    and mode_high. An impact is two events, from Free to Stuck and back. Simultaneous impacts are solved together.

    >>> m.add("end", Stop(slider, s_min=0, s_max="30 mm", restitution=0.4))
    """

    group = "friction"
    flanges = ("a", "b")
    ports = ("heat",)
    to_ground = ("a",)
    impacts = True
    phi_min = Param(None, "{disp}", "lower end", aliases=("s_min",), optional=True)
    phi_max = Param(None, "{disp}", "upper end", aliases=("s_max",), optional=True)
    restitution = Param(0.0, "1", "rebound speed over approach speed", min=0, max=1)
    w_small = Param(1e-3, "{vel}", "approach speed below which it does not rebound", min=0, aliases=("v_small",))
    gaps: dict[str, Signal]

    @classmethod
    def _references(cls, connected: tuple[object, ...], values: dict[str, object]) -> dict[str, str]:
        alone = len(connected) == 1 and not {"b", "flange_b"} & set(values)
        return super()._references((None, *connected) if alone else connected, values)

    @staticmethod
    def faults(p: Values) -> list[str]:
        if p.phi_min is None and p.phi_max is None:
            return ["no end is given; give phi_min, phi_max or both (translational: s_min, s_max)"]
        if None not in (p.phi_min, p.phi_max) and p.phi_min >= p.phi_max:
            return [
                f"the lower end {p.phi_min:g} must be below the upper end {p.phi_max:g}; without play connect rigidly"
            ]
        return []

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element, with the remaining distances bound to the relative position."""
        bound = super().bind(domain, scope)
        p, place = bound.p, (scope or Scope()).at(self.name)
        ways: dict[str, Signal] = {}
        if p.phi_min is not None:
            ways["low"] = self._position(domain, "low" if p.phi_max is not None else "") - p.phi_min
        if p.phi_max is not None:
            ways["high"] = p.phi_max - self._position(domain, "high" if p.phi_min is not None else "")
        bound.gaps = {end: way.bind("", self.label, place.at(end)) for end, way in ways.items()}
        return bound

    def check_gap(self, position: float, domain: Domain) -> None:
        """Refuses an initial position outside the ends; `position` is the initial phi_rel."""
        p, slack = self.p, 1e-9 * max(abs(position), 1e-3)
        low, high = -inf if p.phi_min is None else p.phi_min, inf if p.phi_max is None else p.phi_max
        if not low - slack <= position <= high + slack:
            end, value = ("min", low) if position < low else ("max", high)
            raise SpecError(
                f"{self.label}: at the start {domain.position}_rel = {position:g} {domain.units['disp']} is beyond "
                f"{domain.position}_{end} = {value:g}; start between the ends, or move them"
            )

    def _position(self, domain: Domain, part: str) -> Signal:
        return Sensor(f"{self.name}.{domain.position}_rel" + (f"_{part}" if part else ""))

    def stamp(self, net: Network) -> None:
        """For each end a frictionless contact, unlimited in one direction while it is closed."""
        p = self.p
        law = Coulomb(mu_c=1).bind({"load": "1"}, self.label)
        for end, gap in self.gaps.items():
            net.friction(
                self,
                self.flange("a"),
                self.flange("b"),
                law,
                Constant.ready(f"{self.name}.load", value=0.0),
                part=end if len(self.gaps) > 1 else "",
                unlimited="backward" if end == "low" else "forward",
                gap=gap,
                restitution=p.restitution,
                v_small=p.w_small,
            )
