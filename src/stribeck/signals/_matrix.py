"""Parameters that are matrices and vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..declare import Series
from ..errors import SpecError


@dataclass(frozen=True)
class Matrix(Series):
    """A parameter that is a list of rows of numbers, all of one length.

    >>> A = Matrix(None, "", "system matrix")
    """

    def accept(self, value: Any, owner: str, name: str) -> list[Any]:
        """The rows as lists, each number checked; anything array-like with `tolist` is accepted."""
        rows = value.tolist() if hasattr(value, "tolist") else value
        nested = isinstance(rows, list | tuple) and all(isinstance(row, list | tuple) for row in rows)
        if not nested or len({len(row) for row in rows}) != 1 or not rows[0]:
            raise SpecError(f"{owner}: {name} = {value!r} must be rows of one length, for instance [[0, 1], [2, 3]]")
        return [super(Matrix, self).accept(row, owner, f"{name}[{i}]") for i, row in enumerate(rows)]

    def to_si(self, value: Any, units: Mapping[str, str], owner: str, name: str) -> Any:
        """The rows as SI numbers."""
        return [super(Matrix, self).to_si(row, units, owner, f"{name}[{i}]") for i, row in enumerate(value)]


@dataclass(frozen=True)
class Vector(Series):
    """A parameter that is a list of numbers; a matrix with one row or column is accepted too.

    >>> B = Vector(None, "", "input matrix")
    """

    def accept(self, value: Any, owner: str, name: str) -> list[Any]:
        """The numbers as a flat list."""
        entries = value.tolist() if hasattr(value, "tolist") else value
        rows = [row for row in entries if isinstance(row, list | tuple)] if isinstance(entries, list | tuple) else []
        if rows and len(rows) == len(entries) and (len(rows) == 1 or all(len(row) == 1 for row in rows)):
            entries = [entry for row in rows for entry in row]
        return super().accept(entries, owner, name)
