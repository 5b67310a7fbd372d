"""Files read in a child process: a reader that crashes on a broken file ends the child, not the command.

Readers written in C (MAT, MF4, TDMS, Parquet) can crash on a file that passed all checks. Within `reading_apart`, which
the command line uses, such files are read by a child process, which answers with a line of JSON and the numbers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ..errors import FileError, StribeckError
from ._columns import Columns, FileColumn, read_columns

APART: ContextVar[bool] = ContextVar("APART", default=False)
"""Whether files are read in a child process."""
REFUSED = 3
"""Exit code of a child that has an error to report."""


@contextmanager
def reading_apart() -> Iterator[None]:
    """A context in which binary files are read in a child process.

    >>> with reading_apart():
    ...     read_columns("run7.mf4")
    """
    token = APART.set(True)
    try:
        yield
    finally:
        APART.reset(token)


def read_apart(path: Path, place: str) -> Columns:
    """The columns of a file, read in a child process; `place` names the file in messages.

    >>> read_apart(Path("run7.mf4"), "file 'run7.mf4'").names
    ['torque']
    """
    import signal  # imported on use: they would add a tenth to the start-up time
    import subprocess

    child = subprocess.run([sys.executable, "-m", __name__, str(path), place], capture_output=True, check=False)
    if child.returncode == 0:
        return _received(BytesIO(child.stdout), place)
    if child.returncode == REFUSED:
        raise FileError(child.stdout.decode("utf-8", "replace"))
    ended = f"signal {signal.Signals(-child.returncode).name}" if child.returncode < 0 else f"code {child.returncode}"
    raise FileError(f"{place} cannot be read: its reader has crashed ({ended}); the file is broken")


def _send(columns: Columns, out: BinaryIO) -> None:
    about: list[dict[str, Any]] = []
    arrays: list[np.ndarray] = []
    for name, (values, unit, time) in columns.columns.items():
        numbers = values.dtype.kind in "fiub"
        texts = None if numbers else [None if cell is None else str(cell) for cell in values.tolist()]
        about.append({"name": name, "unit": unit, "has_time": time is not None, "texts": texts})
        arrays += [values.astype(float)] if numbers else []
        arrays += [np.asarray(time, float)] if time is not None else []
    head = {"columns": about, "named": columns.named, "constants": columns.constants}
    out.write(json.dumps(head).encode() + b"\n")
    for array in arrays:
        np.save(out, array, allow_pickle=False)


def _received(answer: BinaryIO, place: str) -> Columns:
    head = json.loads(answer.readline())
    columns: dict[str, FileColumn] = {}
    for entry in head["columns"]:
        texts = entry["texts"]
        values = np.load(answer, allow_pickle=False) if texts is None else np.array(texts, dtype=object)
        time = np.load(answer, allow_pickle=False) if entry["has_time"] else None
        columns[entry["name"]] = FileColumn(values, entry["unit"], time)
    return Columns(place, columns, head["named"], head["constants"])


def _main(path: str, place: str) -> int:
    out = sys.stdout.buffer
    sys.stdout = sys.stderr  # output of readers must not mix with the answer
    try:
        columns = read_columns(path, named_as=place)
    except StribeckError as error:
        out.write(str(error).encode())
        return REFUSED
    _send(columns, out)
    return 0


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
