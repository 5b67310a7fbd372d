"""Rigs that the paper may have used: parameters drawn where it prints none, or solved for where periods are printed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

import stribeck as sb

from ..draws import Values, draw_values
from .rig import rig

PRINTED = {"LuGre": "6.12", "simplified LuGre": "6.52", "improved Dahl": "8.15"}
"""Periods of the stick-slip (s)."""
STIFFNESS, PULLS, SIGMA2, LIMITS, STRIBECK = (1.0, 4.0), (0.05, 0.2), (0.0, 0.6), (1e-3, 0.05), (1e-4, 1e-2)
"""Ranges: k (N/m) and v_p (m/s) by a factor of 2 about the usual 2 and 0.1; sigma2 (N.s/m) up to as much as 0.4 of
static friction at 1 m/s; speed limit and Stribeck speed (m/s) over decades, equally in their logarithms."""
K, V_P, S2, DV, V_S = ("spring.c", "pull.v", *(f"friction.law.{name}" for name in ("sigma2", "dv", "v_s")))
OF_MODEL = {"Dahl": (K, V_P), "LuGre": (K, V_P, S2, V_S)} | dict.fromkeys(
    ("improved Dahl", "simplified LuGre"), (K, V_P, S2, DV)
)
"""The parameters that each model has."""
PERIOD = "spring.v_rel:period(0, falling)"
"""From one slip to the next: the mass overtakes the pulled end."""
LEAST, MOST, RANGE = "mass.v:min", "friction.f:max", "friction.f:range"


def measure(name: str, values: Mapping[str, np.ndarray], *measures: str, tolerance: float = 1e-6) -> Values:
    """Measures of a model on many rigs, from the second slip on.

    >>> measure("LuGre", {"spring.c": np.array([1.9, 2.0])}, PERIOD)[PERIOD]
    array([6.399, 6.171])
    """
    chosen = {path: value for path, value in values.items() if path in OF_MODEL[name]}
    found = sb.batch(rig(name), chosen, measures=measures, t_end=48.0, settle=12.0, tolerance=tolerance)
    return {text: np.asarray(found[text]) for text in measures}


def sticks_and_slips(name: str, values: Mapping[str, np.ndarray]) -> np.ndarray:
    """On which rigs a model comes to rest, by the rule SAME (within 5 % of the range of speed, which is about twice
    the pull), and loads again by 10 % of Coulomb friction.

    >>> sticks_and_slips("Dahl", {"spring.c": np.array([2.0]), "pull.v": np.array([0.1])})
    array([False])
    """
    found = measure(name, values, LEAST, RANGE)
    rests: np.ndarray = (found[LEAST] < 0.05 * 2 * values[V_P]) & (found[RANGE] > 0.1)
    return rests


def periods(name: str, values: Mapping[str, np.ndarray]) -> np.ndarray:
    """Periods (s) of a model on many rigs; 0 where nothing repeats.

    >>> periods("LuGre", {"spring.c": np.array([1.9, 2.0])})
    """
    return np.nan_to_num(measure(name, values, PERIOD)[PERIOD])


@cache
def drawn(n: int, seed: int = 1) -> Values:
    """Rigs with all five parameters from their ranges.

    >>> drawn(3)["spring.c"].shape
    (3,)
    """
    return draw_values({K: STIFFNESS, V_P: PULLS, S2: SIGMA2, DV: LIMITS, V_S: STRIBECK}, n, seed)


class Rigs(NamedTuple):
    """Rigs by the paths of their parameters: with a pull and a sigma2 that give 8.15 and 6.52 s, and with the Stribeck
    speeds `v_s` (m/s) that give 6.12 s, nan where none within its range does."""

    values: Values
    v_s: np.ndarray
    lugre: np.ndarray
    """Periods (s) with the Stribeck speeds that were drawn."""
    tried: int
    """Number of rigs that were drawn, with and without a pull and a sigma2."""

    @property
    def all_three(self) -> np.ndarray:
        """Where all three periods are met."""
        found: np.ndarray = np.isfinite(self.v_s)
        return found

    @property
    def possible(self) -> Values:
        """Rigs that give all three periods."""
        return {path: value[self.all_three] for path, value in {**self.values, V_S: self.v_s}.items()}


@cache
def fitted(n: int) -> Rigs:
    """Stiffness and speed limit are drawn; the pull follows from 8.15 s, sigma2 from 6.52 s, the Stribeck speed from
    6.12 s, since each model has one parameter that the one before has not.

    >>> fitted(60).all_three.mean()
    """
    values = drawn(n, seed=2)
    pull = _solved("improved Dahl", V_P, 0.1 / values[K], 0.5 / values[K], values)  # N/s, from held long to hardly
    sigma2 = _solved("simplified LuGre", S2, 0.0, 1.0, {**values, V_P: np.nan_to_num(pull, nan=0.1)})
    kept = np.isfinite(pull) & np.isfinite(sigma2)
    chosen = {path: value[kept] for path, value in {**values, V_P: pull, S2: sigma2}.items()}
    return Rigs(chosen, _solved("LuGre", V_S, *STRIBECK, chosen), periods("LuGre", chosen), n)


def rigs(quick: bool) -> Rigs:
    """Those of an item, which all items share.

    >>> rigs(quick=True).tried
    60
    """
    return fitted(60 if quick else 400)


def _solved(
    name: str, path: str, low: np.ndarray | float, high: np.ndarray | float, values: Values, halvings: int = 15
) -> np.ndarray:
    """The parameter with which a model has its printed period on each rig, by halving; nan if the ends exclude it."""
    low, high = (np.broadcast_to(end, values[K].shape) for end in (low, high))
    geometric = bool(np.all(low > 0))

    def missing(x: np.ndarray) -> np.ndarray:
        return periods(name, {**values, path: x}) - float(PRINTED[name])

    at_low = missing(low)
    possible = at_low * missing(high) < 0
    for _ in range(halvings):
        middle = np.sqrt(low * high) if geometric else 0.5 * (low + high)
        here = missing(middle)
        below = at_low * here > 0
        low, high, at_low = np.where(below, middle, low), np.where(below, high, middle), np.where(below, here, at_low)
    return np.where(possible, 0.5 * (low + high), np.nan)
