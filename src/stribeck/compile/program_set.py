"""Many sets of values of one structure at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..declare import Param
from ..errors import SpecError
from ..traced import decimal_remainder
from ..units import HUGE
from .parameters import Slot
from .program import Program, ProgramSet
from .record import Record


def many_programs(program: Program, values: Mapping[str, object]) -> ProgramSet:
    """Programs for every row of values; an error names the point by its number.

    >>> len(many_programs(program, {"spring.c": [1.0, 2.0]}))
    2
    """
    columns = {path: value for path, value in values.items() if program.is_many(path, value)}
    fixed = {path: value for path, value in values.items() if path not in columns}
    base = program.one(fixed) if fixed else program
    lengths = {path: len(value) for path, value in columns.items()}  # type: ignore[arg-type]
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{path}: {length}" for path, length in lengths.items())
        raise SpecError(f"with_values: the sequences have different lengths ({shown}); give one value for each point")
    points = next(iter(lengths.values()))
    checked = {path: _column(base, path, np.asarray(value)) for path, value in columns.items()}
    found = _Points(base, checked, points)
    found.solve()
    return ProgramSet(base, found.values, found)


def _column(program: Program, path: str, column: np.ndarray) -> np.ndarray:
    """The values of a parameter at all points in SI; an error names the first invalid point."""
    slot = program.record.slots[path]
    if column.dtype.kind in "iuf" and not isinstance(slot.value, list) and _within(slot, column):
        return column.astype(float)
    checked = []
    for i, value in enumerate(column.tolist()):
        try:
            checked.append(slot.check(value))
        except SpecError:
            _at_point(program, i, {path: value})
            raise
    return np.array(checked, float)


def _at_point(program: Program, i: int, values: Mapping[str, object]) -> Program:
    """The program of one point; an error names the point by its number."""
    try:
        return program.one(values)
    except SpecError as error:
        raise type(error)(f"point {i}: {error}") from None


def _within(slot: Slot, column: np.ndarray) -> bool:
    """Whether all numbers are finite and within the bounds; otherwise the slot gives the message."""
    param: Param = slot.param
    return bool(
        np.isfinite(column).all()
        and (np.abs(column) <= HUGE).all()
        and (param.min is None or (column >= param.min).all())
        and (param.above is None or (column > param.above).all())
        and (param.max is None or (column <= param.max).all())
    )


class _Points:
    """Points, each with a record that is valid for it."""

    def __init__(self, program: Program, columns: Mapping[str, np.ndarray], points: int) -> None:
        self._program = program
        self._columns = columns
        self._record_of = np.zeros(points, int)
        self._records: list[tuple[Record, np.ndarray]] = []
        """Records, and the inputs of all points under each of them."""
        self.values = np.empty((points, program.values.size))

    def solve(self) -> None:
        """Values of all points: by the present record, and by new records where a decision changes."""
        left = np.arange(len(self.values))
        program = self._program
        while left.size:
            record = program.record
            inputs = self._inputs(program, left)
            values, guards = record.run_many(inputs)
            holds = guards < 0
            if not holds.any() and self._records:
                holds[0] = True  # compiled for this point
            whole = np.empty((len(self.values), inputs.shape[1]))
            whole[left] = inputs
            self.values[left[holds]] = values[holds]
            self._record_of[left[holds]] = len(self._records)
            self._records.append((record, whole))
            left = left[~holds]
            if left.size:
                program = _at_point(self._program, int(left[0]), self.changed(int(left[0])))

    def _inputs(self, program: Program, points: np.ndarray) -> np.ndarray:
        """The inputs of the record of a program at these points."""
        record = program.record
        rows = np.tile(program.point, (points.size, 1))
        values: dict[str, Any] = {path: column[points] for path, column in self._columns.items()}
        followers = record.followers(values)
        values |= {
            path: factor * values[record.slots[path].follows]
            for path, factor in followers
            if path not in values and path not in program.changed
        }
        for path, column in values.items():
            for k, place in enumerate(record.places[path]):
                rows[:, place] = column if column.ndim == 1 else column.reshape(points.size, -1)[:, k]
                if place in record.remainders:
                    rows[:, record.remainders[place]] = [decimal_remainder(x) for x in rows[:, place].tolist()]
        return rows

    def changed(self, i: int) -> dict[str, Any]:
        """The values of one point."""
        return {path: column[i].tolist() for path, column in self._columns.items()}

    def __getitem__(self, i: int) -> tuple[Record, np.ndarray, dict[str, Any]]:
        record, inputs = self._records[self._record_of[i]]
        return record, inputs[i], {**self._program.changed, **self.changed(i)}
