"""The force of a contact whose position is prescribed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..regression.separable import Columns
from .strokes import Stroke


def force_columns(x: np.ndarray, speed: np.ndarray, parts: list[Stroke], at: np.ndarray, damping: bool) -> Columns:
    """F = f y + sigma1 z' + offset, with y = sigma0 z / f and the length x_l = f / sigma0 as the only nonlinear one.

    Along a stroke y = s + (y_r - s) exp(-|x - x_r| / x_l). The initial bristle force, `start`,
    decays with the displacement, and z' = |v| (s - y).

    >>> columns = force_columns(x, v, [Stroke(0, x.size - 1, 1)], np.arange(x.size), damping=True)
    >>> list(columns({"x_l": 1e-5}))
    ['f', 'offset', 'start', 'sigma1']
    """

    def columns(nonlinear: Mapping[str, float]) -> dict[str, np.ndarray]:
        y, left, sign = carried(x, parts, nonlinear["x_l"])
        terms = {"f": y, "offset": np.ones_like(y), "start": left}
        if damping:
            terms["sigma1"] = np.abs(speed) * (sign - y)
        return {name: column[at] for name, column in terms.items()}

    return columns


def carried(x: np.ndarray, parts: list[Stroke], length: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """y for an initial value of 0, the decay of an initial value of 1, and the sign of the stroke, at each sample.

    >>> carried(np.array([0.0, 1e-5]), [Stroke(0, 1, 1)], 1e-5)[0]
    array([0.        , 0.63212056])
    """
    y, left, signs = np.zeros_like(x), np.ones_like(x), np.zeros_like(x)
    for start, stop, sign in parts:
        decay = np.exp(-np.maximum(sign * (x[start : stop + 1] - x[start]), 0.0) / length)
        y[start : stop + 1] = sign + (y[start] - sign) * decay
        left[start : stop + 1] = left[start] * decay
        signs[start : stop + 1] = sign
    return y, left, signs
