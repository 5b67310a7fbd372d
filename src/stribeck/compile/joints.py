"""Which flange a text means, and which flanges are one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from ..declare import unknown
from ..elements import Element, Flange
from ..errors import SpecError, UnknownName

T = TypeVar("T")


def find_flange(elements: Mapping[str, Element], reference: str, place: str) -> Flange:
    """The flange that a text such as "mass" or "spring.b" means; `place` is for messages.

    >>> find_flange(model.elements, "mass", "connect")
    Flange(element='mass', name='a')
    """
    name, _, flange = reference.partition(".")
    element = elements.get(name)
    if element is None:
        raise UnknownName(unknown(f"{place}: there is no element", name, elements))
    if flange:
        try:
            return element.flange(flange)
        except UnknownName as error:
            raise UnknownName(f"{place}: {error}") from None
    if not element.one_node:
        choice = " or ".join(f"'{name}.{flange}'" for flange in element.flanges)
        raise SpecError(f"{place}: '{name}' is a {element.kind} with more than one flange; write {choice}")
    return element.flange(element.flanges[0])


def partition(items: Iterable[T], bonds: Iterable[Sequence[T]]) -> dict[T, int]:
    """The group of every item, counted from 0 in order of appearance; items in one bond are in one group.

    >>> partition("abcd", [("a", "c"), ("c", "d")])
    {'a': 0, 'b': 1, 'c': 0, 'd': 0}
    """
    parent = {item: item for item in items}

    def root(item: T) -> T:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for first, *others in bonds:
        for other in others:
            parent[root(other)] = root(first)
    numbers: dict[T, int] = {}
    return {item: numbers.setdefault(root(item), len(numbers)) for item in parent}
