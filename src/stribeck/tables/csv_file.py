"""Text files: a first row that is not all numbers holds the names, lines with # are left out.

Decimals may have commas where these do not part the columns, and where no cell of the column has a point: 1,500 beside
1.5 would be a guess.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np

from ._columns import Column, Columns

ENDINGS = (".csv", ".txt", ".dat")
SEPARATORS = ";\t,"
"""What may stand between the columns; without any of these it is blanks."""
COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
POINT = re.compile(r"[+-]?\d*\.\d*(?:[eE][+-]?\d+)?")
UNIT = re.compile(r"^(.*?)\s*(?:\[(.+)\]|\((.+)\)|\s/\s(.+))$")
"""A head with its unit: "q [mm]", "q (mm)" or "q / mm"."""


def read(path: Path, place: str) -> Columns:
    """The columns of a text file; a cell that is no number is kept as a text, an empty one too.

    >>> read(Path("run7.csv"), "file 'run7.csv'").names
    ['t', 'torque']
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = [
            (i, text) for i, text in enumerate(file, start=1) if text.strip() and not text.lstrip().startswith("#")
        ]
    if not lines:
        return Columns(place, {})
    separator = next((s for s in SEPARATORS if s in lines[0][1]), " ")
    head, named = _head(_cells(lines[0][1], separator))
    body = lines[1:] if named else lines
    columns = _columns([text for _, text in body], separator, len(head))
    names = {name: Column(values, unit) for (name, unit), values in zip(head, columns, strict=True)}
    return Columns(place, names, named, row=lambda i: f"line {body[i][0]}")


def _head(cells: list[str]) -> tuple[list[tuple[str, str]], bool]:
    """Names and units, and whether they stand in the file; without a head the columns are counted."""
    if all(_is_number(cell) for cell in _with_points(cells)):
        return [(str(i), "") for i in range(len(cells))], False
    found = [(cell, UNIT.match(cell)) for cell in cells]
    return [(m[1], m[2] or m[3] or m[4]) if m else (cell, "") for cell, m in found], True


def _columns(texts: list[str], separator: str, width: int) -> list[np.ndarray]:
    """The columns, all at once if they are nothing but numbers."""
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
