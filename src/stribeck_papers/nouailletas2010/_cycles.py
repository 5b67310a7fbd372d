"""What Figures 4, 5 and 7 measure in their runs: periods, amplitudes, the force of break-away, drift per cycle."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

import stribeck as sb

from ..rules import SAME
from ..scorecard import Claim, judged
from .two_modes import TwoModes, pid, spring

TIGHT = 1e-11
"""The tolerance of runs whose values are compared with converged ones."""
STIFFNESSES = (1e5, 1e6, 1e7, 1e8, 1e9)
"""Of the bristles of LuGre (N/m)."""
AS_STIFF = 1.5e-5
"""The z_max (m) with which the stuck hybrid model is as stiff as the bristles of LuGre, 1e5 N/m."""


VIBRATION = 2.0
"""Period of the force in the drift test (s)."""


class SteadyOscillation(NamedTuple):
    """A steady oscillation: period (s), amplitude (m), and one cycle from an upward pass on, its amplitude as 1."""

    period: float
    amplitude: float
    profile: np.ndarray


def cycle(result: sb.Result) -> SteadyOscillation:
    """The last whole cycle of the position about 1 m; nan if there is none."""
    passes = result.crossings("mass.s", 1.0, +1)
    if passes.size < 2:
        return SteadyOscillation(float("nan"), float("nan"), np.full(2001, np.nan))
    start, end = passes[-2:]
    turns = result.crossings("mass.v", 0.0)
    times = np.concatenate([np.linspace(start, end, 2001), turns[(turns > start) & (turns < end)]])
    place = result.at(times, "mass.s") - 1.0
    amplitude = np.abs(place).max()
    return SteadyOscillation(end - start, float(amplitude), place[:2001] / amplitude)


def slip_period(result: sb.Result) -> float:
    """The time (s) between the last two slips: the mass overtakes the pull; nan if there are none."""
    slips = result.crossings("mass.v", 0.1, +1)
    return float(slips[-1] - slips[-2]) if slips.size > 1 else float("nan")


def force_at_peak(result: sb.Result, name: str) -> float:
    """The size of the applied force (N) at the largest friction of the run: what it takes to break away."""
    peak = result.extremes["friction.f"]
    return abs(float(result.at(peak["t_max"], name)))


def apart(one: sb.Result, other: sb.Result) -> float:
    """The largest distance (m) between two runs on the same grid."""
    return float(np.abs(np.asarray(one["mass.s"]) - np.asarray(other["mass.s"])).max())


def fits(claim: str, one: sb.Result, other: sb.Result, where: str = "", otherwise: str = "refuted") -> Claim:
    """Whether two runs lie on each other in a figure."""
    far, whole = apart(one, other), float(np.ptp(np.asarray(one["mass.s"])))
    return judged(
        claim,
        SAME,
        far / whole,
        f"never farther apart than {1e3 * far:.2g} mm, {100 * far / whole:.2g} % of a way of {whole:.3g} m",
        otherwise=otherwise,
        because="they differ visibly",
        where=where,
    )


def per_cycle(result: sb.Result, period: float = VIBRATION) -> float:
    """How far (m) the mass goes on in each period (s) of the second half of the run."""
    end = float(result.time[-1])
    cycles = int(0.5 * end / period)
    first, last = (float(result.at(end - n * period, "mass.s")) for n in (cycles, 0))
    return (last - first) / cycles


@cache
def as_printed(literal: bool) -> tuple[float, float]:
    """Periods (s) of stick-slip and limit cycle with the model as printed and Euler steps of 1 ms, as in Table 1.

    `literal`: in the first step of a slip the sign of the speed is 0, and friction with it.
    """
    model = TwoModes(literal_sign=literal)
    slips, passes = model.run(spring(), 22.0).rises("v", 0.1), model.run(pid(), 130.0).rises("x", 1.0)
    return float(np.diff(slips)[-1]), float(np.diff(passes)[-1])
