"""Choice of the columns of a file that become channels, and of their times."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...errors import FileError
from ...tables import Columns, FileColumn, pick
from ...units import logged_unit, si_unit, to_si
from .clock import clock

TIMES = re.compile(
    r"(?:t|(?:elapsed|date|rel|abs|relative|absolute)?[ _/]?times?|(?:datum[ _/]?)?(?:uhr)?zeit|zeitstempel"
    r"|temps|tiempo|time[ _]?stamps?|seconds?|sec|elapsed|tout|x_value)"
    r"(?:[ _.]*(?:in )?[(\[]?(?P<unit>s|sec|ms|us|µs|ns|min)[)\]]?)?"
)
"""Names of a column of times, in lower case; some end with the unit: time_ms."""
NUMBER = r"[\d.,]*\d[\d.,]*(?:[eE][+-]?\d+)?"
DIGITS = re.compile(rf"[+-]?{NUMBER}|[+-]?inf|nan")
DATE = re.compile(r"\d{1,4}\.\d{1,2}\.\d{2,4}")
WITH_UNIT = re.compile(
    r"(?!0[xX])([+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?)\s*((?![eE][+-]?\d)[^\W\d_][^\s:\d]{0,9}[2-3]?|[%°][^\s:\d]{0,6})"
)
"""A number with its unit in a cell: 0.5 mm, 3%, 2 N.m."""
NOTATION = re.compile(
    r"[+-]?\d{1,3}(?:[ '\u2019\u00a0\u202f]\d{3})+(?:[.,]\d+)?"  # thousands
    rf"|=?['\"]+\s*[+-]?{NUMBER}\s*['\"]*"  # texts of spreadsheets
    rf"|\(\s*{NUMBER}\s*\)"  # negative numbers of accountants
    rf"|\(?[+-]?{NUMBER}\s*[+-]\s*{NUMBER}\s*\*?[ij]\)?"  # complex numbers
)
"""Numbers in notations that are not read."""
SINCE_1970 = {"ns": 1e17, "us": 1e14, "ms": 1e11}
"""Times (s) above which they are parts of seconds since 1970."""
FASTEST, DAYS = 1e-6, (2e4, 8e4)
"""Time between samples (s) below which times in this range are the days of a spreadsheet: 1954 to 2119."""


def named_columns(file: Columns, names: str | Sequence[str]) -> Columns:
    """A file whose columns get other names, in order, also as one text with commas; "" or "-" leaves a column out.

    >>> from stribeck.tables import read_columns
    >>> named_columns(read_columns("run7.csv"), ["t", "tau"]).names
    ['t', 'tau']
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    if len(names) != len(file.names):
        raise FileError(
            f"{file.place} has {len(file.names)} columns ({', '.join(file.names)}), and columns names {len(names)}; "
            "name each, with - for one that is not needed"
        )
    kept = [name for name in names if name not in SKIPPED]
    twice = next((name for name in kept if kept.count(name) > 1), None)
    if twice is not None:
        raise FileError(f"{file.place}: columns has the name '{twice}' twice; each column needs a separate one")
    pairs = zip(names, file.columns.values(), strict=True)
    return replace(file, columns={name: column for name, column in pairs if name not in SKIPPED}, named=True)


SKIPPED = ("", "-")


def wanted(
    file: Columns,
    channels: str | Sequence[int | str] | Mapping[str, int | str] | None,
    time: int | str | None,
    sampled: bool = False,
) -> dict[str, int | str]:
    """Name -> column of the channels to read; `sampled` if the time between rows is given.

    >>> from stribeck.tables import read_columns
    >>> wanted(read_columns("run7.csv"), {"tau": "torque"}, None)
    {'tau': 'torque'}
    """
    if isinstance(channels, str):
        channels = [channels]
    if channels is not None:
        return dict(channels) if isinstance(channels, Mapping) else {str(name): name for name in channels}
    times = _time_column(file, time)
    _require_one_table(file, times)
    if sampled and times is not None and file.names[times] == "T":
        times = None  # it may be a temperature or a torque
    if time is None and not sampled and times is not None:
        _require_one_clock(file, times)
    size = None if times is None else file[times].values.size
    if times is not None and size is not None:
        _require_equal_lengths(file, file.names[times], size)
    found: dict[str, int | str] = {
        n: i for i, n in enumerate(file.names) if i != times and _course(file[i], size) and _numbers(file, i)
    }
    if not found:
        raise FileError(f"{file.place} has no numeric column other than the times (columns: {', '.join(file.names)})")
    return found


def _course(column: FileColumn, size: int | None) -> bool:
    """Whether a column has as many values as there are times, or times and more than one value."""
    return size in (None, column.values.size) if column.time is None else column.values.size > 1


ALMOST = 0.02
"""Relative difference of lengths up to which a vector of another length than the times was meant to be a channel."""


def _require_equal_lengths(file: Columns, times: str, size: int) -> None:
    """Refuses columns that are a few samples longer or shorter than the times; other vectors are not channels."""
    for name in file.names:
        count = file[name].values.size
        if file[name].time is None and count != size and abs(count - size) <= ALMOST * size:
            raise FileError(
                f"{file.place}: '{name}' has {count} samples and '{times}' {size}; they must agree: cut the longer "
                "one, or give the channels and sample_time"
            )


def _require_one_table(file: Columns, times: int | None) -> None:
    """Refuses structures and cells with separate times, of which one must be chosen."""
    tables = {table: names for table, names in file.tables().items() if table and len(names) > 1}
    sizes = {file[name].values.size for name in file.names}
    if (
        times is None
        and len(tables) > 1
        and (len(sizes) > 1 or all(_times_of_names(n) or "}" in table for table, n in tables.items()))
    ):
        known = ", ".join(f"'{table}' with {len(names)} columns" for table, names in list(tables.items())[:6])
        first = next(iter(tables))
        raise FileError(
            f"{file.place} has {len(tables)} tables ({known}{', ...' if len(tables) > 6 else ''}); choose one with "
            f"table='{first}' or --table '{first}'"
        )


def _require_one_clock(file: Columns, times: int) -> None:
    """Refuses columns with separate times, as of two instruments: t, q, t_2, tau."""
    name = file.names[times]
    base = re.sub(r"[ _]?\d+$", "", name)
    for other in file.names:
        alike = re.sub(r"[ _]\d+$" if len(base) < 3 else r"[ _]?\d+$", "", other) == base
        both = {name.lower(), other.lower()} <= {"t", "time"} and other != "T" and _unit_of_time(file[other].unit)
        if (alike or both) and other != name and file[other].time is None and file[other].values.dtype == float:
            mine, theirs = file[name].values, file[other].values
            if mine.dtype != float or mine.shape != theirs.shape or np.allclose(mine, theirs, equal_nan=True):
                continue
            if not alike and np.allclose(np.diff(mine), np.diff(theirs), rtol=1e-3):  # since a start, and since 1970
                continue
            raise FileError(
                f"{file.place} has the times '{name}' and '{other}', which differ; choose one with time='{name}' "
                f"(--time '{name}'), and join the other channels by a motion that both recorded"
            )


def _unit_of_time(unit: str) -> bool:
    try:
        return not unit or si_unit(logged_unit(unit)) == "s"
    except ValueError:
        return False


def _times_of_names(names: Sequence[str]) -> list[int]:
    return [i for i, name in enumerate(names) if TIMES.fullmatch(_last_part(name))]


def _numbers(file: Columns, column: int) -> bool:
    """Whether a column is numeric; a few texts among numbers are refused."""
    try:
        return bool(np.isfinite(file.numbers(column)).any())
    except FileError as error:
        cells = [str(cell).strip() for cell in file[column].values]
        if np.mean([_like_number(cell) for cell in cells]) > 0.5:
            raise FileError(f"{error}, or omit the column with columns=[...] and - in its place (--columns)") from None
        inside = next((match for cell in cells if (match := WITH_UNIT.fullmatch(cell))), None)
        if inside is not None and np.mean([bool(WITH_UNIT.fullmatch(cell)) for cell in cells]) > 0.5:
            raise FileError(
                f"{file.place}: '{file.names[column]}' has units in its cells, '{inside[0]}'; write numbers only, and "
                f"the unit into the name, {file.names[column]} [{inside[2]}], or omit the column with columns=[...] "
                "and - in its place (--columns)"
            ) from None
        return False


def _like_number(cell: object) -> bool:
    """Whether a cell is a number, also in a notation that is not read, and no date."""
    text = str(cell)
    return bool(DIGITS.fullmatch(text) or NOTATION.fullmatch(text)) and not DATE.fullmatch(text)


def _time_column(file: Columns, time: int | str | None) -> int | None:
    """The number of the column with the times, if there is one; in a group it may be called "log.t"."""
    if time is not None:
        return file.names.index(pick(file, time))
    for short in (str.lower, _last_part):
        likely = [i for i, name in enumerate(file.names) if TIMES.fullmatch(short(name))]
        exact = [i for i in likely if file.names[i] in ("t", "time", "Time")]  # T may be a temperature
        plain = [i for i in likely if short(file.names[i]) in ("t", "time")]
        if likely and (short is str.lower or len(likely) == 1):
            return (exact or plain or likely)[0]
    return None


def _last_part(name: str) -> str:
    return name.lower().rpartition(".")[2]


def times_of(file: Columns, time: int | str | None, units: Mapping[str, str]) -> np.ndarray:
    """The times of the rows in s, from the column that holds them; times of day count from the first one.

    >>> from stribeck.tables import read_columns
    >>> times_of(read_columns("run7.csv"), None, {"t": "ms"})
    array([0.0    , 0.0001, 0.0002])
    """
    column = _time_column(file, time)
    if column is None:
        raise FileError(f"{file.place}: {_no_times(file)}")
    name = file.names[column]
    if file[column].values.dtype == object:
        found = clock(file[column].values)
        if found is not None:
            return found
        cell = next((c for c in file[column].values if isinstance(c, str) and not _like_number(c)), None)
        if cell is not None and (":" in cell or not _like_number(file[column].values[0])):
            raise FileError(
                f"{file.place}: '{cell}' of '{name}' is no time in a known notation, such as 10:11:12.5 or "
                "2024-03-12T10:11:12.5; give sample_time='1 ms' (--sample-time) instead"
            )
    suffix = TIMES.fullmatch(name.lower())
    stated = (suffix["unit"] if suffix else "") or "s"
    unit = logged_unit(units.get(name) or file[column].unit or stated)
    found = file.numbers(column) * to_si(f"1 {unit}", "s", file.place, f"unit of '{name}'")
    since = next((part for part, least in SINCE_1970.items() if found.size and found[0] > least), None)
    if since is not None:
        raise FileError(
            f"{file.place}: '{name}' begins at {found[0]:.4g} s, thousands of years; if these are {since} since 1970, "
            f"give units={{'{name}': '{since}'}} (--unit {name}={since})"
        )
    if found.size > 1 and DAYS[0] < found[0] < DAYS[1] and 0 < np.median(np.diff(found)) < FASTEST:
        raise FileError(
            f"{file.place}: '{name}' begins at {found[0]:g} and changes by {np.median(np.diff(found)):.3g} from row to "
            f"row, as days of a spreadsheet; give units={{'{name}': 'd'}} (--unit {name}=d), or sample_time "
            "(--sample-time)"
        )
    return np.asarray(found)


def _no_times(file: Columns) -> str:
    if file.named:
        return (
            "no column is called t or time; name it with time=... (--time), or give sample_time='1 ms' (--sample-time) "
            f"(columns: {', '.join(file.names)}){_matrix(file)}"
        )
    first = ", ".join(f"{column.values[0]}" for column in list(file.columns.values())[:6])
    if len(file.names) == 1:
        return "there is one column, without a name; give sample_time='1 ms' (--sample-time)"
    return (
        f"the {len(file.names)} columns have no names, and the first row is {first}; name them with columns=['t', 'q', "
        "...] (--columns t,q,...), or give the number of the times, time=0 (--time 0), or sample_time='1 ms' "
        "(--sample-time)"
    )


def _matrix(file: Columns) -> str:
    """How to name the columns of a matrix."""
    if not all(name.endswith("]") for name in file.names):
        return ""
    return "; name those of a matrix with columns=['t', 'q', ...] (--columns t,q,...)"


def on_grid(file: Columns, column: int | str, times: np.ndarray | None) -> np.ndarray:
    """A column; one with other times is interpolated at those of the first column, and nan where it has no data.

    >>> from stribeck.tables import read_columns
    >>> on_grid(read_columns("run7.csv"), "torque", None)
    array([ 1.,  2., -1.])
    """
    values, own = file.numbers(column), file[column].time
    if own is None or times is None or (own.size == times.size and np.array_equal(own, times)):
        return values
    reach = np.max(np.diff(own), initial=0.0)  # it may end a step early; beyond that there are no data
    seen = (times >= own[0] - reach) & (times <= own[-1] + reach)
    return np.where(seen, np.interp(times, own, values), np.nan)
