"""Batch: what many runs have given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..optional import require
from .errors import ResultError, UnknownOutput

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


@dataclass(frozen=True, eq=False)
class Batch(Mapping[str, np.ndarray]):
    """Measures of many points, by their texts, and traces of outputs, if they were kept.

    >>> many["friction.tau:max"][:3]
    >>> many.failures
    {}
    """

    name: str
    parameters: dict[str, np.ndarray]
    """Parameters that vary, one value per point (SI)."""
    parameter_units: dict[str, str]
    measures: dict[str, np.ndarray]
    """One number per point; NaN where a point has failed."""
    units: dict[str, str]
    """Units of the measures."""
    time: np.ndarray
    """Times of the traces (s)."""
    names: Sequence[str]
    """Outputs of the traces."""
    output_units: Sequence[str]
    traces: np.ndarray | None
    """points x outputs x times, or None."""
    failures: dict[int, str] = field(default_factory=dict)
    """What went wrong, by the number of the point."""
    refused: frozenset[int] = frozenset()
    """The points among them whose values the model refuses: they were not run."""
    steps: int = 0
    """Steps of the solver at all points."""
    seconds: float = 0.0

    def __getitem__(self, name: str) -> np.ndarray:
        """A measure, a parameter that varies, or the traces of an output (points x times)."""
        if name in self.measures:
            return self.measures[name]
        if name in self.parameters:
            return self.parameters[name]
        if self.traces is not None and name in self.names:
            return np.asarray(self.traces[:, list(self.names).index(name), :])
        raise UnknownOutput(f"the batch has no measure '{name}' (known: {', '.join(self)})")

    def __iter__(self) -> Iterator[str]:
        return iter([*self.measures, *self.parameters, *self.names])

    def __len__(self) -> int:
        return len(self.measures) + len(self.parameters) + len(self.names)

    @property
    def points(self) -> int:
        """How many there are.

        >>> many.points
        3
        """
        return len(next(iter(self.parameters.values())))

    @property
    def ok(self) -> np.ndarray:
        """Which points have run to their end.

        >>> bool(many.ok.all())
        True
        """
        good = np.ones(self.points, bool)
        good[list(self.failures)] = False
        return good

    def to_pandas(self) -> pd.DataFrame:
        """A row per point: parameters, measures and the message of a failure.

        >>> many.to_pandas().columns[0]
        'spring.c'
        """
        pandas = require("pandas", "to_pandas", ResultError)
        messages = [self.failures.get(i, "") for i in range(self.points)]
        frame: pd.DataFrame = pandas.DataFrame({**self.parameters, **self.measures, "failure": messages})
        frame.attrs.update(model=self.name, units=self.parameter_units | self.units)
        return frame

    def to_xarray(self) -> xr.Dataset:
        """A dataset over `point`, with the parameters as coordinates, and over `time` for traces.

        >>> many.to_xarray()["friction.tau:max"].attrs["units"]
        'N.m'
        """
        xarray = require("xarray", "to_xarray", ResultError)
        variables: dict[str, Any] = {
            text: ("point", column, {"units": self.units[text]}) for text, column in self.measures.items()
        }
        for i, name in enumerate(self.names):
            variables[name] = (("point", "time"), self[name], {"units": self.output_units[i]})
        coordinates: dict[str, Any] = {
            path: ("point", column, {"units": self.parameter_units[path]}) for path, column in self.parameters.items()
        }
        if self.traces is not None:
            coordinates["time"] = ("time", self.time, {"units": "s"})
        dataset: xr.Dataset = xarray.Dataset(variables, coords=coordinates, attrs={"model": self.name})
        return dataset

    def __repr__(self) -> str:
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"<Batch of {self.name}: {self.points} points{failed}, {len(self.measures)} measures>"
