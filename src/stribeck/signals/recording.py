"""Measured samples in a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..declare import Param, Word
from ..errors import FileError, SpecError
from ..tables import read_columns
from ._samples import BETWEEN, Samples
from .signal import Scope, Signal


@dataclass(frozen=True)
class Column(Param):
    """A parameter that is a column of a file: its name, or its number counted from 0."""

    default: Any

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

    >>> Torque(mass, tau=Recording("run7.csv", time="t", value="torque", unit="kN.m"))
    """

    file = Word(None, "1", "path of the file: .csv, .parquet, .mat, .mf4 or .tdms")
    time = Column(0, "1", "column with the times, increasing")
    value = Column(1, "1", "column with the values")
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
        times, values = columns(path, (self.time, self.value), owner)
        second = Param(None, "s", "unit").to_si(f"1 {self.time_unit}", {}, owner, "time_unit")
        factor = Param(None, unit, "unit").to_si(f"1 {self.unit}", {}, owner, "unit") if self.unit else 1.0
        shift = 0.0 if bound.p.start is None else bound.p.start - times[0] * second
        bound.p.time = [t * second + shift for t in times]
        bound.p.value = [v * factor for v in values]
        return bound


def columns(path: Path, names: tuple[int | str, int | str], owner: str) -> tuple[list[float], list[float]]:
    """Two columns of a file, the first increasing; `owner` is for messages.

    >>> columns(Path("run7.csv"), ("t", "torque"), "torque 'motor', tau")
    """
    file = read_columns(path, owner, "check the path, which is relative to the model file")
    times, values = (file.numbers(name) for name in names)
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
