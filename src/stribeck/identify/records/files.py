"""Several records at once: files, folders and patterns, labelled by their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from glob import glob, has_magic
from pathlib import Path
from typing import Any

from ...errors import FileError
from ...tables import readers
from .measurement import Measurement

NUMBERS = re.compile(r"(\d+)")


def read_records(paths: str | Path | Sequence[str | Path], **options: Any) -> list[Measurement]:
    """The records of files, of all files in folders, and of patterns such as "runs/*.csv", sorted by name.

    Names of records are those of the files, with the folder if two of them are equal. `options` are those of
    `Measurement.read`.

    >>> [run.name for run in read_records(["servo.csv", "axis.csv"])]
    ['servo', 'axis']
    """
    found = record_paths(paths)
    return [replace(Measurement.read(path, **options), name=name) for path, name in labelled(found).items()]


def record_paths(paths: str | Path | Sequence[str | Path]) -> list[Path]:
    """The files that are meant: files as they are, those in a folder, those that match a pattern.

    >>> [path.name for path in record_paths(["run10.csv", "run2.csv"])]
    ['run10.csv', 'run2.csv']
    """
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    if not given:
        raise FileError("there are no files; give at least one, a folder, or a pattern such as 'runs/*.csv'")
    return list(dict.fromkeys(path for entry in given for path in _files(Path(entry))))


def labelled(paths: Sequence[Path]) -> dict[Path, str]:
    """A name for each file: its name without the extension, with the folder if that is not unique.

    >>> list(labelled([Path("a/run1.csv"), Path("b/run1.csv"), Path("run2.csv")]).values())
    ['a/run1', 'b/run1', 'run2']
    """
    count = Counter(path.stem for path in paths)
    return {path: path.stem if count[path.stem] == 1 else f"{path.parent.name}/{path.stem}" for path in paths}


def _files(path: Path) -> list[Path]:
    """The files of one entry, in natural order: run2 before run10."""
    if path.is_dir():
        found = [file for file in path.iterdir() if file.suffix.lower() in readers()]
        if not found:
            raise FileError(f"folder '{path}' has no file to read; files end with {', '.join(readers())}")
    elif has_magic(str(path)) and not path.exists():
        found = [Path(name) for name in glob(str(path), recursive=True)]  # noqa: PTH207  # absolute or relative
        if not found:
            raise FileError(f"no file matches '{path}'; check the pattern and the folder")
    else:
        return [path]
    return sorted(found, key=lambda file: [int(p) if p.isdigit() else p for p in NUMBERS.split(str(file).lower())])
