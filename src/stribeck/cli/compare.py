"""stribeck compare: the same machine under several laws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import typer
from rich.markup import escape

from ..analysis import Comparison, compare
from ..errors import SpecError
from ..results.screen import Screen, screen
from .settings import named_model, pairs
from .targets import check_folder


def compare_laws(
    name: str, laws: str, settings: Sequence[str], elements: Sequence[str], out: Path | None, ending: str
) -> None:
    """Runs a model under several laws, prints a table and writes a folder; exit code 1 if a law failed.

    >>> compare_laws("stick-slip", "lugre,switch", [], [], Path("out"), "csv")
    """
    names = [law.strip() for law in laws.split(",") if law.strip()]
    if not names:
        raise SpecError(f"--laws '{laws}': name the laws, for instance --laws lugre,switch")
    check_folder(out, ending)
    comparison = compare(named_model(name), names, elements=elements or None, values=dict(pairs(settings)))
    console = screen()
    _print(console, comparison)
    if out is not None:
        console.wrote(out, comparison.save(out, ending))
    if comparison.errors:
        raise typer.Exit(1)


def _print(console: Screen, comparison: Comparison) -> None:
    where = ", ".join(comparison.elements)
    console.print(f"\n[bold]{escape(comparison.machine.name)}[/]: laws in {escape(where)}\n", highlight=False)
    table = comparison.table()
    console.show(replace(table, right=range(1, len(table.heads))))
    for law, error in comparison.errors.items():
        console.print(f"[red]{law}:[/] {escape(error)}", highlight=False, soft_wrap=True)
