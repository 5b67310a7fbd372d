"""Measured samples in a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..declare import Param, Word
from ..errors import FileError, SpecError
from ..tables import Columns, read_columns
from ..traced import pinned
from ._samples import BETWEEN, Samples
from .signal import Scope, Signal


@dataclass(frozen=True)
class Column(Param):
    """A parameter that is a column of a file: its name, or its number counted from 0."""

    default: Any
    numeric: ClassVar[bool] = False

    def accept(self, value: Any, owner: str, name: str) -> Any:
        """The name or number."""
        if isinstance(value, bool) or not isinstance(value, int | str) or value == "" or str(value).startswith("-"):
            raise SpecError(
                f"{owner}: {name} = {value!r} must be the name or the number of a column; the first one is 0"
            )
        return value

    def to_si(self, value: Any, units: Any, owner: str, name: str) -> Any:
        """The name or number as it is."""
        return value


class Recording(Samples):
    """Measured samples from a file, not smoothed; constant before the first and after the last sample.

    The file is CSV, Parquet, MAT, MF4 or TDMS; a relative path is relative to the model file. Columns are given by
    name, or by number from 0.

    >>> Torque(mass, tau=Recording("run7.csv", "torque", unit="kN.m"))
    """

    file = Word(None, "1", "path of the file: .csv, .parquet, .mat, .mf4 or .tdms")
    value = Column(1, "1", "column with the values")
    time = Column(None, "1", "column with the times; default: the one called time, or the first", optional=True)
    between = BETWEEN
    time_unit = Word("s", "1", "unit of the times")
    unit = Word("", "1", "unit of the values; default: SI")
    start = Param(None, "s", "time of the first sample; default: as recorded", optional=True)

    def bind(self, unit: str, owner: str, scope: Scope | None = None) -> Signal:
        """As for every signal; reads the file."""
        bound = super().bind(unit, owner, scope)
        scope = scope or Scope()
        path = scope.folder / str(self.file)
        if scope.confined and not path.resolve().is_relative_to(scope.folder.resolve()):
            raise FileError(
                f"{owner}: file '{self.file}' is outside the folder of the model file; move it there, or allow it with "
                "Model.from_yaml(..., outside=True) or stribeck --outside"
            )
        times, values = columns(path, self.time, self.value, owner)
        second = Param(None, "s", "unit").to_si(f"1 {self.time_unit}", {}, owner, "time_unit")
        factor = Param(None, unit, "unit").to_si(f"1 {self.unit}", {}, owner, "unit") if self.unit else 1.0
        shift = 0.0 if bound.p.start is None else pinned(bound.p.start) - times[0] * second
        bound.p.time = [t * second + shift for t in times]
        bound.p.value = [v * factor for v in values]
        return bound


TIMES = ("t", "time", "zeit", "timestamp", "timestamps", "seconds")
"""What a column of times is usually called, whatever unit follows in brackets."""


def columns(path: Path, time: int | str | None, value: int | str, owner: str) -> tuple[list[float], list[float]]:
    """Two columns of a file, the times increasing; `owner` is for messages.

    >>> columns(Path("run7.csv"), "t", "torque", "torque 'motor', tau")
    """
    file = read_columns(path, owner, "check the path, which is relative to the model file")
    times, values = file.numbers(_time_column(file, value, owner) if time is None else time), file.numbers(value)
    bad = np.flatnonzero(~(np.isfinite(times) & np.isfinite(values)))
    if bad.size:
        where, cells = file.row(int(bad[0])), f"{times[bad[0]]:g}, {values[bad[0]]:g}"
        raise FileError(f"{file.place}, {where}: {cells} is not finite; remove the row, or fill the gap beforehand")
    back = np.flatnonzero(np.diff(times) <= 0)
    if back.size:
        before, after = times[back[0]], times[back[0] + 1]
        raise FileError(
            f"{file.place}, {file.row(int(back[0]) + 1)}: time {after:g} comes after {before:g}; "
            "times must increase: sort the rows"
        )
    return times.tolist(), values.tolist()


def _time_column(file: Columns, value: int | str, owner: str) -> int | str:
    """The column that is called time, or else the first one, if it can be."""
    named = [name for name in file.names if file.named and re.split(r"[\s/\[(]", name.lower())[0] in TIMES]
    if len(named) == 1:
        return named[0]
    first = file.names[0]
    if not named and value not in (0, first) and (np.diff(file.numbers(0)) > 0).all():
        return 0
    raise FileError(
        f"{owner}: which column of {file.place} has the times? name it, for instance Recording(..., time={first!r}); "
        f"columns: {', '.join(file.names)}"
    )
