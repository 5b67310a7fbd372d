"""Columns of a file of any format."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..declare import unknown
from ..errors import FileError, UnknownName
from ..reading import reading


class BrokenFile(ValueError):
    """A file that contradicts its format."""


class Ambiguous(str):
    """A cell such as 1,500 that may be a number with decimals or with a separator of thousands."""


class FileColumn(NamedTuple):
    """One column: numbers (or texts, if any), the unit given in the file, and separate times (s) if it has them."""

    values: np.ndarray
    unit: str = ""
    time: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Columns:
    """All columns of a file by name, or by number if the file has no names.

    >>> columns = read_columns(Path("run7.csv"))
    >>> columns.names, columns.numbers("torque")
    (['t', 'torque'], array([1., 2., -1.]))
    """

    place: str
    """The location, for messages."""
    columns: dict[str, FileColumn]
    named: bool = True
    constants: dict[str, float] = field(default_factory=dict)
    """Scalars in the file."""
    row: Callable[[int], str] = "row {}".format
    """The name of a sample in messages: line 7, row 7."""

    @property
    def names(self) -> list[str]:
        """The names of all columns."""
        return list(self.columns)

    def __getitem__(self, name: int | str) -> FileColumn:
        return self.columns[pick(self, name)]

    def numbers(self, name: int | str) -> np.ndarray:
        """The numbers of a column; an empty cell is nan, a text is refused."""
        column = self[name].values
        if column.dtype.kind in "fiub":
            return column.astype(float)
        numbers = [_number(cell) for cell in column]
        wrong = next((i for i, number in enumerate(numbers) if isinstance(number, str)), None)
        if wrong is not None:
            raise FileError(f"{self.place}, {self.row(wrong)}: {_fault(column[wrong])}")
        return np.array(numbers, float)

    def tables(self) -> dict[str, list[str]]:
        """Structures, cells and groups with their columns: the names up to the last part.

        >>> read_columns("run7.csv").tables()
        {'': ['t', 'torque']}
        """
        found: dict[str, list[str]] = {}
        for name in self.names:
            found.setdefault(_split(name)[0], []).append(name)
        return found

    def within(self, table: str) -> Columns:
        """The columns of one structure, cell or group, without its name.

        >>> read_columns("servo.mat").within("rig").names
        ['q']
        """
        inside = {name: name[len(table) :].lstrip(".") for name in self.names if name.startswith(table)}
        inside = {name: short for name, short in inside.items() if short != name[len(table) :] or short[:1] in "{[("}
        if not inside:
            raise UnknownName(unknown(f"{self.place} has no table", table, [t for t in self.tables() if t]))
        columns = {short or name: self.columns[name] for name, short in inside.items()}
        return replace(self, columns=columns)


def numbered(columns: Iterable[tuple[str, FileColumn]]) -> dict[str, FileColumn]:
    """Columns by name; equal names are numbered from the second one on: q, q_2, q_3. A known unit in a name is that of
    the column, unless it has one: q [deg].

    >>> list(numbered([("q", FileColumn(np.zeros(3))), ("q [deg]", FileColumn(np.ones(3)))]))
    ['q', 'q_2']
    """
    from ._heads import with_known_unit

    found: dict[str, FileColumn] = {}
    for given, column in columns:
        name, unit = with_known_unit(given) if not column.unit else (given, "")
        column = column._replace(unit=column.unit or unit)
        unique, count = name, 1
        while unique in found:
            count += 1
            unique = f"{name}_{count}"
        found[unique] = column
    return found


def seconds(times: np.ndarray) -> np.ndarray:
    """Dates as seconds after the first one.

    >>> seconds(np.array(["2024-03-12T10:00", "2024-03-12T10:01"], "datetime64[s]"))
    array([ 0., 60.])
    """
    return np.asarray((times - times[:1]) / np.timedelta64(1, "s"))


TEXT = (".csv", ".txt", ".dat", ".tsv", ".asc", ".prn", ".log", ".lvm")
"""Extensions of text files: read in pure Python, with tables by number."""
Reader = Callable[..., Columns]
"""From a path and its name in messages, for texts also the number of a table, to the columns."""


@cache
def readers() -> dict[str, Reader]:
    """The reader of each extension: every module in this folder declares its own.

    >>> list(readers())
    ['.asc', '.csv', '.dat', '.log', '.lvm', '.mat', '.mdf', '.mf4', '.parquet', '.prn', '.tdms', '.tsv', '.txt']
    """
    names = [info.name for info in pkgutil.iter_modules([str(Path(__file__).parent)]) if not info.name.startswith("_")]
    modules = [import_module(f"{__package__}.{name}") for name in names]
    return dict(sorted((ending, module.read) for module in modules for ending in module.ENDINGS))


def read_columns(
    path: str | Path,
    owner: str = "",
    missing: str = "check the path",
    *,
    named_as: str | None = None,
    table: int | str | None = None,
) -> Columns:
    """The columns of a file. `table` chooses one of several tables: its number from 1 on in a text, the name of a
    structure, a cell or a group in other files. For messages: `owner` is the element that needs it, `missing` the
    advice if there is no such file, `named_as` another name for it.

    >>> read_columns("run7.csv").names
    ['t', 'torque']
    """
    path = Path(path)
    place = named_as or (f"{owner}: file '{path}'" if owner else f"file '{path}'")
    reader = readers().get(path.suffix.lower())
    if reader is None and not path.exists():
        raise FileError(f"{place} is not there; {missing}")
    if reader is None:
        raise FileError(f"{place} has an unknown extension; use one of {', '.join(readers())}{_instead(path)}")
    from ._apart import APART, read_apart

    text = path.suffix.lower() in TEXT
    apart = APART.get() and not text
    try:
        with reading(place, FileError, "it must be a table of numbers"):
            path.stat()  # a missing file is reported in the same form
            if path.is_dir():
                raise FileError(f"{place} cannot be read: it is a folder; give a file in it")
            columns = read_apart(path, place) if apart else reader(path, place, table) if text else reader(path, place)
    except FileNotFoundError:
        raise FileError(f"{place} is not there; {missing}") from None
    if not columns.columns or not max(column.values.size for column in columns.columns.values()):
        raise FileError(f"{place} has no samples; it needs at least one row of numbers")
    return columns if table is None or text else columns.within(str(table))


def _split(name: str) -> tuple[str, str]:
    """Structure and field of a name: rig.q, runs{2}.q; cells of a cell array, runs{2}, are tables themselves."""
    table, dot, field = name.rpartition(".")
    if not dot and "}[" in name:  # a matrix in a cell
        table, dot, field = name.rpartition("[")
    return (table, field) if dot else ("", name)


def _instead(path: Path) -> str:
    sheet = path.suffix.lower() in (".xls", ".xlsx", ".ods")
    return "; save the sheet as CSV" if sheet else "; rename a text file to .txt"


def pick(columns: Columns, name: int | str) -> str:
    """The name of a column, given by name or by number from 0; a text of digits is a number unless it is a name.

    >>> pick(read_columns("run7.csv"), 1)
    'torque'
    """
    names = columns.names
    if isinstance(name, str) and name not in names and name.isdecimal():
        name = int(name)
    if isinstance(name, int):
        if not 0 <= name < len(names):
            raise UnknownName(f"{columns.place} has no column {name}; it has {len(names)}, counted from 0")
        return names[name]
    if not columns.named and name not in names:
        raise UnknownName(
            f"{columns.place} has no column names, so there is no '{name}'; give its number, from 0 on, or names for "
            f"all {len(names)} columns"
        )
    if name not in names:
        raise UnknownName(unknown(f"{columns.place} has no column", name, names))
    return name


def _number(cell: Any) -> Any:
    """A number, nan for an empty cell, or the text if it is not a number."""
    if cell is None or (isinstance(cell, str) and cell == ""):
        return np.nan
    if isinstance(cell, Ambiguous):
        return str(cell)
    try:
        return float(cell)
    except (TypeError, ValueError):
        return str(cell)


GROUPS = re.compile(r"[+-]?\d{1,3}(?:[ '\u2019\u00a0\u202f.,]\d{3})+(?:[.,]\d+)?")
"""A number with separators of thousands."""
COMMA_ONLY = re.compile(r"[+-]?\d+,\d+")


def _fault(cell: Any) -> str:
    text = str(cell)
    if isinstance(cell, Ambiguous):
        either = f"{text.replace(',', '').replace('.', '')} or {text.replace(',', '.')}"
        return f"{text!r} may be {either}; write it without separators of thousands, and decimals as in other columns"
    thousands = ("," in text and "." in text and not set(text) - set("+-.,0123456789")) or (
        bool(GROUPS.fullmatch(text)) and not COMMA_ONLY.fullmatch(text)
    )
    advice = "write decimals with a point" if "," in text else "each sample must be a number"
    return f"{cell!r} is not a number; {'write it without separators of thousands' if thousands else advice}"
