"""Which parameters the data do not tell, and why not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .free import Free
from .uncertainty import VAGUE

if TYPE_CHECKING:
    from .fit_result import FitResult

NO_EFFECT = "the outputs do not tell it: they hardly depend on it in these records"
NO_ROOM = "its bounds and the other friction leave it no room"
TIED = 0.7
"""Correlation with a parameter from which on it is named as one that hides another."""
PART = 0.05
"""Part in a direction from which on a parameter belongs to it."""


def reasons(result: FitResult) -> dict[str, str]:
    """A reason for every parameter that is not known.

    >>> reasons(result)
    {'load.m': 'only together with others: load.m up and joint.law.mu_c up leaves the outputs as they are'}
    """
    errors = result.uncertainty.errors
    return {p.path: _reason(result, i) for i, p in enumerate(result.free) if _vague(p, result.minimum.x[i], errors[i])}


def _vague(p: Free, x: float, error: float) -> bool:
    """Whether an error is that of a parameter that is not known."""
    if p.log or not math.isfinite(error):
        return not error <= VAGUE
    value, spread = abs(p.value(x)), error * p.scale
    return spread > VAGUE * max(p.scale, value) and value < 2 * spread


def _reason(result: FitResult, i: int) -> str:
    """It has no room or no effect, or only a combination with others has one."""
    known, x = result.uncertainty, result.minimum.x
    low, high = result.problem.limits_at(x)
    if low[i] >= high[i]:
        return NO_ROOM
    rest = [j for j in range(len(result.free)) if j != i]
    directions = [way for way in known.blind.T if abs(way[i]) > PART]
    if directions:
        hiding = [j for j in rest if any(abs(way[j]) > PART for way in directions)]
        return _together(result.names, i, hiding, directions[0])
    if _vague(result.free[i], x[i], known.alone[i]):
        return NO_EFFECT
    return _together(result.names, i, [j for j in rest if abs(known.correlation[i, j]) > TIED], known.covariance[:, i])


def _together(names: Sequence[str], i: int, others: Sequence[int], way: np.ndarray) -> str:
    """The words for a way along which parameter i and others leave the outputs as they are."""
    if not others:
        return NO_EFFECT
    parts = ", ".join(f"{names[j]} {'up' if way[j] * way[i] > 0 else 'down'}" for j in others)
    return f"only together with others: {names[i]} up and {parts} leaves the outputs as they are"
