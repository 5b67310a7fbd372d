"""How a run is done: checked once, before the kernel starts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..compile import Program
from ..errors import SpecError
from ..spec import Simulation

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
        **others: Any,
    ) -> Options:
        """From what a user gives; what is left out is as in the model."""
        asked = {"t_end": t_end, "intervals": intervals, "tolerance": tolerance}
        given = {name: value for name, value in asked.items() if value is not None}
        p = program.simulation if not given else _merged(program.simulation, given)
        grid = np.linspace(T_START, p.t_end, p.intervals + 1) if times is None else _grid(times, p.t_end, given)
        options = cls(grid, max(p.t_end, grid[-1]) if times is None else float(grid[-1]), p.tolerance, **others)
        for name in ("max_step", "first_step"):
            value = getattr(options, name)
            if not value >= 0 or (name == "max_step" and value == 0):
                raise SpecError(f"simulate: {name} = {value} must be a positive time in s; leave it out to let it be chosen")
        return options


def _merged(simulation: Simulation, given: dict[str, Any]) -> Simulation:
    return Simulation(**(simulation.given | given))


def _grid(times: Sequence[float] | np.ndarray, t_end: float, given: dict[str, Any]) -> np.ndarray:
    """Output times that a user gives: finite, rising, from the start on."""
    grid = np.ascontiguousarray(times, float)
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
