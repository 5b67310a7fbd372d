"""The power balance: work of the measured force in each window of time as a sum of works, by least squares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....errors import SpecError
from ....units import to_si
from ..records.measurement import Measurement
from .equation import Equation, equation_of
from .estimate import Estimate, linear_fit
from .terms import STANDARD, Term, with_its_sign

FEWEST = 4
"""Samples in a window, and windows in a record."""


def power_balance(
    measurement: Measurement,
    force: str,
    position: str,
    terms: Sequence[str | Term] = STANDARD,
    *,
    cutoff: float | str | None = None,
    window: float | str = "0.1 s",
    min_speed: float | str | None = None,
    delay: float | str = 0.0,
    name: str = "power balance",
) -> Estimate:
    """Parameters from energies: work of the force = M (v2^2 - v1^2)/2 + F_v int v^2 dt + F_c int |v| dt + ...

    It is the equation of `inverse_model` times the speed, integrated over windows (Gautier 1997; Nouailletas, Mendes
    and Koenig 2008): samples count by their speed, so that what happens near standstill, where the power is small, says
    little. Windows that overlap what is masked or slower than `min_speed` are left out. `terms`, `cutoff`, `min_speed`
    and `delay` as in `inverse_model`.

    >>> print(power_balance(run, force="f", position="qm", window="0.2 s"))
    """
    equation = equation_of(measurement, force, position, terms, cutoff=cutoff, delay=delay, min_speed=min_speed)
    starts, size = _windows(equation, to_si(window, "s", measurement.name, "window"), measurement.name)
    speed = equation.band.through(equation.motion.v)

    def works(force: np.ndarray) -> np.ndarray:
        """In each window, by the rule of trapezoids."""
        power = force * speed
        total = np.concatenate(([0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * equation.band.sample_time)))
        return np.asarray(total[starts + size] - total[starts])

    found = linear_fit(
        {key: works(column) for key, column in equation.columns.items()},
        works(equation.target),
        units=equation.units,
        coloured=True,
        method=name,
    )
    return with_its_sign(found, measurement.name, force)


def _windows(equation: Equation, window: float, name: str) -> tuple[np.ndarray, int]:
    """First samples and length of the windows: as many as fit, one after the other, where all samples count."""
    step, samples = equation.band.sample_time, equation.target.size
    size, most = round(window / step), samples // FEWEST
    if most < FEWEST:
        raise SpecError(f"{name}: {samples} samples are too few for windows; measure at least {FEWEST**2}")
    if not FEWEST <= size <= most:
        raise SpecError(f"{name}: window = {window:g} s must be from {FEWEST * step:g} to {most * step:g} s")
    ends = np.flatnonzero(np.diff(np.concatenate(([0], equation.valid, [0]))))
    starts = [np.arange(first, last - size, size) for first, last in zip(ends[::2], ends[1::2], strict=True)]
    return np.concatenate([*starts, np.zeros(0, int)]), size
