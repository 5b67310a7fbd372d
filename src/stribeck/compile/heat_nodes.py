"""The network of heat: which thermal flanges and heat ports are one, and whether their temperature is defined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from ..elements import Element, Flange
from ..errors import SpecError
from ..signals import Signal
from ..spec import Model
from .joints import find_flange, partition

COLD = 150.0
"""Temperature (K) below which no machine works."""


def mechanical(elements: Mapping[str, Element]) -> dict[str, Element]:
    """The elements that turn or move along a line.

    >>> list(mechanical(model.elements))
    ['shaft', 'clutch']
    """
    return {name: element for name, element in elements.items() if element.domain != "thermal"}


def is_thermal(flange: Flange, elements: Mapping[str, Element]) -> bool:
    """Whether a flange carries heat: that of a thermal element, or a heat port.

    >>> is_thermal(clutch.heat, model.elements)
    True
    """
    element = elements[flange.element]
    return element.domain == "thermal" or flange.name in element.ports


def bonds(model: Model, thermal: bool) -> list[list[Flange]]:
    """The flanges that references and connect() join: those of heat, or the others; mixed pairs are refused.

    >>> bonds(model, thermal=True)
    [[Flange(element='clutch', name='heat'), Flange(element='plate', name='a')]]
    """
    elements, found = model.elements, []
    for element in elements.values():
        for flange, ref in element.refs.items():
            place = f"{element.label}, flange {flange} = '{ref}'"
            found.append((place, [element.flange(flange), find_flange(elements, ref, place)]))
    for pair in model.connections:
        place = f"connect {list(pair)}"
        found.append((place, [find_flange(elements, ref, place) for ref in pair]))
    for place, ends in found:
        _check_pair(place, ends, elements)
    return [ends for _, ends in found if is_thermal(ends[0], elements) is thermal]


def _check_pair(place: str, pair: Sequence[Flange], elements: Mapping[str, Element]) -> None:
    kinds = [is_thermal(flange, elements) for flange in pair]
    if kinds[0] != kinds[1]:
        heat, other = pair if kinds[0] else reversed(pair)
        raise SpecError(
            f"{place}: '{heat}' carries heat and '{other}' a motion; connect heat ports and thermal elements "
            "with each other, for instance Clutch(..., heat=plate) with a ThermalMass"
        )


def join_heat(model: Model) -> dict[Flange, int]:
    """The thermal node of every thermal flange and of every heat port that is connected, counted from 0.

    >>> join_heat(model)
    {Flange(element='plate', name='a'): 0, Flange(element='clutch', name='heat'): 0}
    """
    joined = bonds(model, thermal=True)
    own = [e.flange(name) for e in model.elements.values() if e.domain == "thermal" for name in e.flanges]
    group = partition(dict.fromkeys([*own, *(flange for pair in joined for flange in pair)]), joined)
    open_ends = {f for f in own if f.name in model.elements[f.element].to_ground and _alone(f, group)}
    return {flange: number for flange, number in group.items() if flange not in open_ends}


def _alone(flange: Flange, group: Mapping[Flange, int]) -> bool:
    return not any(number == group[flange] and other != flange for other, number in group.items())


def check_heat(bound: Mapping[str, Element], of: Mapping[Flange, int]) -> None:
    """Every thermal node has one temperature: that of its masses, or a given one; needs `.p`."""
    for element in bound.values():
        if vars(element).get("fading") is not None and element.flange("heat") not in of:  # of friction elements only
            raise SpecError(
                f"{element.label}: fade needs a temperature; connect its port heat, for instance heat='plate' with "
                "plate a ThermalMass"
            )
    members: dict[int, list[Element]] = {}
    for flange, number in of.items():
        members.setdefault(number, []).append(bound[flange.element])
    for number, on in members.items():
        if len(on) == 1 and on[0].role in ("store", "temperature") and len(bound) > 1:
            raise SpecError(
                f"{on[0].label}: it is not connected to any other element; connect it, for instance as "
                f"heat='{on[0].name}' of a clutch or by a Convection, or remove '{on[0].name}'"
            )
        stores: list[Any] = [element for element in on if element.role == "store"]
        fixed = [element for element in on if element.role == "temperature"]
        if not stores and not fixed and not _is_led_away(number, of, bound):
            raise SpecError(
                f"{on[0].label}: the temperature of its connection is undetermined; connect a ThermalMass or a "
                "FixedTemperature there, or make one Convection of those in series: 1/G = 1/G1 + 1/G2"
            )
        if len(fixed) > 1 or (fixed and stores):
            first, second = [*fixed, *stores][:2]
            raise SpecError(
                f"{first.label} and {second.label} are one and the same place, but the first one has a given "
                "temperature; put a Convection between the two, or remove one"
            )
        for store in stores[1:]:
            if store.p.T0 != stores[0].p.T0:
                raise SpecError(
                    f"{store.label} starts with {store.p.T0:g} K, but {stores[0].label} on the same place with "
                    f"{stores[0].p.T0:g} K; make them equal, or put a Convection between the two"
                )


def _is_led_away(number: int, of: Mapping[Flange, int], bound: Mapping[str, Element]) -> bool:
    """Whether the heat into a node goes to given temperatures alone, so that the node needs no heat capacity."""
    near = [bound[flange.element] for flange, n in of.items() if n == number]
    conductors = {element.name for element in near if element.domain == "thermal" and len(element.flanges) == 2}
    ends = {n for flange, n in of.items() if flange.element in conductors} - {number}
    given = {n for flange, n in of.items() if bound[flange.element].role == "temperature"}
    return bool(conductors) and len(near) > 1 and ends <= given


def cold_warnings(bound: Mapping[str, Element]) -> Iterator[str]:
    """Warnings of temperatures so low that they were meant in degC; needs `.p`.

    >>> list(cold_warnings(nodes.elements))
    []
    """
    for element in bound.values():
        for name in (name for name, param in element.params.items() if param.unit == "K"):
            T = _coldest(getattr(element.p, name))
            if T < COLD:
                yield f"{element.label}: {name} = {T:g} K is very cold; for degrees Celsius write '{T:g} degC'"


def _coldest(value: Any) -> float:
    """The lowest temperature among those given, as far as that is known beforehand."""
    if isinstance(value, Signal):
        return value.at(0.0) if value.time_only else inf
    return min(value, default=inf) if isinstance(value, list) else inf if value is None else float(value)
