"""What is odd about points of steady friction beside their curve: outliers, limits, two unlike directions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .curve_form import CurveForm
from .steady_points import SteadyPoints

if TYPE_CHECKING:
    from .curve import CurveFit

SUSPECT = 2.5
"""Standard deviations of the largest residual from which on outliers are looked for."""
FAR = 6.0
"""Standard deviations by which an outlier is off the curve through the others."""
ROUNDS = 8
"""Fits in which points count the less, the farther they are off."""
EXACT = 1e-9
"""Residuals below this share of friction are rounding."""
LEVEL = 3
"""Points at exactly the largest value that stand at a limit."""
BETTER = 10.0
"""By which Akaike's criterion must fall for another form to be worth a word."""

Refit = Callable[[SteadyPoints, CurveForm], "CurveFit"]


def doubts(found: CurveFit, refit: Refit) -> tuple[str, ...]:
    """Sentences about the points, none if they are well.

    >>> doubts(fit_curve(v, f), curve_through)
    ("friction of 3 points is exactly the largest, 36 N.m: a drive or a sensor at its limit; leave them out",)
    """
    if found.estimate.unexplained < EXACT:
        return _limited(found)
    return (*_limited(found), *_unlike(found, refit), *_outliers(found, refit))


def outliers(found: CurveFit, refit: Refit) -> np.ndarray:
    """Which points are far off the curve that lies through the others.

    Points count in inverse proportion to how far they are off, again and again, so that few of them do not bend the
    curve; the scatter is the median of what is left, but for as many points as the curve has parameters.

    >>> np.flatnonzero(outliers(found, curve_through))
    array([3])
    """
    points, form, count = found.points, found.form, len(found.form.names)
    none = np.zeros(len(points), bool)
    if found.estimate.unexplained < EXACT or len(points) < 2 * count or _largest(found) < SUSPECT:
        return none
    error = np.ones(len(points)) if points.friction_error is None else points.friction_error
    for _ in range(ROUNDS):
        off = np.abs(points.friction - found(points.speed)) / error
        scatter = float(np.median(np.sort(off)[count:])) / 0.6745
        if not scatter:
            return none
        wide = error * np.sqrt(np.maximum(off / scatter, 1.0))
        found = refit(replace(points, friction_error=wide), form)
    return np.asarray(off > FAR * scatter)


def _largest(found: CurveFit) -> float:
    rest = np.abs(found.points.friction - found(found.points.speed)) * found.points.weight
    freedom = max(len(found.points) - len(found.form.names), 1)
    usual = float(np.sqrt(np.sum(rest**2) / freedom))
    return float(rest.max()) / usual if usual else 0.0


def _outliers(found: CurveFit, refit: Refit) -> tuple[str, ...]:
    at = np.flatnonzero(outliers(found, refit))
    if not at.size:
        return ()
    unit = found.points.units[0]
    where = ", ".join(f"{found.points.speed[i]:.4g}" for i in at[:5]) + (f" {unit}" if unit else "")
    return (f"{at.size} of the points, at {where}, are far off the curve of the others: see without_outliers()",)


def _limited(found: CurveFit) -> tuple[str, ...]:
    size = np.abs(found.points.friction)
    top = size >= size.max() * (1 - 1e-12)
    if not LEVEL <= top.sum() < size.size or np.unique(size).size < LEVEL:
        return ()
    said = f"{size.max():.4g} {found.points.units[1]}".strip()
    return (
        f"friction of {top.sum()} points is exactly the largest, {said}: a drive or a sensor at its limit; leave these "
        "points out",
    )


def _unlike(found: CurveFit, refit: Refit) -> tuple[str, ...]:
    """Whether an offset or sides of their own would fit far better."""
    form = found.form
    if form.offset or form.asymmetric or np.all(found.points.speed > 0) or np.all(found.points.speed < 0):
        return ()
    least, word = found.aicc - BETTER, ""
    for other in ("offset", "asymmetric"):
        wider = replace(form, **{other: True})  # type: ignore[arg-type]
        if len(found.points) > len(wider.names) + 2 and wider.fits(found.points):
            trial = refit(found.points, wider).aicc
            if trial < least:
                least, word = trial - BETTER, other
    return (f"the two directions differ: {word}=True fits far better",) if word else ()
