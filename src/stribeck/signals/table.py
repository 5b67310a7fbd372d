"""A course of points."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from types import SimpleNamespace

from ..declare import Series
from ._declare import Signal


class Table(Signal):
    """Straight lines between points, held before the first and after the last one.

    >>> Speed(w=Table(time=[0, 1, 3], value=[0, "500 rpm", 0]))
    """

    op = "TABLE"
    time = Series(None, "s", "times of the points, increasing")
    value = Series(None, "{value}", "values at these times")

    @staticmethod
    def faults(p: SimpleNamespace) -> list[str]:
        if len(p.time) != len(p.value):
            return [f"time has {len(p.time)} points and value {len(p.value)}; give one value for each time"]
        if not p.time:
            return ["time = [] has no points; give at least one time and one value"]
        for i, (before, after) in enumerate(pairwise(p.time)):
            if after <= before:
                return [
                    f"time[{i + 1}] = {after:g} s comes after {before:g} s; times must increase: "
                    "sort the points, and for a jump put two points a short time apart"
                ]
        return []

    def data(self) -> list[float]:
        return [float(len(self.p.time)), *self.p.time, *self.p.value]

    def at(self, t: float) -> float:
        i = bisect_right(self.p.time, t) - 1
        if i < 0:
            return float(self.p.value[0])
        return float(self.p.value[i] + self.rate(t) * (t - self.p.time[i]))

    def rate(self, t: float) -> float:
        i = bisect_right(self.p.time, t) - 1
        if i < 0 or i == len(self.p.time) - 1:
            return 0.0
        return float((self.p.value[i + 1] - self.p.value[i]) / (self.p.time[i + 1] - self.p.time[i]))

    def span(self) -> tuple[float, float]:
        values = [self.at(0.0), self.p.value[-1], *(v for t, v in zip(self.p.time, self.p.value, strict=True) if t > 0)]
        return min(values), max(values)

    def kinks(self) -> bool:
        rates = [self.rate(0.0), *(self.rate(t) for t in self.p.time if t > 0)]
        return any(after != before for before, after in pairwise(rates))
