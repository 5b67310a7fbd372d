"""Laws for the kernel: by name if the kernel has compiled C for them, else as tapes of their formulas."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ..errors import SpecError
from ..formula import ARITHMETIC, LONGEST_CHAIN, chain_name
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
    needed = {name: equations.tape.behind(f.outputs) for name, f in functions.items()}
    constants = sorted({n for nodes in needed.values() for n in nodes if n in equations.tape.values})
    given = _given(equations, constants)
    code: list[int] = []
    for name in FUNCTIONS:
        code += _coded(equations, functions[name], needed[name], given) if name in functions else [-1, 0]
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
    """Registers of parameters, arguments, states and constants, by node."""
    arguments = [equations.v, equations.v_held, equations.hold, equations.turn]
    inputs = [*equations.scalars.values(), *arguments, *equations.z]
    return {node: i for i, node in enumerate([*(x.node for x in inputs), *constants])}


def _coded(equations: LawEquations, function: LawFunction, nodes: Sequence[int], given: dict[int, int]) -> list[int]:
    """One function as integers."""
    code = _Code(equations, nodes, [x.node for x in function.outputs], given)
    if len(code.register) > MOST_REGISTERS:
        raise SpecError(
            f"the law {equations.law.__name__} is too long: {len(code.register)} operations and values, at most "
            f"{MOST_REGISTERS}; use fewer states, or write it as one file in the package, where it is compiled"
        )
    outputs = [code.register[x.node] for x in function.outputs]
    return [len(code.words) // WORDS, len(outputs), *code.words, *outputs]


class _Row(NamedTuple):
    """Operations in a row, each on the result of the one before, with the nodes that they work on."""

    ops: tuple[str, ...]
    sides: tuple[str, ...]
    operands: tuple[int, ...]


class _Code:
    """The operations of one function. A result that only the next operation uses is not stored: both become one."""

    def __init__(
        self, equations: LawEquations, nodes: Sequence[int], outputs: Sequence[int], given: Mapping[int, int]
    ) -> None:
        self.tape = equations.tape
        self.register = dict(given)
        self.words: list[int] = []
        self.waiting: dict[int, _Row] = {}
        operations = [self._decided(*self.tape.nodes[node]) for node in nodes]
        operands = (x for _, operands in operations for x in operands)
        self.uses = Counter([*operands, *outputs, *outputs])  # results are stored
        for node, (op, places) in zip(nodes, operations, strict=True):
            if node not in self.register and self.uses[node] > 0:
                self._add(node, op, places)

    def _decided(self, op: str, operands: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
        """A selection together with the comparison that decides it."""
        decides, compared = self.tape.nodes[operands[0]] if op == "SELECT" else ("", ())
        return (f"{decides}_SELECT", (*compared, *operands[1:])) if decides in COMPARED else (op, operands)

    def _add(self, node: int, op: str, operands: tuple[int, ...]) -> None:
        row = self._continued(op, operands)
        if self.uses[node] == 1 and op in ARITHMETIC:
            self.waiting[node] = row
        else:
            self._store(node, row)

    def _continued(self, op: str, operands: tuple[int, ...]) -> _Row:
        """The operation, joined to the longest row that it can continue; other rows are stored."""
        rows = {x: self.waiting.pop(x) for x in operands if x in self.waiting}
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
        places = [self.register[x] for x in row.operands]
        self.words += [formula_number(chain_name(row.ops, row.sides)), *places, *[0] * (WORDS - 1 - len(places))]
        self.register[node] = len(self.register)
