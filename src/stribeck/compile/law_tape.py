"""Laws for the kernel: by name if the kernel has compiled C for them, else as tapes of their formulas."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ..errors import SpecError
from ..formula import ARITHMETIC, LONGEST_CHAIN, PAIRED, FormulaTape, chain_name, pair_name
from ..kernel import MOST_LAW_STATES, MOST_REGISTERS, LawRecord, formula_number
from ..laws import Law, LawEquations, LawFunction

FUNCTIONS = (
    "flow",
    "flow_jac",
    "held_jac",
    "steady",
    "storage",
    "curvature",
    "breakaway",
    "change",
    "stick",
    "flow_param",
    "breakaway_param",
    "storage_param",
    "guard",
    "jump",
)
"""The functions of a law in the order of the kernel."""

COMPARED = ("LESS", "AT_MOST")
"""Comparisons that are run together with the selection that they decide."""

WORDS = 5
"""Integers of one operation: its number and up to four operands."""

MOST_DECISIONS = 4
"""Conditions that are decided one after the other."""

LEAST_SAVED = 2
"""Operations that a decision saves at least, on average of both cases; it costs one, more where it is not foreseen."""


@dataclass(frozen=True)
class LawTape:
    """A law as integers and numbers that the kernel runs.

    >>> law_tape(Makkar).facts["n_param"]
    2
    """

    facts: dict[str, Any]
    """Name, family, kind of lock and sizes."""
    code: np.ndarray
    constants: np.ndarray

    @cached_property
    def key(self) -> str:
        """Name and hash: equal for laws with equal equations."""
        digest = hashlib.sha256(repr(sorted(self.facts.items())).encode())
        digest.update(self.code.tobytes() + self.constants.tobytes())
        return f"{self.facts['name']}:{digest.hexdigest()[:16]}"

    @cached_property
    def record(self) -> LawRecord:
        """The law in the kernel."""
        return LawRecord(self.facts, self.code, self.constants)


_TAPES: WeakKeyDictionary[type[Law], LawTape] = WeakKeyDictionary()


def law_tape(law: type[Law]) -> LawTape | None:
    """The tape of a law, recorded once; None for a law that the kernel has compiled.

    >>> law_tape(LuGre) is None
    True
    """
    if law.compiled:
        return None
    if law().count:
        raise SpecError(
            f"{law.__name__} is a law of equal elements, which needs compiled C; use one of the package, or write its "
            "elements out as states"
        )
    if law not in _TAPES:
        try:
            _TAPES[law] = record_law(law)
        except SpecError as error:
            raise type(error)(str(error) if law.__name__ in str(error) else f"{law.__name__}: {error}") from None
    return _TAPES[law]


def law_record(law: Law) -> LawRecord:
    """The law in the kernel.

    >>> law_record(LuGre()).n_state
    1
    """
    tape = law_tape(type(law))
    return LawRecord(law.name, law.count) if tape is None else tape.record


def record_law(law: type[Law]) -> LawTape:
    """The tape of any law, also of one that the kernel has compiled: a check of both.

    >>> record_law(LuGre).facts["n_state"]
    1
    """
    if len(law.states) > MOST_LAW_STATES:
        raise SpecError(
            f"the law {law.__name__} has {len(law.states)} states, at most {MOST_LAW_STATES}; for equal elements in "
            "parallel use MaxwellSlip or GMS"
        )
    equations = LawEquations(law)
    functions = equations.functions
    outputs = [x for function in functions.values() for x in function.outputs]
    constants = [node for node in equations.tape.behind(outputs) if node in equations.tape.values]
    given = _given(equations, constants)
    code: list[int] = []
    for name in FUNCTIONS:
        code += _coded(equations, functions[name], given) if name in functions else [-1, 0]
    facts = {
        "name": law.name,
        "family": law.family,
        "lock": getattr(law, "lock", "switch"),
        "n_param": len(law.scalars),
        "n_state": len(law.states),
        "n_guard": len(equations.jumps),
        "has_curve": int(bool(law.curve)),
        "linear": int(equations.linear),
    }
    return LawTape(facts, np.array(code, np.int32), np.array([equations.tape.values[n] for n in constants], float))


def _given(equations: LawEquations, constants: Sequence[int]) -> dict[int, int]:
    """Registers of arguments, states, parameters and constants, by node."""
    arguments = [equations.v, equations.v_held, equations.hold, equations.turn]
    inputs = [*arguments, *equations.z, *equations.scalars.values()]
    return {node: i for i, node in enumerate([*(x.node for x in inputs), *constants])}


def _coded(equations: LawEquations, function: LawFunction, given: Mapping[int, int]) -> list[int]:
    """One function as integers."""
    outputs = [x.node for x in function.outputs]
    words = _branches(_Branch(equations.tape, {}, given), outputs, equations.law.__name__)
    return [len(words), len(outputs), *words]


def _branches(branch: _Branch, outputs: Sequence[int], law: str) -> list[int]:
    """The operations of a function from here on: up to a decision and then those of both cases, or to the results."""
    condition = branch.worth_deciding(outputs)
    if condition is None:
        code = _Code(branch, outputs)
        if len(code.register) > MOST_REGISTERS:
            raise SpecError(
                f"the law {law} is too long: {len(code.register)} operations and values, at most {MOST_REGISTERS}; use "
                "fewer states, or write it as one file in the package, where it is compiled"
            )
        return [*code.words, formula_number("END"), *(code.register[branch.source(x)] for x in outputs)]
    name, read = branch.decision(condition)
    code = _Code(branch, read)
    then, other = (
        _branches(_Branch(branch.tape, branch.decided | {condition: case}, code.register), outputs, law)
        for case in (True, False)
    )
    places = [code.register[x] for x in read]
    decision = [formula_number(name), *places, *[0] * (WORDS - 2 - len(places)), WORDS + len(then)]
    return [*code.words, *decision, *then, *other]


@dataclass(frozen=True)
class _Branch:
    """Where some conditions are decided, and some nodes are in registers."""

    tape: FormulaTape
    decided: dict[int, bool]
    register: Mapping[int, int]

    def source(self, node: int) -> int:
        """The node that a value comes from: of a selection that is decided, one of its two."""
        op, operands = self.tape.nodes[node]
        while op == "SELECT" and operands[0] in self.decided:
            node = operands[1 if self.decided[operands[0]] else 2]
            op, operands = self.tape.nodes[node]
        return node

    def operation(self, node: int) -> tuple[str, tuple[int, ...]]:
        """A node's operation and operands; a selection together with the comparison that decides it."""
        op, operands = self.tape.nodes[node]
        decides, compared = self.tape.nodes[operands[0]] if op == "SELECT" else ("", ())
        if decides in COMPARED:
            op, operands = f"{decides}_SELECT", (*compared, *operands[1:])
        return op, tuple(map(self.source, operands))

    def decision(self, condition: int) -> tuple[str, tuple[int, ...]]:
        """The operation that decides, and its operands: a comparison, of an absolute value if it is one, or a truth."""
        op, operands = self.tape.nodes[condition]
        if op not in COMPARED:
            return "ELSE", (self.source(condition),)
        left, right = map(self.source, operands)
        inner, of = self.tape.nodes[left]
        if op == "LESS" and inner == "ABS" and left not in self.register:
            return "ABS_LESS_ELSE", (self.source(of[0]), right)
        return f"{op}_ELSE", (left, right)

    def needed(self, outputs: Iterable[int]) -> dict[int, tuple[str, tuple[int, ...]]]:
        """The operations that results need and that are not done, by node."""
        found: dict[int, tuple[str, tuple[int, ...]]] = {}
        waiting = [self.source(x) for x in outputs]
        while waiting:
            node = waiting.pop()
            if node not in found and node not in self.register:
                found[node] = self.operation(node)
                waiting += found[node][1]
        return found

    def worth_deciding(self, outputs: Sequence[int]) -> int | None:
        """The condition that saves most operations if it is decided before all others, if it saves enough."""
        now = self.needed(outputs)
        if len(self.decided) == MOST_DECISIONS:
            return None
        conditions = dict.fromkeys(self.tape.nodes[x][1][0] for x in now if self.tape.nodes[x][0] == "SELECT")
        saved = {x: len(now) - self._operations(outputs, x) for x in conditions}
        best = max(saved, key=lambda x: saved[x], default=None)
        return best if best is not None and saved[best] >= LEAST_SAVED else None

    def _operations(self, outputs: Sequence[int], condition: int) -> float:
        """How many operations there are, on average of both cases, if a condition is decided."""
        before = set(self.needed(self.decision(condition)[1]))
        cases = [_Branch(self.tape, self.decided | {condition: case}, self.register) for case in (True, False)]
        return 1 + sum(len(before.union(case.needed(outputs))) for case in cases) / 2


class _Row(NamedTuple):
    """Operations that are run as one, with the nodes that they work on."""

    ops: tuple[str, ...]
    sides: tuple[str, ...]
    """On which side each uses the one before; without sides the second of three joins the results of both others."""
    operands: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the whole operation."""
        return chain_name(self.ops, self.sides) if self.sides else "_".join(self.ops)


class _Code:
    """Operations without a decision. A result that only the next operation uses is not stored: both become one.
    Two short operations become one with two results."""

    def __init__(self, branch: _Branch, outputs: Sequence[int]) -> None:
        self.register = dict(branch.register)
        self.words: list[int] = []
        self.waiting: dict[int, _Row] = {}
        self.single: tuple[int, _Row] | None = None  # an operation that waits for another one to be its pair
        operations = branch.needed(outputs)
        results = [branch.source(x) for x in outputs] * 2  # twice: they are stored
        self.uses = Counter([*(x for _, operands in operations.values() for x in operands), *results])
        for node in sorted(operations):
            self._add(node, *operations[node])
        if self.single is not None:
            self._write(self.single[1].name, self.single)

    def _add(self, node: int, op: str, operands: tuple[int, ...]) -> None:
        row = self._continued(op, operands)
        if self.uses[node] == 1 and op in ARITHMETIC:
            self.waiting[node] = row
        else:
            self._store(node, row)

    def _continued(self, op: str, operands: tuple[int, ...]) -> _Row:
        """The operation, joined to the short ones before it or to the longest row that it can continue; other rows are
        stored."""
        rows = {x: self.waiting.pop(x) for x in operands if x in self.waiting}
        if op in ARITHMETIC and [len(row.ops) for row in rows.values()] == [1, 1]:
            left, right = (rows[x] for x in operands)
            return _Row((*left.ops, op, *right.ops), (), (*left.operands, *right.operands))
        fitting = [x for x, row in rows.items() if op in ARITHMETIC and len(row.ops) < LONGEST_CHAIN]
        best = max(fitting, key=lambda x: len(rows[x].ops), default=None)
        for x, row in rows.items():
            if x != best:
                self._store(x, row)
        if best is None:
            return _Row((op,), (), operands)
        before, others = rows[best], tuple(x for x in operands if x != best)
        side = "L" if operands[0] == best else "R"
        return _Row((*before.ops, op), (*before.sides, side), (*before.operands, *others))

    def _store(self, node: int, row: _Row) -> None:
        """Writes an operation; a short one waits for another, unless its result is needed before or takes long."""
        first, self.single = self.single, None
        if first is None and row.name in PAIRED:
            self.single = (node, row)
        elif first is not None and row.name in PAIRED:
            self._write(pair_name(first[1].name, row.name), first, (node, row))
        else:
            if first is not None and (first[0] in row.operands or first[1].name == "DIVIDE"):
                self._write(first[1].name, first)
            else:
                self.single = first
            self._write(row.name, (node, row))

    def _write(self, name: str, *results: tuple[int, _Row]) -> None:
        places: list[int] = []
        for node, row in results:
            places += [self.register[x] for x in row.operands]
            self.register[node] = len(self.register)
        self.words += [formula_number(name), *places, *[0] * (WORDS - 1 - len(places))]
