"""Study: the results of a sweep, as tables and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..declare import unknown
from ..errors import UnknownName
from ..optional import require
from ..results import ResultError
from .design import Design
from .store import FAILURE, Store, rows_in

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from ..results.style import Picture


MISSING = "not computed yet"
"""The message of a point that the store does not have."""


class Study:
    """Parameters and measures of all points of a sweep.

    >>> study["mass.w:max"].shape
    (6,)
    >>> study.failures
    {}
    """

    def __init__(
        self, name: str, design: Design, measures: dict[str, np.ndarray], messages: list[str], units: dict[str, str]
    ) -> None:
        self.name, self.design, self.measures, self.units = name, design, measures, units
        self.messages = messages
        """What went wrong at each point, or nothing."""

    @classmethod
    def read(cls, store: Store, design: Design | None = None) -> Study:
        """What a store has of a design; without one, of all points. Points that are missing are NaN, with a message."""
        columns, messages = store.results()
        table = np.column_stack([columns[path] for path in store.parameters])
        if design is None:
            design = Design({path: columns[path] for path in store.parameters}, {})
        rows = rows_in(table, design.table)
        there = rows < len(table)
        measures = {}
        for text in store.measures:
            column = np.full(design.points, np.nan)
            column[there] = columns[text][rows[there]]
            measures[text] = column
        found = [messages[i] if i < len(table) else MISSING for i in rows.tolist()]
        name = str(store.about["model"]).partition("\n")[0].partition(":")[2].strip()
        return cls(name, design, measures, found, dict(store.about["units"]))

    @property
    def failures(self) -> dict[int, str]:
        """Messages of the points that have failed, by their numbers."""
        return {i: text for i, text in enumerate(self.messages) if text}

    def __getitem__(self, name: str) -> np.ndarray:
        """A measure or a parameter, a number per point."""
        for columns in (self.measures, self.design.columns):
            if name in columns:
                return columns[name]
        raise UnknownName(unknown("the study has no measure", name, [*self.measures, *self.design.columns]))

    def to_pandas(self) -> pd.DataFrame:
        """A row per point: parameters, measures, and the message of a failure.

        >>> list(study.to_pandas().columns)[-1]
        'failure'
        """
        pandas = require("pandas", "to_pandas", ResultError)
        frame: pd.DataFrame = pandas.DataFrame({**self.design.columns, **self.measures, FAILURE: self.messages})
        frame.attrs.update(model=self.name, units=self.units)
        return frame

    def to_xarray(self) -> xr.Dataset:
        """A dataset with units: over the parameters for a grid, else over `point`.

        >>> study.to_xarray().sizes
        """
        xarray = require("xarray", "to_xarray", ResultError)
        axes = self.design.axes
        dims = tuple(axes) or ("point",)
        shape = tuple(axis.size for axis in axes.values()) or (self.design.points,)
        variables: dict[str, Any] = {
            text: (dims, column.reshape(shape), {"units": self.units[text]}) for text, column in self.measures.items()
        }
        variables[FAILURE] = (dims, np.array(self.messages, object).reshape(shape))
        columns = axes or self.design.columns
        coordinates = {
            path: ((path,) if axes else ("point",), column, {"units": self.units[path]})
            for path, column in columns.items()
        }
        dataset: xr.Dataset = xarray.Dataset(variables, coords=coordinates, attrs={"model": self.name})
        return dataset

    def plot(self, measure: str | None = None, path: str | Path | None = None) -> Picture:
        """A picture of a measure (the first if none is named): lines over one parameter, with one line for each value
        of the second where it has few; a heat map over two; a response surface, interpolated, for scattered points.

        >>> study.plot("mass.w:max", "map.png")
        """
        from .plot import plot_study

        return plot_study(self, measure or next(iter(self.measures)), path)

    def __repr__(self) -> str:
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"<Study of {self.name}: {self.design.points} points{failed}, measures {', '.join(self.measures)}>"
