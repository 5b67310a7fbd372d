"""The regression equation of a record: force and terms behind one filter, as wide as the sensor noise allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ...errors import SpecError
from ...units import to_si
from ..records.checks import SHORTEST
from ..records.inspect import require_drive
from ..records.measurement import Measurement
from .band import Band, sensor_noise
from .estimate import Estimate, linear_fit
from .terms import SPEEDS, Motion, Term, default_cutoff, delayed, resolved, term_units

CERTAIN = 4.0
"""Standard deviations of the speed noise above which the sign of the speed is certain."""
NEGLIGIBLE = 0.2
"""Attenuation bias, relative to the standard error of the parameter, that is negligible."""
CUTOFF_RATIO = 0.5**0.5
"""Ratio of successive trial cutoffs."""
FEWEST = 40
"""Least number of rows for an automatic choice of the cutoff."""


@dataclass(frozen=True, eq=False)
class Equation:
    """target = sum of parameters times columns, on the time grid of the record, all behind the same filter.

    >>> equation = equation_of(run, "f", "q", ["inertia", "viscous", "coulomb"])
    >>> equation.fit(equation.period, "inverse dynamic model")
    """

    motion: Motion
    band: Band
    columns: Mapping[str, np.ndarray]
    target: np.ndarray
    valid: np.ndarray
    """Rows made only of valid samples with a certain direction of motion."""
    units: Mapping[str, str]
    instruments: Mapping[str, np.ndarray] | None = None
    noise: Mapping[str, float] = field(default_factory=dict)
    """Standard deviation of each column due to the noise of the acceleration."""

    @property
    def period(self) -> int:
        """Samples in one period of the cutoff: rows at this distance are nearly independent.

        >>> equation.period
        7
        """
        return max(1, round(1 / (self.band.cutoff * self.band.sample_time)))

    def fit(self, step: int, method: str = "least squares") -> Estimate:
        """Least squares with every `step`-th row.

        >>> equation.fit(10)["inertia"]
        1.0
        """
        return linear_fit(
            {name: column[::step] for name, column in self.columns.items()},
            self.target[::step],
            units=self.units,
            valid=self.valid[::step],
            instruments=self.instruments and {name: column[::step] for name, column in self.instruments.items()},
            coloured=True,
            method=method,
        )

    def attenuation(self, found: Estimate, step: int) -> np.ndarray:
        """Attenuation bias of each parameter: noise in the columns adds to their squares.

        >>> equation.attenuation(equation.fit(10), 10)
        array([-0.000188, -8.58e-05,  4.1e-05])
        """
        keep = self.valid[::step]
        rows = np.column_stack([column[::step][keep] for column in self.columns.values()])
        size = np.maximum(np.linalg.norm(rows, axis=0), 1e-300)
        share = keep.sum() * (np.array([self.noise.get(name, 0.0) for name in self.columns]) / size) ** 2
        values = np.nan_to_num(np.array(list(found.values.values())))
        return np.asarray(-np.linalg.pinv((rows / size).T @ (rows / size)) @ (share * values * size) / size)


@dataclass(frozen=True, eq=False)
class RegressionSetup:
    """A record with the channels, terms and options of a regression.

    >>> RegressionSetup(run, "f", "q", resolved(["inertia"]), delay=0.0, instrument=None, min_speed=None)
    """

    record: Measurement
    force: str
    position: str
    terms: Mapping[str, Term]
    delay: float | str
    instrument: str | None
    min_speed: float | str | None

    def equation(self, cutoff: float) -> Equation:
        """The equation of the motion filtered at `cutoff` (Hz).

        >>> setup.equation(50.0)
        """
        run, step = self.record, self.record.even("speed")
        motion, band = Motion.of(run, self.position, cutoff), Band(cutoff, step)
        clean = None if self.instrument is None else Motion.of(run, self.instrument, cutoff)
        noise = self.noise * band.noise(1 if run.units[self.position] in SPEEDS else 2)
        return Equation(
            motion,
            band,
            self._columns(motion, band),
            band.filtered(delayed(run, self.force, self.delay)),
            band.unaffected(motion.valid & self._certain(motion)),
            term_units(self.terms, run, run.units[self.force], motion.unit),
            None if clean is None else self._columns(clean, band),
            {name: noise * self._slope(term, motion) for name, term in self.terms.items()},
        )

    @cached_property
    def noise(self) -> float:
        """Standard deviation of the position noise.

        >>> setup.noise
        2.89e-06
        """
        run = self.record
        stated = float(run.resolution.get(self.position, 0.0)) / np.sqrt(12)
        return float(max(stated, sensor_noise(np.asarray(run[self.position]), run.valid, run.even("speed"))))

    def _columns(self, motion: Motion, band: Band) -> dict[str, np.ndarray]:
        return {name: band.filtered(term.force(motion)) for name, term in self.terms.items()}

    @cached_property
    def _wide_band(self) -> list[Motion]:
        """The motions of the sensor and of the instrument with the default cutoff."""
        channels = [self.position] + ([self.instrument] if self.instrument else [])
        return [Motion.of(self.record, name) for name in channels]

    def _certain(self, motion: Motion) -> np.ndarray:
        """Where the direction of the motion is certain. A wide band decides: noise that passes through a controller
        makes a slow machine oscillate, which a narrow band does not show."""
        run = self.record
        order = 0 if run.units[self.position] in SPEEDS else 1
        wide = [motion] if motion.cutoff > self._wide_band[0].cutoff else self._wide_band
        usual = CERTAIN * Band(wide[0].cutoff, motion.sample_time).motion_noise(order) * self.noise
        slowest = usual if self.min_speed is None else to_si(self.min_speed, "", run.name, "min_speed")
        return np.asarray(np.all([np.abs(each.v) >= slowest for each in wide], axis=0))

    @staticmethod
    def _slope(term: Term, motion: Motion) -> float:
        """Root mean square of the derivative of a term by the acceleration."""
        scale = float(np.std(motion.a)) or 1.0
        change = term.force(replace(motion, a=motion.a + scale)) - term.force(motion)
        return float(np.sqrt(np.mean(change**2))) / scale


def equation_of(
    measurement: Measurement,
    force: str,
    position: str,
    terms: Sequence[str | Term],
    *,
    cutoff: float | str | None = None,
    slowest: float | None = None,
    delay: float | str = 0.0,
    instrument: str | None = None,
    min_speed: float | str | None = None,
) -> Equation:
    """The regression equation of a record, filtered at `cutoff`, or as far as position noise is negligible. A period
    of the cutoff is at least `slowest` (s).

    In the acceleration position noise grows with the square of the frequency, and it biases the inertia towards 0.
    Without a cutoff, the highest one from 100 Hz (or a fifth of the sampling rate) downwards is used at which this bias
    is less than a fifth of the standard errors.

    >>> equation_of(run, "f", "q", ["inertia", "viscous", "coulomb"]).band.cutoff
    70.7
    """
    require_drive(measurement, force, position, speeds=True)
    source = RegressionSetup(measurement, force, position, resolved(terms), delay, instrument, min_speed)
    limit = 1 / slowest if slowest else np.inf
    if cutoff is not None:
        return source.equation(min(limit, to_si(cutoff, "Hz", measurement.name, "cutoff")))
    chosen = None
    for trial in _trials(source, min(limit, default_cutoff(measurement.even("speed")))):
        if chosen is not None and trial.valid[:: trial.period].sum() < FEWEST:
            break
        chosen = trial
        if _attenuation_negligible(trial):
            break
    assert chosen is not None
    if not chosen.valid.any():
        raise SpecError(
            f"{measurement.name}: no sample of '{position}' is faster than its noise; find spikes and gaps with "
            "inspect(run), or give min_speed"
        )
    return chosen


def _trials(source: RegressionSetup, cutoff: float) -> Iterator[Equation]:
    """Equations with decreasing cutoffs, while they leave enough rows."""
    duration = len(source.record) * source.record.even("speed")
    yield source.equation(cutoff)
    while cutoff * CUTOFF_RATIO * duration > SHORTEST:
        cutoff *= CUTOFF_RATIO
        yield source.equation(cutoff)


def _attenuation_negligible(equation: Equation) -> bool:
    """Whether noise in the terms is negligible without an instrument."""
    plain = replace(equation, instruments=None)
    if plain.valid[:: plain.period].sum() <= len(plain.columns):
        return True
    found = plain.fit(plain.period)
    errors = np.nan_to_num(np.array(list(found.errors.values())), nan=np.inf)
    return bool(np.all(np.abs(plain.attenuation(found, plain.period)) <= NEGLIGIBLE * errors))
