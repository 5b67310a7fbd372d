"""The power balance: work of the measured force in each window of time as a sum of works, by least squares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....errors import SpecError
from ....units import to_si
from ..records.inspect import require_motion
from ..records.measurement import Measurement
from .estimate import Estimate, linear_fit
from .terms import ACCELERATION, STANDARD, Motion, Term, delayed, resolved, term_units, with_its_sign

FEWEST = 4
"""Samples in a window."""


def power_balance(
    measurement: Measurement,
    force: str,
    position: str,
    terms: Sequence[str | Term] = STANDARD,
    *,
    cutoff: float | str | None = None,
    window: float | str = "0.1 s",
    delay: float | str = 0.0,
    name: str = "power balance",
) -> Estimate:
    """Parameters from energies: work of the force = M (v2^2 - v1^2)/2 + F_v int v^2 dt + F_c int |v| dt + ...

    No acceleration is needed (Gautier 1997; Nouailletas, Mendes and Koenig 2008), so that coarser sensors will do; the
    price is that samples near standstill, where the power is small, say little. Windows that overlap what is masked
    are left out. `terms`, `cutoff` and `delay` as in `inverse_model`.

    >>> print(power_balance(run, force="f", position="qm", window="0.2 s"))
    """
    require_motion(measurement, force, position)
    motion = Motion.of(measurement, position, cutoff)
    chosen = resolved(terms)
    edges = _edges(motion, to_si(window, "s", measurement.name, "window"), measurement.name)
    works = {key: _work(term, motion, edges) for key, term in chosen.items()}
    found = linear_fit(
        works,
        _integrals(delayed(measurement, force, delay) * motion.v, motion, edges),
        units=term_units(chosen, measurement.units[force], motion.unit),
        valid=_whole(motion.valid, edges),
        coloured=True,
        method=name,
    )
    return with_its_sign(found, measurement.name, force)


def _edges(motion: Motion, window: float, name: str) -> np.ndarray:
    size = round(window / motion.sample_time)
    if not FEWEST <= size <= motion.t.size // FEWEST:
        low, high = FEWEST * motion.sample_time, motion.t.size // FEWEST * motion.sample_time
        raise SpecError(f"{name}: window = {window:g} s must be from {low:g} to {high:g} s for this record")
    return np.arange(0, motion.t.size, size)


def _work(term: Term, motion: Motion, edges: np.ndarray) -> np.ndarray:
    """Work of a term with a parameter of 1 in each window; that of the inertia is exact."""
    if term.name == ACCELERATION:
        return np.asarray(np.diff(0.5 * motion.v[edges] ** 2))
    return _integrals(term.force(motion) * motion.v, motion, edges)


def _integrals(power: np.ndarray, motion: Motion, edges: np.ndarray) -> np.ndarray:
    """Of a course over each window, by the rule of trapezoids."""
    total = np.concatenate(([0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * motion.sample_time)))
    return np.asarray(np.diff(total[edges]))


def _whole(valid: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Which windows have valid samples only, both ends counted."""
    bad = np.concatenate(([0], np.cumsum(~valid)))
    return np.asarray(bad[edges[1:] + 1] == bad[edges[:-1]])
