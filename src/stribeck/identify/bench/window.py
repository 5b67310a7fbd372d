"""One ramp as the onset of sliding is evaluated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Window:
    """One ramp in positive direction, from rest until some way of sliding.

    >>> Window(time, drive, at, place, spread, rest=(0.0, 1e-5), low=0.0, start=0.151, rate=0.1, seen=0.153, onset=0.02,
    ...        step=1e-4)
    """

    time: np.ndarray
    drive: np.ndarray
    """All samples, for the forcing."""
    at: np.ndarray
    place: np.ndarray
    spread: np.ndarray
    """Instants at which the motion passes some positions, to be explained, and their standard deviations (s)."""
    rest: tuple[float, float]
    """Position at rest and its standard deviation."""
    low: float
    """Drive at the beginning of the ramp."""
    start: float
    """First guess of the instant at which it slides."""
    rate: float
    """Rate of the drive."""
    seen: float
    """Drive at which it certainly slides."""
    onset: float
    """First guess of the time that it has slid by then (s)."""
    step: float
    """Smallest travel that the sensor resolves."""
