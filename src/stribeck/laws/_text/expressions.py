"""The formulas of a law: read, checked for symbols and units, and ready to be evaluated in any order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ...declare import Series
from ...errors import SpecError, UnitError, shortened
from .._dimension import LOAD, PLAIN, RATE, VEL, Dimension, read_unit
from .description import LawText
from .evaluate import definition_of, evaluate
from .functions import DER
from .grammar import parse
from .place import TextPlace
from .tree import Call, Name, Node, Number, Operator, nodes
from .units import UnitCheck, ValueKind

STICK_UNITS = {"window": VEL, "release": VEL, "relaxation": RATE, "capture": LOAD}


@dataclass(frozen=True)
class Expression:
    """A formula with the definitions that it needs, in their order."""

    place: TextPlace
    tree: Node
    needs: tuple[tuple[str, Node], ...]

    def at(self, values: dict[str, Any]) -> Any:
        """Its value; definitions are added to `values` when they are computed."""
        for name, tree in self.needs:
            if name not in values:
                values[name] = evaluate(tree, values)
        return evaluate(self.tree, values)

    @property
    def names(self) -> set[str]:
        """The symbols that it contains, with those of its definitions."""
        trees = [self.tree, *(tree for _, tree in self.needs)]
        return {node.name for tree in trees for node in nodes(tree) if isinstance(node, Name)}


class Expressions:
    """All formulas of a law.

    >>> Expressions(LawText.read("Viscous", {"family": "smooth", "parameters": {"d": 1}, "friction": "d*v"}))
    """

    def __init__(self, law: LawText) -> None:
        self.law = law
        self.parameters = {name: _of_parameter(param) for name, param in law.params.items()}
        self.states = {name: ValueKind(state.unit, whole=bool(state.values)) for name, state in law.states.items()}
        self.arguments = {"v": ValueKind(VEL), "hold": ValueKind(LOAD), "turn": ValueKind(whole=True), **self.states}
        self.trees: dict[str, Node] = {}
        self.places: dict[str, TextPlace] = {}
        for section, entries in (("let", law.let), ("curves", law.curves), ("rates", law.rates)):
            for name, text in entries.items():
                self._define(f"{DER}({name})" if section == "rates" else name, text, law.place.at(section).at(name))
        self.order = self._ordered()
        self.kinds: dict[str, ValueKind] = {}
        self.bases = {name: self._bases(tree) for name, tree in self.trees.items()}
        self._check_definitions()

    def _define(self, name: str, text: Any, place: TextPlace) -> None:
        self.places[name], self.trees[name] = _read(text, place)

    def _ordered(self) -> list[str]:
        """The definitions so that each comes after those it uses; a circle is refused."""
        uses = {name: set(_used(tree)) & set(self.trees) for name, tree in self.trees.items()}
        done: list[str] = []
        waiting = dict(uses)
        while waiting:
            ready = [name for name, used in waiting.items() if used <= set(done)]
            if not ready:
                name = next(iter(waiting))
                circle = ", ".join(shortened(word, 40) for word in list(waiting)[:5])
                raise self.places[name].error(
                    SpecError, f"it depends on itself (circle of {circle}); write one of them without the others"
                )
            done += ready
            waiting = {name: used for name, used in waiting.items() if name not in ready}
        return done

    def _bases(self, tree: Node) -> set[str]:
        """The arguments (speed, states, ...) that a formula depends on, through its definitions too."""
        found, waiting, seen = set(), list(_used(tree)), set()
        while waiting:
            name = waiting.pop()
            if name in self.trees and name not in seen:
                seen.add(name)
                waiting += _used(self.trees[name])
            elif name in self.arguments:
                found.add(name)
        return found

    def _check_definitions(self) -> None:
        """Units of the definitions; rates have the unit of their state per second, curves depend on the speed alone."""
        everything = self.arguments | self.parameters
        for name in self.order:
            place, tree = self.places[name], self.trees[name]
            self.kinds[name] = UnitCheck(place, everything | self.kinds, {}).kind(tree)
            if name in self.law.curves:
                self.expression(place, tree, ("v",), None)
            elif name not in self.law.let:
                state = name[len(DER) + 1 : -1]
                self.expression(place, tree, ("v", *self.states), self.law.states[state].unit.times(RATE))

    def formula(
        self, text: Any, place: TextPlace, bases: Iterable[str] = (), unit: Dimension | None = PLAIN
    ) -> Expression:
        """A formula of the parameters and of some of v, states and hold, with its unit (None: any)."""
        return self.expression(*_read(text, place), bases, unit)

    def condition(self, text: Any, place: TextPlace) -> Expression:
        """A condition on the parameters."""
        place, tree = _read(text, place)
        check = self._check(place, ())
        check.truth(tree, "it")
        return self._with_needs(place, tree)

    def expression(self, place: TextPlace, tree: Node, bases: Iterable[str], unit: Dimension | None) -> Expression:
        """As `formula`, of a tree."""
        kind = self._check(place, bases).value(tree, "it")
        if unit is not None and kind.dimension not in (None, unit):
            assert kind.dimension is not None
            way_out = f"multiply it by something in {unit.over(kind.dimension)}, or check the units of the parameters"
            message = f"it has {kind.dimension.words}, it must have {unit.words}; {way_out}"
            raise place.error(UnitError, message, tree.span)
        return self._with_needs(place, tree)

    def _check(self, place: TextPlace, bases: Iterable[str]) -> UnitCheck:
        """A check in which only these of v, states and hold may be used, directly or through definitions."""
        allowed = set(bases)
        symbols = {name: kind for name, kind in self.arguments.items() if name in allowed} | self.parameters
        others = {name: f"{name} cannot be used here{_here(allowed)}" for name in self.arguments if name not in allowed}
        for name, kind in self.kinds.items():
            surplus = sorted(self.bases[name] - allowed)
            if surplus:
                others[name] = f"{name} depends on {surplus[0]}, which cannot be used here{_here(allowed)}"
            else:
                symbols[name] = kind
        return UnitCheck(place, symbols, others)

    def _with_needs(self, place: TextPlace, tree: Node) -> Expression:
        wanted, waiting = set(), list(_used(tree))
        while waiting:
            name = waiting.pop()
            if name in self.trees and name not in wanted:
                wanted.add(name)
                waiting += _used(self.trees[name])
        return Expression(place, tree, tuple((name, self.trees[name]) for name in self.order if name in wanted))


def _read(text: Any, place: TextPlace) -> tuple[TextPlace, Node]:
    """The tree of a formula, which is a text or a number, and its place."""
    if isinstance(text, bool) or not isinstance(text, str | int | float):
        raise place.error(SpecError, f"{shortened(repr(text), 80)} must be a formula: a text or a number")
    written = text if isinstance(text, str) else f"{text:.17g}"
    here = TextPlace(place.where, written)
    return here, parse(written, here)


def _used(tree: Node) -> list[str]:
    """The symbols and rates in a formula."""
    found = []
    for node in nodes(tree):
        if isinstance(node, Name):
            found.append(node.name)
        elif isinstance(node, Call) and node.function == DER and len(node.parts) == 1:
            found.append(definition_of(node))
    return found


def _here(allowed: set[str]) -> str:
    """What may be used instead."""
    words = [word for word in ("v", *sorted(allowed - {"v"})) if word in allowed]
    return f"; write it with the parameters{' and ' + ', '.join(words) if words else ''}"


def _of_parameter(param: Any) -> ValueKind:
    low = max((bound for bound in (param.min, param.above) if bound is not None), default=-1.0)
    return ValueKind(read_unit(param.unit)[1], series=isinstance(param, Series), positive=low >= 0)


def leaves(tree: Node) -> list[Node]:
    """The values that a choice can give.

    >>> len(leaves(parse("1 if v > 0 else 0")))
    2
    """
    if isinstance(tree, Operator) and tree.op == "if":
        return [leaf for part in tree.parts[1:] for leaf in leaves(part)]
    return [tree]


def constant(tree: Node) -> float | None:
    """The number that a tree is, with its sign; None if it is none.

    >>> constant(parse("-1"))
    -1.0
    """
    if isinstance(tree, Number):
        return tree.value
    if isinstance(tree, Operator) and tree.op == "neg" and isinstance(tree.parts[0], Number):
        return -tree.parts[0].value
    return None
