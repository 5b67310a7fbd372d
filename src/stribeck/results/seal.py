"""Integrity of result files: number of rows and a checksum, which a truncated or edited file does not match.

A text file ends with a line such as `# format 1: 2501 rows, crc32 1f0e2d3c`, a comment for
readers of tables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from ..writing import FORMAT
from .errors import ResultError

SEAL = re.compile(r"# (?:format (\d+)[^:]*: )?(\d+) rows, crc32 ([0-9a-f]{8})")
WAY_OUT = "take the original, or read it as a table with stribeck.identify.Measurement"


def sealed(chunks: Iterable[bytes], lacks: str = "") -> Iterator[bytes]:
    """The chunks of a text file (lines with their ends, the header first), followed by the line with its checksum and
    what the file lacks.

    >>> list(sealed([b"time,mass.w\\n", b"0.0,1.0\\n"]))[-1]
    b'# format 1: 1 rows, crc32 abec0c36\\n'
    """
    rows, check = -1, 0
    for chunk in chunks:
        rows += chunk.count(b"\n")
        check = crc32(chunk.replace(b"\n", b""), check)
        yield chunk
    lacking = f", without {lacks}" if lacks else ""
    yield f"# format {FORMAT}{lacking}: {max(rows, 0)} rows, crc32 {check:08x}\n".encode()


def opened(path: Path, lines: list[str]) -> list[str]:
    """The lines of a sealed file without the last one, if their checksum matches.

    >>> opened(Path("result.csv"), ["time,mass.w", "0.0,1.0", "# format 1: 1 rows, crc32 abec0c36"])
    ['time,mass.w', '0.0,1.0']
    """
    *lines, last = lines or [""]
    seal = SEAL.fullmatch(last)
    if seal is None:
        raise ResultError(
            f"{path} does not end with the line that states its rows: it was cut, or is no result; {WAY_OUT}"
        )
    check_format(path, int(seal[1] or 0))
    verify(path, int(seal[2]), seal[3], max(len(lines) - 1, 0), _check(lines))
    return lines


def verify(path: Path, rows: Any, check: Any, found: int, actual: str) -> None:
    """Refuses a file whose number of rows or checksum differs from what it states."""
    if rows != found:
        raise ResultError(f"{path} states {rows} rows and has {found}: it was cut or edited; {WAY_OUT}")
    if check != actual:
        raise ResultError(f"{path} is not as it was saved (crc32 {actual}, stated {check}): it was edited; {WAY_OUT}")


def checksum(known: Mapping[str, Any], *arrays: np.ndarray) -> str:
    """The checksum of a document and its traces.

    >>> checksum({"model": "rig"}, np.zeros(3))
    """
    check = crc32(json.dumps(known, sort_keys=True).encode())
    for array in arrays:
        check = crc32(np.ascontiguousarray(array, float).data, check)
    return f"{check:08x}"


def _check(lines: Iterable[str]) -> str:
    check = 0
    for line in lines:
        check = crc32(line.encode(), check)
    return f"{check:08x}"


def check_format(path: Path, version: Any) -> None:
    """Refuses a file of a newer format than this version reads; a file without a format number is of the first.

    >>> check_format(Path("run.nc"), 1)
    """
    if version is not None and (not isinstance(version, int) or version > FORMAT):
        raise ResultError(f"{path} has the format {version}, and this Stribeck reads up to {FORMAT}: use a newer one")
