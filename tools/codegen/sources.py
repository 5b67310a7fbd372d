"""Which files the generated C comes from, and their hash: the kernel carries it, so a test finds a stale build."""

from __future__ import annotations

import hashlib
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("src/stribeck/laws", "tools/codegen")
FORMULA = ROOT / "src/stribeck/formula.py"
"""The operations and their derivatives."""


def source_files() -> list[Path]:
    """The files that decide what is generated, in a fixed order.

    >>> source_files()[-1].name
    'sources.py'
    """
    return [FORMULA, *sorted(file for folder in FOLDERS for file in (ROOT / folder).glob("*.py"))]


def source_hash() -> str:
    """SHA-256 over the names and texts of the source files.

    >>> source_hash() == stribeck.kernel.laws_hash()
    True
    """
    digest = hashlib.sha256()
    for file in source_files():
        digest.update(f"{file.relative_to(ROOT).as_posix()}\n{file.read_text(encoding='utf-8')}\n".encode())
    return digest.hexdigest()
