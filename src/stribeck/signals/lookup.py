"""A lookup table."""

from __future__ import annotations

from itertools import pairwise

from ..declare import Series, Values, Word
from ._piecewise import Line, Piecewise
from .signal import Operand


class Lookup(Piecewise):
    """Linear interpolation at u between the points (x, y); outside them constant or extrapolated.

    >>> Bearing(mass, law=LuGre(), load=Lookup("mass.phi", x=["-90 deg", 0, "90 deg"], y=[1.2, 1, 1.2]))
    """

    group = "functions"
    u = Operand(None, "", "input")
    x = Series(None, "", "values of the input, increasing")
    y = Series(None, "{value}", "values of the output")
    outside = Word("hold", "1", "extrapolation outside the points", options=("hold", "extend"))

    @staticmethod
    def faults(p: Values) -> list[str]:
        if len(p.x) != len(p.y):
            return [f"x has {len(p.x)} points and y {len(p.y)}; give one y for each x"]
        if len(p.x) < 2:
            return [f"x = {p.x} must have at least two points; for a constant give a number"]
        return increasing("x", p.x)

    def bounds(self) -> tuple[float, float] | None:
        """Those of its points, unless it is extrapolated."""
        held = self.p.outside == "hold"
        return super().bounds() if self.time_only or not held else (min(self.p.y), max(self.p.y))

    def knots(self) -> list[float]:
        return list(self.p.x) if self.p.outside == "hold" else list(self.p.x[1:-1])

    def lines(self) -> list[Line]:
        points = list(zip(self.p.x, self.p.y, strict=True))
        between = [Line(x, y, (y1 - y) / (x1 - x)) for (x, y), (x1, y1) in pairwise(points)]
        if self.p.outside == "extend":
            return between
        (first, low), (last, high) = points[0], points[-1]
        return [Line(first, low, 0.0), *between, Line(last, high, 0.0)]


def increasing(name: str, values: list[float]) -> list[str]:
    """Faults of a list that must increase.

    >>> increasing("x", [0, 2, 1])
    ['x[2] = 1 comes after 2; x must increase: sort the points']
    """
    for i, (before, after) in enumerate(pairwise(values)):
        if after <= before:
            return [f"{name}[{i + 1}] = {after:g} comes after {before:g}; {name} must increase: sort the points"]
    return []
