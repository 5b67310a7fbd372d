"""Parameters that stand linearly in an equation: weighted least squares with honest uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ...declare import unknown
from ...errors import SpecError, UnknownName
from ...results.data_table import DataTable
from .coloured import spread
from .directions import Directions


@dataclass(frozen=True, eq=False)
class Estimate:
    """Parameters found by a linear method; all in SI units.

    `values` are nan for parameters in `unidentifiable`: the data cannot tell them from others, and `hidden` says which
    combinations that are. `errors` are standard errors; they hold the colour of the residuals when `coloured`.

    >>> found = linear_fit({"M": a, "Fv": v, "Fc": np.sign(v)}, force, units={"M": "kg", "Fv": "N.s/m", "Fc": "N"})
    >>> found["M"], found.errors["M"], found.interval(0.95)["M"]
    (95.1, 0.2, (94.7, 95.5))
    """

    values: Mapping[str, float]
    covariance: np.ndarray
    residuals: np.ndarray
    freedom: float
    """Degrees of freedom of Student's t: samples less parameters; fewer where residuals are coloured."""
    units: Mapping[str, str] = field(default_factory=dict)
    hidden: tuple[Mapping[str, float], ...] = ()
    """Combinations of parameters (weights in the units of the parameters) along which the data say nothing."""
    unidentifiable: tuple[str, ...] = ()
    condition: float = 1.0
    """Of the regressors, each scaled to the same size: large when terms are hard to tell apart."""
    coloured: bool = False
    freedoms: Mapping[str, float] = field(default_factory=dict)
    """Degrees of freedom of parameters that have others: few where few samples decide."""
    method: str = "least squares"
    target: float = 0.0
    """Root mean square of what is explained, about 0."""

    def __getitem__(self, name: str) -> float:
        self._index(name)
        return self.values[name]

    @property
    def names(self) -> list[str]:
        """The parameters.

        >>> found.names
        ['M', 'Fv', 'Fc']
        """
        return list(self.values)

    @property
    def errors(self) -> dict[str, float]:
        """Standard errors, nan where the data say nothing.

        >>> found.errors["M"]
        0.21
        """
        return dict(zip(self.values, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))

    @property
    def noise(self) -> float:
        """Standard deviation of what the terms leave unexplained, in the unit of the target.

        >>> found.noise
        3.2
        """
        return float(np.sqrt(np.mean(self.residuals**2))) if self.residuals.size else 0.0

    @property
    def unexplained(self) -> float:
        """Noise as a share of the target.

        >>> f"{found.unexplained:.1%}"
        '4.1%'
        """
        return self.noise / self.target if self.target else 0.0

    def interval(self, level: float = 0.95) -> dict[str, tuple[float, float]]:
        """Confidence intervals: lower and upper end of each parameter.

        >>> found.interval(0.99)["Fc"]
        (19.8, 21.0)
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
        """Correlation of the estimates with each other, in the order of `names`.

        >>> found.correlation[0, 1]
        -0.02
        """
        spread = np.sqrt(np.diag(self.covariance))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.covariance / np.outer(spread, spread))

    def ratio(self, above: str, below: str) -> tuple[float, float]:
        """The quotient of two parameters and its standard error (first order).

        >>> found.ratio("Fc", "M")
        (0.2144, 0.0031)
        """
        i, j = self._index(above), self._index(below)
        value = self.values[above] / self.values[below]
        slope = np.zeros(len(self.values))
        slope[i], slope[j] = 1 / self.values[below], -value / self.values[below]
        at = [i, j]
        return value, float(np.sqrt(slope[at] @ self.covariance[np.ix_(at, at)] @ slope[at]))

    def rows(self, level: float = 0.95) -> tuple[list[str], list[list[str]]]:
        """Head and rows of the table that `print` shows.

        >>> head, rows = found.rows()
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

    def __str__(self) -> str:
        colour = ", errors corrected for coloured residuals" if self.coloured else ""
        lines = [
            f"{self.method}: {self.residuals.size} samples, condition {self.condition:.3g}, "
            f"unexplained {self.unexplained:.2%}{colour}",
            DataTable(*self.rows()).text(),
        ]
        lines += [f"the data cannot tell {_combination(parts)}" for parts in self.hidden]
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
    """Finds p in target = sum of p_i terms_i by least squares.

    `errors`: standard deviations of the samples of the target, if they differ; only their ratios count. `valid`: which
    samples count. `coloured`: samples follow each other in time and their residuals may be correlated; standard errors
    then come from the spectrum of the residuals near zero frequency instead of their variance. `noise`: how large their
    noise is beside that of other samples, where they shall not count by it as with `errors`. `instruments`: the terms
    without the noise that is in them (of another sensor, a reference or a simulation); noise in terms makes parameters
    too small, instruments do not.

    >>> linear_fit({"slope": x, "offset": np.ones_like(x)}, y)["slope"]
    2.0
    """
    matrix, goal, weight = _arranged(terms, target, errors, valid)
    seen = None if instruments is None else _projected(matrix, _arranged(instruments, target, errors, valid)[0])
    directions = Directions.of(matrix, seen)
    inverse = directions.inverse
    found = inverse @ goal
    rest = goal - matrix @ found
    counts = weight > 0
    scale = counts * (1.0 if noise is None else noise * weight)
    covariance, freedoms = spread(matrix, inverse, rest, scale, coloured)
    lost = directions.lost(covariance, goal)
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
    )


def _projected(matrix: np.ndarray, instruments: np.ndarray) -> np.ndarray:
    """What the instruments see of the regressors."""
    base, _ = np.linalg.qr(instruments)
    return np.asarray(base @ (base.T @ matrix))


def _arranged(
    terms: Mapping[str, np.ndarray], target: np.ndarray, errors: np.ndarray | None, valid: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weighted regressors and target with rows of zeros for what does not count, and the weights."""
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
    """One direction in words: a single parameter, or the sum along which all fits are as good."""
    if len(parts) == 1:
        return f"{next(iter(parts))}: its term does not show in the target"
    largest = max(parts.values(), key=abs)
    text = " ".join(
        f"{'-' if weight / largest < 0 else '+'} {abs(weight / largest):.3g} {name}" for name, weight in parts.items()
    )
    return f"{', '.join(parts)} apart: moving by {text.removeprefix('+ ')} changes nothing"
