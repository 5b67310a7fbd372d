"""Simulation of a model with measured inputs: many sets of parameters at once, as points of a batch."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np

from ...compile import Program, compile_model
from ...compile.requests import requested
from ...declare import unknown
from ...errors import SimulationError, SpecError, UnknownName
from ...results import Result
from ...run import batch, realtime, simulate
from ...signals.table import Table
from ...spec import Model
from ..records.measurement import Measurement

SOLVERS = ("adaptive", "fixed")
"""Error-controlled steps; or a fixed number of steps per sample, several times faster, with a discretisation error."""

MARK = "@"
"""Separates the path of a parameter from the name of the one record that it belongs to."""

WORKERS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
"""Number of threads: the kernel releases the interpreter lock."""

COMPILING = Lock()
"""Held while a program is made, so that no two threads make the same one."""

STEPS = (20_000, 20)
"""Most steps of an adaptive run: of any record, and in addition for each of its samples."""

Outputs = np.ndarray | None
"""Outputs at the samples, one row each; None where a model cannot be simulated."""


@dataclass(frozen=True, eq=False)
class Rig:
    """A model connected to a record: `inputs` map `External` signals, and `outputs` outputs, to channels.

    `initial` sets parameters of the model, such as "load.s0", to the first sample of a channel or to a number.
    With `hold` inputs are held from sample to sample, as a drive holds its commands; else they are interpolated
    linearly.

    >>> rig = Rig(model, run, inputs={"motor.f": "f"}, outputs={"load.s": "q"}, initial={})
    >>> rig.simulate({"joint.law.mu_c": 1.2}).shape
    (1, 1501)
    """

    model: Model
    measurement: Measurement
    outputs: Mapping[str, str]
    inputs: Mapping[str, str]
    initial: Mapping[str, Any]
    solver: str = "adaptive"
    hold: bool = True
    substeps: int = 1
    tolerance: float = 1e-8
    programs: dict[Any, Program] = field(default_factory=dict, repr=False)
    """Programs of the model, shared by all rigs that follow from this one."""

    def __post_init__(self) -> None:
        if self.solver not in SOLVERS:
            raise UnknownName(unknown("fit: there is no solver", self.solver, SOLVERS))
        if not self.outputs:
            raise SpecError("fit: outputs is empty; name what was measured, for instance outputs={'load.s': 'q'}")
        for channel in (*self.inputs.values(), *self.outputs.values()):
            self.measurement[channel]  # raises, with the nearest names
        if self.solver == "fixed" and self.measurement.sample_time is None:
            raise SpecError(
                f"{self.measurement.name}: solver='fixed' needs a constant sample time; use resampled('1 ms') or "
                "solver='adaptive'"
            )

    @cached_property
    def time(self) -> np.ndarray:
        """Sample times from the start of the record (s). A constant sample time is made exact: a clock that jitters by
        nanoseconds would put samples after the instants at which a sampled controller of the model reads them."""
        step = self.measurement.sample_time
        if step is None:
            return np.ascontiguousarray(self.measurement.time - self.measurement.time[0], float)
        return even_step(step, len(self.measurement)) * np.arange(len(self.measurement))

    @cached_property
    def measured(self) -> np.ndarray:
        """The measured outputs, one row each."""
        return np.array([np.asarray(self.measurement[channel]) for channel in self.outputs.values()])

    @cached_property
    def valid(self) -> np.ndarray:
        """Which samples are valid."""
        return self.measurement.valid

    @property
    def most_steps(self) -> int:
        """Steps of the adaptive solver after which a set of parameters counts as one that cannot be simulated: a search
        may try stiffnesses that would take hours."""
        return STEPS[0] + STEPS[1] * self.time.size

    def with_solver(self, solver: str) -> Rig:
        """The same rig with another solver."""
        return replace(self, solver=solver)

    def beginning(self, samples: int) -> Rig:
        """The same rig with the first samples of its record."""
        record = self.measurement
        last = min(samples, len(record)) - 1
        return replace(self, measurement=record.between(float(record.time[0]), float(record.time[last])))

    # --- the model of one set of parameters --------------------------------------------------------------------------

    def program(self, values: Mapping[str, float]) -> Program:
        """The compiled model with these parameters, and the measured outputs alone."""
        return self.base.varied(own(values, self.measurement.name))

    @cached_property
    def started(self) -> Model:
        """The model with the initial values of the record."""
        return self.model.varied(self._initial)

    @property
    def _initial(self) -> dict[str, Any]:
        return {path: self._first(given) for path, given in self.initial.items()}

    @cached_property
    def bare(self) -> Program:
        """The compiled model, with all of its outputs, before its inputs are driven."""
        return self._compiled({})

    def _compiled(self, driven: Mapping[str, object]) -> Program:
        """The compiled model with signals of time at its inputs."""
        samples = [(name, hash(np.asarray(self.measurement[name]).tobytes())) for name in self.inputs.values()]
        key = repr([sorted(self._initial.items()), driven and [samples, self.hold, hash(self.time.tobytes())]])
        with COMPILING:
            if key not in self.programs:
                self.programs[key] = compile_model(self.started.varied(driven) if driven else self.started)
            return self.programs[key]

    @cached_property
    def base(self) -> Program:
        """The compiled model with the measured outputs; with the adaptive solver also with the record at its inputs."""
        program = self.bare
        for name in self.driven_by:
            if name not in program.inputs:
                message = unknown("fit: the model has no input", name, program.inputs)
                raise UnknownName(
                    f"{message}; an input is an External: m.signal('u', External(0)), or Force(mass, f=External(0))"
                )
        for name in self.outputs:
            if name not in program.output_names:
                raise UnknownName(unknown("fit: the model has no output", name, program.output_names))
        if self.solver != "fixed":
            tables: dict[str, object] = {
                spoken(self.model, name): self._table(channel, moves=program.inputs[name].moves)
                for name, channel in self.driven_by.items()
            }
            program = self._compiled(tables)
        return requested(program, self.outputs)

    @cached_property
    def driven_by(self) -> dict[str, str]:
        """The inputs by their names in the compiled model: "drive.phi", which is "drive.s" in a translational model."""
        return {_own_name(self.model, name): channel for name, channel in self.inputs.items()}

    def _first(self, given: Any) -> Any:
        """The first sample of a channel, or a number."""
        if isinstance(given, str) and given in self.measurement.names:
            return float(self.measurement.channels[given][0])
        return given

    def _table(self, channel: str, moves: bool) -> Table:
        """The samples of a channel: held, or on straight lines where they move a position."""
        between = "hold" if self.hold and not moves else "linear"
        return Table(time=self.time.tolist(), value=np.asarray(self.measurement[channel]).tolist(), between=between)

    # --- running it --------------------------------------------------------------------------------------------------

    def simulate(self, values: Mapping[str, float]) -> np.ndarray:
        """The outputs at the samples, one row each."""
        program = self.program(values)
        if self.solver == "adaptive":
            options: dict[str, Any] = {"tolerance": self.tolerance, "max_steps": self.most_steps}
            return self._finite(simulate(program, times=self.time, **options, energy=False, extremes=False))
        stepper = realtime(program, self._sample_time / self.substeps, energy=False)
        tasks = (self.time.size - 1) * self.substeps
        inputs = {name: self._course(program, name) for name in self.driven_by}
        return self._finite(stepper.run(n=tasks, inputs=inputs, outputs=list(self.outputs), every=self.substeps))

    def simulate_many(self, sets: Sequence[Mapping[str, float]], jobs: int = WORKERS) -> list[Outputs]:
        """The same for many sets of values, as points of one batch; None where the model cannot be simulated. A set
        that needs another structure is simulated alone, and so are all if they are not about the same parameters."""
        if len(sets) < 2 or not sets[0] or len({frozenset(values) for values in sets}) > 1:
            return [_try(self, values) for values in sets]
        columns = {path: [values[path] for values in sets] for path in sets[0]}
        # lanes lose where each sample of an input is a break, at which single machines take over
        options: dict[str, Any] = {
            "tolerance": self.tolerance,
            "lanes": not self.driven_by,
            "max_steps": self.most_steps,
        }
        if self.solver == "fixed":
            inputs = {name: self._course(self.base, name) for name in self.driven_by}
            options = {"step": self._sample_time / self.substeps, "inputs": inputs}
        many = batch(self.base, columns, outputs=list(self.outputs), times=self.time, jobs=jobs, **options)
        found = np.stack([many[name] for name in self.outputs], axis=1)
        good = np.isfinite(found).all(axis=(1, 2)) & many.ok
        return [
            _try(self, values) if i in many.refused else found[i] if good[i] else None for i, values in enumerate(sets)
        ]

    def _finite(self, run: Result) -> np.ndarray:
        """The outputs of a run, checked to be finite."""
        outputs = np.array([np.asarray(run[name]) for name in self.outputs])
        wrong, when = np.nonzero(~np.isfinite(outputs))
        if not wrong.size:
            return outputs
        name, time = list(self.outputs)[wrong[0]], float(run.time[when[0]])
        raise SimulationError(
            f"{run.meta.model}: {name} is not finite from t = {time:g} s on; give other start values or bounds",
            time=time,
            elements=[name.partition(".")[0]],
            result=run,
        )

    @property
    def _sample_time(self) -> float:
        return float(self.time[1])

    def _course(self, program: Program, name: str) -> np.ndarray:
        """The values of an input at the fixed steps: held, or the mean over the step if it is interpolated linearly.

        The input of a `Position` moves during the step to the value at its end."""
        values, parts = np.asarray(self.measurement[self.driven_by[name]]), self.substeps
        moves = program.inputs[name].moves
        if self.hold and not moves:
            return np.repeat(values[:-1], parts)
        at = np.arange((values.size - 1) * parts) + (1.0 if moves else 0.5)
        return np.asarray(np.interp(at / parts, np.arange(values.size), values))


def simulate_all(rigs: Sequence[Rig], sets: Sequence[Mapping[str, float]]) -> list[list[np.ndarray] | None]:
    """The outputs of every record for every set of parameters, in parallel; None where a model cannot be simulated.

    >>> simulate_all([rig], [{"load.m": 1.0}, {"load.m": 1.1}])
    """
    if len(rigs) == 1 or not sets:
        columns = [_distinct(rig, sets, WORKERS) for rig in rigs]
    else:
        jobs = max(1, WORKERS // len(rigs))
        with ThreadPoolExecutor(min(WORKERS, len(rigs))) as pool:
            columns = list(pool.map(lambda rig: _distinct(rig, sets, jobs), rigs))
    rows = zip(*columns, strict=True)
    return [None if any(run is None for run in row) else [run for run in row if run is not None] for row in rows]


def _distinct(rig: Rig, sets: Sequence[Mapping[str, float]], jobs: int) -> list[Outputs]:
    """The outputs of one record; a parameter of another record leaves them as they are."""
    keys = [tuple(own(values, rig.measurement.name).items()) for values in sets]
    distinct = list(dict.fromkeys(keys))
    found = dict(zip(distinct, rig.simulate_many([dict(key) for key in distinct], jobs), strict=True))
    return [found[key] for key in keys]


def even_step(step: float, count: int) -> float:
    """The nominal sample time: rounded to six digits, unless that shifts the last sample by a thousandth of it.

    >>> even_step(0.00100000002, 1000)
    0.001
    """
    rounded = float(f"{step:.6g}")
    return rounded if abs(rounded - step) * count < 1e-3 * step else step


def _try(rig: Rig, values: Mapping[str, float]) -> np.ndarray | None:
    """One run, or None for parameters that contradict each other or that make the run fail."""
    try:
        return rig.simulate(values)
    except (SimulationError, SpecError):
        return None


def own(values: Mapping[str, Any], record: str = "") -> dict[str, Any]:
    """The values of one record: those shared by all records, and those of this record without the suffix of its name.

    >>> own({"load.m": 1.0, "load.s0@run7": 0.1, "load.s0@run8": 0.2}, "run8")
    {'load.m': 1.0, 'load.s0': 0.2}
    """
    split = {path: path.partition(MARK) for path in values}
    return {split[path][0]: value for path, value in values.items() if split[path][2] in ("", record)}


def _own_name(model: Model, name: str) -> str:
    """The name of an input with the canonical name of the parameter."""
    place, _, word = name.partition(".")
    element = model.elements.get(place)
    if element is None or "." in word:
        return name
    own = {alias: known for known, param in element.params.items() for alias in (known, *param.aliases)}
    return f"{place}.{own.get(word, word)}"


def spoken(model: Model, name: str) -> str:
    """The name of an input as it is written in the model.

    >>> spoken(model, "motor.f")
    'motor.f'
    """
    place, _, word = name.partition(".")
    element = model.elements.get(place)
    return name if element is None else f"{place}.{element.words.get(word, word)}"
