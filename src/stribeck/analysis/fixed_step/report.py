"""Advice for fixed steps: what is too stiff, which parameters are safe, and how each method fares."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...compile import Program, check_model, compile_model
from ...declare import Param, unknown
from ...errors import SimulationError, SpecError, UnknownName
from ...results import Events
from ...results.data_table import DataTable
from ...run.plant_warnings import CROWDED
from ...run.stepper import realtime
from ...run.task import METHODS
from ...spec import Model
from .advice import Advice, advise
from .amplification import EXPLICIT, resolvent_swing
from .contacts import run_with_contacts
from .limits import Fastest, Stiffness, contact_limits, largest_steps, machine_limits, spring_limits
from .verdict import MethodVerdict, ReferenceRun

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROUNDING = 1e-6
"""A motion whose eigenvalue has a smaller real part than this share of it neither grows nor decays."""
FEW_EVENTS = 10
"""Mode changes of an element that are no habit yet."""
MOST_STEPS = 100_000
"""Runs for the verdicts are cut off after so many steps."""


@dataclass(frozen=True, eq=False, repr=False)
class RealtimeReport:
    """What `check_realtime` found, printed as tables.

    >>> report = load_model("stick-slip").check_realtime("1 ms")
    >>> report.steps["ode4"]
    7.53e-05
    >>> report.verdict("resolvent").word
    'adequate'
    >>> print(report)
    """

    name: str
    h: float
    """The step (s)."""
    span: float
    """Length of the runs (s)."""
    fastest: Fastest | None
    """The fastest motion of the machine at the points of the adaptive run; None if nothing moves by itself."""
    swinging: Fastest | None
    """The fastest of those that swing."""
    limits: tuple[Stiffness, ...]
    """Shafts, friction laws, and the machine where it is stiffest, as far as they limit a step."""
    advice: tuple[Advice, ...]
    verdicts: tuple[MethodVerdict, ...]
    warnings: tuple[str, ...]
    """Of the friction laws about this step."""

    @property
    def steps(self) -> Mapping[str, float]:
        """The largest step (s) of each explicit method by all these limits; infinite if nothing limits it.

        >>> report.steps["mixed"] > report.steps["ode4"]
        True
        """
        return largest_steps(self.limits)

    @property
    def too_stiff(self) -> dict[str, list[str]]:
        """By explicit method the elements that are too stiff for it at this step.

        >>> report.too_stiff["ode1"]
        ['friction']
        """
        return {
            method: list(dict.fromkeys(limit.element for limit in self.limits if limit.steps[method] < self.h))
            for method in EXPLICIT
        }

    def verdict(self, method: str) -> MethodVerdict:
        """The verdict on a method.

        >>> report.verdict("ode1").word
        'inaccurate'
        """
        known = {verdict.method: verdict for verdict in self.verdicts}
        if method not in known:
            raise UnknownName(unknown(f"{self.name}: there was no run with the method", method, known))
        return known[method]

    def lines(self) -> list[str]:
        """The lines above the tables: length of the runs, fastest motions.

        >>> report.lines()[0]
        'stick-slip at h = 1 ms: 25000 steps, 25 s'
        """
        count = round(self.span / self.h)
        cut = " (as long as runs for verdicts are)" if count == MOST_STEPS else ""
        text = [f"{self.name} at h = {show_time(self.h)}: {count} steps, {self.span:g} s{cut}"]
        if self.fastest is not None:
            text.append(f"fastest motion: {_motion(self.fastest)}, h |lambda| = {_rate(self.fastest) * self.h:.3g}")
        if self.swinging is not None:
            steps = 1 / (self.h * self.swinging.frequency)
            slower, damping = resolvent_swing(self.swinging.eigenvalue, self.h)
            text.append(f"fastest oscillation: {_motion(self.swinging)}, {steps:.3g} steps per period")
            text.append(
                f"a spring and a damper with it are {100 * slower:.2g} % slower in the resolvent step, "
                f"the damping ratio {abs(damping):.2g} {'larger' if damping > 0 else 'smaller'}"
            )
        return text

    def tables(self) -> list[DataTable]:
        """The tables that have rows; "!" marks a limit that is exceeded.

        >>> [table.title for table in report.tables()]
        ['largest step', 'parameters', 'against the adaptive run']
        """
        return [table for table in (self._limit_table(), self._advice_table(), self._verdict_table()) if table.rows]

    def _limit_table(self) -> DataTable:
        rows = [
            [x.label, *(show_time(step) + self._mark(step >= self.h) for step in x.steps.values())] for x in self.limits
        ]
        return DataTable(
            ("", *EXPLICIT), rows, title="largest step", notes=[f"{x.label}: {x.what}" for x in self.limits]
        )

    def _advice_table(self) -> DataTable:
        rows = [
            [
                f"{a.element}.law.{a.parameter}",
                f"{a.value:.4g}",
                "at largest_steps" if a.sign > 0 else "at most",
                *(_number(a.needed[method]) + self._mark(a.met(method)) for method in EXPLICIT),
            ]
            for a in self.advice
        ]
        notes = [f"{a.element}: {a.formula}" for a in self.advice]
        return DataTable(("", "value", "", *EXPLICIT), rows, title="parameters", notes=notes)

    @staticmethod
    def _mark(fine: bool) -> str:
        return "" if fine else " !"

    def _verdict_table(self) -> DataTable:
        rows = [
            [v.method, v.word, f"{100 * v.error:.3g}", f"{100 * v.noise:.3g}", v.output, f"{v.time:.4g}"]
            for v in self.verdicts
        ]
        notes = [f"{v.method}: {v.output} {v.reason}" for v in self.verdicts if v.reason]
        steps = self.steps
        notes += [
            f"{v.method}: adequate here, but h is above its largest step {show_time(steps[v.method])}: by chance"
            for v in self.verdicts
            if v.word == "adequate" and steps.get(v.method, math.inf) < self.h
        ]
        head = ("method", "verdict", "error / %", "noise / %", "where", "at / s")
        return DataTable(head, rows, title="against the adaptive run", notes=notes)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, ready for a JSON file; what is infinite is None.

        >>> report.to_dict()["verdicts"][0]["word"]
        'adequate'
        """
        return {
            "name": self.name,
            "h": self.h,
            "span": self.span,
            "fastest": _fastest_dict(self.fastest),
            "swinging": _fastest_dict(self.swinging),
            "steps": _finite(self.steps),
            "limits": [
                {"element": x.element, "label": x.label, "what": x.what, "steps": _finite(x.steps)} for x in self.limits
            ],
            "too_stiff": self.too_stiff,
            "advice": [asdict(a) | {"needed": _finite(a.needed), "broken": list(a.broken)} for a in self.advice],
            "verdicts": [v.to_dict() | {"errors": _finite(v.errors), "error": _one(v.error)} for v in self.verdicts],
            "warnings": list(self.warnings),
        }

    def plot(self, path: str | Path | None = None) -> Figure:
        """Each method beside the adaptive run, where it is worst.

        >>> report.plot("verdicts.png")
        """
        from .plot import plot_verdicts

        return plot_verdicts(self, path)

    def __str__(self) -> str:
        tables = [table.text() for table in self.tables()]
        warnings = [f"warning: {warning}" for warning in self.warnings]
        return "\n\n".join(["\n".join(self.lines()), *tables, *(["\n".join(warnings)] if warnings else [])])

    __repr__ = __str__


def check_realtime(
    model: Model,
    h: float | str = "1 ms",
    *,
    t_end: float | str | None = None,
    methods: Iterable[str] | None = None,
    literal_sign: bool = False,
    progress: Callable[[str], None] | None = None,
) -> RealtimeReport:
    """Requirements of a model for a fixed step `h` (s, or text such as "1 ms").

    An adaptive run to `t_end` (that of the model if left out) shows loads, slips and accelerations. From these follow
    the largest stable steps of the explicit methods and the safe parameters, with their formulas; then the
    model is run with each of the `methods` (all if left out; an empty list for none) and compared with the adaptive
    run. With `literal_sign` the explicit methods take locking laws as curve * sign(slip). `progress` is called with
    the name of each method before its run.

    >>> print(check_realtime(load_model("stick-slip"), h="1 ms"))
    """
    step = Param(None, "s", "step", above=0).to_si(h, {}, "check_realtime", "h")
    program = compile_model(model)
    end = program.simulation.t_end if t_end is None else t_end
    count = round(min(Param(None, "s", "end", above=0).to_si(end, {}, "check_realtime", "t_end") / step, MOST_STEPS))
    if count < 1:
        raise SpecError(f"check_realtime: h = {step:g} s is longer than the run of {end} s; take a shorter step")
    chosen = list(METHODS) if methods is None else list(methods)
    for method in chosen:
        if method not in METHODS:
            raise UnknownName(unknown("check_realtime: there is no method", method, METHODS))

    span = count * step
    reference, contacts = run_with_contacts(model, program, step, count)
    points, motions = machine_limits(program, reference.events, span)
    parts = [
        *spring_limits(program, span),
        *(limit for c in contacts for limit in contact_limits(c, span)),
        *stiffest(points),
    ]
    reference_run, verdicts = ReferenceRun(reference), []
    for method in chosen:
        if progress is not None:
            progress(method)
        options = {"literal_sign": literal_sign} if method in EXPLICIT else {}
        verdicts.append(run_and_judge(program, reference_run, method, step, **options))
    return RealtimeReport(
        name=program.name,
        h=step,
        span=span,
        fastest=max(motions, key=_rate, default=None),
        swinging=max((m for m in motions if m.frequency > 0), key=lambda m: m.frequency, default=None),
        limits=tuple(limit for limit in parts if min(limit.steps.values()) < math.inf),
        advice=tuple(advice for contact in contacts for advice in advise(contact, step)),
        verdicts=tuple(verdicts),
        warnings=(*check_model(model, step), *close_events(reference.events, step)),
    )


def close_events(events: Events, h: float) -> list[str]:
    """Elements whose modes change so often in the adaptive run that a step `h` (s) cannot resolve them.

    >>> close_events(simulate(rattling).events, 1e-3)
    ["'stop.high' changes its mode 200 times, mostly every 9.42 ms: ...; take h below 471 us", ...]
    """
    times: dict[str, list[float]] = {}
    for event in events:
        times.setdefault(event.element, []).append(event.time)
    found = []
    for name, instants in times.items():
        between = float(np.median(np.diff(instants))) if len(instants) > FEW_EVENTS else math.inf
        if between < CROWDED * h:
            often = f"'{name}' changes its mode {len(instants)} times, mostly every {show_time(between)}"
            found.append(
                f"{often}: timing errors of a fraction of a step add up; take h below {show_time(between / CROWDED)}"
            )
    return found


def run_and_judge(
    program: Program, reference_run: ReferenceRun, method: str, h: float, **options: Any
) -> MethodVerdict:
    """Runs a program with fixed steps and compares it with an adaptive run that has a sample at each of them.

    >>> run_and_judge(program, ReferenceRun(reference), "ode4", 1e-3).word
    'adequate'
    """
    stepper = realtime(program, h, method=method, energy=False, **options)
    try:
        return reference_run.judge(
            method, stepper.run(n=reference_run.reference.time.size - 1, outputs=reference_run.names)
        )
    except SimulationError as error:
        return reference_run.judge(method, error.result, "is no longer finite")


def stiffest(points: Sequence[Stiffness]) -> list[Stiffness]:
    """The points of the run with the smallest step of some method.

    >>> len(stiffest(points)) <= len(points)
    True
    """
    found = {id(p): p for method in EXPLICIT if points for p in [min(points, key=lambda p: p.steps[method])]}
    return [p for p in found.values() if min(p.steps.values()) < math.inf]


def show_time(seconds: float) -> str:
    """A time with its unit; "any" if it is infinite.

    >>> show_time(5.4e-5)
    '54 us'
    """
    if math.isinf(seconds):
        return "any"
    if seconds == 0:
        return "none"
    factor, unit = next(((f, u) for f, u in ((1, "s"), (1e3, "ms"), (1e6, "us")) if seconds * f >= 0.9995), (1e9, "ns"))
    return f"{seconds * factor:.3g} {unit}"


def _rate(motion: Fastest) -> float:
    return abs(motion.eigenvalue)


def _motion(motion: Fastest) -> str:
    rate = f"{motion.frequency:.4g} Hz" if motion.frequency else f"{_rate(motion):.4g} 1/s"
    growing = " (growing)" if motion.eigenvalue.real > ROUNDING * _rate(motion) else ""
    return f"{rate}{growing} at {motion.time:.4g} s by {', '.join(motion.elements)}"


def _number(value: float) -> str:
    return "any" if math.isinf(value) else f"{value:.3g}"


def _one(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _finite(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: _one(value) for name, value in values.items()}


def _fastest_dict(motion: Fastest | None) -> dict[str, Any] | None:
    if motion is None:
        return None
    parts = [motion.eigenvalue.real, motion.eigenvalue.imag]
    return {**motion._asdict(), "eigenvalue": parts, "elements": list(motion.elements)}
