"""The LuGre rig with numbalsoda: LSODA in C, the equations compiled by Numba, a contender of batch.py.

numbalsoda has one absolute tolerance for all states, so they are scaled: the speed by the Stribeck speed, and the
bristle is a torque.
"""

from __future__ import annotations

import math

import numpy as np
from numba import cfunc, njit
from numbalsoda import lsoda, lsoda_sig


@cfunc(lsoda_sig)
def _rates(t, y, dy, p):  # type: ignore[no-untyped-def]
    c, J, mu_s, pull, sigma0, sigma1, sigma2, mu_c, v_s = p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]
    phi, w, z = y[0], v_s * y[1], y[2]
    r = w - abs(w) * z / (mu_c + (mu_s - mu_c) * math.exp(-(y[1] ** 2)))
    dy[0] = w
    dy[1] = (c * (pull * t - phi) - z - sigma1 * r - sigma2 * w) / (J * v_s)
    dy[2] = sigma0 * r


ADDRESS = _rates.address


@njit
def _speeds(points, t_end, tolerance):  # type: ignore[no-untyped-def]
    found = np.empty(points.shape[0])
    times = np.array([0.0, t_end])
    for i in range(points.shape[0]):
        y, ok = lsoda(ADDRESS, np.zeros(3), times, points[i], tolerance, tolerance, 1000000)
        found[i] = points[i, 8] * y[-1, 1] if ok else np.nan
    return found


def speeds(points: np.ndarray, t_end: float, tolerance: float) -> np.ndarray:
    """Speeds at the end of many points, NaN where LSODA fails."""
    return np.asarray(_speeds(points, t_end, tolerance))


speeds(np.array([[2.0, 1.0, 1.5, 0.1, 1e5, 316.0, 0.4, 1.0, 1e-3]]), 0.01, 1e-4)  # compiled before processes are forked
