"""Markdown of the pages."""

from __future__ import annotations

from collections.abc import Iterable

from stribeck.results import DataTable


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown that ends its line."""
    return DataTable(list(head), [list(row) for row in rows]).markdown() + "\n"
