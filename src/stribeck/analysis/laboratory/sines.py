"""Velocity sines: friction at rising against friction at falling speed; frictional memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from ...signals.sine import Sine
from .bench import LawBench
from .experiment import FRICTION, NOTICED, Experiment, MeasuredCurve, PlotAxis, PropertyVerdict

FREQUENCIES = 0.1, 1.0, 10.0, 100.0
"""Hz"""
LAG = 1e-3
"""Smallest difference of friction, as a share of its mean, that counts as a lag."""
SAME = 1e-9
"""A difference below this share is rounding."""
CYCLE = 200
"""Intervals of a cycle."""


@dataclass(frozen=True, eq=False)
class VelocitySines(Experiment):
    """Friction over a sinusoidal speed of one direction, one loop for each frequency."""

    name = "velocity sines"
    text = (
        "The contact slides in one direction with a sinusoidal speed, 50 % about the speed at which the steady curve "
        f"falls most or, if it never falls, is steepest, at {', '.join(f'{f:g}' for f in FREQUENCIES)} Hz. How much "
        "higher is friction at the mean speed while the speed rises than while it falls? Differences that change from "
        "one cycle to the next are scatter."
    )
    criteria: ClassVar = {
        "frictional memory": f"By more than {100 * LAG:g} % of mean friction at one of the frequencies: friction lags "
        "behind speed."
    }
    x = PlotAxis("slip velocity", "m/s")
    y = FRICTION._replace(close=True)

    lags: tuple[float, ...]
    """Friction at rising less friction at falling speed, as a share of its mean, for each frequency; 0 where it
    scatters by more than half as much from one cycle to the next."""

    @classmethod
    def measure(cls, bench: LawBench) -> Self:
        """Runs the experiment."""
        centre, amplitude = steepest_speed(bench)
        curves, lags = [], []
        for frequency in FREQUENCIES:
            times = (1 + np.linspace(0, 2, 2 * CYCLE + 1)) / frequency
            course = Sine(amplitude=amplitude, f=frequency, offset=centre)
            result = bench.at_speed(course, [0.0, *times])
            speed, friction = (np.asarray(result[name])[1:] for name in ("guide.v_rel", "guide.f"))
            lags.append(cycle_lag(friction))
            curves.append(MeasuredCurve(f"{frequency:g} Hz", speed[CYCLE:], friction[CYCLE:]))
        steady = centre + np.linspace(-amplitude, amplitude, 13)
        curves.append(MeasuredCurve("constant speeds", steady, bench.steady_friction(steady), points=True, faint=True))
        return cls(tuple(curves), tuple(lags))

    @property
    def verdicts(self) -> dict[str, PropertyVerdict]:
        """The properties that follow from the curves."""
        most = max(self.lags, key=abs)
        if abs(most) < SAME:
            return {"frictional memory": PropertyVerdict(False, "friction is the same at rising and at falling speed")}
        text = f"friction at rising speed is higher by {most:.2g} of its mean"
        return {"frictional memory": PropertyVerdict(most > LAG, text)}


def cycle_lag(friction: np.ndarray) -> float:
    """Friction at rising less friction at falling speed as a share of its mean, over two cycles that begin at the mean
    speed; 0 if it changes by more than half of that from one cycle to the next.

    >>> cycle_lag(1 + 0.1 * np.cos(np.linspace(0, 4 * np.pi, 2 * CYCLE + 1)))
    0.19995
    """
    rising, falling = friction[::CYCLE], friction[CYCLE // 2 :: CYCLE]
    scatter = max(np.ptp(rising), np.ptp(falling))
    lag = rising[:2].mean() - falling[0]
    return float(lag / abs(friction).mean()) if abs(lag) > 2 * scatter else 0.0


def steepest_speed(bench: LawBench) -> tuple[float, float]:
    """Centre and amplitude of a speed (m/s) that stays positive, where the steady curve is steepest over log(speed):
    where it falls most, if it falls.

    >>> steepest_speed(bench)
    (0.001, 0.0005)
    """
    speed, friction = bench.steady_curve
    slope = np.gradient(friction, np.log(speed)) / bench.sliding_friction
    steepness = -slope if slope.min() < -NOTICED else np.abs(slope)
    centre = float(speed[int(np.argmax(steepness))]) if steepness.max() > 1e-6 else 1e-3
    return centre, 0.5 * centre
