"""Units in a model description: their base units, and the display units of the field."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

from ...kinds import Kind
from ...units import ICE_POINT, parse_unit


class DisplayUnit(NamedTuple):
    """A unit for people: its number is factor times that in SI, plus the offset."""

    name: str
    factor: float
    offset: float = 0.0


DISPLAY = {
    "rad/s": DisplayUnit("rpm", 60 / (2 * math.pi)),
    "rad": DisplayUnit("deg", 180 / math.pi),
    "m/s": DisplayUnit("km/h", 3.6),
    "m": DisplayUnit("mm", 1e3),
    "Pa": DisplayUnit("bar", 1e-5),
    "K": DisplayUnit("degC", 1.0, -ICE_POINT),
}
BASE = ("m", "kg", "s", "rad", "K", "A")
"""Base units in the order of the powers of a `Unit`."""


def display_unit(unit: str, kind: Kind | None = None) -> str:
    """The display unit of a quantity; empty if it has none. A kelvin is shown as degC only of a temperature.

    >>> display_unit("rad/s"), display_unit("K"), display_unit("K", Kind.TEMPERATURE)
    ('rpm', '', 'degC')
    """
    if unit == "K" and kind is not Kind.TEMPERATURE:
        return ""
    return DISPLAY[unit].name if unit in DISPLAY else ""


def unit_definitions(parent: Element, units: Iterable[str]) -> None:
    """Writes the units into a model description; both versions of FMI have them alike.

    >>> unit_definitions(Element("fmiModelDescription"), ["rad/s", "N.m"])
    """
    names = sorted(set(units) - {""})
    if not names:
        return
    definitions = SubElement(parent, "UnitDefinitions")
    for name in names:
        unit = parse_unit(name)
        entry = SubElement(definitions, "Unit", name=name)
        powers = {base: str(power) for base, power in zip(BASE, unit.powers, strict=True) if power}
        if unit.factor != 1.0:
            powers["factor"] = repr(unit.factor)
        SubElement(entry, "BaseUnit", powers)
        if name in DISPLAY:
            shown = DISPLAY[name]
            numbers = {"factor": repr(shown.factor)} | ({"offset": repr(shown.offset)} if shown.offset else {})
            SubElement(entry, "DisplayUnit", {"name": shown.name, **numbers})
