"""Parquet files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import FileError
from ..optional import require
from ..reading import reading
from ._columns import Columns, FileColumn, numbered, seconds

ENDINGS = (".parquet",)


def read(path: Path, place: str) -> Columns:
    """The columns of a Parquet file; the metadata `unit` of a column is its unit.

    >>> read(Path("run7.parquet"), "file 'run7.parquet'").names
    ['t', 'torque']
    """
    parquet = require("pyarrow.parquet", place, FileError)
    with reading(place, FileError, "it must be a Parquet file"):
        table = parquet.ParquetFile(path).read()
    return Columns(place, numbered((str(name), _column(table, i)) for i, name in enumerate(table.column_names)))


def _column(table: object, i: int) -> FileColumn:
    about = table.schema.field(i).metadata or {}  # type: ignore[attr-defined]
    values = np.asarray(table.column(i).to_numpy())  # type: ignore[attr-defined]
    if values.dtype.kind in "mM" and values.size:
        return FileColumn(seconds(values), "s")
    return FileColumn(values, about.get(b"unit", b"").decode())
