"""MATLAB files: version 5 by SciPy, version 7.3 (which is HDF5) by h5py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

import numpy as np

from ..errors import FileError
from ..optional import require
from ..reading import reading
from ._columns import Columns, FileColumn
from ._mat_check import DEEPEST, check_mat
from ._mat_objects import read_objects

ENDINGS = (".mat",)
HDF5 = b"\x89HDF\r\n\x1a\n"


def read(path: Path, place: str) -> Columns:
    """Vectors become columns, scalars constants. A matrix becomes columns name[0], name[1], ... along its shorter side.
    Fields of structures are name.field, of several structures name(1).field; cells are name{1}. A timeseries, and any
    structure with Time and Data or with time and signals, has separate times.

    >>> read(Path("servo.mat"), "file 'servo.mat'").constants["kp"]
    160.18
    """
    with path.open("rb") as file:
        start = file.read(1024)
    entries = _version_73(path, place) if HDF5 in start else _version_5(path, place)
    columns: dict[str, FileColumn] = {}
    constants: dict[str, float] = {}
    objects: list[str] = []
    for name, value in entries:
        _sort(name, value, columns, constants, objects)
    if objects:
        unread = read_objects(path, place, columns)
        if unread and not columns:
            raise FileError(
                f"{place} has only objects of MATLAB classes without values over time ({', '.join(unread)}); save "
                "numbers, for instance t = ts.Time; x = ts.Data; save(..., 't', 'x')"
            )
    return Columns(place, columns, constants=constants)


def _version_5(path: Path, place: str) -> Iterator[tuple[str, Any]]:
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadWarning

    with reading(place, FileError, "it must be a MAT file of version 5 or 7.3"), catch_warnings():
        simplefilter("ignore", MatReadWarning)  # objects have no names here; read_objects reads them
        check_mat(path)
        content = loadmat(path, squeeze_me=True, struct_as_record=True)
    for name, value in content.items():
        if not name.startswith("__"):
            yield from _parts(name, value)


def _parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A variable, the fields of a structure, or the cells of a cell array, down to numbers."""
    if isinstance(value, np.ndarray) and value.dtype == object and value.ndim == 0:
        value = value.item()
    if hasattr(value, "toarray"):  # sparse
        value = np.squeeze(value.toarray())
    kind = value.dtype if isinstance(value, np.ndarray | np.void) else None
    if isinstance(value, _ClassName):
        yield name, value
    elif type(value).__name__ == "MatlabOpaque":
        yield name, _ClassName(bytes(value.reshape(-1)["s2"][0]).decode("latin-1"))
    elif kind is not None and kind.names and np.size(value) == 1:
        row = value.reshape(-1)[0] if np.ndim(value) else value
        yield from _structure(name, {field: row[field] for field in kind.names})
    elif kind is not None and kind.names:
        for i, row in enumerate(np.asarray(value).reshape(-1), start=1):
            yield from _structure(f"{name}({i})", {field: row[field] for field in kind.names})
    elif kind is not None and kind.kind == "O":
        for i, cell in enumerate(value.reshape(-1, order="F"), start=1):
            yield from _parts(f"{name}{{{i}}}", cell)
    else:
        yield name, np.asarray(value)


class _ClassName(str):
    """The class of an object, whose contents are not read."""


def _structure(name: str, fields: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields of a structure; a timeseries becomes columns with times."""
    series = _timeseries(name, fields)
    if series is not None:
        yield from series
        return
    for field, value in fields.items():
        yield from _parts(f"{name}.{field}", value)


def _timeseries(name: str, fields: dict[str, Any]) -> list[tuple[str, Any]] | None:
    """Values with times: Time and Data of a timeseries, time and signals of Simulink, X and Y of dSPACE; None for other
    structures."""
    known = {key.lower(): _bare(value) for key, value in fields.items()}
    if {"x", "y"} <= set(known) and _has(known["x"], "Data") and _has(known["y"], "Data", "Name"):
        known["time"] = _bare(np.atleast_1d(known["x"]).reshape(-1)[0]["Data"])
        known["signals"] = known["y"]
    time = np.atleast_1d(known["time"]) if "time" in known else None
    if time is None or time.dtype.kind not in "fiu" or time.size < 2:
        return None
    if "data" in known:
        signals: dict[str, Any] = {name: known["data"]}
    elif "signals" in known:
        signals = _signals(name, known["signals"])
    else:
        return None
    times = np.asarray(time, float)
    numbers = {n: np.asarray(v, float) for n, v in signals.items() if np.asarray(v).dtype.kind in "fiub"}
    if not numbers or any(times.size not in values.shape for values in numbers.values()):
        return None
    return [(n, _Series(values, times)) for n, values in numbers.items()]


def _signals(name: str, signals: Any) -> dict[str, Any]:
    """Labels and values of signals that Simulink or dSPACE logged."""
    found: dict[str, Any] = {}
    for label, values in (("label", "values"), ("Name", "Data")):
        if not _has(signals, values):
            continue
        for i, row in enumerate(np.atleast_1d(signals).reshape(-1), start=1):
            given = _bare(row[label]) if _has(signals, label) else ""
            short = str(given).strip() if np.size(given) == 1 else ""
            found[f"{name}.{short or f'signal{i}'}"] = _bare(row[values])
    return found


def _has(value: Any, *fields: str) -> bool:
    """Whether a value is a structure with these fields."""
    kind = value.dtype.names if isinstance(value, np.ndarray | np.void) else None
    return kind is not None and set(fields) <= set(kind)


def _bare(value: Any) -> Any:
    return value.item() if isinstance(value, np.ndarray) and value.dtype == object and value.size == 1 else value


class _Series(NamedTuple):
    """Values and their times."""

    values: np.ndarray
    time: np.ndarray


def _version_73(path: Path, place: str) -> Iterator[tuple[str, Any]]:
    h5py = require("h5py", place, FileError)
    with h5py.File(path) as file:
        found = [
            entry
            for name, item in file.items()
            if not name.startswith("#")
            for entry in _parts(name, _loaded(file, item))
        ]
    yield from found


def _loaded(file: Any, item: Any, depth: int = 0) -> Any:
    """An item of an HDF5 file as SciPy gives it for version 5: structures are records, cells arrays of objects."""
    if depth > DEEPEST:
        raise FileError(f"file '{Path(file.filename).name}': its structures are nested too deep")
    if hasattr(item, "items"):
        fields = dict(item.items())
        if not fields:
            return np.empty(0)
        if all(_refers(inner) and "MATLAB_class" not in inner.attrs for inner in fields.values()):
            count = min(inner.size for inner in fields.values())  # an array of structures: one reference for each
            rows = [
                {name: _loaded(file, file[inner[()].reshape(-1)[i]], depth + 1) for name, inner in fields.items()}
                for i in range(count)
            ]
            return _records(rows)
        return _records([{name: _loaded(file, inner, depth + 1) for name, inner in fields.items()}])
    if item.attrs.get("MATLAB_object_decode", 0) == 3:  # an object: its number in a table of another format
        return _ClassName(bytes(item.attrs.get("MATLAB_class", b"")).decode("latin-1"))
    if _refers(item):
        cells = np.empty(item.size, object)
        for i, link in enumerate(item[()].reshape(-1)):
            cells[i] = _loaded(file, file[link], depth + 1)
        return cells
    values = np.squeeze(np.asarray(item)).T
    if item.attrs.get("MATLAB_class") == b"char":
        return np.array("".join(map(chr, values.reshape(-1).astype(int))))
    return values if not item.attrs.get("MATLAB_empty") else np.empty(0)


def _refers(item: Any) -> bool:
    return hasattr(item, "dtype") and item.dtype == object


def _records(rows: list[dict[str, Any]]) -> np.ndarray:
    """Rows of fields as records."""
    found = np.empty(len(rows), [(name, object) for name in rows[0]])
    for i, row in enumerate(rows):
        for name, value in row.items():
            found[name][i] = value
    return found


def _sort(
    name: str, value: Any, columns: dict[str, FileColumn], constants: dict[str, float], objects: list[str]
) -> None:
    """Adds a variable to columns or constants; anything but numbers is skipped, objects are listed."""
    if isinstance(value, _ClassName):
        objects.append(str(value))
        return
    times = value.time if isinstance(value, _Series) else None
    values = np.squeeze(value.values) if isinstance(value, _Series) else value
    if values.dtype.kind not in "fiub":
        return
    if values.size == 1:
        constants[name] = float(values.reshape(-1)[0])
    elif values.ndim == 1 and values.size:
        columns[name] = FileColumn(values.astype(float), "", times)
    elif values.ndim == 2 and values.size:
        along = 0 if values.shape[0] >= values.shape[1] else 1
        along = along if times is None else values.shape.index(times.size)
        tall = np.moveaxis(values, along, 0).astype(float)
        columns.update({f"{name}[{i}]": FileColumn(tall[:, i], "", times) for i in range(tall.shape[1])})
