"""continuation: along a parameter, each run starts where the one before has ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compile import Program, ProgramSet
from ..compile.requests import requested
from ..errors import SpecError
from ..results import End, Result
from ..run.simulate import program_of, simulate
from ..spec import Model
from ..units import to_si

if TYPE_CHECKING:
    from ..results.style import Picture

SETTLED = 0.5
"""Share of each run after which its attractor is looked at."""


@dataclass(frozen=True, eq=False)
class Continuation:
    """Extremes of an output on the attractor of each run: on the way up, and on the way down.

    >>> branch.up.shape == branch.down.shape == (branch.values.size, 2)
    True
    """

    name: str
    parameter: str
    unit: str
    output: str
    output_unit: str
    values: np.ndarray
    """Values of the parameter in the order given (SI)."""
    up: np.ndarray
    """Smallest and largest value of the output for each, in the order given."""
    down: np.ndarray
    """The same on the way back, in the same order."""

    @property
    def hysteresis(self) -> np.ndarray:
        """The values at which both ways end on different attractors: extremes differ by more than 2 % of their range.

        >>> branch.hysteresis.size > 0
        True
        """
        both = np.concatenate([self.up, self.down])
        spread = both.max() - both.min()
        return np.asarray(self.values[np.abs(self.up - self.down).max(axis=1) > 0.02 * spread])

    def plot(self, path: str | Path | None = None) -> Picture:
        """The bifurcation picture: extremes over the parameter, up and down.

        >>> branch.plot("branches.png")
        """
        from .branch_plot import plot_branches

        return plot_branches(self, path)


def continuation(
    model: Model | Program | str | Path,
    parameter: str,
    values: Sequence[float | str] | np.ndarray,
    output: str,
    *,
    t_end: float | str | None = None,
    settle: float | str | None = None,
    tolerance: float | None = None,
    progress: Callable[[float], None] | None = None,
) -> Continuation:
    """Follows the attractors of a model along a parameter: one run for each of its values, which starts where the one
    before has ended, in the order given and back. Of each run the extremes of an output are kept, from `settle` (s) on,
    by default its second half. `t_end` (s) is the length of each run.

    >>> branch = continuation("stick-slip", "pull.w", [0.1, 0.2], "mass.w", t_end=30)
    >>> branch.up.shape
    (2, 2)
    """
    program = requested(program_of(model), [output])
    if len(program.output_names) != 1:
        raise SpecError(f"continuation: '{output}' are {len(program.output_names)} outputs; name one of them")
    path, _ = program.number_of(parameter, 0.0)
    numbers = np.array([program.number_of(parameter, value)[1] for value in values], float)
    if not numbers.size:
        raise SpecError(f"continuation: values = {values!r} is empty; give at least one value of {parameter}")
    many = program.with_values({path: numbers})
    assert isinstance(many, ProgramSet), "a column of values gives many programs"
    length = program.simulation.t_end if t_end is None else to_si(t_end, "s", "continuation", "t_end")
    wait = SETTLED * length if settle is None else to_si(settle, "s", "continuation", "settle")
    if not 0 <= wait < length:
        raise SpecError(f"continuation: settle = {wait:g} s must be within each run of {length:g} s")
    total = 2 * len(many)

    def way(order: Sequence[int], start: End | None, done: int) -> tuple[dict[int, Any], End | None]:
        found = {}
        for k, i in enumerate(order):
            found[i], start = _attractor(many[i], start, length, wait, tolerance)
            if progress is not None:
                progress((done + k + 1) / total)
        return found, start

    forth = range(len(many))
    up, end = way(forth, None, 0)
    down, _ = way(forth[::-1], end, len(many))
    return Continuation(
        program.name,
        path,
        program.parameters[path].unit,
        program.output_names[0],
        program.output_units[0],
        numbers,
        np.array([up[i] for i in forth]),
        np.array([down[i] for i in forth]),
    )


def _attractor(
    program: Program, start: End | None, length: float, wait: float, tolerance: float | None
) -> tuple[tuple[float, float], End | None]:
    """The extremes of the output in a run after its first part, and where it has ended."""
    begin = 0.0 if start is None else start.time
    options = {"intervals": 1, "tolerance": tolerance, "energy": False}
    if wait > 0:
        settled: Result = simulate(program, begin + wait, start=start, extremes=False, **options)  # type: ignore[arg-type]
        start = settled.end
    result = simulate(program, begin + length, start=start, **options)  # type: ignore[arg-type]
    extremes = result.extremes[program.output_names[0]]
    return (extremes["min"], extremes["max"]), result.end
