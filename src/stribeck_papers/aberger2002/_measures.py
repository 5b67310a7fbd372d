"""What is read off the curves of the gearbox."""

from __future__ import annotations

import numpy as np

import stribeck as sb

SHIFTED = (1.5, 2.75)
"""When shifts begin (s)."""

ELEMENTS = ("C1", "C2", "B1", "B2")
SLIP = 0.02
"""Slip (rad/s) below which an element counts as closed, with bristles as without."""

CLOSERS = {1.5: ("C1", "B2"), 2.75: ("C1", "C2")}
"""Elements that slip in the shift that begins at this time (s)."""


def peak(result: sb.Result, name: str) -> float:
    """Largest size of an output, between the grid points too."""
    extremes = result.extremes[name]
    return max(extremes["max"], -extremes["min"])


def turning_points(values: np.ndarray, least: float) -> list[float]:
    """First value, turning points and last value, where turns of less than `least` do not count.

    >>> turning_points(np.array([0, 3, 1, 2.9, 2.8]), least=0.5)
    [0.0, 3.0, 1.0, 2.9]
    """
    turns, way = [float(values[0])], 0
    for value in values[1:].tolist():
        step = value - turns[-1]
        if way == 0 and abs(step) > least:
            turns, way = [*turns, value], 1 if step > 0 else -1
        elif step * way > 0:
            turns[-1] = value
        elif -step * way > least:
            turns, way = [*turns, value], -way
    return turns


def turns(result: sb.Result, name: str, start: float, span: float = 0.1, least: float = 5e-3) -> list[float]:
    """Turning points of an output between two times (s), without the ends."""
    inside = (result.time >= start) & (result.time < start + span)
    return turning_points(np.asarray(result[name])[inside], least)[1:-1]


def overshoot(result: sb.Result, name: str, start: float, span: float = 0.1) -> float:
    """How far an output that jumps after `start` (s) runs beyond the value that it has at the end of the span."""
    inside = (result.time >= start) & (result.time < start + span)
    values = np.asarray(result[name])[inside]
    beyond = (values - values[-1]) * np.sign(values[-1] - values[0])
    return float(max(beyond.max(), 0.0))


def shift_time(result: sb.Result, start: float) -> float:
    """Time (s) from the command of a shift to the instant at which its elements are closed."""
    ends = [t for name in CLOSERS[start] for t in result.crossings(f"{name}.w_rel", -SLIP, +1)]
    return float(max(t for t in ends if start < t < start + 0.6)) - start


def scatter(result: sb.Result, other: sb.Result, name: str) -> float:
    """Root of the mean square difference of an output in two runs on the same grid."""
    return float(np.sqrt(np.mean((np.asarray(result[name]) - np.asarray(other[name])) ** 2)))


def apart(result: sb.Result, other: sb.Result, name: str) -> float:
    """Largest difference of an output in two runs, at the times of the first, over its range."""
    exact = np.asarray(other.at(np.minimum(result.time, other.time[-1]), name))
    return float(np.abs(np.asarray(result[name]) - exact).max() / np.ptp(exact))


def last_above(time: np.ndarray, sizes: np.ndarray, level: float, start: float, end: float) -> np.ndarray:
    """For each row of sizes, when it falls below a level for the last time between start and end (s), interpolated;
    start if it never is above."""
    inside = np.flatnonzero((time > start) & (time < end))
    found = []
    for row in sizes[:, inside]:
        above = np.flatnonzero(row >= level)
        if not above.size or above[-1] + 1 == row.size:
            found.append(end if above.size else start)
            continue
        i = int(above[-1])
        part = (row[i] - level) / (row[i] - row[i + 1])
        found.append(time[inside[i]] + part * (time[inside[i + 1]] - time[inside[i]]))
    return np.array(found)
