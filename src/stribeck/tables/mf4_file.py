"""MF4 files (ASAM MDF), by asammdf."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import FileError
from ..optional import require
from ..reading import reading
from ._columns import Columns, FileColumn, numbered
from ._mdf_check import check_mdf

ENDINGS = (".mf4", ".mdf")


def read(path: Path, place: str) -> Columns:
    """Every numeric channel with its unit and times.

    >>> read(Path("drive.mf4"), "file 'drive.mf4'")["torque"].unit
    'Nm'
    """
    asammdf = require("asammdf", place, FileError, "mf4")
    with reading(place, FileError, "it must be an MF4 file"):
        check_mdf(path)
        with asammdf.MDF(path) as file:
            signals = [signal for signal in file.iter_channels() if signal.samples.dtype.kind in "fiu"]
            columns = numbered(
                (s.name, FileColumn(np.asarray(s.samples, float), s.unit or "", np.asarray(s.timestamps)))
                for s in signals
            )
    return Columns(place, columns)
