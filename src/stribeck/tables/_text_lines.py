"""Lines and cells of a text file: encoding, comments, separators, numbers in the notations of loggers."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ._columns import Ambiguous

SEPARATORS = ";\t|, "
"""Separators of columns, the first of those that fit equally well; a blank is any number of blanks."""
COMMENTS = ("#", "%", "//", "!")
"""Marks of comments at the beginning of a line."""
DIRECTIVE = re.compile(r"sep=(.)\s*$", re.IGNORECASE)
"""A first line by which spreadsheets state the separator."""
ALONE = 0.1
"""Quality of a separator that does not occur, relative to one that does."""
RULE = re.compile(r"[\s|+]*(?:[-=_]{4,}[\s|+:]*)+")
"""A line drawn below names."""
REMARK = re.compile(r"(?<=[\s,;|])(?:#|//).*$")
"""A comment behind numbers."""
FOREIGN = {
    b"PK\x03\x04": "a workbook (.xlsx, .ods); save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old workbook (.xls); save the sheet as CSV",
    b"\x1f\x8b": "compressed (gzip); unpack it",
}
"""How workbooks and compressed files begin, whatever they are called."""
MINUS = "\u2212"
"""The sign of typesetters, which some programs write for a minus."""
SAMPLE = 60
"""Lines at the beginning, in the middle and at the end that decide about the separator."""
STARTS = tuple("+-.0123456789")
"""How a line with numbers begins."""
COMMA = re.compile(r"[+-]?\d*,\d+(?:[eEdD][+-]?\d+)?")
POINT = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+)(?:[eEdD][+-]?\d+)?")
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?")
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
"""A number whose comma or point may be decimal or a separator of thousands."""
INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
MISSING = {
    *("", "-", "--", "---", "?", "nan", "+nan", "-nan", "nan(ind)", "-nan(ind)", "1.#qnan", "-1.#ind", "null", "none"),
    *("na", "n/a", "n.a.", "#n/a", "<na>", "nat", "missing", "#div/0!", "#value!", "#ref!", "#nv", "#wert!"),
}
"""Cells without a number, in lower case."""


class TextLine(NamedTuple):
    """A line of a file: its number from 1 on, and its text."""

    number: int
    text: str


def lines_of(path: Path) -> tuple[list[TextLine], list[TextLine]]:
    """The lines of a text file that are not empty: those of the table, and comments.

    >>> table, comments = lines_of(Path("run7.csv"))
    >>> table[0]
    TextLine(number=1, text='t,torque')
    """
    lines = [
        TextLine(i, text.rstrip("\n"))
        for i, text in enumerate(StringIO(_text(path).replace(MINUS, "-"), newline=None), start=1)
    ]
    lines = [line for line in lines if line.text.strip(" \t,;|") and not RULE.fullmatch(line.text)]
    lines = [
        TextLine(i, REMARK.sub("", x).rstrip())
        if ("#" in x or "//" in x) and x.lstrip()[:1] in STARTS
        else TextLine(i, x)
        for i, x in lines
    ]
    marked = [line.text.lstrip().startswith(COMMENTS) for line in lines]
    return [x for x, c in zip(lines, marked, strict=True) if not c], [
        TextLine(x.number, x.text.lstrip().lstrip("#%/!").strip()) for x, c in zip(lines, marked, strict=True) if c
    ]


def _text(path: Path) -> str:
    """UTF-8, else UTF-16 by its mark or its zeros, else the western code page, in which loggers write ° and µ."""
    raw = path.read_bytes()
    foreign = next((what for start, what in FOREIGN.items() if raw.startswith(start)), None)
    if foreign is not None:
        raise ValueError(f"it is {foreign}")
    if raw.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return raw.decode("utf-32")
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16")
    head = raw[:400]
    for zeros, name in ((head[1::2], "utf-16-le"), (head[::2], "utf-16-be")):
        if len(zeros) > 1 and not any(zeros):
            return raw.decode(name)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        if b"\0" in raw:
            raise
        return raw.decode("latin-1")


def separator_of(lines: Sequence[TextLine]) -> tuple[str, int]:
    """The separator, and the number of cells of most rows: that for which most cells are numbers in rows of one length.

    >>> separator_of([TextLine(1, "0,5 1"), TextLine(2, "1,0 2")])
    (' ', 2)
    """
    stated = DIRECTIVE.match(lines[0].text.strip())
    middle = len(lines) // 2
    sample = [
        *lines[:SAMPLE],
        *lines[max(middle, SAMPLE) : middle + SAMPLE],
        *lines[max(len(lines) - SAMPLE, SAMPLE) :],
    ]
    found = [(*_quality(sample, sign), sign) for sign in (stated[1] if stated else SEPARATORS)]
    _, width, separator = max(found, key=lambda each: each[0])  # the first of equals
    return separator, width


def _quality(lines: Sequence[TextLine], separator: str) -> tuple[float, int]:
    """The fraction of numbers among the cells, less for rows of other lengths and for a single column; the usual
    length."""
    every = [cells(line.text, separator) for line in lines]
    rows = [row for row in every if any(is_number(cell) for cell in row)] or every
    width = usual_length(rows)
    alike = [row for row in rows if len(row) == width]
    while width > 1 and not any(row[width - 1] for row in every if len(row) >= width):  # lines end with separators
        width, alike = width - 1, [row[:-1] for row in alike]
    good = float(np.mean([[is_number(cell) or cell.lower() in MISSING for cell in row] for row in alike]))
    used = sum(separator in line.text.strip() for line in lines) / len(lines)  # decides between equals
    return good * len(alike) / len(every) * (1.0 if width > 1 else ALONE) + 1e-6 * used, width


def usual_length(rows: Sequence[list[str]]) -> int:
    """The most frequent number of cells, the largest of equally frequent ones.

    >>> usual_length([["1", "2"], ["3"], ["4", "5"]])
    2
    """
    counts = np.bincount([len(row) for row in rows])
    return int(np.flatnonzero(counts == counts.max())[-1])


def cells(text: str, separator: str) -> list[str]:
    """The cells of a line, without quotes and blanks around them.

    >>> cells('1; "a;b" ;3', ";")
    ['1', 'a;b', '3']
    """
    if separator == " " and '"' not in text:
        return text.split()
    line = " ".join(text.split()) if separator == " " else text
    try:
        (row,) = csv.reader([line], delimiter=separator, skipinitialspace=True)
    except (csv.Error, ValueError):
        row = line.split(separator)
    return [cell.strip() for cell in row]


def trimmed(row: list[str], width: int) -> list[str]:
    """A row without empty cells beyond the usual number, behind separators at the end of the line.

    >>> trimmed(["1", "2", ""], 2)
    ['1', '2']
    """
    while len(row) > max(width, 1) and not row[-1]:
        row = row[:-1]
    return row


def is_number(cell: str) -> bool:
    """Whether a cell is a number, with a decimal point or comma, and an exponent with e or d.

    >>> is_number("1.5D-3"), is_number("1,5"), is_number("1_5")
    (True, True, False)
    """
    return bool(NUMBER.fullmatch(cell) or COMMA.fullmatch(cell) or INFINITE.fullmatch(cell))


def decimal_comma(cell: str) -> bool:
    """Whether a cell is a number with a decimal comma; 1,500 may also be 1500.

    >>> decimal_comma("0,500"), decimal_comma("1,500")
    (True, False)
    """
    return bool(COMMA.fullmatch(cell)) and not GROUPED.fullmatch(cell)


def values_of(columns: Sequence[Sequence[str]]) -> list[np.ndarray]:
    """The columns of a table as numbers, nan where there is none; as texts if a cell is neither.

    Decimal commas are accepted in columns without a point. 1,500 is ambiguous beside 0.5 and beside 999, and 1.500
    beside 0,5: such columns are texts.

    >>> values_of([["0,5", "1D2", "n/a"], ["1,5", "2", "3"]])
    [array([  0.5, 100. ,   nan]), array([1.5, 2. , 3. ])]
    """
    known = [[cell for cell in column if cell.lower() not in MISSING] for column in columns]
    commas = any(decimal_comma(cell) for column in known for cell in column)
    points = any(POINT.fullmatch(cell) for column in known for cell in column)
    return [_values(column, given, commas, points) for column, given in zip(columns, known, strict=True)]


def _values(column: Sequence[str], known: Sequence[str], commas: bool, points: bool) -> np.ndarray:
    """A column of a table in which there are decimal commas or points."""
    own = any(POINT.fullmatch(cell) for cell in known)
    if _ambiguous(known, commas, points):
        return np.array([Ambiguous(cell) if GROUPED.fullmatch(cell) else cell for cell in column], object)
    if known and all(is_number(cell) and not (own and "," in cell) for cell in known):
        plain = ("nan" if cell.lower() in MISSING else _pythonic(cell) for cell in column)
        return np.array([float(cell) for cell in plain])
    return np.array([_pythonic(cell) if not own and COMMA.fullmatch(cell) else cell for cell in column], object)


def _ambiguous(known: Sequence[str], commas: bool, points: bool) -> bool:
    """Whether the signs in a column may be decimal ones or separators of thousands."""
    signed = [cell for cell in known if "," in cell or "." in cell]
    if not signed or not all(map(GROUPED.fullmatch, signed)):
        return False
    if "," in signed[0]:
        return not commas and (points or len(signed) < len(known))
    return commas


def _pythonic(cell: str) -> str:
    return (
        cell.replace(",", ".").replace("D", "e").replace("d", "e") if NUMBER.fullmatch(cell.replace(",", ".")) else cell
    )
