"""What a solver brings home, and how it becomes a result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..compile import Program
from ..results import Energy, Events, Extremes, Result, ResultMeta, Statistics
from .options import Options


@dataclass(frozen=True)
class Failure:
    """Why a run ended early, and the element behind it, if one is."""

    text: str
    element: str | None = None


@dataclass(frozen=True)
class Outcome:
    """The raw harvest of a run up to `time` (s)."""

    time: float
    data: np.ndarray
    """Outputs on the grid, one row per output; `written` columns are filled."""
    written: int
    events: list[tuple[float, int, int, int]]
    """Mode changes: time, lock number, from, to."""
    statistics: dict[str, Any]
    extremes: np.ndarray
    """Rows of min, t_min, max, t_max per output."""
    ledger: dict[str, np.ndarray] | None = None
    failure: Failure | None = None
    notes: list[str] = field(default_factory=list)


def to_result(program: Program, options: Options, solver: str, outcome: Outcome, seconds: float) -> Result:
    """The result of a run, also of one that failed on the way."""
    meta = ResultMeta(
        model=program.name,
        names=program.output_names,
        units=program.output_units,
        elements=program.elements,
        friction=program.frictions,
        solver=solver,
        tolerance=options.tolerance,
    )
    locks = program.locks
    return Result(
        meta,
        time=options.grid[: outcome.written],
        data=outcome.data[:, : outcome.written],
        events=Events((time, locks[lock], before, after) for time, lock, before, after in outcome.events),
        statistics=Statistics(**outcome.statistics, seconds=seconds),
        energy=energy(program, outcome.ledger) if outcome.ledger else Energy(),
        extremes=Extremes(meta, outcome.extremes),
        warnings=[*program.warnings, *outcome.notes],
    )


JUMPS = "jumps of loads and prescribed motions"


def energy(program: Program, ledger: dict[str, np.ndarray]) -> Energy:
    """The ledger by element.

    `numerical` is what the stores have gained beyond the power that flowed into them: the work of the integration
    error. `residual` is what the powers leave over among themselves: an identity of the equations, so rounding.
    """
    stores = [*program.branches, *program.bodies]
    gain = ledger["energy_end"] - ledger["energy_start"]
    jump = float(ledger["jump"].sum())
    inputs = _by_element([*program.branches, *program.motions], [*ledger["input"], *ledger["motion"]])
    dissipated = _by_element(program.branches, ledger["loss"])
    numerical = float((gain - ledger["flow"] - ledger["jump"]).sum())
    residual = sum(ledger["input"]) + sum(ledger["motion"]) - sum(ledger["loss"]) - sum(ledger["flow"])
    return Energy(
        input=inputs | ({JUMPS: jump} if jump else {}),
        stored=_by_element(stores, gain),
        dissipated=dissipated,
        numerical=numerical,
        residual=float(residual),
        initial=_by_element(stores, ledger["energy_start"]),
    )


def _by_element(names: Any, values: Any) -> dict[str, float]:
    """Sums by element; elements without a share are left out."""
    totals: dict[str, float] = {}
    for name, value in zip(names, values, strict=True):
        totals[name] = totals.get(name, 0.0) + float(value)
    return {name: value for name, value in totals.items() if value != 0.0}
