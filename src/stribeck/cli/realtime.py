"""stribeck realtime: a model at a fixed step against the wall clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape

from ..errors import FileError, SpecError
from ..results import Result, TaskTimes
from ..results.data_table import DataTable
from ..results.files import FORMATS
from ..results.task_times import in_us, in_words, is_time
from ..run import Stepper, realtime
from ..tables import read_columns
from ..writing import make_folder
from .progress import ProgressBar
from .report import check_picture, print_files, print_tables, print_warnings
from .settings import model_with

OVERRUNS = "tasks began late because the computer had other things to do; --priority helps, where it is permitted"
START = 1e-6
"""Share of a task after its start up to which a row of an input file still counts for it: rounding of its time."""
FULL = 0.9
"""Tasks that take this share of their time cannot make up for one that was late."""


INTERRUPTED = 130
"""Exit code after Ctrl-C."""


@dataclass(frozen=True)
class RealtimeRun:
    """How a model is run against the wall clock.

    >>> RealtimeRun(h="1 ms", inputs=Path("throttle.csv"), record=Path("traces.csv"))
    """

    h: str
    method: str = "resolvent"
    substeps: int = 1
    pace: bool = True
    priority: bool = False
    error_bound: float | None = None
    inputs: Path | None = None
    """File with a column `time` and one for each input."""
    record: Path | None = None
    """File for the traces."""
    out: Path | None = None
    """Picture of the task times."""


def run_realtime(name: str, settings: Sequence[str], bench: RealtimeRun) -> None:
    """Runs to the end time of the model and prints how long the tasks took; saves what was asked for.

    >>> run_realtime("stick-slip", [], RealtimeRun(h="1 ms", out=Path("tasks.png")))
    """
    if bench.out is not None:
        check_picture(bench.out)
    if bench.record is not None and bench.record.suffix.lower() not in FORMATS:
        raise SpecError(f"--record {bench.record}: the ending must be one of {', '.join(FORMATS)}")
    model = model_with(name, settings)
    options: dict[str, Any] = {"method": bench.method, "substeps": bench.substeps, "error_bound": bench.error_bound}
    stepper = realtime(model, bench.h, energy=bench.record is not None, **options)
    tasks = round(model.simulation.t_end / stepper.task.h)
    if tasks < 1:
        run = f"{model.simulation.t_end:g} s has no task of h = {stepper.task.h:g} s"
        raise SpecError(f"realtime: a run of {run}; take a longer --t-end")
    inputs = read_inputs(bench.inputs, stepper, tasks) if bench.inputs else {}
    with ProgressBar(model.name) as progress:
        kept: list[str] | None = None if bench.record else []
        result, times = stepper.record(
            n=tasks,
            pace=bench.pace,
            inputs=inputs,
            outputs=kept,
            progress=progress,
            interruptible=True,
            priority=bench.priority,
        )
    if not times.seconds.size:
        raise SpecError("realtime: interrupted before the first task was done")
    console = Console()
    what = f"{stepper.time:g} s in tasks of {in_words(stepper.task.h)}, {bench.method}"
    console.print(f"\n[bold]{escape(model.name)}[/]: {what}\n", highlight=False)
    print_tables(console, times_table(times), statistics_table(stepper))
    print_warnings(console, [*result.warnings, *late_warnings(times)])
    save(console, bench, result, times)
    if times.seconds.size < tasks:
        raise typer.Exit(INTERRUPTED)


def save(console: Console, bench: RealtimeRun, result: Result, times: TaskTimes) -> None:
    """The traces and the picture that were asked for."""
    if bench.record is not None:
        make_folder(bench.record.parent)
        result.save(bench.record)
        print_files(console, bench.record.parent, [bench.record])
    if bench.out is not None:
        make_folder(bench.out.parent)
        times.plot(bench.out)
        print_files(console, bench.out.parent, [bench.out])


def read_inputs(path: Path, stepper: Stepper, tasks: int) -> dict[str, np.ndarray]:
    """Inputs of every task from a file with a column `time` (s, increasing) and one for each input.

    A row holds from its time on until the next one, the first one also before.

    >>> read_inputs(Path("throttle.csv"), stepper, 4000)["throttle"]
    """
    file = read_columns(path, "realtime: inputs", "check the path")
    names = [name for name in file.names if name != "time"]
    unknown = [name for name in names if name not in set(stepper.inputs)]
    if "time" not in file.names or not names or unknown:
        found = (
            f"the column '{unknown[0]}' is no input" if unknown else "it needs a column 'time' and one for each input"
        )
        known = ", ".join(stepper.inputs) or "none; make one by External(): Torque(mass, tau=External(0))"
        raise FileError(f"{path}: {found}; inputs of {stepper.program.name} are {known}")
    starts = file.numbers("time")
    late = np.flatnonzero(np.diff(starts) <= 0)
    if late.size:
        row, time = file.row(int(late[0]) + 1), starts[late[0] + 1]
        raise FileError(f"{path}, {row}: time {time:g} s does not increase; sort the rows")
    h = stepper.task.h
    rows = np.searchsorted(starts, h * (np.arange(tasks) + START)) - 1
    return {name: file.numbers(name)[rows.clip(0)] for name in names}


def late_warnings(times: TaskTimes) -> list[str]:
    """Why tasks were late, if some were.

    >>> late_warnings(times)
    []
    """
    load, late = times.to_dict()["load"], times.overruns - times.too_long
    if times.overruns and load > FULL:
        return [f"tasks take {100 * load:.3g} % of the time that there is for them: take a longer h or fewer substeps"]
    return [f"{late} {OVERRUNS}"] if late > 0 else []


def times_table(times: TaskTimes) -> DataTable:
    """Mean, percentiles and maximum of the task times, and overruns."""
    rows = [
        (key, in_us(value) if is_time(key) else f"{100 * value:.3g} %" if key == "load" else value)
        for key, value in times.to_dict().items()
    ]
    return DataTable(["task time", ""], rows, right=[1])


def statistics_table(stepper: Stepper) -> DataTable:
    """What the tasks have needed."""
    shown = stepper.statistics.table()
    return replace(shown, rows=[row for row in shown.rows if row[1] == row[1]])  # without times that were not measured
