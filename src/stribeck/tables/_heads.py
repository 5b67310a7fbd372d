"""Names and units of columns: from the lines above a table, and from names such as "q [mm]"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from ..units import CELSIUS, logged_unit, parse_unit
from ._text_lines import is_number

Row = list[str]
Head = list[tuple[str, str]]
"""The name and the unit of each column."""
BRACKETED = re.compile(
    r"(.*?)[\s_]*(?:\[([^\[\]]*)\]|\(((?:[^()]|\([^()]*\))+)\)|<([^<>]+)>|\{([^{}]+)\}|(?<=\s)/\s(.+))"
)
"""A name with a unit: "q [mm]", "q (mm)", "q <mm>", "q {mm}" or "q / mm"."""
JOINED = re.compile(r"([^/\[(]+)/\s*\(?([^()]+)\)?|(.+),\s+(\S+)")
"""A name with a unit behind a slash or a comma, which counts if most names of a row have one: F/N, v/(mm/s), "F, N"."""
INDEXED = re.compile(r"(.+?)[\[(]\d+[\])]")
"""A name with an index, if another one differs by the index only: q[0], q[1]."""
TYPES = re.compile(r"double|single|bool|l?real\d*|float\d*|[su]?int\d*|number", re.IGNORECASE)
"""Data types, which some loggers write below the names."""
TIMES, SECONDS = ("t", "time", "zeit", "timestamp"), ("s", "ms", "us", "µs", "min", "h")
"""Names of times, and their units."""


def head_of(above: Sequence[Row], blanks: bool) -> Head | None:
    """Names and units of columns from the rows of texts above a table, the nearest first; None if there are none.
    `blanks`: cells are separated by blanks, so that a title may have as many words as there are columns.

    >>> head_of([["s", "mm"], ["t", "q"]], False)
    [('t', 's'), ('q', 'mm')]
    """
    rows = [row for row in above if not all(TYPES.fullmatch(cell) for cell in row if cell)]
    names = next((i for i, row in enumerate(rows) if _may_name(rows, i, blanks)), None)
    if names is None:
        return None
    head = _names_and_units(rows[names])
    bare = [name for name, _ in head]
    for row in rows[:names]:
        own = [cell.strip("[]()<>{}-") for cell in row]
        if like_units(own) or _unit_of_times(bare, own):
            return [(name, unit or below) for (name, unit), below in zip(head, own, strict=True)]
    return head


def _may_name(rows: Sequence[Row], i: int, blanks: bool) -> bool:
    """Whether a row has the names: that of the times, else the nearest one that has no units for a row above it."""
    row, last = rows[i], i == len(rows) - 1
    if any(map(is_number, row)):  # numbers are names beside the times, or above a row of units
        return names_times(row) or (any(map(_all_units, rows[:i])) and not all(map(is_number, row)))
    if last:
        return True
    own = [cell.strip("[]()<>{}-") for cell in row]
    higher = rows[i + 1]
    if _all_units(row) and (names_times(higher) or not blanks):
        return False
    if names_times(row):
        return True
    units = like_units(own) or _unit_of_times([name for name, _ in _names_and_units(higher)], own)
    return not units and not (not blanks and any(map(names_times, rows[i + 1 :])))


def name_and_unit(cell: str) -> tuple[str, str]:
    """The name of a column and its unit, if there is one; a number in brackets is an index.

    >>> name_and_unit("q [mm]"), name_and_unit("q in deg"), name_and_unit("q(2)")
    (('q', 'mm'), ('q', 'deg'), ('q(2)', ''))
    """
    cell = cell.strip("'")
    spelled = re.fullmatch(r"(.+) in (\S+)", cell)
    if spelled and like_units([spelled[2]]):
        return spelled[1], spelled[2]
    match = BRACKETED.fullmatch(cell)
    if match is None:
        return cell, ""
    unit = next((part for part in match.groups()[1:] if part), "").strip("-")
    if unit.isdecimal() and unit != "1":
        return cell, ""
    return match[1], unit


def with_known_unit(name: str) -> tuple[str, str]:
    """A name and its unit, if that is known; else the name as it is.

    >>> with_known_unit("q [deg]"), with_known_unit("q (left)")
    (('q', 'deg'), ('q (left)', ''))
    """
    short, unit = name_and_unit(name)
    known = short and unit and not unit.isdecimal() and like_units([unit])
    return (short, unit) if known else (name, "")


def names_times(row: Row) -> bool:
    """Whether a cell is the name of the times, possibly with a unit.

    >>> names_times(["Time (s)", "q"])
    True
    """
    return any(name_and_unit(cell)[0].lower().partition(" ")[0] in TIMES for cell in row)


def like_units(row: Row) -> bool:
    """Whether cells are units rather than names: at least half of them are known.

    >>> like_units(["s", "mm", "inc"])
    True
    """
    given = [cell for cell in row if cell]
    return not given or sum(map(_known_unit, given)) >= 0.5 * len(given)


def _all_units(row: Row) -> bool:
    given = [bare for cell in row if (bare := cell.strip("[]()<>{}-"))]
    return bool(given) and all(map(_known_unit, given))


def _known_unit(text: str) -> bool:
    unit = logged_unit(text)
    with suppress(ValueError):
        return unit in CELSIUS or bool(parse_unit(unit))
    return False


def _names_and_units(row: Row) -> Head:
    joined = [JOINED.fullmatch(cell.strip("'")) for cell in row]
    pairs = [(m[1] or m[3], m[2] or m[4]) if m else ("", "") for m in joined]
    known = [bool(unit) and _known_unit(unit) for _, unit in pairs]
    if sum(known) > 0.5 * len(row):
        return [
            (name.strip(), unit) if sure else name_and_unit(cell)
            for (name, unit), sure, cell in zip(pairs, known, row, strict=True)
        ]
    bases = [match[1] for cell in row if (match := INDEXED.fullmatch(cell))]
    return [
        (cell, "") if (match := INDEXED.fullmatch(cell)) and bases.count(match[1]) > 1 else name_and_unit(cell)
        for cell in row
    ]


def _unit_of_times(names: list[str], units: list[str]) -> bool:
    """Whether a column called time has a unit of time below its name: all cells there are units, also unknown ones."""
    return any(name.lower() in TIMES and logged_unit(unit) in SECONDS for name, unit in zip(names, units, strict=True))
