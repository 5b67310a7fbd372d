"""stribeck compare: the same machine under several laws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape

from ..analysis import Comparison, compare
from ..errors import SpecError
from ..writing import writable_folder
from .report import print_files, print_tables
from .settings import named_model, pairs


def compare_laws(
    name: str, laws: str, settings: Sequence[str], elements: Sequence[str], out: Path | None, ending: str
) -> None:
    """Runs a model under several laws, prints a table and writes a folder; exit code 1 if a law failed.

    >>> compare_laws("stick-slip", "lugre,switch", [], [], Path("out"), "csv")
    """
    names = [law.strip() for law in laws.split(",") if law.strip()]
    if not names:
        raise SpecError(f"--laws '{laws}': name the laws, for instance --laws lugre,switch")
    if out is not None:
        writable_folder(out)  # what cannot be written is better known before the runs
    comparison = compare(named_model(name), names, elements=elements or None, values=dict(pairs(settings)))
    console = Console()
    _print(console, comparison)
    if out is not None:
        print_files(console, out, comparison.save(out, ending))
    if comparison.errors:
        raise typer.Exit(1)


def _print(console: Console, comparison: Comparison) -> None:
    where = ", ".join(comparison.elements)
    console.print(f"\n[bold]{escape(comparison.machine.name)}[/]: laws in {escape(where)}\n", highlight=False)
    table = comparison.table()
    print_tables(console, replace(table, right=range(1, len(table.heads))))
    for law, error in comparison.errors.items():
        console.print(f"[red]{law}:[/] {escape(error)}", highlight=False, soft_wrap=True)
