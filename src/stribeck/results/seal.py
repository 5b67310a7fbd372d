"""What a result file says of itself: how many rows it has, and a checksum; a cut or edited one does not match.

A text file ends with a line such as `# 2501 rows, crc32 1f0e2d3c`, which readers of tables take for a comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from .errors import ResultError

SEAL = re.compile(r"# (\d+) rows, crc32 ([0-9a-f]{8})")
WAY_OUT = "take the original, or read it as a table with stribeck.identify.Measurement"


def sealed(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a text file (head and rows) with their ends, and below them the line that vouches for them.

    >>> list(sealed(["time,mass.w", "0.0,1.0"]))[-1]
    '# 1 rows, crc32 ed36b50c\\n'
    """
    rows, check = -1, 0
    for line in lines:
        rows, check = rows + 1, crc32(line.encode(), check)
        yield line + "\n"
    yield f"# {max(rows, 0)} rows, crc32 {check:08x}\n"


def opened(path: Path, lines: list[str]) -> list[str]:
    """The lines of a sealed file without the last one, if they are what was written.

    >>> opened(Path("result.csv"), ["time,mass.w", "0.0,1.0", "# 1 rows, crc32 ed36b50c"])
    ['time,mass.w', '0.0,1.0']
    """
    *lines, last = lines or [""]
    seal = SEAL.fullmatch(last)
    if seal is None:
        raise ResultError(
            f"{path} does not end with the line that states its rows: it was cut, or is no result; {WAY_OUT}"
        )
    verify(path, int(seal[1]), seal[2], max(len(lines) - 1, 0), _check(lines))
    return lines


def verify(path: Path, rows: Any, check: Any, found: int, actual: str) -> None:
    """Refuses what has another number of rows, or another content, than it states."""
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
