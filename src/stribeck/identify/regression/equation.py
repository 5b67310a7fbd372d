"""The equation of motion of a record: force and terms behind one filter, as wide as the noise of the sensor allows."""

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
from .terms import SPEEDS, Motion, Term, delayed, resolved, term_units, usual_cutoff

CERTAIN = 4.0
"""Standard deviations of the noise of the speed beyond which its sign is right."""
NEGLIGIBLE = 0.2
"""What noise in the terms does to a parameter, as a share of its standard error, that does not matter."""
RUNG = 0.5**0.5
"""From one cutoff that is tried to the next."""
FEWEST = 40
"""Rows that are left at least where the cutoff is chosen."""


@dataclass(frozen=True, eq=False)
class Equation:
    """target = sum of parameters times columns, on the grid of the record, all behind the same filter.

    >>> equation = equation_of(run, "f", "q", ["inertia", "viscous", "coulomb"])
    >>> equation.fit(equation.period, "inverse dynamic model")
    """

    motion: Motion
    band: Band
    columns: Mapping[str, np.ndarray]
    target: np.ndarray
    valid: np.ndarray
    """Made of samples that count and whose direction is certain."""
    units: Mapping[str, str]
    instruments: Mapping[str, np.ndarray] | None = None
    noise: Mapping[str, float] = field(default_factory=dict)
    """Standard deviation of a column that the noise of the acceleration makes."""

    @property
    def period(self) -> int:
        """Samples in one period of the cutoff: rows that far apart say something new each.

        >>> equation.period
        10
        """
        return max(1, round(1 / (self.band.cutoff * self.band.sample_time)))

    def fit(self, step: int, method: str = "least squares") -> Estimate:
        """Least squares with every `step`-th row.

        >>> equation.fit(10)["inertia"]
        95.1
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

    def shrunk(self, found: Estimate, step: int) -> np.ndarray:
        """By how much each parameter is wrong because noise of the columns adds to their squares.

        >>> equation.shrunk(found, 10)
        array([-0.02, 0.001, 0.0])
        """
        keep = self.valid[::step]
        rows = np.column_stack([column[::step][keep] for column in self.columns.values()])
        size = np.maximum(np.linalg.norm(rows, axis=0), 1e-300)
        share = keep.sum() * (np.array([self.noise.get(name, 0.0) for name in self.columns]) / size) ** 2
        values = np.nan_to_num(np.array(list(found.values.values())))
        return np.asarray(-np.linalg.pinv((rows / size).T @ (rows / size)) @ (share * values * size) / size)


@dataclass(frozen=True, eq=False)
class Source:
    """A record, and what is to be made of it.

    >>> Source(run, "f", "q", resolved(["inertia"]), delay=0.0, instrument=None, min_speed=None).equation(100.0)
    """

    record: Measurement
    force: str
    position: str
    terms: Mapping[str, Term]
    delay: float | str
    instrument: str | None
    min_speed: float | str | None

    def equation(self, cutoff: float) -> Equation:
        """The equation of a motion up to `cutoff` (Hz).

        >>> source.equation(50.0)
        """
        run, step = self.record, self.record.even("speed")
        motion, band = Motion.of(run, self.position, cutoff), Band(cutoff, step)
        clean = None if self.instrument is None else Motion.of(run, self.instrument, cutoff)
        noise = self.noise * band.noise(1 if run.units[self.position] in SPEEDS else 2)
        return Equation(
            motion,
            band,
            self._columns(motion, band),
            band.through(delayed(run, self.force, self.delay)),
            band.whole(motion.valid & self._certain(motion)),
            term_units(self.terms, run.units[self.force], motion.unit),
            None if clean is None else self._columns(clean, band),
            {name: noise * self._slope(term, motion) for name, term in self.terms.items()},
        )

    @cached_property
    def noise(self) -> float:
        """Standard deviation of the noise of the position.

        >>> source.noise
        2.9e-05
        """
        run = self.record
        stated = float(run.resolution.get(self.position, 0.0)) / np.sqrt(12)
        return float(max(stated, sensor_noise(np.asarray(run[self.position]), run.valid, run.even("speed"))))

    def _columns(self, motion: Motion, band: Band) -> dict[str, np.ndarray]:
        return {name: band.through(term.force(motion)) for name, term in self.terms.items()}

    @cached_property
    def _wide(self) -> list[Motion]:
        """The motions of the sensor and of the instrument, up to where nothing is chosen."""
        channels = [self.position] + ([self.instrument] if self.instrument else [])
        return [Motion.of(self.record, name) for name in channels]

    def _certain(self, motion: Motion) -> np.ndarray:
        """Where the direction of the motion is beyond doubt. A wide band decides: noise that a controller hands on
        makes a slow machine turn to and fro, which a narrow band does not see."""
        run = self.record
        order = 0 if run.units[self.position] in SPEEDS else 1
        wide = [motion] if motion.cutoff > self._wide[0].cutoff else self._wide
        usual = CERTAIN * Band(wide[0].cutoff, motion.sample_time).motion_noise(order) * self.noise
        slowest = usual if self.min_speed is None else to_si(self.min_speed, "", run.name, "min_speed")
        return np.asarray(np.all([np.abs(each.v) >= slowest for each in wide], axis=0))

    @staticmethod
    def _slope(term: Term, motion: Motion) -> float:
        """How strongly a term changes with the acceleration, as a root mean square."""
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
    """The equation of motion of a record, up to `cutoff` or as far as noise of the position does not matter; a period
    of the cutoff is at least `slowest` (s).

    Noise of the position grows with the square of the frequency in the acceleration, and its square makes the inertia
    too small. Without a cutoff, the highest one is taken, from 100 Hz (or a fifth of the sampling rate) downwards, at
    which this is less than a fifth of the standard errors.

    >>> equation_of(run, "f", "q", ["inertia", "viscous", "coulomb"]).band.cutoff
    100.0
    """
    require_drive(measurement, force, position, speeds=True)
    source = Source(measurement, force, position, resolved(terms), delay, instrument, min_speed)
    limit = 1 / slowest if slowest else np.inf
    if cutoff is not None:
        return source.equation(min(limit, to_si(cutoff, "Hz", measurement.name, "cutoff")))
    chosen = None
    for trial in _trials(source, min(limit, usual_cutoff(measurement.even("speed")))):
        if chosen is not None and trial.valid[:: trial.period].sum() < FEWEST:
            break
        chosen = trial
        if _undisturbed(trial):
            break
    assert chosen is not None
    if not chosen.valid.any():
        raise SpecError(
            f"{measurement.name}: no sample of '{position}' is left that is faster than its noise; look for spikes and "
            "gaps with inspect(run), or give min_speed"
        )
    return chosen


def _trials(source: Source, cutoff: float) -> Iterator[Equation]:
    """Equations of ever narrower bands, while they leave enough rows."""
    duration = len(source.record) * source.record.even("speed")
    yield source.equation(cutoff)
    while cutoff * RUNG * duration > SHORTEST:
        cutoff *= RUNG
        yield source.equation(cutoff)


def _undisturbed(equation: Equation) -> bool:
    """Whether noise of the terms does not matter, without an instrument."""
    plain = replace(equation, instruments=None)
    if plain.valid[:: plain.period].sum() <= len(plain.columns):
        return True
    found = plain.fit(plain.period)
    errors = np.nan_to_num(np.array(list(found.errors.values())), nan=np.inf)
    return bool(np.all(np.abs(plain.shrunk(found, plain.period)) <= NEGLIGIBLE * errors))
