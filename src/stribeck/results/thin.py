"""Lines of many points, thinned to what a picture can show: the extremes within each column of pixels."""

from __future__ import annotations

from typing import Any

import numpy as np

COLUMNS = 4000
"""Pieces into which a line is cut: more than any picture of ours has pixels across."""


def thinned(time: np.ndarray, values: Any) -> tuple[np.ndarray, np.ndarray]:
    """The points of a line that show: first, lowest, highest and last of each of COLUMNS pieces of equal time; a line
    of few points stays as it is.

    >>> t = np.linspace(0, 1, 10**6)
    >>> x, y = thinned(t, np.sin(1e4 * t))
    >>> x.size <= 4 * COLUMNS, bool(y.max() == np.sin(1e4 * t).max())
    (True, True)
    """
    time, values = np.asarray(time), np.asarray(values)
    if time.size <= 4 * COLUMNS:
        return time, values
    starts = np.unique(np.searchsorted(time, np.linspace(time[0], time[-1], COLUMNS + 1)[:-1]))
    ends = np.append(starts[1:], time.size)
    kept = {0, time.size - 1}
    for first, end in zip(starts.tolist(), ends.tolist(), strict=True):
        piece = values[first:end]
        if piece.size:
            kept |= {first, end - 1, first + int(piece.argmin()), first + int(piece.argmax())}
    at = np.array(sorted(kept))
    return time[at], values[at]
