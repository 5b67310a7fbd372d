"""stribeck realtime: a model at a fixed step against the wall clock."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..errors import SpecError
from ..results import TaskTimes
from ..results.table import format_cell
from ..results.task_times import in_us, in_words, is_time
from ..run import Stepper, realtime
from ..writing import make_folder
from .progress import ProgressBar
from .report import check_picture, new_table, print_files, print_tables, print_warnings
from .settings import model_with

OVERRUNS = "tasks began late because the computer had other things to do; a real-time priority helps: chrt -f 50 ..."
FULL = 0.9
"""Tasks that take this share of their time cannot make up for one that was late."""


def run_realtime(
    name: str, settings: Sequence[str], h: str, method: str, substeps: int, pace: bool, out: Path | None
) -> None:
    """Runs to the end time of the model and prints how long the tasks took; with a file also draws them.

    >>> run_realtime("stick-slip", [], "1 ms", "resolvent", 1, True, Path("tasks.png"))
    """
    if out is not None:
        check_picture(out)
    model = model_with(name, settings)
    stepper = realtime(model, h, method=method, substeps=substeps, energy=False)
    if model.simulation.t_end < 0.5 * stepper.task.h:
        run = f"{model.simulation.t_end:g} s has no task of h = {stepper.task.h:g} s"
        raise SpecError(f"realtime: a run of {run}; take a longer --t-end")
    with ProgressBar(model.name) as progress:
        times = stepper.measure(t_end=model.simulation.t_end, pace=pace, progress=progress, interruptible=True)
    if not times.seconds.size:
        raise SpecError("realtime: interrupted before the first task was done")
    console = Console()
    what = f"{stepper.time:g} s in tasks of {in_words(stepper.task.h)}, {method}"
    console.print(f"\n[bold]{escape(model.name)}[/]: {what}\n", highlight=False)
    print_tables(console, times_table(times), statistics_table(stepper))
    print_warnings(console, [*stepper.program.warnings, *late_warnings(times)])
    if out is not None:
        make_folder(out.parent)
        times.plot(out)
        print_files(console, out.parent, [out])


def late_warnings(times: TaskTimes) -> list[str]:
    """Why tasks were late, if some were.

    >>> late_warnings(times)
    []
    """
    load, late = times.to_dict()["load"], times.overruns - times.too_long
    if times.overruns and load > FULL:
        return [f"tasks take {100 * load:.3g} % of the time that there is for them: take a longer h or fewer substeps"]
    return [f"{late} {OVERRUNS}"] if late > 0 else []


def times_table(times: TaskTimes) -> Table:
    """Mean, percentiles and maximum of the task times, and overruns."""
    table = new_table("task time", "", right=[1])
    for key, value in times.to_dict().items():
        shown = in_us(value) if is_time(key) else f"{100 * value:.3g} %" if key == "load" else str(value)
        table.add_row(key, shown)
    return table


def statistics_table(stepper: Stepper) -> Table:
    """What the tasks have needed."""
    table = new_table("statistics", "", right=[1])
    for key, value in stepper.statistics.shown().items():
        if value == value:  # a time that was not measured
            table.add_row(key.replace("_", " "), format_cell(value))
    return table
