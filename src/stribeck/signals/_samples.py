"""Base class of tables and recordings: values at given times."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

from ..declare import Word
from ._graph import Graph
from .signal import Signal

BETWEEN = Word("linear", "1", "interpolation: linear, or each value held", options=("linear", "hold"))


class Samples(Signal, registered=False):
    """Base of signals with times `p.time` and values `p.value`, interpolated linearly or held."""

    group = "time"

    @property
    def held(self) -> bool:
        """Whether each value is held up to the next one."""
        return bool(self.p.between == "hold")

    def lower(self, graph: Graph) -> int:
        return graph.node("HOLD" if self.held else "TABLE", (), self.data())

    def data(self) -> list[float]:
        return [float(len(self.p.time)), *self.p.time, *self.p.value]

    def at(self, t: float) -> float:
        i = max(bisect_right(self.p.time, t) - 1, 0)
        return self.p.value[i] + self.rate(t) * (t - self.p.time[i])

    def rate(self, t: float) -> float:
        times, values = self.p.time, self.p.value
        i = bisect_right(times, t) - 1
        if self.held or i < 0 or i == len(times) - 1:
            return 0.0
        return (values[i + 1] - values[i]) / (times[i + 1] - times[i])

    def span(self) -> tuple[float, float]:
        values = [self.at(0.0), self.p.value[-1], *(v for t, v in zip(self.p.time, self.p.value, strict=True) if t > 0)]
        return min(values), max(values)

    def jumps(self) -> bool:
        return self.held and any(self.at(t) != self.at(0.0) for t in self.p.time if t > 0)

    def kinks(self) -> bool:
        rates = [self.rate(0.0), *(self.rate(t) for t in self.p.time if t > 0)]
        return any(after != before for before, after in pairwise(rates))
