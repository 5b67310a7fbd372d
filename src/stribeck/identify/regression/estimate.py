"""Linear regression: weighted least squares with standard errors that account for autocorrelated residuals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...declare import unknown
from ...errors import SpecError, UnknownName
from ...results.data_table import DataTable, in_notebook
from .coloured import parameter_covariance
from .directions import Directions


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimates of a linear regression; all in SI units.

    `values` are nan for parameters in `unidentifiable`; `hidden` are the combinations that the data do not determine.
    `errors` are standard errors; if `coloured`, they account for autocorrelated residuals.

    >>> estimate = linear_fit({"M": a, "Fv": v, "Fc": np.sign(v)}, force, units={"M": "kg", "Fv": "N.s/m", "Fc": "N"})
    >>> estimate["M"], estimate.errors["M"], estimate.interval(0.95)["M"]
    (95.0, 0.0476, (94.9, 95.1))
    """

    values: Mapping[str, float]
    covariance: np.ndarray
    residuals: np.ndarray
    freedom: float
    """Degrees of freedom of Student's t: samples minus parameters; fewer for autocorrelated residuals."""
    units: Mapping[str, str] = field(default_factory=dict)
    hidden: tuple[Mapping[str, float], ...] = ()
    """Combinations of parameters (weights in the units of the parameters) that the data do not determine."""
    unidentifiable: tuple[str, ...] = ()
    condition: float = 1.0
    """Condition number of the regressors, scaled to unit length: large if terms are nearly collinear."""
    coloured: bool = False
    freedoms: Mapping[str, float] = field(default_factory=dict)
    """Degrees of freedom by parameter, where they differ: few if few samples determine it."""
    method: str = "least squares"
    target: float = 0.0
    """Root mean square of the target, about 0."""
    collinear: tuple[tuple[float, tuple[str, ...]], ...] = ()
    """Groups of nearly collinear terms: condition index, and names."""

    def __getitem__(self, name: str) -> float:
        self._index(name)
        return self.values[name]

    @property
    def names(self) -> list[str]:
        """The parameters.

        >>> estimate.names
        ['M', 'Fv', 'Fc']
        """
        return list(self.values)

    @property
    def errors(self) -> dict[str, float]:
        """Standard errors; nan for parameters that are not identifiable.

        >>> estimate.errors["M"]
        0.0476
        """
        return dict(zip(self.values, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))

    @property
    def noise(self) -> float:
        """Standard deviation of the residuals, in the unit of the target.

        >>> estimate.noise
        2.99
        """
        return float(np.sqrt(np.mean(self.residuals**2))) if self.residuals.size else 0.0

    @property
    def unexplained(self) -> float:
        """Standard deviation of the residuals relative to the target.

        >>> f"{estimate.unexplained:.1%}"
        '2.8%'
        """
        return self.noise / self.target if self.target else 0.0

    def interval(self, level: float = 0.95) -> dict[str, tuple[float, float]]:
        """Confidence intervals: lower and upper end for each parameter.

        >>> estimate.interval(0.99)["Fc"]
        (19.8, 20.3)
        """
        from scipy.stats import t

        if not 0 < level < 1:
            raise SpecError(f"level = {level:g} of an interval must be above 0 and below 1, for instance 0.95")
        freedoms = [max(self.freedoms.get(name, self.freedom), 1.0) for name in self.values]
        reaches = (t.ppf(0.5 + 0.5 * level, freedoms) * list(self.errors.values())).tolist()
        return {
            name: (value - reach, value + reach)
            for (name, value), reach in zip(self.values.items(), reaches, strict=True)
        }

    @property
    def correlation(self) -> np.ndarray:
        """Correlation matrix of the estimates, in the order of `names`.

        >>> estimate.correlation[0, 1]
        0.00332
        """
        spread = np.sqrt(np.diag(self.covariance))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.covariance / np.outer(spread, spread))

    def ordered(self, names: Sequence[str]) -> Estimate:
        """The same with its parameters in another order.

        >>> estimate.ordered(["Fc", "Fv", "M"]).names
        ['Fc', 'Fv', 'M']
        """
        at = [self._index(name) for name in names]
        return replace(
            self, values={name: self.values[name] for name in names}, covariance=self.covariance[np.ix_(at, at)]
        )

    def ratio(self, above: str, below: str) -> tuple[float, float]:
        """The ratio of two parameters and its standard error (first order).

        >>> estimate.ratio("Fc", "M")
        (0.211, 0.00115)
        """
        i, j = self._index(above), self._index(below)
        value = self.values[above] / self.values[below]
        slope = np.zeros(len(self.values))
        slope[i], slope[j] = 1 / self.values[below], -value / self.values[below]
        at = [i, j]
        return value, float(np.sqrt(slope[at] @ self.covariance[np.ix_(at, at)] @ slope[at]))

    def rows(self, level: float = 0.95) -> tuple[list[str], list[list[str]]]:
        """Header and rows of the printed table.

        >>> head, rows = estimate.rows()
        """
        ends = self.interval(level)
        rows = []
        for name, value in self.values.items():
            unit = self.units.get(name, "")
            if name in self.unidentifiable:
                rows.append([name, "not identifiable", unit, "", "", "", ""])
                continue
            error, (low, high) = self.errors[name], ends[name]
            share = f"{100 * error / abs(value):.2g} %" if error < abs(value) else "> 100 %"
            rows.append([name, f"{value:.6g}", unit, f"{error:.2g}", share, f"{low:.6g}", f"{high:.6g}"])
        percent = f"{100 * level:g} %"
        return ["parameter", "value", "unit", "standard error", "relative", f"{percent} from", "to"], rows

    def _repr_html_(self) -> str:
        return in_notebook(str(self).partition("\n")[0], DataTable(*self.rows()))

    def __str__(self) -> str:
        colour = ", errors account for autocorrelated residuals" if self.coloured else ""
        lines = [
            f"{self.method}: {self.residuals.size} samples, condition {self.condition:.3g}, "
            f"unexplained {self.unexplained:.2%}{colour}",
            DataTable(*self.rows()).text(),
        ]
        lines += [f"not identifiable: {_combination(parts)}" for parts in self.hidden]
        lines += [
            f"nearly collinear: {', '.join(group)} (condition {index:.0f}), which the data hardly separate; omit one, "
            "or measure a motion in which they differ"
            for index, group in self.collinear
        ]
        return "\n".join(lines)

    def _index(self, name: str) -> int:
        if name not in self.values:
            raise UnknownName(unknown("the estimate has no parameter", name, list(self.values)))
        return list(self.values).index(name)


def linear_fit(
    terms: Mapping[str, np.ndarray],
    target: np.ndarray,
    *,
    units: Mapping[str, str] | None = None,
    errors: np.ndarray | None = None,
    valid: np.ndarray | None = None,
    instruments: Mapping[str, np.ndarray] | None = None,
    coloured: bool = False,
    noise: np.ndarray | None = None,
    method: str = "least squares",
) -> Estimate:
    """Estimates p in target = sum of p_i terms_i by least squares.

    `errors`: standard deviations of the target, if they differ between samples; only their ratios matter. `valid`:
    which samples are used. `coloured`: the samples are a time series whose residuals may be autocorrelated; standard
    errors then come from the spectrum of the residuals near zero frequency instead of their variance. `noise`: relative
    noise levels of the samples that, unlike `errors`, do not change their weights. `instruments`: noise-free versions
    of the terms (from another sensor, a reference or a simulation), as instrumental variables; noise in terms biases
    parameters towards 0, instruments remove this bias.

    >>> x = np.linspace(0, 1, 11)
    >>> linear_fit({"slope": x, "offset": np.ones_like(x)}, 2 * x + 1)["slope"]
    2.0
    """
    matrix, goal, weight = _arranged(terms, target, errors, valid)
    projected = None if instruments is None else _projected(matrix, _arranged(instruments, target, errors, valid)[0])
    directions = Directions.of(matrix, projected)
    inverse = directions.inverse
    found = inverse @ goal
    rest = goal - matrix @ found
    counts = weight > 0
    scale = counts * (1.0 if noise is None else noise * weight)
    covariance, freedoms = parameter_covariance(matrix, inverse, rest, scale, coloured)
    lost = directions.unidentifiable(covariance, goal)
    covariance[lost, :] = covariance[:, lost] = np.nan
    found[lost] = np.nan
    return Estimate(
        values={name: float(v) for name, v in zip(terms, found, strict=True)},
        covariance=covariance,
        residuals=rest[counts] / weight[counts],
        freedom=float(freedoms.min()),
        units=dict(units or {}),
        hidden=directions.hidden(list(terms), float(np.sqrt(rest @ rest / freedoms.min())), goal),
        unidentifiable=tuple(name for name, gone in zip(terms, lost, strict=True) if gone),
        condition=directions.condition,
        coloured=coloured,
        freedoms=dict(zip(terms, freedoms.tolist(), strict=True)) if coloured else {},
        method=method,
        target=float(np.sqrt(np.mean(np.asarray(target, float)[counts] ** 2))),
        collinear=directions.collinear(list(terms)),
    )


def _projected(matrix: np.ndarray, instruments: np.ndarray) -> np.ndarray:
    """The regressors projected onto the instruments."""
    base, _ = np.linalg.qr(instruments)
    return np.asarray(base @ (base.T @ matrix))


def _arranged(
    terms: Mapping[str, np.ndarray], target: np.ndarray, errors: np.ndarray | None, valid: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weighted regressors and target, with rows of zeros for samples that are not used, and the weights."""
    goal = np.asarray(target, float)
    if not terms:
        raise SpecError("least squares: there are no terms; give at least one, for instance {'Fc': np.sign(v)}")
    for name, values in terms.items():
        if np.shape(values) != goal.shape:
            raise SpecError(
                f"least squares: '{name}' has the shape {np.shape(values)} and the target {goal.shape}; they must agree"
            )
    matrix = np.column_stack([np.asarray(values, float) for values in terms.values()])
    keep = np.ones(goal.size, bool) if valid is None else np.asarray(valid, bool)
    for name, values in {**terms, "the target": goal}.items():
        if not np.all(np.isfinite(np.asarray(values)[keep])):
            raise SpecError(f"least squares: '{name}' is not finite everywhere; leave those samples out with valid=")
    if keep.sum() <= len(terms):
        raise SpecError(f"least squares: {keep.sum()} samples cannot give {len(terms)} parameters; measure more")
    spread = np.ones(goal.size) if errors is None else np.asarray(errors, float)
    if np.any(spread[keep] <= 0):
        raise SpecError("least squares: errors of samples must be above 0; leave out samples with valid=")
    weight = np.where(keep, np.sqrt(np.mean(spread[keep] ** 2)) / np.where(keep, spread, 1.0), 0.0)
    goal, matrix = np.where(keep, goal, 0.0), np.where(keep[:, None], matrix, 0.0)
    return matrix * weight[:, None], goal * weight, weight


def _combination(parts: Mapping[str, float]) -> str:
    """Describes one direction: a single parameter, or a combination along which all fits are equally good."""
    if len(parts) == 1:
        return f"{next(iter(parts))}, whose term has no effect on the target"
    largest = max(parts.values(), key=abs)
    text = " ".join(
        f"{'-' if weight / largest < 0 else '+'} {abs(weight / largest):.3g} {name}" for name, weight in parts.items()
    )
    return f"{', '.join(parts)} separately; a change by {text.removeprefix('+ ')} has no effect"
