"""Where a run has ended: all that another run needs to go on from there."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..units import to_si

Field = tuple[str, bool, int]
"""Name of a part of the memory of a run, whether it holds whole numbers, and how many."""


@dataclass(frozen=True)
class Origin:
    """What an end comes from: only a program with this structure goes on from it, one with these values to the last
    bit."""

    structure: Mapping[str, tuple[str, ...]]
    """Names of what evolves: states, contacts, laws, signals."""
    values: str
    """Hash of the equations."""
    fields: tuple[Field, ...]


@dataclass(frozen=True, eq=False, repr=False)
class End:
    """The machine at the end of a run, as `start` of another one: states, modes, bristles, what signals remember, and
    the step size of the solver. Immutable; saved and loaded with the result.

    >>> end
    <End of a run of stick-slip-switch at t = 10 s>
    >>> result = stribeck.simulate("stick-slip-switch", t_end=25, start=end)
    >>> float(result.time[0])
    10.0
    """

    model: str
    """Name of the model."""
    kind: str
    """What has run: "adaptive", or the fixed step."""
    numbers: np.ndarray
    counts: np.ndarray
    ended: tuple[float, int]
    """Time of the end as a start (s) and a number of tasks since."""
    time: float
    """Time at which a run from here starts (s)."""
    find_origin: Callable[[], Origin]

    def __post_init__(self) -> None:
        for array in (self.numbers, self.counts):
            array.flags.writeable = False

    def at(self, time: float | str) -> End:
        """The same machine with its clock set to `time` (s): signals of time are those of then, delays and samples keep
        what they remember.

        >>> end.at(0)
        <End of a run of stick-slip-switch at t = 0 s>
        """
        return replace(self, time=float(to_si(time, "s", "end", "time")), kind=f"{self.kind}, clock set")

    @cached_property
    def origin(self) -> Origin:
        """What it fits."""
        return self.find_origin()

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        """All of it by the names that the kernel has for it.

        >>> end.arrays["mode"]
        array([1], dtype=int32)
        """
        found, numbers, counts = {}, 0, 0
        for name, whole, n in self.origin.fields:
            if whole:
                found[name], counts = self.counts[counts : counts + n], counts + n
            else:
                found[name], numbers = self.numbers[numbers : numbers + n], numbers + n
        return found

    @property
    def states(self) -> dict[str, float]:
        """The states by their names (SI).

        >>> end.states["pull.phi"]
        1.0
        """
        return dict(zip(self.origin.structure["states"], self.arrays["x"].tolist(), strict=False))

    def to_document(self) -> dict[str, Any]:
        """All of it as plain data, for a JSON file."""
        return {
            "model": self.model,
            "kind": self.kind,
            "ended": list(self.ended),
            "time": self.time,
            "values": self.origin.values,
            "structure": {name: list(names) for name, names in self.origin.structure.items()},
            "arrays": {name: _plain(values) for name, values in self.arrays.items()},
            "whole": [name for name, whole, _ in self.origin.fields if whole],
        }

    @classmethod
    def from_document(cls, known: Mapping[str, Any]) -> End:
        """What `to_document` has made."""
        whole, arrays = set(known["whole"]), known["arrays"]
        fields = tuple((name, name in whole, len(values)) for name, values in arrays.items())
        structure = {name: tuple(names) for name, names in known["structure"].items()}
        origin = Origin(structure, known["values"], fields)
        numbers = [float(value) for name, values in arrays.items() if name not in whole for value in values]
        counts = [int(value) for name, values in arrays.items() if name in whole for value in values]
        t0, count = known["ended"]
        return cls(
            known["model"],
            known["kind"],
            np.array(numbers, float),
            np.array(counts, np.int32),
            (float(t0), int(count)),
            float(known["time"]),
            lambda: origin,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, End) and self.to_document() == other.to_document()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<End of a run of {self.model} at t = {self.time:.10g} s>"


def _plain(values: np.ndarray) -> list[Any]:
    """Numbers as JSON can hold them; what is not finite as a word."""
    return [value if math.isfinite(value) else str(value) for value in values.tolist()]
