"""How a run is done: checked once, before the kernel starts."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import numpy as np

from ..compile import Program
from ..declare import Count
from ..errors import SpecError
from ..results import End
from ..spec import Simulation
from ..units import to_si

T_START = 0.0
"""Runs start at time 0 (s)."""
NO_LIMIT = 2**62
"""Steps that no run takes."""
MOST_TASKS = 1e15
"""Tasks at a fixed step that can be counted; no run is that long."""
MOST_STEPS = 1e10
"""Steps of a run that `max_step` may ask for: at 0.1 us each that is a quarter of an hour."""
MOST_INSTANTS = 1e8
"""Instants in a run at which signals may stop the solver: each is a step and a mode update."""


@dataclass(frozen=True)
class Options:
    """What a solver is asked for; `grid` are the times of the outputs (s)."""

    grid: np.ndarray
    t_end: float
    tolerance: float
    max_step: float = math.inf
    first_step: float = 0.0
    energy: bool = True
    extremes: bool = True
    max_steps: int = NO_LIMIT
    max_seconds: float = math.inf
    progress: Callable[[float], None] | None = field(default=None, compare=False)
    start: End | None = None
    """Where another run has ended, if this one goes on from there."""

    @property
    def t_start(self) -> float:
        """Time at which the run starts (s)."""
        return T_START if self.start is None else self.start.time

    @classmethod
    def of(
        cls,
        program: Program,
        t_end: Any = None,
        intervals: Any = None,
        times: Sequence[float] | np.ndarray | None = None,
        tolerance: Any = None,
        max_step: Any = None,
        first_step: Any = None,
        max_steps: Any = None,
        max_seconds: Any = None,
        start: End | None = None,
        **others: Any,
    ) -> Options:
        """From what a user gives; what is left out is as in the model, whose time counts from the `start`."""
        begin = T_START if start is None else start.time
        asked = {"t_end": t_end, "intervals": intervals, "tolerance": tolerance}
        given = {name: value for name, value in asked.items() if value is not None}
        settings = (program.simulation.given | given).items()
        plain = all(isinstance(value, int | float | str) for _, value in settings)
        simulation = _simulation(*settings) if plain else _simulation.__wrapped__(*settings)
        check_memory(len(program.output_names), simulation.intervals + 1 if times is None else np.size(times))
        last = simulation.t_end if t_end is not None else begin + simulation.t_end
        grid = _equal_steps(begin, last, simulation.intervals) if times is None else _grid(times, given, begin)
        end = float(grid[-1]) if times is None or t_end is None else _later(simulation.t_end, float(grid[-1]))
        if end <= begin and start is not None:
            raise SpecError(
                f"simulate: the run ends at {end:g} s, not after its start at {begin:g} s; write a later t_end, leave "
                "it out to run as long as the model says, or set the clock: start=result.end.at(0)"
            )
        _check_instants(program, end - begin)
        max_step = math.inf if max_step is None else _longest_step(max_step, end - begin)
        first_step = 0.0 if first_step is None else _duration(first_step, "first_step")
        others["max_steps"] = NO_LIMIT if max_steps is None else _steps(max_steps)
        others["max_seconds"] = math.inf if max_seconds is None else _duration(max_seconds, "max_seconds")
        return cls(grid, end, simulation.tolerance, max_step, first_step, start=start, **others)


def _duration(value: Any, name: str) -> float:
    """A positive time in s, from a number or a text such as "1 ms"."""
    seconds = to_si(value, "s", "simulate", name)
    if seconds <= 0:
        raise SpecError(f"simulate: {name} = {value} must be above 0 s; leave it out to let it be chosen")
    return seconds


def _longest_step(value: Any, t_end: float) -> float:
    """A bound of the steps (s), with which a run ends in this life."""
    seconds = _duration(value, "max_step")
    if t_end > MOST_STEPS * seconds:
        raise SpecError(
            f"simulate: max_step = {value} asks for {t_end / seconds:.3g} steps in a run of {t_end:g} s; "
            f"take a longer one: {MOST_STEPS:g} steps are the limit"
        )
    return seconds


def _check_instants(program: Program, t_end: float) -> None:
    """Refuses signals that stop the solver more often than a run can bear."""
    for owner, name, seconds in program.spacings:
        if t_end > MOST_INSTANTS * seconds:
            raise SpecError(
                f"'{owner}': {name} = {seconds:g} s asks for {t_end / seconds:.3g} instants in a run of {t_end:g} s; "
                f"make it longer or the run shorter: {MOST_INSTANTS:g} instants are the limit"
            )


def check_memory(outputs: int, times: int) -> None:
    """Refuses results that the memory of this computer cannot hold.

    >>> check_memory(12, 10**12)
    SpecError: 12 outputs at 1000000000000 times need 1.04e+05 GB, ...
    """
    needed, there = 8.0 * (outputs + 1) * times, memory()
    if needed > there:
        raise SpecError(
            f"{outputs} outputs at {times} times need {needed / 1e9:.3g} GB, and this computer has "
            f"{there / 1e9:.3g} GB; ask for fewer intervals, or record only every so many"
        )


def whole_tasks(wanted: float, asked: str) -> int:
    """A number of tasks that can be counted; `asked` says what asks for them.

    >>> whole_tasks(2.2, "run: t_end = 0.0022 s")
    2
    """
    if not wanted <= MOST_TASKS:
        raise SpecError(f"{asked} asks for {wanted:.3g} tasks; {MOST_TASKS:g} are the limit: take a longer h or fewer")
    return round(wanted)


@cache
def memory() -> float:
    """The memory of this computer (bytes), infinite if it does not say.

    >>> memory() > 1e6
    True
    """
    try:
        return float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return math.inf


def _steps(value: Any) -> int:
    """A number of steps, at least 1; NO_LIMIT at most."""
    return min(int(Count(None, "1", "most steps", min=1).to_si(value, {}, "simulate", "max_steps")), NO_LIMIT)


@lru_cache(maxsize=32)
def _simulation(*given: tuple[str, Any]) -> Simulation:
    """The settings in SI; kept, because runs in a loop ask for the same again."""
    return Simulation(**dict(given))


@lru_cache(maxsize=4)
def _kept_steps(begin: float, t_end: float, intervals: int) -> np.ndarray:
    grid = np.linspace(begin, t_end, intervals + 1)
    grid.flags.writeable = False
    return grid


def _equal_steps(begin: float, t_end: float, intervals: int) -> np.ndarray:
    """The grid of equal intervals; the last small ones are kept."""
    return (_kept_steps if intervals <= 100_000 else _kept_steps.__wrapped__)(begin, t_end, intervals)


def _grid(times: Sequence[float] | np.ndarray, given: dict[str, Any], begin: float) -> np.ndarray:
    """Output times that a user gives: finite, rising, from the start on."""
    try:
        grid = np.ascontiguousarray(times, float)
    except (TypeError, ValueError):
        grid = np.empty(0)
    if grid.ndim != 1 or grid.size == 0 or not np.isfinite(grid).all():
        raise SpecError("simulate: times must be a list of finite times in s, for instance numpy.linspace(0, 10, 501)")
    if (np.diff(grid) <= 0).any():
        at = int(np.argmax(np.diff(grid) <= 0))
        raise SpecError(f"simulate: times must rise, but {grid[at]:g} s is followed by {grid[at + 1]:g} s; sort them")
    if grid[0] < begin:
        raise SpecError(f"simulate: times begin at {grid[0]:g} s, before the start at {begin:g} s; drop those")
    if "intervals" in given:
        raise SpecError(f"simulate: intervals = {given['intervals']} and times exclude each other; give one of them")
    return grid


def _later(t_end: float, last: float) -> float:
    """An end that a user gives beside the times of the outputs: not before the last of them."""
    if t_end < last:
        raise SpecError(
            f"simulate: t_end = {t_end:g} s is before the last of the times, {last:g} s; drop what is later"
        )
    return t_end
