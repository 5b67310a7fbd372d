"""Objects of MATLAB classes in MAT files, by mat-io: a timeseries becomes columns with times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..errors import FileError
from ..optional import require
from ..reading import reading
from ._columns import FileColumn


def read_objects(path: Path, place: str, columns: dict[str, FileColumn]) -> list[str]:
    """Adds the columns of all timeseries of a file; returns the classes of other objects.

    >>> read_objects(Path("log.mat"), "file 'log.mat'", {})  # doctest: +SKIP
    []
    """
    matio = require("matio", place, FileError, "mat")
    with reading(place, FileError, "it must be a MAT file of version 5 or 7.3"):
        content = matio.load_from_mat(str(path), raw_data=True)
    others = []
    for name, value in content.items():
        fields = getattr(value, "properties", None)
        if not isinstance(fields, dict):
            continue
        found = _series(name, fields)
        columns.update(found)
        if not found:
            others.append(str(getattr(value, "classname", "")))
    return others


def _series(name: str, fields: dict[str, Any]) -> dict[str, FileColumn]:
    """The columns of an object with times and data, none for another one."""
    data, times = _numbers(fields, "Data", "Data_"), _times(fields)
    if data is None or times is None or times.size not in data.shape:
        return {}
    rows = np.moveaxis(data, data.shape.index(times.size), 0).reshape(times.size, -1)
    names = [name] if rows.shape[1] == 1 else [f"{name}[{i}]" for i in range(rows.shape[1])]
    return {each: FileColumn(rows[:, i], "", times) for i, each in enumerate(names)}


def _numbers(fields: dict[str, Any], *names: str) -> np.ndarray | None:
    for name in names:
        values = fields.get(name)
        if isinstance(values, np.ndarray) and values.dtype.kind in "fiub" and values.size > 1:
            return np.squeeze(np.asarray(values, float))
    return None


def _times(fields: dict[str, Any]) -> np.ndarray | None:
    """The times of a timeseries, stated one by one or by start, step and number."""
    times = _numbers(fields, "Time", "Time_")
    if times is not None:
        return times.reshape(-1)
    about = getattr(fields.get("TimeInfo", fields.get("TimeInfo_")), "properties", None)
    if not isinstance(about, dict):
        return None
    known = {key.rstrip("_"): np.asarray(value).reshape(-1) for key, value in about.items()}
    start, step, count = (known.get(key, np.empty(0)) for key in ("Start", "Increment", "Length"))
    if any(part.size != 1 or part.dtype.kind not in "fiu" for part in (start, step, count)):
        return None
    return np.asarray(float(start[0]) + float(step[0]) * np.arange(int(count[0])))
