"""A quantity of the machine as a signal."""

from __future__ import annotations

from ..declare import Word, unknown
from ..errors import SpecError, UnknownName
from ._graph import Graph
from .signal import Scope, Signal

ROOM = 293.15
"""Room temperature (K)."""


class Sensor(Signal):
    """A quantity of an element in SI, named as in results. Where a signal is expected, the text "mass.w" will do.

    >>> Torque(mass, tau=-0.1 * Sensor("mass.w"))
    >>> Torque(mass, tau=-0.1 * mass.sensor("w"))
    """

    group = "references"
    quantity = Word(None, "1", "element and quantity, such as 'mass.w'")

    @property
    def shorthand(self) -> object:
        """The quantity."""
        return self.quantity

    @property
    def element(self) -> str:
        """The name of the element."""
        return str(self.quantity).partition(".")[0]

    @property
    def sensed(self) -> str:
        """The quantity itself."""
        return str(self.quantity)

    @property
    def time_only(self) -> bool:
        """Never: it depends on the machine."""
        return False

    @property
    def prescribable(self) -> bool:
        """Never, for the same reason."""
        return False

    def at(self, t: float) -> float:
        """What it is taken for before the run: 0, or room temperature."""
        return ROOM if str(self.quantity).partition(".")[2].startswith("T") else 0.0

    def bind(self, unit: str, owner: str, scope: Scope | None = None) -> Signal:
        """As for every signal; an unknown element is refused."""
        element, _, quantity = str(self.quantity).partition(".")
        if not element or not quantity:
            raise SpecError(f"{owner}: sensor '{self.quantity}' must name an element and a quantity, such as 'mass.w'")
        if scope and scope.elements is not None and element not in scope.elements:
            raise UnknownName(
                unknown(f"{owner}: sensor '{self.quantity}': there is no element", element, scope.elements)
            )
        return super().bind(unit, owner, scope)

    def lower(self, graph: Graph) -> int:
        return graph.sensor(self.quantity)
