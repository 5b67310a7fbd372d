"""Fit of the position of a contact whose force is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ...errors import SpecError
from ..fits.simulation import WORKERS
from ..records.measurement import Measurement
from ..regression.separable import Columns, separable_fit
from .contact import BristleContact, bristles
from .denoising import Denoised, denoised
from .position_noise import PositionCovariance, RandomWalk, random_walk
from .strokes import Stroke, pace, strokes

EDGES = 12
"""Least number of count transitions."""
FINENESS = 16
"""Trial values of a nonlinear parameter."""
MOST = 5000
"""Most samples that are used; longer records are decimated."""
LIMITS = (1.002, 100.0)
"""Range of trial values of f, relative to the largest force."""
SLIDES = 0.5
"""Lower limit of f where a mass takes part of the force."""
REPEATS = 40
"""Number of synthetic records with the estimated noise (parametric bootstrap)."""
SLOPE = 1e-4
"""Step of differences, relative to a parameter."""
LONGEST = 20
"""Most steps of the search."""
REACH = {"sigma0": 10.0, "f": 1e3, "sigma1": 1e4}
"""Range of the search about the start, as a factor."""


@dataclass(frozen=True, eq=False)
class Explained:
    """A fit of the position, with all that is needed for the bootstrap.

    >>> found.values["f"], found.values["sigma1"]
    (1.5, 300.8)
    """

    contact: BristleContact
    force: Denoised
    step: float
    values: Mapping[str, float]
    at: np.ndarray
    """Indices of samples, or of those before a count transition."""
    goal: np.ndarray
    path: np.ndarray
    """The position at all samples, with the estimated level of each stroke."""
    slopes: Mapping[str, np.ndarray]
    """Derivatives of the path by each parameter."""
    perturbed: np.ndarray
    """Changes of the path by force noise, one realisation per row; no rows without noise."""
    walk: RandomWalk
    blur: float
    """Standard deviation of the goal from causes other than force noise and the unknown instants of transitions."""
    misfit: float
    """Mean squared residual, whitened by its covariance."""

    @property
    def residuals(self) -> np.ndarray:
        """Residuals of the goal.

        >>> np.std(found.residuals)
        1.99e-07
        """
        return np.asarray(self.goal - sampled(self.path, self.at, self.step))

    def spread(self, at: np.ndarray) -> PositionCovariance:
        """Covariance of the position at samples, or at the count transitions after them.

        >>> found.spread(found.at).white(found.residuals)
        """
        return _spread(self.walk, self.path, at, self.step, self.blur)


def explained(
    run: Measurement, position: str, force: str, damping: bool, mass: float, step: float, hold: bool
) -> Explained:
    """Fits the position from the force; at the count transitions if `step` is above 0.

    >>> explained(run, "x", "f", damping=True, mass=0.0, step=1e-6, hold=False).path.shape
    (2000,)
    """
    x, h = np.asarray(run[position]), run.even("fit_presliding")
    raw = instant(np.asarray(run[force]), hold)
    at, goal = _edges(run, position, x, step) if step else (subsample(run.valid), x[subsample(run.valid)])
    calm = denoised(raw, h, pace(_strokes(run, force), h))
    start = _start(calm.signal, h, at, goal, damping, step)
    if start["sigma0"] <= 0:
        raise wrong_sign(run, position, force)
    contact = BristleContact(h, mass)
    same = PositionCovariance(np.full(goal.size, np.ptp(goal)), np.zeros(goal.size, int), np.zeros(0))
    values = _refined(contact, calm.signal, start, at, goal, same, step)
    moved = contact.displacement(calm.signal, values)
    with ThreadPoolExecutor(WORKERS) as pool:  # a load is part of the structure of a model, so each is a run alone
        paths = list(pool.map(lambda load: contact.displacement(load, values), calm.repeated(h, REPEATS)))
    perturbed = np.array([path - moved for path in paths]).reshape(-1, moved.size)
    walk, path = random_walk(moved, perturbed), moved + values["x_0"]
    spread = _spread(walk, path, at, step, _blur(walk, path, at, goal, step))
    values = _refined(contact, calm.signal, values, at, goal, spread, step)
    path = contact.displacement(calm.signal, values) + values["x_0"]
    blur = _blur(walk, path, at, goal, step)
    spread, rest = _spread(walk, path, at, step, blur), goal - sampled(path, at, step)
    path = path + spread.levels(rest)[walk.stroke]
    misfit = float(np.mean(spread.white(rest) ** 2))
    slopes = _slopes(contact, calm.signal, values)
    return Explained(contact, calm, step, values, at, goal, path, slopes, perturbed, walk, blur, misfit)


def instant(force: np.ndarray, hold: bool) -> np.ndarray:
    """The force at the sample instants: as measured, or the mean of the values before and after for a held command.

    >>> instant(np.array([0.0, 1, 2]), hold=True)
    array([0. , 0.5, 1.5])
    """
    return np.asarray(np.concatenate([force[:1], 0.5 * (force[1:] + force[:-1])])) if hold else force


def sampled(path: np.ndarray, at: np.ndarray, step: float) -> np.ndarray:
    """A path at samples, or half-way to the next samples, at count transitions.

    >>> sampled(path, np.array([10, 25]), 1e-6)
    """
    return np.asarray(0.5 * (path[at] + path[at + 1]) if step else path[at])


def repeated(found: Explained, number: int) -> tuple[np.ndarray, float]:
    """One bootstrap replicate: the change of the parameters, to first order, for a synthetic record with new force
    noise and another offset of the encoder; and the mean squared whitened residual.

    >>> repeated(found, number=0)[0]
    """
    rng, path = np.random.default_rng(number), found.path
    again = path + found.perturbed[number % REPEATS] if len(found.perturbed) else path
    if found.step:
        shift = found.step * rng.random()
        counts = np.round((path + shift) / found.step)
        at = np.flatnonzero(np.diff(counts))
        goal = found.step * 0.5 * (counts[at] + counts[at + 1]) - shift
    else:
        at = found.at
        goal = path[at] + found.blur * rng.normal(size=at.size)
    spread = found.spread(at)
    matrix = np.column_stack([spread.white(sampled(slope, at, found.step)) for slope in found.slopes.values()])
    rest = spread.white(goal - sampled(again, at, found.step))
    size = np.maximum(np.linalg.norm(matrix, axis=0), 1e-300)
    moved = np.linalg.lstsq(matrix / size, rest, rcond=1e-12)[0] / size
    return moved, float(np.mean((rest - matrix @ moved) ** 2))


def subsample(valid: np.ndarray) -> np.ndarray:
    """Indices of valid samples, decimated if they are many.

    >>> subsample(run.valid)
    """
    at = np.flatnonzero(valid)
    return at[:: max(1, at.size // MOST)]


def wrong_sign(run: Measurement, position: str, force: str) -> SpecError:
    """The error for a record in which force and position have opposite signs.

    >>> raise wrong_sign(run, "x", "f")
    SpecError: loops: 'x' moves against 'f', as if the stiffness were negative; change the sign of one of them, ...
    """
    return SpecError(
        f"{run.name}: '{position}' moves against '{force}', as if the stiffness were negative; change the sign of one "
        "of them, or keep the force below break-away if it slides"
    )


def _edges(run: Measurement, position: str, x: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """The samples before each count transition, and the position of the transition."""
    change = np.diff(x)
    at = np.flatnonzero((np.abs(change) > 0.5 * step) & run.valid[1:] & run.valid[:-1])
    if at.size < EDGES:
        raise SpecError(
            f"{run.name}: '{position}' has {at.size} count transitions; at least {EDGES} are needed: record more or "
            "larger loops"
        )
    return at, 0.5 * (x[at] + x[at + 1])


def _strokes(run: Measurement, force: str) -> list[Stroke]:
    parts = strokes(np.asarray(run[force]))
    if len(parts) < 3:
        raise SpecError(
            f"{run.name}: '{force}' has {len(parts) - 1} reversals; loops need two or more, so let it oscillate, "
            "or take virgin_curve (stribeck evaluate virgin), for which one loading from rest is enough"
        )
    return parts


# --- the search -------------------------------------------------------------------------------------------------------


def _start(
    load: np.ndarray, h: float, at: np.ndarray, goal: np.ndarray, damping: bool, step: float
) -> dict[str, float]:
    """Without a mass the position is linear in the compliance, so only f and T = sigma1 / sigma0 are searched: f from
    just above the largest force, T up to a third of the shortest stroke."""
    parts = strokes(load)
    grids = {"f": float(np.abs(load).max()) * (1 + np.geomspace(LIMITS[0] - 1, LIMITS[1] - 1, FINENESS))}
    if damping:
        shortest = min(part.stop - part.start for part in parts[1:-1] or parts) * h
        grids["T"] = np.geomspace(1e-3 * h, shortest / 3, FINENESS)
    best = separable_fit(_columns(load, parts, h, at, step), goal, grids)
    stiffness = 1 / best.linear["compliance"]
    lag = {"sigma1": best.nonlinear["T"] * stiffness} if damping else {}
    return {"sigma0": stiffness, "f": best.nonlinear["f"], **lag, "x_0": best.linear["x_0"]}


def _columns(load: np.ndarray, parts: list[Stroke], h: float, at: np.ndarray, step: float) -> Columns:
    """Regressors of an offset and of the compliance 1 / sigma0."""

    def columns(nonlinear: Mapping[str, float]) -> dict[str, np.ndarray]:
        path = bristles(load, parts, h, nonlinear["f"], nonlinear.get("T", 0.0))
        return {"x_0": np.ones(at.size), "compliance": sampled(path, at, step)}

    return columns


def _refined(
    contact: BristleContact,
    load: np.ndarray,
    start: Mapping[str, float],
    at: np.ndarray,
    goal: np.ndarray,
    spread: PositionCovariance,
    step: float,
) -> dict[str, float]:
    """Generalised least squares with the covariance of the positions; sigma0, f and sigma1 stay positive."""
    from scipy.optimize import least_squares

    names = [name for name in start if name != "x_0"]
    first = np.log([start[name] for name in names])
    reach = np.log([REACH[name] for name in names])
    low, high = first - reach, first + reach
    low[names.index("f")] = np.log((SLIDES if contact.mass else LIMITS[0]) * float(np.abs(load).max()))
    scale = float(np.mean(spread.deviation) / np.ptp(goal))
    one = scale * spread.white(np.ones(goal.size))

    loaded = contact.under(load)

    def rests(points: Sequence[np.ndarray]) -> list[tuple[np.ndarray, float]]:
        found = []
        for path in loaded.displacements([dict(zip(names, np.exp(logs), strict=True)) for logs in points]):
            white = scale * spread.white(goal - sampled(path, at, step))
            level = float(one @ white / (one @ one))
            found.append((white - level * one, level))
        return found

    def slopes(logs: np.ndarray) -> np.ndarray:
        """By differences away from the nearer bound, all at once."""
        moves = np.diag(np.where(high - logs > logs - low, SLOPE, -SLOPE))
        (here, _), *others = rests([logs, *(logs + moves)])
        return np.array([(other - here) / move.sum() for (other, _), move in zip(others, moves, strict=True)]).T

    search = least_squares(
        lambda logs: rests([logs])[0][0],
        np.maximum(first, low + 1e-6),
        jac=slopes,
        bounds=(low, high),
        xtol=1e-9,
        max_nfev=LONGEST,
    )
    return {**dict(zip(names, np.exp(search.x).tolist(), strict=True)), "x_0": rests([search.x])[0][1]}


def _slopes(contact: BristleContact, load: np.ndarray, values: Mapping[str, float]) -> dict[str, np.ndarray]:
    """Derivatives of the path at all samples by each parameter, by central differences."""
    moves = {name: SLOPE * value for name, value in values.items() if name != "x_0"}
    sets = [{**values, name: values[name] + sign * move} for name, move in moves.items() for sign in (1, -1)]
    paths = iter(contact.under(load).displacements(sets))
    slopes = {name: (next(paths) - next(paths)) / (2 * move) for name, move in moves.items()}
    return {name: slopes.get(name, np.ones_like(load)) for name in values}


# --- scatter ----------------------------------------------------------------------------------------------------------


def _transition_variance(path: np.ndarray, at: np.ndarray, step: float) -> np.ndarray:
    """Variance of the position at a count transition, whose instant is uniformly distributed between two samples. The
    contact may reverse meanwhile, so the largest displacement in three samples is used."""
    if not step:
        return np.zeros(at.size)
    steps = np.abs(np.diff(path))
    fastest = np.maximum(steps, np.maximum(np.append(steps[1:], 0.0), np.append(0.0, steps[:-1])))
    return np.asarray(fastest[at] ** 2 / 12)


def _blur(walk: RandomWalk, path: np.ndarray, at: np.ndarray, goal: np.ndarray, step: float) -> float:
    """Standard deviation of the remaining independent error."""
    left, hidden = goal - sampled(path, at, step), _transition_variance(path, at, step)
    least = max(1e-2 * float(np.mean(hidden)), (1e-9 * float(np.ptp(goal))) ** 2)
    spread = walk.spread(at, hidden + least)
    rest = left - spread.levels(left)[spread.stroke]
    return float(np.sqrt(max(np.mean(rest**2 - hidden - walk.variance[at]), least)))


def _spread(walk: RandomWalk, path: np.ndarray, at: np.ndarray, step: float, blur: float) -> PositionCovariance:
    return walk.spread(at, _transition_variance(path, at, step) + blur**2)
