"""Many sets of values of one structure at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..declare import Param
from ..errors import SpecError
from ..traced import decimal_remainder
from ..units import HUGE
from .parameters import Slot, numbers
from .program import Program, ProgramSet
from .record import Record


def many_programs(program: Program, values: Mapping[str, object]) -> ProgramSet:
    """Programs for every row of values; an error names the point by its number.

    >>> len(many_programs(program, {"spring.c": [1.0, 2.0]}))
    2
    """
    points = PointValues.of(program, values)
    found = points.chunk(0, len(points))
    for i, error in found.refused.items():
        raise type(error)(f"point {i}: {error}")
    return ProgramSet(points.base, found.values, found)


class PointValues:
    """Values of parameters at many points: `columns` of those that vary, `base` with those that do not.

    >>> len(PointValues.of(program, {"spring.c": [1.0, 2.0], "pull.w": 0.2}))
    2
    """

    def __init__(self, base: Program, columns: dict[str, np.ndarray]) -> None:
        self.base, self.columns = base, columns

    @classmethod
    def of(cls, program: Program, values: Mapping[str, object]) -> PointValues:
        """From one value, or a sequence with one for each point, for each parameter."""
        known = program.canonical(values)
        columns = {path: _column(value) for path, value in known.items() if program.is_many(path, value)}
        fixed = {path: value for path, value in known.items() if path not in columns}
        lengths = {path: len(column) for path, column in columns.items()}
        if len(set(lengths.values())) > 1:
            shown = ", ".join(f"{path}: {length}" for path, length in lengths.items())
            raise SpecError(f"values: the sequences have different lengths ({shown}); give one value for each point")
        if not columns:
            raise SpecError("values: no parameter has a value for each point; give a list, as in {'spring.c': [1, 2]}")
        return cls(program.one(fixed) if fixed else program, columns)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def chunk(self, first: int, end: int) -> PointChunk:
        """The values of the kernel at some points."""
        found = PointChunk(self.base, end - first)
        found.columns = {path: found.checked(path, column[first:end]) for path, column in self.columns.items()}
        found.solve()
        return found


def _column(values: Any) -> np.ndarray:
    """The values of all points; lists of different lengths are kept as they are, and refused point by point."""
    try:
        return np.asarray(values)
    except ValueError:
        column = np.empty(len(values), object)
        column[:] = values
        return column


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


class PointChunk:
    """Some points, each with a record that is valid for it, or with the error that refuses it."""

    def __init__(self, program: Program, points: int) -> None:
        self._program = program
        self.columns: dict[str, np.ndarray] = {}
        """Values in SI."""
        self._record_of = np.zeros(points, int)
        self._records: list[tuple[Record, np.ndarray]] = []
        """Records, and the inputs of all points under each of them."""
        self.values = np.empty((points, program.values.size))
        """A row of numbers for the kernel per point."""
        self.refused: dict[int, SpecError] = {}
        """Points that the model refuses, by their number in the chunk."""

    @property
    def valid(self) -> np.ndarray:
        """The numbers of the points that have values."""
        return np.array([i for i in range(len(self.values)) if i not in self.refused], int)

    def checked(self, path: str, column: np.ndarray) -> np.ndarray:
        """The values of a parameter in SI; points with one that is not allowed are refused."""
        slot = self._program.record.slots[path]
        if column.dtype.kind in "iuf" and not isinstance(slot.value, list) and _within(slot, column):
            return column.astype(float)
        checked = []
        for i, value in enumerate(column.tolist()):
            if self._allowed(slot, value):
                checked.append(slot.check(value))
            else:
                self._program_at(i, {path: value})
                checked.append(slot.value)
        return np.array(checked, float)

    @staticmethod
    def _allowed(slot: Slot, value: Any) -> bool:
        """Whether a value is within its bounds, and a list as long as that of the compiled model."""
        try:
            return len(list(numbers(slot.check(value)))) == len(list(numbers(slot.value)))
        except SpecError:
            return False

    def _program_at(self, i: int, values: Mapping[str, object]) -> Program | None:
        """The program of one point; None if the model refuses it, which is kept."""
        try:
            return self._program.one(values)
        except SpecError as error:
            self.refused.setdefault(i, error)
            return None

    def solve(self) -> None:
        """Values of all points: by the present record, and by new records where a decision changes."""
        left = self.valid
        program: Program | None = self._program
        while left.size:
            if program is not None:
                left = self._by_record(program, left)
            if left.size:
                program = self._program_at(int(left[0]), self.changed(int(left[0])))
                left = left[1:] if program is None else left

    def _by_record(self, program: Program, left: np.ndarray) -> np.ndarray:
        """Solves points by the record of a program, and returns those that need another one."""
        record, inputs = program.record, self._inputs(program, left)
        values, guards = record.run_many(inputs)
        holds = guards < 0
        if not holds.any() and self._records:
            holds[0] = True  # compiled for this point
        whole = np.empty((len(self.values), inputs.shape[1]))
        whole[left] = inputs
        if holds.all() and left.size == len(self.values):
            self.values = values
        else:
            self.values[left[holds]] = values[holds]
        self._record_of[left[holds]] = len(self._records)
        self._records.append((record, whole))
        self._refuse_laws(left[holds])
        return left[~holds]

    def _refuse_laws(self, points: np.ndarray) -> None:
        """Points with which a law of a user would stop a run are refused."""
        for i in points.tolist() if self._program.structure.own_laws else ():
            try:
                self._program.check_own_laws(self.values[i])
            except SpecError as error:
                self.refused.setdefault(i, error)

    def _inputs(self, program: Program, points: np.ndarray) -> np.ndarray:
        """The inputs of the record of a program at these points."""
        record = program.record
        rows = np.tile(program.point, (points.size, 1))
        values: dict[str, Any] = {path: column[points] for path, column in self.columns.items()}
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
        return {path: column[i].tolist() for path, column in self.columns.items()}

    def __getitem__(self, i: int) -> tuple[Record, np.ndarray, dict[str, Any]]:
        record, inputs = self._records[self._record_of[i]]
        return record, inputs[i], {**self._program.changed, **self.changed(i)}
