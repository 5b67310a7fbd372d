"""How a model is simulated unless something else is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..declare import Declared, Param
from ..errors import SpecError


@dataclass(frozen=True)
class Count(Param):
    """A parameter that is a whole number."""

    def to_si(self, value: Any, units: Mapping[str, str], owner: str, name: str) -> int:
        """The value as an integer within the bounds."""
        number = super().to_si(value, units, owner, name)
        if number != int(number):
            raise SpecError(f"{owner}: {name} = {value} must be a whole number; write for instance {round(number)}")
        return int(number)


@dataclass(frozen=True)
class Word(Param):
    """A parameter that is a name."""

    default: Any

    def accept(self, value: Any, owner: str, name: str) -> str:
        """The value, which must be text."""
        if not isinstance(value, str):
            raise SpecError(f"{owner}: {name} = {value!r} must be a name, for instance '{self.default}'")
        return value

    def to_si(self, value: Any, units: Mapping[str, str], owner: str, name: str) -> Any:
        """The name as it is."""
        return value


class Simulation(Declared):
    """End time (s), number of output intervals, tolerance and solver; texts with units become numbers at once.

    >>> model.simulation = Simulation(t_end="25 s", intervals=2500)
    """

    t_end = Param(1.0, "s", "end time", above=0)
    intervals = Count(500, "1", "number of equal intervals between outputs", min=1, max=1e9)
    tolerance = Param(1e-7, "1", "relative tolerance of the adaptive solvers", above=0, max=0.1)
    solver = Word("auto", "1", "name of the solver")

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        p = self.resolve({}, "simulation")
        self.given = {name: getattr(p, name) for name in self.given}
