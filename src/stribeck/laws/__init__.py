"""Friction laws, one file each. A file in this folder is registered automatically.

>>> from stribeck.laws import LuGre, all_laws, get
>>> get("lugre") is LuGre
True
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .law import (
    AtMost,
    BristleLaw,
    Conditions,
    Flow,
    Jump,
    Law,
    LockingLaw,
    Mode,
    Param,
    Role,
    Series,
    SmoothLaw,
    State,
    StepConditions,
    StepNeed,
    Stick,
)

__all__ = [
    "AtMost",
    "BristleLaw",
    "Conditions",
    "Flow",
    "Jump",
    "Law",
    "LockingLaw",
    "Mode",
    "Param",
    "Role",
    "Series",
    "SmoothLaw",
    "State",
    "StepConditions",
    "StepNeed",
    "Stick",
    "all_laws",
    "get",
    "metadata",
]


def all_laws() -> dict[str, type[Law]]:
    """Every law by its name, in alphabetical order.

    >>> list(all_laws())[:3]
    ['coulomb', 'coulombviscous', 'dahl']
    """
    return {law.name: law for law in Law.registry.all().values()}


def get(name: str) -> type[Law]:
    """A law by name, ignoring case and hyphens; the error for an unknown name suggests the nearest known one.

    >>> get("simplified-lugre")
    <class 'stribeck.laws.simplified_lugre.SimplifiedLuGre'>
    """
    return Law.registry.get(str(name))


@cache
def metadata() -> dict[str, Any]:
    r"""Data that the build wrote about every law: parameters, states and formulas in LaTeX.

    >>> metadata()["lugre"]["formulas"]["friction"]
    '\\sigma_{0} z + \\sigma_{1} \\dot{z} + \\sigma_{2} v'
    """
    file = next(path for folder in __path__ if (path := Path(folder, "laws.json")).exists())
    laws: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["laws"]
    return laws


if not TYPE_CHECKING:  # typed code imports a law from its file, or from stribeck
    __getattr__, __dir__ = Law.registry.as_attributes(__name__, __all__)
