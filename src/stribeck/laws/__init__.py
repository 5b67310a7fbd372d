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

from ._check import LawCheck, LawReport, check
from ._equations import LawEquations, LawFunction
from .law import (
    AtMost,
    BristleLaw,
    Conditions,
    Flow,
    Jump,
    Law,
    LawDefinition,
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
    "LawCheck",
    "LawDefinition",
    "LawEquations",
    "LawFunction",
    "LawReport",
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
    "about",
    "all_laws",
    "check",
    "from_text",
    "get",
    "metadata",
]


def all_laws() -> dict[str, type[Law]]:
    """Every law by its name, in alphabetical order.

    >>> list(all_laws())[:3]
    ['blimansorine', 'boucwen', 'bristle']
    """
    return {law.name: law for law in Law.registry.all().values()}


def get(name: str) -> type[Law]:
    """A law by name, ignoring case and hyphens; the error for an unknown name suggests the nearest known one.

    >>> get("simplified-lugre")
    <class 'stribeck.laws.simplified_lugre.SimplifiedLuGre'>
    """
    return Law.registry.get(str(name))


def from_text(name: str, **description: Any) -> type[Law]:
    """A law from text: its family, parameters and formulas, as in the section `laws` of a model file. Mistakes are
    refused with their place. Equal descriptions give the same class.

    >>> Viscous = from_text(
    ...     "Viscous", family="smooth", parameters={"d": {"default": 2, "unit": "{load}.s/{disp}"}}, friction="d*v"
    ... )
    >>> Viscous(d=3)
    Viscous(d=3)
    """
    from ._text.build import law_from_text

    return law_from_text(name, description)


@cache
def metadata() -> dict[str, Any]:
    r"""Data that the build wrote about every law: parameters, states and formulas in LaTeX.

    >>> metadata()["lugre"]["formulas"]["friction"]
    '\\sigma_{0} z + \\sigma_{1} \\dot{z} + \\sigma_{2} v'
    """
    file = next(path for folder in __path__ if (path := Path(folder, "laws.json")).exists())
    laws: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["laws"]
    return laws


def about(law: type[Law]) -> dict[str, Any]:
    r"""Text, source and formulas of a law, as characters (`plain`) and in LaTeX (`formulas`): of a law of the package
    from its build, of others from their text or from what their functions compute.

    >>> about(LuGre)["plain"]["friction"]
    'sigma0*z + sigma1*zdot + sigma2*v'
    """
    shipped = metadata().get(law.name)
    if shipped is not None and shipped["class"] == law.__name__ and all_laws().get(law.name) is law:
        return dict(shipped)
    from ._text.readers import formulas_of

    plain, latex = formulas_of(law)
    text = (law.__doc__ or f"Friction law {law.__name__}.").strip().splitlines()[0]
    return {"text": text, "source": getattr(law, "source", "a law of this script"), "plain": plain, "formulas": latex}


if not TYPE_CHECKING:  # typed code imports a law from its file, or from stribeck
    __getattr__, __dir__ = Law.registry.as_attributes(__name__, __all__)
