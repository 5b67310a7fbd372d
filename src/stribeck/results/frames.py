"""Results as pandas data frames and xarray datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..optional import require
from .errors import ResultError
from .modes import MODES, mode_words

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from .result import Result


def to_pandas(result: Result) -> pd.DataFrame:
    """A data frame over time; modes are categories.

    >>> to_pandas(result).attrs["units"]["mass.w"]
    'rad/s'
    """
    pandas = require("pandas", "to_pandas", ResultError)
    columns: dict[str, Any] = {}
    for name, row in zip(result.names, result.data, strict=True):
        mode = result.meta.is_mode(name)
        columns[name] = pandas.Categorical(mode_words(row), categories=list(MODES.values())) if mode else row
    frame: pd.DataFrame = pandas.DataFrame(columns, index=pandas.Index(result.time, name="time"))
    frame.attrs.update(model=result.name, units=dict(zip(result.names, result.meta.units, strict=True)))
    return frame


def to_xarray(result: Result) -> xr.Dataset:
    """A dataset over time; modes are small integers with CF flags.

    >>> to_xarray(result)["mass.w"].attrs["units"]
    'rad/s'
    """
    xarray = require("xarray", "to_xarray", ResultError)
    variables = {}
    for name, unit, row in zip(result.names, result.meta.units, result.data, strict=True):
        if result.meta.is_mode(name):
            flags = {"flag_values": np.array(list(MODES), np.int8), "flag_meanings": " ".join(MODES.values())}
            variables[name] = ("time", row.astype(np.int8), flags)
        else:
            variables[name] = ("time", row, {"units": unit})
    time = xarray.Variable("time", result.time, {"units": "s"})
    dataset: xr.Dataset = xarray.Dataset(variables, coords={"time": time}, attrs={"model": result.name})
    return dataset
