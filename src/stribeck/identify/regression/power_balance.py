"""The power balance: regression of the work of the measured force in time windows on the works of terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import SpecError
from ...units import to_si
from ..records.measurement import Measurement
from .equation import Equation, equation_of
from .estimate import Estimate, linear_fit
from .terms import STANDARD, Term, checked_sign

FEWEST = 4
"""Least number of samples in a window, and of windows in a record."""


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

    This is the equation of `inverse_model` times the speed, integrated over windows (Gautier 1997; Nouailletas, Mendes
    and Koenig 2008). Samples are weighted by their speed, so samples near standstill have little influence. The length
    of a window is adjusted about `window` to fit between samples that are masked or slower than `min_speed`. `terms`,
    `cutoff`, `min_speed` and `delay` are those of `inverse_model`.

    >>> print(power_balance(run, force="f", position="q", window="0.2 s"))
    """
    equation = equation_of(measurement, force, position, terms, cutoff=cutoff, delay=delay, min_speed=min_speed)
    starts, stops = _windows(equation, to_si(window, "s", measurement.name, "window"), measurement.name)
    speed = equation.band.filtered(equation.motion.v)

    def works(force: np.ndarray) -> np.ndarray:
        """Work in each window, by the trapezoidal rule."""
        power = force * speed
        total = np.concatenate(([0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * equation.band.sample_time)))
        return np.asarray(total[stops] - total[starts])

    found = linear_fit(
        {key: works(column) for key, column in equation.columns.items()},
        works(equation.target),
        units=equation.units,
        coloured=True,
        noise=np.sqrt(works(speed)),
        method=name,
    )
    return checked_sign(found, measurement.name, force)


def _windows(equation: Equation, window: float, name: str) -> tuple[np.ndarray, np.ndarray]:
    """First and last samples of windows: contiguous valid samples, divided into equal parts of about this length."""
    step, samples = equation.band.sample_time, equation.target.size
    size = round(window / step)
    if size < FEWEST:
        raise SpecError(f"{name}: window = {window:g} s must be at least {FEWEST * step:g} s, {FEWEST} samples")
    if size * FEWEST > samples:
        raise SpecError(
            f"{name}: {samples * step:g} s are too short for {FEWEST} windows of {window:g} s; measure longer, "
            "or give a shorter window"
        )
    ends = np.flatnonzero(np.diff(np.concatenate(([0], equation.valid, [0]))))
    cuts = [
        np.linspace(first, last - 1, round((last - 1 - first) / size) + 1).astype(int)
        for first, last in zip(ends[::2], ends[1::2], strict=True)
    ]
    return np.concatenate([cut[:-1] for cut in cuts]), np.concatenate([cut[1:] for cut in cuts])
