"""The store of a sweep: a folder with what it is about, its designs, and chunks of results.

    study/study.json            model, settings and measures; another sweep in the same folder is refused
    study/design-000.parquet    the points of the first design; further ones have points that are not in those before
    study/chunk-000-00000.parquet

A chunk has the results of some points of a design, in order. Every file is written whole: whatever is there is
complete, and a sweep goes on with the chunks that are missing. Of processes that open or extend a store at the same
time one makes the file, and the others take what it says.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..errors import FileError, WriteError
from ..optional import require
from ..reading import reading
from ..writing import PREFIX, make_folder, whole_file, writable_folder, write_json

ABOUT = "study.json"
FAILURE = "failure"
"""The column with messages of points that have failed."""


class Chunk(NamedTuple):
    """Points of a design that are computed together."""

    design: int
    number: int
    points: np.ndarray

    @property
    def file(self) -> str:
        """Its name in the store."""
        return f"chunk-{self.design:03d}-{self.number:05d}.parquet"


@dataclass
class Store:
    """A folder with the results of a sweep.

    >>> Store.open("study", about, size=1000).missing()
    """

    folder: Path
    about: dict[str, Any]
    size: int
    """Points of a chunk."""

    @classmethod
    def open(cls, folder: str | Path, about: dict[str, Any], size: int) -> Store:
        """The store of this sweep, made if there is none; one of another sweep is refused with the difference."""
        path = Path(folder)
        file = path / ABOUT
        if not file.exists():
            if path.is_dir() and any(not other.name.startswith((PREFIX, ABOUT)) for other in path.iterdir()):
                raise FileError(f"'{path}' has files and no {ABOUT}; choose an empty folder for the sweep")
            with _or_another(file):
                write_json(make_folder(path) / ABOUT, {**about, "chunk": size}, new=True)
        there = _read_about(writable_folder(path) / ABOUT)
        size = int(there.get("chunk", size))
        _refuse_other(path, there, {**about, "chunk": size})
        return cls(path, about, size)

    @classmethod
    def reopen(cls, folder: str | Path) -> Store:
        """A store that is there.

        >>> Store.reopen("study").parameters
        ['spring.c', 'pull.w']
        """
        about = _read_about(Path(folder) / ABOUT)
        size = int(about.pop("chunk"))
        return cls(Path(folder), about, size)

    @property
    def parameters(self) -> list[str]:
        """Paths of the parameters that vary."""
        return list(self.about["parameters"])

    @property
    def measures(self) -> list[str]:
        """Texts of the measures."""
        return list(self.about["measures"])

    # -- designs ---

    def extend(self, table: np.ndarray) -> None:
        """Adds the points that the designs so far do not have, as a new design."""
        while (fresh := self._unknown(table)).size:
            file = self.folder / f"design-{len(self._design_files()):03d}.parquet"
            with _or_another(file):
                _write(file, dict(zip(self.parameters, (table[fresh] + 0.0).T, strict=True)), new=True)

    def _unknown(self, table: np.ndarray) -> np.ndarray:
        """The rows whose points no design has yet, each once."""
        known = np.concatenate([np.empty((0, table.shape[1])), *self.designs()])
        places = rows_in(known, table)
        return np.flatnonzero(places == len(known) + np.arange(len(table)))

    def _design_files(self) -> list[Path]:
        return sorted(self.folder.glob("design-*.parquet"), key=lambda file: (len(file.name), file.name))

    def designs(self) -> Iterator[np.ndarray]:
        """The points of each design, a row each."""
        for file in self._design_files():
            table = _read(file)
            yield np.ascontiguousarray(np.column_stack([table[path] for path in self.parameters]))

    def chunks(self) -> Iterator[Chunk]:
        """All chunks, those that are there and those that are missing."""
        for number, points in enumerate(self.designs()):
            for k, first in enumerate(range(0, len(points), self.size)):
                yield Chunk(number, k, points[first : first + self.size])

    def missing(self, part: tuple[int, int] = (1, 1)) -> list[Chunk]:
        """The chunks that are still to be computed, of one of several equal parts: its number from 1, and how many."""
        number, parts = part
        own = (chunk for i, chunk in enumerate(self.chunks()) if i % parts == number - 1)
        return [chunk for chunk in own if not self.has(chunk)]

    def has(self, chunk: Chunk) -> bool:
        """Whether its results are there."""
        return (self.folder / chunk.file).exists()

    # -- results ---

    def put(self, chunk: Chunk, measures: dict[str, np.ndarray], failures: dict[int, str]) -> None:
        """Writes the results of a chunk; a row for each point, with the message of one that has failed."""
        columns: dict[str, Any] = dict(zip(self.parameters, chunk.points.T, strict=True))
        columns |= {text: measures[text] for text in self.measures}
        columns[FAILURE] = [failures.get(i, "") for i in range(len(chunk.points))]
        _write(self.folder / chunk.file, columns)

    def results(self) -> tuple[dict[str, np.ndarray], list[str]]:
        """Parameters and measures of all points that are there, and the messages of those that have failed."""
        tables = [_read(self.folder / chunk.file) for chunk in self.chunks() if self.has(chunk)]
        names = [*self.parameters, *self.measures]
        columns = {name: np.concatenate([t[name] for t in tables]) if tables else np.empty(0) for name in names}
        return columns, [text for t in tables for text in t[FAILURE].tolist()]


def rows_in(known: np.ndarray, table: np.ndarray) -> np.ndarray:
    """For each row of a table the number of the first row that is equal to it, to the last bit (-0.0 is 0.0): of those
    that are known, each different, and then of the table itself.

    >>> rows_in(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [1.0, 2.0], [3.0, 4.0]]))
    array([1, 0, 1])
    """
    if np.array_equal(known, table):
        return np.arange(len(table))
    bits = (np.concatenate([known, table]) + 0.0).view(np.int64)
    order = np.lexsort(bits.T)
    bits = bits[order]
    begins = np.append(True, (bits[1:] != bits[:-1]).any(axis=1))
    first = np.empty(len(order), np.int64)
    first[order] = order[begins][np.cumsum(begins) - 1]  # the sort is stable: the first of equal rows leads
    return first[len(known) :]


@contextmanager
def _or_another(file: Path) -> Iterator[None]:
    """A new file that another process may write first."""
    try:
        yield
    except WriteError:
        if not file.exists():
            raise


def _write(path: Path, columns: dict[str, Any], new: bool = False) -> None:
    arrow, parquet = (require(name, f"{path}:", FileError) for name in ("pyarrow", "pyarrow.parquet"))
    with whole_file(path, new) as temporary:
        parquet.write_table(arrow.table(columns), temporary, compression="zstd")


def _read(path: Path) -> dict[str, np.ndarray]:
    parquet = require("pyarrow.parquet", f"{path}:", FileError)
    with reading(f"'{path}'", FileError, "remove it, and the sweep makes it again"):
        table = parquet.read_table(path)
        return {name: table.column(name).to_numpy() for name in table.column_names}


def _read_about(file: Path) -> dict[str, Any]:
    with reading(f"'{file}'", FileError, "it must describe a sweep; choose another folder"):
        about: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        about.pop("format", None)
        return about


def _refuse_other(folder: Path, there: dict[str, Any], here: dict[str, Any]) -> None:
    """An error with what differs between two sweeps, if something does."""
    keys = [key for key in dict.fromkeys([*there, *here]) if there.get(key) != here.get(key)]
    if keys:
        causes = [key for key in keys if key != "units"] or keys  # units follow from the others
        differences = "; ".join(f"{key}: {_shown(key, there.get(key), here.get(key))}" for key in causes)
        raise FileError(f"'{folder}' holds another sweep ({differences}); choose another folder for this one")


def _shown(key: str, there: Any, here: Any) -> str:
    if key != "model":
        return f"{there!r} there, {here!r} here"
    lines = difflib.unified_diff(str(there).splitlines(), str(here).splitlines(), lineterm="", n=0)
    changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return "; ".join(" ".join(line.split()) for line in changed[:6]) + ("; ..." if len(changed) > 6 else "")
