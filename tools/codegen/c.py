"""C99 from formulas: what is used several times is computed once, everything else is written where it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from stribeck.formula import OPERATIONS, Formula, FormulaTape

Line = tuple[str, Formula]
"""What is written, and its value: ("out[0]", formula) or ("return", formula)."""

ATOM = 9
"""How strongly a name or a call binds."""


class Body:
    """The statements of a function that writes some results, in C.

    >>> tape = FormulaTape()
    >>> v = tape.input("v")
    >>> Body({v.node: "v"}, [("out[0]", (v + 1) * (v + 1))]).statements
    ['const sb_real x0 = v + 1.0;', 'out[0] = x0 * x0;']
    """

    def __init__(self, names: Mapping[int, str], lines: Sequence[Line]) -> None:
        self.names = dict(names)
        """What inputs, and other nodes that are known, are called in C."""
        self.used: set[int] = set()
        """The inputs that occur."""
        self.reads_curve = False
        tape = lines[0][1].tape
        uses = _uses(tape, [value.node for _, value in lines], self.names)
        shared = [node for node in sorted(uses) if uses[node] > 1 and not _is_simple(tape, node)]
        shared = [node for node in shared if node not in self.names]
        self.statements: list[str] = []
        for node in shared:
            kind = "sb_flag" if OPERATIONS[tape.nodes[node][0]].truth else "sb_real"
            text = self._text(tape, node)[0]
            self.names[node] = f"x{len(self.statements)}"
            self.statements.append(f"const {kind} {self.names[node]} = {text};")
        for target, value in lines:
            separator = " " if target == "return" else " = "
            self.statements.append(f"{target}{separator}{self._number(tape, value.node)[0]};")

    def _term(self, tape: FormulaTape, node: int) -> tuple[str, int]:
        """A node by its name, or written out; and how strongly the text binds."""
        if node in self.names:
            if tape.nodes[node][0] == "INPUT":
                self.used.add(node)
            return self.names[node], ATOM
        return self._text(tape, node)

    def _number(self, tape: FormulaTape, node: int) -> tuple[str, int]:
        """The same where a number must be one of all lanes."""
        text, level = self._term(tape, node)
        return (f"SB_R({text})", ATOM) if tape.nodes[node][0] == "CONSTANT" else (text, level)

    def _text(self, tape: FormulaTape, node: int) -> tuple[str, int]:
        op, operands = tape.nodes[node]
        if op == "CONSTANT":
            value = tape.values[node]
            return repr(value), ATOM if str(value)[0] != "-" else 5
        kind = OPERATIONS[op]
        self.reads_curve |= kind.curve
        parts = {}
        for i, (letter, x) in enumerate(zip("abcd", operands, strict=False)):
            text, level = self._number(tape, x) if kind.level == ATOM else self._term(tape, x)
            parts[letter] = f"({text})" if level < _least(op, i) else text
        return kind.c.format(**parts), kind.level


def _least(op: str, place: int) -> int:
    """How strongly an operand must bind to need no parentheses."""
    level = OPERATIONS[op].level
    if level == ATOM:
        return 0
    return level if place == 0 and level in (6, 7) else level + 1


def _is_simple(tape: FormulaTape, node: int) -> bool:
    return tape.nodes[node][0] in ("INPUT", "CONSTANT")


def _uses(tape: FormulaTape, results: Sequence[int], known: Mapping[int, str]) -> Counter[int]:
    """How often each node is used, directly or as part of a result that is not known."""
    uses, waiting = Counter(results), list(dict.fromkeys(results))
    seen = set(waiting)
    while waiting:
        node = waiting.pop()
        for x in tape.nodes[node][1] if node not in known else ():
            uses[x] += 1
            if x not in seen:
                seen.add(x)
                waiting.append(x)
    return uses
