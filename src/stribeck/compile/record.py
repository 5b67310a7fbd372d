"""The record of a compilation: a tape from the parameters of a model to the values of its program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from ..declare import Count
from ..kernel import OPERATIONS, Tape
from ..traced import AnyNumber, Recorder, TapeOperation, Traced, decimal_remainder, values_of
from .parameters import COUNT, DECIDES, Parameter, Slot, Slots, numbers

RELATIONS = ("<", "<=", "==")
"""Relations of guards in the order of the kernel."""


@dataclass(frozen=True)
class Record:
    """Values as functions of parameters, valid while every decision of the compilation stays the same.

    >>> program.record.run(program.record.start)[1]
    -1
    """

    slots: Mapping[str, Slot]
    named: Mapping[str, str]
    """Path of each parameter by its path without aliases."""
    places: Mapping[str, tuple[int, ...]]
    """The inputs of each parameter; those of a list are consecutive."""
    remainders: Mapping[int, int]
    """By input: the input that holds its decimal remainder."""
    start: np.ndarray
    """The inputs of this compilation."""
    base: np.ndarray
    """The values of this compilation: those that no parameter reaches are the same for all."""
    arrays: Mapping[str, np.ndarray]
    """The tape, as the kernel reads it."""

    @classmethod
    def of(cls, slots: Slots, values: Sequence[AnyNumber]) -> Record:
        """The record of the operations behind some values."""
        recorder = slots.recorder
        traced = ((i, number) for i, number in enumerate(values) if number.__class__ is not float)
        outputs = [(place, number.node) for place, number in traced if isinstance(number, Traced)]
        guards = list(recorder.guards)
        needed = _behind(recorder, [node for _, node in outputs], [n for g in guards for n in (g.left, g.right)])
        order = [*recorder.inputs, *(n for n in needed if recorder.operations[n].op != "INPUT")]
        register = {node: i for i, node in enumerate(order)}
        nodes = [recorder.operations[node] for node in order[len(recorder.inputs) :]]
        arrays = _tape_arrays(nodes, register) | {
            "guard_relation": _ints([RELATIONS.index(guard.relation) for guard in guards]),
            "guard_left": _ints([register[guard.left] for guard in guards]),
            "guard_right": _ints([register[guard.right] for guard in guards]),
            "guard_holds": _ints([guard.holds for guard in guards]),
            "out_node": _ints([register[node] for _, node in outputs]),
            "out_place": _ints([place for place, _ in outputs]),
        }
        _mark_structural(slots)
        record = cls(
            slots.found,
            slots.named,
            {
                path: tuple(register[number.node] for number in numbers(slot.inputs))
                for path, slot in slots.found.items()
                if slot.inputs is not None
            },
            {register[node]: register[remainder] for node, remainder in recorder.remainders.items()},
            np.array([recorder.values[node] for node in recorder.inputs], float),
            np.array(values_of(values), float),
            arrays,
        )
        made, guard = record.run(record.start)
        if guard >= 0:
            raise RuntimeError(f"the record of a compilation does not reproduce its own values: {guards[guard]} fails")
        return replace(record, base=made)

    @cached_property
    def tape(self) -> Tape:
        """The tape in the kernel."""
        return Tape(self.sizes, dict(self.arrays))

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes of the tape, as the kernel reads them.

        >>> program.record.sizes["n_input"] == program.record.start.size
        True
        """
        a = self.arrays
        return {
            "n_input": self.start.size,
            "n_node": a["op"].size,
            "n_data": a["data"].size,
            "n_in": a["in"].size,
            "n_guard": a["guard_left"].size,
            "n_out": a["out_node"].size,
            "n_value": self.base.size,
        }

    def run(self, inputs: np.ndarray) -> tuple[np.ndarray, int]:
        """The values for these inputs, and the first decision that changes, or -1."""
        return self.tape.run(inputs, self.base)

    def run_many(self, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same for every row of inputs."""
        return self.tape.run_many(inputs, self.base)

    def put(self, inputs: np.ndarray, path: str, value: object) -> None:
        """Writes a checked value in SI to the inputs; to one column if there are many points."""
        for place, number in zip(self.places[path], numbers(value), strict=True):
            inputs[place] = number
            if place in self.remainders:
                inputs[self.remainders[place]] = decimal_remainder(float(number))

    def followers(self, values: Mapping[str, object]) -> list[tuple[str, float]]:
        """The parameters whose defaults are multiples of one of these, with the factor."""
        return [(path, factor) for path, of, factor in self.following if of in values]

    @cached_property
    def following(self) -> list[tuple[str, str, float]]:
        """Parameters that were not given, the parameters that they are multiples of, and the factors."""
        return [(path, slot.follows, slot.param.default) for path, slot in self.slots.items() if slot.follows]

    def rearranged(self, first: int, picks: Sequence[int | None]) -> Record:
        """The same record with other values from `first` on: those at the places `picks`, or 1 for None."""
        places: dict[int, list[int]] = {old: [] for old in picks if old is not None}
        for new, old in enumerate(picks, first):
            if old is not None:
                places[old].append(new)
        outputs = list(zip(self.arrays["out_node"].tolist(), self.arrays["out_place"].tolist(), strict=True))
        kept = [(node, place) for node, place in outputs if place < first]
        kept += [(node, new) for node, place in outputs for new in places.get(place, ())]
        arrays = {"out_node": _ints([node for node, _ in kept]), "out_place": _ints([place for _, place in kept])}
        more = [1.0 if old is None else self.base[old] for old in picks]
        return replace(self, base=np.concatenate([self.base[:first], more]), arrays={**self.arrays, **arrays})

    def parameters(self, inputs: np.ndarray) -> dict[str, Parameter]:
        """All parameters with their present values."""
        return {path: self._parameter(slot, inputs) for path, slot in self.slots.items()}

    def _parameter(self, slot: Slot, inputs: np.ndarray) -> Parameter:
        param = slot.param
        value = slot.value
        if slot.inputs is not None:
            value = _like(value, iter(inputs[list(self.places[slot.path])].tolist()))
        bounds = (param.min, param.above, param.max)
        return Parameter(slot.path, value, slot.unit, param.text, *bounds, structural=slot.structural)


def _like(shape: object, values: Iterator[float]) -> Any:
    """Values in lists as deep as those of a shape."""
    return [_like(entry, values) for entry in shape] if isinstance(shape, list) else next(values)


def _behind(recorder: Recorder, *groups: Sequence[int]) -> list[int]:
    """The nodes that some nodes need, and these, in order."""
    needed, waiting = set[int](), [node for group in groups for node in group]
    while waiting:
        node = waiting.pop()
        if node not in needed:
            needed.add(node)
            waiting += recorder.operations[node].operands
    return sorted(needed)


def _mark_structural(slots: Slots) -> None:
    """Parameters whose values have left the record need another compilation."""
    pinned = set(_behind(slots.recorder, list(slots.recorder.pins)))
    for slot in slots.found.values():
        if slot.inputs is not None and not slot.structural and any(n.node in pinned for n in numbers(slot.inputs)):
            slot.structural = COUNT if isinstance(slot.param, Count) else DECIDES


def _tape_arrays(nodes: Sequence[TapeOperation], register: Mapping[int, int]) -> dict[str, np.ndarray]:
    return {
        "op": _ints([OPERATIONS[node.op].number for node in nodes]),
        "ptr": _ints(list(accumulate((len(node.data) for node in nodes), initial=0))),
        "data": np.array([x for node in nodes for x in node.data], float),
        "in_ptr": _ints(list(accumulate((len(node.operands) for node in nodes), initial=0))),
        "in": _ints([register[i] for node in nodes for i in node.operands]),
    }


def _ints(values: Sequence[int]) -> np.ndarray:
    return np.array(values, np.int32)
