"""Names for examples of the onset of sliding."""

import numpy as np

from stribeck.identify.bench.onset import Onset, Window, onset


def windows() -> list[Window]:
    """Three ramps of 0.1 N.m/s; friction falls from 0.15 N.m by 0.04 at once, on 2e-3 kg.m2."""
    time = np.arange(0, 1.56, 1e-3)
    place = np.where(time > 1.5, 0.5 * 0.04 / 2e-3 * np.maximum(time - 1.5, 0) ** 2, 0.0)
    seen = time >= 1.49
    at, spread = np.append(0.0, time[seen]), np.append(1e-4, np.full(int(seen.sum()), 1e-4))
    window = Window(time, 0.1 * time, at, np.append(0.0, place[seen]), spread, 0.0, 1.5, 0.1, 0.152, 0.02)
    return [window] * 3


def found(windows: list[Window]) -> Onset:
    return onset(windows)


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
