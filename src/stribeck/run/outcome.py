"""What a solver brings home, and how it becomes a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from ..compile import ParameterValues, Program
from ..kernel import status_codes, status_text
from ..results import End, Energy, Events, Extremes, Result, ResultMeta, Statistics
from .options import T_START, Options


@dataclass(frozen=True)
class Failure:
    """Why a run ended early, the element behind it, if one is, and all that take part."""

    text: str
    element: str | None = None
    others: tuple[str, ...] = ()
    advised: bool = False
    """Whether the text has the way out."""

    @property
    def elements(self) -> tuple[str, ...]:
        """The element behind it first, then the others; none if nothing is known."""
        return tuple(dict.fromkeys([self.element, *self.others] if self.element else self.others))


@dataclass(frozen=True)
class RunOutcome:
    """The raw harvest of a run up to `time` (s)."""

    time: float
    data: np.ndarray
    """Outputs on the grid, one row per output; `written` columns are filled."""
    written: int
    events: list[tuple[float, int, int, int]]
    """Mode changes: time, lock number, from, to."""
    breaks: Sequence[float] | np.ndarray
    """Times of mode changes and of breaks of the signals (s)."""
    statistics: dict[str, Any]
    extremes: np.ndarray
    """Rows of min, t_min, max, t_max per output."""
    ledger: dict[str, list[float]] | None = None
    failure: Failure | None = None
    redundant: Sequence[int] = ()
    """Locks that at some time held a motion which others held already."""
    raised: BaseException | None = None
    """What ended the run from outside: an interrupt from the keyboard, or what `progress` has raised."""
    end: End | None = None
    """Where another run can go on, if the machine is complete there."""


def failure_of(
    program: Program,
    status: int,
    culprit: tuple[str, int, Sequence[float]],
    time: float,
    y: np.ndarray,
    crowd: Sequence[int] = (),
) -> Failure:
    """A status of the kernel at some time (s) and states y in words, with the element that it found responsible.

    `culprit` is what the kernel names: "event", "signal", "state", "parameter" or "order", its number, and the values
    of parameters; `crowd` counts how often each event has fired lately, which shows what alternates.

    >>> failure_of(program, status_codes()["SB_CHATTER"], ("event", 0, []), 1.0, program.y0)
    """
    kind, number, values = culprit
    if kind in ("parameter", "order"):
        return _parameter_failure(program, kind, number, values)
    text, owners = status_text(status), list[str]()
    if status == status_codes()["SB_CHATTER"]:
        firing = (_at(program.event_owners, i) for i, count in enumerate(crowd) if count > 1)
        owners = sorted({owner for owner in firing if owner})
        text = f"{', '.join(owners)} alternate: {text}" if len(owners) > 1 else text
    if kind == "event":
        return Failure(text, _at(program.event_owners, number), tuple(owners))
    if kind == "signal":
        return Failure(text, _at(program.signal_owners, number), tuple(owners))
    if kind == "state" and (state := _at(program.state_names, number)):
        return Failure(f"{text} ({state})", program.state_owners[number], tuple(owners))
    if kind == "state":  # a holding torque
        return Failure(text, _at(program.locks, number - len(program.state_names)), tuple(owners))
    if owners or status in (status_codes()[name] for name in LIMITS):
        return Failure(text, others=tuple(owners))
    return failure_at(program, time, y, text)


def _parameter_failure(program: Program, kind: str, number: int, values: Sequence[float]) -> Failure:
    """A parameter that follows a signal beyond its bounds, or beyond another parameter."""
    structure = program.structure
    if kind == "parameter":
        found = structure.varying[number]
        text = f"law.{found.name} = {values[0]:g} {found.unit.removeprefix('1')}".strip()
        way_out = "limit its signal, for instance by Saturation"
        return Failure(f"{text} must be {found.rule or 'finite'}; {way_out}", found.element, advised=True)
    element, lower, upper = structure.orders[number]
    text = f"law.{upper} = {values[1]:g} must not be below law.{lower} = {values[0]:g}"
    return Failure(f"{text}; let both follow one signal, or limit the signal by Saturation", element, advised=True)


LIMITS = ("SB_STEP_LIMIT", "SB_TIME_LIMIT", "SB_INTERRUPTED")
"""What ends a run without anything being wrong with an element."""


def failure_at(program: Program, time: float, y: np.ndarray, text: str) -> Failure:
    """A failure of unknown origin, attributed to the state with the fastest relative change.

    >>> failure_at(program, 1.0, program.y0, "the step size fell below what the clock resolves").element
    'spring'
    """
    machine = program.machine()
    try:
        machine.start(time, y)
        rates = machine.rhs(time, y)
    except RuntimeError:  # what reports a failure must not fail
        rates = y
    if not rates.size:
        return Failure(text)
    fastest = int(np.argmax(np.abs(rates) / program.nominal))  # what is not a number is the largest
    return Failure(f"{text} (fastest there: {program.state_names[fastest]})", program.state_owners[fastest])


def _at(names: Sequence[str], number: int) -> str | None:
    """The name of that number, None if there is none: what reports a failure must not fail."""
    return names[number] if 0 <= number < len(names) else None


def not_finite_at_start(program: Program) -> Failure | None:
    """The drive, named signal, signal state or friction element that is not finite at the start, if one is.

    >>> not_finite_at_start(program) is None
    True
    """
    machine = program.machine()
    try:
        machine.start(T_START, program.y0)
        outputs, rates = machine.outputs(T_START, program.y0), machine.rhs(T_START, program.y0)
    except RuntimeError:
        return None
    drives, n = program.drive_elements, len(program.state_names) - program.sizes["n_u"]
    shown = list(zip(program.output_owners, program.output_names, outputs, strict=True))
    states = list(zip(program.state_owners, program.state_names, rates, strict=True))
    found = [
        *(entry for entry in shown if entry[0] in drives or entry[0] not in program.elements),
        *((owner, f"the rate of {name}", rate) for owner, name, rate in states[n:]),
        *(entry for entry in shown if entry[0] in program.frictions),
    ]
    for owner, name, value in found:
        if not np.isfinite(value):
            way_out = (
                "keep what is divided by, and the inputs of log, sqrt and powers, in range, for instance by Maximum"
            )
            return Failure(f"{name} = {value:g}: its signal is not finite; {way_out}", owner)
    return None


def describe(program: Program, solver: str, tolerance: float | None = None, stopped: str = "") -> ResultMeta:
    """What a result of a program is about.

    >>> describe(program, "auto").kind("friction.tau")
    <Kind.FORCE: 'force'>
    """
    return ResultMeta(
        model=program.name,
        names=program.output_names,
        units=program.output_units,
        elements=program.elements,
        friction=tuple(dict.fromkeys(program.frictions)),
        solver=solver,
        tolerance=tolerance,
        stopped=stopped,
        kinds=program.output_kinds,
        parts=program.output_parts,
    )


def to_result(program: Program, options: Options, solver: str, outcome: RunOutcome, seconds: float) -> Result:
    """The result of a run, also of one that failed on the way."""
    stopped = f"at t = {outcome.time:.10g} s: {outcome.failure.text}" if outcome.failure else ""
    meta = describe(program, solver, options.tolerance, stopped)
    contacts = program.contacts
    return Result(
        meta,
        time=options.grid[: outcome.written],
        data=outcome.data[:, : outcome.written],
        events=Events((time, contacts[number], before, after) for time, number, before, after in outcome.events),
        statistics=Statistics(**outcome.statistics, seconds=seconds),
        energy=energy(program, outcome.ledger) if outcome.ledger else Energy(),
        extremes=Extremes(meta, outcome.extremes),
        warnings=Later(partial(_warnings, program, options, solver, outcome)),
        parameters=ParameterValues(program),
        breaks=np.asarray(outcome.breaks, float),
        known_end=outcome.end,
    )


class Later(Sequence[str]):
    """Texts that are found when someone looks at them: what a sweep never reads costs it nothing.

    >>> list(Later(lambda: ["a"]))
    ['a']
    """

    def __init__(self, find: Callable[[], list[str]]) -> None:
        self._find = find

    @cached_property
    def _found(self) -> list[str]:
        return self._find()

    def __getitem__(self, i: Any) -> Any:
        return self._found[i]

    def __len__(self) -> int:
        return len(self._found)

    def __eq__(self, other: object) -> bool:
        return self._found == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._found)


def _warnings(program: Program, options: Options, solver: str, outcome: RunOutcome) -> list[str]:
    return [
        *program.warnings,
        *(_shared(program, lock) for lock in outcome.redundant),
        *_bridged(outcome.statistics.get("bridged", 0)),
        *_no_ledger(solver, options.energy and outcome.ledger is None),
    ]


def _shared(program: Program, lock: int) -> str:
    return (
        f"{program.locks[lock]} locks a motion that other friction elements hold already: the torques are not unique, "
        "each of them carries the same share of its limit as far as that holds the motion"
    )


def _bridged(instants: int) -> list[str]:
    """What to know of a run in which modes were kept for a moment."""
    if not instants:
        return []
    where = "an instant" if instants == 1 else f"{instants} instants"
    return [
        f"at {where} modes would have changed without end, and were kept for 1e-9 of the run instead; compare with "
        "another tolerance, or give what jumps there a hysteresis"
    ]


def _no_ledger(solver: str, wanted: bool) -> list[str]:
    return [f"{solver} keeps no energy ledger: result.energy is empty; use solver='auto' for it"] if wanted else []


JUMPS = "jumps of loads, parameters and prescribed motions"


def energy(program: Program, ledger: dict[str, list[float]]) -> Energy:
    """The ledger by element.

    `numerical` is what has flowed into the stores beyond what they have gained: the work of the integration error.
    `residual` is what the powers leave over among themselves: an identity of the equations, so rounding.
    """
    stores = (*program.branches, *program.bodies)
    start, end, flow, jumps = (ledger[name] for name in ("energy_start", "energy_end", "flow", "jump"))
    ends = list(zip(start, end, strict=True))
    gain = [after - before for before, after in ends]
    given = [*ledger["input"], *ledger["motion"]]
    jump = sum(jumps)
    inputs = _by_element((*program.branches, *program.motions), given)
    return Energy(
        input=inputs | {JUMPS: jump} if jump else inputs,
        stored=_by_element(stores, gain),
        dissipated=_by_element(program.branches, ledger["loss"]),
        numerical=sum(flow) + jump - sum(gain),
        residual=sum(given) - sum(ledger["loss"]) - sum(flow),
        initial=_by_element(stores, start),
        released=_by_element(stores, [max(0.0, min(before, 0.0) - after) for before, after in ends]),
    )


def _by_element(names: Sequence[str], values: Sequence[float]) -> dict[str, float]:
    """Sums by element; elements without a share are left out."""
    totals: dict[str, float] = {}
    for name, value in zip(names, values, strict=True):
        if value != 0.0:
            totals[name] = totals.get(name, 0.0) + value
    return {name: value for name, value in totals.items() if value != 0.0}
