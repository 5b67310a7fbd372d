"""Fixed steps: the plant of a control loop, with bounded work in every task."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from time import perf_counter
from typing import Any, NoReturn, overload

import numpy as np

from ..compile import ParameterValues, Program, compile_model
from ..declare import Count, Param
from ..errors import SimulationError, SpecError
from ..kernel import Fixed, laws_hash
from ..results import End, Energy, Events, Extremes, Result, ResultMeta, Statistics, TaskTimes, mode_words
from ..results.statistics import LARGEST
from ..spec import Model
from .copies import Copies
from .inputs import Inputs
from .options import MOST_TASKS, T_START, check_memory, whole_tasks
from .outcome import Later, describe, energy, failure_of, not_finite_at_start
from .paced import in_a_thread
from .plant_warnings import coarse_springs, plant_warnings
from .rights import Rights
from .start import check_start, end_of, is_same
from .task import Task, check_motions

MARK = 36
"""Bytes before the block of a snapshot: origin and checksum."""


class Stepper:
    """A machine that is moved on by tasks of a fixed time, made by `model.realtime(h)`.

    >>> s = model.realtime(h="1 ms")
    >>> s.inputs["throttle"] = 0.3
    >>> s.step()
    >>> s["clutch.tau"], s.time
    (-30.0, 0.001)
    >>> result = s.run(t_end=2)
    """

    def __init__(self, program: Program, task: Task, start: End | Result | None = None) -> None:
        self.program = program
        self.task = task
        self.start = None if start is None else check_start(program, start, "realtime")
        if task.method != "resolvent":
            check_motions(program)
        self._outputs = {name: number for number, name in enumerate(program.output_names)}
        self._fixed = Fixed(program.kernel)
        self.inputs = Inputs(program.inputs, self._fixed)
        self.reset()

    # --- stepping ----------------------------------------------------------------------------------------------------

    def reset(self) -> None:
        """Back to the start, with the inputs that the model, or the run that it goes on from, has there.

        >>> s.reset()
        >>> s.count
        0
        """
        start, settings = self.start, self.task.settings
        if start is None:
            status = self._fixed.start(T_START, self.program.y0, settings)
        elif is_same(self.program, start, self.task.kind):
            status = self._fixed.resume(*start.ended, start.numbers, start.counts, settings)
        else:
            status = self._fixed.review(start.time, start.numbers, start.counts, settings)
        self._check(status)

    def step(self, n: int = 1) -> None:
        """Moves on by n tasks.

        >>> s.step(1000)
        """
        status = self._fixed.step(n if type(n) is int and 0 <= n <= MOST_TASKS else _count_of(n))
        if status:
            self._check(status)

    def __getitem__(self, name: str) -> float:
        return self._fixed.output(self._number(name))

    def _number(self, name: str) -> int:
        number = self._outputs.get(name)
        if number is None:
            return self._meta.row(str(name))  # raises, with the nearest names
        return number

    def unit(self, name: str) -> str:
        """Unit of an output.

        >>> s.unit("clutch.tau")
        'N.m'
        """
        return self.program.output_units[self._number(name)]

    @property
    def time(self) -> float:
        """Time (s): exactly the start plus count * h."""
        return self._fixed.time

    @property
    def count(self) -> int:
        """Tasks done since the start; with those of the plant that it goes on from, if that has the same task."""
        return self._fixed.count

    @property
    def end(self) -> End:
        """The machine as it is now, as the start of another plant or of a simulation.

        >>> model.simulate(start=s.end)
        >>> model.realtime(h="0.1 ms", start=s.end)
        """
        return end_of(self.program, self.task.kind, self._fixed.t0, self._fixed.end(), self.count, self.time)

    @property
    def modes(self) -> dict[str, str]:
        """Modes of the contacts that have some, by element, or by element and part as in "end.low".

        >>> s.modes
        {'clutch': 'Backward'}
        """
        return dict(zip(self.program.contacts, mode_words(self._fixed.modes()), strict=True))

    @property
    def state(self) -> np.ndarray:
        """States in the order of `program.state_names` (SI)."""
        return self._fixed.state()

    @property
    def statistics(self) -> Statistics:
        """What all tasks since the start have needed."""
        return Statistics(**self._fixed.statistics())

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the plant has to say: about the model, and about the tasks since the start that may be wrong.

        >>> s.warnings
        ()
        """
        return (*self.program.warnings, *self._plant_warnings(self.statistics))

    def _plant_warnings(self, statistics: Statistics) -> tuple[str, ...]:
        resolvent = self.task.method == "resolvent"
        angles = self._fixed.spring_angles() if resolvent else []
        coarse = coarse_springs(self.program.branches, angles, self._step_size)
        return (*coarse, *plant_warnings(statistics, self.task, self.largest_error))

    @property
    def largest_error(self) -> float:
        """The largest estimated error of a task by the largest speed; 0 without `error_bound`."""
        return self._fixed.largest_error

    @property
    def energy(self) -> Energy:
        """The energy ledger since the start."""
        return self._energy(self._fixed.ledger())

    # --- many tasks --------------------------------------------------------------------------------------------------

    def run(
        self,
        t_end: float | str | None = None,
        n: int | None = None,
        *,
        inputs: Mapping[str, Any] | None = None,
        outputs: str | Iterable[Any] | None = None,
        every: int = 1,
        progress: Callable[[float], None] | None = None,
    ) -> Result:
        """Moves on to `t_end` (s, or the end of the nearest task) or by `n` tasks and returns what happened on the way.

        `inputs` are arrays with one value per task, or single values; without t_end and n the arrays say how many tasks
        there are. `outputs` chooses what is recorded (all if left out), every `every`-th task and at the start of the
        run. Mode changes carry the times of the tasks at whose end they are seen. A run that diverges raises a
        SimulationError with the time, the element and the result up to there; a KeyboardInterrupt carries the `result`
        up to there too.

        >>> s.run(t_end="2 s", outputs=["clutch.tau"], every=10)["clutch.tau"].max()
        >>> s.run(inputs={"throttle": numpy.linspace(0, 1, 1000)})
        """
        tasks, courses = self._asked(t_end, n, inputs or {})
        names, chosen = self._chosen(outputs)
        step = Count(1, "1", "tasks from one record to the next", min=1).to_si(every, {}, "run", "every")
        check_memory(len(chosen), tasks // step + 1)
        first, before, ledger = self.count, self._fixed.statistics(), self._fixed.ledger()
        start = perf_counter()
        raw = self._fixed.run(tasks, *courses, chosen, step, True, False, False, progress)
        seconds = perf_counter() - start
        counts = self._fixed.t0 + self.task.h * (first + step * np.arange(raw["written"]))
        result = self._result(names, counts, raw, _difference(before, self._fixed.statistics()), seconds, ledger)
        _pass_on(raw["raised"], result)
        self._check(raw["status"], result)
        return result

    def measure(
        self,
        t_end: float | str | None = None,
        n: int | None = None,
        *,
        pace: bool = True,
        inputs: Mapping[str, Any] | None = None,
        outputs: str | Iterable[Any] | None = None,
        progress: Callable[[float], None] | None = None,
        interruptible: bool = False,
    ) -> TaskTimes:
        """Moves on as `run` does and measures how long each task takes: its inputs, its step, and `outputs` (all if
        left out), which are read in every task but not kept.

        With `pace` every task waits for its time on the wall clock, awake for the last 200 us; without, tasks follow
        each other at once. If it is `interruptible`, Ctrl-C ends it early, with the times of the tasks done so far.

        >>> print(s.measure(t_end="0.2 s"))
        >>> s.measure(n=10_000, pace=False).plot("tasks.png")
        """
        raw = self._timed(*self._asked(t_end, n, inputs or {}), outputs, False, pace, progress, interruptible, Rights())
        _pass_on(raw["raised"])
        self._check(raw["status"])
        return self._task_times(raw)

    def record(
        self,
        t_end: float | str | None = None,
        n: int | None = None,
        *,
        pace: bool = True,
        inputs: Mapping[str, Any] | None = None,
        outputs: Iterable[str] | None = None,
        progress: Callable[[float], None] | None = None,
        interruptible: bool = False,
        priority: bool = False,
    ) -> tuple[Result, TaskTimes]:
        """What `run` returns, and what `measure` does, of the same tasks; they are kept in memory until the end.

        `priority` asks for the scheduling class of real-time threads (SCHED_FIFO) and keeps the memory from being paged
        out; what is not permitted is said by the warnings of the result.

        >>> result, times = s.record(n=100, inputs={"throttle": values})
        """
        names, rights = self._chosen(outputs)[0], Rights(priority)
        first, before, ledger = self.count, self._fixed.statistics(), self._fixed.ledger()
        start = perf_counter()
        raw = self._timed(*self._asked(t_end, n, inputs or {}), names, True, pace, progress, interruptible, rights)
        seconds = perf_counter() - start
        time = self._fixed.t0 + self.task.h * (first + np.arange(raw["written"]))
        made = _difference(before, self._fixed.statistics())
        result = self._result(names, time, raw, made, seconds, ledger, rights.refused)
        _pass_on(raw["raised"], result)
        self._check(raw["status"], result)
        return result, self._task_times(raw)

    def _timed(
        self,
        tasks: int,
        courses: tuple[list[int], list[np.ndarray]],
        outputs: Iterable[str] | None,
        keep: bool,
        pace: bool,
        progress: Callable[[float], None] | None,
        interruptible: bool,
        rights: Rights,
    ) -> dict[str, Any]:
        """Tasks with their times; against the wall clock, and where they may be interrupted, in a thread."""
        check_memory(len(self._chosen(outputs)[0]) if keep else 1, tasks)
        _, chosen = self._chosen(outputs)
        aside = pace or interruptible or rights.wanted

        def run() -> dict[str, Any]:
            with rights:
                return self._fixed.run(tasks, *courses, chosen, 1, keep, True, pace, None if aside else progress)

        return in_a_thread(self._fixed, tasks, run, progress, interruptible) if aside else run()

    def _task_times(self, raw: dict[str, Any]) -> TaskTimes:
        took, late = (raw[name][: raw["done"]] * 1e-9 for name in ("nanoseconds", "late"))
        return TaskTimes(self.program.name, self.task.h, took, late)

    def _asked(
        self, t_end: float | str | None, n: int | None, inputs: Mapping[str, Any]
    ) -> tuple[int, tuple[list[int], list[np.ndarray]]]:
        """How many tasks a user asks for, and the inputs of each."""
        courses = {name: self.inputs.given(name, values) for name, values in inputs.items()}
        lengths = [len(values) for values in courses.values() if not isinstance(values, float)]
        tasks = self._tasks(t_end, lengths[0] if t_end is None and n is None and lengths else n)
        return tasks, self.inputs.courses(courses, tasks)

    def _chosen(self, outputs: str | Iterable[str] | None) -> tuple[tuple[str, ...], list[int]]:
        """Names and numbers of the outputs that a user asks for."""
        wanted = self._meta.names if outputs is None else (outputs,) if isinstance(outputs, str) else outputs
        names = tuple(dict.fromkeys(wanted))
        return names, [self._meta.row(str(name)) for name in names]

    def _tasks(self, t_end: float | str | None, n: int | None) -> int:
        """How many tasks a user asks for."""
        if (t_end is None) == (n is None):
            raise SpecError("run: give t_end (s) or n, the number of tasks: one of them, or arrays as inputs")
        if n is not None:
            return whole_tasks(Count(None, "1", "number of tasks", min=0).to_si(n, {}, "run", "n"), f"run: n = {n}")
        end = Param(None, "s", "end time").to_si(t_end, {}, "run", "t_end")
        if end < self.time:
            raise SpecError(f"run: t_end = {end:g} s is before the present time {self.time:g} s; reset() goes back")
        return whole_tasks((end - self.time) / self.task.h, f"run: t_end = {end:g} s")

    def _result(
        self,
        names: Sequence[str],
        time: np.ndarray,
        raw: dict[str, Any],
        statistics: dict[str, int],
        seconds: float,
        ledger: dict[str, list[float]],
        refused: Sequence[str] = (),
    ) -> Result:
        meta, data, contacts = self._meta.only(names), raw["data"][:, : raw["written"]], self.program.contacts
        warnings = (*self._plant_warnings(Statistics(**statistics)), *refused)
        return Result(
            meta,
            time=time,
            data=data,
            events=Events((t, contacts[number], before, after) for t, number, before, after in raw["events"]),
            statistics=Statistics(
                **statistics, smallest_step=self._step_size, largest_step=self._step_size, seconds=seconds
            ),
            energy=self._energy(_since(ledger, self._fixed.ledger())),
            extremes=_extremes(meta, time, data),
            warnings=Later(partial(_with_model_warnings, self.program, warnings)),
            parameters=ParameterValues(self.program),
            known_end=self.end,
        )

    def _energy(self, ledger: dict[str, list[float]]) -> Energy:
        """The ledger by element; none if it is not kept, or if a task that failed has spoilt it."""
        known = self.task.energy and all(np.isfinite(values).all() for values in ledger.values())
        return energy(self.program, ledger) if known else Energy()

    @property
    def _step_size(self) -> float:
        return self.task.h / self.task.substeps

    @cached_property
    def _meta(self) -> ResultMeta:
        return describe(self.program, self.task.method)

    def _check(self, status: int, result: Result | None = None) -> None:
        """Raises a SimulationError if a task has failed; the machine is then where it was before that task."""
        if not status:
            return
        failure = (not_finite_at_start(self.program) if self.count == 0 else None) or failure_of(
            self.program, status, self._fixed.culprit, self.time, self.state
        )
        where = f" at {failure.element}" if failure.element else ""
        other = "" if self.task.method == "resolvent" else " or the method resolvent"
        way_out = "" if failure.advised else f"; take a smaller h{other}"
        raise SimulationError(
            f"{self.program.name}: {self.task.method} with h = {self.task.h:g} s stopped at t = {self.time:.10g} s"
            f"{where}: {failure.text}{way_out}",
            time=self.time,
            elements=failure.elements,
            result=self._present() if result is None else result,
        )

    def _present(self) -> Result:
        """The present outputs, for `step`, which keeps no history."""
        raw = self._fixed.run(0, [], [], list(range(len(self.program.output_names))), 1, True, False, False, None)
        time, ledger = np.full(raw["written"], self.time), self._fixed.ledger()
        return self._result(self.program.output_names, time, raw, self._fixed.statistics(), 0.0, ledger)

    # --- going back --------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Everything that the next steps depend on.

        >>> before = s.snapshot()
        >>> s.step(100)
        >>> s.restore(before)
        """
        block = self._fixed.save()
        return self._mark(block) + block

    def restore(self, snapshot: bytes | bytearray | memoryview) -> None:
        """Back to a snapshot of this program with the same task; the steps from there on repeat to the last bit.

        >>> before = s.snapshot()
        >>> s.restore(before)
        """
        whole = bytes(snapshot) if isinstance(snapshot, bytes | bytearray | memoryview) else b""
        block = whole[MARK:]
        if not block or whole[:MARK] != self._mark(block):
            raise SpecError(
                f"restore: this is not a snapshot of {self.program.name} with h = {self.task.h:g} s and "
                f"method '{self.task.method}'; take it by snapshot() of a stepper with the same program and task"
            )
        self._fixed.restore(block)

    def copy(self) -> Stepper:
        """A second machine at the same point, for trials; it may run in another thread.

        >>> s.copy().run(n=100)
        """
        twin = Stepper(self.program, self.task, self.start)
        twin.restore(self.snapshot())
        return twin

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Stepper cannot be pickled or deep-copied: copy() makes a second one; elsewhere make a new one from the "
            "model, and restore(snapshot) there, for the bytes of snapshot() can be sent"
        )

    def _mark(self, block: bytes) -> bytes:
        """What a snapshot begins with: it belongs to this program and task, and is as it was taken."""
        return self._origin + zlib.crc32(block).to_bytes(4, "little")

    @cached_property
    def _origin(self) -> bytes:
        return hashlib.sha256(f"{laws_hash()} {self.program.hash} {self.task}".encode()).digest()

    def __repr__(self) -> str:
        return (
            f"<Stepper of {self.program.name}: t = {self.time:g} s, h = {self.task.h:g} s, {self.task.method}, "
            f"{self.count} tasks done>"
        )


@overload
def realtime(
    model: Model | Program,
    h: float | str,
    *,
    method: str = ...,
    substeps: int = ...,
    hold_signals: bool = ...,
    literal_sign: bool = ...,
    energy: bool = ...,
    error_bound: float | None = ...,
    start: End | Result | None = ...,
    copies: None = ...,
    values: None = ...,
) -> Stepper: ...
@overload
def realtime(
    model: Model | Program,
    h: float | str,
    *,
    method: str = ...,
    substeps: int = ...,
    hold_signals: bool = ...,
    literal_sign: bool = ...,
    energy: bool = ...,
    error_bound: float | None = ...,
    start: None = ...,
    copies: int,
    values: Mapping[str, Any] | None = ...,
) -> Copies: ...
def realtime(
    model: Model | Program,
    h: float | str,
    *,
    method: str = "resolvent",
    substeps: int = 1,
    hold_signals: bool = False,
    literal_sign: bool = False,
    energy: bool = True,
    error_bound: float | None = None,
    start: End | Result | None = None,
    copies: int | None = None,
    values: Mapping[str, Any] | None = None,
) -> Stepper | Copies:
    """A model, or a program compiled before, at a fixed step `h` (s, or text such as "1 ms") in hard real time.

    Every task takes `substeps` steps of the `method`: "resolvent" is stable at any step, the others are explicit
    methods for comparison. With `hold_signals` signals are looked at once per task. `literal_sign` (explicit methods)
    makes locking laws curve * sign(slip). `energy` can be switched off to save time. With `error_bound` every task is
    made a second time in steps of half the size, which takes three times as long: tasks whose speeds differ by more
    than this share of the largest speed are counted and warned about.

    With `start`, the `end` of a result or of a plant, it goes on from there, also with other values of the parameters:
    from a plant with the same task to the last bit, from anything else with modes that are decided again and torques
    that belong to the first step. `start=result.end.at(0)` sets the clock.

    With `copies` many plants move on together; `values` then may have a sequence for each parameter that differs
    between them.

    >>> s = realtime(load_model("stick-slip"), h="1 ms")
    >>> s.step(7500)
    >>> s["mass.w"]
    """
    program = model if isinstance(model, Program) else compile_model(model)
    options = {"hold_signals": hold_signals, "literal_sign": literal_sign, "energy": energy}
    task = Task.of(h, method, substeps, error_bound, **options)
    if copies is None:
        if values:
            raise SpecError("realtime: values are for copies; for one plant use program.with_values, or model.varied")
        return Stepper(program, task, start)
    if start is not None:
        raise SpecError("realtime: start is for one plant; copies begin at the start of the model")
    return Copies(program, task, copies, values)


def _count_of(n: Any) -> int:
    """A number of tasks that is not simply a whole one, if it can be taken for that."""
    if isinstance(n, int | float) and n < 0:
        raise SpecError(f"step: n = {n} tasks cannot be done; restore(snapshot) goes back")
    return whole_tasks(Count(None, "1", "number of tasks", min=0).to_si(n, {}, "step", "n"), f"step: n = {n}")


def _difference(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    """Counters of a run from those of all tasks; the largest of one step is kept."""
    return {name: value if name in LARGEST else value - before[name] for name, value in after.items()}


def _with_model_warnings(program: Program, warnings: Sequence[str]) -> list[str]:
    """Those about the model come first."""
    return [*program.warnings, *warnings]


def _since(before: dict[str, list[float]], after: dict[str, list[float]]) -> dict[str, list[float]]:
    """The ledger of a run from those of all tasks."""
    since = {
        name: [b - a for a, b in zip(before[name], after[name], strict=True)]
        for name in ("input", "loss", "flow", "motion", "jump")
    }
    return {**since, "energy_start": before["energy_end"], "energy_end": after["energy_end"]}


def _extremes(meta: ResultMeta, time: np.ndarray, data: np.ndarray) -> Extremes:
    """Smallest and largest of the recorded values."""
    rows = [(row[i], time[i], row[j], time[j]) for row in data for i, j in [(row.argmin(), row.argmax())]]
    return Extremes(meta, np.array(rows).reshape(-1, 4))


def _pass_on(raised: BaseException | None, result: Result | None = None) -> None:
    """Raises what has ended a run from outside, with the result up to there."""
    if raised is not None:
        raised.result = result  # type: ignore[attr-defined]
        raise raised
