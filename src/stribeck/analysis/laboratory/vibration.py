"""Drift under vibration: a body that is held, and shaken; stiction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from ...signals.ramp import Ramp
from ...signals.sine import Sine
from .bench import LawBench
from .experiment import DISPLACEMENT, Experiment, MeasuredCurve, PlotAxis, PropertyVerdict, without_rounding

HOLD, SHAKE = 0.4, 0.1
"""Constant and vibrating force, as shares of break-away."""
SETTLE, PERIOD, SHAKES = 4.0, 2.0, 20
"""Time (s) before the vibration, its period (s) and its cycles."""
POINTS = 40
"""Points of a cycle."""
CREEP = 0.01
"""Drift of a cycle, as a share of the motion within it, below which there is none."""


@dataclass(frozen=True, eq=False)
class Vibration(Experiment):
    """Displacement of a body under a force below break-away that vibrates."""

    name = "vibration"
    text = (
        f"A body is pushed by {100 * HOLD:g} % of the break-away force, with a vibration of {100 * SHAKE:g} % at "
        f"{1 / PERIOD:g} Hz, for {SHAKES} cycles. How far does it drift in each of the later cycles?"
    )
    criteria: ClassVar = {
        "stiction": f"By less than {100 * CREEP:g} % of its motion within a cycle: what sticks may bend, but must not "
        "drift."
    }
    x = PlotAxis("time", "s")
    y = DISPLACEMENT

    @classmethod
    def measure(cls, bench: LawBench) -> Self:
        """Runs the experiment."""
        most = bench.break_away
        steady = Ramp(height=HOLD * most, duration=0.5 * SETTLE)
        vibration = Sine(amplitude=SHAKE * most, f=1 / PERIOD, start=SETTLE)
        times = SETTLE + np.linspace(0, PERIOD * SHAKES, POINTS * SHAKES + 1)
        place = np.asarray(bench.under_force([steady, vibration], [0.0, *times])["body.s"])[1:]
        return cls((MeasuredCurve("body", times, without_rounding(place)),))

    @property
    def verdicts(self) -> dict[str, PropertyVerdict]:
        """The properties that follow from the curves."""
        place = self.curves[0].y
        if not place.any():
            return {"stiction": PropertyVerdict(True, "does not move")}
        cycles = place[1:].reshape(SHAKES, POINTS)[SHAKES // 2 :]  # the later ones, one in each row
        means = cycles.mean(axis=1)
        drift = (means[-1] - means[0]) / (means.size - 1)
        motion = np.ptp(cycles - drift / POINTS * np.arange(cycles.size).reshape(cycles.shape))
        share = abs(drift) / max(motion, 1e-300)
        return {"stiction": PropertyVerdict(bool(share < CREEP), f"drifts by {share:.2g} of its motion in every cycle")}
