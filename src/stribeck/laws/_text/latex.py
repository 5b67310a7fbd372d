"""Formulas in LaTeX, for papers."""

from __future__ import annotations

import re
from typing import Any

from .evaluate import definition_of
from .functions import DER, FUNCTIONS
from .grammar import LEVELS, parse
from .tree import Call, Name, Node, Number, Operator

GREEK = re.compile(
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|upsilon|phi|chi|psi|omega",
    re.IGNORECASE,
)
SIGNS = {"<": "<", "<=": r"\le", ">": ">", ">=": r"\ge", "==": "=", "!=": r"\ne", "and": r"\wedge", "or": r"\vee"}
NEGATION, TIMES, POWER, ATOM = 2, LEVELS["*"], 6, 7
"""How strongly things bind, beside `LEVELS`."""
ROW = r" \\ "


def latex(formula: Any) -> str:
    r"""A formula in LaTeX.

    >>> latex("mu_c*tanh(2*v/v_0)")
    '\\mu_{c} \\tanh\\left(\\frac{2 v}{v_{0}}\\right)'
    """
    return _written(parse(str(formula)))[0]


def symbol(name: str) -> str:
    r"""A name in LaTeX: Greek letters, and what follows an underscore or the letters as an index.

    >>> symbol("sigma0"), symbol("v_s"), symbol("zdot")
    ('\\sigma_{0}', 'v_{s}', '\\dot{z}')
    """
    if name.endswith("dot") and len(name) > 3:
        return rf"\dot{{{symbol(name[:-3])}}}"
    stem, _, index = name.partition("_")
    match = re.fullmatch(r"(\D+?)(\d+)", stem)
    if match and not index:
        stem, index = match.groups()
    text = f"\\{stem}" if GREEK.fullmatch(stem) else stem if len(stem) == 1 else rf"\mathrm{{{stem}}}"
    return f"{text}_{{{index.replace('_', ', ')}}}" if index else text


def _written(node: Node) -> tuple[str, int]:
    """A node, and how strongly it binds."""
    if isinstance(node, Number):
        unit = rf"\,\mathrm{{{node.unit}}}" if node.unit else ""
        digits, _, power = f"{node.value:g}".partition("e")
        scaled = rf"{digits} \cdot 10^{{{int(power)}}}" if power else digits
        return f"{scaled}{unit}", TIMES if power else ATOM
    if isinstance(node, Name):
        return symbol(node.name), ATOM
    if isinstance(node, Call):
        return _call(node), ATOM
    return _operation(node)


def _call(node: Call) -> str:
    if node.function == DER:
        return symbol(f"{definition_of(node)[4:-1]}dot")
    parts = [_written(part)[0] for part in node.parts]
    if node.function == "stribeck":
        v, v_s = (_within(part, ATOM) for part in node.parts[:2])
        exponent = parts[2] if len(parts) > 2 else "2"
        return rf"e^{{-\left|{v}/{v_s}\right|^{{{exponent}}}}}"
    template = FUNCTIONS[node.function].latex or rf"\{node.function}\left({{}}\right)"
    if node.function == "clip":
        template = r"\operatorname{{clip}}\left({}\right)"
    return template.format(*parts) if "{0}" in template or "{2}" in template else template.format(", ".join(parts))


def _operation(node: Operator) -> tuple[str, int]:
    parts = node.parts
    if node.op == "if":
        return _cases(node), ATOM
    if node.op == "neg":
        return f"- {_within(parts[0], TIMES)}", LEVELS["+"]
    if node.op == "not":
        return rf"\neg {_within(parts[0], NEGATION + 1)}", NEGATION
    if node.op == "^":
        return f"{_within(parts[0], ATOM)}^{{{_written(parts[1])[0]}}}", POWER
    if node.op == "/":
        return rf"\frac{{{_written(parts[0])[0]}}}{{{_written(parts[1])[0]}}}", POWER
    level = LEVELS[node.op]
    if node.op == "*":
        a, b = (_within(part, level) for part in parts)
        return f"{a} \\cdot {b}" if b[0].isdigit() else f"{a} {b}", level
    sign = SIGNS.get(node.op, node.op)
    return f"{_within(parts[0], level)} {sign} {_within(parts[1], level + (node.op == '-'))}", level


def _cases(node: Operator) -> str:
    rows, rest = [], node
    while isinstance(rest, Operator) and rest.op == "if":
        condition, value, rest = rest.parts  # type: ignore[assignment]
        rows.append(rf"{_written(value)[0]} & \text{{if}}\: {_written(condition)[0]}")
    rows.append(rf"{_written(rest)[0]} & \text{{otherwise}}")
    return rf"\begin{{cases}} {ROW.join(rows)} \end{{cases}}"


def _within(node: Node, level: int) -> str:
    """A node, in parentheses if it binds less strongly than what is around it."""
    text, own = _written(node)
    return rf"\left({text}\right)" if own < level else text
