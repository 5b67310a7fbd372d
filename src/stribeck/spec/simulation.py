"""Default settings of the simulation of a model."""

from __future__ import annotations

from typing import Any

from ..declare import Count, Declared, Param, Word


class Simulation(Declared):
    """End time (s), number of output intervals, tolerance and solver; texts with units are converted to numbers.

    >>> model.simulation = Simulation(t_end="25 s", intervals=2500)
    """

    t_end = Param(1.0, "s", "end time", above=0)
    intervals = Count(500, "1", "number of equal intervals between outputs", min=1, max=1e9)
    tolerance = Param(1e-7, "1", "relative tolerance of the adaptive solvers", min=1e-14, max=0.1)
    solver = Word("auto", "1", "name of the solver")

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        p = self.resolve({}, "simulation")
        self.given = {name: getattr(p, name) for name in self.given}
