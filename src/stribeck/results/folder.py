"""The files of one run in one folder: summary.json is written last, with size and hash of the others."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..errors import StribeckError
from ..reading import reading
from ..writing import make_folder, remove, write_json
from .errors import ResultError
from .result import Result

SUMMARY = "summary.json"


def write_files(folder: Path, files: Mapping[str, Callable[[Path], object]], summary: Mapping[str, Any]) -> list[Path]:
    """Writes each file by its function, then the summary with their sizes and hashes; returns the paths.

    What an earlier summary in the folder names is removed first, so that all files are of one run; a file that has been
    changed since stays.

    >>> write_files(Path("out"), {"result.csv": result.save}, result.summary())
    [PosixPath('out/result.csv'), PosixPath('out/summary.json')]
    """
    make_folder(folder)
    clear(folder)
    for name, write in files.items():
        write(folder / name)
    known = {name: about(folder / name) for name in files}
    write_json(folder / SUMMARY, {**summary, "files": known})
    return [folder / name for name in (*files, SUMMARY)]


def clear(folder: Path) -> None:
    """Removes a summary and the files that it names, as far as they are still what it was written for.

    >>> clear(Path("out"))
    """
    path = folder / SUMMARY
    if not path.is_file():
        return
    try:
        files = dict(json.loads(path.read_text(encoding="utf-8"))["files"])
        stale = [folder / name for name, entry in files.items() if not _mismatch(folder / name, entry)]
    except (ValueError, LookupError, TypeError, AttributeError, OSError):
        stale = []  # not a summary of ours, or a broken one: its files cannot be known
    for old in (path, *stale):
        if old.parent == folder:
            remove(old)


def about(path: Path) -> dict[str, Any]:
    """Size (bytes) and hash of a file.

    >>> Path("note.txt").write_text("stick-slip")
    >>> about(Path("note.txt"))["bytes"]
    10
    """
    content = path.read_bytes()
    return {"bytes": len(content), "sha256": sha256(content).hexdigest()}


def read_summary(path: str | Path) -> dict[str, Any]:
    """The summary of a run; `mismatches` lists files beside it that have changed since.

    >>> paths = write_files(Path("out"), {"result.csv": result.save}, result.summary())
    >>> read_summary("out/summary.json")["mismatches"]
    []
    """
    path = Path(path)
    path = path / SUMMARY if path.is_dir() else path
    if not path.is_file():
        raise ResultError(f"{path}: there is no such file")
    with reading(str(path), ResultError, "it must be the summary.json of a run"):
        summary = json.loads(path.read_text(encoding="utf-8"))
        files = dict(summary.get("files", {}))
        summary["mismatches"] = [text for name in files if (text := _mismatch(path.parent / name, files[name]))]
    known: dict[str, Any] = summary
    return known


def compared(result: Result, path: Path) -> Result:
    """The result of a file, with a warning if the summary beside it belongs to another one."""
    beside = path.parent / SUMMARY
    if not beside.is_file():
        return result
    try:
        with reading(str(beside), ResultError, "it must be the summary.json of a run"):
            entry = json.loads(beside.read_text(encoding="utf-8")).get("files", {}).get(path.name)
            text = _mismatch(path, entry) if entry else ""
    except StribeckError as error:
        text = str(error)
    return replace(result, warnings=[*result.warnings, text]) if text else result


def _mismatch(path: Path, entry: Mapping[str, Any]) -> str:
    """The fault of a file that a summary names, or None."""
    if not path.is_file():
        return f"{path} is missing, though {SUMMARY} names it"
    if about(path) != entry:
        return f"{path} is not the file that {SUMMARY} was written for: another run has written one of them"
    return ""
