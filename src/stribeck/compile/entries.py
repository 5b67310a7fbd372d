"""Entries of parameters that are lists: "joint.law.mu.1" is the second number of "joint.law.mu"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .parameters import Slot


def whole_lists(values: Mapping[str, Any], slots: Mapping[str, Slot], present: Callable[[str], Any]) -> dict[str, Any]:
    """Values by the paths of parameters: entries are put into the list that the parameter has at `present`. An entry
    with one value for each point makes one list for each point.

    >>> whole_lists({"spring.c": 2.0}, program.record.slots, lambda path: program.parameters[path].value)
    {'spring.c': 2.0}
    """
    found = {path: value for path, value in values.items() if not _owner(path, slots)}
    for path in values:
        if owner := _owner(path, slots):
            known = found.get(owner, present(owner))
            found[owner] = _with_entry(known, int(path.rpartition(".")[2]), values[path])
    return found


def _owner(path: str, slots: Mapping[str, Slot]) -> str:
    """The path of the list of which this path is an entry; empty if it is none."""
    owner, _, word = path.rpartition(".")
    slot = slots.get(owner)
    number = slot is not None and word.isdecimal() and path not in slots and isinstance(slot.value, list)
    return owner if number and slot is not None and int(word) < len(slot.value) else ""


def _with_entry(known: Any, number: int, value: Any) -> Any:
    if not isinstance(value, list | tuple | np.ndarray) and not isinstance(known, np.ndarray):
        return [*known[:number], value, *known[number + 1 :]]
    rows = np.array(known, float)
    if rows.ndim == 1:
        rows = np.tile(rows, (len(value), 1))
    rows[:, number] = value
    return rows
