"""Inputs of a stepper: what is set from outside, by name."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..compile import ExternalInput
from ..declare import unknown
from ..errors import SpecError, UnknownName
from ..kernel import Fixed
from ..units import to_si


class InputCourses:
    """Values of the `External` signals of a machine over the tasks of a run, in SI.

    >>> InputCourses(program.inputs).courses({}, 100)
    ([], [])
    """

    def __init__(self, known: Mapping[str, ExternalInput]) -> None:
        self._known = known

    def unit(self, name: str) -> str:
        """Unit of an input; empty where any will do.

        >>> s.inputs.unit("motor.tau")
        'N.m'
        """
        return self._find(name).unit

    def given(self, name: str, value: Any) -> float | np.ndarray:
        """What a user gives for a run, in SI: a single value, or one per task.

        >>> s.inputs.given("motor.tau", "5 N.m")
        5.0
        """
        unit = self._find(name).unit
        try:
            given = np.asarray(value)
        except ValueError:
            raise SpecError(f"inputs: {name} has rows of different lengths; give one value per task") from None
        if given.ndim == 0 and not hasattr(value, "__next__"):
            return float(to_si(value, unit, "inputs", name))
        if given.ndim != 1:
            raise SpecError(f"inputs: {name} has the shape {given.shape}; give an array with one value per task")
        if given.dtype.kind not in "fiub":
            raise SpecError(f"inputs: {name} must be a list of real numbers, one per task")
        course = np.ascontiguousarray(given, float)
        if not np.isfinite(course).all():
            at = int(np.argmin(np.isfinite(course)))
            raise SpecError(f"inputs: {name}[{at}] = {course[at]} must be finite")
        return course

    def courses(self, given: Mapping[str, Any], n: int) -> tuple[list[int], list[np.ndarray]]:
        """Nodes and values for n tasks of a run; a single value holds throughout.

        >>> s.inputs.courses({"throttle": numpy.linspace(0, 1, 100)}, 100)
        """
        return [self._find(name).node for name in given], [self._course(name, given[name], n) for name in given]

    def _course(self, name: str, value: Any, n: int) -> np.ndarray:
        course = self.given(name, value)
        if isinstance(course, float):
            return np.full(n, course)
        if course.shape != (n,):
            raise SpecError(f"inputs: {name} has the shape {course.shape}, but there are {n} tasks; give one per task")
        return course

    def _find(self, name: str) -> ExternalInput:
        if name not in self._known:
            way_out = "make it one by External(): m.signal('throttle', External(0)), or Torque(mass, tau=External(0))"
            message = unknown("inputs: there is no input", str(name), self._known) if self._known else ""
            raise UnknownName(message or f"inputs: there is no input '{name}', nor any other; {way_out}")
        return self._known[name]


class Inputs(InputCourses, Mapping[str, float]):
    """Values of the `External` signals of a machine, in SI; texts with units are accepted. They hold until they are set
    again; the next step is the first to see them, and outputs show what comes of them after it.

    >>> s.inputs["motor.tau"] = "5 N.m"
    >>> s.inputs["motor.tau"]
    5.0
    """

    def __init__(self, known: Mapping[str, ExternalInput], fixed: Fixed) -> None:
        super().__init__(known)
        self._fixed = fixed

    def __getitem__(self, name: str) -> float:
        return self._fixed.input(self._find(name).node)

    def __setitem__(self, name: str, value: Any) -> None:
        known = self._known.get(name) or self._find(name)
        plain = type(value) is float and math.isfinite(value)
        self._fixed.set_input(known.node, value if plain else to_si(value, known.unit, "inputs", name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def update(self, values: Mapping[str, Any]) -> None:
        """Sets several of them.

        >>> s.inputs.update({"throttle": 0.3, "motor.tau": "5 N.m"})
        """
        for name, value in values.items():
            self[name] = value

    def __repr__(self) -> str:
        return f"Inputs({dict(self)})"
