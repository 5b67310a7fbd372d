"""Friction over speed in steady sliding: Coulomb, Stribeck and viscous, with offset, asymmetry or a threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import SpecError
from ...laws import Law
from ...laws.coulomb import Coulomb
from ...laws.coulomb_viscous import CoulombViscous
from ...laws.stribeck import Stribeck
from ...laws.stribeck_threshold import StribeckThreshold
from ..regression.estimate import Estimate
from ..regression.separable import Separated, linearised_estimate, profile, separable_fit
from .bounds import at_bound, closed_bounds, on_bound
from .form import CurveForm
from .limits import IDENTIFIABLE, cost_limit, embedded, limits_of, without
from .search import grids_of, rivals
from .steady_points import SteadyPoints
from .warnings import DIFFER, outliers, warnings_of
from .weights import noise_notes, reweighted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...spec import Model

NO_THRESHOLD = "v_v is not identifiable: viscous friction acts at the slowest points already; omit the threshold"


@dataclass(frozen=True, eq=False)
class CurveFit:
    """A curve of steady friction through measured points.

    `estimate` has the parameters with their uncertainty, nan if they are not identifiable; `notes` give the reasons.

    >>> found = fit_curve(v, f, units=("rad/s", "N.m"))
    >>> print(found); found(0.1); found.law()
    """

    estimate: Estimate
    form: CurveForm
    points: SteadyPoints
    found: Mapping[str, float]
    """The parameters of the curve; for one that is not identifiable, one of many values that fit equally well."""
    notes: tuple[str, ...] = ()
    others: tuple[Mapping[str, float], ...] = ()
    """Parameters of other curves that fit about as well: local optima with another Stribeck speed."""

    def __getitem__(self, name: str) -> float:
        return self.estimate[name]

    def __call__(self, speed: Any) -> np.ndarray:
        """Friction at any speeds."""
        return self.form.friction(np.asarray(speed, float), self.found)

    def __str__(self) -> str:
        return "\n".join([str(self.estimate), *self.notes])

    @property
    def aicc(self) -> float:
        """Corrected Akaike information criterion: of curves through the same points, that with the lowest is preferred.

        >>> fit_curve(v, f, stribeck=False).aicc - fit_curve(v, f).aicc
        159.5
        """
        n, k = self.points.speed.size, len(self.estimate.names) + 1  # with the noise level
        if n <= k + 1:
            return np.inf
        weight = self.points.weight
        rest = (self.points.friction - self(self.points.speed)) * weight
        mean = max(float(np.mean(rest**2)), 1e-300)
        return float(n * np.log(mean) + 2 * k + 2 * k * (k + 1) / (n - k - 1))

    def plot(self, path: str | Path | None = None) -> Figure:
        """Plots points, curve, 95 % interval and residuals over the logarithm of the speed.

        >>> found.plot("curve.png")
        """
        from .plot import plot_curve

        return plot_curve(self, path)

    def without_outliers(self) -> CurveFit:
        """The curve through the points that are not outliers.

        >>> fit_curve(v, f).without_outliers().points
        """
        gone = outliers(self)
        if not gone.any():
            return self
        points = self.points.chosen(~gone)
        self.form.check(points)
        return _with_warnings(_through(points, self.form))

    def add_to(self, model: Model, body: str, name: str = "friction") -> float:
        """Adds the friction to a model: between `body` and the ground, with another load backwards if the curve is
        asymmetric, and a constant torque or force for the offset. Returns the largest deviation of the friction that
        was added from the curve at the measured speeds, relative to the curve: above 0 if the two directions differ in
        shape, not only in size.

        >>> model = Model("axis"); _ = model.add("axis", Inertia(J=0.02))
        >>> fit_curve(v, f, units=("rad/s", "N.m"), asymmetric=True).add_to(model, "axis")
        0.01...
        """
        from .in_model import add_friction

        return add_friction(self, model, body, name)

    def _viscous_of_a_law(self, name: str) -> float:
        """Viscous friction of a law: 0 if it is below 0 within its error."""
        value, error = self.estimate.values[name], self.estimate.errors[name]
        if value < -2 * error:
            raise SpecError(
                f"{name} = {value:.3g} +- {error:.2g} is below 0, and a law would then drive the motion at high "
                "speeds; fit with bounds={'mu_v': (0, None)} (--set bounds='{mu_v: [0, null]}')"
            )
        return 0.0

    def law(self, side: int = 1) -> Law:
        """The friction law of the curve; for an asymmetric one that of one side, +1 or -1. The offset and the load
        backwards are not part of it.

        >>> Bearing(mass, law=found.law())
        """
        mark = ("+" if side > 0 else "-") if self.form.asymmetric else ""
        names = [name for name in self.found if name.endswith(mark) and name not in ("offset", "load_backward")]
        lost = [name for name in names if name in self.estimate.unidentifiable]
        own = {name: self.found[name] for name in names}
        p = {name.removesuffix(mark): value for name, value in own.items()}
        if p.get("mu_v", 0.0) < 0:
            p["mu_v"] = self._viscous_of_a_law(f"mu_v{mark}")
        if lost and not set(lost) <= {f"mu_s{mark}", f"v_s{mark}", f"exponent{mark}"}:
            raise SpecError(
                f"{', '.join(lost)}: not identifiable from these points, so there is no law: {'; '.join(self.notes)}"
            )
        if self.form.threshold == "kink":
            raise SpecError(
                "no law has viscous friction that begins with a kink; use FrictionTable with points of the curve"
            )
        if lost or not self.form.stribeck:
            if "v_v" in p:
                return StribeckThreshold(mu_c=p["mu_c"], mu_s=p["mu_c"], mu_v=p["mu_v"], v_v=p["v_v"])
            return CoulombViscous(mu_c=p["mu_c"], mu_v=p["mu_v"]) if "mu_v" in p else Coulomb(mu_c=p["mu_c"])
        p.setdefault("exponent", self.form.exponent or 2.0)
        return StribeckThreshold(**p) if "v_v" in p else Stribeck(**p)


def fit_curve(
    speed: Any,
    friction: Any = None,
    *,
    stribeck: bool = True,
    viscous: bool = True,
    offset: bool = False,
    asymmetric: bool | str = False,
    threshold: str | None = None,
    exponent: float | None = 2.0,
    errors: Any = None,
    units: tuple[str, str] = ("", ""),
    bounds: Mapping[str, Sequence[float | None]] | None = None,
    loss: str = "linear",
    noise: str = "equal",
) -> CurveFit:
    """Steady friction over speed: sgn(v) (mu_c + (mu_s - mu_c) exp(-|v/v_s|^exponent)) + mu_v v + offset.

    `speed` and `friction` are arrays, or `speed` is the result of `steady_points`. `threshold`: viscous friction begins
    at a speed v_v, with a "jump" to mu_v v or with a "kink" as mu_v (|v| - v_v). `exponent` None: estimated.
    `asymmetric`: separate parameters for each direction, mu_c+ and mu_c-; "load": friction backwards is the multiple
    load_backward of that forwards, which leaves room for an offset. `errors`: standard deviations of friction, if
    they differ. `units` are those of speed and friction, by default SI; estimates are in SI. No start values are
    needed.

    `bounds` are those of parameters, in SI: {"mu_v": (0, None)}. `loss` "huber", "soft_l1" or "cauchy" reduces the
    weight of outliers. `noise` "growing": the noise of the points grows with speed, as estimated from the residuals.
    If separate curves fit about as well, the notes name them, and `others` has their parameters.

    >>> fit_curve(v, tau, offset=True, units=("rad/s", "N.m"))["mu_c"]
    0.11
    """
    points = speed if isinstance(speed, SteadyPoints) else SteadyPoints.of(speed, friction, errors, units)
    if isinstance(asymmetric, str) and asymmetric != "load":
        raise SpecError(f"asymmetric = '{asymmetric}' must be True, False or 'load'")
    ends, loads = closed_bounds(bounds or {}), asymmetric == "load"
    form = CurveForm(stribeck, viscous, offset, bool(asymmetric) and not loads, threshold, exponent, loads, ends)
    form.check(points)
    weighted, widening = reweighted(points, loss, noise, lambda each: _through(each, form)(each.speed))
    found = _with_warnings(_through(weighted, form))
    wider = replace(found.estimate, covariance=found.estimate.covariance * widening)
    return replace(found, estimate=wider, notes=(*found.notes, *noise_notes(points, weighted, loss, noise)))


def _with_warnings(found: CurveFit) -> CurveFit:
    seen = replace(found, others=_others(found))
    warnings = warnings_of(seen, _through)
    if any(DIFFER in warning for warning in warnings):  # what a form cannot show is first a fault of the form
        notes = tuple(f"with equal directions {note.partition(':')[0]}" for note in seen.notes)
        return replace(seen, notes=(*warnings, *notes))
    return replace(seen, notes=(*seen.notes, *warnings))


def _others(found: CurveFit) -> tuple[Mapping[str, float], ...]:
    """Other curves that fit about as well, of each direction if they are separate; none if v_s is not identifiable."""
    form, others = found.form, []
    sides = [("+", 1), ("-", -1)] if form.asymmetric else [("", 0)]
    for mark, sign in sides:
        if not form.stribeck or f"v_s{mark}" in found.estimate.unidentifiable:
            continue
        points, part = (found.points.side(sign), form.side(mark)) if mark else (found.points, form)
        own = {name.removesuffix(mark): value for name, value in found.found.items() if name.endswith(mark)}
        cost = float(np.sum(((points.friction - part.friction(points.speed, own)) * points.weight) ** 2))
        others += [rival.values for rival in rivals(points, part, own["v_s"], cost_limit(cost, points, part, CLOSE))]
    return tuple(others)


def _through(points: SteadyPoints, form: CurveForm) -> CurveFit:
    """The curve, or one per direction, merged."""
    if not form.asymmetric:
        return _fitted(points, form)
    sides = {mark: _fitted(points.side(sign), form.side(mark)) for mark, sign in (("+", 1), ("-", -1))}
    return _merged(points, form, sides)


def _fitted(points: SteadyPoints, form: CurveForm) -> CurveFit:
    """One curve for all points."""
    grids = grids_of(points, form)
    best = separable_fit(lambda x: form.columns(points.speed, x), points.friction, grids, points.weight, form.bounds)
    values = {name: on_bound(form, name, best.values[name]) for name in form.names}
    limits = limits_of(points, form, grids, best) if form.stribeck else IDENTIFIABLE
    if limits.start is not None:  # many curves fit equally well; only mu_s is common to them
        return CurveFit(embedded(limits.start, form, points, "mu_s"), form, points, values, limits.notes)
    if "mu_s" in limits.lost:
        plain = _fitted(points, replace(form, stribeck=False))
        values = {**values, **plain.found, "mu_s": plain.found["mu_c"]}
        return CurveFit(embedded(plain.estimate, form, points, "mu_c"), form, points, values, limits.notes)
    span = _span(points, form, grids, best) if form.threshold == "jump" else None
    estimate = without(_estimate(points, form, values, span), limits.lost)
    if form.threshold and not estimate.errors["v_v"] < 0.5 * values["v_v"]:
        return CurveFit(without(estimate, ("v_v",)), form, points, values, (*limits.notes, NO_THRESHOLD))
    return CurveFit(estimate, form, points, values, limits.notes)


CLOSE = 0.999
"""Confidence level up to which another curve is reported."""


def _estimate(
    points: SteadyPoints, form: CurveForm, values: dict[str, float], span: tuple[float, float] | None
) -> Estimate:
    """The parameters with their uncertainty; a threshold with a jump is uniformly distributed in `span`."""
    fixed = {"v_v": values["v_v"]} if span else {}
    held = {name: value for name, value in values.items() if at_bound(form, name, value)}
    fixed |= held
    estimate = linearised_estimate(
        lambda p: form.friction(points.speed, {**p, **fixed}),
        {name: value for name, value in values.items() if name not in fixed},
        points.friction,
        units=form.units(points.units),
        errors=points.friction_error,
        method="curve of steady friction",
    )
    if not fixed:
        return estimate
    size = len(estimate.names)
    covariance = np.zeros((len(values), len(values)))
    covariance[:size, :size] = estimate.covariance
    for i, name in enumerate(fixed, start=size):
        covariance[i, i] = np.nan if name in held or span is None else (span[1] - span[0]) ** 2 / 12  # uniform
    estimate = replace(estimate, values={**estimate.values, **fixed}, covariance=covariance)
    return estimate.ordered(list(values)) if held else estimate


def _span(
    points: SteadyPoints, form: CurveForm, grids: Mapping[str, np.ndarray], best: Separated
) -> tuple[float, float]:
    """The speeds of points between which the jump lies."""
    costs = profile(
        lambda x: form.columns(points.speed, x), points.friction, grids, "v_v", best, points.weight, form.bounds
    )
    good = grids["v_v"][costs <= cost_limit(float(costs.min()), points, form)]
    pace = np.unique(np.abs(points.speed))
    return float(pace[pace < good[0]].max()), float(pace[pace > good[-1]].min())


def _merged(points: SteadyPoints, form: CurveForm, sides: Mapping[str, CurveFit]) -> CurveFit:
    """Two directions as one curve."""
    parts = {mark: side.estimate for mark, side in sides.items()}
    sizes = [len(part.names) for part in parts.values()]
    covariance = np.zeros((sum(sizes), sum(sizes)))
    covariance[: sizes[0], : sizes[0]], covariance[sizes[0] :, sizes[0] :] = (p.covariance for p in parts.values())
    first = parts["+"]
    estimate = replace(
        first,
        values={f"{n}{mark}": v for mark, part in parts.items() for n, v in part.values.items()},
        covariance=covariance,
        residuals=np.concatenate([part.residuals for part in parts.values()]),
        freedom=min(part.freedom for part in parts.values()),
        units={f"{n}{mark}": u for mark, part in parts.items() for n, u in part.units.items()},
        hidden=tuple({f"{n}{mark}": w for n, w in row.items()} for mark, part in parts.items() for row in part.hidden),
        unidentifiable=tuple(f"{n}{mark}" for mark, part in parts.items() for n in part.unidentifiable),
        condition=max(part.condition for part in parts.values()),
        target=float(np.sqrt(np.mean(points.friction**2))),
    )
    found = {f"{n}{mark}": v for mark, side in sides.items() for n, v in side.found.items()}
    words = {"+": "forwards", "-": "backwards"}
    notes = tuple(f"{words[mark]}: {note}" for mark, side in sides.items() for note in side.notes)
    return CurveFit(estimate, form, points, found, notes)
