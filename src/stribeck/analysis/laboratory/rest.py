"""Break-away after rest: how it depends on the time at rest, and on the rate of loading; rising static friction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

import numpy as np

from ...signals.table import Table
from .bench import SPRING, TOW, LawBench
from .experiment import NOTICED, Experiment, MeasuredCurve, PlotAxis, PropertyVerdict

FASTER = 10 * TOW
"""Speed (m/s) at which the spring is towed for break-away after rest: rest must be long against the loading."""
EASE = 0.01
"""Time (s) within which the drive stops and starts."""
REST = 20.0
"""Time (s) after which a body that comes to rest is at rest."""
DWELLS = 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0
"""Times at rest (s)."""
SETTLED = 1e-6
"""A body that is as close (m) as this to its final place is there."""
AT_REST = 5e-5
"""Distance (m) that a body may move during the longest rest."""
RATES = 0.1, 0.3, 1.0, 3.0, 10.0, 30.0
"""Rates of loading over that of the break-away on the bench."""
BREAK_AWAY = PlotAxis("break-away friction", "N")


class BreakAway(NamedTuple):
    """Largest friction (N) before a body slides, the time (s) at rest until then, and how far (m) it moved before the
    force rose."""

    friction: float
    rest: float
    crept: float


@dataclass(frozen=True, eq=False)
class TimeAtRest(Experiment):
    """Break-away of a body that slid and rested, over the time at rest."""

    name = "time at rest"
    text = (
        f"A body is towed by a spring until it has slid, rests under the load of the spring for {DWELLS[0]:g} s to "
        f"{DWELLS[-1]:g} s, and is towed on; friction then rises by about its size in 1 s. How large is friction at "
        "the second break-away?"
    )
    criteria: ClassVar = {
        "rising static friction": f"Larger by more than {100 * NOTICED:g} % after the longest rest than after the "
        "shortest, and not smaller after any longer rest. While it rests, the body moves by less than "
        f"{AT_REST:g} m: what creeps does not rest. Break-away "
        "that falls with the rate of loading is a different property and does not count; the next picture shows it."
    }
    x = PlotAxis("time at rest until break-away", "s", log=True)
    y = BREAK_AWAY

    crept: float
    """Distance (m) moved in the longest rest."""
    slower: float
    """Break-away friction (N) from the start, loaded ten times more slowly."""

    @classmethod
    def measure(cls, bench: LawBench) -> Self:
        """Runs the experiment."""
        body = SlideAndRest(bench)
        found = [body.break_away(dwell) for dwell in DWELLS]
        rests, friction = (np.array([getattr(one, name) for one in found]) for name in ("rest", "friction"))
        curve = MeasuredCurve("after rest", rests, friction, points=True)
        return cls((curve,), found[-1].crept, bench.break_away)

    @property
    def verdicts(self) -> dict[str, PropertyVerdict]:
        """The properties that follow from the curves."""
        friction = self.curves[0].y
        short, long = friction[[0, -1]]
        rises = long > (1 + NOTICED) * short and (np.diff(friction) > -NOTICED * short).all()
        rests = self.crept < AT_REST
        text = f"{short:.4g} N after {DWELLS[0]:g} s at rest, {long:.4g} N after {DWELLS[-1]:g} s"
        text += "" if rests or not rises else f", in which it moved by {self.crept:.2g} m"
        text += f"; {self.slower:.4g} N when loaded ten times more slowly from the start"
        return {"rising static friction": PropertyVerdict(bool(rises and rests), text)}


class SlideAndRest:
    """A body that is towed until it has slid, rests, and is towed on."""

    def __init__(self, bench: LawBench) -> None:
        self.bench = bench
        self.slide = bench.way_to_slide / FASTER
        """Time (s) for which it is towed."""
        times = np.linspace(0.0, self.slide + REST, 12501)
        place = np.asarray(bench.towed(self.drive(), times)["body.s"])
        moving = np.flatnonzero(np.abs(place - place[-1]) > SETTLED)
        self.stop = float(times[moving[-1] + 1]) if moving.size else 0.0
        """Time (s) from which it stays where it will be while the drive rests; it may have stuck before that."""

    def drive(self, again: float | None = None) -> Table:
        """Speed of the far end of the spring, which stops, and from the time `again` (s) moves on."""
        time, value = [self.slide, self.slide + EASE], [FASTER, 0.0]
        if again is not None:
            time, value = [*time, again, again + EASE], [*value, 0.0, FASTER]
        return Table(time=time, value=value)

    def break_away(self, dwell: float) -> BreakAway:
        """Break-away after this time at rest (s)."""
        resting = max(self.stop, self.slide + EASE)
        again = resting + dwell
        drive = self.drive(again)
        rested = self.bench.towed(drive, [0.0, resting, again])
        crept = abs(float(rested["body.s"][-1] - rested["body.s"][1]))
        most = self.bench.until_slid(drive, again + np.linspace(0.0, self.slide, 1001), rested)
        return BreakAway(most.friction, most.time - self.stop, crept)


@dataclass(frozen=True, eq=False)
class LoadRate(Experiment):
    """Break-away of a body from rest, over the rate at which its load grows."""

    name = "rate of loading"
    text = (
        "A body at rest is towed by a spring, more or less fast, until it has slid. How large is friction at "
        "break-away? Bristles break away at less if they are loaded faster, because the speed is already in the "
        "Stribeck range; static friction that rises with time has less time to rise."
    )
    x = PlotAxis("rate of loading", "N/s", log=True)
    y = BREAK_AWAY

    @classmethod
    def measure(cls, bench: LawBench) -> Self:
        """Runs the experiment."""
        rates = np.array(RATES)
        friction = np.array([bench.largest_friction(TOW * rate) for rate in RATES])
        stiffness = bench.sliding_friction / SPRING
        return cls((MeasuredCurve("from rest", stiffness * TOW * rates, friction, points=True),))
