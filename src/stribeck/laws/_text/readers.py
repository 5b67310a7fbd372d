"""Formulas of a law for readers, where the build has written none."""

from __future__ import annotations

from typing import Any

from .._equations import LawEquations
from ..law import Law
from .latex import latex


def formulas_of(law: type[Law]) -> tuple[dict[str, str], dict[str, str]]:
    """The formulas of a law as characters and in LaTeX: of a law from text as it is written, of a class what its
    functions compute.
    """
    definition = vars(law).get("definition")
    if definition is None:
        return _recorded(law), {}
    plain = {name: str(formula) for name, formula in definition.formulas.items()}
    return plain, {name: latex(formula) for name, formula in plain.items()}


def _recorded(law: Any) -> dict[str, str]:
    """What the functions of a class compute."""
    equations = LawEquations(law)
    moving = [name for name, discrete in zip(law.states, equations.discrete, strict=True) if not discrete]
    rates = dict(zip(law.states, equations.flow[1:], strict=True))
    found = {"friction": equations.friction.text, **{f"{name}dot": rates[name].text for name in moving}}
    found |= {f"{name}_steady": x.text for name, x in zip(law.states, equations.steady, strict=False)}
    if law.family == "locking":
        found["breakaway"] = equations.functions["breakaway"].outputs[0].text
    return found
