"""Signals as a list of operations: what the kernel evaluates in order, with their dependence on the unknowns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from ..errors import SpecError
from ..kernel import OPERATIONS, signal_memory
from ..signals import Signal
from ..traced import Number, Traced, values_of
from .parameters import pin_signal
from .rows import Arrays

SPACING: dict[str, Callable[[Sequence[float]], Mapping[str, float]]] = {
    "SAMPLE": lambda data: {"period": data[0]},
    "DELAY": lambda data: {"delay": data[0]},
    "PULSE": lambda data: {"period": data[1], "width": data[2]},
    "SINE": lambda data: {"1/f": 2 * np.pi / data[1]} if data[1] else {},
    "CHIRP": lambda data: {"1/f1": 1 / max(data[1], data[2])} if max(data[1], data[2]) else {},
}
"""Times (s) from one instant to the next at which operations with these data stop the solver or bound its steps."""

ROUNDING = 1e-11
"""Share of its typical size below which a sensed quantity is rounding."""


@dataclass(frozen=True)
class OperationNode:
    """One operation on nodes before it."""

    op: str
    operands: tuple[int, ...]
    data: tuple[float, ...]
    columns: tuple[int, ...]
    """Unknowns that its value depends on, ascending."""
    smooth: bool
    """Whether it is a function of time, or of inputs from outside, that has derivatives."""
    owner: str
    """The element or named signal that it was first made for."""


@dataclass
class SignalState:
    """A continuous state of a signal: the node that shows it, and the one that is its rate."""

    name: str
    start: float
    nominal: float
    node: int
    owner: str
    """The element or named signal that it belongs to."""
    rate: int | None = None
    unit: str = "1"


@dataclass(frozen=True)
class ExternalInput:
    """An input from outside: its node, its unit (empty: any) and its value at the start."""

    node: int
    unit: str
    start: float
    moves: bool = False
    """Whether it prescribes a position, so that it moves to its value instead of jumping."""


class Spacing(NamedTuple):
    """A time between instants (s) that a signal asks for: whose it is and how it is called there."""

    owner: str
    name: str
    seconds: float


@dataclass
class OperationGraph:
    """Collects nodes; `Signal.lower` calls the methods. Equal nodes are kept once.

    >>> graph.lower(Sine(amplitude=1, f=2).bind("N.m", "motor, tau"))
    0
    """

    sense: Callable[[str], tuple[Mapping[int, float], Mapping[int, float], float]]
    """Quantity by name: coefficients over unknowns, over nodes, and a constant."""
    first_state: int
    """Number of the first signal state among the unknowns."""
    signals: Mapping[str, Signal] = field(default_factory=dict)
    """Signals that the model calls by a name."""
    nodes: list[OperationNode] = field(default_factory=list)
    states: list[SignalState] = field(default_factory=list)
    inputs: dict[str, ExternalInput] = field(default_factory=dict)
    """What is set from outside, by name."""
    owner: str = "signal"
    """The element that is being lowered, for names and messages."""

    def __post_init__(self) -> None:
        self._known: dict[tuple[str, tuple[int, ...], tuple[object, ...], tuple[int, ...]], int] = {}
        self._named: dict[str, int] = {}
        self._waiting: list[str] = []
        self._sensing: list[str] = []
        self._lowered: dict[str, tuple[Signal, int]] = {}
        self._seen: dict[int, tuple[Signal, int]] = {}
        self._later: list[Callable[[], None]] = []
        self._namesakes: Counter[str] = Counter()

    def lower(self, signal: Signal) -> int:
        """The node of a bound signal, which is lowered once; equal signals with a memory share it."""
        if id(signal) not in self._seen:
            self._seen[id(signal)] = signal, self._lower(signal)
        return self._seen[id(signal)][1]

    def _lower(self, signal: Signal) -> int:
        if not signal.memory:
            return signal.lower(self)
        key = signal.key() + (signal.path if signal.reads_outside else "")
        if key not in self._lowered:
            self._lowered[key] = signal, signal.lower(self)
        first, node = self._lowered[key]
        if first.place is not signal.place:
            pin_signal(first)
            pin_signal(signal)
        return node

    def later(self, action: Callable[[], None]) -> None:
        """Does something once all signals have been lowered, so that signals may refer to each other."""
        self._later.append(action)

    def finish(self) -> None:
        """Does what was put off."""
        while self._later:
            self._later.pop(0)()

    def node(self, op: str, operands: Sequence[int] = (), data: Sequence[float] = ()) -> int:
        """An operation on other nodes."""
        if op == "SAMPLE":
            data = [*data, 0.0 if operands else 1.0]
        if OPERATIONS[op].shows_past and not operands:  # fed later, so it is no other node's equal
            self.nodes.append(OperationNode(op, (), tuple(data), (), smooth=False, owner=self.owner))
            return len(self.nodes) - 1
        columns = sorted({c for i in operands for c in self.nodes[i].columns}) if not OPERATIONS[op].shows_past else []
        return self._add(op, tuple(operands), tuple(data), tuple(columns))

    def constant(self, value: float) -> int:
        """A value that does not change."""
        return self.node("CONSTANT", (), [value])

    def sensor(self, quantity: str) -> int:
        """A quantity of the machine, such as "mass.w"."""
        if quantity in self._sensing:
            circle = " -> ".join([*self._sensing[self._sensing.index(quantity) :], quantity])
            raise SpecError(
                f"{self.owner}: {circle} need each other's value at the same instant; put something with a memory in "
                "between: an Integral, a LowPass with a start, or a TransferFunction"
            )
        self._sensing.append(quantity)
        sensed = self.sense(quantity)
        self._sensing.pop()
        return self.linear(*sensed)

    def linear(self, row: Mapping[int, float], others: Mapping[int, float], constant: float = 0.0) -> int:
        """A linear combination of unknowns and other nodes."""
        columns = tuple(sorted(row))
        own = self._add("SENSOR", (), (constant, 0.0, *(row[c] for c in columns)), columns)
        if not others:
            return own
        return self.node("SUM", [own, *others], [0.0, 1.0, *others.values()])

    def named(self, name: str) -> int:
        """A signal that the model calls by this name."""
        if name in self._waiting:
            circle = " -> ".join([*self._waiting[self._waiting.index(name) :], name])
            raise SpecError(f"signal '{name}' depends on itself: {circle}; put an Integral or a filter in between")
        if name not in self._named:
            self._waiting.append(name)
            owner, self.owner = self.owner, name
            self._named[name] = self.lower(self.signals[name])
            self.owner = owner
            self._waiting.pop()
        return self._named[name]

    def external(self, name: str, start: float, unit: str) -> int:
        """What is set from outside under a name."""
        if name not in self.inputs:
            self.inputs[name] = ExternalInput(len(self.nodes), unit, start)
            self.nodes.append(OperationNode("EXTERNAL", (), (start, 0.0), (), smooth=True, owner=self.owner))
        return self.inputs[name].node

    def as_course(self, node: int) -> None:
        """An input that a prescribed position follows: through a task it moves to its new value instead of jumping."""
        if self.nodes[node].op == "EXTERNAL":
            self.nodes[node] = replace(self.nodes[node], data=(self.nodes[node].data[0], 1.0))

    def state(self, name: str, start: float, nominal: float = 1.0, unit: str = "1") -> int:
        """The node that shows a new continuous state; `rate` says how it changes."""
        place = self.first_state + len(self.states)
        node = self._add("SENSOR", (), (0.0, 0.0, 1.0), (place,))
        self._namesakes[name] += 1
        unique = f"{name}~{self._namesakes[name]}" if self._namesakes[name] > 1 else name
        self.states.append(SignalState(unique, start, nominal, node, self.owner, unit=unit))
        return node

    def feed(self, sample: int, node: int) -> None:
        """The node that a SAMPLE or DELAY made without an operand reads; it may depend on that one. Such a sample takes
        the value just before the instant."""
        self.nodes[sample] = replace(self.nodes[sample], operands=(node,))

    def rate(self, state: int, node: int) -> None:
        """The rate of a state, by the nodes of both."""
        next(s for s in self.states if s.node == state).rate = node

    def _add(self, op: str, operands: tuple[int, ...], data: tuple[float, ...], columns: tuple[int, ...]) -> int:
        key = (op, operands, tuple([x if x.__class__ is float else _identity(x) for x in data]), columns)
        if key not in self._known:
            smooth = not columns and not OPERATIONS[op].shows_past and all(self.nodes[i].smooth for i in operands)
            self._known[key] = len(self.nodes)
            self.nodes.append(OperationNode(op, operands, data, columns, smooth, self.owner))
        return self._known[key]

    def arrays(self, nominal: Sequence[Number]) -> Arrays:
        """The nodes as the kernel reads them; `nominal` are typical sizes of the unknowns."""
        nodes = [_with_rounding(node, nominal) if node.op == "SENSOR" else node for node in self.nodes]
        inputs = [i for node in nodes for i in node.operands]
        maps = [_places(nodes[i], node) for node in nodes for i in node.operands]
        return {
            "signal_op": _ints([OPERATIONS[node.op].number for node in nodes]),
            "signal_ptr": _starts([len(node.data) for node in nodes]),
            "signal_data": [x for node in nodes for x in node.data],
            "signal_in_ptr": _starts([len(node.operands) for node in nodes]),
            "signal_in": _ints(inputs),
            "signal_memory_ptr": _starts(
                [signal_memory(OPERATIONS[node.op].number, values_of(node.data)) for node in nodes]
            ),
            "signal_guard": _starts([OPERATIONS[node.op].guards for node in nodes])[:-1],
            "grad_ptr": _starts([len(node.columns) for node in nodes]),
            "grad_col": _ints([c for node in nodes for c in node.columns]),
            "grad_map_ptr": _starts([len(places) for places in maps]),
            "grad_map": _ints([place for places in maps for place in places]),
            "u_rate": _ints([self._rate_of(state) for state in self.states]),
        }

    def sizes(self, arrays: Arrays) -> dict[str, int]:
        """The sizes that go with the arrays."""
        return {
            "n_u": len(self.states),
            "n_signal": len(self.nodes),
            "n_signal_data": len(arrays["signal_data"]),
            "n_signal_in": len(arrays["signal_in"]),
            "n_signal_memory": int(arrays["signal_memory_ptr"][-1]),
            "n_signal_guard": sum(OPERATIONS[node.op].guards for node in self.nodes),
            "n_delay": sum(node.op == "DELAY" for node in self.nodes),
            "n_grad": len(arrays["grad_col"]),
            "n_grad_map": len(arrays["grad_map"]),
        }

    @staticmethod
    def _rate_of(state: SignalState) -> int:
        if state.rate is None:
            raise RuntimeError(f"{state.name} has no rate")
        return state.rate


def _places(operand: OperationNode, node: OperationNode) -> list[int]:
    """The positions of the unknowns of an operand among those of a node."""
    if OPERATIONS[node.op].shows_past:
        return []
    place = {column: i for i, column in enumerate(node.columns)}
    return [place[column] for column in operand.columns]


def _with_rounding(sensor: OperationNode, nominal: Sequence[Number]) -> OperationNode:
    """A sensor that knows below which size its quantity is nothing but rounding."""
    constant, _, *row = sensor.data
    size = sum(abs(value) * nominal[column] for value, column in zip(row, sensor.columns, strict=True))
    return replace(sensor, data=(constant, ROUNDING * size, *row))


def _identity(number: Number) -> tuple[str, float]:
    """What makes a number of a node the same as another one: its value, or where it comes from."""
    return ("node", number.node) if isinstance(number, Traced) else ("", number)


def _ints(values: Sequence[int]) -> np.ndarray:
    return np.array(values, np.int32)


def _starts(lengths: Sequence[int]) -> np.ndarray:
    return _ints(list(accumulate(lengths, initial=0)))
