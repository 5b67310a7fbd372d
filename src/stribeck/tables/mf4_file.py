"""MF4 files (ASAM MDF), by asammdf."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import FileError
from ..optional import require
from ._columns import Column, Columns

ENDINGS = (".mf4", ".mdf")


def read(path: Path, place: str) -> Columns:
    """Every channel of numbers with its unit and its own times.

    >>> read(Path("drive.mf4"), "file 'drive.mf4'")["Torque"].unit
    'Nm'
    """
    asammdf = require("asammdf", place, FileError, "mf4")
    path.stat()  # a file that is not there is told as every other
    try:
        with asammdf.MDF(path) as file:
            signals = [signal for signal in file.iter_channels() if signal.samples.dtype.kind in "fiu"]
            return Columns(
                place,
                {s.name: Column(np.asarray(s.samples, float), s.unit or "", np.asarray(s.timestamps)) for s in signals},
            )
    except (asammdf.blocks.utils.MdfException, ValueError, KeyError) as error:
        raise FileError(f"{place} cannot be read: {error}; it must be an MF4 file") from None
