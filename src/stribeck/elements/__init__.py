"""Elements: the parts of a machine, one file each. A file in this folder is registered automatically.

>>> from stribeck.elements import Spring, all_elements
>>> all_elements()["Spring"] is Spring
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._friction import ENGAGE, Friction, LawParam
from .domains import DOMAINS, THERMAL, Domain
from .element import Element, Flange, Input, reference
from .friction_radius import friction_radius, plates_cgeo

__all__ = [
    "DOMAINS",
    "ENGAGE",
    "THERMAL",
    "Domain",
    "Element",
    "Flange",
    "Friction",
    "Input",
    "LawParam",
    "all_elements",
    "friction_radius",
    "plates_cgeo",
    "reference",
]


def all_elements() -> dict[str, type[Element]]:
    """Every element by its name, group by group.

    >>> all_elements()["Spring"]
    <class 'stribeck.elements.spring.Spring'>
    """
    return Element.registry.all()


if not TYPE_CHECKING:  # typed code imports an element from its file, or from stribeck
    __getattr__, __dir__ = Element.registry.as_attributes(__name__, __all__)
