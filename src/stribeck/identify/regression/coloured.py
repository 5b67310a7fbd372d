"""Standard errors of parameters with autocorrelated (coloured) residuals."""

from __future__ import annotations

import numpy as np

STRONGEST = 0.97
"""Largest lag-one autocorrelation that is removed by prewhitening; a larger one would amplify estimation errors."""
EXACT = 1e-9
"""Least variance of the residuals relative to that of the noise; less is rounding."""
USUAL = 0.975
"""Quantile at which Student's t is matched: the upper end of 95 % intervals."""
ANGLES = 64
"""Nodes of an integral over a smooth function."""


def parameter_covariance(
    matrix: np.ndarray, inverse: np.ndarray, rest: np.ndarray, scale: np.ndarray, coloured: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Covariance of the parameters `inverse` @ target, and the degrees of freedom of each of them.

    `rest` are the residuals of the regressors `matrix`; `scale` is the relative noise level of each row, 0 where
    samples are not used. With coloured noise the covariance is the mean square of the lowest cosine transforms of the
    scores. It is corrected for the part that the fit removes from noise with this scale and the lag-one autocorrelation
    of the residuals: residuals are too small at rows with high leverage, most where noise is large (Bell and McCaffrey
    2002).

    >>> inverse = np.linalg.pinv(matrix)
    >>> covariance, freedoms = parameter_covariance(matrix, inverse, rest, np.ones(rest.size), coloured=True)
    """
    count = int(np.count_nonzero(scale))
    left = max(count - float(np.round(np.sum(matrix * inverse.T))), 1.0)
    if not coloured:
        return float(rest @ rest) / left * (inverse @ inverse.T), np.full(inverse.shape[0], left)
    at = (np.arange(rest.size) + 0.5) * np.pi / rest.size
    cosines = np.cos(np.outer(np.arange(1, _lowest_cosines(count, rest.size) + 1), at))
    waves = cosines @ (inverse.T * rest[:, None])
    colour = _lag_one_correlation(rest, scale)
    matched = [_matched_student(_moments(row, cosines, matrix, inverse, scale, colour)) for row in inverse]
    gains, freedoms = np.array(matched).T
    return (waves * gains).T @ (waves * gains), np.minimum(freedoms, left)


def _lag_one_correlation(rest: np.ndarray, scale: np.ndarray) -> float:
    """Lag-one autocorrelation of the noise, from neighbouring rows that are used."""
    noise = rest / np.where(scale > 0, scale, 1.0)
    pairs = (scale[1:] > 0) & (scale[:-1] > 0)
    power = float(np.sum(noise[1:][pairs] ** 2))
    shared = float(np.sum((noise[1:] * noise[:-1])[pairs]))
    return float(np.clip(shared / power, -STRONGEST, STRONGEST)) if power > 0 else 0.0


def _moments(
    weights: np.ndarray,
    cosines: np.ndarray,
    matrix: np.ndarray,
    inverse: np.ndarray,
    scale: np.ndarray,
    colour: float,
) -> np.ndarray:
    """Covariance of a parameter (first) and of the cosine transforms of its scores, for noise of this scale and
    colour."""
    from scipy.signal import lfilter

    seen = cosines * weights
    seen -= (seen @ matrix) @ inverse  # the fit removes this part from the residuals
    both = np.vstack([weights, seen]) * scale
    fresh = lfilter([1.0], [1.0, -colour], both[:, ::-1], axis=1)  # weights of the innovations of the noise
    fresh[:, :-1] *= np.sqrt(1 - colour**2)
    return np.asarray(fresh @ fresh.T)


def _matched_student(moments: np.ndarray) -> tuple[float, float]:
    """The factor from the cosine transforms to the standard error, and its degrees of freedom: those of the Student's
    t distribution with the same quantile.

    Correlated cosine transforms have fewer degrees of freedom. Where noise differs between rows, the error of the
    parameter is correlated with its cosine transforms.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtri, stdtridf, stdtrit

    own = float(moments[0, 0])
    if own <= 0:
        return 0.0, np.inf
    total = max(float(np.trace(moments[1:, 1:])), EXACT * own)
    powers, waves = np.linalg.eigh(moments[1:, 1:] / total)
    powers, shared = np.maximum(powers, EXACT / powers.size), waves.T @ moments[1:, 0] / np.sqrt(own * total)
    gain, ends = float(np.sqrt(own / total)), (float(ndtri(USUAL)), float(stdtrit(1.0, USUAL)))
    beyond = [_exceedance(end, powers, shared) - 2 * (1 - USUAL) for end in ends]
    if beyond[0] <= 0 or beyond[1] >= 0:
        return gain, np.inf if beyond[0] <= 0 else 1.0
    reach = brentq(lambda end: _exceedance(end, powers, shared) - 2 * (1 - USUAL), *ends, xtol=1e-4)
    return gain, float(stdtridf(USUAL, reach))


def _exceedance(reach: float, powers: np.ndarray, shared: np.ndarray) -> float:
    """Probability that a standard normal variable exceeds `reach` times the norm of a normal vector with variances
    `powers`, whose sum is 1, and covariances `shared` with it: an integral over one angle (Bakirov and Szekely
    2006)."""
    from scipy.optimize import brentq

    squares = reach**2 * powers

    def excess(x: np.ndarray) -> np.ndarray:
        return np.asarray(x - 1 + reach**2 * np.sum(shared**2 / (np.asarray(x)[..., None] + squares), axis=-1))

    first = brentq(lambda x: float(excess(x)), 0.0, 1.0) if excess(np.zeros(1))[0] < 0 else 0.0
    if first <= 0:
        return 0.0
    angles = (np.arange(ANGLES) + 0.5) * 0.5 * np.pi / ANGLES
    at = first * np.cos(angles) ** 2
    ratio = np.sum(np.log1p(squares / at[:, None]), axis=1)  # of the product of x + squares to that of x
    slope = np.maximum(-excess(at), 0.0) / (first * np.sin(angles) ** 2)
    return float(np.mean(np.exp(-0.5 * ratio) / np.sqrt(np.maximum(slope, 1e-300))))


def _lowest_cosines(count: int, size: int) -> int:
    """Number of cosine transforms, as recommended by Lazarus, Lewis, Stock and Watson (2018)."""
    return max(min(int(np.rint(0.4 * count ** (2 / 3))), size - 1), 1)


def long_run(scores: np.ndarray) -> tuple[np.ndarray, int]:
    """Long-run covariance of autocorrelated rows (that of their sum, divided by their number), and its degrees of
    freedom.

    It is the mean square of the lowest cosine transforms: the spectrum near zero frequency. Each column is prewhitened
    with its lag-one autocorrelation (Andrews and Monahan 1992), so that the spectrum is flat there also for slow noise.
    Rows that are not used are 0.

    >>> covariance, freedom = long_run(matrix * rest[:, None])
    """
    from scipy.fft import dct

    power = np.sum(scores**2, axis=0)
    colour = np.sum(scores[1:] * scores[:-1], axis=0) / np.where(power > 0, power, 1.0)
    colour = np.clip(colour, -STRONGEST, STRONGEST)
    white = scores.copy()
    white[1:] -= colour * scores[:-1]
    slow = _lowest_cosines(int(np.any(scores, axis=1).sum()), scores.shape[0])
    waves = dct(white, type=2, norm="ortho", axis=0)[1 : slow + 1] / (1 - colour)
    return np.asarray(waves.T @ waves / slow), slow
