"""The folder of a run: tables for programs, pictures for people."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from ..results import Result
from ..results.folder import write_files


def write_folder(result: Result, folder: Path, ending: str = "csv") -> list[Path]:
    """Writes the result (csv, parquet or nc), events.csv, the pictures and summary.json; returns their paths.

    >>> write_folder(result, Path("out"))[0]
    PosixPath('out/result.csv')
    """
    from ..results.plot import loop_elements

    files: dict[str, Callable[[Path], object]] = {
        f"result.{ending}": result.save,
        "events.csv": result.events.save,
        "time.png": lambda path: result.plot(path=path),
    }
    for element in loop_elements(result):
        files[f"{element}_velocity.png"] = partial(result.plot_velocity, element)
        files[f"{element}_displacement.png"] = partial(result.plot_displacement, element)
    return write_files(folder, files, result.summary())
