"""Atomic writing of files: data go to a temporary file in the same folder, which then replaces the target.

After a full disk, a crash or kill -9 the target is the old file or the new one. All files of the package are written
here; `tests/test_writing.py` finds exceptions.
"""

from __future__ import annotations

import csv
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import EEXIST
from pathlib import Path
from secrets import token_hex
from typing import Any

from .errors import WriteError, shortened

PREFIX = ".stribeck-"
"""Prefix of temporary files; one that is left over is incomplete and can be deleted."""


FORMAT = 1
"""Version of the files that are written. It grows when an older Stribeck would read a file wrongly."""


@contextmanager
def whole_file(path: str | Path, new: bool = False) -> Iterator[Path]:
    """A temporary path to write to; on success its file replaces `path`, otherwise `path` is unchanged. With `new` a
    file that is there by then stays, and the error says so: of several writers one succeeds.

    >>> with whole_file("note.txt") as temporary:
    ...     temporary.write_text("stick-slip")
    """
    path = Path(path)
    with _explained(path):
        target = Path(os.path.realpath(path))
        before = _mode(target)
        if before is not None and not stat.S_ISREG(before):  # a device or pipe cannot be replaced
            _refuse_folder(before)
            yield target
            return
        if before is not None and not os.access(target, os.W_OK):
            raise PermissionError("the file is read-only")
        temporary = target.parent / f"{PREFIX}{token_hex(8)}{target.suffix}"
        try:
            os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            yield temporary
            if before is not None:
                temporary.chmod(stat.S_IMODE(before))
            _flush(temporary)
            if new:
                _place_new(temporary, target)
            else:
                temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        if os.name == "posix":
            _flush(target.parent)  # the directory entry is on disk too


def _place_new(temporary: Path, target: Path) -> None:
    """A complete file under its name, unless there is one. Where the disk knows no links, a writer in the same instant
    is not noticed."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:
        if target.exists():
            raise FileExistsError(EEXIST, os.strerror(EEXIST)) from None
        temporary.replace(target)
    else:
        temporary.unlink()


def write_text(path: str | Path, text: str, new: bool = False) -> Path:
    """Writes a text file in UTF-8 and returns its path; `new` is that of `whole_file`.

    >>> write_text("model.yaml", model.to_yaml())
    """
    return write_lines(path, [text], new)


def write_lines(path: str | Path, lines: Iterable[str], new: bool = False) -> Path:
    """Writes lines, which include their line ends, and returns the path.

    >>> write_lines("result.csv", (f"{t}\\n" for t in result.time))
    """
    with whole_file(path, new) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        file.writelines(lines)
    return Path(path)


def write_chunks(path: str | Path, chunks: Iterable[bytes]) -> Path:
    """Writes bytes piece by piece, and returns the path.

    >>> write_chunks("result.csv", [b"time,mass.w\\n", b"0.0,0.1\\n"])
    """
    with whole_file(path) as temporary, temporary.open("wb") as file:
        file.writelines(chunks)
    return Path(path)


def write_rows(path: str | Path, rows: Iterable[Sequence[Any]]) -> Path:
    """Writes a table as CSV and returns its path.

    >>> write_rows("modes.csv", [["f / Hz", "damping"], [12.5, 0.02]])
    """
    with whole_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    return Path(path)


def write_json(path: str | Path, data: Any, indent: int | None = 2, new: bool = False) -> Path:
    """Writes plain data as strict JSON, with the version of its format, and returns its path.

    >>> write_json("fit.json", {"best": "LuGre"})
    """
    versioned = {"format": FORMAT, **data} if isinstance(data, Mapping) else data
    return write_text(path, json.dumps(versioned, indent=indent, allow_nan=False) + "\n", new)


def append_bytes(temporary: Path, data: bytes) -> None:
    """Appends to a file of `whole_file` before it replaces its target.

    >>> with whole_file("note.txt") as temporary:
    ...     temporary.write_text("stick-slip")
    ...     append_bytes(temporary, b"# end")
    """
    with temporary.open("ab") as file:
        file.write(data)


def make_folder(path: str | Path) -> Path:
    """Makes a folder and its parents if missing, and returns it.

    >>> make_folder("out/today")
    PosixPath('out/today')
    """
    path = Path(path)
    with _explained(path):
        path.mkdir(parents=True, exist_ok=True)
    return path


def remove(path: str | Path) -> None:
    """Removes a file, if it is there.

    >>> remove("out/summary.json")
    """
    path = Path(path)
    with _explained(path):
        path.unlink(missing_ok=True)


def writable_folder(path: str | Path) -> Path:
    """A folder in which files can be written, checked before the work whose results go there.

    >>> writable_folder("out")
    PosixPath('out')
    """
    path = make_folder(path)
    with _explained(path):
        trial = path / f"{PREFIX}{token_hex(8)}"
        os.close(os.open(trial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        trial.unlink()
    return path


def writable_file(path: str | Path) -> Path:
    """A file that can be made or replaced; known before the work whose result goes there.

    >>> writable_file("out/fit.json")
    PosixPath('out/fit.json')
    """
    path = Path(path)
    writable_folder(path.parent)
    with _explained(path):
        mode = _mode(path)
        if mode is not None:
            _refuse_folder(mode)
            if not os.access(path, os.W_OK):
                raise PermissionError("the file is read-only")
    return path


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """An error of the operating system as one line with the path."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else shortened(" ".join(str(error).split()), 200)
        raise WriteError(f"'{path}' cannot be written: {reason}; {WAYS_OUT.get(type(error), SPACE)}") from error
    except UnicodeEncodeError as error:
        if error.object != str(path):
            raise
        raise WriteError(f"'{path}' cannot be written: {error.reason}; choose another name") from error
    except ValueError as error:  # a path with a null byte
        if "null" not in str(error):
            raise
        raise WriteError(f"'{path}' cannot be written: {error}; choose another name") from error


SPACE = "check the disk and the path; an existing file is unchanged"
WAYS_OUT: dict[type[OSError], str] = {
    PermissionError: "choose a folder that you may write to",
    FileNotFoundError: "make its folder first",
    FileExistsError: "there is a file of that name; choose another folder",
    IsADirectoryError: "it is a folder; name a file in it",
    NotADirectoryError: "a part of its path is a file; choose another folder",
}


def _refuse_folder(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError("it is a folder")


def _mode(path: Path) -> int | None:
    """Kind and permissions of a file, None if there is none."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _flush(path: Path) -> None:
    """Flushes a file to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
