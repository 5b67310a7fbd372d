"""The value of a formula: a number for numbers, a recorded formula for formulas."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from ...formula import Formula
from .._dimension import read_unit
from ..functions import Piecewise, power, sqrt
from .functions import CONSTANTS, DER, FUNCTIONS
from .tree import Call, Name, Node, Number, Operator

MOST_POWER = 64
"""The largest whole exponent."""


def evaluate(node: Node, values: Mapping[str, Any]) -> Any:
    """The value of a tree with these values for its symbols; a division by 0 gives inf or nan, as in C."""
    if isinstance(node, Number):
        return node.value * read_unit(node.unit)[0] if node.unit else node.value
    if isinstance(node, Name):
        return CONSTANTS[node.name] if node.name in CONSTANTS else values[node.name]
    if isinstance(node, Call) and node.function == DER:
        return values[definition_of(node)]
    if isinstance(node, Operator) and node.op == "^":
        return raised(evaluate(node.parts[0], values), node.parts[1], values)
    parts = [evaluate(part, values) for part in node.parts]
    if isinstance(node, Call):
        try:
            return FUNCTIONS[node.function].apply(*parts)
        except ArithmeticError:  # of numbers
            return math.nan
    return OPERATORS[node.op](*parts)


def definition_of(node: Call) -> str:
    """What a rate is called among the values."""
    (state,) = node.parts
    return f"{DER}({state.name})" if isinstance(state, Name) else ""


def exponent_of(node: Node) -> float | None:
    """The exponent, if it is a number."""
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Operator) and node.op == "neg" and isinstance(node.parts[0], Number):
        return -node.parts[0].value
    if isinstance(node, Operator) and node.op == "/":
        above, below = map(exponent_of, node.parts)
        return above / below if above is not None and below else None
    return None


def raised(base: Any, exponent: Node, values: Mapping[str, Any]) -> Any:
    """A power: products for a whole exponent, a root for halves, else |base|^exponent."""
    n = exponent_of(exponent)
    if n is None:
        return power(base, evaluate(exponent, values))
    if n < 0:
        return quotient(1.0, _raised(base, -n))
    return _raised(base, n)


def _raised(base: Any, n: float) -> Any:
    if n == int(n):
        return _whole(base, int(n))
    if 2 * n == int(2 * n):
        root = sqrt(base)
        return root if n < 1 else _whole(base, int(n)) * root
    return power(base, n)


def _whole(base: Any, n: int) -> Any:
    """A product of n factors, from left to right; of squares, if there are many."""
    if n == 0:
        return 1.0
    if n > 8:
        half = _whole(base, n // 2)
        return half * half * base if n % 2 else half * half
    result = base
    for _ in range(n - 1):
        result = result * base
    return result


def quotient(a: Any, b: Any) -> Any:
    """a/b; of numbers as in C."""
    try:
        return a / b
    except ZeroDivisionError:
        sign = math.copysign(1.0, b) * a
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, sign)


def _not(condition: Any) -> Any:
    return ~condition if isinstance(condition, Formula) else not condition


def _choice(condition: Any, a: Any, b: Any) -> Any:
    return Piecewise((a, condition), (b, True))


OPERATORS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": quotient,
    "neg": operator.neg,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "and": operator.and_,
    "or": operator.or_,
    "not": _not,
    "if": _choice,
}
"""All operators but the power."""
