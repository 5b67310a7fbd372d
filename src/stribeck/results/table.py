"""Plain text tables for the terminal: numbers to the right, words to the left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def format_table(head: Sequence[str], rows: Sequence[Sequence[Any]], digits: int = 6) -> str:
    """Columns under their heads, numbers with `digits` significant digits.

    >>> print(format_table(["element", "J"], [["spring", 0.25]]))
    element     J
    spring   0.25
    """
    cells = [[format_cell(cell, digits) for cell in row] for row in rows]
    numeric = [all(isinstance(row[i], int | float) for row in rows) and bool(rows) for i in range(len(head))]
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    lines = []
    for line in [list(head), *cells]:
        parts = (c.rjust(w) if n else c.ljust(w) for c, w, n in zip(line, widths, numeric, strict=True))
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def format_cell(cell: Any, digits: int = 6) -> str:
    """One cell: floats short, everything else as it prints.

    >>> format_cell(0.1 + 0.2)
    '0.3'
    """
    return f"{cell:.{digits}g}" if isinstance(cell, float) else str(cell)
