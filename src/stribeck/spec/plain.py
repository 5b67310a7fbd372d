"""Elements, signals and laws as plain data (dict, list, number, text) and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..declare import Declared
from ..elements import Element
from ..errors import SpecError
from ..signals import Signal
from .simulation import Simulation


class Entry(dict[Any, Any]):
    """A mapping with the line of the file it was read from.

    >>> Entry({"type": "Inertia"}, line=7).line
    7
    """

    def __init__(self, values: Mapping[Any, Any] | None = None, line: int = 0) -> None:
        super().__init__(values or {})
        self.line = line


def element_to_plain(element: Element) -> dict[str, Any]:
    """An element as data of a model file.

    >>> element_to_plain(Spring("motor", "mass", c=2))
    {'type': 'Spring', 'a': 'motor', 'b': 'mass', 'c': 2}
    """
    values = {element.words.get(name, name): value_to_plain(value) for name, value in element.given.items()}
    return {"type": type(element).__name__, **element.refs, **values}


def element_from_plain(name: Any, data: Any) -> Element:
    """An element from data of a model file.

    >>> element_from_plain("spring", {"type": "Spring", "a": "motor", "b": "mass", "c": 2})
    Spring(a='motor', b='mass', c=2)
    """
    place = f"element '{name}'"
    entry = mapping(data, place, "{type: Inertia, J: 1}")
    try:
        return Element.registry.build(entry, place)
    except SpecError as error:
        raise at_line(entry, error) from None


def simulation_from_plain(data: Any) -> Simulation:
    """The settings of a simulation from data of a model file.

    >>> simulation_from_plain({"t_end": "25 s"})
    Simulation(t_end=25.0)
    """
    entry = mapping(data, "simulation", "{t_end: 25, intervals: 2500}")
    try:
        return Simulation(**{str(name): value for name, value in entry.items()})
    except SpecError as error:
        raise at_line(entry, error) from None


def mapping(data: Any, place: str, example: str) -> Mapping[Any, Any]:
    """The data, which must be a mapping; `place` and `example` are for messages.

    >>> mapping([], "elements", "mass: {type: Inertia, J: 1}")
    SpecError: elements = [] must be a mapping, for instance mass: {type: Inertia, J: 1}
    """
    if not isinstance(data, Mapping):
        raise SpecError(f"{place} = {data!r} must be a mapping, for instance {example}")
    return data


def pairs(data: Any) -> list[tuple[Any, Any]]:
    """The connections of a model file, each a list of two flanges.

    >>> pairs([["spring.b", "mass"]])
    [('spring.b', 'mass')]
    """
    wrong = "connect = {!r} must be a list of pairs, for instance [[spring.b, mass]]"
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise SpecError(wrong.format(data))
    for pair in data:
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            raise SpecError(wrong.format(pair))
    return [(x, y) for x, y in data]


def at_line(entry: Any, error: SpecError) -> SpecError:
    """The error with the line of the entry, if it was read from a file.

    >>> raise at_line(Entry({"type": "Inertia"}, line=7), SpecError("Inertia: J is missing"))
    SpecError: line 7: Inertia: J is missing
    """
    line = getattr(entry, "line", 0)
    return type(error)(f"line {line}: {error}") if line else error


MOST_WRITTEN = 1_000_000
"""Limit on the parts of signals in a model file; shared parts are written at every use."""


def check_written_size(things: Iterable[Declared]) -> None:
    """Refuses signals with so many shared parts that the file would be too large.

    >>> check_written_size(model.elements.values())
    """
    sizes: dict[int, int] = {}

    def size(value: Any) -> int:
        if isinstance(value, list):
            return sum(map(size, value))
        if not isinstance(value, Declared):
            return 0
        if id(value) not in sizes:
            sizes[id(value)] = 1 + sum(map(size, value.given.values()))
        return sizes[id(value)]

    for thing in things:
        if size(thing) > MOST_WRITTEN:
            raise SpecError(
                f"{type(thing).__name__}: written out, its signals have {size(thing):.3g} parts; give those that are "
                "used often a name with Model.signal"
            )


def value_to_plain(value: Any) -> Any:
    """A signal or law as {"type": ..., ...}, a constant as its value, a reference as its name; other values unchanged.

    >>> value_to_plain(3 * Sensor("mass.w"))
    {'type': 'Gain', 'u': 'mass.w', 'k': 3}
    """
    if isinstance(value, list):
        return [value_to_plain(entry) for entry in value]
    if isinstance(value, Signal) and value.shorthand is not value:
        return value.shorthand
    if isinstance(value, Declared):
        return {"type": type(value).__name__} | {name: value_to_plain(v) for name, v in value.given.items()}
    return value
