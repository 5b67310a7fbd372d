"""Identifiability of the Stribeck effect from points of steady friction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..regression.estimate import Estimate, linear_fit
from ..regression.separable import Separated, profile
from .form import CurveForm
from .steady_points import SteadyPoints

LEVEL = 0.95
"""Confidence level at which a fit is as good as the best one."""


@dataclass(frozen=True, eq=False)
class Limits:
    """The parameters that are not identifiable (`lost`), and why. Where friction only begins to fall, `start` is the
    straight line of this beginning.

    >>> Limits(lost=("mu_s", "v_s"), notes=("the points show no Stribeck effect",)).lost
    ('mu_s', 'v_s')
    """

    lost: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    start: Estimate | None = None


IDENTIFIABLE = Limits()
"""The whole Stribeck effect is identifiable."""


def limits_of(points: SteadyPoints, form: CurveForm, grids: Mapping[str, np.ndarray], best: Separated) -> Limits:
    """The Stribeck speed is not identifiable if an end of its grid, far outside the points, fits as well as the best.

    >>> limits_of(points, form, grids, best) is IDENTIFIABLE
    True
    """
    if "v_s" in form.bounds:  # what is known from elsewhere is not asked of the points
        return IDENTIFIABLE
    ends = {name: grid if name != "v_s" else grid[[0, -1]] for name, grid in grids.items()}
    costs = profile(
        lambda x: form.columns(points.speed, x), points.friction, ends, "v_s", best, points.weight, form.bounds
    )
    slow, fast = (costs <= cost_limit(best.cost, points, form)).tolist()
    unit = f" {points.units[0]}" if points.units[0] else ""
    slowest = f"the slowest point is at {np.abs(points.speed).min():g}{unit}, measure at lower speeds"
    unfinished = (
        "mu_c and v_s are not identifiable: friction still falls at the fastest point, "
        f"{np.abs(points.speed).max():g}{unit}; measure at higher speeds"
    )
    free = ("exponent",) if form.exponent is None else ()
    line = _line(points, form)
    if slow and fast and line["mu_v"] < -2 * line.errors["mu_v"]:
        return Limits(notes=(unfinished,), start=line)
    if slow:
        why = "the points show no Stribeck effect" if fast else "the Stribeck effect ends below the slowest point"
        return Limits(("mu_s", "v_s", *free), (f"mu_s and v_s are not identifiable: {why}; {slowest}",))
    if fast:
        return Limits(("mu_c", "v_s", *free, *(["mu_v"] if form.viscous else [])), (unfinished,))
    return IDENTIFIABLE


def cost_limit(cost: float, points: SteadyPoints, form: CurveForm, level: float = LEVEL) -> float:
    """Largest sum of squares with which a fit with one parameter less is as good as the best (F test), plus rounding.

    >>> cost_limit(best.cost, points, form) / best.cost
    1.16
    """
    from scipy.stats import f as fisher

    freedom = max(points.speed.size - len(form.names), 1)
    rounding = 1e-24 * float(np.sum((points.friction * points.weight) ** 2))
    return float(cost * (1 + fisher.ppf(level, 1, freedom) / freedom) + rounding)


def embedded(old: Estimate, form: CurveForm, points: SteadyPoints, coulomb: str) -> Estimate:
    """An estimate without Stribeck effect, embedded in a form with it: the other parameters are nan.

    `coulomb` names the parameter of this form that its mu_c is: mu_c, or mu_s where friction begins to fall; the slope
    is then not identifiable either.

    >>> embedded(plain.estimate, form, points, "mu_c").unidentifiable
    ('mu_s', 'v_s')
    """
    source = {coulomb: "mu_c", "offset": "offset"}
    if coulomb == "mu_c":
        source |= {"mu_v": "mu_v", "v_v": "v_v", "load_backward": "load_backward"}
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
    """An estimate in which the `lost` parameters are nan.

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
    """A fit of Coulomb and viscous friction, which shows whether friction falls."""
    plain = replace(form, stribeck=False, viscous=True, threshold=None)
    return linear_fit(
        plain.columns(points.speed, {}),
        points.friction,
        errors=points.friction_error,
        method="curve of steady friction",
    )
