"""Statistics of the solver."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from .data_table import DataTable, in_notebook

FIXED = ("tasks", "rounds", "most_rounds", "capped", "mode_changes", "impacts", "unsolved", "imprecise")
ADAPTIVE = (
    *("rejected", "rhs_evaluations", "output_evaluations", "jacobian_evaluations", "event_evaluations"),
    *("state_events", "time_events", "bridged", "steps_rodas5p", "steps_dopri5"),
)
"""Counters of fixed-step or of adaptive runs only."""

LARGEST = frozenset({"most_rounds"})
"""Counters that are maxima over the steps, not sums."""


@dataclass(frozen=True)
class Statistics:
    """Counters of the solver; steps are accepted steps, step sizes and seconds are in s.

    Evaluations of the right-hand side for output points are counted separately, as output evaluations.

    >>> result.statistics.steps
    62
    """

    steps: int = 0
    rejected: int = 0
    rhs_evaluations: int = 0
    output_evaluations: int = 0
    jacobian_evaluations: int = 0
    factorisations: int = 0
    event_evaluations: int = 0
    state_events: int = 0
    time_events: int = 0
    bridged: int = 0
    """Instants at which modes would have changed endlessly, bridged by one implicit step."""
    smallest_step: float = math.nan
    largest_step: float = math.nan
    steps_rodas5p: int = 0
    steps_dopri5: int = 0
    tasks: int = 0
    """Of a fixed-step run: tasks, each of one or more steps."""
    rounds: int = 0
    """Solutions of the coupled friction elements of fixed steps, together."""
    most_rounds: int = 0
    """The same, largest within one step."""
    capped: int = 0
    """Fixed steps whose coupled friction elements did not converge."""
    mode_changes: int = 0
    impacts: int = 0
    """Of fixed steps: impacts of stops and of one-way elements."""
    unsolved: int = 0
    """Of these, impacts whose impulses did not converge; the bodies were stopped without rebound."""
    imprecise: int = 0
    """Tasks whose estimated error exceeded the given bound."""
    seconds: float = math.nan

    def shown(self) -> dict[str, float]:
        """The counters of this kind of run, adaptive or by tasks of a fixed time."""
        others = ADAPTIVE if self.tasks else FIXED
        return {name: value for name, value in self.to_dict().items() if value or name not in others}

    def to_dict(self) -> dict[str, float]:
        """Counters by name, as in summary.json."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def table(self) -> DataTable:
        """The counters of this kind of run.

        >>> result.statistics.table().heads
        ['statistics', '']
        """
        return DataTable(["statistics", ""], [[k.replace("_", " "), v] for k, v in self.shown().items()])

    def _repr_html_(self) -> str:
        return in_notebook(self.table())

    def __str__(self) -> str:
        return self.table().text()
