"""Constraints between free parameters: the orders that laws state, such as mu_c <= mu_s."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...errors import SpecError
from ...laws import Law
from .free import Finder, Free
from .simulation import MARK, Rig, own

EQUAL = 1e-9
"""Relative difference up to which two parameters count as equal."""


@dataclass(frozen=True)
class Constraints:
    """Inequalities between parameters: pairs (lower, upper) of free parameters, and fixed upper parameters that
    follow a free lower one because the model has them equal.

    >>> Constraints(pairs=((0, 1),)).projected(free, np.array([0.5, 0.0]))
    """

    pairs: tuple[tuple[int, int], ...] = ()
    followers: tuple[tuple[int, str], ...] = ()

    def lower_bounds(self, free: Sequence[Free], x: np.ndarray, low: np.ndarray) -> np.ndarray:
        """The lower bounds at a point: the lower parameter of a pair is the bound of the upper one."""
        low = low.copy()
        for lower, upper in self.pairs:
            bound = free[upper].coordinate(free[lower].value(float(x[lower])))
            low[upper] = max(low[upper], bound)
        return low

    def projected(self, free: Sequence[Free], x: np.ndarray, active: np.ndarray | None = None) -> np.ndarray:
        """The nearest point that the laws accept: an upper parameter is raised to its lower one, and kept equal to it
        where the constraint is `active` (a mask over the coordinates)."""
        bound = self.lower_bounds(free, x, np.full(x.size, -np.inf))
        stays = np.isfinite(bound) & (np.zeros(x.size, bool) if active is None else active)
        return np.where(stays, bound, np.maximum(x, bound))

    def values(self, free: Sequence[Free], x: np.ndarray) -> dict[str, float]:
        """All parameters of the model at a point."""
        values = {p.path: p.value(float(c)) for p, c in zip(free, x, strict=True)}
        for lower, upper in self.pairs:
            values[free[upper].path] = max(values[free[upper].path], values[free[lower].path])
        return values | {path: values[free[lower].path] for lower, path in self.followers}


def with_constraints(rigs: Sequence[Rig], free: Sequence[Free]) -> tuple[tuple[Free, ...], Constraints]:
    """The free parameters with the bounds due to fixed ones, and the constraints between free ones.

    >>> with_constraints([switch], free)[1].pairs
    ((0, 1),)
    """
    parameters = list(free)
    constraints = Constraints()
    for rig in rigs:
        record = rig.measurement.name
        places = {p.path.partition(MARK)[0]: i for i, p in enumerate(free) if p.path.partition(MARK)[2] in ("", record)}
        start = rig.started.varied(own({p.path: p.start for p in free}, record))
        parameters, constraints = _of_record(Finder(start), places, parameters, constraints)
    return tuple(parameters), constraints


def _of_record(
    finder: Finder, places: Mapping[str, int], free: Sequence[Free], constraints: Constraints
) -> tuple[list[Free], Constraints]:
    """The same with the constraints of one record; `places` are the indices of its parameters."""
    parameters = list(free)
    pairs, followers = dict.fromkeys(constraints.pairs), dict.fromkeys(constraints.followers)
    laws = dict.fromkeys(path.rpartition(".")[0] for path in places)
    for (lower, low), (upper, high), stays in (order for law in laws for order in _orders(finder, law)):
        i, j = (next((places[path] for path in paths if path in places), None) for paths in (lower, upper))
        if i is not None and j is not None:
            pairs[i, j] = None
            parameters[i] = _bounded(parameters[i], high=parameters[j].high)
        elif j is not None:
            parameters[j] = _bounded(parameters[j], low=low)
        elif i is not None and stays and abs(high - low) <= EQUAL * high:
            mark, record = parameters[i].path.partition(MARK)[1:]
            followers[i, f"{upper[0]}{mark}{record}"] = None
        elif i is not None and stays:
            parameters[i] = _bounded(parameters[i], high=high)
    return parameters, Constraints(tuple(pairs), tuple(followers))


Ordered = tuple[list[str], float]
"""The paths of a parameter (its aliases included), and its value."""


def _orders(finder: Finder, path: str) -> Iterator[tuple[Ordered, Ordered, bool]]:
    """The orders that the law at a path states: lower and upper parameter, and whether the upper one stays where it is
    when the lower one changes."""
    law = finder.thing(path)
    if not isinstance(law, Law):
        return
    for order in law.orders:
        lower, upper = (
            ([f"{path}.{word}" for word in (name, *law.params[name].aliases)], float(getattr(law.p, name)))
            for name in (order.lower, order.upper)
        )
        yield lower, upper, order.upper in law.given or law.params[order.upper].times != order.lower


def _bounded(p: Free, low: float | None = None, high: float | None = None) -> Free:
    """A free parameter within the bounds of fixed ones."""
    bounded = replace(
        p, low=p.low if low is None else max(p.low, low), high=p.high if high is None else min(p.high, high)
    )
    if not bounded.low <= p.start <= bounded.high or bounded.low >= bounded.high:
        side, limit = ("above", high) if high is not None else ("below", low)
        raise SpecError(
            f"fit: {p.path} starts at {p.start:g} {p.unit} and must not be {side} {limit:g}, the value of a fixed "
            "parameter; make both of them free, or give another start"
        )
    return bounded
