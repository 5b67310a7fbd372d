"""Which files the generated C comes from, and their hash: the kernel carries it, so a stale build can be told."""

from __future__ import annotations

import hashlib
from pathlib import Path

PACKAGE = Path(__file__).parent.parent


def source_files() -> list[Path]:
    """The files that decide what is generated, in a fixed order.

    >>> source_files()[-1].name
    'switch.py'
    """
    return sorted(file for folder in ("codegen", "laws") for file in (PACKAGE / folder).glob("*.py"))


def source_hash() -> str:
    """SHA-256 over the names and texts of the source files.

    >>> source_hash() == stribeck.kernel.laws_hash()
    True
    """
    digest = hashlib.sha256()
    for file in source_files():
        digest.update(f"{file.relative_to(PACKAGE).as_posix()}\n{file.read_text(encoding='utf-8')}\n".encode())
    return digest.hexdigest()
