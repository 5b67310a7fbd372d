"""The parameters of a model: the path of each number, and its input on the record of a compilation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ..declare import Param, Series
from ..elements import Element
from ..elements._friction import LawParam
from ..laws import Law
from ..signals import Operand, Signal
from ..signals.constant import Constant
from ..spec import Model
from ..traced import Recorder, Traced, pinned

MOST_WRITTEN_OUT = 20
"""Largest number of parts of a signal that gets separate parameters wherever it is used."""

MOST_TRACED = 1000
"""Longest list whose numbers are parameters; a longer one is a recording."""

NAMED = Operand(None, "", "signal with a name")
"""The parameter of a named signal."""

COUNT = "it counts something"
RECORD = "it is a record; with_samples puts in another one"
SHARED = "the signal that it belongs to is used at several places"
DECIDES = "the compiled structure depends on its value"


@dataclass(frozen=True)
class Parameter:
    """A numeric parameter of a program.

    >>> program.parameters["spring.c"].unit
    'N.m/rad'
    """

    path: str
    value: float | list[Any]
    """In SI."""
    unit: str
    text: str
    """What it means."""
    min: float | None = None
    above: float | None = None
    max: float | None = None
    structural: str = ""
    """Why another value needs another compilation; empty: it is tunable."""

    @property
    def tunable(self) -> bool:
        """Whether `with_values` takes other values without compiling."""
        return not self.structural


@dataclass
class Slot:
    """Where a parameter enters a record: its inputs, and how a new value is checked."""

    path: str
    param: Param
    unit: str
    check: Callable[[Any], Any]
    """Converts a number or text to SI; raises the error that the model would raise."""
    value: Any
    given: bool
    inputs: Any
    """The traced numbers, nested in lists like the value; None if it is not on the record."""
    follows: str = ""
    """If the value was not given: the parameter that its default is a multiple of."""
    structural: str = ""


@dataclass
class Slots:
    """All parameters that the compilation of a model has read."""

    recorder: Recorder = field(default_factory=Recorder)
    found: dict[str, Slot] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    """Path of each parameter by its path without aliases: "drive.s_rel0" is "drive.phi_rel0"."""


class ModelPlace:
    """The place of an element, a law or a signal in a model that is being compiled."""

    def __init__(self, slots: Slots, path: str, canonical: str, whole: Param | None = None) -> None:
        self._slots = slots
        self.path = path
        self.canonical = canonical
        """The path without aliases."""
        self.words: Mapping[str, str] = {}
        """Names of the parameters of an element in its domain."""
        self.whole = whole
        """For a constant: the parameter whose value it is; both have the same path."""
        self.shared = False
        """Whether the signal is used at several places."""

    def traced(self, name: str, param: Param, value: Any, units: Mapping[str, str], owner: str, given: bool) -> Any:
        """The value of a parameter, traced unless it is structural."""
        path = f"{self.path}.{self.words.get(name, name)}" if self.whole is None else self.path
        self._slots.named[f"{self.canonical}.{name}" if self.whole is None else self.canonical] = path
        unit = param.unit.format_map(units)
        slot = self._slots.found.get(path)
        if slot is not None:  # bound at a second place, perhaps with another unit
            if slot.value == value:
                return slot.inputs if slot.inputs is not None else value
            slot.structural = SHARED
            return value
        check = partial(_checked, param, dict(units), owner, name)
        follows = f"{self.path}.{param.times}" if param.times and not given else ""
        slot = self._slots.found[path] = Slot(path, self.whole or param, unit, check, value, given, None, follows)
        if isinstance(param, Series) and _count(value) > MOST_TRACED:
            slot.structural = RECORD
        else:
            slot.inputs = _traced(self._slots.recorder, value)
            if self.shared:
                slot.structural = SHARED
        return value if slot.structural else slot.inputs


def _checked(param: Param, units: Mapping[str, str], owner: str, name: str, value: Any) -> Any:
    return param.to_si(param.accept(value, owner, name), units, owner, name)


def _traced(recorder: Recorder, value: Any) -> Any:
    return [_traced(recorder, entry) for entry in value] if isinstance(value, list) else recorder.input(float(value))


def _count(value: Any) -> int:
    if not isinstance(value, list):
        return 1
    return sum(map(_count, value)) if list in set(map(type, value)) else len(value)


def numbers(value: Any) -> Iterator[Any]:
    """The numbers of a value that may be a list of lists.

    >>> list(numbers([[1.0, 2.0], 3.0]))
    [1.0, 2.0, 3.0]
    """
    if isinstance(value, list | tuple | np.ndarray):
        for entry in value:
            yield from numbers(entry)
    else:
        yield value


def place_model(model: Model, slots: Slots) -> Model:
    """A copy of a model whose numbers are traced when they are bound.

    >>> place_model(model, Slots()).elements["spring"].place.path
    'spring'
    """
    placing = _Placing(slots)
    placed = copy(model)
    placed.signals = {name: placing.declared(signal, name, name, NAMED) for name, signal in model.signals.items()}
    placed.elements = {name: placing.declared(element, name, name) for name, element in model.elements.items()}
    return placed


class _Placing:
    """Copies elements, laws and signals with their places. A signal that is used twice has two places, unless it is too
    large to be written out."""

    def __init__(self, slots: Slots) -> None:
        self._slots = slots
        self._shared: dict[int, tuple[Signal, Any]] = {}
        self._sizes: dict[int, tuple[Signal, int]] = {}

    def declared(self, thing: Any, path: str, canonical: str, whole: Param | None = None) -> Any:
        """A copy of an element, a law or a signal and its parts, with places; `whole` is the parameter that it is
        for."""
        if id(thing) in self._shared:
            known = self._shared[id(thing)][1]
            for part in known.walk():
                if isinstance(part.place, ModelPlace):
                    part.place.shared = True
            return known
        new = copy(thing)
        if isinstance(thing, Signal) and self._size(thing) > MOST_WRITTEN_OUT:
            self._shared[id(thing)] = thing, new
        new.place = ModelPlace(self._slots, path, canonical, whole if isinstance(thing, Constant) else None)
        new.given = dict(thing.given)
        for name, param in thing.params.items():
            value = getattr(thing, name)
            if value is None or not isinstance(param, Operand | LawParam):
                if isinstance(value, Signal):  # a parameter of a law that follows a signal
                    new.given[name] = self.declared(value, f"{path}.{name}", f"{canonical}.{name}", param)
                continue
            value = param.accept(value, thing.label if isinstance(thing, Element) else type(thing).__name__, name)
            word = thing.words.get(name, name) if isinstance(thing, Element) else name
            at, below = f"{path}.{word}", f"{canonical}.{name}"
            if isinstance(value, Law):
                new.given[name] = self.declared(value, at, below)
            elif isinstance(value, Signal):
                new.given[name] = self.declared(value, at, below, param)
            elif isinstance(param, Operand):
                new.given[name] = [self.declared(s, f"{at}.{i}", f"{below}.{i}", param) for i, s in enumerate(value)]
        return new

    def _size(self, signal: Signal) -> int:
        """Number of signals that it consists of, written out."""
        if id(signal) not in self._sizes:
            total = 1
            for operand in signal.operands:  # not by map: deep expressions would use up the stack of C
                total += self._size(operand)
            self._sizes[id(signal)] = signal, total
        return self._sizes[id(signal)][1]


def pin_signal(signal: Signal) -> None:
    """Pins all numbers of a signal, which shares its memory with an equal one.

    >>> pin_signal(Sine(amplitude=1, f=2).bind("", "u"))
    """
    for part in signal.walk():
        for value in vars(part.p).values():
            for number in numbers(value):
                if isinstance(number, Traced):
                    pinned(number)
