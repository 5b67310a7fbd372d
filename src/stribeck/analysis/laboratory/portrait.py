"""The portrait of a law: friction in steady sliding, and its presliding loop."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...laws import Law
from ...results import Result
from ...signals.sine import Sine
from .bench import LawBench

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHARE = 0.8
"""Amplitude of the force of the presliding loop, as a share of break-away."""
CYCLES, PERIOD = 3, 10.0
"""The presliding loop: number of cycles and their period (s)."""
POINTS = 400
"""Points of a cycle."""
STILL = 1e-12
"""A displacement (m) that is none: rounding."""


@dataclass(frozen=True, eq=False)
class Portrait:
    """What a law does on the bench: friction (N) at constant speeds (m/s), and under a force below break-away.

    >>> Portrait.of(LuGre()).plot("lugre.png")
    """

    law: Law
    speed: np.ndarray
    friction: np.ndarray
    """Friction at these speeds."""
    break_away: float
    """Largest friction (N) before a body slides that is towed from rest."""
    loop: Result
    """A body under a sinusoidal force: the outputs guide.s_rel and guide.f."""

    @classmethod
    def of(cls, law: Law) -> Portrait:
        """Measures the portrait of a law by simulation.

        >>> Portrait.of(LuGre()).break_away
        1.4814
        """
        bench = LawBench(law)
        window = _window(bench)
        half = np.union1d(np.geomspace(1e-4 * window, window, 25), np.linspace(0, window, 51)[1:])
        speed = np.concatenate([-half[::-1], half])
        force = Sine(amplitude=SHARE * bench.break_away, f=1 / PERIOD)
        loop = bench.under_force([force], np.linspace(0, CYCLES * PERIOD, CYCLES * POINTS + 1))
        return cls(law, speed, bench.steady_friction(speed), bench.break_away, loop)

    @property
    def stuck(self) -> bool:
        """Whether the body does not move at all below break-away.

        >>> sb.analysis.Portrait.of(sb.Switch()).stuck
        True
        """
        return bool(np.abs(self.loop["guide.s_rel"]).max() < STILL)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Steady friction over speed, and the presliding loop.

        >>> sb.analysis.Portrait.of(sb.LuGre()).plot("lugre.png")
        """
        from .plot import plot_portrait

        return plot_portrait(self, path)


def _window(bench: LawBench) -> float:
    """The speed (m/s) up to which a picture shows what the curve does: twice the speed of its last 5 %."""
    speed, friction = bench.steady_curve
    span = np.ptp(friction)
    if span < 1e-3 * bench.sliding_friction:
        return bench.highest_speed
    last = speed[np.abs(friction - friction[-1]) > 0.05 * span].max()
    return float(min(2 * last, bench.highest_speed))
