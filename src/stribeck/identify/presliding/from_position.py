"""The position of a contact whose force is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...errors import SpecError
from ..records.measurement import Measurement
from ..regression.separable import Columns, separable_fit
from .contact import Contact, bristles
from .quiet import Quiet, quiet
from .spread import Spread, Walk, walk
from .strokes import Stroke, pace, strokes

EDGES = 12
"""Changes of the count that are needed."""
FINENESS = 16
"""Values of a nonlinear parameter that are tried."""
MOST = 5000
"""Samples that are used at most; of more each second, third and so on is taken."""
LIMITS = (1.002, 100.0)
"""Of f, relative to the largest force."""
SLIDES = 0.5
"""The same where a mass takes part of the force."""
REPEATS = 40
"""Records made of the fit with the noise that was found."""
SLOPE = 1e-4
"""Of differences, relative to a parameter."""
LONGEST = 20
"""Steps of the search at most."""
REACH = {"sigma0": 10.0, "f": 1e3, "sigma1": 1e4}
"""How far the search may go from the start, as a factor."""


@dataclass(frozen=True, eq=False)
class Explained:
    """A fit of the position, with all that is needed to repeat it.

    >>> explained(run, "x", "f", True, 0.0, 1e-6, False).values
    {'sigma0': 1e5, 'f': 1.5, 'sigma1': 300.0, 'x_0': 0.0}
    """

    contact: Contact
    force: Quiet
    step: float
    values: Mapping[str, float]
    at: np.ndarray
    """Samples, or those before a change of the count."""
    goal: np.ndarray
    path: np.ndarray
    """The position at all samples, on the level to which noise of the force brought each stroke."""
    slopes: Mapping[str, np.ndarray]
    """Of the path, by each parameter."""
    stirred: np.ndarray
    """How far noise of the force moves the path, once in each row; no rows if there is none."""
    walk: Walk
    blur: float
    """Standard deviation of the goal besides those of the noise and of the unknown instant of a change of the count."""
    misfit: float
    """Squares of what is left by its covariance, on average."""

    @property
    def residuals(self) -> np.ndarray:
        """What is left of the goal.

        >>> np.std(found.residuals)
        2.1e-08
        """
        return np.asarray(self.goal - seen(self.path, self.at, self.step))

    def spread(self, at: np.ndarray) -> Spread:
        """Of the position at samples, or where the count changes after them.

        >>> found.spread(found.at).white(found.residuals)
        """
        return _spread(self.walk, self.path, at, self.step, self.blur)


def explained(
    run: Measurement, position: str, force: str, damping: bool, mass: float, step: float, hold: bool
) -> Explained:
    """The position from the force, at the changes of a count if `step` is above 0.

    >>> explained(run, "x", "f", damping=True, mass=0.0, step=1e-6, hold=False).path
    """
    x, h = np.asarray(run[position]), run.even("fit_presliding")
    raw = instant(np.asarray(run[force]), hold)
    at, goal = _edges(run, position, x, step) if step else (some(run.valid), x[some(run.valid)])
    calm = quiet(raw, h, pace(_strokes(run, force), h))
    start = _start(calm.course, h, at, goal, damping, step)
    if start["sigma0"] <= 0:
        raise against(run, position, force)
    contact = Contact(h, mass)
    same = Spread(np.full(goal.size, np.ptp(goal)), np.zeros(goal.size, int), np.zeros(0))
    values = _refined(contact, calm.course, start, at, goal, same, step)
    way = contact.way(calm.course, values)
    stirred = np.array([contact.way(load, values) - way for load in calm.repeated(h, REPEATS)]).reshape(-1, way.size)
    moved, path = walk(way, stirred), way + values["x_0"]
    spread = _spread(moved, path, at, step, _blur(moved, path, at, goal, step))
    values = _refined(contact, calm.course, values, at, goal, spread, step)
    path = contact.way(calm.course, values) + values["x_0"]
    blur = _blur(moved, path, at, goal, step)
    spread, rest = _spread(moved, path, at, step, blur), goal - seen(path, at, step)
    path = path + spread.levels(rest)[moved.stroke]
    misfit = float(np.mean(spread.white(rest) ** 2))
    slopes = _slopes(contact, calm.course, values)
    return Explained(contact, calm, step, values, at, goal, path, slopes, stirred, moved, blur, misfit)


def instant(force: np.ndarray, hold: bool) -> np.ndarray:
    """The force at the instants of the samples: as measured, or the middle of the step that a held command makes there.

    >>> instant(np.array([0.0, 1, 2]), hold=True)
    array([0. , 0.5, 1.5])
    """
    return np.asarray(np.concatenate([force[:1], 0.5 * (force[1:] + force[:-1])])) if hold else force


def seen(path: np.ndarray, at: np.ndarray, step: float) -> np.ndarray:
    """A path at samples, or half-way to the next ones, where the count changes.

    >>> seen(path, np.array([10, 25]), 1e-6)
    """
    return np.asarray(0.5 * (path[at] + path[at + 1]) if step else path[at])


def repeated(found: Explained, number: int) -> tuple[np.ndarray, float]:
    """How far one linear step moves the parameters for a record made of the fit, with new noise of the force and
    another place of the encoder, and what is left then (squares by their covariance, on average).

    >>> repeated(found, number=0)[0]
    """
    rng, path = np.random.default_rng(number), found.path
    again = path + found.stirred[number % REPEATS] if len(found.stirred) else path
    if found.step:
        shift = found.step * rng.random()
        counts = np.round((path + shift) / found.step)
        at = np.flatnonzero(np.diff(counts))
        goal = found.step * 0.5 * (counts[at] + counts[at + 1]) - shift
    else:
        at = found.at
        goal = path[at] + found.blur * rng.normal(size=at.size)
    spread = found.spread(at)
    matrix = np.column_stack([spread.white(seen(slope, at, found.step)) for slope in found.slopes.values()])
    rest = spread.white(goal - seen(again, at, found.step))
    size = np.maximum(np.linalg.norm(matrix, axis=0), 1e-300)
    moved = np.linalg.lstsq(matrix / size, rest, rcond=1e-12)[0] / size
    return moved, float(np.mean((rest - matrix @ moved) ** 2))


def some(valid: np.ndarray) -> np.ndarray:
    """Samples that count, not more than are of use.

    >>> some(run.valid)
    """
    at = np.flatnonzero(valid)
    return at[:: max(1, at.size // MOST)]


def against(run: Measurement, position: str, force: str) -> SpecError:
    """What a record with a wrong sign is told.

    >>> raise against(run, "x", "f")
    """
    return SpecError(
        f"{run.name}: '{position}' moves against '{force}', as if the contact had a stiffness below 0; turn the sign "
        "of one of them, or keep the force below break-away if it slides"
    )


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


# --- the search -------------------------------------------------------------------------------------------------------


def _start(
    load: np.ndarray, h: float, at: np.ndarray, goal: np.ndarray, damping: bool, step: float
) -> dict[str, float]:
    """Without a mass the position is linear in the compliance, so that only f and T = sigma1 / sigma0 are searched:
    limits from just above the largest force, times up to a third of the shortest stroke."""
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
    """Of an offset and of the compliance 1 / sigma0."""

    def columns(nonlinear: Mapping[str, float]) -> dict[str, np.ndarray]:
        path = bristles(load, parts, h, nonlinear["f"], nonlinear.get("T", 0.0))
        return {"x_0": np.ones(at.size), "compliance": seen(path, at, step)}

    return columns


def _refined(
    contact: Contact,
    load: np.ndarray,
    start: Mapping[str, float],
    at: np.ndarray,
    goal: np.ndarray,
    spread: Spread,
    step: float,
) -> dict[str, float]:
    """The parameters with the least squares of what is left, by its spread; sigma0, f and sigma1 stay above 0."""
    from scipy.optimize import least_squares

    names = [name for name in start if name != "x_0"]
    first = np.log([start[name] for name in names])
    reach = np.log([REACH[name] for name in names])
    low, high = first - reach, first + reach
    low[names.index("f")] = np.log((SLIDES if contact.mass else LIMITS[0]) * float(np.abs(load).max()))
    scale = float(np.mean(spread.deviation) / np.ptp(goal))
    one = scale * spread.white(np.ones(goal.size))

    def rest(logs: np.ndarray) -> tuple[np.ndarray, float]:
        left = goal - seen(contact.way(load, dict(zip(names, np.exp(logs), strict=True))), at, step)
        white = scale * spread.white(left)
        level = float(one @ white / (one @ one))
        return white - level * one, level

    search = least_squares(
        lambda logs: rest(logs)[0],
        np.maximum(first, low + 1e-6),
        bounds=(low, high),
        diff_step=SLOPE,
        xtol=1e-9,
        max_nfev=LONGEST,
    )
    return {**dict(zip(names, np.exp(search.x).tolist(), strict=True)), "x_0": rest(search.x)[1]}


def _slopes(contact: Contact, load: np.ndarray, values: Mapping[str, float]) -> dict[str, np.ndarray]:
    """Of the path at all samples by each parameter, by central differences."""
    slopes = {}
    for name in values:
        if name == "x_0":
            slopes[name] = np.ones_like(load)
            continue
        move = SLOPE * values[name]
        above, below = (contact.way(load, {**values, name: values[name] + sign * move}) for sign in (1, -1))
        slopes[name] = (above - below) / (2 * move)
    return slopes


# --- scatter ----------------------------------------------------------------------------------------------------------


def _hidden(path: np.ndarray, at: np.ndarray, step: float) -> np.ndarray:
    """Variance of the position at a change of the count, whose instant may be any between two samples; as the contact
    may turn there, it is the way in the fastest of three samples that counts."""
    if not step:
        return np.zeros(at.size)
    way = np.abs(np.diff(path))
    fastest = np.maximum(way, np.maximum(np.append(way[1:], 0.0), np.append(0.0, way[:-1])))
    return np.asarray(fastest[at] ** 2 / 12)


def _blur(moved: Walk, path: np.ndarray, at: np.ndarray, goal: np.ndarray, step: float) -> float:
    """Standard deviation of what is left besides."""
    left, hidden = goal - seen(path, at, step), _hidden(path, at, step)
    least = max(1e-2 * float(np.mean(hidden)), (1e-9 * float(np.ptp(goal))) ** 2)
    spread = moved.spread(at, hidden + least)
    rest = left - spread.levels(left)[spread.stroke]
    return float(np.sqrt(max(np.mean(rest**2 - hidden - moved.variance[at]), least)))


def _spread(moved: Walk, path: np.ndarray, at: np.ndarray, step: float, blur: float) -> Spread:
    return moved.spread(at, _hidden(path, at, step) + blur**2)
