"""The portrait of a law: friction in steady sliding, its presliding loop, and how it is captured within a window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...laws import Law
from ...results import Result
from ...signals.sine import Sine
from .bench import STILL, LawBench
from .experiment import Experiment
from .window import Capture, Decay

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHARE = 0.8
"""Amplitude of the force of the presliding loop, as a share of break-away."""
CYCLES, PERIOD = 3, 10.0
"""The presliding loop: number of cycles and their period (s)."""
POINTS = 400
"""Points of a cycle."""


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
    held: tuple[Experiment, ...] = ()
    """Capture and decay, if the law sticks within a window of speed."""

    @classmethod
    def of(cls, law: Law) -> Portrait:
        """Measures the portrait of a law by simulation.

        >>> Portrait.of(LuGre()).break_away
        1.4814
        """
        bench = LawBench(law)
        window = bench.shown_speed
        half = np.union1d(np.geomspace(1e-4 * window, window, 25), np.linspace(0, window, 51)[1:])
        speed = np.concatenate([-half[::-1], half])
        force = Sine(amplitude=SHARE * bench.break_away, f=1 / PERIOD)
        loop = bench.under_force([force], np.linspace(0, CYCLES * PERIOD, CYCLES * POINTS + 1))
        held = tuple(kind.of(bench) for kind in (Capture, Decay) if kind.applies(bench.law))
        return cls(law, speed, bench.steady_friction(speed), bench.break_away, loop, held)

    @property
    def stuck(self) -> bool:
        """Whether the body does not move at all below break-away.

        >>> sb.analysis.Portrait.of(sb.Switch()).stuck
        True
        """
        return bool(np.abs(self.loop["guide.s_rel"]).max() < STILL)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Steady friction over speed, and the presliding loop; below them capture and decay of a law with a window.

        >>> sb.analysis.Portrait.of(sb.LuGre()).plot("lugre.png")
        """
        from .plot import plot_portrait

        return plot_portrait(self, path)
