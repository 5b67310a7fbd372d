"""Which parameters are not identifiable, and why: no effect, or only a combination with others has one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .free import Free
from .problem import Problem
from .uncertainty import VAGUE, Uncertainty

NO_EFFECT = "not identifiable: the outputs hardly depend on it in these records"
TIED = 0.7
"""Correlation above which another parameter is named as confounded."""


def unidentifiable(problem: Problem, x: np.ndarray, known: Uncertainty) -> dict[str, str]:
    """The parameters that are not identifiable at x, with the reasons.

    >>> unidentifiable(vague.problem, vague.minimum.x, vague.uncertainty)["joint.load"]
    'only a combination is identifiable: joint.load up and joint.law.mu_c down, ...'
    """
    vague = [i for i, p in enumerate(problem.free) if _vague(p, float(x[i]), float(known.errors[i]))]
    return {problem.free[i].path: _reason(problem, x, known, i) for i in vague}


def _vague(p: Free, x: float, error: float) -> bool:
    if p.log or not math.isfinite(error):
        return not error <= VAGUE
    value, spread = abs(p.value(x)), error * p.scale
    return spread > VAGUE * max(p.scale, value) and value < 2 * spread


def _reason(problem: Problem, x: np.ndarray, known: Uncertainty, i: int) -> str:
    """Why a parameter is not identifiable: it has no effect, or only a combination with others has one."""
    low, high = problem.limits_at(x)
    if low[i] >= high[i]:
        return "its bounds and the constraints with other parameters leave it no range"
    rest = [j for j in range(len(problem.free)) if j != i]
    names = [p.path for p in problem.free]
    directions = [known.blind[:, k] for k in range(known.blind.shape[1]) if abs(known.blind[i, k]) > 0.05]
    if directions:
        others = [j for j in rest if any(abs(d[j]) > 0.05 for d in directions)]
        return _together(names, i, others, directions[0])
    if _vague(problem.free[i], float(x[i]), float(known.alone[i])):
        return NO_EFFECT
    others = [j for j in rest if abs(known.correlation[i, j]) > TIED]
    return _together(names, i, others, known.covariance[:, i])


def _together(names: Sequence[str], i: int, others: Sequence[int], direction: np.ndarray) -> str:
    """Describes a direction in which parameter i and others change without a change of the outputs."""
    if not others:
        return NO_EFFECT
    parts = ", ".join(f"{names[j]} {'up' if direction[j] * direction[i] > 0 else 'down'}" for j in others)
    return f"only a combination is identifiable: {names[i]} up and {parts} leaves the outputs unchanged"
