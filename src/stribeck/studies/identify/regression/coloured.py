"""Residuals that follow each other in time: what correlated noise makes of the errors of parameters."""

from __future__ import annotations

import numpy as np

STRONGEST = 0.97
"""The strongest correlation of a row with the next one that is taken out; more would make much of little."""


def spread(inverse: np.ndarray, rest: np.ndarray, count: int, rank: int, coloured: bool) -> tuple[np.ndarray, float]:
    """Covariance of the parameters `inverse` @ target, and how many independent squares stand behind it.

    `rest` are residuals, 0 where samples do not count; `count` of them do, and `rank` parameters were fitted.

    >>> covariance, freedom = spread(np.linalg.pinv(matrix), rest, rest.size, 2, coloured=True)
    """
    freedom = max(count - rank, 1)
    white = float(rest @ rest) / freedom * (inverse @ inverse.T)
    if not coloured:
        return white, float(freedom)
    scores = inverse.T * rest[:, None]
    covariance, squares = long_run(scores)
    left = max(squares - 0.5 * rank, 1.0)  # a parameter takes one of the two phases of a wave
    return covariance * scores.shape[0] * squares / left, left


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
