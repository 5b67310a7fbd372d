"""Forces besides friction in phases of constant speed: gravity, ripple, loads, other joints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import SpecError
from ..records.measurement import Measurement
from ..regression.estimate import Estimate, linear_fit
from ..regression.terms import Motion, Term, resolved, term_units

VARIES = 0.05
"""Least variation of a regressor within phases, relative to its whole variation."""


def fit_regressors(
    run: Measurement, force: str, channel: str, parts: Sequence[slice], terms: Sequence[str | Term]
) -> tuple[Estimate, np.ndarray]:
    """Parameters of forces that act besides friction, and their sum over the record.

    In each phase friction is a free constant: force and regressors lose their means there, and what is left is one
    regression for all phases.

    >>> estimate, acting = fit_regressors(run, "tau", "q", [slice(0, 400), slice(500, 900)], ["harmonics(0.3)"])
    """
    motion = Motion.of(run, channel)
    known = resolved(terms)
    columns = {name: term.force(motion) for name, term in known.items()}
    within = {name: _without_means(column, parts) for name, column in columns.items()}
    for name, column in columns.items():
        whole = float(np.std(np.concatenate([column[part] for part in parts])))
        if not float(np.std(within[name])) > VARIES * whole:
            raise SpecError(
                f"{run.name}: the regressor '{name}' hardly changes within phases of constant speed, so it is not "
                "separable from friction; use inverse_model, or compare records in which it differs"
            )
    found = linear_fit(
        within,
        _without_means(np.asarray(run[force]), parts),
        units=term_units(known, run, run.units[force], motion.unit),
        coloured=True,
        method="forces besides friction, within phases",
    )
    acting = sum((np.nan_to_num(found.values[name]) * column for name, column in columns.items()), np.zeros(len(run)))
    return found, np.asarray(acting)


def _without_means(values: np.ndarray, parts: Sequence[slice]) -> np.ndarray:
    return np.concatenate([values[part] - values[part].mean() for part in parts])
