"""The steady oscillation in a trace: its period and its cycles."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..results import Curve, Result

SMALL = 0.01
"""An oscillation that is smaller than this share of the whole range has died out."""
STEADY = 0.1
"""The ranges of the last two cycles differ by less than this share."""


class Oscillation(NamedTuple):
    """Period of the last cycles (s; nan if there is no steady oscillation) and number of whole cycles in the run."""

    period: float
    cycles: int

    @classmethod
    def of(cls, result: Result, name: str) -> Oscillation:
        """The steady oscillation of an output, between upward crossings of the middle of its range in the second half.

        >>> Oscillation.of(result, "mass.w")
        Oscillation(period=6.36272, cycles=2)
        """
        time, value = result.time, np.asarray(result[name])
        late = value[time >= 0.5 * (time[0] + time[-1])]
        none = cls(float("nan"), 0)
        if time.size < 3 or np.ptp(late) <= SMALL * np.ptp(value):
            return none
        curve = result.curve(name)
        ups = curve.crossings(0.5 * (late.min() + late.max()), +1)
        if ups.size < 2 or not _steady(curve, ups):
            return cls(none.period, max(ups.size - 1, 0))
        last = ups[max(-ups.size, -1 - (ups.size + 1) // 2) :]  # the later half of the cycles
        return cls(float(np.diff(last).mean()), ups.size - 1)


def _steady(curve: Curve, ups: np.ndarray) -> bool:
    """Whether the last cycle is as large as the one before."""
    ranges = [np.ptp(curve(np.linspace(a, b, 201))) for a, b in zip(ups[-3:-1], ups[-2:], strict=True)]
    return bool(min(ranges) >= (1 - STEADY) * max(ranges))
