"""The position of a contact whose force is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ....errors import SpecError
from ..records.filters import smoothed
from ..records.measurement import Measurement
from ..regression.separable import Columns, Separated, refined, separable_fit
from .strokes import Stroke, noise_of, strokes, turned

EDGES = 12
"""Changes of the count that are needed."""
FINENESS = 16
"""Values of a nonlinear parameter that are tried."""
MOST = 5000
"""Samples that are used at most; of more each second, third and so on is taken."""
LIMITS = (1.002, 100.0)
"""Of f, relative to the largest force."""
HARMONICS = 30
"""Of the loops, up to which a noisy force is kept."""
INERTIAL = 2
"""How often the acceleration of the mass is taken from the position and the fit made again."""


@dataclass(frozen=True, eq=False)
class Explained:
    """A fit of the position, with all that is needed to repeat it.

    >>> explained(run, "x", "f", True, 0.0, 1e-6, False).best.nonlinear
    {'f': 1.5, 'T': 0.003}
    """

    load: np.ndarray
    """Force on the contact, without noise."""
    noise: float
    """Standard deviation of the noise of the force that was taken away."""
    cutoff: float
    """Hz, of the filter against it."""
    h: float
    at: np.ndarray
    goal: np.ndarray
    columns: Columns
    grids: Mapping[str, np.ndarray]
    best: Separated
    predicted: np.ndarray


def explained(
    run: Measurement, position: str, force: str, damping: bool, mass: float, step: float, hold: bool
) -> Explained:
    """The position from the force, at the changes of a count if `step` is above 0.

    >>> explained(run, "x", "f", damping=True, mass=0.0, step=1e-6, hold=False).predicted
    """
    x, h = np.asarray(run[position]), run.even("fit_presliding")
    raw = instant(np.asarray(run[force]), hold)
    at, goal = _edges(run, position, x, step) if step else (some(run.valid), x[some(run.valid)])
    parts = _strokes(run, force)
    cutoff = min(HARMONICS * len(parts) / (2 * h * raw.size), 0.4 / h)
    noise = noise_of(np.asarray(run[force]))
    noise = noise if noise > 1e-3 * np.ptp(raw) else 0.0
    load = smoothed(raw, h, cutoff) if noise else raw
    parts = strokes(load)
    grids = _grids(load, parts, h, damping)
    columns = _columns(load, parts, h, at, bool(step))
    best = separable_fit(columns, goal, grids)
    predicted = _predicted(load, parts, h, best)
    for _ in range(INERTIAL if mass else 0):  # what accelerates the mass does not reach the contact
        rest = load - mass * np.gradient(np.gradient(predicted, h), h)
        grids = _grids(rest, parts, h, damping)
        columns = _columns(rest, parts, h, at, bool(step))
        best = refined(columns, goal, best.nonlinear, {name: (g[0], g[-1]) for name, g in grids.items()})
        predicted = _predicted(rest, parts, h, best)
    return Explained(rest if mass else load, noise, cutoff, h, at, goal, columns, grids, best, predicted)


def instant(force: np.ndarray, hold: bool) -> np.ndarray:
    """The force at the instants of the samples: as measured, or the middle of the step that a held command makes there.

    >>> instant(np.array([0.0, 1, 2]), hold=True)
    array([0. , 0.5, 1.5])
    """
    return np.asarray(np.concatenate([force[:1], 0.5 * (force[1:] + force[:-1])])) if hold else force


def repeated(found: Explained, step: float, seed: int) -> Separated:
    """The same fit to a record made of the prediction, with the same noise of the force and the same encoder.

    >>> repeated(found, 1e-6, seed=0).nonlinear
    {'f': 1.51, 'T': 0.0029}
    """
    rng = np.random.default_rng(seed)
    load = found.load + found.noise * rng.normal(size=found.load.size)
    load = smoothed(load, found.h, found.cutoff) if found.noise else load
    if step:
        shifted = found.predicted + step * rng.random()
        seen = step * np.round(shifted / step)
        at = np.flatnonzero(np.diff(seen))
        goal = 0.5 * (seen[at] + seen[at + 1])
    else:
        at = found.at
        goal = found.predicted[at] + np.std(found.best.residuals) * rng.normal(size=at.size)
    bounds = {name: (g[0], g[-1]) for name, g in found.grids.items()}
    bounds["f"] = (LIMITS[0] * float(np.abs(load).max()), bounds["f"][1])
    columns = _columns(load, strokes(load), found.h, at, bool(step))
    return refined(columns, goal, found.best.nonlinear, bounds)


def _predicted(load: np.ndarray, parts: list[Stroke], h: float, best: Separated) -> np.ndarray:
    """The position at all samples."""
    terms = _columns(load, parts, h, np.arange(load.size), False)(best.nonlinear)
    return np.asarray(sum((best.linear[name] * column for name, column in terms.items()), np.zeros_like(load)))


def some(valid: np.ndarray) -> np.ndarray:
    """Samples that count, not more than are of use.

    >>> some(run.valid)
    """
    at = np.flatnonzero(valid)
    return at[:: max(1, at.size // MOST)]


def _edges(run: Measurement, position: str, x: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """The samples before each change of the count, and the position of the change."""
    change = np.diff(x)
    at = np.flatnonzero((np.abs(change) > 0.5 * step) & run.valid[1:] & run.valid[:-1])
    if at.size < EDGES:
        raise SpecError(
            f"{run.name}: '{position}' changes its count {at.size} times; at least {EDGES} changes are needed: record "
            "more loops, or larger ones"
        )
    return at, 0.5 * (x[at] + x[at + 1])


def _strokes(run: Measurement, force: str) -> list[Stroke]:
    parts = strokes(np.asarray(run[force]))
    if len(parts) < 3:
        raise SpecError(
            f"{run.name}: '{force}' turns {len(parts) - 1} times; loops need two reversals or more, so let it swing"
        )
    return parts


def _grids(load: np.ndarray, parts: list[Stroke], h: float, damping: bool) -> dict[str, np.ndarray]:
    """Limits from just above the largest force, time constants up to a third of the shortest stroke."""
    largest = float(np.abs(load).max())
    grids = {"f": largest * (1 + np.geomspace(LIMITS[0] - 1, LIMITS[1] - 1, FINENESS))}
    if damping:
        shortest = min(part.stop - part.start for part in parts[1:-1] or parts) * h
        grids["T"] = np.geomspace(1e-3 * h, shortest / 3, FINENESS)
    return grids


def _columns(load: np.ndarray, parts: list[Stroke], h: float, at: np.ndarray, edge: bool) -> Columns:
    """Of an offset and of the compliance 1/sigma0, at samples or half-way to the next ones."""

    def columns(nonlinear: Mapping[str, float]) -> dict[str, np.ndarray]:
        y = lagged(load, h, nonlinear["T"]) if "T" in nonlinear else load
        path = displacement(y, turned(y, parts) if "T" in nonlinear else parts, nonlinear["f"])
        seen = 0.5 * (path[at] + path[at + 1]) if edge else path[at]
        return {"x_0": np.ones(at.size), "compliance": seen}

    return columns


def displacement(y: np.ndarray, parts: list[Stroke], limit: float) -> np.ndarray:
    """sigma0 x of a contact that carries y: along each stroke, - s f log(1 - s y / f), joined at the reversals.

    >>> displacement(y, strokes(y), 1.5) / sigma0
    """
    share = np.clip(y / limit, -1 + 1e-12, 1 - 1e-12)
    path = np.empty_like(y)
    level = 0.0
    for start, stop, sign in parts:
        course = -sign * limit * np.log1p(-sign * share[start : stop + 1])
        path[start : stop + 1] = level + course - course[0]
        level = path[stop]
    return path


def lagged(values: np.ndarray, h: float, time_constant: float) -> np.ndarray:
    """A course behind T y' + y = values, exact for values that are straight between the samples; it begins in balance.

    >>> lagged(t, 1e-3, 0.1)[-1]
    9.9
    """
    from scipy.signal import lfilter

    r = h / time_constant
    decay = np.exp(-r)
    new = 1 + np.expm1(-r) / r
    old = -np.expm1(-r) - new
    return np.asarray(lfilter([new, old], [1, -decay], values, zi=[values[0] * (1 - new)])[0])
