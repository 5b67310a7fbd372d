"""The inverse dynamic model: regression of the measured force on terms of the measured motion."""

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
from .terms import STANDARD, Term, checked_sign


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

    `position` may also be a speed channel (rad/s or m/s). The method is that used for robots (Gautier 1997; Janot,
    Vandanjon and Gautier 2014). Positions are filtered forwards and backwards at `cutoff` and differentiated. Force and
    regressors then pass one filter, with half of the cutoff, and are decimated to one row every `sample_time` (by
    default one period of the cutoff; a longer one lowers the cutoff). The cutoff should be about five times the
    bandwidth of the motion. By default it is the highest one, from 100 Hz or a fifth of the sampling rate downwards, at
    which the bias of the inertia due to position noise is negligible. If the cutoff is given, the standard errors
    include this bias. They also account for autocorrelated residuals.

    `delay` is the delay of the force against its record: half a sample for a command that a drive holds. Samples slower
    than `min_speed` are omitted, because sign(v) is wrong there with a coarse sensor; by default it is four times the
    noise of the speed. `instrument` names a channel with the noise-free position: the reference of a controller that
    tracks it well, or the position of a simulated model (Janot, Vandanjon and Gautier 2014). The terms are then
    projected onto those of the instrument, which removes the bias of the inertia at any cutoff.

    `terms` are names (inertia, viscous, coulomb, offset, stiffness, drag; viscous+ ... for one direction), names with
    arguments ("gravity", "harmonics(10 mm, 1, 2)", "channel(T, viscous)", "acceleration(q2)", "polynomial(2)",
    "stribeck(0.01)"), or `Term`s: `stribeck_term`, `position_terms`, `harmonic_terms`, `gravity_terms`,
    `channel_term`, `coupled_term`, or those of the user. Nearly collinear terms are named in the printed estimate.

    >>> print(inverse_model(run, force="f", position="q"))
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
        bias = equation.attenuation(found, step)
        found = replace(found, covariance=found.covariance + np.outer(bias, bias))
    return checked_sign(found, measurement.name, force)


def _spacing(measurement: Measurement, sample_time: float | str) -> float:
    """The time between rows (s)."""
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
            f"{name}: decimated to {wanted:.3g} s, {size} samples give fewer than {SHORTEST} rows; measure longer, "
            "raise the cutoff or lower sample_time"
        )
