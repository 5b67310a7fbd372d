"""What is set from outside."""

from __future__ import annotations

import math

from ..declare import Param
from ._graph import Graph
from .signal import Scope, Signal


class External(Signal):
    """An input that is set from outside between two steps, by a controller or a driver; `value` until then.

    It is called as the model calls the signal, or by its place: "motor.tau". A run of `simulate` keeps the value.

    >>> throttle = m.signal("throttle", External(0))
    >>> m.add("motor", Torque(mass, tau=External("3 N.m")))
    >>> s = m.realtime(h="1 ms")
    >>> s.inputs["throttle"], s.inputs["motor.tau"] = 0.3, "5 N.m"
    """

    group = "references"
    from_outside = True
    value = Param(0.0, "{value}", "value until it is set")

    @property
    def time_only(self) -> bool:
        """Never: it is up to others."""
        return False

    def bind(self, unit: str, owner: str, scope: Scope | None = None) -> Signal:
        """As every signal; the unit of the place is kept for values that are set later."""
        bound = super().bind(unit, owner, scope)
        bound._unit = unit  # type: ignore[attr-defined]
        return bound

    def at(self, t: float) -> float:
        """The value at the start, which a run of `simulate` keeps."""
        return float(self.p.value)

    def rate(self, t: float) -> float:
        return 0.0

    def span(self) -> tuple[float, float]:
        """Anything: it is up to others."""
        return -math.inf, math.inf

    def lower(self, graph: Graph) -> int:
        return graph.external(self.path, self.p.value, self._unit)  # type: ignore[attr-defined]
