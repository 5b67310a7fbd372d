"""What points of steady friction can tell about the Stribeck effect, and what they cannot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..regression.estimate import Estimate, linear_fit
from ..regression.separable import Separated, profile
from .form import CurveForm
from .steady_points import SteadyPoints

LEVEL = 0.95
"""Of what is called as good as the best."""


@dataclass(frozen=True, eq=False)
class Limits:
    """The parameters that are lost and why; where friction only begins to fall, the straight line of this beginning.

    >>> limits_of(points, form, grids, best).lost
    ('mu_s', 'v_s')
    """

    lost: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    start: Estimate | None = None


SEEN = Limits()
"""The whole Stribeck effect."""


def limits_of(points: SteadyPoints, form: CurveForm, grids: Mapping[str, np.ndarray], best: Separated) -> Limits:
    """The Stribeck speed cannot be told when an end of its grid, far outside of the points, fits as well as the best.

    >>> limits_of(points, form, grids, best) is SEEN
    True
    """
    ends = {name: grid if name != "v_s" else grid[[0, -1]] for name, grid in grids.items()}
    costs = profile(lambda x: form.columns(points.speed, x), points.friction, ends, "v_s", best, points.weight)
    slow, fast = (costs <= as_good(best.cost, points, form)).tolist()
    unit = f" {points.units[0]}" if points.units[0] else ""
    slowest = f"the slowest is at {np.abs(points.speed).min():g}{unit}, measure at slower ones"
    unfinished = (
        "mu_c and v_s cannot be told: friction has not fallen to the end; the fastest point is at "
        f"{np.abs(points.speed).max():g}{unit}, measure at faster ones"
    )
    free = ("exponent",) if form.exponent is None else ()
    line = _line(points, form)
    if slow and fast and line["mu_v"] < -2 * line.errors["mu_v"]:
        return Limits(notes=(unfinished,), start=line)
    if slow:
        seen = "there is no Stribeck effect in the points" if fast else "the Stribeck effect is over in all points"
        return Limits(("mu_s", "v_s", *free), (f"mu_s and v_s cannot be told: {seen}; {slowest}",))
    if fast:
        return Limits(("mu_c", "v_s", *free, *(["mu_v"] if form.viscous else [])), (unfinished,))
    return SEEN


def as_good(cost: float, points: SteadyPoints, form: CurveForm) -> float:
    """Up to which sum of squares a fit with one parameter less is as good as the best (Fisher), besides rounding.

    >>> as_good(best.cost, points, form) / best.cost
    1.17
    """
    from scipy.stats import f as fisher

    freedom = max(points.speed.size - len(form.names), 1)
    rounding = 1e-24 * float(np.sum((points.friction * points.weight) ** 2))
    return float(cost * (1 + fisher.ppf(LEVEL, 1, freedom) / freedom) + rounding)


def spread_over(old: Estimate, form: CurveForm, points: SteadyPoints, coulomb: str) -> Estimate:
    """An estimate without a Stribeck effect as one of a form with it: the others are lost.

    `coulomb` is what its mu_c is in this form: mu_c, or mu_s where friction begins to fall; and its slope is lost.

    >>> spread_over(plain.estimate, form, points, "mu_c").unidentifiable
    ('mu_s', 'v_s')
    """
    source = {coulomb: "mu_c", "offset": "offset"}
    if coulomb == "mu_c":
        source |= {"mu_v": "mu_v", "v_v": "v_v"}
    source = {name: of for name, of in source.items() if name in form.names and of in old.names}
    names = form.names
    at, of = [names.index(name) for name in source], [old.names.index(name) for name in source.values()]
    covariance = np.full((len(names), len(names)), np.nan)
    covariance[np.ix_(at, at)] = old.covariance[np.ix_(of, of)]
    values = {name: old.values[source[name]] if name in source else np.nan for name in names}
    return replace(
        old,
        values=values,
        covariance=covariance,
        units=form.units(points.units),
        unidentifiable=tuple(name for name in names if np.isnan(values[name])),
    )


def without(estimate: Estimate, lost: tuple[str, ...]) -> Estimate:
    """An estimate without the numbers of lost parameters.

    >>> without(estimate, ("mu_c", "v_s"))["mu_c"]
    nan
    """
    if not lost:
        return estimate
    gone = np.array([name in lost for name in estimate.names])
    covariance = estimate.covariance.copy()
    covariance[gone, :] = covariance[:, gone] = np.nan
    return replace(
        estimate,
        values={name: np.nan if name in lost else value for name, value in estimate.values.items()},
        covariance=covariance,
        unidentifiable=tuple(dict.fromkeys((*estimate.unidentifiable, *lost))),
    )


def _line(points: SteadyPoints, form: CurveForm) -> Estimate:
    """Coulomb and viscous friction, to see whether friction falls."""
    plain = replace(form, stribeck=False, viscous=True, threshold=None)
    return linear_fit(
        plain.columns(points.speed, {}),
        points.friction,
        errors=points.friction_error,
        method="curve of steady friction",
    )
