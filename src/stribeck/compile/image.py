"""A program as data for a runtime without Python: integers, numbers and texts (kernel/include/sb_image.h)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..kernel import image_layout
from .program import Program

FAMILIES = ("smooth", "bristle", "locking")
LOCKS = ("switch", "karnopp", "hybrid")
"""Families of laws and kinds of locks in the order of the kernel."""


class ImageParameter(NamedTuple):
    """A number that can be set in an exported model: its name there, its path in the model, and what it means."""

    name: str
    path: str
    value: float
    unit: str
    text: str
    place: int
    min: float | None = None
    above: float | None = None
    max: float | None = None


@dataclass(frozen=True)
class Image:
    """A program as three arrays of constants.

    >>> image = Image.of(program, {"h": 1e-3, "substeps": 1, "tolerance": 1e-6, "t_end": 10})
    >>> image.block()[:4]
    b'1RBS'
    """

    program: Program
    settings: Mapping[str, float]
    """Defaults of a run: h and t_end (s), substeps, tolerance."""
    inputs: tuple[str, ...]
    """Inputs that can be set; the others keep their values at the start."""

    @classmethod
    def of(cls, program: Program, settings: Mapping[str, float], inputs: Sequence[str] | None = None) -> Image:
        """With all inputs, or some of them."""
        return cls(program, settings, tuple(program.inputs if inputs is None else inputs))

    @cached_property
    def parameters(self) -> tuple[ImageParameter, ...]:
        """All numbers that can be set without compiling, lists in parts.

        >>> Image.of(program, {}).parameters[0].name
        'pull.phi0'
        """
        record, point = self.program.record, self.program.point
        fixed = {of for path, of, _ in record.following if not self._tunable(path)}
        found = []
        for path, places in record.places.items():
            if not self._tunable(path) or path in fixed:
                continue
            slot = record.slots[path]
            for name, place in zip(_names(path, slot.value), places, strict=True):
                bounds = (slot.param.min, slot.param.above, slot.param.max)
                found.append(
                    ImageParameter(name, path, float(point[place]), slot.unit, slot.param.text, place, *bounds)
                )
        return tuple(found)

    def _tunable(self, path: str) -> bool:
        record = self.program.record
        return path in record.places and not record.slots[path].structural

    def block(self) -> bytes:
        """All in one block of memory, as the runtime reads it from a file."""
        integers, numbers, text = self.integers, self.numbers, self.text
        layout = image_layout()
        head = [layout["mark"], layout["version"], integers.size, numbers.size, len(text), 0]
        return np.array(head, "<i4").tobytes() + numbers.astype("<f8").tobytes() + integers.tobytes() + text

    @cached_property
    def integers(self) -> np.ndarray:
        """All integers."""
        layout = image_layout()
        head = [layout["mark"], layout["version"], *(self._counts[name] for name in layout["counts"])]
        head += [self.program.sizes[name] for name in layout["sizes"]]
        head += [self.program.record.sizes[name] for name in layout["tape_sizes"]]
        return np.concatenate([np.array(head, "<i4"), *(part.astype("<i4") for part in self._arrays(True))])

    @cached_property
    def numbers(self) -> np.ndarray:
        """All numbers, those of the model behind the states at the start."""
        return np.concatenate([part.astype("<f8") for part in self._arrays(False)])

    @cached_property
    def text(self) -> bytes:
        """All texts, each with a zero at its end."""
        return b"".join(text.encode() + b"\0" for text in self._strings)

    def _arrays(self, integers: bool) -> Iterator[np.ndarray]:
        """The arrays of integers, or of numbers, in the order of the kernel."""
        layout, program = image_layout(), self.program
        groups = [(layout["arrays"], self._own), (layout["tape_arrays"], program.record.arrays)]
        if integers:
            groups.insert(1, (layout["model_arrays"], program.structure.arrays))
        for names, arrays in groups:
            for name, is_integer in names:
                if is_integer == integers:
                    yield np.asarray(arrays[name])

    @cached_property
    def _strings(self) -> list[str]:
        texts = self._texts
        return [text for group in image_layout()["texts"] for text in texts[group]]

    @property
    def _counts(self) -> dict[str, int]:
        own = self._own
        return {
            "n_string": len(self._strings),
            "n_input": len(self.inputs),
            "n_parameter": len(self.parameters),
            "n_follower": own["follower"].size,
            "n_own": len(self.program.structure.law_tapes),
            "n_own_code": own["own_code"].size,
            "n_own_constant": own["own_constant"].size,
        }

    @cached_property
    def _own(self) -> dict[str, np.ndarray]:
        """The arrays that only exported models have."""
        program, parameters = self.program, self.parameters
        starts = np.cumsum([0, *(len(text.encode()) + 1 for text in self._strings)])[:-1]
        followers = self._followers()
        remainders = program.record.remainders
        return {
            "string_at": starts,
            **self._laws(),
            "state_discrete": _ints([int(discrete) for discrete in program.structure.state_discrete]),
            "input_node": _ints([program.inputs[name].node for name in self.inputs]),
            "parameter_place": _ints([one.place for one in parameters]),
            "parameter_remainder": _ints([remainders.get(one.place, -1) for one in parameters]),
            "parameter_min": _bounds([one.min for one in parameters], -np.inf),
            "parameter_above": _bounds([one.above for one in parameters], -np.inf),
            "parameter_max": _bounds([one.max for one in parameters], np.inf),
            "follower": _ints([follower for follower, _, _ in followers]),
            "follower_of": _ints([of for _, of, _ in followers]),
            "follower_factor": np.array([factor for _, _, factor in followers], float),
            "setting": np.array([self.settings[name] for name in image_layout()["settings"]], float),
            "point": program.point,
            "value": program.values,
        }

    def _followers(self) -> list[tuple[int, int, float]]:
        """Parameters that were not given and are multiples of others: both numbers, and the factor."""
        number = {one.name: i for i, one in enumerate(self.parameters)}
        return [
            (number[path], number[of], factor)
            for path, of, factor in self.program.record.following
            if path in number and of in number and path not in self.program.changed
        ]

    def _laws(self) -> dict[str, np.ndarray]:
        """The laws that the kernel has not compiled."""
        tapes = self.program.structure.law_tapes
        number = {key: i for i, key in enumerate(tapes)}
        facts = []
        for tape in tapes.values():
            known = {
                **tape.facts,
                "family": FAMILIES.index(tape.facts["family"]),
                "lock": LOCKS.index(tape.facts["lock"]),
                "n_code": tape.code.size,
                "n_constant": tape.constants.size,
            }
            facts += [known[name] for name in image_layout()["facts"]]
        return {
            "law_own": _ints([number.get(law, -1) for law in self.program.laws]),
            "own_facts": _ints(facts),
            "own_code": np.concatenate([_ints([]), *(tape.code for tape in tapes.values())]),
            "own_constant": np.concatenate([np.empty(0), *(tape.constants for tape in tapes.values())]),
        }

    @property
    def _texts(self) -> dict[str, Sequence[str]]:
        """All texts by groups."""
        program, structure, inputs = self.program, self.program.structure, self.program.inputs
        varying, orders = structure.varying, structure.orders
        return {
            "model": [program.name],
            "input_name": self.inputs,
            "input_unit": [inputs[name].unit or "1" for name in self.inputs],
            "output_name": program.output_names,
            "output_unit": program.output_units,
            "parameter_name": [one.name for one in self.parameters],
            "parameter_unit": [one.unit for one in self.parameters],
            "state_name": program.state_names,
            "state_unit": program.state_units,
            "state_owner": program.state_owners,
            "contact": program.contacts,
            "lock": program.locks,
            "event_owner": program.event_owners,
            "signal_owner": program.signal_owners,
            "law": program.laws,
            "own_law": [tape.facts["name"] for tape in structure.law_tapes.values()],
            "vary_element": [one.element for one in varying],
            "vary_name": [one.name for one in varying],
            "vary_unit": [one.unit for one in varying],
            "vary_rule": [one.rule for one in varying],
            "order_element": [element for element, _, _ in orders],
            "order_low": [low for _, low, _ in orders],
            "order_high": [high for _, _, high in orders],
        }


def _names(path: str, value: Any) -> Iterator[str]:
    """The names of the numbers of a parameter that may be a list of lists."""
    if isinstance(value, list):
        for i, entry in enumerate(value):
            yield from _names(f"{path}[{i}]", entry)
    else:
        yield path


def _ints(values: Sequence[int]) -> np.ndarray:
    return np.array(values, np.int32)


def _bounds(values: Sequence[float | None], none: float) -> np.ndarray:
    return np.array([none if value is None else value for value in values], float)
