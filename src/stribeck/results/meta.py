"""What a result is about: the model, the names and units of its outputs, and how it was computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property

from .errors import UnknownOutput


@dataclass(frozen=True)
class ResultMeta:
    """Names and units of the outputs in the order of the rows of the data.

    >>> meta = ResultMeta("rig", ("mass.w", "mass.a"), ("rad/s", "rad/s2"), {"mass": "Inertia"})
    >>> meta.row("mass.a")
    1
    """

    model: str
    names: tuple[str, ...]
    units: tuple[str, ...]
    elements: Mapping[str, str] = field(default_factory=dict)
    """Type of each element by its name."""
    friction: tuple[str, ...] = ()
    """The elements with a friction law."""
    solver: str = ""
    tolerance: float | None = None
    stopped: str = ""
    """Why the run ended before its time; empty if it did not: then the result is whole."""

    @cached_property
    def rows(self) -> dict[str, int]:
        """Row of each output in the data."""
        return {name: row for row, name in enumerate(self.names)}

    def row(self, name: str) -> int:
        """Row of an output; an unknown name is refused with the nearest known ones."""
        row = self.rows.get(name)
        if row is None:
            raise UnknownOutput(self._unknown(name))
        return row

    def of(self, element: str) -> tuple[str, ...]:
        """Outputs of an element.

        >>> meta.of("mass")
        ('mass.w', 'mass.a')
        """
        return tuple(name for name in self.names if name.startswith(f"{element}."))

    def _unknown(self, name: str) -> str:
        """Names the outputs of the element if it exists, else the nearest names, else all of them."""
        element = name.partition(".")[0]
        if name in self.elements and not self.of(name):
            return f"element '{name}' has no outputs"
        near = get_close_matches(name, self.names, 3, 0.8)
        if near and name not in self.elements:
            return f"no output '{name}'; did you mean {' or '.join(repr(n) for n in near)}?"
        if self.of(element):
            return f"no output '{name}'; {element} has {', '.join(self.of(element))}"
        return f"no output '{name}'; there are {', '.join(self.names) or 'none'}"
