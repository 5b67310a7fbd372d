"""Measured samples in a file."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..declare import Param, Word, unknown
from ..errors import FileError, SpecError, UnknownName
from ._declare import Scope, Signal
from ._samples import BETWEEN, Samples

SEPARATORS = ";\t,"
"""What may stand between the columns of a text file; without any of these it is blanks."""


@dataclass(frozen=True)
class Column(Param):
    """A parameter that is a column of a file: its name, or its number from 0 on."""

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
    """Measured samples from a CSV or Parquet file, unsmoothed; held before the first and after the last one.

    A relative path begins at the folder of the model file. Columns are named, or counted from 0.

    >>> Torque(mass, tau=Recording("run7.csv", time="t", value="torque", unit="kN.m"))
    """

    file = Word(None, "1", "path of the file, .csv or .parquet")
    time = Column(0, "1", "column with the times, increasing")
    value = Column(1, "1", "column with the values")
    between = BETWEEN
    time_unit = Word("s", "1", "unit of the times")
    unit = Word("", "1", "unit of the values; without it they are in SI")
    start = Param(None, "s", "time of the first sample; without it as recorded", optional=True)

    def bind(self, unit: str, owner: str, scope: Scope | None = None) -> Signal:
        """As every signal; the file is read."""
        bound = super().bind(unit, owner, scope)
        path = (scope or Scope()).folder / str(self.file)
        times, values = columns(path, (self.time, self.value), owner)
        second = Param(None, "s", "unit").to_si(f"1 {self.time_unit}", {}, owner, "time_unit")
        factor = Param(None, unit, "unit").to_si(f"1 {self.unit}", {}, owner, "unit") if self.unit else 1.0
        shift = 0.0 if bound.p.start is None else bound.p.start - times[0] * second
        bound.p.time = [t * second + shift for t in times]
        bound.p.value = [v * factor for v in values]
        return bound


def columns(path: Path, names: tuple[int | str, int | str], owner: str) -> tuple[list[float], list[float]]:
    """Two columns of a file, of which the first one increases; `owner` is for messages.

    >>> columns(Path("run7.csv"), ("t", "torque"), "torque 'motor', tau")
    """
    place = f"{owner}: file '{path}'"
    readers = {".parquet": _parquet, ".csv": _csv, ".txt": _csv, ".dat": _csv}
    if path.suffix.lower() not in readers:
        raise FileError(f"{place} is not known by its ending; use one of {', '.join(readers)}")
    try:
        rows = list(readers[path.suffix.lower()](path, names, place))
    except FileNotFoundError:
        raise FileError(f"{place} is not there; check the path, which begins at the folder of the model file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"{place} cannot be read: {error}; it must be a table of numbers") from None
    if not rows:
        raise FileError(f"{place} has no samples; it needs at least one row of numbers")
    before = -math.inf
    for where, t, v in rows:
        if not (math.isfinite(t) and math.isfinite(v)):
            raise FileError(f"{place}, {where}: {t:g}, {v:g} is not finite; remove the row, or fill the gap beforehand")
        if t <= before:
            raise FileError(f"{place}, {where}: time {t:g} comes after {before:g}; times must increase: sort the rows")
        before = t
    return [t for _, t, _ in rows], [v for _, _, v in rows]


Rows = Iterator[tuple[str, float, float]]
"""Place for messages, time and value of each sample."""


def _csv(path: Path, names: tuple[int | str, int | str], place: str) -> Rows:
    """Rows of a text file; a first row that is not all numbers holds the names, lines with # are left out."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = [
            (i, line) for i, line in enumerate(file, start=1) if line.strip() and not line.lstrip().startswith("#")
        ]
    if not lines:
        return
    separator = next((s for s in SEPARATORS if s in lines[0][1]), " ")
    texts = (line.strip() if separator == " " else line for _, line in lines)
    rows = csv.reader(texts, delimiter=separator, skipinitialspace=True)
    header: list[str] | None = None
    picked: list[int] = []
    for (number, _), row in zip(lines, rows, strict=False):
        cells = [cell.strip() for cell in row]
        if not picked:
            header = None if all(_number(cell) is not None for cell in cells) else cells
            picked = [_position(name, header, len(cells), place) for name in names]
            if header is not None:
                continue
        yield f"line {number}", *(_cell(cells, i, f"{place}, line {number}") for i in picked)  # type: ignore[misc]


def _parquet(path: Path, names: tuple[int | str, int | str], place: str) -> Rows:
    """Rows of a Parquet file."""
    try:
        from pyarrow import ArrowInvalid, parquet  # type: ignore[import-untyped]
    except ImportError:
        raise FileError(f"{place} needs the package pyarrow; install it: pip install 'stribeck[data]'") from None
    try:
        table = parquet.read_table(path)
    except ArrowInvalid as error:
        raise FileError(f"{place} cannot be read: {str(error).splitlines()[0]}; it must be a Parquet file") from None
    known = [str(name) for name in table.column_names]
    both = [table.column(_position(name, known, len(known), place)).to_pylist() for name in names]
    for i, row in enumerate(zip(*both, strict=True)):
        yield f"row {i}", *(_plain(cell, f"{place}, row {i}") for cell in row)  # type: ignore[misc]


def _position(name: int | str, header: list[str] | None, width: int, place: str) -> int:
    """The number of a column."""
    if isinstance(name, int):
        if name >= width:
            raise UnknownName(f"{place} has no column {name}; it has {width}, counted from 0")
        return name
    if header is None:
        raise UnknownName(f"{place} has no names of columns, so there is no '{name}'; give its number, from 0 on")
    if name not in header:
        raise UnknownName(unknown(f"{place} has no column", name, header))
    return header.index(name)


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _cell(cells: list[str], i: int, place: str) -> float:
    """One number of a text file; an empty cell is not a number."""
    text = cells[i] if i < len(cells) else ""
    number = math.nan if text == "" else _number(text)
    if number is None:
        comma = "; write decimals with a point" if "," in text else "; each sample must be a number"
        raise FileError(f"{place}: '{text}' is not a number{comma}")
    return number


def _plain(cell: Any, place: str) -> float:
    """One number of a Parquet file."""
    if cell is None:
        return math.nan
    try:
        return float(cell)
    except (TypeError, ValueError):
        raise FileError(f"{place}: {cell!r} is not a number; each sample must be a number") from None
