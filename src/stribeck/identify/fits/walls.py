"""Static friction is never below the kinetic one: the walls that this puts between free parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...errors import SpecError
from .free import Finder, Free
from .simulation import MARK, Rig, own, varied

EQUAL = 1e-9
"""Relative difference up to which both frictions are meant to be one."""


@dataclass(frozen=True)
class Walls:
    """What must hold between parameters: pairs (kinetic, static) of free ones, and static frictions that are not free
    but follow a free kinetic one, because the model has them equal.

    >>> Walls(pairs=((0, 1),)).projected(free, np.array([0.5, 0.0]))
    """

    pairs: tuple[tuple[int, int], ...] = ()
    followers: tuple[tuple[int, str], ...] = ()

    def floor(self, free: Sequence[Free], x: np.ndarray, low: np.ndarray) -> np.ndarray:
        """The lower bounds at a point: static friction reaches down to the kinetic one there."""
        low = low.copy()
        for kinetic, static in self.pairs:
            wall = free[static].coordinate(free[kinetic].value(float(x[kinetic])))
            low[static] = max(low[static], wall)
        return low

    def projected(self, free: Sequence[Free], x: np.ndarray, held: np.ndarray | None = None) -> np.ndarray:
        """The nearest point that the laws accept: static friction is lifted to the kinetic one, and, if it is `held` at
        the wall (a mask over the coordinates), lowered with it too."""
        wall = self.floor(free, x, np.full(x.size, -np.inf))
        stays = np.isfinite(wall) & (np.zeros(x.size, bool) if held is None else held)
        return np.where(stays, wall, np.maximum(x, wall))

    def values(self, free: Sequence[Free], x: np.ndarray) -> dict[str, float]:
        """All parameters that the model gets."""
        values = {p.path: p.value(float(c)) for p, c in zip(free, x, strict=True)}
        for kinetic, static in self.pairs:
            values[free[static].path] = max(values[free[static].path], values[free[kinetic].path])
        return values | {path: values[free[kinetic].path] for kinetic, path in self.followers}


def with_walls(rigs: Sequence[Rig], free: Sequence[Free]) -> tuple[tuple[Free, ...], Walls]:
    """The free parameters with the bounds that fixed frictions put to them, and the walls between free ones.

    >>> with_walls([rig], free_parameters(model, ["joint.law.mu_c", "joint.law.mu_s"]))[1].pairs
    ((0, 1),)
    """
    parameters = list(free)
    walls = Walls()
    for rig in rigs:
        record = rig.measurement.name
        places = {p.path.partition(MARK)[0]: i for i, p in enumerate(free) if p.path.partition(MARK)[2] in ("", record)}
        start = varied(rig.started, own({p.path: p.start for p in free}, record))
        parameters, walls = _of_record(Finder(start), places, parameters, walls)
    return tuple(parameters), walls


def _of_record(
    finder: Finder, places: Mapping[str, int], free: Sequence[Free], walls: Walls
) -> tuple[list[Free], Walls]:
    """The same with what one record demands; `places` are the numbers of its parameters."""
    parameters = list(free)
    pairs, followers = dict.fromkeys(walls.pairs), dict.fromkeys(walls.followers)
    for law in dict.fromkeys(path.rpartition(".")[0] for path in places):
        found = _frictions(finder, law)
        if found is None:
            continue
        (kinetic, mu_c), (static, mu_s), stated = found
        i, j = (next((places[path] for path in paths if path in places), None) for paths in (kinetic, static))
        if i is not None and j is not None:
            pairs[i, j] = None
            parameters[i] = _bounded(parameters[i], high=parameters[j].high)
        elif j is not None:
            parameters[j] = _bounded(parameters[j], low=mu_c)
        elif i is not None and stated and abs(mu_s - mu_c) <= EQUAL * mu_s:
            mark, record = parameters[i].path.partition(MARK)[1:]
            followers[i, f"{static[0]}{mark}{record}"] = None
        elif i is not None and stated:
            parameters[i] = _bounded(parameters[i], high=mu_s)
    return parameters, Walls(tuple(pairs), tuple(followers))


Spelt = tuple[list[str], float]
"""Paths by which a parameter may be called, and its value."""


def _frictions(finder: Finder, path: str) -> tuple[Spelt, Spelt, bool] | None:
    """Kinetic and static friction of the law at a path, and whether the static one is stated; None where a law does not
    mind their order."""
    law = finder.thing(path)
    p: Any = getattr(law, "p", None)
    if p is None or not {"mu_c", "mu_s"} <= set(law.params):
        return None
    swapped = copy(p)
    swapped.mu_c, swapped.mu_s = 2 * p.mu_s + 1e-9, p.mu_s
    if not law.faults(swapped):
        return None
    spelt = [([f"{path}.{word}" for word in (name, *law.params[name].aliases)]) for name in ("mu_c", "mu_s")]
    return (spelt[0], p.mu_c), (spelt[1], p.mu_s), "mu_s" in law.given


def _bounded(p: Free, low: float | None = None, high: float | None = None) -> Free:
    """A free parameter between what is fixed."""
    bounded = replace(
        p, low=p.low if low is None else max(p.low, low), high=p.high if high is None else min(p.high, high)
    )
    if not bounded.low <= p.start <= bounded.high or bounded.low >= bounded.high:
        raise SpecError(
            f"fit: {p.path} starts at {p.start:g} {p.unit}, beyond {low if high is None else high:g}, where the static "
            "friction would be below the kinetic one; free both of them, or give another start"
        )
    return bounded
