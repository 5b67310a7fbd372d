"""Where commands print: the answer on stdout, warnings and progress on stderr, for a person, a pipe or a program.

A terminal gets colours and tables within its width; a pipe gets text in which nothing is cut or wrapped; with `--json`
the answer is one JSON document; with `--quiet` there is none. NO_COLOR is respected: there are no escape codes then.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from ..writing import FORMAT
from .data_table import DataTable
from .summary import plain


class Screen(Console):
    """What a command prints on.

    >>> with showing(Screen()) as screen:
    ...     screen.show(DataTable(["element", "J"], [["spring", 0.25]]))
    ...     screen.warn(["spring: no damping"])
    """

    def __init__(self) -> None:
        super().__init__(highlight=False, color_system=_color_system())
        self.soft_wrap = not self.is_terminal
        self.as_json = False
        self._answer: dict[str, Any] = {"tables": [], "warnings": [], "files": []}

    def read_by_program(self) -> None:
        """From now on the answer is collected for a JSON document instead of being printed."""
        self.quiet = self.as_json = True

    def show(self, *tables: DataTable, colour: Callable[[str], str] = lambda cell: "") -> None:
        """The tables that have rows, each with an empty line below."""
        for table in tables:
            if table.rows:
                self.collect(table)
                table.show(self, colour)
                self.print()

    def collect(self, *tables: DataTable) -> None:
        """Tables that programs get, and that readers have seen as text."""
        self._answer["tables"] += [table.to_dict() for table in tables]

    def warn(self, warnings: Iterable[str]) -> None:
        """One line per warning, on stderr."""
        errors = Console(stderr=True, highlight=False, color_system=_color_system(), soft_wrap=True)
        for warning in warnings:
            self._answer["warnings"].append(warning)
            errors.print(f"[yellow]warning:[/] {escape(warning)}")

    def wrote(self, folder: Path, files: Sequence[Path]) -> None:
        """Where files went."""
        self._answer["files"] += [str(path) for path in files]
        alone = len(files) == 1
        names = "" if alone else f": {', '.join(path.name for path in files)}"
        self.print(f"[green]written to {escape(str(files[0] if alone else folder))}[/]{escape(names)}", soft_wrap=True)

    def answer(self, **parts: Any) -> None:
        """Parts of the answer for programs beside the tables."""
        self._answer |= {name: plain(part) for name, part in parts.items()}

    def finish(self) -> None:
        """Prints the document, if a program reads it."""
        if self.as_json:
            self.file.write(json.dumps({"format": FORMAT, **self._answer}, allow_nan=False) + "\n")

    def progress(self) -> Console:
        """The console of bars and of what is going on: stderr; mute where nothing may move."""
        return Console(stderr=True, quiet=self.quiet or _color_system() is None)

    def on_broken_pipe(self) -> None:
        """The pipe is closed: the work continues silently."""
        self.quiet = True


SCREEN: ContextVar[Screen | None] = ContextVar("screen", default=None)


def screen() -> Screen:
    """The screen of the present command.

    >>> screen().show(table)
    """
    return SCREEN.get() or Screen()


@contextmanager
def showing(screen: Screen) -> Iterator[Screen]:
    """Makes it the screen of what is called within."""
    token = SCREEN.set(screen)
    try:
        yield screen
    finally:
        SCREEN.reset(token)


def _color_system() -> Any:
    """NO_COLOR, if it is set to anything, means no escape codes at all."""
    return None if os.environ.get("NO_COLOR") else "auto"
