"""Formulas: equations that are recorded as a list of operations, and that differentiate themselves.

The equations of a friction law are called with formulas instead of numbers. What they return is a graph of operations
in which equal ones occur once. From it come the C of the laws of this package (`tools.codegen`) and the tape that the
kernel runs for laws of users: the same operations in the same order, so both give the same bits.

    tape = FormulaTape()
    v = tape.input("v")
    friction = 2 * tanh(v / 0.1)
    slope = derivative(friction, v)

Every operation states its C and its derivative once, in `OPERATIONS`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from .errors import SpecError

Term: TypeAlias = "Formula | float"
"""An operand: a formula or a number."""

Rule: TypeAlias = Callable[["Formula", tuple[Any, ...], tuple[Any, ...]], Any]
"""The derivative of a result from the result, its operands and their derivatives."""


class NoDerivative(SpecError):
    """An operation has no derivative here."""


@dataclass(frozen=True)
class FormulaOperation:
    """An operation: its C, with a, b, c, d for the operands, its precedence in C, and its derivative."""

    c: str
    slope: Rule | None = None
    level: int = 9
    """How strongly it binds: 9 for a call, 7 for a product, 6 for a sum, 4 for a comparison."""
    truth: bool = False
    """Whether the result is 1 or 0 and decides a selection."""
    curve: bool = False
    """Whether it reads the points of the law."""

    @property
    def arity(self) -> int:
        """Number of operands."""
        return 4 if "{d}" in self.c else 3 if "{c}" in self.c else 2 if "{b}" in self.c else 1


def _quotient(y: Formula, x: tuple[Any, ...], dx: tuple[Any, ...]) -> Any:
    return (dx[0] - y * dx[1]) * divide(1.0, x[1])  # one division serves the derivatives by all arguments


def _power(y: Formula, x: tuple[Any, ...], dx: tuple[Any, ...]) -> Any:
    base, exponent = x
    by_base = (
        dx[0] * (exponent * apply("POWER", base, exponent - 1) * apply("SIGN", base)) if not is_zero(dx[0]) else 0.0
    )
    return by_base + (dx[1] * (y * apply("LOG", base)) if not is_zero(dx[1]) else 0.0)


def _log(y: Formula, x: tuple[Any, ...], dx: tuple[Any, ...]) -> Any:
    return dx[0] * (apply("POWER", x[0], -1.0) * apply("SIGN", x[0]))


def _stribeck(y: Formula, x: tuple[Any, ...], dx: tuple[Any, ...]) -> Any:
    v, v_s, exponent = x
    total: Any = 0.0
    if not is_zero(dx[0]) or not is_zero(dx[1]):
        slope = apply("STRIBECK_SLOPE", y, v, v_s, exponent)
        total = slope * dx[0]
        if not is_zero(dx[1]):
            total = total - apply("FADING", slope, v / v_s) * dx[1]
    if not is_zero(dx[2]):
        ratio = v / v_s
        total = total - apply("FADING", y, apply("POWER", ratio, exponent) * apply("LOG", ratio)) * dx[2]
    return total


def _saturate(y: Formula, x: tuple[Any, ...], dx: tuple[Any, ...]) -> Any:
    part = 1 / (1 + x[1] * x[0])  # squared after the division: x^2 may overflow where x/(1 + s x) does not
    return dx[0] * (part * part) - (dx[1] * (y * y) if not is_zero(dx[1]) else 0.0)


def _no_slope(y: Formula, x: tuple[Any, ...], dx: tuple[Any, ...]) -> Any:
    return 0.0


OPERATIONS: dict[str, FormulaOperation] = {
    "ADD": FormulaOperation("{a} + {b}", lambda y, x, dx: dx[0] + dx[1], level=6),
    "SUBTRACT": FormulaOperation("{a} - {b}", lambda y, x, dx: dx[0] - dx[1], level=6),
    "MULTIPLY": FormulaOperation("{a} * {b}", lambda y, x, dx: dx[0] * x[1] + x[0] * dx[1], level=7),
    "DIVIDE": FormulaOperation("{a} / {b}", _quotient, level=7),
    "NEGATE": FormulaOperation("-{a}", lambda y, x, dx: -dx[0], level=8),
    "ABS": FormulaOperation("sb_abs({a})", lambda y, x, dx: dx[0] * apply("SIGN", x[0])),
    "SIGN": FormulaOperation("sb_sign({a})", _no_slope),
    "SQRT": FormulaOperation("sb_sqrt({a})", lambda y, x, dx: dx[0] / (2 * y)),
    "EXP": FormulaOperation("sb_exp({a})", lambda y, x, dx: dx[0] * y),
    "LOG": FormulaOperation("sb_log({a})", _log),
    "SIN": FormulaOperation("SB_EACH(sin, {a})", lambda y, x, dx: dx[0] * apply("COS", x[0])),
    "COS": FormulaOperation("SB_EACH(cos, {a})", lambda y, x, dx: -(dx[0] * apply("SIN", x[0]))),
    "ATAN": FormulaOperation("SB_EACH(atan, {a})", lambda y, x, dx: dx[0] / (1 + x[0] * x[0])),
    "TANH": FormulaOperation("SB_EACH(tanh, {a})", lambda y, x, dx: dx[0] * (1 - y * y)),
    "POWER": FormulaOperation("sb_pow({a}, {b})", _power),
    "FADING": FormulaOperation("sb_fading({a}, {b})", lambda y, x, dx: dx[0] * x[1] + dx[1] * x[0]),
    "STRIBECK": FormulaOperation("sb_stribeck({a}, {b}, {c})", _stribeck),
    "STRIBECK_SLOPE": FormulaOperation("sb_stribeck_slope({a}, {b}, {c}, {d})"),
    "SMOOTH_STEP": FormulaOperation("sb_smooth_step({a})", lambda y, x, dx: dx[0] * apply("SMOOTH_STEP_SLOPE", x[0])),
    "SMOOTH_STEP_SLOPE": FormulaOperation("sb_smooth_step_slope({a})"),
    "SATURATE": FormulaOperation("sb_saturate({a}, {b})", _saturate),
    "HELD": FormulaOperation("sb_held(curve, {a})", lambda y, x, dx: dx[0] * apply("HELD_SLOPE", x[0]), curve=True),
    "HELD_SLOPE": FormulaOperation("sb_held_slope(curve, {a})", _no_slope, curve=True),
    "LINES": FormulaOperation("sb_lines(curve, {a})", lambda y, x, dx: dx[0] * apply("LINES_SLOPE", x[0]), curve=True),
    "LINES_SLOPE": FormulaOperation("sb_lines_slope(curve, {a})", _no_slope, curve=True),
    "LESS": FormulaOperation("{a} < {b}", _no_slope, level=4, truth=True),
    "AT_MOST": FormulaOperation("{a} <= {b}", _no_slope, level=4, truth=True),
    "EQUAL": FormulaOperation("{a} == {b}", _no_slope, level=4, truth=True),
    "AND": FormulaOperation("sb_and({a}, {b})", _no_slope, truth=True),
    "OR": FormulaOperation("sb_or({a}, {b})", _no_slope, truth=True),
    "NOT": FormulaOperation("sb_not({a})", _no_slope, truth=True),
    "SELECT": FormulaOperation("sb_pick({a}, {b}, {c})", lambda y, x, dx: select(x[0], dx[1], dx[2])),
}
"""Every operation by its name in the kernel."""

ARITHMETIC = ("ADD", "SUBTRACT", "MULTIPLY", "DIVIDE")
LONGEST_CHAIN = 3


def chain_name(ops: Sequence[str], sides: Sequence[str]) -> str:
    """The name of operations in a row, each on the result of the one before: on its left or right side (L, R).

    >>> chain_name(["MULTIPLY", "ADD"], ["L"])
    'MULTIPLY_ADD_L'
    """
    return "_".join([ops[0], *(f"{op}_{side}" for op, side in zip(ops[1:], sides, strict=True))])


def _chains() -> dict[str, FormulaOperation]:
    """Two or three arithmetic operations in a row, as one: a tape passes results on through memory, which takes longer
    than the arithmetic. Each is rounded as before."""
    found = {name: OPERATIONS[name].c for name in ARITHMETIC}
    rows = [([name], list[str](), f"({OPERATIONS[name].c})") for name in ARITHMETIC]
    for letter in "cd"[: LONGEST_CHAIN - 1]:
        rows = [
            (
                [*ops, op],
                [*sides, side],
                "("
                + OPERATIONS[op].c.format(
                    **({"a": text, "b": f"{{{letter}}}"} if side == "L" else {"a": f"{{{letter}}}", "b": text})
                )
                + ")",
            )
            for ops, sides, text in rows
            for op in ARITHMETIC
            for side in "LR"
        ]
        found |= {chain_name(ops, sides): text for ops, sides, text in rows}
    return {name: FormulaOperation(text) for name, text in found.items() if name not in OPERATIONS}


def _joined() -> dict[str, FormulaOperation]:
    """An arithmetic operation on the results of two others, as one: MULTIPLY_ADD_MULTIPLY is a b + c d."""
    found = {}
    for first, op, second in itertools.product(ARITHMETIC, repeat=3):
        left, right = OPERATIONS[first].c, OPERATIONS[second].c.format(a="{c}", b="{d}")
        found[f"{first}_{op}_{second}"] = FormulaOperation(OPERATIONS[op].c.format(a=f"({left})", b=f"({right})"))
    return found


CHAINS: dict[str, FormulaOperation] = (
    _chains()
    | _joined()
    | {
        "LESS_SELECT": FormulaOperation("sb_pick({a} < {b}, {c}, {d})"),
        "AT_MOST_SELECT": FormulaOperation("sb_pick({a} <= {b}, {c}, {d})"),
    }
)
"""Operations in a row that a tape runs as one."""

PAIRED = (*ARITHMETIC, "NEGATE", "ABS", "SIGN")
"""Short operations: a tape runs two of them as one with two results."""


def pair_name(first: str, second: str) -> str:
    """The name of two operations that are run as one, with two results.

    >>> pair_name("ABS", "DIVIDE")
    'ABS_AND_DIVIDE'
    """
    return f"{first}_AND_{second}"


COMMUTATIVE = frozenset({"ADD", "MULTIPLY", "EQUAL", "AND", "OR"})


class FormulaTape:
    """A list of operations on inputs and constants; equal operations are recorded once.

    >>> tape = FormulaTape()
    >>> x = tape.input("x")
    >>> x * x + 1
    Formula(x*x + 1)
    """

    def __init__(self) -> None:
        self.nodes: list[tuple[str, tuple[int, ...]]] = []
        """Operation and operands of every node; inputs are ("INPUT", ()), constants ("CONSTANT", ())."""
        self.values: dict[int, float] = {}
        """The numbers of the constants."""
        self.names: dict[int, str] = {}
        """The names of the inputs."""
        self._known: dict[Any, int] = {}
        self._slopes: dict[tuple[int, int], Any] = {}

    def input(self, name: str) -> Formula:
        """A new input."""
        node = self._append("INPUT", ())
        self.names[node] = name
        return Formula(self, node)

    def constant(self, value: float) -> Formula:
        """A number; -0.0 and 0.0 are two numbers."""
        value = float(value)
        key = ("CONSTANT", value, math.copysign(1.0, value))
        node = self._known.get(key)
        if node is None:
            node = self._known[key] = self._append("CONSTANT", ())
            self.values[node] = value
        return Formula(self, node)

    def formula(self, value: Term) -> Formula:
        """A formula or a number as a formula of this tape."""
        if not isinstance(value, Formula):
            return self.constant(value)
        if value.tape is not self:
            raise SpecError("a formula of one law is used in the equations of another; write it in each law")
        return value

    def record(self, op: str, operands: Sequence[Term]) -> Formula:
        """The result of an operation, recorded if it is new."""
        places = tuple(self.formula(x).node for x in operands)
        ordered = tuple(sorted(places)) if op in COMMUTATIVE else places
        node = self._known.get((op, ordered))
        if node is None:
            node = self._known[op, ordered] = self._append(op, places)
        return Formula(self, node)

    def _append(self, op: str, operands: tuple[int, ...]) -> int:
        self.nodes.append((op, operands))
        return len(self.nodes) - 1

    def behind(self, results: Iterable[Formula]) -> list[int]:
        """The nodes that some results need, in order."""
        waiting = [x.node for x in results]
        seen = set(waiting)
        while waiting:
            for x in self.nodes[waiting.pop()][1]:
                if x not in seen:
                    seen.add(x)
                    waiting.append(x)
        return sorted(seen)

    def slope(self, node: int, by: int) -> Any:
        """The derivative of a node by an input: a formula, or 0.0 where there is none."""
        wanted = [node]
        while wanted:
            here = wanted[-1]
            if (here, by) in self._slopes:
                wanted.pop()
                continue
            op, operands = self.nodes[here]
            missing = [x for x in operands if (x, by) not in self._slopes]
            if missing:
                wanted += missing
                continue
            self._slopes[here, by] = self._own_slope(here, op, operands, by)
        return self._slopes[node, by]

    def _own_slope(self, node: int, op: str, operands: tuple[int, ...], by: int) -> Any:
        if node == by:
            return 1.0
        inner = tuple(self._slopes[x, by] for x in operands)
        if all(is_zero(x) for x in inner):
            return 0.0
        rule = OPERATIONS[op].slope
        if rule is None:
            raise NoDerivative(
                f"{op.lower().replace('_', ' ')} is a derivative already and has no further one; write the formula "
                "with exp, tanh, sqrt or powers"
            )
        return rule(Formula(self, node), tuple(self._term(x) for x in operands), inner)

    def _term(self, node: int) -> Term:
        """A node as an operand: a number if it is a constant."""
        return self.values[node] if node in self.values else Formula(self, node)


class Formula:
    """A node of a tape, used like a number. It has no value, so it cannot decide an `if`: use `Piecewise`.

    >>> v = FormulaTape().input("v")
    >>> abs(v) < 0.1
    Formula(|v| < 0.1)
    """

    __slots__ = ("node", "tape")
    __hash__ = None  # type: ignore[assignment]  # == records a comparison

    def __init__(self, tape: FormulaTape, node: int) -> None:
        self.tape, self.node = tape, node

    def __add__(self, other: Any) -> Any:
        return add(self, other) if is_term(other) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return add(other, self) if is_term(other) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return subtract(self, other) if is_term(other) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return subtract(other, self) if is_term(other) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        return multiply(self, other) if is_term(other) else NotImplemented

    def __rmul__(self, other: Any) -> Any:
        return multiply(other, self) if is_term(other) else NotImplemented

    def __truediv__(self, other: Any) -> Any:
        return divide(self, other) if is_term(other) else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        return divide(other, self) if is_term(other) else NotImplemented

    def __pow__(self, exponent: Any) -> Any:
        return power(self, exponent) if is_term(exponent) else NotImplemented

    def __rpow__(self, base: Any) -> Any:
        return power(base, self) if is_term(base) else NotImplemented

    def __neg__(self) -> Any:
        return negate(self)

    def __pos__(self) -> Formula:
        return self

    def __abs__(self) -> Any:
        return apply("ABS", self)

    def __lt__(self, other: Any) -> Any:
        return apply("LESS", self, other) if is_term(other) else NotImplemented

    def __gt__(self, other: Any) -> Any:
        return apply("LESS", other, self) if is_term(other) else NotImplemented

    def __le__(self, other: Any) -> Any:
        return apply("AT_MOST", self, other) if is_term(other) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return apply("AT_MOST", other, self) if is_term(other) else NotImplemented

    def __eq__(self, other: object) -> Any:
        return apply("EQUAL", self, other) if is_term(other) else NotImplemented

    def __ne__(self, other: object) -> Any:
        return apply("NOT", apply("EQUAL", self, other)) if is_term(other) else NotImplemented

    def __and__(self, other: Any) -> Any:
        return _both(self, other)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        return _either(self, other)

    __ror__ = __or__

    def __invert__(self) -> Any:
        return apply("NOT", self)

    def __bool__(self) -> bool:
        raise SpecError(
            f"the equations of a law are recorded once, so `if`, `and`, `or`, `min` and `max` cannot decide on "
            f"{self.text}; use Piecewise((a, condition), (b, True)), & and |, smaller() and larger()"
        )

    def __float__(self) -> float:
        raise SpecError(
            f"{self.text} is a formula, not a number: use the functions of stribeck.laws.functions (exp, tanh, sqrt, "
            "...) instead of those of math or numpy"
        )

    __int__ = __index__ = __float__

    def _stepped(self, *others: Any) -> Any:
        """Operations with steps, which have no derivative."""
        raise SpecError(
            f"{self.text} cannot be rounded: %, //, round() and floor() have no derivative; write the pieces with "
            "Piecewise((a, condition), (b, True))"
        )

    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __round__ = __floor__ = __ceil__ = __trunc__ = _stepped

    def __array_ufunc__(self, ufunc: Any, method: str, *operands: Any, **options: Any) -> Any:
        """np.tanh(x) and 2.0 * x with numbers of NumPy."""
        function = NUMPY.get(ufunc.__name__)
        if function is None or method != "__call__" or options:
            return self.__float__()
        return function(*(x if isinstance(x, Formula) else float(x) for x in operands))

    @property
    def text(self) -> str:
        """The formula for people, in plain characters."""
        return _text(self.tape, self.node)[0]

    def __repr__(self) -> str:
        return f"Formula({self.text})"


def is_term(x: object) -> bool:
    """Whether it can be an operand: a formula or a number.

    >>> is_term(2), is_term("2")
    (True, False)
    """
    return isinstance(x, Formula | int | float)


def is_zero(x: Any) -> bool:
    """Whether it is the number 0.

    >>> is_zero(0.0), is_zero(FormulaTape().input("x"))
    (True, False)
    """
    return not isinstance(x, Formula) and x == 0


def _number(x: Any) -> float | None:
    """The number that an operand is, if it is one."""
    return x.tape.values.get(x.node) if isinstance(x, Formula) else float(x)


def apply(op: str, *operands: Any) -> Any:
    """An operation on formulas and numbers; on numbers alone the number.

    >>> apply("TANH", 0.0)
    0.0
    """
    tape = next((x.tape for x in operands if isinstance(x, Formula)), None)
    numbers = [_number(x) for x in operands]
    if OPERATIONS[op].curve or any(x is None for x in numbers):
        if tape is None:
            raise SpecError(f"{op.lower()} needs a formula")
        return tape.record(op, operands)
    return NUMBERS[op](*numbers)


def add(a: Any, b: Any) -> Any:
    """a + b."""
    if is_zero(a) or is_zero(b):
        return b if is_zero(a) else a
    if isinstance(b, Formula) and b.tape.nodes[b.node][0] == "NEGATE":
        return subtract(a, Formula(b.tape, b.tape.nodes[b.node][1][0]))
    return apply("ADD", a, b)


def subtract(a: Any, b: Any) -> Any:
    """a - b."""
    if is_zero(b):
        return a
    if is_zero(a):
        return negate(b)
    if isinstance(a, Formula) and isinstance(b, Formula) and a.node == b.node:
        return 0.0
    if isinstance(b, Formula) and b.tape.nodes[b.node][0] == "NEGATE":
        return add(a, Formula(b.tape, b.tape.nodes[b.node][1][0]))
    return apply("SUBTRACT", a, b)


def multiply(a: Any, b: Any) -> Any:
    """a b."""
    for x, y in ((a, b), (b, a)):
        number = None if isinstance(x, Formula) else x
        if number is not None and number in (0, 1, -1):
            return 0.0 if number == 0 else y if number == 1 else negate(y)
    return apply("MULTIPLY", a, b)


def divide(a: Any, b: Any) -> Any:
    """a/b."""
    if is_zero(a) and isinstance(b, Formula):
        return 0.0
    if not isinstance(b, Formula) and b == 1:
        return a
    return apply("DIVIDE", a, b)


def negate(a: Any) -> Any:
    """-a."""
    if isinstance(a, Formula) and a.tape.nodes[a.node][0] == "NEGATE":
        return Formula(a.tape, a.tape.nodes[a.node][1][0])
    return apply("NEGATE", a)


MOST_FACTORS = 8
"""Powers up to this one are products."""


def power(a: Any, exponent: Any) -> Any:
    """a to a power: products and square roots for small whole and half exponents, else |a|^exponent, 0 at a = 0.

    >>> x = FormulaTape().input("x")
    >>> x**3
    Formula(x*x*x)
    """
    n = _number(exponent)
    if n is not None and n < 0:
        return divide(1.0, power(a, -n))
    if n is not None and n <= MOST_FACTORS and n == int(n):
        return product([a] * int(n))
    if n is not None and n <= MOST_FACTORS and 2 * n == int(2 * n):
        return multiply(power(a, n - 0.5), apply("SQRT", a))
    return apply("POWER", a, exponent)


def product(factors: Iterable[Any]) -> Any:
    """The product of some factors, from left to right.

    >>> product([2.0, 3.0])
    6.0
    """
    result: Any = 1.0
    for factor in factors:
        result = multiply(result, factor)
    return result


def select(condition: Any, a: Any, b: Any) -> Any:
    """a where the condition holds, else b."""
    if not isinstance(condition, Formula):
        return a if condition else b
    tape = condition.tape
    if tape.formula(a).node == tape.formula(b).node:
        return a
    return tape.record("SELECT", (condition, a, b))


def piecewise(*pieces: tuple[Any, Any]) -> Any:
    """The first value whose condition holds; the last condition is True.

    >>> v = FormulaTape().input("v")
    >>> piecewise((0.0, v < 0), (v, True))
    Formula(v < 0 ? 0 : v)
    """
    *before, (last, always) = pieces
    if isinstance(always, Formula) or not always:
        raise SpecError("Piecewise has no value when none of its conditions holds; end it with (..., True)")
    for value, condition in reversed(before):
        last = select(condition, value, last)
    return last


def _both(a: Any, b: Any) -> Any:
    for x, y in ((a, b), (b, a)):
        if not isinstance(x, Formula):
            return y if x else False
    return apply("AND", a, b)


def _either(a: Any, b: Any) -> Any:
    for x, y in ((a, b), (b, a)):
        if not isinstance(x, Formula):
            return True if x else y
    return apply("OR", a, b)


def derivative(of: Any, by: Formula) -> Any:
    """The derivative of a formula by an input: a formula or a number.

    >>> x = FormulaTape().input("x")
    >>> derivative(3 * x * x, x)
    Formula(3*x + 3*x)
    """
    return by.tape.slope(of.node, by.node) if isinstance(of, Formula) else 0.0


NUMPY: dict[str, Callable[..., Any]] = {
    "add": add,
    "subtract": subtract,
    "multiply": multiply,
    "divide": divide,
    "power": power,
    "negative": negate,
    "absolute": lambda x: apply("ABS", x),
    "fabs": lambda x: apply("ABS", x),
    "sign": lambda x: apply("SIGN", x),
    "arctan": lambda x: apply("ATAN", x),
    "less": lambda a, b: apply("LESS", a, b),
    "less_equal": lambda a, b: apply("AT_MOST", a, b),
    "greater": lambda a, b: apply("LESS", b, a),
    "greater_equal": lambda a, b: apply("AT_MOST", b, a),
    "sqrt": partial(apply, "SQRT"),
    "exp": partial(apply, "EXP"),
    "log": partial(apply, "LOG"),
    "sin": partial(apply, "SIN"),
    "cos": partial(apply, "COS"),
    "tanh": partial(apply, "TANH"),
}
"""Functions of NumPy by name."""


# -- numbers ---


def _sign(x: float) -> float:
    return math.copysign(1.0, x) if x > 0 or x < 0 else x * 0.0


def _exp(x: float) -> float:
    return 0.0 if x < -700 else math.inf if x > 709.782712893384 else math.exp(x)


def _power_of(x: float, a: float) -> float:
    try:
        return 0.0 if x == 0 else math.pow(abs(x), a)
    except OverflowError:
        return math.inf


def _stribeck_of(v: float, v_s: float, a: float) -> float:
    return _exp(-_power_of(_quotient_of(v, v_s), a))


def _stribeck_slope_of(s: float, v: float, v_s: float, a: float) -> float:
    return 0.0 if s == 0 else -s * (a * (1.0 if a == 1 else _power_of(v / v_s, a - 1)) * _sign(v) / v_s)


def _smooth_step_of(x: float) -> float:
    return math.sin(math.pi / 2 * min(max(x, 0.0), 1.0)) ** 2


def _quotient_of(a: float, b: float) -> float:
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)


NUMBERS: dict[str, Callable[..., Any]] = {
    "ADD": lambda a, b: a + b,
    "SUBTRACT": lambda a, b: a - b,
    "MULTIPLY": lambda a, b: a * b,
    "DIVIDE": _quotient_of,
    "NEGATE": lambda a: -a,
    "ABS": abs,
    "SIGN": _sign,
    "SQRT": lambda a: math.sqrt(a) if a >= 0 else math.nan,
    "EXP": _exp,
    "LOG": lambda a: 0.0 if a == 0 else math.log(abs(a)),
    "SIN": math.sin,
    "COS": math.cos,
    "ATAN": math.atan,
    "TANH": math.tanh,
    "POWER": _power_of,
    "FADING": lambda s, x: 0.0 if s == 0 else s * x,
    "STRIBECK": _stribeck_of,
    "STRIBECK_SLOPE": _stribeck_slope_of,
    "SMOOTH_STEP": _smooth_step_of,
    "SMOOTH_STEP_SLOPE": lambda x: math.pi / 2 * math.sin(math.pi * x) if 0 < x < 1 else 0.0,
    "SATURATE": lambda x, s: x / (1 + s * x),
    "LESS": lambda a, b: a < b,
    "AT_MOST": lambda a, b: a <= b,
    "EQUAL": lambda a, b: a == b,
    "AND": lambda a, b: bool(a and b),
    "OR": lambda a, b: bool(a or b),
    "NOT": lambda a: not a,
    "SELECT": lambda c, a, b: a if c else b,
}
"""The operations on plain numbers."""


# -- text ---

PLAIN = {
    "ABS": ("|{a}|", 9),
    "MULTIPLY": ("{a}*{b}", 7),
    "DIVIDE": ("{a}/{b}", 7),
    "AND": ("{a} && {b}", 3),
    "OR": ("{a} || {b}", 2),
    "NOT": ("!{a}", 8),
    "SELECT": ("{a} ? {b} : {c}", 1),
}
"""How operations are written for people where it is not as in C, and how strongly that binds."""


def _text(tape: FormulaTape, node: int) -> tuple[str, int]:
    """A node in plain characters, and how strongly it binds."""
    op, operands = tape.nodes[node]
    if op == "INPUT":
        return tape.names[node], 9
    if op == "CONSTANT":
        value = tape.values[node]
        return f"{value:g}", 9 if value >= 0 else 6
    pattern, binds = PLAIN.get(op, (OPERATIONS[op].c, OPERATIONS[op].level))
    if binds == 9 and op not in PLAIN:
        words = ", ".join(_text(tape, x)[0] for x in operands)
        return f"{op.lower()}({words})", 9
    parts = {}
    for i, (letter, x) in enumerate(zip("abcd", operands, strict=False)):
        text, level = _text(tape, x)
        weak = level < binds or (level == binds and i > 0 and op in ("SUBTRACT", "DIVIDE"))
        parts[letter] = f"({text})" if weak and op != "ABS" else text
    return pattern.format(**parts), binds
