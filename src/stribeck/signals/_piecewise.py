"""Piecewise linear functions of one signal, with or without jumps."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from .signal import Operand, Signal


class Line(NamedTuple):
    """`y + slope * (u - x)`."""

    x: float
    y: float
    slope: float

    def __call__(self, u: float) -> float:
        return self.y + self.slope * (u - self.x) if self.slope else self.y


class Piecewise(Signal, registered=False):
    """Base class: `lines()[i]` applies for `knots()[i-1] <= u < knots()[i]`. Crossing a knot is an event."""

    op = "PIECEWISE"
    u: Operand

    def knots(self) -> list[float]:
        """Values of u between the segments, increasing."""
        raise NotImplementedError

    def lines(self) -> list[Line]:
        """The segments, one more than there are knots."""
        raise NotImplementedError

    @property
    def tight(self) -> bool:
        """Whether the bounds of the input are tight."""
        return bool(self.p.u.tight and not self.p.u.jumps())

    def data(self) -> list[float]:
        knots = self.knots()
        return [float(len(knots)), *knots, *(number for line in self.lines() for number in line)]

    def line(self, u: float) -> Line:
        """The segment at u."""
        return self.lines()[bisect_right(self.knots(), u)]

    def at(self, t: float) -> float:
        u = self.p.u.at(t)
        return self.line(u)(u)

    def rate(self, t: float) -> float:
        return self.line(self.p.u.at(t)).slope * self.p.u.rate(t)

    def inside(self) -> list[tuple[float, Line, Line]]:
        """The knots that u may cross, each with the segments before and after it."""
        low, high = self.p.u.span()
        knots, lines = self.knots(), self.lines()
        return [(k, lines[i], lines[i + 1]) for i, k in enumerate(knots) if low < k <= high]

    def span(self) -> tuple[float, float]:
        ends = [self.line(u)(u) for u in self.p.u.span()]
        values = ends + [line(knot) for knot, *both in self.inside() for line in both]
        return min(values), max(values)

    def jumps(self) -> bool:
        return bool(self.p.u.jumps()) or any(before(knot) != after(knot) for knot, before, after in self.inside())

    def kinks(self) -> bool:
        return bool(self.p.u.kinks()) or any(before.slope != after.slope for _, before, after in self.inside())
