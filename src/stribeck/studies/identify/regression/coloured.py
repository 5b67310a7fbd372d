"""Residuals that follow each other in time: what correlated noise makes of the errors of parameters."""

from __future__ import annotations

import numpy as np

STRONGEST = 0.97
"""The strongest correlation of a row with the next one that is taken out; more would make much of little."""


CLOSEST = 0.9
"""The largest leverage of a row that is corrected for; a row beyond it decides a parameter by itself."""


def spread(
    matrix: np.ndarray, inverse: np.ndarray, rest: np.ndarray, count: int, coloured: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Covariance of the parameters `inverse` @ target, and how many independent squares stand behind each of them.

    `rest` are the residuals of the regressors `matrix`, 0 where samples do not count; `count` of them do. A residual of
    a row with much leverage is small because the fit goes through it; it is enlarged accordingly (MacKinnon and White
    1985).

    >>> covariance, freedoms = spread(matrix, np.linalg.pinv(matrix), rest, rest.size, coloured=True)
    """
    leverage = np.sum(matrix * inverse.T, axis=1)
    if not coloured:
        left = max(count - float(np.round(leverage.sum())), 1.0)
        return float(rest @ rest) / left * (inverse @ inverse.T), np.full(inverse.shape[0], left)
    scores = inverse.T * (rest / np.sqrt(1 - np.clip(leverage, 0.0, CLOSEST)))[:, None]
    covariance, slow = long_run(scores)
    return covariance * scores.shape[0], np.array([_squares(row, slow) for row in inverse])


def _squares(weights: np.ndarray, slow: int) -> float:
    """How many independent squares so many cosines are worth where rows count by these weights: cosines of rows that
    count unequally resemble each other (Satterthwaite 1946)."""
    at = (np.arange(weights.size) + 0.5) * np.pi / weights.size
    waves = np.cos(np.outer(np.arange(1, slow + 1), at))
    products = (waves * weights**2) @ waves.T
    return float(np.trace(products) ** 2 / max(np.sum(products**2), 1e-300))


def long_run(scores: np.ndarray) -> tuple[np.ndarray, int]:
    """Covariance of the sum of correlated rows, divided by their number, and how many independent squares stand in it.

    It is the mean over the slowest cosines of the rows, as many as Lazarus, Lewis, Stock and Watson (2018) advise: the
    spectrum near zero frequency, whatever colour there is above. Before, each column is whitened by its first
    correlation (Andrews and Monahan 1992), so that slow noise, too, is even there. Rows that do not count are 0.

    >>> covariance, freedom = long_run(regressors * residuals[:, None])
    """
    from scipy.fft import dct

    power = np.sum(scores**2, axis=0)
    colour = np.sum(scores[1:] * scores[:-1], axis=0) / np.where(power > 0, power, 1.0)
    colour = np.clip(colour, -STRONGEST, STRONGEST)
    white = scores.copy()
    white[1:] -= colour * scores[:-1]
    count = int(np.any(scores, axis=1).sum())
    slow = max(min(round(0.4 * count ** (2 / 3)), scores.shape[0] - 1), 1)
    waves = dct(white, type=2, norm="ortho", axis=0)[1 : slow + 1] / (1 - colour)
    return np.asarray(waves.T @ waves / slow), slow
