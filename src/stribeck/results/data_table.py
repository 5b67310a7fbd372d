"""Tables: rows under headings, shown as text, Markdown, HTML or CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..writing import write_rows
from .page import prose, tag
from .summary import plain

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True)
class DataTable:
    """Rows under headings, floats with `digits` significant digits.

    Columns of numbers, or those named in `right`, are aligned to the right. `title` and `notes` go above and below.

    >>> table = DataTable(["element", "J"], [["spring", 0.25]])
    >>> print(table)
    element     J
    spring   0.25
    >>> print(table.markdown())
    | element | J |
    | --- | --: |
    | spring | 0.25 |
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[Any]]
    digits: int = 6
    right: Iterable[int] | None = None
    title: str = ""
    notes: Sequence[str] = ()

    @property
    def cells(self) -> list[list[str]]:
        """The rows as texts.

        >>> table.cells
        [['spring', '0.25']]
        """
        return [[format_cell(cell, self.digits) for cell in row] for row in self.rows]

    @property
    def aligned_right(self) -> list[bool]:
        """For each column, whether it is aligned to the right.

        >>> table.aligned_right
        [False, True]
        """
        return self._right(lambda cell: isinstance(cell, int | float))

    def _right(self, is_number: Callable[[Any], bool]) -> list[bool]:
        columns = range(len(self.heads))
        if self.right is not None:
            return [i in set(self.right) for i in columns]
        return [bool(self.rows) and all(is_number(row[i]) for row in self.rows) for i in columns]

    def text(self) -> str:
        """Plain text; columns are as wide as their contents.

        >>> print(table.text())
        element     J
        spring   0.25
        """
        cells, right = self.cells, self.aligned_right
        widths = [max(map(len, column)) for column in zip(self.heads, *cells, strict=True)]
        lines = [self.title] if self.title else []
        for line in [self.heads, *cells]:
            parts = (c.rjust(w) if r else c.ljust(w) for c, w, r in zip(line, widths, right, strict=True))
            lines.append("  ".join(parts).rstrip())
        return "\n".join([*lines, *self.notes])

    def markdown(self) -> str:
        """A table of Markdown.

        >>> table.markdown().splitlines()[0]
        '| element | J |'
        """
        rule = ["--:" if right else "---" for right in self.aligned_right]
        lines = map(_bars, [self.heads, rule, *self.cells])
        title = [f"**{self.title}**", ""] if self.title else []
        notes = ["", *self.notes] if self.notes else []
        return "\n".join([*title, *lines, *notes])

    def html(self, **attributes: str) -> str:
        """An HTML table with formulas typeset; `class_` is its class. Columns of texts that are numbers are aligned to
        the right too.

        >>> table.html(class_="wide")
        """
        kinds = [{"class_": "number"} if right else {} for right in self._right(_is_number)]
        head = tag("thead", _row("th", self.heads, kinds))
        body = tag("tbody", "".join(_row("td", row, kinds) for row in self.cells))
        title = tag("p", tag("b", prose(self.title))) if self.title else ""
        notes = "".join(tag("p", prose(note), class_="note") for note in self.notes)
        return title + tag("table", head + body, **attributes) + notes

    def _repr_html_(self) -> str:
        """In notebooks; names stay as they are typed."""
        right = self._right(_is_number)
        style = ["text-align:right" if r else "text-align:left" for r in right]
        cells = [_styled("th", self.heads, style), *(_styled("td", row, style) for row in self.cells)]
        title = tag("b", escape(self.title)) if self.title else ""
        return title + tag("table", "".join(cells)) + "".join(tag("p", escape(note)) for note in self.notes)

    def save(self, path: str | Path) -> Path:
        """Writes headings and rows as CSV, numbers with all digits, and returns the path.

        >>> table.save("energy.csv")
        PosixPath('energy.csv')
        """
        return write_rows(path, [self.heads, *self.rows])

    def to_dict(self) -> dict[str, Any]:
        """For programs: columns and rows with numbers as they are.

        >>> table.to_dict()["rows"]
        [['spring', 0.25]]
        """
        parts = {"title": self.title, "columns": self.heads, "rows": self.rows, "notes": self.notes}
        return {name: plain(part) for name, part in parts.items()}

    def show(self, console: Console, colour: Callable[[str], str] = lambda cell: "") -> None:
        """Prints it: on a terminal with colours and within its width, else as plain text that is never cut.

        >>> from rich.console import Console
        >>> table.show(Console())
        """
        from rich.markup import escape

        if not console.is_terminal:
            console.print(self.text(), markup=False, highlight=False, soft_wrap=True)
            return
        if self.title:
            console.print(f"[bold]{escape(self.title)}[/]", highlight=False)
        console.print(self._terminal(colour))
        for note in self.notes:
            console.print(escape(note), highlight=False, soft_wrap=True, style="dim")

    def _terminal(self, colour: Callable[[str], str]) -> Any:
        """The table for rich; cells that are too wide are wrapped."""
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, show_edge=False, header_style="bold", pad_edge=False)
        for head, right in zip(self.heads, self.aligned_right, strict=True):
            table.add_column(Text(head), justify="right" if right else "left", overflow="fold")
        for row in self.cells:
            table.add_row(*(Text(cell, style=colour(cell)) for cell in row))
        return table

    def __str__(self) -> str:
        return self.text()


def format_cell(cell: Any, digits: int = 6) -> str:
    """One cell as text: floats with few digits.

    >>> format_cell(0.1 + 0.2)
    '0.3'
    """
    return f"{cell:.{digits}g}" if isinstance(cell, float) else str(cell)


def _is_number(cell: Any) -> bool:
    """Whether a cell is a number, or a text that is one."""
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return True


def _bars(cells: Sequence[str]) -> str:
    """A line of a Markdown table."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _row(kind: str, cells: Sequence[str], columns: Sequence[dict[str, str]]) -> str:
    return tag("tr", "".join(tag(kind, prose(cell), **column) for cell, column in zip(cells, columns, strict=True)))


def _styled(kind: str, cells: Sequence[str], style: Sequence[str]) -> str:
    return tag("tr", "".join(tag(kind, escape(cell), style=how) for cell, how in zip(cells, style, strict=True)))


def in_notebook(*parts: DataTable | str) -> str:
    """Texts and tables as a notebook shows them: what has a `_repr_html_` calls this.

    >>> in_notebook("stick-slip", table)
    """
    shown = (tag("p", escape(part)) if isinstance(part, str) else part._repr_html_() for part in parts if part)
    return tag("div", "".join(shown))
