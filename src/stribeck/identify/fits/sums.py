"""Products of matrices that are as long as a record and a few columns wide.

They take microseconds. The threads of a BLAS would take turns in it, then wait awake for more and keep the processors
from the simulations; and the last bits would depend on their number.
"""

from __future__ import annotations

import numpy as np


def gram(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A'B of two matrices, or A'b of a matrix and a vector: sums over the samples.

    >>> gram(np.ones((3, 2)), np.ones(3))
    array([3., 3.])
    """
    return np.asarray(np.einsum("ij,i...->j...", a, b))


def combined(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """A x: the columns of a matrix, weighted and added.

    >>> combined(np.ones((3, 2)), np.array([1.0, 2.0]))
    array([3., 3., 3.])
    """
    return np.asarray(np.einsum("ij,j->i", a, x))


def length(x: np.ndarray) -> np.float64:
    """The Euclidean norm of a vector.

    >>> float(length(np.array([3.0, 4.0])))
    5.0
    """
    return np.float64(np.sqrt(np.sum(x * x)))


def crowding(r: np.ndarray) -> float:
    """Samples of a series for each independent one: its autocorrelation, added up to the first change of sign.

    >>> crowding(np.array([1.0, -1.0, 1.0, -1.0]))
    1.0
    """
    spectrum = np.fft.rfft(r, 1 << int(2 * r.size - 1).bit_length())
    covariance = np.fft.irfft((spectrum * spectrum.conj()).real)[: r.size]
    if not covariance[0] > 0:
        return 1.0
    negative = np.flatnonzero(covariance <= 0)
    until = int(negative[0]) if negative.size else r.size
    return float(1 + 2 * covariance[1:until].sum() / covariance[0])
