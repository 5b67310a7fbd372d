"""Interpolation of a trace: cubic if the slope is known, else linear.

On the interval from t0 to t1 = t0 + h, with x = (t - t0) / h, the cubic through y0, y1 with slopes d0, d1 is

    y(x) = y0 + h d0 x + (3 D - 2 h d0 - h d1) x^2 + (h d0 + h d1 - 2 D) x^3,   D = y1 - y0,

which is the straight line when both slopes are D / h. Its error is h^4 / 384 times the fourth derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import ResultError

_ITERATIONS = 64  # a bisection alone would be at rounding level by then


class PiecewiseCubic:
    """Piecewise cubic through (time, value).

    >>> curve = PiecewiseCubic.linear(np.array([0.0, 1.0]), np.array([0.0, 2.0]))
    >>> curve(0.25), curve.crossings(1.0)
    (0.5, array([0.5]))
    """

    def __init__(self, time: np.ndarray, value: np.ndarray, start: np.ndarray, end: np.ndarray) -> None:
        """`start` and `end` are the slopes at the two ends of each interval."""
        self.time, self.value = time, value
        step = np.diff(time)
        rise, start, end = np.diff(value), step * start, step * end
        self._step = step
        self._cubic = np.stack([value[:-1], start, 3 * rise - 2 * start - end, start + end - 2 * rise])

    @classmethod
    def linear(cls, time: np.ndarray, value: np.ndarray) -> PiecewiseCubic:
        """Linear interpolation."""
        slope = _secants(time, value)
        return cls(time, value, slope, slope)

    @classmethod
    def hermite(cls, time: np.ndarray, value: np.ndarray, slope: np.ndarray, breaks: np.ndarray) -> PiecewiseCubic:
        """Cubics that match the slopes; at a jump of the slope (`breaks`) a corner with linear segments beside it."""
        inner = np.setdiff1d(breaks[(breaks > time[0]) & (breaks < time[-1])], time)

        # value at the break: constant if one side is at rest, else from both tangents, weighted by distance
        at = np.searchsorted(time, inner)
        before, after = inner - time[at - 1], time[at] - inner
        left, right = value[at - 1] + before * slope[at - 1], value[at] - after * slope[at]
        corner = (left * after**2 + right * before**2) / (before**2 + after**2)
        corner = np.where(slope[at - 1] == 0, left, np.where(slope[at] == 0, right, corner))

        knots, values, slopes = np.insert(time, at, inner), np.insert(value, at, corner), np.insert(slope, at, 0.0)
        broken = np.isin(knots, breaks)
        straight, secants = broken[:-1] | broken[1:], _secants(knots, values)
        return cls(knots, values, np.where(straight, secants, slopes[:-1]), np.where(straight, secants, slopes[1:]))

    def __call__(self, t: Any) -> Any:
        """Value at t (s), a number or an array; times outside the run are refused."""
        at = within(self.time, t)
        if self.time.size == 1:
            return unwrap(np.full(at.shape, self.value[0]))
        i = np.clip(np.searchsorted(self.time, at, side="right") - 1, 0, self.time.size - 2)
        return unwrap(_horner(self._cubic[:, i], (at - self.time[i]) / self._step[i]))

    def crossings(self, level: float, direction: int = 0) -> np.ndarray:
        """Times at which the curve passes the level: upwards (+1), downwards (-1) or both (0).

        Touching does not count. After a plateau exactly on the level, the crossing is where the plateau ends.
        """
        interval, x, height = self._monotone_nodes(level)
        sign = _carry(np.sign(height))
        passed = np.flatnonzero((sign[:-1] * sign[1:] < 0) & ((direction == 0) | (sign[1:] == direction)))
        return self._roots(level, interval[passed], x[passed], np.where(x[passed + 1] > 0, x[passed + 1], 1.0))

    def _monotone_nodes(self, level: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Grid points and turning points in order (interval, place x in it, height above the level).

        Turning points are needed only where the control polygon of the cubic reaches the level.
        """
        y, d, q, c = self._cubic
        hull = np.stack([y, y + d / 3, y + 2 * d / 3 + q / 3, self.value[1:]]) - level
        near = np.flatnonzero((hull.min(axis=0) <= 0) & (hull.max(axis=0) >= 0))
        turn, owner = _turning_points(d[near], q[near], c[near])
        intervals = np.arange(self.time.size)
        interval = np.concatenate([intervals, near[owner]])
        x = np.concatenate([np.zeros(self.time.size), turn])
        height = np.concatenate([self.value, _horner(self._cubic[:, near[owner]], turn)]) - level
        order = np.lexsort([x, interval])
        return interval[order], x[order], height[order]

    def _roots(self, level: float, interval: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Times of the single root in each bracket low <= x <= high: Newton, safeguarded by bisection."""
        y, d, q, c = self._cubic[:, interval]
        rising = _horner((y, d, q, c), high) > level
        x = 0.5 * (low + high)
        for _ in range(_ITERATIONS):
            miss = _horner((y, d, q, c), x) - level
            above = (miss > 0) == rising
            low, high = np.where(above, low, x), np.where(above, x, high)
            slope = d + x * (2 * q + x * 3 * c)
            newton = x - np.divide(miss, slope, out=np.full_like(x, np.inf), where=slope != 0)
            x = np.where((newton >= low) & (newton <= high), newton, 0.5 * (low + high))
        times: np.ndarray = self.time[interval] + x * self._step[interval]
        return times


def within(time: np.ndarray, t: Any) -> np.ndarray:
    """The times t (s) as an array; times outside the run are refused.

    >>> within(np.array([0.0, 25.0]), 3)
    array(3.)
    """
    try:
        at = np.asarray(t, float)
    except (TypeError, ValueError, OverflowError):
        raise ResultError(f"t = {t!r} must be a time in s, or an array of times") from None
    if not time.size:
        raise ResultError(f"t = {t!r} s is outside the run, which has not begun")
    outside = at[~((at >= time[0]) & (at <= time[-1]))]
    if outside.size:
        raise ResultError(f"t = {outside[0]:g} s is outside the run ({time[0]:g} to {time[-1]:g} s)")
    return at


def unwrap(values: np.ndarray) -> Any:
    """A number if the argument was a number, else the array.

    >>> unwrap(np.array(0.5))
    0.5
    """
    return float(values) if np.ndim(values) == 0 else values


def _horner(cubic: Any, x: Any) -> Any:
    """y + d x + q x^2 + c x^3."""
    y, d, q, c = cubic
    return y + x * (d + x * (q + x * c))


def _secants(time: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Slopes of the linear segments."""
    return np.diff(value) / np.diff(time)


def _turning_points(d: np.ndarray, q: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places 0 < x < 1 with d + 2 q x + 3 c x^2 = 0, and the cubic that each belongs to."""
    root = np.sqrt(np.maximum(q * q - 3 * c * d, 0.0))
    half = -(q + np.copysign(root, q))  # no cancellation: x1 = half / 3c, x2 = d / half
    with np.errstate(divide="ignore", invalid="ignore"):
        places = np.concatenate([half / (3 * c), d / half])
    owner = np.tile(np.arange(d.size), 2)
    inside = (places > 0) & (places < 1)
    return places[inside], owner[inside]


def _carry(sign: np.ndarray) -> np.ndarray:
    """Signs, with zeros replaced by the sign before them: a curve on the level is still on its previous side."""
    last = np.maximum.accumulate(np.where(sign != 0, np.arange(sign.size), 0))
    return sign[last]
