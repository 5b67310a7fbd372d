"""An input that is set from outside."""

from __future__ import annotations

import math

from ..declare import Param
from ._graph import Graph
from .signal import Scope, Signal


class External(Signal):
    """An input that a controller or driver sets between two steps; `value` until then.

    Its name is that of the signal in the model, or its path: "motor.tau". In `simulate` it is constant.

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
        """Never: it is set from outside."""
        return False

    def bind(self, unit: str, owner: str, scope: Scope | None = None) -> Signal:
        """As for every signal; the unit is kept for values that are set later."""
        bound = super().bind(unit, owner, scope)
        bound._unit = unit  # type: ignore[attr-defined]
        return bound

    def at(self, t: float) -> float:
        """The initial value, which `simulate` keeps."""
        return self.p.value

    def rate(self, t: float) -> float:
        return 0.0

    def span(self) -> tuple[float, float]:
        """Unbounded: it is set from outside."""
        return -math.inf, math.inf

    def lower(self, graph: Graph) -> int:
        return graph.external(self.path, self.p.value, self._unit)  # type: ignore[attr-defined]
