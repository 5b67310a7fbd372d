"""What a run prints: tables for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..errors import SpecError
from ..results import Energy, Result
from ..results.table import format_cell

PICTURES = (".png", ".svg", ".pdf")
MOST_EVENTS = 20  # rows of the events table; all are in events.csv


def print_result(console: Console, result: Result) -> None:
    """Model, statistics, energy, extremes, events and warnings."""
    span = f"{result.time[0]:g} to {result.time[-1]:g} s in {result.time.size - 1} intervals"
    how = f"solver {result.meta.solver}"
    how += f", tolerance {result.meta.tolerance:g}" if result.meta.tolerance else ""
    console.print(f"\n[bold]{escape(result.name)}[/]: {span}, {escape(how)}\n", highlight=False)
    if result.meta.stopped:
        console.print(
            f"[yellow]partial:[/] the run ended {escape(result.meta.stopped)}\n", highlight=False, soft_wrap=True
        )
    tables = statistics_table(result), energy_table(result), extremes_table(result), events_table(result)
    print_tables(console, *tables)
    print_warnings(console, result.warnings)


def print_tables(console: Console, *tables: Table) -> None:
    """The tables that have rows, each with an empty line below."""
    for table in tables:
        if table.row_count:
            console.print(table)
            console.print()


def print_warnings(console: Console, warnings: Iterable[str]) -> None:
    """One line per warning."""
    for warning in warnings:
        console.print(f"[yellow]warning:[/] {escape(warning)}", highlight=False, soft_wrap=True)


def check_picture(path: Path) -> None:
    """Refuses a file that is no picture, before anything is run for it.

    >>> check_picture(Path("tasks.png"))
    """
    if path.suffix not in PICTURES:
        raise SpecError(f"--out {path}: the ending must be one of {', '.join(PICTURES)}")


def print_files(console: Console, folder: Path, files: Sequence[Path]) -> None:
    """Where the files went."""
    names = ", ".join(path.name for path in files)
    console.print(f"[green]written to {escape(str(folder))}:[/] {escape(names)}", highlight=False, soft_wrap=True)


def statistics_table(result: Result) -> Table:
    """The cost of the run, in two columns."""
    table = new_table("statistics", "", "", "", right=[1, 3])
    cells = [(name.replace("_", " "), format_cell(value, 4)) for name, value in result.statistics.shown().items()]
    half = (len(cells) + 1) // 2
    for left, right in zip_longest(cells[:half], cells[half:], fillvalue=("", "")):
        table.add_row(*left, *right)
    return table


def energy_table(result: Result) -> Table:
    """The ledger, with shares of the throughput."""
    table = new_table("energy", "element", "J", "share", right=[2, 3])
    if result.energy == Energy():
        return table
    for row in result.energy.balance():
        table.add_row(row.term, escape(row.element), format_cell(row.joule), f"{100 * row.share:.3g} %")
    table.add_section()
    table.add_row("throughput", "", format_cell(result.energy.throughput), "")
    return table


def extremes_table(result: Result) -> Table:
    """Smallest and largest values, and when they occurred."""
    table = new_table("output", "unit", "min", "at / s", "max", "at / s", right=[2, 3, 4, 5])
    units = dict(zip(result.names, result.meta.units, strict=True))
    for name, values in result.extremes.items():
        if not result.meta.is_mode(name):
            table.add_row(escape(name), escape(units[name]), *(format_cell(value) for value in values.values()))
    return table


def events_table(result: Result) -> Table:
    """The mode changes, or the first of them."""
    table = new_table("time / s", "element", "from", "to", right=[0])
    for event in result.events[:MOST_EVENTS]:
        table.add_row(f"{event.time:.9f}", escape(event.element), event.from_, event.to)
    if len(result.events) > MOST_EVENTS:
        table.caption = f"and {len(result.events) - MOST_EVENTS} more mode changes"
    return table


def new_table(*heads: str, right: Sequence[int] = ()) -> Table:
    """An empty table in the style of the project; the columns `right` hold numbers.

    >>> new_table("element", "J", right=[1])
    """
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, header_style="bold", pad_edge=False)
    for column, head in enumerate(heads):
        table.add_column(head, justify="right" if column in right else "left")
    return table


def filled_table(heads: Sequence[str], rows: Iterable[Sequence[object]], right: Sequence[int] = ()) -> Table:
    """A table with these rows; texts are shown as they are.

    >>> filled_table(["element", "J"], [["load", 1.2]], right=[1])
    """
    table = new_table(*heads, right=right)
    for row in rows:
        table.add_row(*(escape(str(cell)) for cell in row))
    return table
