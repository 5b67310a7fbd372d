"""Text files: a table of numbers, with or without names above it.

A row of names is the line above the numbers, also as a comment; a second one may hold the units. Empty lines, comments
(#, %, //, !), and lines of loggers above the names are skipped. A file with several tables is refused unless one of
them is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import FileError
from ._columns import TEXT, Columns, FileColumn, numbered
from ._heads import Head, head_of, name_and_unit, names_times
from ._text_lines import (
    COMMA,
    MISSING,
    TextLine,
    cells,
    decimal_comma,
    is_number,
    lines_of,
    separator_of,
    trimmed,
    usual_length,
    values_of,
)

ENDINGS = TEXT
REMARKS = ("comment", "comments", "note", "notes", "remark", "bemerkung")
"""Names of a last column that rows leave out."""
FEWEST = 3
"""Rows from which on a block of numbers is a table."""
HIGHEST = 4
"""Lines above a table that may have names, units, data types and remarks."""
MARKS = re.compile(r"\s*[;*]+\s*")
"""How a comment with names may begin, other than those of COMMENTS."""
LISTED = re.compile(r"(?:columns|fields|names|header|channels)\s*[:=]\s*", re.IGNORECASE)
"""What a comment may say before the names."""


def read(path: Path, place: str, table: int | str | None = None) -> Columns:
    """The columns of a text file; a column with a cell that is neither a number nor missing is kept as text. `table` is
    the number of the table, from 1 on, if there are several.

    >>> read(Path("run7.csv"), "file 'run7.csv'").names
    ['t', 'torque']
    """
    lines, comments = lines_of(path)
    if not lines:
        return Columns(place, {})
    separator, width = separator_of(lines)
    text = _TextFile(lines, comments, separator, width)
    chosen = text.quick() or text.chosen(place, table)
    if chosen.number is None and table not in (None, 1, "1"):
        raise FileError(f"{place} has one table, so there is no table {table}")
    return chosen.columns(place)


@dataclass(frozen=True, eq=False)
class _TextTable:
    """A block of rows with numbers, and the names and units above it."""

    names: Head | None
    """Names and units; None if the table has no names."""
    values: list[np.ndarray]
    lines: Sequence[TextLine]
    number: int | None = None
    """Which one it is of several tables."""

    def columns(self, place: str) -> Columns:
        """The table as columns of a file."""
        head = self.names or [(str(i), "") for i in range(len(self.values))]
        found = zip(head, self.values, strict=True)
        return Columns(
            place,
            numbered((name or str(i), FileColumn(v, unit)) for i, ((name, unit), v) in enumerate(found)),
            self.names is not None,
            row=lambda i: f"line {self.lines[i].number}",
        )


@dataclass(frozen=True, eq=False)
class _TextFile:
    """The lines of a file and the separator of their cells."""

    lines: list[TextLine]
    comments: list[TextLine]
    separator: str
    width: int
    """Cells of most rows."""

    def quick(self) -> _TextTable | None:
        """The only table, if every cell from its first row on is a number: converted in one call."""
        start = next((i for i, line in enumerate(self.lines) if self._numeric(self._row(line))), None)
        if start is None or len(self._row(self.lines[start])) != self.width:
            return None
        texts = [
            line.text.rstrip(" \t" if self.separator == " " else f" {self.separator}") for line in self.lines[start:]
        ]
        last = self._row(self.lines[-1])
        if self.separator != "," and any(map(COMMA.fullmatch, last)):
            if any("." in text for text in texts) or not any(map(decimal_comma, last)):
                return None
            texts = [text.replace(",", ".") for text in texts]
        try:
            table = np.loadtxt(
                texts, delimiter=None if self.separator == " " else self.separator, ndmin=2, comments=None
            )
        except ValueError:
            return None
        if table.shape[1] != self.width:
            return None
        return _TextTable(self._names(start, self.width), list(table.T), self.lines[start:])

    def chosen(self, place: str, table: int | str | None) -> _TextTable:
        """The only table, or that which is wanted."""
        rows = [self._row(line) for line in self.lines]
        blocks = list(self._blocks(rows))
        if not blocks:
            return self._without_numbers(rows)
        if len(blocks) == 1:
            return self._table(place, rows, *blocks[0])
        known = "; ".join(self._described(i, rows, *block) for i, block in enumerate(blocks, start=1))
        if table is None:
            raise FileError(f"{place} has {len(blocks)} tables ({known}); choose one with table=1 or --table 1")
        number = int(table) if str(table).isdigit() else 0
        if not 1 <= number <= len(blocks):
            raise FileError(f"{place} has no table {table}; it has {len(blocks)} ({known})")
        return self._table(place, rows, *blocks[number - 1], number=number)

    def _row(self, line: TextLine) -> list[str]:
        return trimmed(cells(line.text, self.separator), self.width)

    @staticmethod
    def _numeric(row: list[str], least: float = 0.5) -> bool:
        """Whether a row is one of numbers: at least half of the cells that are not missing. Beside the name of the
        times, numbers are names of channels: time,1,2,3."""
        if names_times(row):
            return False
        given = [cell for cell in row if cell.lower() not in MISSING]
        count = sum(map(is_number, given))
        return count > 0 and count >= least * len(given)

    def _blocks(self, rows: list[list[str]]) -> Iterator[tuple[int, int]]:
        """First row and end of each table: rows of numbers of one length. Single rows of another length within a table
        belong to it; texts end it only if names follow, that is, another table."""
        usual = np.median([sum(map(is_number, row)) for row in rows if len(row) == self.width] or [1])

        def in_table(row: list[str]) -> bool:
            alike = len(row) == self.width and sum(map(is_number, row)) >= max(0.5 * usual, 1)
            return (alike and not names_times(row)) or self._numeric(row)

        flags = [in_table(row) for row in rows]
        edges = np.flatnonzero(np.diff(np.concatenate([[0], np.array(flags, int), [0]])))
        parts = [part for a, b in zip(edges[::2], edges[1::2], strict=True) for part in _equal_lengths(rows, a, b)]
        parts = [(_without_settings(rows, *part), part[1]) for part in parts]
        tables: list[tuple[int, int]] = []
        for start, stop in parts:
            if stop - start < FEWEST and len(parts) > 1 and not (tables and _continues(rows, tables[-1], start)):
                continue
            if tables and _continues(rows, tables[-1], start) and not _named(rows[start - 1]):
                tables[-1] = (tables[-1][0], stop)
            else:
                tables.append((start, stop))
        yield from tables

    def _table(self, place: str, rows: list[list[str]], start: int, stop: int, number: int | None = None) -> _TextTable:
        block = rows[start:stop]
        width = usual_length(block)
        for row, line in zip(block, self.lines[start:stop], strict=True):
            if len(row) > width:
                raise FileError(
                    f"{place}, line {line.number}: there are {len(row)} cells, and {width} in the other rows; correct "
                    f"the line, or make it a comment with #"
                )
            if len(row) < width and self.separator == " " and line is not self.lines[stop - 1]:
                raise FileError(
                    f"{place}, line {line.number}: there are {len(row)} cells between blanks, and {width} in the other "
                    "rows, so it is open which one is missing; write nan there, or make the line a comment with #"
                )
        names = self._names(start, width)
        columns = [[row[i] if i < len(row) else "" for row in block] for i in range(width)]
        return _TextTable(names, values_of(columns), self.lines[start:stop], number)

    def _without_numbers(self, rows: list[list[str]]) -> _TextTable:
        """A table of texts: the first row has the names."""
        columns = [[row[i] if i < len(row) else "" for row in rows[1:]] for i in range(len(rows[0]))]
        head = [name_and_unit(cell) for cell in rows[0]]
        return _TextTable(head, [np.array(column, object) for column in columns], self.lines[1:])

    def _names(self, start: int, width: int) -> Head | None:
        """Names and units above a row, in lines or comments with a text for each column."""
        above = [row for line in self._above(start) if (row := self._texts(line.text, width))]
        return head_of(above, self.separator == " ")

    def _above(self, start: int) -> Iterator[TextLine]:
        """The lines above a row that may have names, the nearest first: comments, and as many lines as there are texts
        for each column."""
        width = len(self._row(self.lines[start]))
        last, first = self.lines[start].number, self.lines[max(start - HIGHEST, 0)].number if start else 0
        known = [line for line in self.comments if first <= line.number < last] if width > 1 else []
        lines = self.lines[max(start - HIGHEST, 0) : start]
        for line in sorted([*lines, *known], key=lambda line: -line.number):
            if line in lines and self._texts(line.text, width) is None:
                return
            yield line

    def _texts(self, text: str, width: int) -> list[str] | None:
        """The cells of a line if there is one for each column, and a text; names may have another separator, and
        blanks within if columns are further apart."""
        marked = MARKS.match(text)
        text = LISTED.sub("", text)
        found = [cells(text, sign) for sign in dict.fromkeys([self.separator, ",", ";", "\t"])]
        if marked and marked.end() < len(text):
            found.append(cells(text[marked.end() :], self.separator))
        if self.separator == " ":  # single ones would make names of a title
            found.append(re.split(r"\s{2,}", text.strip()))
            found.append(re.sub(r"\s+(?=[\[(])", "", text).split())  # q [deg]
        for given in found:
            row = trimmed(given, width)
            if len(row) == width + 1 and row[-1].lower() in REMARKS:
                row = row[:-1]
            if len(row) == width and any(row) and not all(map(is_number, row)):
                return row
        return None

    def _described(self, number: int, rows: list[list[str]], start: int, stop: int) -> str:
        width = len(rows[start])
        names = self._names(start, width)
        what = (
            ", ".join(name for name, _ in names[:4]) + (", ..." if width > 4 else "") if names else f"{width} columns"
        )
        return f"{number}: {what} in lines {self.lines[start].number} to {self.lines[stop - 1].number}"


def _equal_lengths(rows: list[list[str]], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Parts of consecutive rows in which FEWEST or more have another length than those before."""
    begin, i = start, start
    while i < stop:
        j = i
        while j < stop and len(rows[j]) == len(rows[i]):
            j += 1
        if j - i >= FEWEST and i - begin >= FEWEST and len(rows[i]) != len(rows[begin]):
            yield begin, i
            begin = i
        i = j
    yield begin, stop


def _without_settings(rows: list[list[str]], start: int, stop: int) -> int:
    """The first row of a block as long as most of it: shorter ones above are settings, such as rate;1000."""
    width = usual_length(rows[start:stop])
    return next(i for i in range(start, stop) if len(rows[i]) == width)


def _continues(rows: list[list[str]], last: tuple[int, int], start: int) -> bool:
    """Whether a block is the continuation of a table: rows of the same length."""
    return len(rows[start]) == len(rows[last[0]]) and start > last[1]


def _named(row: list[str]) -> bool:
    """Whether a row may hold names: more than one cell, and no numbers."""
    return len(row) > 1 and not any(map(is_number, row))
