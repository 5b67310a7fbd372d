"""Warnings about points of steady friction: outliers, limits, asymmetry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .bounds import at_bound
from .form import CurveForm
from .search import squares, squares_from, squares_without_each
from .steady_points import SteadyPoints

if TYPE_CHECKING:
    from .curve import CurveFit

MANY = 10
"""Points per possible outlier; two are always possible."""
TRIED = 3
"""Candidates for the next outlier: the points without which a curve on a coarse grid fits best."""
LEAST = 3
"""Least number of degrees of freedom that must remain."""
CHANCE = 0.005
"""Probability of a false outlier."""
WITHIN = 2.0
"""Standard errors of a point within which it is not an outlier."""
EXACT = 1e-9
"""Residuals, relative to friction, that are rounding."""
LEVEL = 3
"""Points at exactly the largest value from which on it is a limit."""
DIFFER = "the two directions differ"
"""How the note about them begins."""
BETTER = 10.0
"""Reduction of the AICc from which on another form is recommended."""

Refit = Callable[[SteadyPoints, CurveForm], "CurveFit"]


def warnings_of(found: CurveFit, refit: Refit) -> tuple[str, ...]:
    """Warnings about the points, none if they are good.

    >>> warnings_of(fit_curve(v, np.clip(f, -0.12, 0.12), units=("rad/s", "N.m")), through)[0]
    'friction of 18 points is exactly the largest, 0.12 N.m: a drive or a sensor at its limit; omit these points'
    """
    if found.estimate.unexplained < EXACT:
        return (*_limited(found), *_falling(found), *_bounded(found))
    directions = _asymmetric(found, refit)
    return (
        *_limited(found),
        *_falling(found),
        *_bounded(found),
        *(directions or _rivals(found)),  # a form that does not fit has many optima
        *_outliers(found),
    )


def outliers(found: CurveFit) -> np.ndarray:
    """Which points are outliers, separately for each direction if the curve is asymmetric.

    Points are removed one by one, each time the one without which the others fit best, up to the largest possible
    number of outliers. Outliers are all points up to the last one whose removal was significant (F test with Bonferroni
    correction), as in B. Rosner: Percentage Points for a Generalized ESD Many-Outlier Procedure. Technometrics 25
    (1983). A point that the curve meets within its standard error is not an outlier.

    >>> np.flatnonzero(outliers(found))
    array([3])
    """
    gone = np.zeros(len(found.points), bool)
    if found.estimate.unexplained < EXACT:
        return gone
    form = replace(found.form, asymmetric=False)
    sides = [found.points.speed > 0, found.points.speed < 0] if found.form.asymmetric else [~gone]
    for side in sides:
        at = np.flatnonzero(side)
        gone[at[_outlying(found.points.chosen(at), form)]] = True
    error = found.points.friction_error
    return (
        gone if error is None else gone & (np.abs(found.points.friction - found(found.points.speed)) > WITHIN * error)
    )


def _outlying(points: SteadyPoints, form: CurveForm) -> list[int]:
    from scipy.stats import f as fisher

    kept, order, found = np.arange(len(points)), [], 0
    cost = squares(points, form)
    for _ in range(max(2, len(points) // MANY)):
        freedom = kept.size - 1 - len(form.names)
        rough, starts = squares_without_each(points.chosen(kept), form)
        rests = {int(i): points.chosen(np.delete(kept, i)) for i in np.argsort(rough)[:TRIED]}
        costs = {
            i: squares_from(rest, form, starts[i]) for i, rest in rests.items() if freedom >= LEAST and form.fits(rest)
        }
        if not costs:
            break
        best = min(costs, key=lambda i: costs[i])
        order.append(int(kept[best]))
        if cost - costs[best] > fisher.isf(CHANCE / kept.size, 1, freedom) * costs[best] / freedom:
            found = len(order)
        kept, cost = np.delete(kept, best), costs[best]
    return order[:found]


def _outliers(found: CurveFit) -> tuple[str, ...]:
    at = np.flatnonzero(outliers(found))
    if not at.size:
        return ()
    unit = found.points.units[0]
    where = ", ".join(f"{found.points.speed[i]:.4g}" for i in at[:5]) + (f" {unit}" if unit else "")
    return (f"{at.size} of the points, at {where}, are outliers: see without_outliers() (--set without_outliers=true)",)


def _falling(found: CurveFit) -> tuple[str, ...]:
    """Viscous friction below 0, which no law can have."""
    notes = []
    for name in ("mu_v", "mu_v+", "mu_v-"):
        value, error = found.estimate.values.get(name, 0.0), found.estimate.errors.get(name, 0.0)
        if value < 0:
            sure = "friction falls up to the fastest points: it is warm, or the Stribeck effect reaches further"
            why = (
                sure
                if value < -2 * error
                else "within its error it may be 0: omit it with viscous=False (--set viscous=false)"
            )
            notes.append(
                f"{name} is below 0, {value:.3g} +- {error:.2g}; {why}; bounds={{'mu_v': (0, None)}} (--set "
                "bounds='{mu_v: [0, null]}') keeps it above 0"
            )
    return tuple(notes)


def _rivals(found: CurveFit) -> tuple[str, ...]:
    """Other curves that fit about as well."""
    unit = f" {found.points.units[0]}" if found.points.units[0] else ""
    notes = []
    for other in found.others:
        shown = ", ".join(f"{name} = {other[name]:.4g}" for name in ("mu_c", "mu_s", "mu_v") if name in other)
        notes.append(
            f"another curve fits about as well: v_s = {other['v_s']:.4g}{unit}, {shown}; measure more points around "
            "both Stribeck speeds, or give bounds={'v_s': (low, high)} "
            "(--set bounds='{v_s: [low, high]}')"
        )
    return tuple(notes)


def _bounded(found: CurveFit) -> tuple[str, ...]:
    """Parameters on a bound, without a standard error."""
    form, values = found.form, found.estimate.values
    names = [n for n in found.estimate.names if at_bound(form, n if n in form.bounds else n.rstrip("+-"), values[n])]
    return tuple(f"{name} is at its bound, {values[name]:.4g}; its error is not known" for name in names)


def _limited(found: CurveFit) -> tuple[str, ...]:
    size = np.abs(found.points.friction)
    top = size >= size.max() * (1 - 1e-12)
    if not LEVEL <= top.sum() < size.size or np.unique(size).size < LEVEL:
        return ()
    largest = f"{size.max():.4g} {found.points.units[1]}".strip()
    return (
        f"friction of {top.sum()} points is exactly the largest, {largest}: a drive or a sensor at its limit; omit "
        "these points",
    )


def _asymmetric(found: CurveFit, refit: Refit) -> tuple[str, ...]:
    """Whether an offset or separate parameters for each direction would fit far better."""
    form = found.form
    if form.offset or form.asymmetric or form.loads or np.all(found.points.speed > 0) or np.all(found.points.speed < 0):
        return ()
    general = replace(form, asymmetric=True)
    if general.fits(found.points) and not _gains(found, refit(found.points, general)):
        return ()
    least, word = found.aicc - BETTER, ""
    for other, more in WIDER.items():
        wider = replace(form, **more)  # type: ignore[arg-type]
        if len(found.points) > len(wider.names) + 2 and wider.fits(found.points):
            trial = refit(found.points, wider).aicc
            if trial < least:
                least, word = trial - BETTER, other
    return (f"{DIFFER}: {word} fits far better",) if word else ()


def _gains(found: CurveFit, general: CurveFit) -> bool:
    """Whether the most general form, which contains all others, fits so much better that one of them may, with a single
    parameter more."""
    squares = [
        float(np.sum(((f.points.friction - f(f.points.speed)) * f.points.weight) ** 2)) for f in (found, general)
    ]
    return len(found.points) * float(np.log(squares[0] / max(squares[1], 1e-300))) > BETTER + 2


WIDER = {
    "offset=True (--set offset=true)": {"offset": True},
    "asymmetric='load' (--set asymmetric=load)": {"loads": True},
    "asymmetric=True (--set asymmetric=true)": {"asymmetric": True},
    "asymmetric='load' with offset=True (--set asymmetric=load --set offset=true)": {"loads": True, "offset": True},
}
"""Forms for directions that differ, the simplest first."""
