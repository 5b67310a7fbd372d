"""The steady oscillation in a trace: its period and its cycles."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...results import PiecewiseCubic, Result

SMALL = 0.01
"""An oscillation that is smaller than this share of the whole range has died out."""
STEADY = 0.1
"""The ranges of the last two cycles differ by less than this share."""
HIGH, AGAIN = 0.75, 0.6
"""A cycle starts where the trace rises above the first share of its range, once it has been below the second. Levels
away from the middle, because a machine that rests between strokes in both directions rests there."""


class Oscillation(NamedTuple):
    """Period of the last cycles (s; nan if there is no steady oscillation) and number of whole cycles in the run.

    >>> sb.analysis.Oscillation.of(sb.simulate(sb.load_model("stick-slip")), "mass.w").cycles
    2
    """

    period: float
    cycles: int

    @classmethod
    def of(cls, result: Result, name: str) -> Oscillation:
        """The steady oscillation of an output, by its range in the second half of the run.

        >>> Oscillation.of(result, "mass.w")
        Oscillation(period=6.36272, cycles=2)
        """
        time, value = result.time, np.asarray(result[name])
        late = value[time >= 0.5 * (time[0] + time[-1])]
        none = cls(float("nan"), 0)
        if time.size < 3 or np.ptp(late) <= SMALL * np.ptp(value):
            return none
        curve = result.curve(name)
        ups = _starts(curve, late.min(), np.ptp(late))
        if ups.size < 2 or not _steady(curve, ups):
            return cls(none.period, max(ups.size - 1, 0))
        last = ups[max(-ups.size, -1 - (ups.size + 1) // 2) :]  # the later half of the cycles
        return cls(float(np.diff(last).mean()), ups.size - 1)


def _starts(curve: PiecewiseCubic, low: float, span: float) -> np.ndarray:
    """Upward crossings of the level HIGH, of those between two falls below the level AGAIN the first one."""
    ups, falls = curve.crossings(low + HIGH * span, +1), curve.crossings(low + AGAIN * span, -1)
    first = np.diff(np.searchsorted(falls, ups), prepend=-1) > 0
    starts: np.ndarray = ups[first]
    return starts


def _steady(curve: PiecewiseCubic, ups: np.ndarray) -> bool:
    """Whether the last cycle is as large as the one before."""
    ranges = [np.ptp(curve(np.linspace(a, b, 201))) for a, b in pairwise(ups[-3:])]
    return bool(min(ranges) >= (1 - STEADY) * max(ranges))
