"""Elements that resist motion by a formula: the torque, and the energy stored."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar, Self

from ..signals import Scope, Signal
from ..signals.arithmetic import Polynomial
from ..signals.extremes import Maximum
from ..signals.sensor import Sensor
from ._network import Network
from .domains import Domain
from .element import Element


class Resistance(Element, registered=False):
    """A torque between two flanges as a formula of their relative position x and speed v; without b fixed to ground.

    Like a spring torque, it is positive when it opposes the motion of b. Absorbed energy is stored or dissipated.
    """

    flanges: ClassVar[tuple[str, ...]] = ("a", "b")
    to_ground: ClassVar[tuple[str, ...]] = ("b",)
    ports: ClassVar[tuple[str, ...]] = ("heat",)
    signal: Signal
    energy: Signal | None
    heat_flow: Signal | None

    def torque(self, x: Signal, v: Signal) -> Signal:
        """The resisting torque; numbers are taken from `.p`, signals as given."""
        raise NotImplementedError

    def stored(self, x: Signal) -> Signal | None:
        """The stored energy; its derivative by x is the conservative part of the torque. None: nothing is stored."""
        return None

    def damping(self, x: Signal, v: Signal) -> Signal | None:
        """The dissipative part of the torque if energy is stored too; None: the torque is conservative."""
        return None

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element, with the formulas bound to the motion of its flanges."""
        bound = super().bind(domain, scope)
        place = (scope or Scope()).at(self.name)
        x, v = (Sensor(f"{self.name}.{quantity}_rel") for quantity in (domain.position, domain.speed))
        energy, damping = bound.stored(x), bound.damping(x, v)
        bound.signal = (-bound.torque(x, v)).bind("", self.label, place.at("torque"))
        bound.energy = None if energy is None else energy.bind("", self.label, place.at("energy"))
        bound.heat_flow = None if damping is None else (damping * v).bind("", self.label, place.at("heat"))
        return bound

    def stamp(self, net: Network) -> None:
        """A passive source between two flanges, or between the ground and the single flange."""
        *a, b = (self.flange(name) for name in self.flanges)
        net.source(
            self, a[0] if a else net.GROUND, b, self.signal, passive=True, energy=self.energy, heat=self.heat_flow
        )


def positive(u: Signal) -> Signal:
    """u where it is positive, else 0.

    >>> positive(Sensor("gap.s_rel"))
    """
    return Maximum([u, 0.0])


def area(u: Signal, x: list[float], y: list[float], outside: str) -> Signal:
    """The integral from 0 to u of `Lookup(u, x, y, outside)`: a parabola whose curvature changes at every point.

    >>> area(Sensor("spring.phi_rel"), [-1, 0, 1], [-3, 0, 1], "extend")
    """
    slopes = [(y1 - y0) / (x1 - x0) for (x0, y0), (x1, y1) in pairwise(zip(x, y, strict=True))]
    knots = x[1:-1]
    if outside == "hold":
        slopes, knots = [0.0, *slopes, 0.0], x
    bends = [(knot, after - before) for knot, (before, after) in zip(knots, pairwise(slopes), strict=True)]
    start = sum(0.5 * bend * max(-knot, 0.0) ** 2 for knot, bend in bends)
    total: Signal = Polynomial(u, [-start, y[0] - slopes[0] * x[0], 0.5 * slopes[0]])
    for knot, bend in bends:
        total = total + 0.5 * bend * positive(u - knot) ** 2
    return total
