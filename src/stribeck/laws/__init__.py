"""Friction laws: one file each, found by being in this folder.

>>> from stribeck.laws import LuGre, all_laws, get
>>> get("lugre") is LuGre
True
"""

from __future__ import annotations

import json
import pkgutil
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from ..declare import unknown
from ..errors import UnknownName
from ._declare import (
    BristleLaw,
    Conditions,
    Flow,
    Jump,
    Law,
    LockingLaw,
    Mode,
    Param,
    Series,
    SmoothLaw,
    State,
    Stick,
)

__all__ = [
    "BristleLaw",
    "Conditions",
    "Flow",
    "Jump",
    "Law",
    "LockingLaw",
    "Mode",
    "Param",
    "Series",
    "SmoothLaw",
    "State",
    "Stick",
    "all_laws",
    "get",
    "metadata",
]


@cache
def all_laws() -> dict[str, type[Law]]:
    """Every law by its name, in alphabetical order.

    >>> list(all_laws())[:3]
    ['coulomb', 'coulombviscous', 'dahl']
    """
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if not info.name.startswith("_"))
    modules = [import_module(f"{__name__}.{name}") for name in names]
    laws = [
        thing
        for module in modules
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Law) and thing.__module__ == module.__name__
    ]
    return {law.name: law for law in sorted(laws, key=lambda law: law.name)}


def get(name: str) -> type[Law]:
    """The law of that name, in any case, words joined or not; an unknown name is refused with the nearest known one.

    >>> get("simplified-lugre")
    <class 'stribeck.laws.simplified_lugre.SimplifiedLuGre'>
    """
    law = all_laws().get(re.sub("[-_ ]", "", str(name)).lower())
    if law is None:
        raise UnknownName(unknown("there is no friction law", name, [law.__name__ for law in all_laws().values()]))
    return law


@cache
def metadata() -> dict[str, Any]:
    r"""What the build wrote about every law: parameters, states and formulas in LaTeX.

    >>> metadata()["lugre"]["formulas"]["friction"]
    '\\sigma_{0} z + \\sigma_{1} \\dot{z} + \\sigma_{2} v'
    """
    file = next(path for folder in __path__ if (path := Path(folder, "laws.json")).exists())
    laws: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["laws"]
    return laws


def __getattr__(name: str) -> Any:
    for law in all_laws().values():
        if law.__name__ == name:
            return law
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*__all__, *(law.__name__ for law in all_laws().values())]
