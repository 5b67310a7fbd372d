"""Checks of the parts of a record: numbers in SI, increasing times, masks and gaps.

The first argument of each function is the name of the record, for messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import SpecError
from ...units import CELSIUS, ICE_POINT, logged_unit, parse_unit, si_unit, to_si

SHORTEST = 16
"""Least number of samples of a record."""
GAPS = ("refuse", "mask", "fill")
"""Treatment of samples that are not finite: an error, omitted in fits, or interpolated linearly."""


def in_si(owner: str, name: str, values: Any, unit: str | None) -> np.ndarray:
    """A channel as numbers in SI.

    >>> in_si("run7", "q", [0, 180], "deg")
    array([0.        , 3.14159265])
    """
    array, meant = _row(owner, name, values), logged_unit(unit or "")
    if meant in CELSIUS:
        return array + ICE_POINT
    try:
        return array * parse_unit(meant).factor if meant else array
    except ValueError as error:
        raise SpecError(
            f"{owner}: unit '{unit}' of '{name}': {error}; give another one: units={{'{name}': '1'}} (--unit {name}=1)"
        ) from None


def unit_in_si(unit: str | None) -> str:
    """The SI unit of a channel.

    >>> unit_in_si("deg")
    'rad'
    """
    meant = logged_unit(unit or "")
    return "K" if meant in CELSIUS else si_unit(meant) if meant else ""


def mask(owner: str, keep: Any, size: int) -> np.ndarray:
    """Which samples are used.

    >>> mask("run7", [True, False], 2)
    array([ True, False])
    """
    found = np.array(keep, bool)
    if found.shape != (size,):
        raise SpecError(f"{owner}: the mask has the shape {found.shape}; give a bool for each of {size} samples")
    return found


def times(owner: str, time: Any, sample_time: Any, size: int) -> np.ndarray:
    """The times in s.

    >>> times("run7", None, "1 ms", 16)[-1]
    0.015
    """
    if time is not None:
        found = _row(owner, "time", time)
    elif sample_time is None:
        raise SpecError(f"{owner}: give time (s) or sample_time, for instance sample_time='1 ms' (--sample-time)")
    else:
        step = to_si(sample_time, "s", owner, "sample_time")
        if step <= 0:
            raise SpecError(f"{owner}: sample_time = {step:g} s must be above 0")
        found = step * np.arange(size)
    if found.size < SHORTEST:
        raise SpecError(f"{owner} has {found.size} samples; at least {SHORTEST} are needed")
    if not np.all(np.isfinite(found)):
        raise SpecError(f"{owner}: time[{int(np.argmin(np.isfinite(found)))}] is not finite; remove the row")
    back = np.flatnonzero(np.diff(found) <= 0)
    if back.size:
        i = int(back[0])
        raise SpecError(
            f"{owner}: time[{i + 1}] = {found[i + 1]:g} s comes after {found[i]:g} s; times must increase: "
            f"sort the rows and remove duplicates{_restart(found, back)}"
        )
    return found


def _restart(times: np.ndarray, back: np.ndarray) -> str:
    """What else may help: rounded times, or a file with several runs."""
    if np.all(np.diff(times) >= 0):
        return "; if they are rounded, give sample_time (--sample-time) instead"
    return "; each run needs a separate file" if back.size < times.size / SHORTEST else ""


EVEN = 1e-3
"""Variation of time steps, relative to their median, below which they are equal."""
COARSEST = 0.8
"""Largest resolution of times relative to their step; beyond it a lost sample looks like rounding."""
FINEST = 9
"""Most decimals of times (s) that are rounded."""


def even_times(time: np.ndarray) -> tuple[np.ndarray, float | None]:
    """The times and their constant step, None if it varies.

    Times that were rounded, to decimals or to single precision, are even if all of them are within half of this
    resolution of equal steps; they are then replaced by these.

    >>> even_times(np.round(0.0151 * np.arange(100), 3))[1]
    0.0151
    """
    steps = np.diff(time)
    if np.ptp(steps) <= EVEN * np.median(steps):
        return time, float((time[-1] - time[0]) / (time.size - 1))
    at = np.arange(time.size)
    digits = 2 * float(np.spacing(np.abs(time).max()))  # seconds since 1970 have steps of 0.24 us
    resolution = max(_resolution(time), digits)
    if not 0 < resolution < COARSEST * np.mean(steps):
        return time, None
    slope = _flattest(time - time[0], resolution)
    off = time - slope * at
    if np.ptp(off) > resolution * (1 + 1e-6) + 2 * digits:
        return time, None
    return 0.5 * (off.max() + off.min()) + slope * at, slope


def _flattest(time: np.ndarray, resolution: float) -> float:
    """The step from which times deviate least; the range of deviations is a convex function of the step."""
    from scipy.optimize import minimize_scalar

    at = np.arange(time.size)
    first = float(np.polyfit(at, time, 1)[0])
    reach = 4 * resolution / time.size
    found = minimize_scalar(
        lambda more: float(np.ptp(time - (first + more) * at)),
        bounds=(-reach, reach),
        method="bounded",
        options={"xatol": 1e-6 * reach},
    )
    return first + float(found.x)


def resample_advice(time: np.ndarray) -> str:
    """How to make time steps equal, in words.

    >>> resample_advice(np.array([0, 0.01, 0.02, 0.07]))
    "resampled('10 ms') (--resample '10 ms')"
    """
    step = f"{1e3 * float(np.median(np.diff(time))):.3g} ms"
    return f"resampled('{step}') (--resample '{step}')"


def _resolution(time: np.ndarray) -> float:
    """The resolution of times: a power of ten, or that of single precision; 0 if they have more digits."""
    for decimals in range(FINEST + 1):
        scaled = time * 10.0**decimals
        if np.all(np.abs(scaled - np.rint(scaled)) < 1e-6 + 1e-15 * np.abs(scaled)):
            return float(10.0**-decimals)
    if np.array_equal(time, time.astype(np.float32)):
        return float(np.spacing(np.float32(np.abs(time).max())))
    return 0.0


def without_gaps(
    owner: str, gaps: str, arrays: Mapping[str, np.ndarray], time: np.ndarray, valid: np.ndarray
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """The channels without gaps, and which samples are used.

    >>> channels, valid = without_gaps("run7", "mask", {"q": q}, t, np.ones(t.size, bool))
    """
    if gaps not in GAPS:
        raise SpecError(f"{owner}: gaps = '{gaps}' must be one of {', '.join(GAPS)}")
    closed = {}
    for name, values in arrays.items():
        good = np.isfinite(values)
        if good.all():
            closed[name] = values
            continue
        if good.sum() < 2:
            raise SpecError(f"{owner}: '{name}' has no numbers; omit the channel")
        if gaps == "refuse":
            raise SpecError(
                f"{owner}: '{name}' is not finite at {np.size(good) - good.sum()} samples, first at "
                f"t = {time[int(np.argmin(good))]:g} s; gaps='mask' (--gaps mask) omits them, gaps='fill' "
                "(--gaps fill) interpolates"
            )
        closed[name] = np.interp(time, time[good], values[good])
        valid = valid & good if gaps == "mask" else valid
    return closed, valid


def _row(owner: str, name: str, values: Any) -> np.ndarray:
    """One row of real numbers."""
    try:
        array = np.array(values)
        if array.dtype.kind == "c":
            raise TypeError
        array = array.astype(float)
    except (TypeError, ValueError):
        raise SpecError(f"{owner}: '{name}' must be an array of numbers") from None
    if array.ndim != 1:
        raise SpecError(f"{owner}: '{name}' has {array.ndim} dimensions; give one column at a time")
    return array
