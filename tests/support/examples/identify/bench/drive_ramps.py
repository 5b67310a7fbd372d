"""Names for examples of ramps of a drive."""

import numpy as np


def t() -> np.ndarray:
    return np.linspace(0, 1, 101)


def u() -> np.ndarray:
    return np.concatenate([np.linspace(0, 1, 1500), np.zeros(500)])
