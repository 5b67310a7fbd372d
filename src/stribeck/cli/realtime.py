"""stribeck realtime: a model at a fixed step against the wall clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.markup import escape

from ..errors import FileError, SpecError
from ..results import Result, TaskTimes
from ..results.data_table import DataTable
from ..results.screen import Screen, screen
from ..results.task_times import in_us, in_words, is_time
from ..run import Stepper, realtime
from ..tables import read_columns
from .progress import ProgressBar
from .settings import model_with
from .targets import check_picture, check_result

OVERRUNS = "tasks began late because the computer had other things to do; --priority helps, where it is permitted"
START = 1e-6
"""Share of a task after its start up to which a row of an input file still counts for it: rounding of its time."""
FULL = 0.9
"""Tasks that take this share of their time cannot make up for one that was late."""


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

    >>> run_realtime("stick-slip", ["simulation.t_end=1 s"], RealtimeRun(h="1 ms", out=Path("tasks.png")))
    """
    check_picture(bench.out)
    check_result(bench.record)
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
        raise KeyboardInterrupt  # before the first task was done
    console = screen()
    what = f"{stepper.time:g} s in tasks of {in_words(stepper.task.h)}, {bench.method}"
    console.print(f"\n[bold]{escape(model.name)}[/]: {what}\n", highlight=False)
    console.show(times_table(times), statistics_table(stepper))
    console.warn([*result.warnings, *late_warnings(times)])
    save(console, bench, result, times)
    if times.seconds.size < tasks:
        raise KeyboardInterrupt


def save(console: Screen, bench: RealtimeRun, result: Result, times: TaskTimes) -> None:
    """The traces and the picture that were asked for."""
    if bench.record is not None:
        result.save(bench.record)
        console.wrote(bench.record.parent, [bench.record])
    if bench.out is not None:
        times.plot(bench.out)
        console.wrote(bench.out.parent, [bench.out])


def read_inputs(path: Path, stepper: Stepper, tasks: int) -> dict[str, np.ndarray]:
    """Inputs of every task from a file with a column `time` (s, increasing) and one for each input.

    A row holds from its time on until the next one, the first one also before.

    >>> read_inputs(Path("throttle.csv"), stepper, 4000)["motor.f"][-1]
    2.0
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
