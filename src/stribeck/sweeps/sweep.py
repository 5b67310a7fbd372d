"""sweep: a design of points, computed chunk by chunk, kept in a store."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ..compile import Program, compile_model
from ..errors import SpecError
from ..run.batch import batch
from ..run.measures import Measure
from ..spec import Model, find_model
from ..units import to_si
from .cluster import on_cluster
from .design import Design, design_of
from .store import Store
from .study import Study

CHUNKS, FEWEST, MOST = 20, 64, 1000
"""A design has about so many chunks, within these numbers of points: enough for the lanes of all threads, and few
enough that a kill loses little."""

SETTINGS = ("t_end", "settle", "tolerance", "solver", "step", "max_step", "max_steps", "max_seconds")
"""Options of `batch` that belong to a sweep."""
TIMES = ("t_end", "settle", "step", "max_step", "max_seconds")
"""Those that are times."""


def sweep(
    model: Model | str | Path,
    values: Design | Mapping[str, Any],
    measures: Sequence[str],
    *,
    store: str | Path | None = None,
    jobs: int | None = None,
    part: tuple[int, int] = (1, 1),
    client: Any = None,
    chunk: int | None = None,
    progress: Callable[[float], None] | None = None,
    t_end: float | str | None = None,
    settle: float | str | None = None,
    tolerance: float | None = None,
    solver: str | None = None,
    step: float | str | None = None,
    max_step: float | str | None = None,
    max_steps: int | None = None,
    max_seconds: float | str | None = None,
) -> Study:
    """Runs a model at all points of a design: a grid of lists by the paths of parameters, or one of `sweeps.grid`,
    `listed`, `latin_hypercube`, `sobol` and `monte_carlo`. `measures` and the settings are those of `batch`.

    `store` is a folder for the results. Points that it has are not computed again, so a sweep that was stopped goes on,
    and a larger design adds to a smaller one. A store of another model, other settings or other measures is refused.
    Points that fail are rows with their message. `chunk` is how many points are computed and written together, by
    default a twentieth of the design, at least 64 and at most 1000. Several processes may work on a store at the same
    time: each takes any chunk that is missing.

    `part` = (3, 16) computes the third of sixteen equal shares, for arrays of jobs with one store; a chunk is at most
    a share. `client` is a client of Dask, whose workers compute the chunks. `progress` is called with the share that is
    done.

    >>> study = sweep("stick-slip", {"spring.c": [1, 2, 3], "pull.w": [0.1, 0.2]}, ["mass.w:max"])
    >>> study.to_xarray()["mass.w:max"].shape
    (3, 2)
    """
    machine = model if isinstance(model, Model) else Model.from_yaml(find_model(model))
    program = compile_model(machine)
    design = design_of(values).resolved(program.number_of)
    given = dict(zip(SETTINGS, (t_end, settle, tolerance, solver, step, max_step, max_steps, max_seconds), strict=True))
    settings = {name: _plain(name, value) for name, value in given.items() if value is not None}
    _check(part, chunk, measures)
    found = [Measure.of(program, text) for text in measures]
    work = Work(machine.to_yaml() if store is not None or client is not None else "", tuple(measures), settings)
    units = {path: program.parameters[path].unit for path in design.columns} | {m.text: m.unit for m in found}
    if store is None and client is None:
        return _in_memory(program, design, work, units, jobs, progress)
    about = {
        "model": work.model,
        "settings": settings,
        "measures": list(measures),
        "parameters": list(design.columns),
        "units": units,
    }
    if store is None:
        raise SpecError("sweep: with a client the results go to a store; give store='a folder'")
    size = min(max(design.points // CHUNKS, FEWEST), MOST) if chunk is None else chunk
    kept = Store.open(store, about, min(size, -(-design.points // part[1])) if part[1] > 1 else size)
    kept.extend(design.table)
    todo = kept.missing(part)
    if client is not None:
        on_cluster(client, kept, todo, work, progress)
    else:
        random.Random().shuffle(todo)  # processes that share the store seldom take the same chunk
        for i, piece in enumerate(todo):
            if not kept.has(piece):
                within = _within(progress, i, len(todo))
                kept.put(piece, *work.run(program, kept.parameters, piece.points, jobs, within))
    if progress is not None:
        progress(1.0)
    return Study.read(kept, design)


def _plain(name: str, value: Any) -> Any:
    """A setting as the store keeps it: times in s, so that "2 s" and 2 are the same sweep."""
    if name in TIMES:
        return to_si(value, "s", "sweep", name)
    return value.item() if isinstance(value, np.generic) else value


def _check(part: tuple[int, int], chunk: int | None, measures: Sequence[str]) -> None:
    if isinstance(measures, str) or not measures:
        raise SpecError(f"sweep: measures = {measures!r}; give a list such as ['mass.w:max']")
    if len(set(measures)) < len(measures):
        raise SpecError(f"sweep: a measure is asked for twice: {', '.join(measures)}")
    if chunk is not None and not (isinstance(chunk, int) and chunk > 0):
        raise SpecError(f"sweep: chunk = {chunk!r} must be a whole number above 0")
    number, parts = part
    if not 1 <= number <= parts:
        raise SpecError(f"sweep: part {number}/{parts} does not exist; parts are numbered from 1 to {parts}")


def _within(progress: Callable[[float], None] | None, i: int, n: int) -> Callable[[float], None] | None:
    return None if progress is None else lambda share: progress((i + share) / n)


class Work:
    """What is done at every point; it travels to workers on other machines as texts and numbers."""

    def __init__(self, model: str, measures: tuple[str, ...], settings: dict[str, Any]) -> None:
        self.model, self.measures, self.settings = model, measures, settings

    def run(
        self,
        program: Program | None,
        parameters: Sequence[str],
        points: np.ndarray,
        jobs: int | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> tuple[dict[str, np.ndarray], dict[int, str]]:
        """Measures and failures of some points; without a program, of the model that came along."""
        columns = dict(zip(parameters, np.ascontiguousarray(points.T), strict=True))
        found = batch(
            program if program is not None else _compiled(self.model),
            columns,
            measures=self.measures,
            jobs=jobs,
            progress=progress,
            **self.settings,
        )
        return found.measures, found.failures


@lru_cache(maxsize=4)
def _compiled(model: str) -> Program:
    """The program of a model, compiled once per worker."""
    return compile_model(Model.from_yaml(model))


def _in_memory(
    program: Program,
    design: Design,
    work: Work,
    units: dict[str, str],
    jobs: int | None,
    progress: Callable[[float], None] | None,
) -> Study:
    measures, failures = work.run(program, list(design.columns), design.table, jobs, progress)
    messages = [failures.get(i, "") for i in range(design.points)]
    return Study(program.name, design, measures, messages, units)
