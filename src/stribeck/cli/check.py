"""stribeck check: is this model well, what does it consist of, and what does it need to run at a fixed step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from ..analysis import check_realtime
from ..compile import compile_model
from ..writing import make_folder
from .report import check_picture, new_table, print_files, print_tables, print_warnings
from .settings import model_with


def check_model(name: str, settings: Sequence[str], step: str | None = None) -> None:
    """Prints the elements and states of a model and its warnings; an error ends the command.

    >>> check_model("stick-slip", [])
    """
    console = Console()
    model = model_with(name, settings)
    warnings = model.check(step)
    program = compile_model(model)

    elements = new_table("element", "type", "values")
    for element_name, element in model.elements.items():
        kind, _, values = repr(element).removesuffix(")").partition("(")
        elements.add_row(escape(element_name), kind, escape(values))
    states = new_table("state", "unit")
    for state, unit in zip(program.state_names, program.state_units, strict=True):
        states.add_row(escape(state), escape(unit))

    console.print()
    print_tables(console, elements, states)
    print_warnings(console, warnings)
    console.print(
        f"[green]{escape(model.name)} is fine[/]: {len(model.elements)} elements, {len(program.state_names)} states"
    )


WIDE = 160
"""Columns for tables whose numbers must not be cut, however narrow the terminal is."""
COLOURS = {"adequate": "green", "noisy": "yellow", "inaccurate": "yellow", "divergent": "red"}


def check_step(
    name: str, settings: Sequence[str], step: str, t_end: str | None = None, out: Path | None = None
) -> None:
    """Prints what a model needs to run at a fixed step; with a file also draws how each method fares.

    >>> check_step("stick-slip", [], "1 ms", out=Path("verdicts.png"))
    """
    if out is not None:
        check_picture(out)
    console = Console()
    wide = Console(width=max(console.width, WIDE))
    with console.status("the adaptive run") as status:
        shown = partial(_show, status)
        report = check_realtime(model_with(name, settings), step, t_end=t_end, progress=shown)
    console.print()
    for line in report.lines():
        console.print(escape(line), highlight=False, soft_wrap=True)
    console.print()
    for found in report.tables():
        table = new_table(*found.head)
        table.columns[0].no_wrap = True
        for row in found.rows:
            table.add_row(*(_coloured(cell) for cell in row))
        console.print(f"[bold]{found.title}[/]")
        wide.print(table)
        for note in found.notes:
            console.print(escape(note), highlight=False, soft_wrap=True, style="dim")
        console.print()
    print_warnings(console, report.warnings)
    if out is not None:
        make_folder(out.parent)
        report.plot(out)
        print_files(console, out.parent, [out])


def _show(status: Status, method: str) -> None:
    status.update(f"the run with {method}")


def _coloured(cell: str) -> str:
    """Verdicts in their colours, and red what is marked."""
    colour = COLOURS.get(cell, "red" if cell.endswith("!") else "")
    return f"[{colour}]{escape(cell)}[/]" if colour else escape(cell)
