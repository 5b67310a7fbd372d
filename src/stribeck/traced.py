"""Numbers that remember how they were computed from the parameters of a model.

Compiling a model is a computation on its parameters. Run on traced numbers, it leaves a record: the operations on
values (nodes of a tape, which the kernel evaluates again for other parameters) and the decisions between them (guards).
While all guards hold, the record is valid, and other parameters need no compilation.

A traced number that leaves the record, through `float(x)`, `math.sin(x)` or NumPy, pins its value: the record is valid
for that value only. A record can become less general in this way, but never wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from operator import eq, le, lt
from typing import Any, NamedTuple, TypeAlias

AnyNumber: TypeAlias = "float | Traced"
"""A plain number or a traced one."""

Number: TypeAlias = float
"""A plain number, or a `Traced` one that is used like a number."""

ExactNumber: TypeAlias = Fraction
"""A fraction, or a `TracedFraction` that is used like one."""


class TapeOperation(NamedTuple):
    """One operation on earlier nodes of a tape, by its name in the kernel."""

    op: str
    operands: tuple[int, ...]
    data: tuple[float, ...] = ()


class Guard(NamedTuple):
    """A decision: whether `left < right` (or <=, ==) between two nodes holds."""

    relation: str
    left: int
    right: int
    holds: bool


@dataclass
class Recorder:
    """The record of one compilation.

    >>> recorder = Recorder()
    >>> c = recorder.input(2.0)
    >>> (3 * c).value, len(recorder.operations)
    (6.0, 3)
    """

    operations: list[TapeOperation] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    """The value of every node in this compilation."""
    inputs: list[int] = field(default_factory=list)
    """The nodes that are parameters."""
    remainders: dict[int, int] = field(default_factory=dict)
    """By input: the input that holds its decimal remainder."""
    guards: dict[Guard, None] = field(default_factory=dict)
    pins: set[int] = field(default_factory=set)
    """Nodes whose values have left the record."""

    def __post_init__(self) -> None:
        self._known: dict[tuple[str, tuple[int, ...], tuple[float, ...]], int] = {}

    def input(self, value: float) -> Traced:
        """A new parameter."""
        node = self._append(TapeOperation("INPUT", ()), value)
        self.inputs.append(node)
        return Traced(self, node, value)

    def node(self, op: str, operands: Sequence[AnyNumber], value: float, data: tuple[float, ...] = ()) -> Traced:
        """The result of an operation; equal operations are recorded once."""
        places = tuple([x.node if isinstance(x, Traced) else self.place(x) for x in operands])
        key = op, places, data
        node = self._known.get(key)
        if node is None:
            node = self._known[key] = self._append(TapeOperation(op, places, data), value)
        return Traced(self, node, value)

    def place(self, number: AnyNumber) -> int:
        """The node of a number; a plain one becomes a constant."""
        if isinstance(number, Traced):
            return number.node
        key = "CONSTANT", (), (float(number),)
        node = self._known.get(key)
        if node is None:
            node = self._known[key] = self._append(TapeOperation(*key), float(number))
        return node

    def decide(self, relation: str, left: AnyNumber, right: AnyNumber, holds: bool) -> bool:
        """Records a decision and returns it."""
        self.guards[Guard(relation, self.place(left), self.place(right), holds)] = None
        return holds

    def remainder(self, node: int) -> Traced:
        """The decimal notation of an input minus its binary number: 0.1 is meant as one tenth."""
        value = decimal_remainder(self.values[node])
        if node not in self.remainders:
            self.remainders[node] = self.input(value).node
        return Traced(self, self.remainders[node], value)

    def _append(self, operation: TapeOperation, value: float) -> int:
        self.operations.append(operation)
        self.values.append(value)
        return len(self.operations) - 1


class Traced:
    """A number with its node on the tape. A comparison becomes a guard; a value that leaves the record is pinned.

    >>> x = Recorder().input(2.0)
    >>> (x * x + 1).value
    5.0
    """

    __slots__ = ("node", "recorder", "value")
    __array_ufunc__ = None  # NumPy leaves arithmetic to this class

    def __init__(self, recorder: Recorder, node: int, value: float) -> None:
        self.recorder = recorder
        self.node = node
        self.value = value

    def __add__(self, other: Any) -> Any:
        if type(other) is Traced:
            return self.recorder.node("SUM", (self, other), self.value + other.value, (0.0, 1.0, 1.0))
        if not isinstance(other, int | float):
            return NotImplemented
        return self if other == 0 else self.recorder.node("SUM", (self, other), self.value + other, (0.0, 1.0, 1.0))

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, int | float):
            return NotImplemented
        return self if other == 0 else self.recorder.node("SUM", (other, self), other + self.value, (0.0, 1.0, 1.0))

    def __sub__(self, other: Any) -> Any:
        if type(other) is Traced:
            if other.node == self.node:
                return 0.0
            return self.recorder.node("SUM", (self, other), self.value - other.value, (0.0, 1.0, -1.0))
        if not isinstance(other, int | float):
            return NotImplemented
        return self if other == 0 else self.recorder.node("SUM", (self, other), self.value - other, (0.0, 1.0, -1.0))

    def __rsub__(self, other: Any) -> Any:
        if not isinstance(other, int | float):
            return NotImplemented
        return self.recorder.node("SUM", (other, self), other - self.value, (0.0, 1.0, -1.0))

    def __mul__(self, other: Any) -> Any:
        if type(other) is Traced:
            return self.recorder.node("PRODUCT", (self, other), self.value * other.value)
        if not isinstance(other, int | float):
            return NotImplemented
        return self if other == 1 else self.recorder.node("PRODUCT", (self, other), self.value * other)

    def __rmul__(self, other: Any) -> Any:
        if not isinstance(other, int | float):
            return NotImplemented
        return self if other == 1 else self.recorder.node("PRODUCT", (other, self), other * self.value)

    def __truediv__(self, other: Any) -> Any:
        if type(other) is Traced:
            return self.recorder.node("QUOTIENT", (self, other), self.value / other.value)
        if not isinstance(other, int | float):
            return NotImplemented
        return self if other == 1 else self.recorder.node("QUOTIENT", (self, other), self.value / other)

    def __rtruediv__(self, other: Any) -> Any:
        if not isinstance(other, int | float):
            return NotImplemented
        return self.recorder.node("QUOTIENT", (other, self), other / self.value)

    def __pow__(self, exponent: Any) -> Any:
        if not is_plain(exponent):
            return self.value ** pinned(exponent) if isinstance(exponent, Traced) else NotImplemented
        return self.recorder.node("POWER", (self,), self.value**exponent, (float(exponent),))

    def __neg__(self) -> Traced:
        return self.recorder.node("SUM", (self,), -self.value, (0.0, -1.0))

    def __pos__(self) -> Traced:
        return self

    def __abs__(self) -> Traced:
        return -self if self < 0 else self

    def __lt__(self, other: Any) -> Any:
        return self._decide("<", other, lt, swapped=False)

    def __le__(self, other: Any) -> Any:
        return self._decide("<=", other, le, swapped=False)

    def __gt__(self, other: Any) -> Any:
        return self._decide("<", other, lt, swapped=True)

    def __ge__(self, other: Any) -> Any:
        return self._decide("<=", other, le, swapped=True)

    def __eq__(self, other: object) -> Any:
        return self._decide("==", other, eq, swapped=False)

    def _decide(self, relation: str, other: Any, holds: Callable[[float, float], bool], swapped: bool) -> Any:
        """Whether the relation holds between this and another number, or `swapped` the other way round; recorded."""
        if type(other) is Traced:
            if other.node == self.node:
                return relation != "<"
            value = other.value
        elif isinstance(other, int | float):
            value = other
        else:
            return NotImplemented
        left, right, a, b = (other, self, value, self.value) if swapped else (self, other, self.value, value)
        return self.recorder.decide(relation, left, right, bool(holds(a, b)))

    def __bool__(self) -> bool:
        return bool(self != 0.0)

    def __float__(self) -> float:
        return pinned(self)

    def __int__(self) -> int:
        return int(pinned(self))

    __index__ = __int__

    def __floor__(self) -> int:
        return math.floor(pinned(self))

    def __round__(self, digits: int | None = None) -> Any:
        return round(pinned(self), digits)

    def __hash__(self) -> int:
        return hash(pinned(self))

    def __format__(self, form: str) -> str:
        return format(self.value, form)

    def __repr__(self) -> str:
        return repr(self.value)


PRIME = 2**61 - 1
"""Residues modulo this prime show whether an exact expression is 0 for all parameters; 0 by chance: about 4e-19."""


class TracedFraction:
    """An exact number that follows from parameters.

    On the tape it is the sum of two numbers: the rounded value, and the rounding error. Together they have 106 bits,
    and the rounded value is that of the fraction, except in about one case of 2^50. A residue, the same expression
    modulo `PRIME` with random parameters, separates what is 0 for all parameters from what is 0 for these values.

    Most of them are intermediate results that are never read, so each is put on the tape when its value is requested.
    """

    __slots__ = ("_op", "_operands", "_traced", "nonzero", "recorder", "residue", "value")

    def __init__(
        self,
        recorder: Recorder,
        value: Fraction,
        residue: int,
        op: str,
        operands: tuple[Any, ...],
        nonzero: bool = False,
    ) -> None:
        self.recorder, self.value, self.residue = recorder, value, residue % PRIME
        self._op, self._operands = op, operands
        self._traced: Traced | None = None
        self.nonzero = nonzero
        """Whether the record already has the guard that it is not 0."""

    def of(self, other: Any) -> TracedFraction | None:
        """An exact or plain number as a traced fraction; None if it is neither."""
        if isinstance(other, TracedFraction):
            return other
        if not isinstance(other, int | float | Fraction):
            return None
        value = Fraction(other)
        high = float(value)
        residue = value.numerator * pow(value.denominator, -1, PRIME)
        pair = (high, float(value - Fraction(high)))
        return TracedFraction(self.recorder, value, residue, "PAIR", pair, value != 0)

    @property
    def rounded(self) -> Traced:
        """The nearest floating-point number; puts it and its operands on the tape."""
        waiting = [self]
        while waiting:
            last = waiting[-1]
            exact = [] if last._op == "PAIR" else last._operands
            missing = [x for x in exact if x._traced is None] if last._traced is None else []
            waiting += missing
            if not missing:
                waiting.pop()
                if last._traced is None:
                    operands = last._operands if last._op == "PAIR" else tuple(x._traced for x in exact)
                    last._traced = self.recorder.node(last._op, operands, float(last.value))
        assert self._traced is not None
        return self._traced

    def _made(self, op: str, other: TracedFraction, value: Fraction, residue: int, nonzero: bool) -> TracedFraction:
        return TracedFraction(self.recorder, value, residue, op, (self, other), nonzero)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, TracedFraction) and other == 0:
            return self
        x = self.of(other)
        if x is None:
            return NotImplemented
        return self._made("PAIR_SUM", x, self.value + x.value, self.residue + x.residue, False)

    __radd__ = __add__

    def __neg__(self) -> TracedFraction:
        minus = self.of(-1)
        assert minus is not None
        return self._made("PAIR_PRODUCT", minus, -self.value, -self.residue, self.nonzero)

    def __sub__(self, other: Any) -> Any:
        x = self.of(other)
        return NotImplemented if x is None else self + -x

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, TracedFraction) and other in (0, 1):
            return Fraction(0) if other == 0 else self
        x = self.of(other)
        if x is None:
            return NotImplemented
        return self._made("PAIR_PRODUCT", x, self.value * x.value, self.residue * x.residue, self.nonzero and x.nonzero)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if not isinstance(other, TracedFraction) and other == 1:
            return self
        x = self.of(other)
        return NotImplemented if x is None else self._over(x)

    def __rtruediv__(self, other: Any) -> Any:
        x = self.of(other)
        return NotImplemented if x is None else x._over(self)

    def _over(self, x: TracedFraction) -> TracedFraction:
        residue = self.residue * pow(x.residue, -1, PRIME)
        return self._made("PAIR_QUOTIENT", x, self.value / x.value, residue, self.nonzero and x.nonzero)

    def __bool__(self) -> bool:
        if not self.value:
            if self.residue:
                pinned_inputs(self.rounded)
            return False
        if not self.nonzero:
            self.nonzero = bool(self.rounded != 0.0)
        return True

    def _compare(self, other: Any, relation: str) -> bool:
        """Decides exactly; records the rounded numbers; pins the parameters of both if these compare differently."""
        x = self.of(other)
        assert x is not None, other
        if self.value == x.value:
            if self.residue != x.residue:
                pinned_inputs(self.rounded, x.rounded)
            return relation != "<"
        exactly = {"<": self.value < x.value, "<=": self.value <= x.value, "==": False}[relation]
        a, b = self.rounded, x.rounded if isinstance(other, TracedFraction) else float(x.value)
        if exactly != {"<": a < b, "<=": a <= b, "==": a == b}[relation]:
            pinned_inputs(self.rounded, x.rounded)
        return exactly

    def __lt__(self, other: Any) -> bool:
        return self._compare(other, "<")

    def __le__(self, other: Any) -> bool:
        return self._compare(other, "<=")

    def __gt__(self, other: Any) -> bool:
        return not self._compare(other, "<=")

    def __ge__(self, other: Any) -> bool:
        return not self._compare(other, "<")

    def __eq__(self, other: object) -> bool:
        return self._compare(other, "==")

    def __abs__(self) -> TracedFraction:
        return -self if self < 0 else self

    def __hash__(self) -> int:
        pinned_inputs(self.rounded)
        return hash(self.value)

    def __float__(self) -> float:
        pinned_inputs(self.rounded)
        return float(self.value)

    def __repr__(self) -> str:
        return repr(self.value)


def is_plain(number: object) -> bool:
    """Whether it is a number without a record.

    >>> is_plain(2), is_plain("2 N")
    (True, False)
    """
    return isinstance(number, int | float)


def is_number(value: object) -> bool:
    """Whether it is a number, with or without a record; a text with a unit is not one yet.

    >>> is_number("4 kN")
    False
    """
    return isinstance(value, int | float | Traced)


def value_of(number: AnyNumber) -> float:
    """The value in this compilation, without a guard: use it only where no decision depends on it.

    >>> value_of(2.0)
    2.0
    """
    return number.value if isinstance(number, Traced) else number


def values_of(numbers: Iterable[AnyNumber]) -> list[float]:
    """The same of many; those of a measured record are plain numbers.

    >>> values_of([2.0, 3.0])
    [2.0, 3.0]
    """
    return [x if x.__class__ is float else value_of(x) for x in numbers]


def pinned(number: AnyNumber) -> float:
    """The value as a plain number; the record is valid for this value alone.

    >>> pinned(2.0)
    2.0
    """
    if isinstance(number, Traced):
        number.recorder.decide("==", number, number.value, True)
        number.recorder.pins.add(number.node)
        return number.value
    return number


def pinned_inputs(*numbers: AnyNumber) -> None:
    """Pins the parameters that some numbers depend on.

    >>> pinned_inputs(2.0)
    """
    for number in numbers:
        if isinstance(number, Traced):
            waiting, seen = [number.node], set[int]()
            while waiting:
                node = waiting.pop()
                if node not in seen:
                    seen.add(node)
                    waiting += number.recorder.operations[node].operands
            for node in seen.intersection(number.recorder.inputs):
                pinned(Traced(number.recorder, node, number.recorder.values[node]))


def decimal_remainder(value: float) -> float:
    """The shortest decimal notation of a number minus the number itself.

    >>> decimal_remainder(0.5), decimal_remainder(0.1)
    (0.0, -5.551115123125783e-18)
    """
    return float(Fraction(repr(value)) - Fraction(value))


def exact(value: AnyNumber) -> Any:
    """The number as it is written: 0.1 is one tenth.

    >>> exact(0.1)
    Fraction(1, 10)
    """
    if not isinstance(value, Traced):
        return Fraction(repr(float(value)))
    residue = int.from_bytes(sha256(str(value.node).encode()).digest()[:8], "little")
    if value.recorder.operations[value.node].op != "INPUT":  # computed: the binary number is what is meant
        return TracedFraction(value.recorder, Fraction(value.value), residue, "PAIR", (value, 0.0))
    pair = value, value.recorder.remainder(value.node)
    return TracedFraction(value.recorder, Fraction(repr(value.value)), residue, "PAIR", pair)


def rounded(value: ExactNumber | float) -> Any:
    """An exact number as the nearest floating-point number.

    >>> rounded(Fraction(1, 2))
    0.5
    """
    return value.rounded if isinstance(value, TracedFraction) else float(value)


def is_close(a: AnyNumber, b: AnyNumber, rel_tol: float = 1e-9, abs_tol: float = 0.0) -> bool:
    """Whether two numbers are equal up to a relative or an absolute difference, as math.isclose.

    >>> is_close(1.0, 1.0 + 1e-12)
    True
    """
    sizes: list[Any] = [abs(a), abs(b)]
    return bool(abs(a - b) <= max(rel_tol * max(sizes), abs_tol))


def is_always(number: AnyNumber, value: float) -> bool:
    """Whether a number has this value for all parameters: a term that is 0 now may differ from 0 for other values.

    >>> is_always(0.0, 0.0), is_always(Recorder().input(0.0), 0.0)
    (True, False)
    """
    return not isinstance(number, Traced) and number == value


def power(base: AnyNumber, exponent: AnyNumber) -> Any:
    """A power as math.pow gives it.

    >>> power(2.0, 3.0)
    8.0
    """
    return base ** pinned(exponent) if isinstance(base, Traced) else math.pow(base, pinned(exponent))


def function(name: str, x: AnyNumber) -> Any:
    """sin, cos, tan, exp, log, sqrt, tanh or atan of a number.

    >>> function("sqrt", 4.0)
    2.0
    """
    if not isinstance(x, Traced):
        return getattr(math, name)(x)
    if name == "tan":
        return function("sin", x) / function("cos", x)
    return x.recorder.node(name.upper(), (x,), getattr(math, name)(x.value))
