"""Choice of the columns of a file that become channels, and of their times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...errors import FileError
from ...tables import Columns, pick
from ...units import to_si

TIMES = ("t", "time", "zeit", "timestamp", "timestamps")
"""Names of a column of times."""


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
    found: dict[str, int | str] = {n: i for i, n in enumerate(file.names) if i != times and _numbers(file, i)}
    if not found:
        raise FileError(f"{file.place} has no numeric column other than the times (columns: {', '.join(file.names)})")
    return found


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
        likely = [i for i, name in enumerate(file.names) if short(name) in TIMES]
        if likely and (short is str.lower or len(likely) == 1):
            return likely[0]
    return None


def _last_part(name: str) -> str:
    return name.lower().rpartition(".")[2]


def times_of(file: Columns, time: int | str | None, units: Mapping[str, str]) -> np.ndarray:
    """The times of the rows in s, from the column that holds them.

    >>> from stribeck.tables import read_columns
    >>> times_of(read_columns("run7.csv"), None, {"t": "ms"})
    array([0.0    , 0.0001, 0.0002])
    """
    column = _time_column(file, time)
    if column is None:
        raise FileError(
            f"{file.place}: no column is called t or time; name it with time=..., or give sample_time='1 ms' "
            f"(columns: {', '.join(file.names)})"
        )
    name = file.names[column]
    unit = units.get(name) or file[column].unit or "s"
    return np.asarray(file.numbers(column) * to_si(f"1 {unit}", "s", file.place, f"unit of '{name}'"))


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
