"""Minimum and maximum of each output, located between the grid points too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from .data_table import DataTable, in_notebook
from .meta import ResultMeta

FIELDS = ("min", "t_min", "max", "t_max")


@dataclass(frozen=True, eq=False)
class Extremes(Mapping[str, dict[str, float]]):
    """Extremes by output; `table` has a row (min, t_min, max, t_max) per output, times in s.

    >>> result.extremes["friction.tau"]
    {'min': 0.0, 't_min': 0.0, 'max': 1.5, 't_max': 13.95393}
    """

    meta: ResultMeta
    table: np.ndarray = field(default_factory=lambda: np.empty((0, 4)))

    def __getitem__(self, name: str) -> dict[str, float]:
        if not len(self.table):
            raise KeyError(name)
        return dict(zip(FIELDS, self.table[self.meta.row(name)].tolist(), strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self.meta.names[: len(self.table)])

    def __len__(self) -> int:
        return len(self.table)

    def as_table(self) -> DataTable:
        """A row per output.

        >>> result.extremes.as_table().heads
        ['output', 'min', 't_min', 'max', 't_max']
        """
        return DataTable(["output", *FIELDS], [[name, *self[name].values()] for name in self])

    def _repr_html_(self) -> str:
        return in_notebook(self.as_table())

    def __str__(self) -> str:
        return self.as_table().text()

    __repr__ = __str__
