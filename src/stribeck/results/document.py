"""All of a result but its traces as one JSON document, for files that can carry it beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .energy import Energy
from .events import Events
from .extremes import FIELDS, Extremes
from .meta import ResultMeta
from .result import Result
from .statistics import Statistics
from .summary import plain


def write(result: Result) -> dict[str, Any]:
    """The summary, the events and the breaks.

    >>> write(result)["events"][0]
    [7.5, 'friction', 'Stuck', 'Forward']
    """
    return {**result.summary(), "events": [list(event) for event in result.events], "breaks": plain(result.breaks)}


def read(document: Mapping[str, Any], time: np.ndarray, data: np.ndarray) -> Result:
    """A result from its document and its traces.

    >>> read(write(result), result.time, result.data).energy == result.energy
    True
    """
    meta, events = _meta(document), Events.from_words(tuple(event) for event in document["events"])
    return Result(
        meta,
        time=time,
        data=data.reshape(len(meta.names), time.size),
        events=events,
        statistics=Statistics(**_numbers(document["statistics"])),
        energy=Energy.from_dict(_numbers(document["energy"])),
        extremes=_extremes(meta, document["extremes"]),
        warnings=document["warnings"],
        breaks=np.array(document["breaks"], float),
    )


def _meta(document: Mapping[str, Any]) -> ResultMeta:
    return ResultMeta(
        model=document["model"],
        names=tuple(document["units"]),
        units=tuple(document["units"].values()),
        elements=document["elements"],
        friction=tuple(document["friction"]),
        solver=document["solver"],
        tolerance=document["tolerance"],
    )


def _extremes(meta: ResultMeta, known: Mapping[str, Mapping[str, float]]) -> Extremes:
    """One row per output if there are any; modes have none."""
    rows = [[known.get(name, {}).get(key) for key in FIELDS] for name in meta.names] if known else []
    return Extremes(meta, np.array(rows, float).reshape(-1, len(FIELDS)))


def _numbers(values: Mapping[str, Any]) -> dict[str, Any]:
    """JSON has no NaN: null stands for it."""
    return {name: math.nan if value is None else value for name, value in values.items()}
