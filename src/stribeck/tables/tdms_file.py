"""TDMS files (LabVIEW), by npTDMS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..errors import FileError
from ..optional import require
from ..reading import reading
from ._columns import Columns, FileColumn, numbered, seconds

ENDINGS = (".tdms",)


def read(path: Path, place: str) -> Columns:
    """Every numeric channel with its unit, and its times if it is a waveform; names are group.channel, or channel if
    there is one group.

    >>> read(Path("rig.tdms"), "file 'rig.tdms'")["torque"].unit
    'N.m'
    """
    nptdms = require("nptdms", place, FileError, "tdms")
    with reading(place, FileError, "it must be a TDMS file"):
        groups = nptdms.TdmsFile.read(path).groups()
        prefixed = len(groups) > 1
        channels = [(f"{group.name}.{c.name}" if prefixed else c.name, c) for group in groups for c in group.channels()]
        return Columns(
            place, numbered((name, _column(c)) for name, c in channels if np.asarray(c[:]).dtype.kind in "fiuM")
        )


def _column(channel: Any) -> FileColumn:
    about, values = channel.properties, np.asarray(channel[:])
    if values.dtype.kind == "M":
        return FileColumn(seconds(values), "s")
    values = values.astype(float)
    step = float(about.get("wf_increment", 0.0))  # some writers state 0 if there is none, others omit the offset
    time = float(about.get("wf_start_offset", 0.0)) + step * np.arange(values.size) if step > 0 else None
    unit = about.get("unit_string") or about.get("NI_UnitDescription") or ""
    return FileColumn(values, str(unit), time)
