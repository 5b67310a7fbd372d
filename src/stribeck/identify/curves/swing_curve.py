"""Friction over speed from sinusoidal tests, without a formula: Schloemilch's inversion.

A sine with the speed amplitude V has the mean drive y(V) = (2/pi) int_0^{pi/2} f(V sin p) dp between two reversals: it
mixes friction at all speeds up to V. This is Schloemilch's integral equation, with the solution

    f(v) = y(0) + v int_0^{pi/2} y'(v sin p) dp.

Between the measured amplitudes y is a cubic spline over their logarithm, in fine pieces of which the integral is a sum
of arcsines. The result is linear in the measured means, so their errors carry over to the curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...errors import SpecError
from .steady_points import SteadyPoints

if TYPE_CHECKING:
    from ..bench.sinusoidal import Sinusoidal
    from ..bench.swings import Swing

SINE = (np.pi / 2) / np.sqrt(2)
"""Root mean square over mean of the speed of a sine."""
SHAPE = 0.06
"""Relative deviation from this ratio up to which a swing is a sine."""
REFINED = 16
"""Pieces of the spline between two amplitudes."""
FEWEST = 3
"""Least number of amplitudes in each direction."""


def swing_curve(found: Sinusoidal, spacing: float = 1.05) -> SteadyPoints:
    """Friction at the speed amplitudes of a sinusoidal test, in both directions; no shape of the curve is assumed.

    Records whose amplitudes are closer than the ratio `spacing` are averaged; a larger ratio gives a smoother curve.
    Below the smallest amplitude friction is taken as constant. Swings must be sines, without `trim`.

    >>> len(swing_curve(sinusoidal(records)))
    6
    """
    if spacing < 1:
        raise SpecError(f"spacing = {spacing:g} is a ratio of amplitudes; it must be 1 or more")
    parts = [_direction(found.swings, way, spacing) for way in (1, -1)]
    speed, friction, error = (np.concatenate(column) for column in zip(*parts, strict=True))
    return SteadyPoints(speed, friction, error, _units(found))


def schloemilch_inversion(
    amplitude: Sequence[float] | np.ndarray,
    mean: Sequence[float] | np.ndarray,
    error: Sequence[float] | np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Friction at the speed amplitudes of sines from the mean drives between reversals, and its standard errors.

    The amplitudes increase and have one unit of speed; friction has that of the means, of which `error` are the
    standard errors (0 by default). Below the smallest amplitude friction is taken as constant.

    >>> fast = np.geomspace(0.01, 4, 30)
    >>> schloemilch_inversion(fast, 0.5 + 2 / np.pi * fast)[0][-1]  # of 0.5 + v
    4.5
    """
    amplitude, mean = np.asarray(amplitude, float), np.asarray(mean, float)
    error = np.zeros(amplitude.shape) if error is None else np.asarray(error, float)
    if amplitude.ndim != 1 or not amplitude.shape == mean.shape == error.shape or amplitude.size < FEWEST:
        raise SpecError(
            f"schloemilch_inversion: amplitude, mean and error have the shapes {amplitude.shape}, {mean.shape} and "
            f"{error.shape}; give rows of one length, {FEWEST} values or more"
        )
    if not amplitude[0] > 0 or not (np.diff(amplitude) > 0).all():
        raise SpecError("schloemilch_inversion: amplitudes must be positive and increase; sort them, merge equal ones")
    from scipy.interpolate import CubicSpline

    steps = np.linspace(0, amplitude.size - 1, REFINED * (amplitude.size - 1) + 1)
    fine = np.exp(np.interp(steps, np.arange(amplitude.size), np.log(amplitude)))
    course = CubicSpline(np.log(amplitude), np.eye(amplitude.size), bc_type="natural")(np.log(fine))
    slopes = np.diff(course, axis=0) / np.diff(fine)[:, None]  # of y between two fine amplitudes
    angles = np.arcsin(np.minimum(fine[None, :] / amplitude[:, None], 1.0))
    linear = (amplitude[:, None] * np.diff(angles, axis=1)) @ slopes
    linear[:, 0] += 1.0  # y(0) is y at the smallest amplitude
    return linear @ mean, np.sqrt((linear**2) @ error**2)


def _direction(
    records: Sequence[Sequence[Swing]], way: int, spacing: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Speeds, friction and its errors in one direction."""
    groups = [[swing for swing in record if swing.direction == way] for record in records]
    groups = [group for group in groups if group]
    for group in groups:
        ratio = float(np.mean([np.sqrt(np.mean(s.speeds**2)) / np.mean(s.speeds) for s in group])) / SINE
        if abs(ratio - 1) > SHAPE:
            raise SpecError(
                f"swing_curve: the swings at a mean speed of {np.mean([s.speed for s in group]):.3g} are no sines "
                f"(root mean square {ratio:.3g} times that of a sine); use sinusoidal, or steady speeds with fit_curve"
            )
    amplitude = np.array([np.pi / 2 * np.mean([s.speed for s in group]) for group in groups])
    mean = np.array([np.mean([s.drive for s in group]) for group in groups])
    v, y, error = _merged(amplitude, mean, _errors(groups), spacing)
    if v.size < FEWEST:
        raise SpecError(
            f"swing_curve: there are {v.size} different amplitudes; {FEWEST} or more are needed, over the range of "
            "speeds of the curve"
        )
    friction, errors = schloemilch_inversion(v, y, error)
    return way * v, way * friction, errors


def _errors(groups: Sequence[Sequence[Swing]]) -> np.ndarray:
    """Standard errors of the mean drives, from the scatter of swings in all records."""
    squares = sum(float(np.sum((np.array([s.drive for s in g]) - np.mean([s.drive for s in g])) ** 2)) for g in groups)
    freedom = sum(len(group) - 1 for group in groups)
    spread = np.sqrt(squares / freedom) if freedom else 0.0
    least = 1e-9 * max(abs(swing.drive) for group in groups for swing in group)
    return np.array([max(spread, least) / len(group) ** 0.5 for group in groups])


def _merged(
    amplitude: np.ndarray, mean: np.ndarray, error: np.ndarray, spacing: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means of records with nearly the same amplitude, in increasing order."""
    order = np.argsort(amplitude)
    rows: list[list[int]] = []
    for i in order.tolist():
        if rows and amplitude[i] < spacing * amplitude[rows[-1][0]]:
            rows[-1].append(i)
        else:
            rows.append([i])
    weights = [1 / error[row] ** 2 for row in rows]
    return (
        np.array([np.average(amplitude[row], weights=w) for row, w in zip(rows, weights, strict=True)]),
        np.array([np.average(mean[row], weights=w) for row, w in zip(rows, weights, strict=True)]),
        np.array([np.sum(w) ** -0.5 for w in weights]),
    )


def _units(found: Sinusoidal) -> tuple[str, str]:
    """Units of speed and friction, from those of viscous friction and of the drive."""
    viscous = found.estimate.units.get("fv", "")
    force = next((unit for name, unit in found.estimate.units.items() if name.startswith("fc")), "")
    place = viscous.rpartition("/")[2] if force and viscous else ""
    return (f"{place}/s" if place else "", force)
