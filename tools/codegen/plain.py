"""Readable formulas: repeated parts get a name; as text with positive terms first, cases in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from sympy.printing.str import StrPrinter

from stribeck.laws._symbolic import Saturate

WORTH_A_NAME = 3
"""Operations of a repeated part that make it worth a name."""
NAMES = "ghabcdefijk"


class Printer(StrPrinter):
    """SymPy's text with ^ for powers and cases in words."""

    def _print_Add(self, expr: Any, order: Any = None) -> str:
        negative = {self._print(term): term.could_extract_minus_sign() for term in expr.args}
        terms = sorted(negative, key=lambda text: (negative[text], "(" in text, text))
        return " + ".join(terms).replace("+ -", "- ")

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        return super()._print_Pow(expr, rational).replace("**", "^")

    def _print_Piecewise(self, expr: Any) -> str:
        cases = [f"{self._print(value)} if {self._print(condition)}" for value, condition in expr.args]
        return f"({', '.join(cases)})".replace(" if True)", " otherwise)")


def plain(formula: Any) -> str:
    """A formula as text.

    >>> plain(v - sigma0 * Abs(v) * z / mu_c)
    'v - sigma0*z*|v|/mu_c'
    """
    return str(Printer().doprint(formula.replace(Saturate, lambda x, s: x / (1 + s * x))))


def with_parts(formulas: Mapping[str, Any]) -> dict[str, Any]:
    """The formulas, followed by their longer repeated parts as separate formulas.

    >>> with_parts({"friction": a * (b + c) ** 2 + exp((b + c) ** 2)})
    {'friction': a*g + exp(g), 'g': (b + c)**2}
    """
    expressions = [sympy.sympify(formula) for formula in formulas.values()]
    taken = {symbol.name for expression in expressions for symbol in expression.free_symbols}
    names = (name for name in NAMES if name not in taken)
    parts, reduced = sympy.cse(expressions, order="none")
    known: dict[Any, Any] = {}
    longer: dict[str, Any] = {}
    for symbol, part in parts:
        known[symbol] = part.xreplace(known)
        if known[symbol].count_ops() >= WORTH_A_NAME:
            name = next(names)
            longer[name], known[symbol] = known[symbol], sympy.Symbol(name, real=True)
    return dict(zip(formulas, (expression.xreplace(known) for expression in reduced), strict=True)) | longer
