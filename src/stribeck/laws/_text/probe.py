"""What a text law gives in numbers, with its default parameters: mistakes show before a model runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite, nan
from typing import Any

from ...declare import Values
from ...errors import SpecError
from ...formula import NUMBERS, FormulaTape, NoDerivative
from .._derived import defaults, slowest, states_at
from .._equations import LawEquations
from ..law import Law
from .description import LawText
from .evaluate import evaluate
from .expressions import Expression
from .tree import Name, Node, Number, nodes

DECADES = [10.0**k for k in range(-9, 4)]
"""Speeds at which a law is tried (SI)."""
ACTIVE = 1e-9
"""Power, relative to the largest friction times the speed, that is more than rounding."""
JUMP = 1e-3
"""Change of friction within a speed that is practically 0, relative to its largest value, that is a jump."""


def check_numbers(law: Any, text: LawText, expressions: Mapping[str, Expression]) -> None:
    """Refuses a law that has no value at rest, jumps there, or drives."""
    try:
        p = defaults(law)
    except SpecError as error:
        raise text.place.error(SpecError, f"with its defaults: {error}") from None
    for expression in expressions.values():
        _check_at_rest(law, p, expression)
    _check_slopes(law, p, text, list(expressions.values()))
    if law.family == "smooth":
        _check_smooth(law, p, text)
    if law.family == "locking":
        _check_locking(law, p, text)


def _check_slopes(law: Any, p: Values, text: LawText, expressions: Sequence[Expression]) -> None:
    """Refuses formulas whose derivatives by the speed and the states are missing, or not finite at v = 0."""
    equations = LawEquations(law)
    try:
        slopes = equations.functions["flow_jac"].results["jac"]
    except NoDerivative as error:
        raise text.place.error(SpecError, str(error)) from None
    if law.curve:
        return
    values = numbers_of(equations.tape, {**vars(p), **dict.fromkeys(("v", "hold", "turn", "v_held", *law.states), 0.0)})
    for row, expression in enumerate(expressions):
        if not all(isfinite(values[x.node]) for x in slopes[row * (1 + len(law.states)) :][: 1 + len(law.states)]):
            raise expression.place.error(
                SpecError,
                "its slope at v = 0 is not finite; keep the argument of sqrt and the base of a power below 1 away from "
                "0, as in sqrt(v^2 + v_0^2)",
            )


def numbers_of(tape: FormulaTape, inputs: Mapping[str, float]) -> list[float]:
    """The value of every node of a tape; NaN where it has none."""
    values: list[float] = []
    for node, (op, operands) in enumerate(tape.nodes):
        if op in ("INPUT", "CONSTANT"):
            values.append(inputs[tape.names[node]] if op == "INPUT" else tape.values[node])
            continue
        try:
            values.append(NUMBERS[op](*(values[x] for x in operands)))
        except (ArithmeticError, ValueError):
            values.append(nan)
    return values


def speeds(law: type[Law], p: Values) -> list[float]:
    """Speeds of many sizes, and around the characteristic one."""
    width = slowest(law, p)
    near = [share * width for share in (0.1, 0.3, 1.0, 2.0, 5.0, 20.0)] if isfinite(width) else []
    return sorted([*DECADES, *near])


def _check_at_rest(law: Any, p: Values, expression: Expression) -> None:
    """Refuses a formula without value at v = 0 with states at 0; points at the part that has none."""
    values = {**vars(p), "v": 0.0, **dict.fromkeys(law.states, 0.0)}
    if _is_number(expression.at(values)):
        return
    for tree in (*(tree for _, tree in expression.needs), expression.tree):
        fault = _first_fault(tree, values)
        if fault is not None:
            part = _written(fault, expression, tree)
            span = fault.span if tree is expression.tree else None
            rest = "at v = 0 with states at 0" if law.states else "at v = 0"
            raise expression.place.error(
                SpecError,
                f"{rest} {part} is {evaluate(fault, values):g}; for a sign write sign(v), for a magnitude abs(v), and "
                "do not divide by what is 0 at rest",
                span,
            )


def _first_fault(tree: Node, values: Mapping[str, Any]) -> Node | None:
    """The first part whose value is not finite while those of its parts are."""
    for node in reversed(list(nodes(tree))):
        if isinstance(node, Number | Name):
            continue
        if not _is_number(evaluate(node, values)) and all(_is_number(evaluate(x, values)) for x in node.parts):
            return node
    return None


def _is_number(value: Any) -> bool:
    return not isinstance(value, float) or isfinite(value)


def _written(node: Node, expression: Expression, tree: Node) -> str:
    if tree is not expression.tree:
        return "a definition in it"
    start, end = node.span
    text = expression.place.text[start:end]
    return text if len(text) <= 60 else f"{text[:50]}..."


def _check_smooth(law: Any, p: Values, text: LawText) -> None:
    """Refuses friction that jumps at v = 0 or drives."""
    tried = speeds(law, p)
    friction = {v: float(law.friction(p, v)) for size in tried for v in (size, -size)}
    place = text.place.at("friction")
    for v, f in friction.items():
        if not isfinite(f):
            raise place.error(SpecError, f"at v = {v:g} it is {f:g}; limit it, for instance by min, max or tanh")
    largest = max(map(abs, friction.values()))
    rest, tiny = float(law.friction(p, 0.0)), 1e-12 * tried[0]
    if abs(law.friction(p, tiny) - rest) > JUMP * largest or abs(law.friction(p, -tiny) - rest) > JUMP * largest:
        raise place.error(
            SpecError,
            f"it jumps at v = 0, from {law.friction(p, -tiny):g} to {law.friction(p, tiny):g}; for true stick write a "
            "locking law (sliding, breakaway), or smooth it: tanh(v/v_0) for sign(v)",
        )
    if law.passive(p):
        _refuse_drive(friction, largest, place)


def _check_locking(law: Any, p: Values, text: LawText) -> None:
    """Refuses break-away below sliding friction, and sliding friction that drives."""
    tried = speeds(law, p)
    sliding = {v: float(law.sliding(p, v, *states_at(law, p, v))) for v in tried}
    for v, f in sliding.items():
        if not isfinite(f):
            raise text.place.at("sliding").error(SpecError, f"at v = {v:g} it is {f:g}; limit it, for instance by max")
    if law.passive(p):
        _refuse_drive(sliding, max(map(abs, sliding.values())), text.place.at("sliding"))
    z = states_at(law, p, 0.0)
    limit, rest = float(law.breakaway(p, *z)), float(law.sliding(p, 0.0, *z))
    if not rest * (1 - ACTIVE) <= limit < inf:
        raise text.place.at("breakaway").error(
            SpecError,
            f"the static limit {limit:g} is below the sliding friction {rest:g} at v = 0, so it would slip at once; "
            "raise breakaway or lower sliding",
        )


def _refuse_drive(friction: Mapping[float, float], largest: float, place: Any) -> None:
    for v, f in friction.items():
        if f * v < -ACTIVE * largest * abs(v):
            raise place.error(
                SpecError,
                f"at v = {v:g} it is {f:g} and drives the motion (power {f * v:g}); check the signs, or state that the "
                "law is active: passive: false",
            )
