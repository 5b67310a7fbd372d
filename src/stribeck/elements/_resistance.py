"""What resists a motion by a formula of it: the torque, and the energy that is stored in it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, ClassVar, Self

from ..signals import Maximum, Polynomial, Scope, Sensor, Signal
from ._declare import Element
from .domains import Domain

Expr = Any
"""A signal, or a number that takes part in a formula of signals."""


class Resistance(Element):
    """A torque between two flanges that is a formula of their relative position x and speed v; without b fixed.

    It is positive where it acts against the motion of b, as that of a spring. What it takes is stored or becomes heat.
    """

    flanges: ClassVar[tuple[str, ...]] = ("a", "b")
    to_ground: ClassVar[tuple[str, ...]] = ("b",)
    ports: ClassVar[tuple[str, ...]] = ("heat",)
    signal: Signal
    energy: Signal | None
    heat_flow: Signal | None

    def torque(self, x: Expr, v: Expr) -> Expr:
        """The torque that resists; numbers are those of `.p`, signals those given."""
        raise NotImplementedError

    def stored(self, x: Expr) -> Expr:
        """The energy in it, whose derivative by x is the part of the torque that gives back; None: there is none."""
        return None

    def damping(self, x: Expr, v: Expr) -> Expr:
        """The part of the torque that becomes heat, where some is stored; None: all of that gives back."""
        return None

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As every element, with the formulas bound to the motion of its flanges."""
        bound = super().bind(domain, scope)
        place = (scope or Scope()).at(self.name)
        x, v = (Sensor(f"{self.name}.{quantity}_rel") for quantity in (domain.position, domain.speed))
        energy, damping = bound.stored(x), bound.damping(x, v)
        bound.signal = (-bound.torque(x, v)).bind("", self.label, place.at("torque"))
        bound.energy = None if energy is None else energy.bind("", self.label, place.at("energy"))
        bound.heat_flow = None if damping is None else (damping * v).bind("", self.label, place.at("heat"))
        return bound

    def stamp(self, net: Any) -> None:
        """A passive source between two flanges, or between the ground and the only one."""
        ends = [self.flange(name) for name in self.flanges]
        a, b = ends if len(ends) == 2 else (net.GROUND, *ends)
        net.source(self, a, b, self.signal, passive=True, energy=self.energy, heat=self.heat_flow)


def positive(u: Expr) -> Expr:
    """u where it is positive, else 0.

    >>> positive(Sensor("gap.s_rel"))
    """
    return Maximum([u, 0.0])


def area(u: Expr, x: list[float], y: list[float], outside: str) -> Expr:
    """The integral from 0 to u of `Lookup(u, x, y, outside)`: a parabola that changes its curvature at every point.

    >>> area(Sensor("spring.phi_rel"), [-1, 0, 1], [-3, 0, 1], "extend")
    """
    slopes = [(y1 - y0) / (x1 - x0) for (x0, y0), (x1, y1) in pairwise(zip(x, y, strict=True))]
    knots = x[1:-1]
    if outside == "hold":
        slopes, knots = [0.0, *slopes, 0.0], x
    bends = [(knot, after - before) for knot, (before, after) in zip(knots, pairwise(slopes), strict=True)]
    start = sum(0.5 * bend * max(-knot, 0.0) ** 2 for knot, bend in bends)
    total: Expr = Polynomial(u, [-start, y[0] - slopes[0] * x[0], 0.5 * slopes[0]])
    for knot, bend in bends:
        total = total + 0.5 * bend * positive(u - knot) ** 2
    return total
