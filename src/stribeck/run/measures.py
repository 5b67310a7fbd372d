"""Measures: numbers that the kernel finds while a run goes on, asked for by texts such as "mass.w:max"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..compile import Program
from ..compile.requests import requested
from ..declare import unknown
from ..errors import SpecError, UnknownName
from ..kernel import measure_kinds, modes
from ..units import to_si

KINDS = measure_kinds()
"""Kinds of the kernel by name."""
OF_OUTPUT, OF_CONTACT, OF_LOSS = range(3)
"""What the kernel measures, in its order."""

VALUES = {
    "last": ("last",),
    "min": ("min",),
    "max": ("max",),
    "mean": ("mean",),
    "rms": ("rms",),
    "range": ("max", "min"),
    "peak": ("max", "min"),
}
"""Measures of the values of an output, and what they are computed from; `peak` is the largest magnitude."""
BETWEEN = ("last", "mean", "rms")
"""Those of other instants than those of the grid."""
CROSSINGS = {"crossing": "first", "crossings": "count", "period": "period"}
"""Measures of the instants at which an output crosses a level."""
DIRECTIONS = {"rising": 1, "falling": -1, "both": 0}
CHANGES = {"slips": "count", "slip": "first", "sticks": "count", "stick": "first", "period": "period"}
"""Measures of the mode changes of a contact."""
GRAMMAR = re.compile(r"\s*(?P<source>[^:]+?)\s*:\s*(?P<word>\w+)\s*(?:\((?P<arguments>[^()]*)\))?\s*")
EXAMPLES = "'mass.w:max', 'mass.w:crossing(0.1, rising)', 'clutch:stick' or 'clutch:dissipated'"


class RawMeasure(NamedTuple):
    """One number of the kernel: what of which number, and for instants a level with its direction, or modes before and
    after a change as sets of bits."""

    of: int
    kind: int
    source: int
    level: float = 0.0
    direction: int = 0
    before: int = 0
    after: int = 0


@dataclass(frozen=True)
class Measure:
    """A measure that is understood: its text, its unit, the output that it needs, if it is of one, and how it follows
    from numbers of the kernel.

    >>> Measure.of(program, "friction.tau:peak").unit
    'N.m'
    """

    text: str
    unit: str
    output: str
    raw: Callable[[Program], list[RawMeasure]]
    combine: Callable[[np.ndarray], np.ndarray]
    """From columns of the kernel to the measure."""

    @property
    def of_loss(self) -> bool:
        """Whether it needs the energy ledger."""
        return self.text.rpartition(":")[2].strip() == "dissipated"

    @property
    def within(self) -> bool:
        """Whether it looks at an output between the ends of the steps."""
        return bool(self.output) and self.text.rpartition(":")[2].strip() != "last"

    @classmethod
    def of(cls, program: Program, text: str) -> Measure:
        """From its text; what is unknown is refused with what there is."""
        match = GRAMMAR.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise SpecError(f"measures: {text!r} is not a measure; write for instance {EXAMPLES}")
        source, word = match["source"], match["word"]
        arguments = [part.strip() for part in (match["arguments"] or "").split(",") if part.strip()]
        if source in program.output_names or ("." in source and source not in program.contacts):
            return _of_output(program, text, source, word, arguments)
        return _of_element(program, text, source, word, arguments)


def _first(columns: np.ndarray) -> np.ndarray:
    return np.asarray(columns[:, 0])


def _range(columns: np.ndarray) -> np.ndarray:
    return np.asarray(columns[:, 0] - columns[:, 1])


def _peak(columns: np.ndarray) -> np.ndarray:
    return np.asarray(np.abs(columns).max(axis=1))


def _sum(columns: np.ndarray) -> np.ndarray:
    return np.asarray(columns.sum(axis=1))


def _of_output(program: Program, text: str, source: str, word: str, arguments: list[str]) -> Measure:
    unit = _unit(program, text, source)
    if word in (*BETWEEN, *CROSSINGS) and source.endswith(".jerk"):
        raise SpecError(
            f"measure {text!r}: a jerk is known on the grid alone; measure min, max, range or peak, or keep its trace "
            f"by outputs=['{source}']"
        )
    if word in VALUES:
        _expect(text, arguments, 0, "")
        combine = {"range": _range, "peak": _peak}.get(word, _first)
        return Measure(text, unit, source, partial(_values, source, VALUES[word]), combine)
    if word in CROSSINGS:
        _expect(text, arguments, 1, f"{source}:{word}(0.1, rising)")
        level = to_si(arguments[0], unit, f"measure {text!r}", "the level")
        way = arguments[1] if len(arguments) > 1 else "rising" if word == "period" else "both"
        if way not in DIRECTIONS:
            raise UnknownName(unknown(f"measure {text!r}: there is no direction", way, DIRECTIONS))
        raw = partial(_crossings, source, CROSSINGS[word], level, DIRECTIONS[way])
        return Measure(text, "1" if word == "crossings" else "s", source, raw, _first)
    raise UnknownName(unknown(f"measure {text!r}: an output has no measure", word, [*VALUES, *CROSSINGS]))


def _unit(program: Program, text: str, source: str) -> str:
    """Unit of an output, which may be one that exists on request only."""
    if source in program.output_names:
        return program.output_units[program.output_names.index(source)]
    shown = requested(program, [source])
    if shown.output_names != (source,):
        raise SpecError(f"measures: {text!r} measures {len(shown.output_names)} outputs; name one of them")
    return shown.output_units[0]


def _of_element(program: Program, text: str, source: str, word: str, arguments: list[str]) -> Measure:
    if source not in program.elements and source not in program.contacts:
        raise UnknownName(unknown(f"measure {text!r}: there is no element", source, program.elements))
    _expect(text, arguments, 0, "")
    if word == "dissipated":
        if source not in program.branches:
            raise SpecError(f"measure {text!r}: '{source}' neither stores nor dissipates energy by itself")
        return Measure(text, "J", "", partial(_losses, source), _sum)
    if word in CHANGES:
        if source not in program.contacts:
            have = ", ".join(program.contacts) or "none"
            raise SpecError(
                f"measure {text!r}: '{source}' has no modes that change (contacts that have: {have}); measure an "
                f"output instead, for instance '{source}.w_rel:crossings(0.01)'"
            )
        raw = partial(_changes, source, CHANGES[word], word.startswith("stick"))
        return Measure(text, "1" if CHANGES[word] == "count" else "s", "", raw, _first)
    raise UnknownName(unknown(f"measure {text!r}: an element has no measure", word, [*CHANGES, "dissipated"]))


def _expect(text: str, arguments: Sequence[str], least: int, example: str) -> None:
    if len(arguments) < least:
        raise SpecError(f"measure {text!r} needs a level; write for instance '{example}'")
    if len(arguments) > 2 * least:
        raise SpecError(f"measure {text!r}: {', '.join(arguments[2 * least :])} means nothing here; leave it out")


# -- numbers of the kernel: in a program that shows the outputs that measures need ---


def _values(source: str, kinds: Sequence[str], program: Program) -> list[RawMeasure]:
    output = program.output_names.index(source)
    return [RawMeasure(OF_OUTPUT, KINDS[kind], output) for kind in kinds]


def _crossings(source: str, kind: str, level: float, direction: int, program: Program) -> list[RawMeasure]:
    return [RawMeasure(OF_OUTPUT, KINDS[kind], program.output_names.index(source), level, direction)]


def _bits(values: Any) -> int:
    """A set of modes as the kernel keeps it."""
    return sum(1 << ((mode + 8) & 31) for mode in values)


def _changes(source: str, kind: str, sticks: bool, program: Program) -> list[RawMeasure]:
    numbers = modes()
    stuck, sliding = _bits([numbers["Stuck"]]), _bits([numbers["Forward"], numbers["Backward"]])
    everything = _bits(range(-8, 24))
    before, after = (everything & ~stuck, stuck) if sticks else (stuck, sliding)
    contact = program.contacts.index(source)
    return [RawMeasure(OF_CONTACT, KINDS[kind], contact, 0.0, 0, before, after)]


def _losses(source: str, program: Program) -> list[RawMeasure]:
    return [RawMeasure(OF_LOSS, KINDS["last"], k) for k, owner in enumerate(program.branches) if owner == source]
