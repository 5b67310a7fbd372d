"""The time."""

from __future__ import annotations

import math

from ._graph import Graph
from .signal import Signal

LONG = 2.0**40
"""A time (s) that no simulation reaches; a power of 2, so that dividing by it is exact."""


class Time(Signal):
    """The time in seconds.

    >>> Torque(mass, tau=3 * np.exp(-0.5 * Time()))
    """

    group = "time"

    def lower(self, graph: Graph) -> int:
        return graph.node("RAMP", (), [LONG, LONG, 0.0, 0.0])

    def at(self, t: float) -> float:
        return t

    def rate(self, t: float) -> float:
        return 1.0

    def span(self) -> tuple[float, float]:
        return 0.0, math.inf
