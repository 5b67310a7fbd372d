"""The weight of an arm: the drive that holds it is a sin q + b cos q, whatever the reference of the angle q."""

from __future__ import annotations

import numpy as np

from ...errors import SpecError
from ..records.measurement import Measurement

FEWEST = 5
"""Least number of starts of motion that determine a weight: both factors and friction in both directions, and one."""
CONDITION = 100.0
"""Largest condition number of the regressors, scaled to columns of equal length."""


def weight_at(angle: np.ndarray, factors: tuple[float, float]) -> np.ndarray:
    """The drive that holds the weight at an angle.

    >>> weight_at(np.array([0.0]), (2.0, 0.5))
    array([0.5])
    """
    return np.asarray(factors[0] * np.sin(angle) + factors[1] * np.cos(angle))


def lightened(record: Measurement, drive: str, position: str, factors: tuple[float, float]) -> Measurement:
    """A record whose drive does not hold the weight.

    >>> lightened(record, "u", "q", (2.0, 0.5))
    """
    if not any(factors):
        return record
    held = weight_at(np.asarray(record[position], float), factors)
    return record.with_channel(drive, np.asarray(record[drive], float) - held, record.units[drive])


def weight_of(
    angle: np.ndarray, level: np.ndarray, direction: np.ndarray
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Factors and their standard errors from break-away in both directions, by least absolute deviations:
    level = F(direction) + direction (a sin q + b cos q).

    >>> angle, way = np.linspace(0, 2, 12), np.tile([1, -1], 6)
    >>> weight_of(angle, 0.2 + way * (2 * np.sin(angle) + 0.5 * np.cos(angle)), way)[0]
    (2.0, 0.5)
    """
    ways = [way for way in (1, -1) if (direction == way).any()]
    rows = np.column_stack(
        [direction * np.sin(angle), direction * np.cos(angle), *(1.0 * (direction == way) for way in ways)]
    )
    size = np.maximum(np.linalg.norm(rows, axis=0), 1e-300)
    if len(level) < FEWEST or np.linalg.cond(rows / size) > CONDITION:
        raise SpecError(
            f"break-away: {len(level)} starts of motion do not determine the weight of the arm; record ramps in both "
            "directions from angles that differ by a radian or more, or give gravity=(a, b)"
        )
    weight, off = np.ones(len(level)), level
    for _ in range(30):
        found = np.linalg.lstsq(rows * weight[:, None], level * weight, rcond=None)[0]
        off = level - rows @ found
        weight = 1 / np.sqrt(np.maximum(np.abs(off), 1e-3 * float(np.median(np.abs(level)))))
    noise = 1.4826 * float(np.median(np.abs(off))) * (len(level) / max(len(level) - rows.shape[1], 1)) ** 0.5
    errors = noise * np.sqrt(np.diag(np.linalg.inv(rows.T @ rows)))
    return (float(found[0]), float(found[1])), (float(errors[0]), float(errors[1]))
