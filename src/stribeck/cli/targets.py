"""Where answers go: what cannot be written is refused before the work starts."""

from __future__ import annotations

from pathlib import Path

from ..errors import SpecError
from ..results.files import check_savable
from ..writing import writable_file, writable_folder

PICTURES = (".png", ".svg", ".pdf")


def check_file(path: Path | None) -> None:
    """Refuses a file that cannot be written; None is no file.

    >>> check_file(Path("fit.json"))
    """
    if path is not None:
        writable_file(path)


def check_picture(path: Path | None, option: str = "--out") -> None:
    """Refuses a picture that cannot be written, or that is none.

    >>> check_picture(Path("tasks.png"))
    """
    if path is not None and path.suffix not in PICTURES:
        raise SpecError(f"{option} {path}: the ending must be one of {', '.join(PICTURES)}")
    check_file(path)


def check_result(path: Path | None) -> None:
    """Refuses a result file that cannot be written: by its ending, for a package that is missing, or for its place.

    >>> check_result(Path("traces.nc"))
    """
    if path is not None:
        check_savable(path)
        writable_file(path)


def check_folder(folder: Path | None, ending: str = "csv") -> None:
    """Refuses a folder that cannot be written to, and a kind of result file that cannot be made.

    >>> check_folder(Path("out"), "parquet")
    """
    if folder is not None:
        check_savable(folder / f"result.{ending}")
        writable_folder(folder)
