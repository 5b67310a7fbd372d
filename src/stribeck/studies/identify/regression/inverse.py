"""The inverse dynamic model: measured force as a sum of terms of the measured motion, by least squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ....errors import SpecError
from ....units import to_si
from ..records.filters import speed_noise
from ..records.inspect import require_motion
from ..records.measurement import SHORTEST, Measurement
from .estimate import Estimate, linear_fit
from .terms import SPEEDS, STANDARD, Motion, Term, delayed, resolved, term_units, with_its_sign

CERTAIN = 4.0
"""Standard deviations of the noise of the speed beyond which its sign is right."""


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
    Gautier 2014): positions are smoothed forwards and backwards up to `cutoff` (100 Hz, or a fifth of the sampling
    rate), which must lie far above the bandwidth of the motion (five times is usual), and differentiated; then
    force and regressors alike are filtered and thinned out to `sample_time` (one period of the cutoff unless given),
    so that what the model cannot explain, above the motion, does not count. Standard errors hold the colour of the
    residuals. `delay` is by how much the force comes later than recorded: half a sample if it is a command that a drive
    holds. Speeds below `min_speed` are left out: where a sensor is coarse, sign(v) is wrong there. Unless given, it is
    four times the noise that the `resolution` of the position makes of the speed, if the record states it.

    Noise of a coarse encoder makes the inertia too small. `instrument` names a channel with the position without this
    noise: the reference of a controller that follows it well, or the position that a simulated model has taken (Janot,
    Vandanjon and Gautier 2014). Only what the measured terms have in common with those of the instrument counts then,
    and `min_speed` is that of the instrument.

    `terms` are names (inertia, viscous, coulomb, offset, stiffness, drag; viscous+ ... for one direction) or `Term`s:
    `stribeck_term`, `position_terms`, `harmonic_terms` and your own.

    >>> print(inverse_model(run, force="f", position="qm"))
    """
    require_motion(measurement, force, position)
    motion = Motion.of(measurement, position, cutoff)
    clean = motion if instrument is None else Motion.of(measurement, instrument, cutoff)
    chosen = resolved(terms)
    step = decimation(motion, sample_time, measurement.name)
    slowest = _slowest(measurement, position, motion) if min_speed is None else min_speed
    fast = np.abs(clean.v) >= to_si(slowest, "", measurement.name, "min_speed")
    found = linear_fit(
        _columns(chosen, motion, step),
        thinned(delayed(measurement, force, delay), step),
        units=term_units(chosen, measurement.units[force], motion.unit),
        valid=_all_valid(motion.valid & fast, step),
        instruments=None if instrument is None else _columns(chosen, clean, step),
        coloured=True,
        method=name,
    )
    return with_its_sign(found, measurement.name, force)


def _slowest(measurement: Measurement, position: str, motion: Motion) -> float:
    """The speed from which on its sign is certain."""
    resolution = float(measurement.resolution.get(position, 0.0))
    if measurement.units[position] in SPEEDS:
        return resolution
    return CERTAIN * speed_noise(resolution, motion.sample_time, motion.cutoff)


def _columns(terms: Mapping[str, Term], motion: Motion, step: int) -> dict[str, np.ndarray]:
    return {name: thinned(term.force(motion), step) for name, term in terms.items()}


def decimation(motion: Motion, sample_time: float | str | None, name: str) -> int:
    """How many samples become one: those in `sample_time`, or in one period of the cutoff.

    >>> decimation(motion, "10 ms", "run")
    10
    """
    step = 1 / motion.cutoff if sample_time is None else to_si(sample_time, "s", name, "sample_time")
    if sample_time is not None and step < motion.sample_time * (1 - 1e-6):
        raise SpecError(
            f"{name}: sample_time = {step:g} s must be at least that of the record, {motion.sample_time:g} s"
        )
    if step >= motion.sample_time * motion.t.size / SHORTEST:
        raise SpecError(
            f"{name}: thinned out to {step:.3g} s, {motion.t.size} samples leave less than {SHORTEST}; measure longer, "
            "or raise the cutoff or lower sample_time"
        )
    return max(1, round(step / motion.sample_time))


def thinned(values: np.ndarray, step: int) -> np.ndarray:
    """Every `step`-th sample after a Chebyshev filter forwards and backwards: what is above 0.8 of the new limit goes.

    >>> thinned(force, 10)
    """
    if step == 1:
        return values
    from scipy.signal import decimate

    return np.asarray(decimate(values, step, ftype="iir", zero_phase=True))


def _all_valid(valid: np.ndarray, step: int) -> np.ndarray:
    """Which of the thinned samples were made of valid ones only, one new step to either side."""
    bad = np.concatenate(([0], np.cumsum(~valid)))
    at = np.arange(0, valid.size, step)
    reach = step - 1
    high, low = np.minimum(at + reach + 1, valid.size), np.maximum(at - reach, 0)
    return np.asarray(bad[high] == bad[low])
