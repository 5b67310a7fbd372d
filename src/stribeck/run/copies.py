"""Many copies of a plant at a fixed step, moved on together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..compile import Program
from ..compile.program_set import PointValues
from ..declare import Count, unknown
from ..errors import SimulationError, SpecError, UnknownName
from ..kernel import Copies as KernelCopies
from ..results import Result
from ..units import to_si
from .batch import jobs_of, lanes_of
from .outcome import describe, failure_of
from .task import Task


class Copies:
    """Plants of one model that move on together, in threads and in the lanes of vector instructions, made by
    `model.realtime(h, copies=n)`. Inputs and outputs are arrays with one value for each. Every copy does what a single
    plant does, to the last bit. `lanes` is as in `batch`.

    >>> plants = model.realtime(h="1 ms", copies=64)
    >>> plants.step(10, {"clutch.f_normalized": numpy.linspace(0, 1, 64)})
    >>> plants["clutch.tau"].shape
    (64,)
    """

    def __init__(
        self,
        program: Program,
        task: Task,
        copies: Any,
        values: Mapping[str, Any] | None,
        jobs: Any = None,
        lanes: bool | str = True,
    ) -> None:
        n = int(Count(None, "1", "number of copies", min=1).to_si(copies, {}, "realtime", "copies"))
        if task.error_bound:
            raise SpecError("realtime: error_bound is for a single plant; leave out copies or the bound")
        self.program, self.task = program, task
        settings = task.settings | {"ledger": False}  # copies show no energy balance
        rows = _rows(program, n, values)
        self._kernel = KernelCopies(program.kernel, rows, settings, jobs_of(jobs), lanes_of(lanes))
        self._outputs = {name: number for number, name in enumerate(program.output_names)}
        self._inputs = np.full((n, len(program.inputs)), np.nan)
        """What was set from outside, by copy and input; NaN: as the model has it."""
        self._nodes = [known.node for known in program.inputs.values()]
        self.reset()

    def __len__(self) -> int:
        return len(self._kernel)

    def reset(self, which: np.ndarray | None = None) -> None:
        """Those that are marked (all, if nothing is said) go back to the start, with the inputs of the model.

        >>> plants.reset(plants["clutch.w_rel"] < 0)
        """
        marked = np.ones(len(self), bool) if which is None else np.ascontiguousarray(which, bool)
        if marked.shape != (len(self),):
            raise SpecError(f"reset: `which` has the shape {marked.shape}; it must have one truth for each copy")
        self._inputs[marked] = np.nan
        self._check(self._kernel.reset(marked))

    def step(self, n: int = 1, inputs: Mapping[str, Any] | None = None) -> None:
        """Moves all on by n tasks. Inputs are single values or one for each copy, in SI or texts with units; they hold
        until they are set again.

        >>> plants.step(1, {"clutch.f_normalized": 0.5})
        """
        self._advance(n, inputs, [], np.empty(0))

    def run(self, n: int, names: list[str], inputs: Mapping[str, Any] | None = None) -> np.ndarray:
        """The same with outputs after every task: copies x names x tasks.

        >>> plants.run(10, ["engine.w", "clutch.tau"]).shape
        (64, 2, 10)
        """
        numbers = [self._number(name) for name in names]
        out = np.empty((max(n, 0), len(numbers), len(self)))
        self._advance(n, inputs, numbers, out)
        return out.transpose(2, 1, 0)

    def _advance(self, n: int, inputs: Mapping[str, Any] | None, numbers: list[int], out: np.ndarray) -> None:
        if n < 0:
            raise SpecError(f"step: n = {n} tasks cannot be done; reset() goes back to the start")
        for name, value in (inputs or {}).items():
            self._set(name, value)
        self._check(self._kernel.step(n, self._nodes, self._inputs, numbers, out))

    def _set(self, name: str, value: Any) -> None:
        unit = self.input_unit(name)
        given = to_si(value, unit, "inputs", name) if isinstance(value, str) else np.asarray(value, float)
        if not np.isfinite(given).all():
            raise SpecError(f"inputs: {name} must be finite")
        if np.shape(given) not in ((), (len(self),)):
            raise SpecError(f"inputs: {name} has the shape {np.shape(given)}; give one value, or one for each copy")
        self._inputs[:, list(self.program.inputs).index(name)] = given

    def input_unit(self, name: str) -> str:
        """Unit of an input.

        >>> plants.input_unit("clutch.f_normalized")
        '1'
        """
        known = self.program.inputs
        if name not in known:
            raise UnknownName(unknown("inputs: there is no input", str(name), known))
        return known[name].unit

    def unit(self, name: str) -> str:
        """Unit of an output.

        >>> plants.unit("clutch.tau")
        'N.m'
        """
        return self.program.output_units[self._number(name)]

    def _number(self, name: str) -> int:
        if name not in self._outputs:
            raise UnknownName(unknown("the plant has no output", str(name), self._outputs))
        return self._outputs[name]

    def __getitem__(self, name: str) -> np.ndarray:
        """An output, one value for each copy."""
        return np.asarray(self.outputs([name])[:, 0])

    def outputs(self, names: list[str]) -> np.ndarray:
        """Several outputs: copies x names.

        >>> plants.outputs(["engine.w", "clutch.tau"]).shape
        (64, 2)
        """
        return np.asarray(self._kernel.outputs([self._number(name) for name in names])).T

    @property
    def time(self) -> np.ndarray:
        """The time of each (s)."""
        return np.asarray(self._kernel.times())

    def _check(self, number: int) -> None:
        if number < 0:
            return
        status, culprit, time, state = self._kernel.look(number)
        failure = failure_of(self.program, status, culprit, time, state)
        where = f" at {failure.element}" if failure.element else ""
        raise SimulationError(
            f"{self.program.name}: copy {number} stopped at t = {time:.10g} s{where}: {failure.text}; "
            "reset() starts it again",
            time=time,
            elements=failure.elements,
            result=self._present(number, time),
        )

    def _present(self, number: int, time: float) -> Result:
        """The present outputs of one of them."""
        meta, data = describe(self.program, self.task.method), self._kernel.outputs(list(self._outputs.values()))
        return Result(meta, np.array([time]), np.ascontiguousarray(data[:, number][:, None]))

    def __repr__(self) -> str:
        return f"<{len(self)} plants of {self.program.name}: h = {self.task.h:g} s>"


def _rows(program: Program, n: int, values: Mapping[str, Any] | None) -> np.ndarray:
    """The values of every copy."""
    if not values:
        return np.tile(program.values, (n, 1))
    points = PointValues.of(program, values)
    if len(points) != n:
        raise SpecError(f"realtime: values have {len(points)} points for {n} copies; give one for each")
    found = points.chunk(0, n)
    for i, error in found.refused.items():
        raise type(error)(f"copy {i}: {error}")
    return found.values
