"""Units of the recorded formulas of a class: contradictions are found. Numbers in formulas have no units, so they fit
everywhere; what is multiplied by one may have any unit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..errors import shortened
from ..formula import Formula
from ._dimension import LOAD, PLAIN, RATE, VEL, Dimension, read_unit
from ._equations import LawEquations
from .law import Mode

ALIKE = ("ADD", "SUBTRACT", "LESS", "AT_MOST", "EQUAL")
PLAIN_ONLY = ("EXP", "LOG", "SIN", "COS", "ATAN", "TANH", "SMOOTH_STEP")
TRUTH = ("LESS", "AT_MOST", "EQUAL", "AND", "OR", "NOT")

Found = Dimension | None
"""The unit of a node; None if it may be any."""


class UnitMismatch(ValueError):
    """Units that contradict each other, in words."""


def unit_fault(law: Any) -> str:
    """What is wrong with the units of friction and rates, in words; empty if nothing is.

    >>> unit_fault(LuGre)
    ''
    """
    equations = LawEquations(law)
    checked = _Units(equations)
    wanted = {"friction": LOAD} | {
        f"the rate of {name}": read_unit(state.unit)[1].times(RATE) for name, state in law.states.items()
    }
    modes = [False, *(isinstance(state, Mode) for state in law.states.values())]
    try:
        for (name, unit), x, mode in zip(wanted.items(), equations.flow, modes, strict=True):
            found = checked.of(x.node)
            if not mode and found not in (None, unit):
                return f"{name} has {found.words}, it must have {unit.words}; check its factors"
    except UnitMismatch as error:
        return str(error)
    return ""


class _Units:
    """The units of the nodes of a law."""

    def __init__(self, equations: LawEquations) -> None:
        law, self.tape = equations.law, equations.tape
        params = {name: read_unit(law.params[_declared(law, name)].unit)[1] for name in equations.inputs}
        states = {name: read_unit(state.unit)[1] for name, state in law.states.items()}
        self.inputs = {"v": VEL, "v_held": VEL, "hold": LOAD, "turn": PLAIN} | params | states
        self.ordinates = read_unit(law.params[law.curve[1]].unit)[1] if law.curve else PLAIN
        self.known: dict[int, Found] = {}

    def of(self, node: int) -> Found:
        """The unit of a node."""
        for x in self.tape.behind([Formula(self.tape, node)]):
            if x not in self.known:
                self.known[x] = self._own(x)
        return self.known[node]

    def _own(self, node: int) -> Found:
        op, operands = self.tape.nodes[node]
        units = [self.known[x] for x in operands]
        if op in ("INPUT", "CONSTANT"):
            return self.inputs[self.tape.names[node]] if op == "INPUT" else None
        if op in ALIKE:
            unit = self._alike(node, *units)
            return PLAIN if op in TRUTH else unit
        if op == "SELECT":
            return self._alike(node, *units[1:])
        if op in PLAIN_ONLY:
            return self._alike(node, units[0], PLAIN)
        if op in ("STRIBECK", *TRUTH, "SIGN"):
            if op == "STRIBECK":
                self._alike(node, *units[:2])
            return PLAIN
        return self._of_product(op, operands, units)

    def _of_product(self, op: str, operands: tuple[int, ...], units: list[Found]) -> Found:
        if op in ("HELD", "LINES"):
            return self.ordinates
        first, *others = units
        if first is None or (op != "POWER" and None in others[:1]):
            return None
        match op:
            case "NEGATE" | "ABS":
                return first
            case "SQRT":
                return first.to(Fraction(1, 2))
            case "MULTIPLY" | "FADING":
                return first.times(others[0])  # type: ignore[arg-type]
            case "DIVIDE":
                return first.over(others[0])  # type: ignore[arg-type]
            case "POWER":
                exponent = self.tape.values.get(operands[1])
                return first if first == PLAIN else None if exponent is None else first.to(Fraction(exponent))
        return None

    def _alike(self, node: int, *units: Found) -> Found:
        """The one unit of several operands."""
        definite = [unit for unit in units if unit is not None]
        if any(unit != definite[0] for unit in definite):
            text = shortened(Formula(self.tape, node).text, 60)
            words = " and ".join(unit.words for unit in dict.fromkeys(definite))
            raise UnitMismatch(f"{words} meet in {text}; check its factors")
        return definite[0] if definite else None


def _declared(law: Any, name: str) -> str:
    """The parameter of an input; a list of numbers has one input for each."""
    return name if name in law.params else name.rpartition("_")[0]
