"""Result files: the extension determines the format."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from ..errors import WriteError
from ..kernel import csv_rows
from ..kinds import Kind
from ..optional import require
from ..reading import reading
from ..writing import append_bytes, whole_file, write_chunks, write_json
from . import document, folder
from .errors import ResultError
from .frames import to_xarray
from .meta import ResultMeta
from .modes import CODES, mode_words
from .result import Result
from .seal import opened, sealed

DOCUMENT = "stribeck"
"""Attribute of .parquet and .nc files that holds the result without its traces, as JSON."""


def save(result: Result, path: Path) -> Path:
    """Writes the result to `path` in the format of its extension, and returns the path."""
    _format(path, "saved").write(result, path)
    return path


def load(path: Path) -> Result:
    """Reads the result from `path` in the format of its extension."""
    read = _format(path, "loaded").read
    if not path.is_file():
        raise ResultError(f"{path}: there is no such file")
    with reading(str(path), ResultError, "it must be a file that Result.save has written"):
        return folder.compared(read(path), path)


LOST = "units, events, energy and statistics"
"""The parts of a result that a CSV file lacks."""
CHUNK = 10_000
"""Rows per chunk of a CSV file."""


def write_csv(result: Result, path: Path) -> None:
    """Header time,element.signal,...; numbers with all digits, modes as text; the last line states the number of rows
    and what the file lacks."""
    write_chunks(path, sealed(_csv(result), lacks=LOST))


def _csv(result: Result) -> Iterator[bytes]:
    """The header, and the rows in chunks."""
    yield f"{','.join(['time', *result.names])}\n".encode()
    modes = [False, *(kind is Kind.MODE for kind in result.meta.kinds)]
    for first in range(0, result.time.size, CHUNK):
        rows = slice(first, first + CHUNK)
        yield csv_rows(np.vstack([result.time[rows], result.data[:, rows]]), modes)


def read_csv(path: Path) -> Result:
    """The traces of a CSV file, with a warning about what it lacks."""
    text = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    label, *names = text[0].split(",")
    if label != "time":
        raise ResultError(f"{path}: the header begins with '{label}' where 'time' belongs")
    cells = [line.split(",") for line in opened(path, text)[1:]]
    for number, line in enumerate(cells, start=2):
        if len(line) != 1 + len(names):
            raise ResultError(f"{path}: line {number} has {len(line)} cells, the header {1 + len(names)}")
    data = np.array([[_number(cell) for cell in line] for line in cells], float)
    data = data.reshape(len(cells), 1 + len(names)).T
    elements = {name.rpartition(".")[0]: "" for name in names}
    meta = ResultMeta(path.stem, tuple(names), ("",) * len(names), elements)
    lost = f"{path.name} is a CSV file: {LOST} are not in it; save the result as .nc, .parquet or .json to keep them"
    return Result(meta, time=data[0], data=data[1:], warnings=[lost])


def write_parquet(result: Result, path: Path) -> None:
    """One column per output, modes as text; everything else in the metadata of the schema."""
    arrow, parquet = (require(name, f"{path}:", ResultError) for name in ("pyarrow", "pyarrow.parquet"))
    rows = zip(result.names, result.data, strict=True)
    columns = {name: mode_words(row) if result.meta.is_mode(name) else row for name, row in rows}
    table = arrow.table({"time": result.time, **columns})
    table = table.replace_schema_metadata({DOCUMENT: json.dumps(document.write(result))})
    with whole_file(path) as temporary:
        parquet.write_table(table, temporary)


def read_parquet(path: Path) -> Result:
    """Reads a file written by `write_parquet`."""
    table = require("pyarrow.parquet", f"{path}:", ResultError).read_table(path)
    known = _checked(path, {key.decode(): value for key, value in (table.schema.metadata or {}).items()})
    columns = [table[name].to_numpy() for name in known["units"]]
    data = [[CODES[word] for word in column] if column.dtype == object else column for column in columns]
    return document.read(path, known, table["time"].to_numpy(), np.array(data, float))


def write_netcdf(result: Result, path: Path) -> None:
    """The dataset of `to_xarray`; everything else in an attribute."""
    dataset = to_xarray(result).assign_attrs({DOCUMENT: json.dumps(document.write(result))})
    with whole_file(path) as temporary:
        try:
            dataset.to_netcdf(temporary)
            append_bytes(temporary, _seal(temporary.read_bytes()))
        except (ImportError, ValueError) as error:
            raise ResultError(f"{path}: {error}; install what is missing with: pip install 'stribeck[data]'") from None
        except RuntimeError as error:  # HDF5 on a full disk
            raise WriteError(f"'{path}' cannot be written: {error}; check the disk and the path") from error


SEAL = "\n# crc32 {:08x}\n"
"""Appended to an HDF5 file, where HDF5 readers ignore it."""


def _seal(content: bytes) -> bytes:
    return SEAL.format(crc32(content)).encode()


def _check_seal(path: Path) -> None:
    content = path.read_bytes()
    end = len(content) - len(_seal(b""))
    if end < 0 or content[end:] != _seal(content[:end]):
        raise ResultError(f"{path}: it is cut or was changed after it was saved; save the result again")


def read_netcdf(path: Path) -> Result:
    """Reads a file written by `write_netcdf`. HDF5 may hang on wrong bytes, so they are checked first."""
    _check_seal(path)
    with require("xarray", f"{path}:", ResultError).open_dataset(path, decode_timedelta=False) as dataset:
        known = _checked(path, dataset.attrs)
        data = np.array([dataset[name].to_numpy() for name in known["units"]], float)
        return document.read(path, known, dataset["time"].to_numpy(), data)


def write_document(result: Result, path: Path) -> None:
    """The whole result as one JSON document: time and data by name, modes as text."""
    rows = zip(result.names, result.data, strict=True)
    data = {name: mode_words(row) if result.meta.is_mode(name) else _strict(row) for name, row in rows}
    write_json(path, {**document.write(result), "time": _strict(result.time), "data": data}, indent=None)


def read_document(path: Path) -> Result:
    """Reads a file written by `write_document`."""
    known = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(known, dict) or "data" not in known or "time" not in known:
        raise ResultError(f"{path} has no traces: it is a summary, or no result; load the result file beside it")
    data, time = known.pop("data"), known.pop("time")
    rows = [[_number(cell) for cell in data[name]] for name in known["units"]]
    return document.read(path, known, np.array([_number(cell) for cell in time]), np.array(rows, float))


def _strict(values: np.ndarray) -> list[Any]:
    """Numbers for JSON; non-finite ones as text."""
    return [value if math.isfinite(value) else str(value) for value in values.tolist()]


class FileFormat(NamedTuple):
    """Writer and reader of a file format, and the packages it needs."""

    write: Callable[[Result, Path], None]
    read: Callable[[Path], Result]
    needs: tuple[str, ...] = ()


FORMATS = {
    ".csv": FileFormat(write_csv, read_csv),
    ".json": FileFormat(write_document, read_document),
    ".nc": FileFormat(write_netcdf, read_netcdf, ("xarray", "h5netcdf")),
    ".parquet": FileFormat(write_parquet, read_parquet, ("pyarrow", "pyarrow.parquet")),
}


def check_savable(path: Path) -> None:
    """Refuses a file that `save` could not write for its ending or for a package that is missing; known before the run
    whose result goes there.

    >>> check_savable(Path("run.nc"))
    """
    for package in _format(path, "saved").needs:
        require(package, f"{path}:", ResultError)


def _format(path: Path, verb: str) -> FileFormat:
    """The format of a file name; unknown extensions are refused with the known ones."""
    if path.suffix.lower() not in FORMATS:
        *most, last = FORMATS
        raise ResultError(f"{path}: results are {verb} as {', '.join(most)} or {last}")
    return FORMATS[path.suffix.lower()]


def _number(cell: Any) -> float:
    """A number, from text or from the name of a mode."""
    return CODES[cell] if cell in CODES else float(cell)


def _checked(path: Path, attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The document in a file, if it is one of ours."""
    if DOCUMENT not in attributes:
        raise ResultError(f"{path} was not saved by Stribeck: it has no attribute '{DOCUMENT}'")
    known: dict[str, Any] = json.loads(attributes[DOCUMENT])
    return known
