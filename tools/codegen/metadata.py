"""What is known about every law, as data: parameters, states, formulas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import sympy

from stribeck.laws import Law

from .equations import Equations
from .plain import plain, with_parts


def metadata(laws: Iterable[type[Law]], source_hash: str) -> dict[str, Any]:
    """The contents of laws.json.

    >>> metadata(all_laws().values(), source_hash())["laws"]["lugre"]["params"]["sigma0"]["default"]
    100000.0
    """
    return {"hash": source_hash, "laws": {law.name: law_metadata(law) for law in laws}}


def law_metadata(law: type[Law]) -> dict[str, Any]:
    """One law: names, parameters, states and formulas, in LaTeX and as plain text."""
    formulas = with_parts(Equations.of(law).formulas())
    return {
        "class": law.__name__,
        "family": law.family,
        "text": (law.__doc__ or "").strip().splitlines()[0],
        "source": law.source,
        "params": {name: asdict(param) for name, param in law.params.items()},
        "states": {name: {"unit": state.unit, "text": state.text} for name, state in law.described.items()},
        "formulas": {name: sympy.latex(formula) for name, formula in formulas.items()},
        "plain": {name: plain(formula) for name, formula in formulas.items()},
    }
