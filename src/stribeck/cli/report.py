"""What a run prints: tables for a person at a terminal."""

from __future__ import annotations

from itertools import zip_longest

from rich.markup import escape

from ..results import Energy, Result
from ..results.data_table import DataTable, format_cell
from ..results.screen import Screen

MOST_EVENTS = 20  # rows of the events table; all are in events.csv


def print_result(console: Screen, result: Result) -> None:
    """Model, statistics, energy, extremes, events and warnings."""
    span = f"{result.time[0]:g} to {result.time[-1]:g} s in {result.time.size - 1} intervals"
    how = f"solver {result.meta.solver}"
    how += f", tolerance {result.meta.tolerance:g}" if result.meta.tolerance else ""
    console.print(f"\n[bold]{escape(result.name)}[/]: {span}, {escape(how)}\n", highlight=False)
    if result.meta.stopped:
        console.print(
            f"[yellow]partial:[/] the run ended {escape(result.meta.stopped)}\n", highlight=False, soft_wrap=True
        )
    console.answer(summary=result.summary(), events=[list(event) for event in result.events])
    tables = statistics_table(result), energy_table(result), extremes_table(result), events_table(result)
    console.show(*tables)
    console.warn(result.warnings)


def statistics_table(result: Result) -> DataTable:
    """The cost of the run, in two columns."""
    cells = [(name.replace("_", " "), format_cell(value, 4)) for name, value in result.statistics.shown().items()]
    half = (len(cells) + 1) // 2
    rows = [(*left, *right) for left, right in zip_longest(cells[:half], cells[half:], fillvalue=("", ""))]
    return DataTable(["statistics", "", "", ""], rows, right=[1, 3])


def energy_table(result: Result) -> DataTable:
    """The ledger, with shares of the throughput."""
    heads = ["energy", "element", "J", "share"]
    if result.energy == Energy():
        return DataTable(heads, [])
    rows = [(row.term, row.element, row.joule, f"{100 * row.share:.3g} %") for row in result.energy.balance()]
    return DataTable(heads, [*rows, ("throughput", "", result.energy.throughput, "")], right=[2, 3])


def extremes_table(result: Result) -> DataTable:
    """Smallest and largest values, and when they occurred."""
    units = dict(zip(result.names, result.meta.units, strict=True))
    found = {name: values for name, values in result.extremes.items() if not result.meta.is_mode(name)}
    rows = [(name, units[name], *values.values()) for name, values in found.items()]
    return DataTable(["output", "unit", "min", "at / s", "max", "at / s"], rows, right=range(2, 6))


def events_table(result: Result) -> DataTable:
    """The mode changes, or the first of them."""
    rows = [(f"{event.time:.9f}", *event[1:]) for event in result.events[:MOST_EVENTS]]
    more = len(result.events) - MOST_EVENTS
    notes = [f"and {more} more mode changes"] if more > 0 else []
    return DataTable(["time / s", "element", "from", "to"], rows, right=[0], notes=notes)
