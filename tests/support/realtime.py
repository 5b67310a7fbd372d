"""Runs at a fixed step beside adaptive ones: how far they are apart, and whether they chatter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import stribeck as sb

LOOKS = 20
"""Instants within a step at which the adaptive solution is looked at for its mean."""

CLUTCHES = ("C1", "C2", "B1", "B2")
"""Friction elements of the shipped gearbox."""


def gearbox(law: Mapping[str, Any]) -> sb.Model:
    """The shipped gearbox with another friction law in all of its clutches and brakes.

    >>> gearbox({"type": "LuGre", "sigma0": 1e5}).realtime(h="1 ms")
    """
    plain = sb.load_model("gearbox").to_dict()
    for name in CLUTCHES:
        plain["elements"][name]["law"] = dict(law)
    return sb.Model.from_dict(plain)


def step_means(program: sb.Program, names: Sequence[str], t_end: float, h: float, **options: Any) -> np.ndarray:
    """Means over every step of what the adaptive solution gives, a row for each name: torques of a step are means.

    >>> step_means(program, ["C1.tau"], t_end=4.0, h=1e-3).shape
    (1, 4000)
    """
    steps = round(t_end / h)
    inside = (np.arange(steps)[:, None] + (np.arange(LOOKS) + 0.5) / LOOKS) * h
    result = sb.simulate(program, times=np.concatenate([[0.0], inside.ravel()]), **options)
    return np.array([np.asarray(result[name])[1:].reshape(steps, LOOKS).mean(axis=1) for name in names])


def alternations(values: np.ndarray, share: float = 1e-3) -> int:
    """Longest row of second differences that alternate in sign, each of more than `share` of the range of the values.

    A step of a curve makes two, a single peak three, two of them in succession four or five; what goes on for longer
    has a period of two steps.

    >>> alternations(np.array([0, 0, 1, 0, 1, 0, 1, 0, 0.0]))
    7
    """
    second = np.diff(values, 2)
    large = np.abs(second) > share * np.ptp(values)
    alternates = (second[1:] * second[:-1] < 0.0) & large[1:] & large[:-1]
    ends = np.flatnonzero(~np.concatenate([[False], alternates, [False]]))
    longest = int(np.diff(ends).max()) - 1
    return longest + 1 if longest else 0


def observed_order(errors: Sequence[float], steps: Sequence[float]) -> float:
    """Slope of log(error) over log(step).

    >>> observed_order([4e-3, 2e-3, 1e-3], [4e-3, 2e-3, 1e-3])
    1.0
    """
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])
