"""kernel/tests/models.h holds the programs that compile makes today."""

from __future__ import annotations

from support.c_model import FILE, c_models


def test_the_header_is_the_current_one() -> None:
    assert FILE.read_text(encoding="utf-8") == c_models(), "write it again: python -m tests.support.c_model"
