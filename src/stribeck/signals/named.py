"""A signal by its name in the model."""

from __future__ import annotations

from ..declare import Word, unknown
from ..errors import UnknownName
from ._graph import Graph
from .signal import Scope, Signal


class Named(Signal):
    """A named signal of the model; where a signal is expected, the text "u" means the same.

    >>> u = m.signal("u", 3 * Sensor("mass.w"))
    >>> u
    Named(name='u')
    """

    group = "references"
    name = Word(None, "1", "name of a signal of the model")

    @property
    def shorthand(self) -> object:
        """The name."""
        return self.name

    def bind(self, unit: str, owner: str, scope: Scope | None = None) -> Signal:
        """As for every signal; an unknown name is refused."""
        scope = scope or Scope()
        if self.name not in scope.signals and self.name in (scope.elements or ()):
            raise UnknownName(
                f"{owner}: '{self.name}' is an element and not a signal; name a quantity of it, "
                f"for instance '{self.name}.w' or '{self.name}.v'"
            )
        if self.name not in scope.signals:
            message = unknown(f"{owner}: there is no signal", self.name, scope.signals)
            raise UnknownName(f"{message}; give it with model.signal('{self.name}', ...) or below signals:")
        bound = super().bind(unit, owner, scope)
        bound._signals = scope.signals  # type: ignore[attr-defined]
        return bound

    @property
    def target(self) -> Signal:
        """The signal itself, available when all signals are bound."""
        return self._signals[self.name]  # type: ignore[attr-defined]

    @property
    def time_only(self) -> bool:
        """As the signal itself."""
        return self.target.time_only

    @property
    def prescribable(self) -> bool:
        """As the signal itself."""
        return self.target.prescribable

    @property
    def tight(self) -> bool:
        """As the signal itself."""
        return self.target.tight

    @property
    def logical(self) -> bool:
        """As the signal itself."""
        return self.target.logical

    def lower(self, graph: Graph) -> int:
        return graph.named(self.name)

    def at(self, t: float) -> float:
        return self.target.at(t)

    def rate(self, t: float) -> float:
        return self.target.rate(t)

    def span(self) -> tuple[float, float]:
        return self.target.span()

    def bounds(self) -> tuple[float, float] | None:
        return self.target.bounds()

    def jumps(self) -> bool:
        return self.target.jumps()

    def kinks(self) -> bool:
        return self.target.kinks()
