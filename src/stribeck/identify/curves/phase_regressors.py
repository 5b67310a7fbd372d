"""Forces besides friction in phases of constant speed: gravity, ripple, temperature, loads, other joints.

Friction is unknown, and regressors must not take its place. Those that change within phases (gravity, ripple) are found
with a free constant in each phase. Those that do not (temperature, a load) are found from phases at the same speed,
with a free constant for each speed and direction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...errors import SpecError
from ..records.measurement import Measurement
from ..regression.estimate import Estimate, linear_fit
from ..regression.terms import Motion, Term, resolved, term_units

MOST_ROWS = 4000
"""Most rows of a regression, whose cost grows faster than their number."""
VARIES = 0.05
"""Least variation of a regressor within phases, relative to its whole variation."""
NOISY = 0.02
"""Most noise of a regressor within phases, relative to its variation: by so much its parameter would be too small."""
PASSES = 2
"""Regressions in turn of terms that change within phases and of those that do not."""
SAME_SPEED = 0.05
"""Relative difference of speeds up to which phases have the same friction."""


def fit_regressors(
    run: Measurement, force: str, channel: str, parts: Sequence[slice], terms: Sequence[str | Term]
) -> tuple[Estimate, np.ndarray]:
    """Parameters of forces that act besides friction, and their sum over the record.

    >>> estimate, acting = fit_regressors(run, "tau", "q", [slice(0, 400), slice(500, 900)], ["harmonics(0.3)"])
    """
    motion, known = Motion.of(run, channel), resolved(terms)
    columns = {name: term.force(motion) for name, term in known.items()}
    units = term_units(known, run, run.units[force], motion.unit)
    load, groups = np.asarray(run[force]), _equal_speeds(np.array([motion.v[part].mean() for part in parts]))
    changing = {
        name: column
        for name, column in columns.items()
        if _changes(column, parts) or (not _differs(column, parts, groups) and _drifts(column, parts))
    }
    constant = {name: column for name, column in columns.items() if name not in changing}
    if not changing or not constant:
        estimate = (
            _within(changing, load, parts, units)
            if changing
            else _between(run.name, constant, load, parts, groups, units)
        )
        return estimate, _sum(estimate, columns)
    for _ in range(PASSES):
        within = _within(changing, load, parts, units)
        between = _between(run.name, constant, np.asarray(run[force]) - _sum(within, changing), parts, groups, units)
        load = np.asarray(run[force]) - _sum(between, constant)  # slow terms change a little within phases, too
    estimate = _side_by_side(within, between)
    return estimate, _sum(estimate, columns)


def _changes(column: np.ndarray, parts: Sequence[slice]) -> bool:
    """Whether a regressor changes within phases."""
    whole = float(np.std(np.concatenate([column[part] for part in parts])))
    return float(np.std(_without_means(column, parts))) > VARIES * whole


def _drifts(column: np.ndarray, parts: Sequence[slice]) -> bool:
    """Whether a regressor changes within phases at all, and not only by the noise of its sensor."""
    rest = _without_means(column, parts)
    power = float(np.mean(rest**2))
    return (
        power > (1e-6 * float(np.abs(column).max())) ** 2 and 0.5 * float(np.mean(np.diff(rest) ** 2)) < NOISY * power
    )


def _differs(column: np.ndarray, parts: Sequence[slice], groups: Sequence[np.ndarray]) -> bool:
    """Whether a regressor differs between phases at the same speed."""
    means = np.array([column[part].mean() for part in parts])
    return bool(np.std(_without_groups(means, groups)) > VARIES * np.std(means))


def _within(
    columns: Mapping[str, np.ndarray], load: np.ndarray, parts: Sequence[slice], units: Mapping[str, str]
) -> Estimate:
    """One regression of all phases without their means; of long records, means of a few samples."""
    step = 1 + sum(part.stop - part.start for part in parts) // MOST_ROWS
    return linear_fit(
        {name: _without_means(column, parts, step) for name, column in columns.items()},
        _without_means(load, parts, step),
        units={name: units[name] for name in columns if name in units},
        coloured=True,
        method="forces besides friction, within phases",
    )


def _between(
    owner: str,
    columns: Mapping[str, np.ndarray],
    load: np.ndarray,
    parts: Sequence[slice],
    groups: Sequence[np.ndarray],
    units: Mapping[str, str],
) -> Estimate:
    """A regression of the means of phases, without the means of all phases at the same speed."""
    means = {name: np.array([column[part].mean() for part in parts]) for name, column in columns.items()}
    apart = {name: _without_groups(values, groups) for name, values in means.items()}
    for name, column in columns.items():
        if not _differs(column, parts, groups):
            raise SpecError(
                f"{owner}: the regressor '{name}' changes neither within phases nor between phases at the same speed, "
                "so it is not separable from friction; measure the same speeds again while it differs, or use "
                "inverse_model"
            )
    freedom = len(parts) - len(groups) - len(columns)
    if freedom < 1:
        raise SpecError(
            f"{owner}: {len(parts)} phases at {len(groups)} speeds are too few for {', '.join(columns)}; measure the "
            "same speeds again"
        )
    target = _without_groups(np.array([load[part].mean() for part in parts]), groups)
    found = linear_fit(
        apart,
        target,
        units={name: units[name] for name in columns if name in units},
        method="forces besides friction, between phases at the same speed",
    )
    return replace(found, covariance=found.covariance * found.freedom / freedom, freedom=float(freedom))


def _equal_speeds(speed: np.ndarray) -> list[np.ndarray]:
    """Indices of phases with the same speed and direction."""
    left, groups = list(np.argsort(speed)), []
    while left:
        first = speed[left[0]]
        same = [i for i in left if abs(speed[i] - first) <= SAME_SPEED * abs(first)]
        groups.append(np.array(same))
        left = [i for i in left if i not in same]
    return groups


def _without_groups(values: np.ndarray, groups: Sequence[np.ndarray]) -> np.ndarray:
    rest = values.copy()
    for group in groups:
        rest[group] -= values[group].mean()
    return rest


def _side_by_side(first: Estimate, second: Estimate) -> Estimate:
    """Two estimates of different parameters as one."""
    size = len(first.names)
    covariance = np.zeros((size + len(second.names),) * 2)
    covariance[:size, :size], covariance[size:, size:] = first.covariance, second.covariance
    freedoms = {name: each.freedoms.get(name, each.freedom) for each in (first, second) for name in each.names}
    return replace(
        first,
        values={**first.values, **second.values},
        covariance=covariance,
        units={**first.units, **second.units},
        hidden=(*first.hidden, *second.hidden),
        unidentifiable=(*first.unidentifiable, *second.unidentifiable),
        collinear=(*first.collinear, *second.collinear),
        freedoms=freedoms,
        method="forces besides friction, within phases and between phases at the same speed",
    )


def _sum(estimate: Estimate, columns: Mapping[str, np.ndarray]) -> np.ndarray:
    """The force of all terms together."""
    parts = [np.nan_to_num(estimate.values[name]) * column for name, column in columns.items()]
    return np.asarray(np.sum(parts, axis=0))


def _without_means(values: np.ndarray, parts: Sequence[slice], step: int = 1) -> np.ndarray:
    """The values of all phases without the mean of each, as means of `step` samples."""
    whole = [values[part][: (part.stop - part.start) // step * step].reshape(-1, step).mean(axis=1) for part in parts]
    return np.concatenate([rows - rows.mean() for rows in whole if rows.size])
