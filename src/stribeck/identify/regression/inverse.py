"""The inverse dynamic model: measured force as a sum of terms of the measured motion, by least squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...errors import SpecError
from ...units import to_si
from ..records.checks import SHORTEST
from ..records.measurement import Measurement
from .equation import Equation, equation_of
from .estimate import Estimate
from .terms import STANDARD, Term, with_its_sign


def inverse_model(
    measurement: Measurement,
    force: str,
    position: str,
    terms: Sequence[str | Term] = STANDARD,
    *,
    cutoff: float | str | None = None,
    sample_time: float | str | None = None,
    min_speed: float | str | None = None,
    delay: float | str = 0.0,
    instrument: str | None = None,
    name: str = "inverse dynamic model",
) -> Estimate:
    """Parameters of force = M a + F_v v + F_c sign(v) + offset + ..., in SI units.

    `position` may also be a channel with speeds (rad/s or m/s). As for robots (Gautier 1997; Janot, Vandanjon and
    Gautier 2014): positions are smoothed forwards and backwards up to `cutoff` and differentiated; then force and
    regressors alike go through one filter, up to half of the cutoff, and every `sample_time` (one period of the cutoff
    unless given; a longer one lowers the cutoff) a row is taken. The cutoff should be some five times the bandwidth of
    the motion. Unless given, it is the highest one, from 100 Hz or a fifth of the sampling rate downwards, at which
    noise of the position does not make the inertia too small; at one that is given, what noise does is part of the
    standard errors, which also hold the colour of the residuals.

    `delay` is by how much the force comes later than recorded: half a sample if it is a command that a drive holds.
    Speeds below `min_speed` are left out: where a sensor is coarse, sign(v) is wrong there. Unless given, it is four
    times the noise of the speed. `instrument` names a channel with the position without noise: the reference of a
    controller that follows it well, or the position that a simulated model has taken (Janot, Vandanjon and Gautier
    2014). Only what the measured terms have in common with those of the instrument counts then, so that noise does not
    make the inertia too small at any cutoff.

    `terms` are names (inertia, viscous, coulomb, offset, stiffness, drag; viscous+ ... for one direction) or `Term`s:
    `stribeck_term`, `position_terms`, `harmonic_terms` and your own.

    >>> print(inverse_model(run, force="f", position="qm"))
    """
    rows = None if sample_time is None else _spacing(measurement, sample_time)
    equation = equation_of(
        measurement,
        force,
        position,
        terms,
        cutoff=cutoff,
        slowest=rows,
        delay=delay,
        instrument=instrument,
        min_speed=min_speed,
    )
    step = equation.period if rows is None else max(1, round(rows / equation.band.sample_time))
    _require_rows(equation, step, measurement.name)
    found = equation.fit(step, name)
    if instrument is None:
        shrunk = equation.shrunk(found, step)
        found = replace(found, covariance=found.covariance + np.outer(shrunk, shrunk))
    return with_its_sign(found, measurement.name, force)


def _spacing(measurement: Measurement, sample_time: float | str) -> float:
    """The time from row to row (s)."""
    wanted, own = to_si(sample_time, "s", measurement.name, "sample_time"), measurement.even("speed")
    if wanted < own * (1 - 1e-6):
        raise SpecError(
            f"{measurement.name}: sample_time = {wanted:g} s must be at least that of the record, {own:g} s"
        )
    return wanted


def _require_rows(equation: Equation, step: int, name: str) -> None:
    size, wanted = equation.target.size, step * equation.band.sample_time
    if step >= size / SHORTEST:
        raise SpecError(
            f"{name}: thinned out to {wanted:.3g} s, {size} samples leave less than {SHORTEST}; measure longer, "
            "or raise the cutoff or lower sample_time"
        )
