"""Residuals that follow each other in time: what correlated noise makes of the errors of parameters."""

from __future__ import annotations

import numpy as np

STRONGEST = 0.97
"""The strongest correlation of a row with the next one that is taken out; more would make much of little."""
EXACT = 1e-9
"""Share of the noise that residuals show at least; below it they are rounding."""
USUAL = 0.975
"""Where Student's t is matched: the upper end of intervals of 95 %."""
ANGLES = 64
"""Of an integral, which is smooth."""


def spread(
    matrix: np.ndarray, inverse: np.ndarray, rest: np.ndarray, scale: np.ndarray, coloured: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Covariance of the parameters `inverse` @ target, and the degrees of freedom of each of them.

    `rest` are the residuals of the regressors `matrix`; `scale` is how large the noise of each row is beside that of
    others, 0 where samples do not count. With coloured noise, the covariance is what the slowest cosines of the scores
    hold, enlarged by what noise of this scale and of the first correlation of the residuals would lose on the way: the
    fit goes through rows that decide, and most where noise is large (Bell and McCaffrey 2002).

    >>> covariance, freedoms = spread(matrix, np.linalg.pinv(matrix), rest, np.ones(rest.size), coloured=True)
    """
    count = int(np.count_nonzero(scale))
    left = max(count - float(np.round(np.sum(matrix * inverse.T))), 1.0)
    if not coloured:
        return float(rest @ rest) / left * (inverse @ inverse.T), np.full(inverse.shape[0], left)
    at = (np.arange(rest.size) + 0.5) * np.pi / rest.size
    cosines = np.cos(np.outer(np.arange(1, _slow(count, rest.size) + 1), at))
    waves = cosines @ (inverse.T * rest[:, None])
    colour = _colour(rest, scale)
    laws = [_law(_moments(row, cosines, matrix, inverse, scale, colour)) for row in inverse]
    gains, freedoms = np.array(laws).T
    return (waves * gains).T @ (waves * gains), np.minimum(freedoms, left)


def _colour(rest: np.ndarray, scale: np.ndarray) -> float:
    """Correlation of the noise from row to row, of neighbours that count."""
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
    """Covariance of a parameter, first, and of the cosines of its scores under noise of this scale and colour."""
    from scipy.signal import lfilter

    seen = cosines * weights
    seen -= (seen @ matrix) @ inverse  # residuals do not hold what the fit has taken
    both = np.vstack([weights, seen]) * scale
    fresh = lfilter([1.0], [1.0, -colour], both[:, ::-1], axis=1)  # how strongly each fresh part of the noise counts
    fresh[:, :-1] *= np.sqrt(1 - colour**2)
    return np.asarray(fresh @ fresh.T)


def _law(moments: np.ndarray) -> tuple[float, float]:
    """What the cosines are to be multiplied by for the standard error, and its degrees of freedom: those of a Student's
    t of the same reach.

    Cosines that resemble each other are worth fewer; and where noise differs from row to row, a large error of the
    parameter shows in its cosines, too.
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
    beyond = [_beyond(end, powers, shared) - 2 * (1 - USUAL) for end in ends]
    if beyond[0] <= 0 or beyond[1] >= 0:
        return gain, np.inf if beyond[0] <= 0 else 1.0
    reach = brentq(lambda end: _beyond(end, powers, shared) - 2 * (1 - USUAL), *ends, xtol=1e-4)
    return gain, float(stdtridf(USUAL, reach))


def _beyond(reach: float, powers: np.ndarray, shared: np.ndarray) -> float:
    """How likely a normal number is beyond `reach` times the length of a normal vector with these variances, whose sum
    is 1, and covariances with it: an integral over one angle (Bakirov and Szekely 2006)."""
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


def _slow(count: int, size: int) -> int:
    """How many cosines are slow, as many as Lazarus, Lewis, Stock and Watson (2018) advise."""
    return max(min(int(np.rint(0.4 * count ** (2 / 3))), size - 1), 1)


def long_run(scores: np.ndarray) -> tuple[np.ndarray, int]:
    """Covariance of the sum of correlated rows, divided by their number, and how many independent squares stand in it.

    It is the mean over the slowest cosines of the rows: the spectrum near zero frequency, whatever colour there is
    above. Before, each column is whitened by its first correlation (Andrews and Monahan 1992), so that slow noise, too,
    is even there. Rows that do not count are 0.

    >>> covariance, freedom = long_run(regressors * residuals[:, None])
    """
    from scipy.fft import dct

    power = np.sum(scores**2, axis=0)
    colour = np.sum(scores[1:] * scores[:-1], axis=0) / np.where(power > 0, power, 1.0)
    colour = np.clip(colour, -STRONGEST, STRONGEST)
    white = scores.copy()
    white[1:] -= colour * scores[:-1]
    slow = _slow(int(np.any(scores, axis=1).sum()), scores.shape[0])
    waves = dct(white, type=2, norm="ortho", axis=0)[1 : slow + 1] / (1 - colour)
    return np.asarray(waves.T @ waves / slow), slow
