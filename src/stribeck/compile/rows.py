"""Sparse rows: small dictionaries from column to coefficient, and their forms as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np

from ..traced import Number, is_always

Row = Mapping[int, Number]

Arrays: TypeAlias = dict[str, Any]
"""Arrays of the kernel by name: integers, and lists of numbers that may have a record."""


def combine(*terms: tuple[float, Row]) -> dict[int, float]:
    """The sum of factor times row; entries that cancel are dropped.

    >>> combine((1, {0: 1.0, 1: 2.0}), (-1, {0: 1.0}))
    {1: 2.0}
    """
    total: dict[int, float] = {}
    for factor, row in terms:
        for column, value in row.items():
            total[column] = total.get(column, 0.0) + factor * value
    return {column: value for column, value in total.items() if not is_always(value, 0.0)}


def compress(rows: Sequence[Row], name: str, column: str = "col") -> Arrays:
    """Compressed rows as the kernel reads them: NAME_ptr, NAME_col, NAME_val.

    >>> compress([{2: 1.0}, {}], "w")["w_ptr"]
    array([0, 1, 1], dtype=int32)
    """
    listed = [entry for row in rows for entry in sorted(row.items(), key=itemgetter(0))]
    return {
        f"{name}_ptr": np.array(list(accumulate((len(row) for row in rows), initial=0)), np.int32),
        f"{name}_{column}": np.array([col for col, _ in listed], np.int32),
        f"{name}_val": [value for _, value in listed],
    }


def indices(values: Iterable[int | None]) -> np.ndarray:
    """Numbers of things as the kernel reads them: where there is none, -1.

    >>> indices([3, None])
    array([ 3, -1], dtype=int32)
    """
    return np.array([-1 if value is None else value for value in values], np.int32)


def entries(rows: Sequence[Row], name: str, column: str) -> Arrays:
    """The entries of rows as a list: NAME_row, NAME_COLUMN, NAME_val.

    >>> entries([{}, {2: 1.0}], "wp", "motion")["wp_row"]
    array([1], dtype=int32)
    """
    listed = [(i, *entry) for i, row in enumerate(rows) for entry in sorted(row.items(), key=itemgetter(0))]
    return {
        f"{name}_row": np.array([i for i, _, _ in listed], np.int32),
        f"{name}_{column}": np.array([col for _, col, _ in listed], np.int32),
        f"{name}_val": [value for _, _, value in listed],
    }


def transpose(rows: Sequence[Row], columns: int) -> list[dict[int, float]]:
    """The columns of rows, as rows.

    >>> transpose([{1: 2.0}], 2)
    [{}, {0: 2.0}]
    """
    turned: list[dict[int, float]] = [{} for _ in range(columns)]
    for i, row in enumerate(rows):
        for column, value in row.items():
            turned[column][i] = value
    return turned
