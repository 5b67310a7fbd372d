"""C99 from expressions: common subexpressions computed once, one division for all powers of a denominator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean
from sympy.printing.c import C99CodePrinter
from sympy.printing.precedence import PRECEDENCE

from stribeck.laws._symbolic import Reciprocal

HALF = sympy.Rational(1, 2)

Statement = tuple[sympy.Symbol, sympy.Expr]


class Printer(C99CodePrinter):
    """SymPy's C99 printer, with products instead of pow(), doubles instead of integers, and p->name for parameters."""

    def __init__(self, parameters: Sequence[sympy.Symbol]) -> None:
        super().__init__({"precision": 17})
        self.parameters = set(parameters)

    def _print_Symbol(self, symbol: Any) -> str:
        return f"p->{symbol.name}" if symbol in self.parameters else super()._print_Symbol(symbol)

    def _print_Integer(self, number: Any) -> str:
        return f"{int(number)}.0"

    def _print_Pow(self, power: Any) -> str:
        base, exponent = power.args
        if exponent == -1:
            return f"1.0/{self.parenthesize(base, PRECEDENCE['Pow'])}"
        if exponent.is_Rational and exponent < 0:
            return f"1.0/{self._print(base**-exponent)}"
        if exponent.is_Integer:
            text = self._print(base)
            return f"({'*'.join([text] * int(exponent))})" if base.is_Symbol else f"sb_powi({text}, {exponent})"
        if exponent.is_Rational and exponent.q == 2 and exponent > 1:
            return f"({self._print(base ** (exponent - HALF))}*{self._print(base**HALF)})"
        return super()._print_Pow(power)

    def _print_BooleanTrue(self, true: Any) -> str:
        return "1"

    def _print_BooleanFalse(self, false: Any) -> str:
        return "0"

    def _print_Equality(self, equality: Any) -> str:
        whole, number = equality.args
        return f"{self._print(whole)} == {int(number)}"

    def _print_Piecewise(self, piecewise: Any) -> str:
        *pieces, (last, condition) = piecewise.args
        if condition != sympy.true:
            raise ValueError(f"{piecewise} has no value when none of its conditions holds; end it with (..., True)")
        branches = [f"{self._print(condition)} ? {self._print(value)} : " for value, condition in pieces]
        return f"({''.join(branches)}{self._print(last)})"

    def statement(self, symbol: sympy.Symbol, value: sympy.Basic) -> str:
        """A local constant: a truth value or a number.

        >>> Printer([]).statement(x0, a < b)
        'const int x0 = a < b;'
        """
        kind = "int" if isinstance(value, Boolean) else "double"
        return f"const {kind} {symbol} = {self.doprint(value)};"


def shared(expressions: Sequence[sympy.Expr]) -> tuple[list[Statement], list[sympy.Expr]]:
    """Statements for what the expressions have in common, and the expressions in terms of them.

    >>> shared([(a + b) / c, (a + b) / c**2])
    ([(x0, a + b), (x1, 1/c)], [x0*x1, x0*x1**2])
    """
    prepared = [_with_reciprocals(expression) for expression in expressions]
    statements, results = sympy.cse(prepared, symbols=sympy.numbered_symbols("x", real=True), order="none")
    return [(symbol, _with_divisions(e)) for symbol, e in statements], [_with_divisions(e) for e in results]


def needed(statements: Sequence[Statement], results: Sequence[sympy.Expr]) -> list[Statement]:
    """The statements that these results depend on.

    >>> needed([(x0, a + b), (x1, a * b)], [x1**2])
    [(x1, a*b)]
    """
    used = set().union(*(result.free_symbols for result in results))
    kept: list[Statement] = []
    for symbol, expression in reversed(statements):
        if symbol in used:
            used |= expression.free_symbols
            kept.insert(0, (symbol, expression))
    return kept


def _with_reciprocals(expression: sympy.Expr) -> sympy.Expr:
    """Negative powers as powers of a reciprocal."""
    return expression.replace(
        lambda e: e.is_Pow and e.exp.is_Number and e.exp.is_negative,
        lambda e: Reciprocal(e.base) ** -e.exp if e.exp.is_Integer else Reciprocal(e.base**-e.exp),
    )


def _with_divisions(expression: sympy.Expr) -> sympy.Expr:
    """Reciprocals as divisions again, once the common ones are found."""
    return expression.replace(Reciprocal, lambda x: 1 / x)
