"""A machine of several friction elements by a code of DASSL's family, on the equations of our kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import stribeck as sb

from .codes import Code, made

STALLED = 60_000
"""Steps after which a run is given up."""


class ModelCourse(NamedTuple):
    """Outputs by their names at the ends of the steps (s), counts, and why the run stopped early, if it did."""

    time: np.ndarray
    outputs: dict[str, np.ndarray]
    steps: int
    events: int
    stopped: str


def by_dassl(
    model: sb.Model,
    outputs: Sequence[str],
    *,
    t_end: float,
    tolerance: float,
    sigma0: float,
    interval: float,
    code: str | None = None,
) -> ModelCourse:
    """A model by DDASPK or IDA, with equal relative and absolute tolerance and deflections of bristles in units of
    1/sigma0, as the listing of the paper scales them. Each event is located on the interpolant of the code, and the
    integration restarted there; its first step follows from the interval (s) between points of an output.

    >>> from stribeck_papers.aberger2002 import gearbox, table_6
    >>> course = by_dassl(gearbox(table_6()), ["load.w"], t_end=0.2, tolerance=1e-6, sigma0=1e5, interval=1e-3)
    >>> course.time[-1], course.stopped
    (0.2, '')
    """
    program = sb.compile_model(model)
    return _Run(program, outputs, 1 / sigma0, interval, t_end, tolerance, code).all()


class _Run:
    """From event to event."""

    def __init__(
        self,
        program: sb.Program,
        outputs: Sequence[str],
        bristle: float,
        interval: float,
        t_end: float,
        tolerance: float,
        code: str | None,
    ) -> None:
        self._machine, self._y0, self._t_end, self._interval = program.machine(), program.y0, t_end, interval
        self._code, self._tolerance, self._names = code, tolerance, list(outputs)
        self._unit = np.array([bristle if name.endswith(".z") else 1.0 for name in program.state_names])
        self._seen = [program.output_names.index(name) for name in outputs]
        self._rows: list[tuple[float, ...]] = []
        self._steps, self._events = 0, 0

    def all(self) -> ModelCourse:
        t, stopped = 0.0, ""
        self._machine.start(t, self._y0)
        y = self._machine.state()
        try:
            while t < self._t_end:
                t, y = self._segment(t, y, min(self._t_end, self._machine.next_time_event()))
        except sb.StribeckError as error:
            stopped = str(error)
        time, *values = np.array(self._rows).T
        return ModelCourse(time, dict(zip(self._names, values, strict=True)), self._steps, self._events, stopped)

    def _segment(self, t: float, y: np.ndarray, stop: float) -> tuple[float, np.ndarray]:
        """To the first event, or to a given time."""
        code = made(self._code, self._tolerance, stop)
        code.start(t, y / self._unit, self._rates, min(stop, t + self._interval))
        fired: list[int] = []
        while t < stop and not fired:
            low, (t, x) = t, code.step()
            fired = np.flatnonzero(self._machine.event_values(t, x * self._unit) < 0).tolist()
            if fired:
                t, x = self._located(code, low, t, fired)
                self._events += 1
            y = x * self._unit
            self._record(t, y)
        if t >= self._t_end:
            return t, y
        if not fired:
            self._machine.begin_segment(t, y)
        y, _ = self._machine.update_modes(t, y, fired)
        return t, y

    def _located(self, code: Code, low: float, high: float, fired: list[int]) -> tuple[float, np.ndarray]:
        """The first time in a step at which one of these event functions is negative, and the state."""
        for _ in range(40):
            middle = 0.5 * (low + high)
            values = self._machine.event_values(middle, code.at(middle) * self._unit)
            low, high = (low, middle) if (values[fired] < 0).any() else (middle, high)
        return high, code.at(high)

    def _record(self, t: float, y: np.ndarray) -> None:
        self._rows.append((t, *self._machine.outputs(t, y)[self._seen]))
        self._steps += 1
        if self._steps >= STALLED:
            raise sb.StribeckError(f"given up at {t:.2f} s after {STALLED} steps")

    def _rates(self, t: float, x: Any) -> Any:
        return self._machine.rhs(t, np.asarray(x) * self._unit) / self._unit
