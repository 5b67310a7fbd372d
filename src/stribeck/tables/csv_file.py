"""Text files: a first row that is not all numbers holds the names, and a second one may hold the units. Lines with #
are skipped, as are lines above the names with another number of cells, where loggers write their headers.

Decimal commas are accepted if the comma is not the separator and no cell of the column has a point: 1,500 beside 1.5
would be ambiguous.
"""

from __future__ import annotations

import codecs
import csv
import re
from io import StringIO
from itertools import compress
from pathlib import Path

import numpy as np

from ._columns import Columns, FileColumn

ENDINGS = (".csv", ".txt", ".dat")
SEPARATORS = ";\t,"
"""Separators of columns; if none occurs, blanks separate them."""
COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
POINT = re.compile(r"[+-]?\d*\.\d*(?:[eE][+-]?\d+)?")
WORD = re.compile(r"[^\W\d_]{2}|^[^\W\d_eE]|[^\W\d_eE]$")
"""Letters that do not occur in numbers."""
UNIT = re.compile(r"^(.*?)\s*(?:\[(.+)\]|\((.+)\)|\s/\s(.+))$")
"""A column header with a unit: "q [mm]", "q (mm)" or "q / mm"."""


def read(path: Path, place: str) -> Columns:
    """The columns of a text file; a cell that is not a number, or is empty, is kept as text.

    >>> read(Path("run7.csv"), "file 'run7.csv'").names
    ['t', 'torque']
    """
    lines = [
        (i, text)
        for i, text in enumerate(StringIO(_text(path), newline=None), start=1)
        if text.strip() and not text.lstrip().startswith("#")
    ]
    if not lines:
        return Columns(place, {})
    texts = [text for _, text in lines]
    separator = _separator(texts)
    lines = lines[_names_at(texts, separator) :]
    head, named = _head(_cells(lines[0][1], separator))
    body = lines[1:] if named else lines
    units = _units(*(_cells(text, separator) for _, text in body[:2])) if named and len(body) > 1 else []
    if len(units) == len(head):
        head, body = [(name, unit or own) for (name, unit), own in zip(head, units, strict=True)], body[1:]
    columns = _columns([text for _, text in body], separator, len(head))
    names = {name: FileColumn(values, unit) for (name, unit), values in zip(head, columns, strict=True)}
    return Columns(place, names, named, row=lambda i: f"line {body[i][0]}")


def _text(path: Path) -> str:
    """UTF-8, else UTF-16 with byte order mark, else the western code page, in which loggers write ° and µ."""
    raw = path.read_bytes()
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        if b"\0" in raw:
            raise
        return raw.decode("latin-1")


def _separator(texts: list[str]) -> str:
    """The separator, which must fit a row in the middle and the last line of words above it: 1,5 2,5 below t x is not
    separated by commas."""
    middle = len(texts) // 2
    words = next((text for text in reversed(texts[: middle + 1]) if WORD.search(text)), texts[0])
    likely = [s for s in SEPARATORS if s in words and s in texts[middle]] or [s for s in SEPARATORS if s in texts[0]]
    return next(iter(likely), " ")


def _names_at(texts: list[str], separator: str) -> int:
    """The row with the names: the first with as many cells as a row in the middle, if they are not numbers."""
    width = len(_cells(texts[len(texts) // 2], separator))
    for i, text in enumerate(texts):
        cells = _cells(text, separator)
        if len(cells) == width:
            return 0 if all(_is_number(cell) for cell in _with_points(cells)) else i
    return 0


def _head(cells: list[str]) -> tuple[list[tuple[str, str]], bool]:
    """Names and units, and whether the file has them; without a header the columns are numbered."""
    if all(_is_number(cell) for cell in _with_points(cells)):
        return [(str(i), "") for i in range(len(cells))], False
    found = [(cell, UNIT.match(cell)) for cell in cells]
    return [(m[1], m[2] or m[3] or m[4]) if m else (cell, "") for cell, m in found], True


def _units(cells: list[str], below: list[str]) -> list[str]:
    """The units in a row below the names, such as s;A;[deg], followed by numbers; None if there is no such row."""
    numbers = [_is_number(cell) for cell in _with_points(below)]
    if not any(numbers) or any(_is_number(cell) or not cell for cell in compress(_with_points(cells), numbers)):
        return []
    return [cell.strip("[]()-") for cell in cells]


def _columns(texts: list[str], separator: str, width: int) -> list[np.ndarray]:
    """The columns, converted in one call if all cells are numbers."""
    if not texts:
        return [np.empty(0)] * width
    try:
        table = np.loadtxt(texts, delimiter=None if separator == " " else separator, ndmin=2)
        if table.shape[1] == width:
            return list(table.T)
    except ValueError:
        pass
    rows = [_cells(text, separator) for text in texts]
    cells = [[row[i] if i < len(row) else "" for row in rows] for i in range(width)]
    return [np.array(_with_points(column), dtype=object) for column in cells]


def _with_points(cells: list[str]) -> list[str]:
    """Decimal commas as points."""
    if any(POINT.fullmatch(cell) for cell in cells):
        return cells
    return [cell.replace(",", ".") if COMMA.fullmatch(cell) else cell for cell in cells]


def _cells(text: str, separator: str) -> list[str]:
    line = text.strip() if separator == " " else text
    (row,) = csv.reader([line], delimiter=separator, skipinitialspace=True)
    return [cell.strip() for cell in row]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
