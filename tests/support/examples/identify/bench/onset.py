"""Names for examples of the onset of sliding."""

import numpy as np

from stribeck.identify.bench.onset import Onset, onset
from stribeck.identify.bench.window import Window


def windows() -> list[Window]:
    """Three ramps of 0.1 N.m/s; friction falls from 0.15 N.m by 0.04 at once, on 2e-3 kg.m2."""
    time = np.arange(0, 1.56, 1e-3)
    level = np.arange(1, 15) * 1e-3
    at = 1.5 + np.sqrt(2 * level * 2e-3 / 0.04)
    spread = np.full(level.size, 3e-4)
    window = Window(time, 0.1 * time, at, level, spread, (0.0, 1e-4), 0.0, 1.5, 0.1, 0.152, 0.02, 1e-3)
    return [window] * 3


def found(windows: list[Window]) -> Onset:
    return onset([windows])[0]


def time(windows: list[Window]) -> np.ndarray:
    return windows[0].time


def drive(windows: list[Window]) -> np.ndarray:
    return windows[0].drive


def at(windows: list[Window]) -> np.ndarray:
    return windows[0].at


def place(windows: list[Window]) -> np.ndarray:
    return windows[0].place


def spread(windows: list[Window]) -> np.ndarray:
    return windows[0].spread
