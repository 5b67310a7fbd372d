"""simulate: from a model to a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

import numpy as np

from ..compile import Program, compile_model
from ..compile.requests import requested
from ..errors import SimulationError
from ..results import End, Result
from ..spec import Model, find_model
from .options import T_START, Options
from .outcome import not_finite_at_start, to_result
from .solvers import get_solver
from .start import check_start


def simulate(
    model: Model | Program | str | Path,
    t_end: float | str | None = None,
    *,
    intervals: int | None = None,
    times: Sequence[float] | np.ndarray | None = None,
    outputs: str | Sequence[str] | None = None,
    tolerance: float | None = None,
    solver: str | None = None,
    max_step: float | str | None = None,
    first_step: float | str | None = None,
    energy: bool = True,
    extremes: bool = True,
    max_steps: int | None = None,
    max_seconds: float | str | None = None,
    progress: Callable[[float], None] | None = None,
    start: End | Result | None = None,
) -> Result:
    """Simulates a model, or a program compiled before, from time 0 to `t_end` (s, or text such as "500 ms"). A text or
    a path is the name of a shipped model or a model file.

    With `start`, another result or its `end`, it goes on from there, also with other values of the parameters. Time
    goes on, too, since signals are functions of it: `t_end` and `times` count from time 0 of that run; without them
    the run lasts as long as the model says. `start=result.end.at(0)` sets the clock back, to repeat a manoeuvre from
    where the machine is. Pieces of a run equal the run in one go to the last bit if they are cut where the solver steps
    to: where `max_steps` stops it, or a signal of time breaks; elsewhere to the tolerance.

    Results come at `intervals` equal steps or at the `times` given, the last of which ends the run unless `t_end` is
    later. `outputs` chooses what is recorded, by names or patterns: "*" is what is recorded unasked; the `power` (W)
    that an element turns into heat and the `jerk` of a body come on request, as in ["*", "clutch.power", "*.jerk"];
    the extremes of a jerk are those on the grid. What is left out is as the model's `simulation` says.

    `tolerance` is relative to the size of each state, `solver` one of SOLVERS. `energy` and `extremes` can be switched
    off to save time; `max_step` and `first_step` (s) bound the steps. `progress` is called with the share of the time
    that is done.

    A run that cannot go on, or has taken `max_steps` steps or `max_seconds` of wall-clock time (s), raises a
    SimulationError with the time, the element and the result up to there. Ctrl-C does as ever, and the
    KeyboardInterrupt carries the `result` up to there too.

    >>> result = simulate(load_model("stick-slip"), t_end="25 s", intervals=2500)
    >>> result["friction.tau"].max()
    1.4766
    """
    program = program_of(model)
    program = program if outputs is None else requested(program, outputs)
    from_end = None if start is None else check_start(program, start, "simulate")
    name = solver or program.simulation.solver
    run = get_solver(name)
    options = Options.of(
        program,
        t_end,
        intervals,
        times,
        tolerance,
        max_step=max_step,
        first_step=first_step,
        energy=energy,
        extremes=extremes,
        max_steps=max_steps,
        max_seconds=max_seconds,
        progress=progress,
        start=from_end,
    )
    before = perf_counter()
    outcome = run(program, options)
    result = to_result(program, options, name, outcome, perf_counter() - before)
    if outcome.raised:
        outcome.raised.result = result  # type: ignore[attr-defined]
        raise outcome.raised
    if outcome.failure:
        at_start = start is None and outcome.time == T_START
        failure = (not_finite_at_start(program) if at_start else None) or outcome.failure
        where = f" at {failure.element}" if failure.element else ""
        raise SimulationError(
            f"{program.name}: the run stopped at t = {outcome.time:.10g} s{where}: {failure.text}; "
            "error.result holds the run up to there",
            time=outcome.time,
            elements=failure.elements,
            result=result,
        )
    return result


def program_of(model: Model | Program | str | Path) -> Program:
    """The program of what can be simulated: a model, its name or file, or a program.

    >>> program_of("stick-slip").name
    'stick-slip'
    """
    if isinstance(model, Program):
        return model
    return compile_model(model if isinstance(model, Model) else Model.from_yaml(find_model(model)))
