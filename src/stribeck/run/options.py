"""How a run is done: checked once, before the kernel starts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from ..compile import Program
from ..errors import SpecError
from ..spec import Simulation
from ..units import to_si

T_START = 0.0
"""Runs start at time 0 (s)."""


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
    progress: Callable[[float], None] | None = field(default=None, compare=False)

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
        **others: Any,
    ) -> Options:
        """From what a user gives; what is left out is as in the model."""
        asked = {"t_end": t_end, "intervals": intervals, "tolerance": tolerance}
        given = {name: value for name, value in asked.items() if value is not None}
        settings = (program.simulation.given | given).items()
        plain = all(isinstance(value, int | float | str) for _, value in settings)
        simulation = _simulation(*settings) if plain else _simulation.__wrapped__(*settings)
        grid = _equal_steps(simulation.t_end, simulation.intervals) if times is None else _grid(times, given)
        max_step = math.inf if max_step is None else _duration(max_step, "max_step")
        first_step = 0.0 if first_step is None else _duration(first_step, "first_step")
        return cls(grid, float(grid[-1]), simulation.tolerance, max_step, first_step, **others)


def _duration(value: Any, name: str) -> float:
    """A positive time in s, from a number or a text such as "1 ms"."""
    seconds = to_si(value, "s", "simulate", name)
    if seconds <= 0:
        raise SpecError(f"simulate: {name} = {value} must be above 0 s; leave it out to let it be chosen")
    return seconds


@lru_cache(maxsize=32)
def _simulation(*given: tuple[str, Any]) -> Simulation:
    """The settings in SI; kept, because runs in a loop ask for the same again."""
    return Simulation(**dict(given))


@lru_cache(maxsize=4)
def _kept_steps(t_end: float, intervals: int) -> np.ndarray:
    grid = np.linspace(T_START, t_end, intervals + 1)
    grid.flags.writeable = False
    return grid


def _equal_steps(t_end: float, intervals: int) -> np.ndarray:
    """The grid of equal intervals; the last small ones are kept."""
    return (_kept_steps if intervals <= 100_000 else _kept_steps.__wrapped__)(t_end, intervals)


def _grid(times: Sequence[float] | np.ndarray, given: dict[str, Any]) -> np.ndarray:
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
    if grid[0] < T_START:
        raise SpecError(f"simulate: times begin at {grid[0]:g} s, before the start at {T_START:g} s; drop those")
    for name in ("t_end", "intervals"):
        if name in given:
            raise SpecError(f"simulate: {name} = {given[name]} and times exclude each other; give one of them")
    return grid
