"""Uncertainty of the estimates: covariance with autocorrelated residuals, and directions that are not identifiable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .losses import RobustLoss
from .problem import Block, Slope
from .sums import gram

VAGUE = 0.5
"""Relative standard error from which on a parameter counts as not identifiable: its 95 % interval then spans a factor
of about 7 or includes 0."""
RECORDS = 4
"""Least number of records whose scatter is estimated."""
LARGEST_ORDER = 40
"""Largest order of the autoregressive noise."""


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """Covariance of the coordinates, degrees of freedom of Student's t, and the directions that are not identifiable.

    >>> result.uncertainty.errors.shape
    (2,)
    """

    covariance: np.ndarray
    freedom: float
    blind: np.ndarray
    """Columns: combinations of coordinates that do not change the outputs (the null space)."""
    effective: float
    """Effective sample size of the autocorrelated residuals."""
    alone: np.ndarray
    """Conditional standard errors, with all other coordinates known; infinite without an effect."""
    between: np.ndarray = field(default_factory=lambda: np.ones(0))
    """Standard errors from the scatter between records over those from the residuals within them, where the former are
    significantly larger and used; 1 elsewhere. Empty with few records."""

    @property
    def errors(self) -> np.ndarray:
        """Standard errors of the coordinates; infinite for those that take part in a blind direction.

        >>> result.uncertainty.errors
        array([1.3e-06, 1.12e-06])
        """
        seen = np.sqrt(np.maximum(self.covariance.diagonal(), 0.0))
        hidden = (np.abs(self.blind) > 0.05).any(axis=1) if self.blind.size else np.zeros(seen.size, bool)
        return np.where(hidden, np.inf, seen)

    @property
    def correlation(self) -> np.ndarray:
        """Correlation matrix of the estimates.

        >>> result.uncertainty.correlation.round(2)
        array([[ 1.0  , -0.91],
               [-0.91,  1.0  ]])
        """
        size = np.sqrt(np.maximum(self.covariance.diagonal(), 0.0))
        with np.errstate(invalid="ignore", divide="ignore"):
            matrix = self.covariance / np.outer(size, size)
        matrix[~np.isfinite(matrix)] = 0.0
        np.fill_diagonal(matrix, 1.0)
        return matrix


def uncertainty(slope: Slope, residual: np.ndarray, blocks: Sequence[Block], loss: RobustLoss) -> Uncertainty:
    """The sandwich estimator H^-1 (J' R J) H^-1 with H = J' diag(bend) J, the Hessian of the cost, and R the covariance
    of the weighted residuals, modelled as stationary autoregressive noise in every output of every record.

    Residuals of quantised or imperfectly modelled outputs are autocorrelated: neighbours carry the same information. A
    coordinate with a grain is uniformly distributed within it to both sides: a variance of grain^2/3.

    >>> uncertainty(slope, residual, blocks, result.loss).errors
    """
    jacobian = slope.jacobian
    count, size = sum(int(b.valid.sum()) for b in blocks), jacobian.shape[1]
    hessian = gram(jacobian, loss.bend(residual)[:, None] * jacobian)
    scale = np.sqrt(np.maximum(hessian.diagonal(), 0.0))
    scale[~slope.trusted] = 0.0
    inverse, blind = _inverse(hessian, scale)
    series = loss.weight(residual) * residual
    middle, effective = np.zeros((size, size)), 0.0
    for block in blocks:
        part, samples = _autocorrelated(jacobian[block.at], series[block.at], int(block.valid.sum()))
        middle += part
        effective += samples
    freedom = max(min(effective, count) - size, 1.0)
    middle *= (freedom + size) / freedom  # degrees of freedom used by the parameters
    covariance = inverse @ middle @ inverse + np.diag(slope.grain**2 / 3)
    with np.errstate(divide="ignore", invalid="ignore"):
        alone = np.where(scale > 0, np.sqrt(middle.diagonal()) / hessian.diagonal(), np.inf)
    between = _between_records(inverse, jacobian, series, blocks, covariance)
    if (between > 1).any():
        covariance = covariance * np.outer(between, between)
        freedom = min(freedom, float(len({block.record for block in blocks}) - 1))
    return Uncertainty(covariance, freedom, blind, effective, alone, between)


def _between_records(
    inverse: np.ndarray, jacobian: np.ndarray, series: np.ndarray, blocks: Sequence[Block], within: np.ndarray
) -> np.ndarray:
    """Factors by which the scatter between records exceeds the errors from within them.

    The sandwich over records takes sum_r g_r g_r' as its middle, with the gradient g_r of record r: what drifts from
    record to record, such as friction over a day, does not show within one. It replaces the errors of a parameter only
    if it is significantly larger (chi-square with one degree of freedom less than records, 99 %)."""
    records = sorted({block.record for block in blocks})
    if len(records) < RECORDS:
        return np.ones(0)
    gradients = np.array([
        sum(gram(jacobian[b.at], series[b.at]) for b in blocks if b.record == record) for record in records
    ])  # fmt: skip
    moved = gradients @ inverse
    scatter = np.sum((moved - moved.mean(axis=0)) ** 2, axis=0) * len(records) / (len(records) - 1)
    from scipy.special import chdtri

    ratio = scatter / np.maximum(within.diagonal(), 1e-300)
    significant = ratio > chdtri(len(records) - 1, 0.01) / (len(records) - 1)
    return np.asarray(np.where(significant, np.sqrt(np.maximum(ratio, 1.0)), 1.0))


def _inverse(hessian: np.ndarray, scale: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The pseudo-inverse, and the directions without information."""
    used = np.flatnonzero(scale > 0)
    inverse = np.zeros_like(hessian)
    nothing = np.eye(hessian.shape[0])[:, scale <= 0]
    if not used.size:
        return inverse, nothing
    part = hessian[np.ix_(used, used)] / np.outer(scale[used], scale[used])
    values, vectors = np.linalg.eigh(part)
    good = values > 1e-10 * max(values.max(), 0.0)
    unscaled = vectors / scale[used][:, None]
    inverse[np.ix_(used, used)] = (unscaled[:, good] / values[good]) @ unscaled[:, good].T
    blind = np.zeros((hessian.shape[0], int((~good).sum())))
    blind[used] = unscaled[:, ~good]
    blind /= np.maximum(np.linalg.norm(blind, axis=0), 1e-300)
    return inverse, np.hstack([nothing, blind])


def _autocorrelated(jacobian: np.ndarray, series: np.ndarray, count: int) -> tuple[np.ndarray, float]:
    """J' R J of one block, and its effective sample size."""
    covariance = noise_covariance(series, count)
    size = series.size
    spread = np.fft.rfft(np.concatenate([covariance, np.zeros(size), covariance[:0:-1]]))
    length = covariance.size * 2 - 1 + size
    moved = np.fft.irfft(np.fft.rfft(jacobian, length, axis=0) * spread[:, None], length, axis=0)[:size]
    total = covariance[0] + 2 * covariance[1:].sum()
    samples = count * min(1.0, covariance[0] / total) if total > 0 else float(count)
    return gram(jacobian, moved), samples


def noise_covariance(series: np.ndarray, count: int) -> np.ndarray:
    """Autocovariance at lags 0, 1, ... of an autoregressive process, as far as it differs from 0. The Bayesian
    information criterion (BIC) selects the order. `count` samples are valid, the others are 0.

    >>> noise_covariance(np.random.default_rng(1).normal(size=1000), 1000).size
    1
    """
    size = series.size
    length = 1 << int(np.ceil(np.log2(2 * size)))
    raw = np.fft.irfft(np.abs(np.fft.rfft(series, length)) ** 2, length)[: min(LARGEST_ORDER, size // 8) + 1] / count
    if raw[0] <= 0:
        return np.zeros(1)
    coefficients = _autoregression(raw, count)
    if not coefficients.size:
        return raw[:1]
    return _extended(raw, coefficients, size)


def _autoregression(covariance: np.ndarray, count: int) -> np.ndarray:
    """Coefficients of x_t = sum a_k x_(t-k) + e_t by the Levinson-Durbin recursion, the order by BIC."""
    error, a = covariance[0], np.zeros(0)
    best, chosen = count * np.log(error), a
    for order in range(1, covariance.size):
        k = (covariance[order] - a @ covariance[order - 1 : 0 : -1]) / error if order > 1 else covariance[1] / error
        a = np.concatenate([a - k * a[::-1], [k]])
        error *= 1 - k**2
        if error <= 1e-14 * covariance[0]:
            break
        criterion = count * np.log(error) + order * np.log(count)
        if criterion < best:
            best, chosen = criterion, a
    return chosen


def _extended(covariance: np.ndarray, a: np.ndarray, size: int) -> np.ndarray:
    """Autocovariance of the autoregressive process at all lags that matter, from its first ones."""
    from scipy.signal import lfilter, lfiltic

    known = covariance[: a.size + 1]
    denominator = np.concatenate([[1.0], -a])
    state = lfiltic([1.0], denominator, known[::-1])
    rest, _ = lfilter([1.0], denominator, np.zeros(max(size - known.size, 0)), zi=state)
    whole = np.concatenate([known, rest])
    matter = np.flatnonzero(np.abs(whole) > 1e-4 * whole[0])
    return whole[: int(matter[-1]) + 1]
