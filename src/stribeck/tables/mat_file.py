"""MATLAB files: version 5 by SciPy, version 7.3 (which is HDF5) by h5py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import FileError
from ..optional import require
from ..reading import reading
from ._columns import Columns, FileColumn
from ._mat_check import check_mat

ENDINGS = (".mat",)
HDF5 = b"\x89HDF\r\n\x1a\n"


def read(path: Path, place: str) -> Columns:
    """Vectors become columns, scalars constants. A matrix becomes columns name[0], name[1], ... along its shorter side;
    fields of structures are name.field.

    >>> read(Path("servo.mat"), "file 'servo.mat'").constants["kp"]
    160.18
    """
    with path.open("rb") as file:
        start = file.read(1024)
    entries = _version_73(path, place) if HDF5 in start else _version_5(path, place)
    columns: dict[str, FileColumn] = {}
    constants: dict[str, float] = {}
    for name, values in entries:
        _sort(name, values, columns, constants)
    return Columns(place, columns, constants=constants)


def _version_5(path: Path, place: str) -> Iterator[tuple[str, np.ndarray]]:
    from scipy.io import loadmat

    with reading(place, FileError, "it must be a MAT file of version 5 or 7.3"):
        check_mat(path)
        content = loadmat(path, squeeze_me=True, struct_as_record=True)
    for name, value in content.items():
        if not name.startswith("__"):
            yield from _fields(name, value)


def _fields(name: str, value: Any) -> Iterator[tuple[str, np.ndarray]]:
    """A variable, or the fields of a structure."""
    if isinstance(value, np.ndarray | np.void) and value.dtype.names:
        if np.size(value) == 1:
            for field in value.dtype.names:
                inner = value[field]
                yield from _fields(
                    f"{name}.{field}", inner.item() if np.ndim(inner) == 0 and inner.dtype == object else inner
                )
    else:
        yield name, np.asarray(value)


def _version_73(path: Path, place: str) -> Iterator[tuple[str, np.ndarray]]:
    h5py = require("h5py", place, FileError)
    found: list[tuple[str, np.ndarray]] = []

    def visit(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu" and not name.startswith("#"):
            found.append((name.replace("/", "."), np.squeeze(np.asarray(item)).T))

    with h5py.File(path) as file:
        file.visititems(visit)
    yield from found


def _sort(name: str, values: np.ndarray, columns: dict[str, FileColumn], constants: dict[str, float]) -> None:
    """Adds a variable to columns or constants; anything but numbers is skipped."""
    if values.dtype.kind not in "fiub":
        return
    if values.size == 1:
        constants[name] = float(values.reshape(-1)[0])
    elif values.ndim == 1 and values.size:
        columns[name] = FileColumn(values.astype(float))
    elif values.ndim == 2 and values.size:
        tall = values if values.shape[0] >= values.shape[1] else values.T
        columns.update({f"{name}[{i}]": FileColumn(tall[:, i].astype(float)) for i in range(tall.shape[1])})
