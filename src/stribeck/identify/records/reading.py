"""Choice of the columns of a file that become channels, and of their times."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...errors import FileError
from ...tables import Columns, pick
from ...units import to_si

TIMES = re.compile(
    r"(?:t|time|times|zeit|temps|tiempo|timestamps?|seconds?|sec|elapsed(?:[ _]time)?|x_value)"
    r"(?:[ _.]*(?:in )?[(\[]?(?P<unit>s|sec|ms|us|µs|ns|min)[)\]]?)?"
)
"""Names of a column of times, in lower case; some end with the unit: time_ms."""
CLOCK = re.compile(r"(?:(\S+)[ T])?(\d{1,2}):(\d{2}):(\d{2}(?:[.,]\d+)?)Z?")
"""A time of day, possibly behind a date: 10:11:12.5, 2024-03-12T10:11:12.5."""
DATES = ("%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d", "%d/%m/%Y", "%Y%m%d")
DAY = 86400.0


def named_columns(file: Columns, names: Sequence[str]) -> Columns:
    """A file whose columns get other names, in order; "" or "-" leaves a column out.

    >>> from stribeck.tables import read_columns
    >>> named_columns(read_columns("run7.csv"), ["t", "tau"]).names
    ['t', 'tau']
    """
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
    file: Columns, channels: str | Sequence[int | str] | Mapping[str, int | str] | None, time: int | str | None
) -> dict[str, int | str]:
    """Name -> column of the channels to read.

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
    size = None if times is None else file[times].values.size
    if times is not None and size is not None:
        _require_equal_lengths(file, file.names[times], size)
    found: dict[str, int | str] = {
        n: i
        for i, n in enumerate(file.names)
        if i != times and (file[i].time is not None or size in (None, file[i].values.size)) and _numbers(file, i)
    }
    if not found:
        raise FileError(f"{file.place} has no numeric column other than the times (columns: {', '.join(file.names)})")
    return found


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
    if times is None and len(tables) > 1 and (len(sizes) > 1 or all(_times_of_names(n) for n in tables.values())):
        known = ", ".join(f"'{table}' with {len(names)} columns" for table, names in list(tables.items())[:6])
        first = next(iter(tables))
        raise FileError(
            f"{file.place} has {len(tables)} tables ({known}{', ...' if len(tables) > 6 else ''}); choose one with "
            f"table='{first}' or --table '{first}'"
        )


def _times_of_names(names: Sequence[str]) -> list[int]:
    return [i for i, name in enumerate(names) if TIMES.fullmatch(_last_part(name))]


def _numbers(file: Columns, column: int) -> bool:
    """Whether a column is numeric; a few texts among numbers are refused."""
    try:
        return bool(np.isfinite(file.numbers(column)).any())
    except FileError:
        if np.mean([_like_number(cell) for cell in file[column].values]) > 0.5:
            raise
        return False


def _like_number(cell: object) -> bool:
    """Whether a cell is a number, possibly with a decimal comma."""
    try:
        float(str(cell).replace(",", "."))
    except ValueError:
        return False
    return True


def _time_column(file: Columns, time: int | str | None) -> int | None:
    """The number of the column with the times, if there is one; in a group it may be called "log.t"."""
    if time is not None:
        return file.names.index(pick(file, time))
    for short in (str.lower, _last_part):
        likely = [i for i, name in enumerate(file.names) if TIMES.fullmatch(short(name))]
        plain = [i for i in likely if short(file.names[i]) in ("t", "time")]
        if likely and (short is str.lower or len(likely) == 1):
            return (plain or likely)[0]
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
        clock = _clock(file[column].values)
        if clock is not None:
            return clock
    suffix = TIMES.fullmatch(name.lower())
    stated = (suffix["unit"] if suffix else "") or "s"
    unit = units.get(name) or file[column].unit or ("s" if stated == "sec" else stated)
    return np.asarray(file.numbers(column) * to_si(f"1 {unit}", "s", file.place, f"unit of '{name}'"))


def _no_times(file: Columns) -> str:
    if file.named:
        return (
            "no column is called t or time; name it with time=... (--time), or give sample_time='1 ms' (--sample-time) "
            f"(columns: {', '.join(file.names)})"
        )
    first = ", ".join(f"{column.values[0]}" for column in list(file.columns.values())[:6])
    return (
        f"the {len(file.names)} columns have no names, and the first row is {first}; name them with columns=['t', 'q', "
        "...] (--columns t,q,...), or give the number of the times, time=0 (--time 0), or sample_time='1 ms'"
    )


def _clock(texts: np.ndarray) -> np.ndarray | None:
    """Times of day as seconds after the first one; None if they are something else."""
    from datetime import datetime

    found = [CLOCK.fullmatch(str(text).strip()) for text in texts]
    if not all(found):
        return None
    seconds: list[float] = []
    days: list[int] = []
    for match in found:
        assert match is not None
        seconds.append(3600.0 * int(match[2]) + 60.0 * int(match[3]) + float(match[4].replace(",", ".")))
        if match[1] is None:
            days.append(days[-1] + (seconds[-1] < seconds[-2] - DAY / 2) if days else 0)  # midnight
            continue
        for form in DATES:
            try:
                days.append(datetime.strptime(match[1], form).toordinal())
                break
            except ValueError:
                continue
        else:
            return None
    total = np.array(seconds) + DAY * (np.array(days) - days[0])
    return np.asarray(np.round(total - total[0], 9))


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
