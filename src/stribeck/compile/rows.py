"""Sparse rows: small dictionaries from column to coefficient, and the entries of many as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

Row = Mapping[int, float]


def combine(*terms: tuple[float, Row]) -> dict[int, float]:
    """The sum of factor times row; entries that cancel are dropped.

    >>> combine((1, {0: 1.0, 1: 2.0}), (-1, {0: 1.0}))
    {1: 2.0}
    """
    total: dict[int, float] = {}
    for factor, row in terms:
        for column, value in row.items():
            total[column] = total.get(column, 0.0) + factor * value
    return {column: value for column, value in total.items() if value != 0.0}


def entries(rows: Iterable[Row], name: str) -> dict[str, np.ndarray]:
    """The entries of rows in order, as the kernel reads them: NAME_row, NAME_col, NAME_val.

    >>> entries([{2: 1.0}, {}], "w")["w_col"]
    array([2], dtype=int32)
    """
    listed = [(i, column, value) for i, row in enumerate(rows) for column, value in sorted(row.items())]
    return {
        f"{name}_row": np.array([i for i, _, _ in listed], np.int32),
        f"{name}_col": np.array([column for _, column, _ in listed], np.int32),
        f"{name}_val": np.array([value for _, _, value in listed], float),
    }
