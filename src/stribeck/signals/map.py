"""A two-dimensional map."""

from __future__ import annotations

from bisect import bisect_right

from ..declare import Series, Values
from ._matrix import Matrix
from .lookup import increasing
from .signal import Operand, Signal


class Map(Signal):
    """Bilinear interpolation of the values `z[i][j]` at (x[i], y[j]), constant beyond the edges of the grid.

    >>> Torque(shaft, tau=Map("shaft.w", "pedal", x=[0, 300], y=[0, 1], z=[[0, 200], ["-20 N.m", 150]]))
    """

    group = "functions"
    op = "MAP"
    u = Operand(None, "", "first input")
    v = Operand(None, "", "second input")
    x = Series(None, "", "grid of the first input, increasing")
    y = Series(None, "", "grid of the second input, increasing")
    z = Matrix(None, "{value}", "values: one row per x, with one value per y")

    @staticmethod
    def faults(p: Values) -> list[str]:
        for name, grid in (("x", p.x), ("y", p.y)):
            if len(grid) < 2:
                return [f"{name} = {grid} must have at least two points; for one input use Lookup"]
            if fault := increasing(name, grid):
                return fault
        if len(p.z) != len(p.x) or len(p.z[0]) != len(p.y):
            return [
                f"z has {len(p.z)} x {len(p.z[0])} values for a grid of {len(p.x)} x {len(p.y)}; one row for each x"
            ]
        return []

    def data(self) -> list[float]:
        p = self.p
        return [float(len(p.x)), float(len(p.y)), *p.x, *p.y, *(value for row in p.z for value in row)]

    def _corners(self, t: float) -> tuple[float, float, float]:
        """Value and slopes by u and v at t."""
        p = self.p
        (i, a, da), (j, b, db) = _cell(p.x, p.u.at(t)), _cell(p.y, p.v.at(t))
        z00, z01, z10, z11 = p.z[i][j], p.z[i][j + 1], p.z[i + 1][j], p.z[i + 1][j + 1]
        low, high = z00 + b * (z01 - z00), z10 + b * (z11 - z10)
        return low + a * (high - low), da * (high - low), db * ((1 - a) * (z01 - z00) + a * (z11 - z10))

    def at(self, t: float) -> float:
        return self._corners(t)[0]

    def rate(self, t: float) -> float:
        _, by_u, by_v = self._corners(t)
        return by_u * self.p.u.rate(t) + by_v * self.p.v.rate(t)

    def span(self) -> tuple[float, float]:
        values = [value for row in self.p.z for value in row]
        return min(values), max(values)

    def kinks(self) -> bool:
        return True


def _cell(grid: list[float], value: float) -> tuple[int, float, float]:
    """The cell of a value, its relative position in it, and the slope of that position (0 outside)."""
    i = min(max(bisect_right(grid, value) - 1, 0), len(grid) - 2)
    width = grid[i + 1] - grid[i]
    inside = grid[0] <= value < grid[-1]
    return i, min(max((value - grid[i]) / width, 0.0), 1.0), 1 / width if inside else 0.0
