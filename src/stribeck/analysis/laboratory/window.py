"""Sticking within a window of speed: capture, what the slip does while it is held, and break-away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from ...laws import Law, Stick
from ...signals.table import Table
from .bench import UNITS, LawBench
from .experiment import FRICTION, Experiment, MeasuredCurve, PlotAxis, PlotMark

SHOWN = 3.0
"""Speed at which the pushed body is released, and at which a picture ends, over the window."""
PUSH, HOLD, RELEASE = 2.0, 0.5, 1.2
"""Forces that set the body in motion, hold it and make it break away, over break-away; the second over sliding
friction."""
PATIENCE = 8.0
"""Time for capture and for decay, over the time in which sliding friction takes the speed of the window, and over the
time constant of the decay."""
POINTS = 2000


class WindowRun(NamedTuple):
    """A body that is pushed, captured, held, and breaks away: times (s), slip (m/s), friction and force (N)."""

    time: np.ndarray
    slip: np.ndarray
    friction: np.ndarray
    force: np.ndarray
    stick: Any
    captured: float
    """Instant of capture (s)."""
    released: float
    """Instant of break-away (s)."""


def window_of(law: Law) -> Stick | None:
    """Numbers of the window of a law; None if it sticks at v = 0, or not at all.

    >>> window_of(sb.Karnopp()).window
    0.0001
    """
    return law.stick_window(law.resolve(UNITS, law.name))


class _OfWindow(Experiment):
    """An experiment with a law that sticks within a window."""

    @classmethod
    def applies(cls, law: Law) -> bool:
        return window_of(law) is not None


@dataclass(frozen=True, eq=False)
class Capture(_OfWindow):
    """Friction over slip of a body that is captured within the window of its law, held, and breaks away."""

    name = "capture"
    text = (
        f"A body is pushed until it slides at {SHOWN:g} times the speed of the window, then by {100 * HOLD:g} % of its "
        f"friction: it slows down and is captured. The force then rises to {100 * RELEASE:g} % of break-away, and it "
        "breaks away. What is friction, over the slip?"
    )
    x = PlotAxis("slip velocity", "m/s")
    y = FRICTION

    run: WindowRun

    @classmethod
    def measure(cls, bench: LawBench) -> Self:
        """Runs the experiment."""
        run = window_run(bench)
        slip, friction, time = run.slip, run.friction, run.time
        before, held, after = time <= run.captured, (time > run.captured) & (time <= run.released), time > run.released
        parts = {"slows down": before, "captured": held, "breaks away": after}
        return cls(tuple(MeasuredCurve(name, slip[part], friction[part]) for name, part in parts.items()), run)

    @property
    def marks(self) -> tuple[PlotMark, ...]:
        """The window, and the time within it."""
        window = self.run.stick.window
        return (PlotMark("x", -window, window, f"window {window:g} m/s"),)


@dataclass(frozen=True, eq=False)
class Decay(_OfWindow):
    """Slip over time of the same body: it decays, or is held."""

    name = "decay"
    text = "The same body over time. What does the slip do while it is captured?"
    x = PlotAxis("time", "s")
    y = PlotAxis("slip velocity", "m/s")

    run: WindowRun

    @classmethod
    def measure(cls, bench: LawBench) -> Self:
        """Runs the experiment."""
        run = Capture.of(bench).run
        return cls((MeasuredCurve("slip", run.time, run.slip),), run)

    @property
    def marks(self) -> tuple[PlotMark, ...]:
        """The window, and the time within it."""
        stick = self.run.stick
        held = f"decays at {stick.relaxation:g}/s" if stick.relaxation else "slip is held"
        window = PlotMark("y", -stick.window, stick.window, "window")
        return window, PlotMark("x", self.run.captured, self.run.released, f"captured: {held}")


def window_run(bench: LawBench) -> WindowRun:
    """The run of both experiments.

    >>> run = window_run(sb.analysis.LawBench(sb.Karnopp()))
    >>> run.released > run.captured
    True
    """
    stick: Any = window_of(bench.law)
    most, sliding = bench.break_away, float(bench.steady_friction([2 * stick.window])[0])
    moment = PATIENCE * stick.window * bench.sliding_friction / sliding
    hold = max(moment, PATIENCE / stick.relaxation if stick.relaxation else 0.0)
    pushed = bench.under_force([PUSH * most], np.linspace(0.0, moment, POINTS))
    fast = pushed.crossings("body.v", SHOWN * stick.window, +1)
    start = float(fast[0]) if fast.size else moment
    ease = 1e-3 * moment
    rises = start + moment + hold
    course = Table(
        time=[start, start + ease, rises, rises + hold, rises + 2 * hold],
        value=[PUSH * most, HOLD * sliding, HOLD * sliding, RELEASE * most, RELEASE * most],
    )
    times = np.linspace(start, rises + 2 * hold, 4 * POINTS)
    result = bench.under_force([course], [0.0, *times])
    events = [event for event in result.events if event.time > start]
    captured = next((event.time for event in events if event.to == "Stuck"), times[-1])
    released = next((event.time for event in events if event.from_ == "Stuck" and event.time > captured), times[-1])
    slip = np.asarray(result["body.v"])[1:]
    shown = slice(0, int(np.argmax((times > released) & (slip > SHOWN * stick.window))) or None)
    friction = np.asarray(result["guide.f"])[1:]
    force = np.interp(times, course.time, course.value)
    time = times[shown] - start
    return WindowRun(time, slip[shown], friction[shown], force[shown], stick, captured - start, released - start)
