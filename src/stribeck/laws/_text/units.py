"""The unit check: every operation of a formula must make sense in its units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...declare import unknown
from ...errors import SpecError, UnitError, UnknownName
from .._dimension import PLAIN, Dimension, read_unit
from .evaluate import MOST_POWER, definition_of, exponent_of
from .functions import CONSTANTS, DER, FUNCTIONS
from .place import TextPlace
from .tree import Call, Name, Node, Number, Operator

COMPARED = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(frozen=True)
class ValueKind:
    """What a formula gives: a number of a dimension (None: 0, which fits all), a condition, or a list."""

    dimension: Dimension | None = PLAIN
    truth: bool = False
    series: bool = False
    positive: bool = False
    """Whether it is a number that is never negative."""
    whole: bool = False
    """Whether it is a whole number: a mode."""


TRUTH = ValueKind(truth=True)


@dataclass(frozen=True)
class UnitCheck:
    """Checks the units of one formula; `symbols` are those that it may use, `others` those it may not, and why."""

    place: TextPlace
    symbols: Mapping[str, ValueKind]
    others: Mapping[str, str]

    def kind(self, node: Node) -> ValueKind:
        """What a node gives."""
        if isinstance(node, Number):
            return self.number(node)
        if isinstance(node, Name):
            return self.symbol(node)
        if isinstance(node, Call):
            return self.rate(node) if node.function == DER else self.call(node)
        if node.op in ("and", "or", "not"):
            for part in node.parts:
                self.truth(part, f"`{node.op}`")
            return TRUTH
        if node.op == "if":
            return self.choice(node)
        return self.arithmetic(node)

    def number(self, node: Number) -> ValueKind:
        """A number, with the unit in its brackets."""
        if not node.unit:
            whole = node.value == int(node.value)
            return ValueKind(PLAIN if node.value else None, positive=node.value >= 0, whole=whole)
        try:
            return ValueKind(read_unit(node.unit)[1], positive=True)
        except ValueError as error:
            raise self.place.error(UnitError, f"{error}; write for instance 20 [mm/s]", node.span) from None

    def symbol(self, node: Name) -> ValueKind:
        """A symbol, which must be known here."""
        if node.name in CONSTANTS:
            return ValueKind(positive=True)
        if node.name in self.symbols:
            return self.symbols[node.name]
        if node.name in self.others:
            raise self.place.error(SpecError, self.others[node.name], node.span)
        if node.name in FUNCTIONS or node.name == DER:
            arguments = FUNCTIONS[node.name].arguments if node.name in FUNCTIONS else "z"
            raise self.place.error(SpecError, f"{node.name} is a function; write {node.name}({arguments})", node.span)
        known = [name for name in self.symbols if not name.startswith(f"{DER}(")]
        raise self.place.error(UnknownName, unknown("there is no symbol", node.name, [*known, *CONSTANTS]), node.span)

    def rate(self, node: Call) -> ValueKind:
        """The rate of a state."""
        if len(node.parts) != 1 or not isinstance(node.parts[0], Name):
            raise self.place.error(SpecError, "der(z) is the rate of a state; write its name alone", node.span)
        name = definition_of(node)
        if name in self.symbols:
            return self.symbols[name]
        if name in self.others:
            raise self.place.error(SpecError, self.others[name], node.span)
        states = [word[4:-1] for word in (*self.symbols, *self.others) if word.startswith(f"{DER}(")]
        raise self.place.error(
            UnknownName, unknown("there is no rate of", node.parts[0].name, states), node.parts[0].span
        )

    def choice(self, node: Operator) -> ValueKind:
        """One of two values by a condition."""
        condition, a, b = node.parts
        self.truth(condition, "`if`")
        first, second = self.value(a, "`if`"), self.value(b, "`else`")
        same = self.same(node, (a, b), (first, second), "both values of a choice")
        return ValueKind(same, positive=first.positive and second.positive, whole=first.whole and second.whole)

    def arithmetic(self, node: Operator) -> ValueKind:
        """Sums, products, powers and comparisons."""
        kinds = [self.value(part, f"'{node.op}'" if node.op != "neg" else "a sign") for part in node.parts]
        positive, whole = all(kind.positive for kind in kinds), all(kind.whole for kind in kinds)
        dimensions = [kind.dimension for kind in kinds]
        if node.op == "neg":
            return ValueKind(dimensions[0], whole=whole)
        if node.op == "^":
            return self.power(node, kinds)
        if node.op in ("*", "/"):
            a, b = dimensions
            if a is None or b is None:
                return ValueKind(None, positive=positive)
            return ValueKind(a.times(b) if node.op == "*" else a.over(b), positive=positive)
        if node.op in COMPARED:
            if node.op in ("==", "!=") and not whole:
                raise self.place.error(
                    SpecError,
                    f"{node.op} compares whole numbers, as modes are; continuous values are never equal: write < or >",
                    node.span,
                )
            self.same(node, node.parts, kinds, f"both sides of {node.op}")
            return TRUTH
        same = self.same(node, node.parts, kinds, f"both sides of {node.op}")
        return ValueKind(same, positive=positive and node.op == "+", whole=whole)

    def power(self, node: Operator, kinds: list[ValueKind]) -> ValueKind:
        """A power: any unit to a number, else no units."""
        base, exponent = node.parts
        n = exponent_of(exponent)
        if n is not None and abs(n) > MOST_POWER:
            raise self.place.error(SpecError, f"the exponent is beyond {MOST_POWER}; write it smaller", exponent.span)
        if (n is None or n != int(n)) and not kinds[0].positive:
            message = f"the base of a power with the exponent {self.written(exponent)} must not be negative"
            raise self.place.error(SpecError, f"{message}; write abs(...)^{self.written(exponent)}", base.span)
        if n is None:
            for part, kind in zip(node.parts, kinds, strict=True):
                self.plain(part, kind, "of a power with such an exponent")
            return ValueKind(positive=True)
        even = n == int(n) and int(n) % 2 == 0
        dimension = kinds[0].dimension
        powers = None if dimension is None else dimension.to(Fraction(n).limit_denominator(1000))
        return ValueKind(powers, positive=kinds[0].positive or even)

    def call(self, node: Call) -> ValueKind:
        """A function of its arguments."""
        function = FUNCTIONS.get(node.function)
        if function is None:
            raise self.place.error(UnknownName, self.no_function(node), node.span)
        count, most = len(node.parts), function.most
        if count < function.least or (most is not None and count > most):
            raise self.place.error(
                SpecError, f"{node.function} has the arguments ({function.arguments}), not {count} of them", node.span
            )
        kinds = [
            self.series(part, node.function) if function.units == "table" and i > 0 else self.value(part, node.function)
            for i, part in enumerate(node.parts)
        ]
        dimension = getattr(self, f"_{function.units}")(node, kinds)
        return ValueKind(dimension, positive=function.positive or all(kind.positive for kind in kinds))

    def no_function(self, node: Call) -> str:
        """The message for an unknown function, or for a symbol that is used as one."""
        if node.function in self.symbols or node.function in CONSTANTS:
            return f"{node.function} is no function; write {node.function}*(...) for a product"
        return unknown("there is no function with a derivative called", node.function, [*FUNCTIONS, DER])

    # --- units of functions ---

    def _alike(self, node: Call, kinds: list[ValueKind]) -> Dimension | None:
        return self.same(node, node.parts, kinds, f"all arguments of {node.function}")

    def _plain(self, node: Call, kinds: list[ValueKind]) -> Dimension | None:
        for part, kind in zip(node.parts, kinds, strict=True):
            self.plain(part, kind, f"of {node.function}")
        return PLAIN

    def _sign(self, node: Call, kinds: list[ValueKind]) -> Dimension | None:
        return PLAIN

    def _root(self, node: Call, kinds: list[ValueKind]) -> Dimension | None:
        dimension = kinds[0].dimension
        return None if dimension is None else dimension.to(Fraction(1, 2))

    def _stribeck(self, node: Call, kinds: list[ValueKind]) -> Dimension | None:
        self.same(node, node.parts[:2], kinds[:2], "the speeds of stribeck")
        for part, kind in zip(node.parts[2:], kinds[2:], strict=True):
            self.plain(part, kind, "of the exponent of stribeck")
        return PLAIN

    def _saturate(self, node: Call, kinds: list[ValueKind]) -> Dimension | None:
        x, s = (kind.dimension for kind in kinds)
        if x is not None and s is not None and x.times(s) != PLAIN:
            message = f"saturate(x, s) = x/(1 + s*x): s must have {PLAIN.over(x).words}, it has {s.words}"
            raise self.place.error(UnitError, message, node.parts[1].span)
        return x

    def _table(self, node: Call, kinds: list[ValueKind]) -> Dimension | None:
        self.same(node, node.parts[:2], kinds[:2], f"x and the abscissae of {node.function}")
        return kinds[2].dimension

    # --- parts ---

    def value(self, node: Node, what: str) -> ValueKind:
        """A part that must be a number."""
        kind = self.kind(node)
        if kind.truth:
            raise self.place.error(
                SpecError, f"{what} needs a number, this is a condition; write 1 if ... else 0", node.span
            )
        if kind.series:
            way_out = "; write interpolate(x, abscissae, ordinates)"
            raise self.place.error(SpecError, f"{what} needs a number, this is a list{way_out}", node.span)
        return kind

    def truth(self, node: Node, what: str) -> None:
        """A part that must be a condition."""
        if not self.kind(node).truth:
            message = f"{what} needs a condition, this is a number; write for instance abs(v) < 0.1 [{{vel}}]"
            raise self.place.error(SpecError, message, node.span)

    def series(self, node: Node, what: str) -> ValueKind:
        """A part that must be a list of the law."""
        kind = self.kind(node)
        if not kind.series:
            message = (
                f"{what} needs lists of the law, x, abscissae and ordinates; give parameters with a list as default"
            )
            raise self.place.error(SpecError, message, node.span)
        return kind

    def same(self, node: Node, parts: Sequence[Node], kinds: Sequence[ValueKind], what: str) -> Dimension | None:
        """The unit that several parts must have in common."""
        known = [(part, kind.dimension) for part, kind in zip(parts, kinds, strict=True) if kind.dimension is not None]
        for part, dimension in known[1:]:
            first, common = known[0]
            if dimension != common:
                sides = f"{self.written(first)} has {common.words}, {self.written(part)} has {dimension.words}"
                raise self.place.error(UnitError, f"{what} must have one unit; {sides}{_way_out(known)}", node.span)
        return known[0][1] if known else None

    def plain(self, node: Node, kind: ValueKind, what: str) -> None:
        """A part that must have no unit."""
        if kind.dimension not in (None, PLAIN):
            assert kind.dimension is not None
            message = f"the argument {what} must have no unit, {self.written(node)} has {kind.dimension.words}"
            raise self.place.error(UnitError, f"{message}; divide it by a parameter in {kind.dimension}", node.span)

    def written(self, node: Node) -> str:
        """A part as it is written, if it is short."""
        start, end = node.span
        text = self.place.text[start:end]
        return text if len(text) <= 40 else f"{text[:30]}..."


def _way_out(known: Sequence[tuple[Node, Dimension]]) -> str:
    """What to write, if one of the parts is a bare number."""
    units = [dimension for _, dimension in known if dimension != PLAIN]
    for part, _ in known:
        if isinstance(part, Number) and units:
            return f"; write {part.value:g} [{units[0]}], or make it a parameter with this unit"
    return "; check the units of the parameters"
