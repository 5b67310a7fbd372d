"""batch: many points of one structure in one call, in threads, without Python in between."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ..compile import Program
from ..compile.program_set import PointValues
from ..compile.requests import requested
from ..declare import Count
from ..errors import SpecError
from ..kernel import batch as run_batch
from ..kernel import instructions
from ..kinds import Kind
from ..results import Batch
from ..spec import Model
from ..units import to_si
from .adaptive import METHODS, settings_of
from .inputs import InputCourses
from .measures import Measure
from .options import T_START, Options
from .outcome import failure_of
from .simulate import program_of
from .solvers import get_solver
from .task import Task

CHUNK = 4096
"""Points whose values are in memory at once."""


def batch(
    model: Model | Program | str | Path,
    values: Mapping[str, Any],
    *,
    measures: Sequence[str] = (),
    outputs: str | Sequence[str] | None = None,
    t_end: float | str | None = None,
    intervals: int | None = None,
    times: Sequence[float] | np.ndarray | None = None,
    settle: float | str = 0.0,
    tolerance: float | None = None,
    solver: str | None = None,
    step: float | str | None = None,
    inputs: Mapping[str, Any] | None = None,
    max_step: float | str | None = None,
    max_steps: int | None = None,
    max_seconds: float | str | None = None,
    jobs: int | None = None,
    lanes: bool | str = True,
    progress: Callable[[float], None] | None = None,
) -> Batch:
    """Runs a model at many points at once: `values` has a sequence for each parameter that varies, one value per point,
    by its path; single values are the same at all points.

    `measures` are numbers that are found without storing anything: of an output `last`, `min`, `max`, `mean`, `rms`,
    `range`, `peak` (largest magnitude), `crossing(level)`, `crossings(level)` and `period(level)` (first time, number
    and mean distance of its crossings; a direction may follow: rising, falling or both); of a contact that sticks
    `slips`, `sticks` (numbers), `slip`, `stick` (first times) and `period` of its slips; of an element `dissipated`
    (J). `settle` (s) is when measuring begins. `outputs` keeps traces on the grid, which needs memory: points x outputs
    x times.

    `step` (s) takes fixed steps instead of the adaptive solver. With it `inputs` are the values of `External` signals,
    the same at all points: arrays with one value per step, or single values. `jobs` is the number of threads, by
    default one for each processor; each of them runs several points in the lanes of its vector instructions. `lanes` is
    False for one by one, or the name of a set of instructions (`stribeck.kernel.instructions()`). Results do not depend
    on either, nor on the other points. A point that is refused or fails has its message in `failures` and NaN in the
    results; the others go on. `max_steps` and `max_seconds` bound each point. `progress` is called with the share that
    is done.

    >>> import numpy as np
    >>> result = batch("stick-slip", {"spring.c": np.linspace(1, 4, 50)}, measures=["friction.tau:max"])
    >>> result["friction.tau:max"].shape
    (50,)
    """
    program = program_of(model)
    found = [Measure.of(program, text) for text in measures]
    if not found and outputs is None:
        raise SpecError("batch: there is nothing to find; give measures such as ['mass.w:max'], or outputs")
    kept = () if outputs is None else requested(program, outputs).output_names
    shown = requested(program, list(dict.fromkeys([*kept, *(m.output for m in found if m.output)])))
    started = perf_counter()
    options = Options.of(
        shown,
        t_end,
        intervals,
        times,
        tolerance,
        max_step=max_step,
        max_steps=max_steps,
        max_seconds=max_seconds,
        energy=any(m.of_loss for m in found),
        extremes=any(m.within for m in found),
    )
    settled = _settled(settle, options.t_end)
    plan = _Plan(shown, found, options, settled, solver, step, inputs or {}, bool(kept), jobs_of(jobs), lanes_of(lanes))
    points = PointValues.of(shown, values)
    runs = _Runs(plan, points, progress)
    runs.all()
    columns = [shown.output_names.index(name) for name in kept]
    return Batch(
        name=program.name,
        parameters=points.columns,
        parameter_units={path: program.parameters[path].unit for path in points.columns},
        measures=plan.combined(runs.results),
        units={m.text: m.unit for m in found},
        time=options.grid if kept else np.empty(0),
        names=kept,
        output_units=tuple(shown.output_units[i] for i in columns),
        traces=_picked(runs.traces, columns) if kept else None,
        failures=dict(sorted(runs.failures.items())),
        refused=frozenset(runs.refused),
        steps=runs.steps,
        seconds=perf_counter() - started,
    )


def _picked(traces: np.ndarray, columns: Sequence[int]) -> np.ndarray:
    """Traces of some outputs; of the first ones without a copy, since they may fill the memory."""
    first = list(columns) == list(range(len(columns)))
    return traces[:, : len(columns)] if first else traces[:, columns]


def jobs_of(jobs: Any) -> int:
    """Number of threads."""
    if jobs is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(Count(None, "1", "threads", min=1).to_si(jobs, {}, "batch", "jobs"))


def lanes_of(lanes: Any) -> str:
    """The set of instructions; nothing: one by one.

    >>> lanes_of(False)
    ''
    """
    there = instructions()
    if lanes in (True, False):
        return there[0] if lanes and there else ""
    if lanes not in there:
        raise SpecError(
            f"batch: lanes = {lanes!r} is not on this processor; take {', '.join(map(repr, there))}, or False"
        )
    return str(lanes)


def _settled(settle: Any, t_end: float) -> float:
    """When measuring begins (s)."""
    seconds = to_si(settle, "s", "batch", "settle")
    if not 0 <= seconds < t_end:
        raise SpecError(f"batch: settle = {settle} must not be negative, and before the end at {t_end:g} s")
    return seconds


class _Plan:
    """What all points share."""

    def __init__(
        self,
        program: Program,
        found: Sequence[Measure],
        options: Options,
        settle: float,
        solver: str | None,
        step: Any,
        inputs: Mapping[str, Any],
        traced: bool,
        jobs: int,
        lanes: str,
    ) -> None:
        name = solver or program.simulation.solver
        get_solver(name)
        if name not in METHODS:
            raise SpecError(f"batch: solver = {name!r} runs in Python; take one of {', '.join(METHODS)}")
        self.program, self.found, self.settle, self.traced, self.jobs = program, found, settle, traced, jobs
        self.lanes = lanes
        self.settings = settings_of(options, name)
        needs_grid = traced or Kind.JERK in program.output_kinds  # a jerk is known on the grid alone
        self.grid = options.grid if needs_grid else np.empty(0)
        self.task = None if step is None else _task(step, options, self.grid)
        self.courses = _courses(program, inputs, options.t_end, self.task)
        rows = [measure.raw(program) for measure in found]
        self.raw = [tuple(row) for part in rows for row in part]
        ends = np.cumsum([len(part) for part in rows])
        self.places = [slice(end - len(part), end) for end, part in zip(ends, rows, strict=True)]

    def combined(self, results: np.ndarray) -> dict[str, np.ndarray]:
        """Measures from the numbers of the kernel."""
        columns = zip(self.found, self.places, strict=True)
        return {measure.text: measure.combine(results[:, place]) for measure, place in columns}


def _task(step: Any, options: Options, grid: np.ndarray) -> dict[str, Any]:
    """Fixed steps; the times of a batch are those of whole steps."""
    task = Task.of(step, energy=options.energy)
    tasks = np.array([*grid, options.t_end]) / task.h
    if np.abs(tasks - np.round(tasks)).max() > 1e-6:
        times, change = (
            (" and the times of the outputs", ", t_end, intervals or times") if grid.size else ("", " or t_end")
        )
        raise SpecError(f"batch: step = {step}: the end{times} must be whole steps; choose another step{change}")
    return task.settings


def _courses(
    program: Program, inputs: Mapping[str, Any], t_end: float, task: dict[str, Any] | None
) -> tuple[list[int], list[np.ndarray]]:
    """Nodes and values of the inputs from outside at all steps."""
    if task is None:
        if inputs:
            raise SpecError(
                f"batch: inputs = {{{next(iter(inputs))!r}: ...}} need fixed steps; give a step, or make the input a "
                "Table of the model"
            )
        return [], []
    return InputCourses(program.inputs).courses(inputs, round((t_end - T_START) / task["h"]))


class _Runs:
    """The runs of all points, a chunk after the other."""

    def __init__(self, plan: _Plan, points: PointValues, progress: Callable[[float], None] | None) -> None:
        n, shown = len(points), plan.program
        self.plan, self.points, self.progress = plan, points, progress
        self.results = np.full((n, len(plan.raw)), np.nan)
        size = (n if plan.traced else 0, len(shown.output_names), plan.grid.size)
        self.traces = np.empty(size)
        self.failures: dict[int, str] = {}
        self.refused: list[int] = []
        self.steps = 0

    def all(self) -> None:
        """All points."""
        for first in range(0, len(self.points), CHUNK):
            self._chunk(first, min(first + CHUNK, len(self.points)))
        if self.progress is not None:
            self.progress(1.0)

    def _chunk(self, first: int, end: int) -> None:
        plan, chunk = self.plan, self.points.chunk(first, end)
        self.failures |= {first + i: str(error) for i, error in chunk.refused.items()}
        self.refused += [first + i for i in chunk.refused]
        number = chunk.valid
        self.traces[[first + i for i in chunk.refused] if plan.traced else []] = np.nan
        if not number.size:
            return
        traces = self.traces[first:end]
        if plan.traced and number.size < end - first:
            traces = np.empty((number.size, *traces.shape[1:]))
        show, total = self.progress, len(self.points)
        raw = run_batch(
            plan.program.kernel,
            chunk.values if number.size == len(chunk.values) else np.ascontiguousarray(chunk.values[number]),
            T_START,
            plan.settle,
            plan.grid,
            traces,
            plan.raw,
            plan.settings,
            plan.task,
            *plan.courses,
            plan.jobs,
            plan.lanes,
            None if show is None else lambda done: show((first + done) / total),
        )
        if raw["raised"] is not None:
            raise raw["raised"]
        self.results[first + number] = raw["results"]
        if plan.traced and number.size < end - first:
            self.traces[first + number] = traces
        self.steps += raw["steps"]
        for i, status, time, culprit, state in raw["failed"]:
            failure = failure_of(plan.program, status, culprit, time, state)
            where = f" at {failure.element}" if failure.element else ""
            self.failures[first + int(number[i])] = f"the run stopped at t = {time:.10g} s{where}: {failure.text}"
