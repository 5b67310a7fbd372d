"""Sparse rows: small dictionaries from column to coefficient, and their compressed form."""

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


def compress(rows: Iterable[Row], name: str) -> dict[str, np.ndarray]:
    """Compressed rows as the kernel reads them: NAME_ptr, NAME_col, NAME_val.

    >>> compress([{2: 1.0}, {}], "w")["w_ptr"]
    array([0, 1, 1], dtype=int32)
    """
    rows = list(rows)
    entries = [(column, value) for row in rows for column, value in sorted(row.items())]
    return {
        f"{name}_ptr": np.cumsum([0, *(len(row) for row in rows)], dtype=np.int32),
        f"{name}_col": np.array([column for column, _ in entries], np.int32),
        f"{name}_val": np.array([value for _, value in entries], float),
    }
