"""One estimate from those of several records: what they have in common, and what drifts between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...errors import SpecError
from ...results.data_table import DataTable
from .estimate import Estimate

CHANCE = 1e-3
"""Probability of a false drift."""


@dataclass(frozen=True, eq=False)
class PooledEstimate:
    """The common estimate of several records. `estimate` is its mean with a standard error that includes the scatter
    between records (random effects), `parts` are the records, `drift` the parameters that differ between them by more
    than their errors.

    >>> found = pooled({"morning": estimate, "noon": estimate})
    >>> found.estimate["M"], found.drift
    (95.0, {})
    """

    estimate: Estimate
    parts: Mapping[str, Estimate]
    scatter: Mapping[str, float]
    """Standard deviation between records, beyond the errors of each; 0 if these explain it."""
    drift: Mapping[str, str]

    def __getitem__(self, name: str) -> float:
        return self.estimate[name]

    def __str__(self) -> str:
        names = self.estimate.names
        rows = [
            [record, *(f"{part.values[n]:.5g} +- {part.errors[n]:.2g}" if n in part.values else "-" for n in names)]
            for record, part in self.parts.items()
        ]
        return "\n".join([str(self.estimate), DataTable(["record", *names], rows).text(), *self.drift.values()])


def pooled(estimates: Mapping[str, Estimate]) -> PooledEstimate:
    """The mean of the estimates of several records, by random effects (DerSimonian and Laird 1986).

    A parameter has a common value and a scatter between records. Records are weighted by the inverse of their variance
    plus that of the scatter, so intervals are wide enough for a drift over the day that no single record shows. With
    few records the intervals use Student's t with one degree of freedom less than there are records.

    >>> pooled({"first": estimate, "second": estimate}).estimate["Fc"]
    20.1
    """
    if not estimates:
        raise SpecError("pooled: there are no estimates; give those of at least one record")
    parts = dict(estimates)
    first = next(iter(parts.values()))
    for record, part in parts.items():
        if part.names != first.names:
            raise SpecError(
                f"pooled: record '{record}' has other parameters than the first; use the same terms for all"
            )
    if len(parts) == 1:
        return PooledEstimate(first, parts, dict.fromkeys(first.names, 0.0), {})
    means = {name: _mean(name, list(parts.values())) for name in first.names}
    errors = np.array([mean.error for mean in means.values()])
    shape = np.nanmean([np.nan_to_num(part.correlation) for part in parts.values()], axis=0)
    np.fill_diagonal(shape, 1.0)
    estimate = replace(
        first,
        values={name: mean.value for name, mean in means.items()},
        covariance=shape * np.outer(errors, errors),
        residuals=np.concatenate([part.residuals for part in parts.values()]),
        freedom=float(len(parts) - 1),
        freedoms={name: mean.freedom for name, mean in means.items()},
        hidden=(),
        unidentifiable=tuple(name for name, mean in means.items() if not np.isfinite(mean.value)),
        condition=max(part.condition for part in parts.values()),
        method=f"{first.method}, {len(parts)} records, errors with the scatter between them",
        target=float(np.sqrt(np.mean([part.target**2 for part in parts.values()]))),
    )
    drift = {name: text for name in first.names if (text := _drift(name, parts, first.units.get(name, "")))}
    return PooledEstimate(estimate, parts, {name: mean.scatter for name, mean in means.items()}, drift)


@dataclass(frozen=True)
class _CommonValue:
    value: float
    error: float
    scatter: float
    freedom: float


def _known(name: str, parts: list[Estimate]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values, errors and degrees of freedom of a parameter in the records that determine it."""
    good = [part for part in parts if np.isfinite(part.values[name]) and part.errors[name] > 0]
    freedoms = [max(part.freedoms.get(name, part.freedom), 1.0) for part in good]
    return np.array([p.values[name] for p in good]), np.array([p.errors[name] for p in good]), np.array(freedoms)


def _mean(name: str, parts: list[Estimate]) -> _CommonValue:
    values, errors, freedoms = _known(name, parts)
    if values.size < 2:
        value, error = (float(values[0]), float(errors[0])) if values.size else (np.nan, np.nan)
        return _CommonValue(value, error, 0.0, float(freedoms[0]) if values.size else 1.0)
    weight = 1 / errors**2
    excess = float(weight @ (values - weight @ values / weight.sum()) ** 2) - (values.size - 1)
    between = max(excess, 0.0) / float(weight.sum() - weight @ weight / weight.sum())
    weight = 1 / (errors**2 + between)
    value = float(weight @ values / weight.sum())
    spread = float(weight @ (values - value) ** 2) / (values.size - 1)  # 1 if errors and scatter are right
    error = float(np.sqrt(max(spread, 1.0) / weight.sum()))
    freedom = float(values.size - 1) if between > 0 else float(np.sum(freedoms))
    return _CommonValue(value, error, float(np.sqrt(between)), freedom)


def _drift(name: str, parts: Mapping[str, Estimate], unit: str) -> str:
    """Whether a parameter differs between records by more than the errors of each (Cochran's test)."""
    from scipy.stats import chi2, f, kendalltau

    values, errors, freedoms = _known(name, list(parts.values()))
    if values.size < 2:
        return ""
    weight = 1 / errors**2
    mean = float(weight @ values / weight.sum())
    excess = float(weight @ (values - mean) ** 2) / (values.size - 1)
    few = float(np.min(freedoms))
    chance = f.sf(excess, values.size - 1, few) if few < 200 else chi2.sf(excess * (values.size - 1), values.size - 1)
    if not chance < CHANCE:
        return ""
    order = kendalltau(np.arange(values.size), values)
    trend = f", it {'rises' if order.statistic > 0 else 'falls'} from record to record" if order.pvalue < 0.05 else ""
    low, high = int(np.argmin(values)), int(np.argmax(values))
    names = [record for record, part in parts.items() if np.isfinite(part.values[name]) and part.errors[name] > 0]
    span = f"{values[low]:.4g} in {names[low]} to {values[high]:.4g} {unit}".strip()
    return (
        f"'{name}' drifts: from {span} in {names[high]}, {excess**0.5:.1f} times what the errors of single records "
        f"explain{trend}; compare temperatures and times of day, or give a regressor for it"
    )
