"""Runs with integrators of others on the open interface of the kernel, for cross-checks.

    simulate(model, solver="scipy-radau")

The kernel gives right-hand side, Jacobian, event functions and mode update (`Machine`). An outside integrator takes the
steps; what all of them need around it is written here once: segments between time events, the first state event of a
step, the restart after it, results on the grid. There is no energy ledger, and extremes are those of the points seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from time import perf_counter

import numpy as np

from ..compile import Program
from ..errors import SpecError
from ..kernel import status_codes, status_text
from ..results import End
from .integrators import Integrator, Setup, Start, Stopped
from .options import T_START, Options
from .outcome import Failure, RunOutcome, failure_at
from .start import OUTSIDE, end_of

NODES = 5  # event functions are looked at here in each step, and at the grid points in it
POLISH = 6  # corrections of an event time by real steps; each gains three digits or more
HALVINGS = 40  # of the way back to the start, to find where a function has left zero
STALLED = 100  # events without progress in time after which a run is given up
EPS = float(np.finfo(float).eps)


def outside(program: Program, options: Options, start: Start) -> RunOutcome:
    """A run with an integrator of INTEGRATORS.

    >>> from stribeck.run.integrators import INTEGRATORS
    >>> outside(program, Options.of(program), INTEGRATORS["scipy-radau"]).statistics["steps"]
    """
    if program.sizes["n_delay"]:
        raise SpecError("a Delay needs the past, which only the solvers of the kernel keep; use solver='auto'")
    setup = Setup(program.machine(), program.nominal, options.tolerance, options.max_step, options.first_step)
    drive = Drive(start, setup, len(program.output_names), options)
    failure, raised = None, None
    try:
        drive.run(program.y0, options.start)
    except Limit as limit:
        failure = Failure(str(limit))
    except (Stopped, RuntimeError) as error:  # of the integrator, of the kernel
        failure = failure_at(program, drive.time, drive.state, str(error))
    except KeyboardInterrupt as interrupt:
        failure, raised = Failure(status_text(status_codes()["SB_INTERRUPTED"])), interrupt
    return RunOutcome(
        time=drive.time,
        data=drive.data,
        written=drive.written,
        events=drive.changes,
        breaks=drive.breaks,
        statistics=drive.statistics(),
        extremes=drive.extremes,
        failure=failure,
        raised=raised,
        end=end_of(program, OUTSIDE, drive.time, drive.machine_end()) if failure is None else None,
    )


class Limit(Stopped):
    """A run has taken all the steps, or all the time, that it may."""


class Drive:
    """A run from event to event, with outputs on the grid."""

    def __init__(self, start: Start, setup: Setup, n_output: int, options: Options) -> None:
        self._start, self._setup, self._machine = start, setup, setup.machine
        self._grid, self._t_end, self._progress = options.grid, options.t_end, options.progress
        self._t_start = options.t_start
        self._stalled = 0
        self._max_steps, self._deadline = options.max_steps, perf_counter() + options.max_seconds
        self._has_events = False
        self._counts: Counter[str] = Counter()
        self._step_sizes: list[float] = []
        self.time, self.state = options.t_start, setup.nominal
        self.written = 0
        self.data = np.empty((n_output, options.grid.size))
        self.extremes = np.tile([np.inf, np.nan, -np.inf, np.nan], (n_output, 1))
        self.changes: list[tuple[float, int, int, int]] = []
        self.breaks: list[float] = []

    def run(self, y0: np.ndarray, start: End | None) -> None:
        """From the states y0, or from where another run has ended, to the end."""
        t = T_START if start is None else start.time
        if start is None:
            self._machine.start(t, y0)
        else:
            self._machine.resume(t, start.numbers, start.counts)
        y = self._machine.state()
        self.state = y
        self._has_events = bool(self._machine.event_values(t, y).size)
        self._write(t, lambda _: y)
        while t < self._t_end:
            before, stop = t, min(self._t_end, self._machine.next_time_event())
            t, y, fired = self._segment(t, y, stop)
            self._counts["state_events"] += bool(fired)
            if t == stop < self._t_end:
                self._machine.begin_segment(t, y)
                self._counts["time_events"] += 1
            if t < self._t_end:
                self.breaks.append(t)
            if fired or t < self._t_end:
                y, changes = self._machine.update_modes(t, y, fired)
                self.changes += [(t, *change) for change in changes]
            self._guard(t, t - before)

    def machine_end(self) -> tuple[np.ndarray, np.ndarray]:
        """What another run can go on from."""
        return self._machine.end(self.time, self.state)

    def statistics(self) -> dict[str, float]:
        """What is known of the counters of `Statistics`."""
        sizes = self._step_sizes or [np.nan]
        return {**self._counts, "steps": len(self._step_sizes), "smallest_step": min(sizes), "largest_step": max(sizes)}

    def _segment(self, t: float, y: np.ndarray, stop: float) -> tuple[float, np.ndarray, list[int]]:
        """Steps to the first state event or to `stop`: time and state there, and the events that fired."""
        if _coincide(t, stop):
            return stop, y, []
        integrator = self._start(self._setup, t, y, stop)
        fired: list[int] = []
        while integrator.t < stop and not fired:
            self._check_limits()
            integrator.step()
            t, y, fired = self._locate(integrator)
            self._write(t, integrator.at)
            self._step_sizes.append(t - integrator.t_old)
        self._count(integrator)
        return (stop if _coincide(t, stop) else t), y, fired

    def _check_limits(self) -> None:
        """Ends a run that has taken all the steps or all the time that it may."""
        for reached, status in (
            (len(self._step_sizes) >= self._max_steps, "SB_STEP_LIMIT"),
            (perf_counter() > self._deadline, "SB_TIME_LIMIT"),
        ):
            if reached:
                raise Limit(status_text(status_codes()[status]))

    def _guard(self, t: float, progress: float) -> None:
        """Too many events at one instant: the modes do not settle."""
        self._stalled = self._stalled + 1 if progress <= 16 * EPS * max(abs(t), 1e-3) else 0
        if self._stalled > STALLED:
            raise Stopped("the modes of the friction elements do not settle")

    # --- events ------------------------------------------------------------------------------------------------------

    def _locate(self, step: Integrator) -> tuple[float, np.ndarray, list[int]]:
        """The first event in a step, or the end of the step with no event fired.

        The interpolant brackets the event and gives its slope; real steps then end on it, so that it costs no order.
        """
        bracket = self._bracket(step)
        if bracket is None:
            return step.t, step.y, []
        low, high, watch = bracket
        t, slope = self._root(step, low, high, watch)
        y = self._advance(step.t_old, step.y_old, t)
        resolution = 4 * EPS * max(abs(t), step.t - step.t_old)
        for _ in range(POLISH):
            change = min(max(-self._least(t, y, watch) / slope, step.t_old - t), step.t - t) if slope < 0 else 0.0
            if abs(change) <= resolution:
                break
            t, y = t + change, self._advance(t, y, t + change)
        values = self._events(t, y)[watch]
        fired = values <= max(values.min(), 0.0) + 4 * abs(slope) * resolution
        return t, y, watch[fired].tolist()

    def _bracket(self, step: Integrator) -> tuple[float, float, np.ndarray] | None:
        """Times between which event functions become negative for the first time, and which ones do."""
        if not self._has_events:
            return None
        low, inside = step.t_old, self._grid[self.written : np.searchsorted(self._grid, step.t)]
        for high in np.union1d(np.linspace(step.t_old, step.t, NODES)[1:], inside).tolist():
            watch = np.flatnonzero(self._events(high, step.at(high)) < 0)
            if watch.size:
                return (self._leave_zero(step, high, watch) if low == step.t_old else low), high, watch
            low = high
        return None

    def _leave_zero(self, step: Integrator, high: float, watch: np.ndarray) -> float:
        """A contact that has just broken away starts with slip 0: a time at which it has left zero, before it
        returns."""
        t = step.t_old
        if self._least(t, step.y_old, watch) > 0:
            return t
        for n in range(1, HALVINGS):
            t = step.t_old + (high - step.t_old) * 0.5**n
            if self._least(t, step.at(t), watch) > 0:
                break
        return t

    def _root(self, step: Integrator, low: float, high: float, watch: np.ndarray) -> tuple[float, float]:
        """Time and slope of the first crossing on the interpolant."""
        from scipy.optimize import brentq

        def least(t: float) -> float:
            return self._least(t, step.at(t), watch)

        t = float(brentq(least, low, high, xtol=2 * EPS * max(abs(high), EPS))) if least(low) > 0 else low
        before = max(low, t - 1e-4 * (high - low))
        return t, (least(t) - least(before)) / (t - before) if t > before else 0.0

    def _least(self, t: float, y: np.ndarray, watch: np.ndarray) -> float:
        """The smallest of the event functions that cross zero: negative as soon as one of them has."""
        return float(self._events(t, y)[watch].min())

    def _events(self, t: float, y: np.ndarray) -> np.ndarray:
        self._counts["event_evaluations"] += 1
        return np.asarray(self._machine.event_values(t, y))

    def _advance(self, t: float, y: np.ndarray, stop: float) -> np.ndarray:
        """State at `stop`, before or after t, by real steps in the present modes."""
        if stop == t:
            return y
        integrator = self._start(self._setup, t, y, stop)
        while integrator.t != stop:
            integrator.step()
        self._count(integrator)
        return integrator.y

    # --- records -----------------------------------------------------------------------------------------------------

    def _write(self, t: float, at: Callable[[float], np.ndarray]) -> None:
        """Outputs on the grid up to t, and what they and t itself add to the extremes."""
        for now in self._grid[self.written : np.searchsorted(self._grid, t, side="right")].tolist():
            self.data[:, self.written] = self._look(now, at(now))
            self._counts["output_evaluations"] += 1
            self.written += 1
        self.time, self.state = t, at(t)
        self._look(t, self.state)
        if self._progress:
            self._progress((t - self._t_start) / (self._t_end - self._t_start))

    def _look(self, t: float, y: np.ndarray) -> np.ndarray:
        """Outputs at t, remembered where they are extreme."""
        values: np.ndarray = self._machine.outputs(t, y)
        low, high = values < self.extremes[:, 0], values > self.extremes[:, 2]
        self.extremes[low, 0], self.extremes[low, 1] = values[low], t
        self.extremes[high, 2], self.extremes[high, 3] = values[high], t
        return values

    def _count(self, integrator: Integrator) -> None:
        rhs, jacobians = integrator.evaluations
        self._counts["rhs_evaluations"] += rhs
        self._counts["jacobian_evaluations"] += jacobians


def _coincide(t: float, stop: float) -> bool:
    """Whether two instants are equal within the resolution of time: no integrator starts between them."""
    return stop - t <= 16 * EPS * abs(stop)
