"""A result without its traces as one JSON document, for file formats that can store it beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..kinds import Kind
from ..writing import FORMAT
from .end import End
from .energy import Energy
from .events import Events
from .extremes import FIELDS, Extremes
from .meta import ResultMeta
from .result import Result
from .seal import check_format, checksum, verify
from .statistics import Statistics
from .summary import plain


def write(result: Result) -> dict[str, Any]:
    """The summary, the events, the breaks, the end, and a checksum of everything.

    >>> write(result)["events"][0]
    [7.5, 'friction', 'Stuck', 'Forward']
    """
    events = [list(event) for event in result.events]
    known = {
        "format": FORMAT,
        **result.summary(),
        "rows": result.time.size,
        "events": events,
        "breaks": plain(result.breaks),
    }
    if result.known_end is not None:
        known["end"] = result.known_end.to_document()
    return {**known, "crc32": checksum(known, result.time, *result.data)}


def read(path: Path, document: Mapping[str, Any], time: np.ndarray, data: np.ndarray) -> Result:
    """A result from its document and its traces, if their checksum matches.

    >>> read(Path("run.nc"), write(result), result.time, result.data).energy == result.energy
    True
    """
    check_format(path, document.get("format"))
    known = {key: value for key, value in document.items() if key != "crc32"}
    verify(path, known.get("rows"), document.get("crc32"), time.size, checksum(known, time, *data))
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
        known_end=End.from_document(document["end"]) if "end" in document else None,
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
        stopped=document["stopped"],
        kinds=tuple(map(Kind, document.get("kinds", {}).values())),
        parts=tuple(document.get("parts", {}).get(name, "") for name in document.get("kinds", ())),
    )


def _extremes(meta: ResultMeta, known: Mapping[str, Mapping[str, float]]) -> Extremes:
    """One row per output if there are any; modes have none."""
    rows = [[known.get(name, {}).get(key) for key in FIELDS] for name in meta.names] if known else []
    return Extremes(meta, np.array(rows, float).reshape(-1, len(FIELDS)))


def _numbers(values: Mapping[str, Any]) -> dict[str, Any]:
    """NaN as null, because JSON has no NaN."""
    return {name: math.nan if value is None else value for name, value in values.items()}
