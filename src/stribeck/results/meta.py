"""Metadata of a result: the model, its outputs with units and kinds, and how it was computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property

from ..kinds import RATES, Kind, contact_name
from .errors import UnknownOutput
from .named_kinds import kind_by_name


@dataclass(frozen=True)
class ResultMeta:
    """Names, units and kinds of the outputs in the order of the rows of the data.

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
    """Why the run ended early; empty if it is complete."""
    kinds: tuple[Kind, ...] = ()
    """The kind of each output; derived from the usual names if not stated."""
    parts: tuple[str, ...] = ()
    """The part of the element that each output belongs to, if it has several: a flange, or an end of a stop."""

    def __post_init__(self) -> None:
        if not self.kinds and self.names:
            kinds, parts = zip(*map(kind_by_name, self.names), strict=True)
            object.__setattr__(self, "kinds", kinds)
            object.__setattr__(self, "parts", parts)
        elif not self.parts:
            object.__setattr__(self, "parts", ("",) * len(self.names))

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

    def kind(self, name: str) -> Kind:
        """The kind of an output.

        >>> meta.kind("mass.a")
        <Kind.ACCELERATION: 'acceleration'>
        """
        return self.kinds[self.row(name)]

    def is_mode(self, name: str) -> bool:
        """Whether an output is the mode of a contact, which is discrete.

        >>> meta.is_mode("mass.w")
        False
        """
        return self.kind(name) is Kind.MODE

    def find(self, element: str, kind: Kind, part: str = "") -> str | None:
        """The output of an element that is of this kind, or None.

        >>> meta.find("mass", Kind.SPEED)
        'mass.w'
        """
        return self._by_kind.get((element, kind, part))

    def rate(self, name: str) -> str | None:
        """The output that is the rate of another, or None.

        >>> meta.rate("mass.w")
        'mass.a'
        """
        row = self.row(name)
        kind = RATES.get(self.kinds[row])
        return self.find(element_of(name), kind, self.parts[row]) if kind else None

    @cached_property
    def contacts(self) -> dict[str, str]:
        """The outputs that are modes, by contact as named in events; a stop has the contacts "end.low" and "end.high".

        >>> result.meta.contacts
        {'friction': 'friction.mode'}
        """
        found = zip(self.names, self.kinds, self.parts, strict=True)
        return {contact_name(element_of(name), part): name for name, kind, part in found if kind is Kind.MODE}

    def contacts_of(self, element: str) -> list[str]:
        """The contacts of an element that have modes.

        >>> result.meta.contacts_of("friction")
        ['friction']
        """
        return [contact for contact in self.contacts if element_of(contact) == element]

    def only(self, names: Iterable[str]) -> ResultMeta:
        """The same for some of the outputs.

        >>> meta.only(["mass.a"]).units
        ('rad/s2',)
        """
        rows = [self.row(name) for name in names]
        return replace(
            self,
            names=tuple(self.names[row] for row in rows),
            units=tuple(self.units[row] for row in rows),
            kinds=tuple(self.kinds[row] for row in rows),
            parts=tuple(self.parts[row] for row in rows),
        )

    @cached_property
    def _by_kind(self) -> dict[tuple[str, Kind, str], str]:
        """The first output of each element, kind and part."""
        found = zip(self.names, self.kinds, self.parts, strict=True)
        return {(element_of(n), kind, part): n for n, kind, part in reversed(list(found))}

    def of(self, element: str) -> tuple[str, ...]:
        """Outputs of an element.

        >>> meta.of("mass")
        ('mass.w', 'mass.a')
        """
        return tuple(name for name in self.names if name.startswith(f"{element}."))

    def _unknown(self, name: str) -> str:
        """Names the outputs of the element if it exists, else the nearest names, else all of them."""
        element = element_of(name)
        if name in self.elements and not self.of(name):
            return f"element '{name}' has no outputs"
        near = get_close_matches(name, self.names, 3, 0.8)
        if near and name not in self.elements:
            return f"no output '{name}'; did you mean {' or '.join(repr(n) for n in near)}?"
        if self.of(element):
            return f"no output '{name}'; {element} has {', '.join(self.of(element))}"
        return f"no output '{name}'; there are {', '.join(self.names) or 'none'}"


def element_of(name: str) -> str:
    """The element that an output or a contact belongs to; for a named signal its own name.

    >>> element_of("clutch.tau"), element_of("end.low"), element_of("command")
    ('clutch', 'end', 'command')
    """
    return name.partition(".")[0]
