"""Belts with drawn friction, since the paper prints none."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

import stribeck as sb

from ..draws import Values, draw_values
from .belt import CURVE, belt, modified_law

MU_C, MU_S, V_S, SIGMA0, SIGMA1, KAPPA = (
    f"friction.law.{name}" for name in ("mu_c", "mu_s", "v_s", "sigma0", "sigma1", "kappa")
)
RANGES = {MU_C: (0.3, 2.0), "ratio": (1.1, 2.5), V_S: (0.1, 1.5), SIGMA0: (1e3, 1e5), KAPPA: (0.5, 0.95)}
"""Coulomb friction (N), static friction over it, Stribeck speed (m/s), stiffness (1/m) and elastic share."""
DRAWN = (
    "Coulomb friction of 0.3 to 2 N, static friction 1.1 to 2.5 times that, Stribeck speeds of 0.1 to 1.5 m/s, "
    "stiffness of 1e3 to 1e5 1/m and elastic shares of 0.5 to 0.95"
)
PERIOD, LEAST, SPAN = "mass.v:period(0, falling)", "friction.v_rel:min", "mass.v:range"


@cache
def belts(quick: bool) -> Values:
    """Parameters of the law; damping of the bristle as ours, a hundredth of the stiffness.

    >>> belts(quick=True)["friction.law.mu_c"].shape
    (60,)
    """
    values = draw_values(RANGES, 60 if quick else 500)
    ratio = values.pop("ratio")
    return {**values, MU_S: values[MU_C] * ratio, SIGMA1: 0.01 * values[SIGMA0]}


def measured(values: Mapping[str, np.ndarray], *measures: str) -> Values:
    """Measures of all belts, from 20 s to 60 s.

    >>> measured(belts(quick=True), PERIOD)[PERIOD].shape
    (60,)
    """
    model = belt(modified_law(**{name: float(CURVE[name]) for name in ("mu_c", "mu_s")}))
    found = sb.batch(model, values, measures=measures, t_end=60.0, settle=20.0, tolerance=1e-8)
    return {text: np.asarray(found[text]) for text in measures}


def sticks_often(values: Mapping[str, np.ndarray]) -> np.ndarray:
    """On which belts the mass still reaches the speed of the belt, 1 m/s within 5 %, after 20 s.

    >>> sticks_often(belts(quick=True)).mean() > 0
    """
    found = measured(values, LEAST)
    sticks: np.ndarray = found[LEAST] < 0.05
    return sticks


@cache
def _effects(quick: bool) -> dict[str, np.ndarray]:
    """Relative change of the period between 0.9 and 1.1 times each parameter, on the belts that stick and slip."""
    values = belts(quick)
    chosen = {path: value[sticks_often(values)][: 30 if quick else 150] for path, value in values.items()}
    effects = {}
    for path in (MU_C, MU_S, V_S, SIGMA0, SIGMA1, KAPPA):
        low, high = (measured({**chosen, path: part * chosen[path]}, PERIOD)[PERIOD] for part in (0.95, 1.05))
        effects[path] = np.abs(high / low - 1)
    return effects


def mostly_the_curve(values: Mapping[str, np.ndarray], quick: bool) -> np.ndarray:
    """On which belts that stick and slip a parameter of the curve changes the period the most.

    >>> mostly_the_curve(belts(quick=True), True).mean() > 0.5
    True
    """
    effects = _effects(quick)
    curve, bristle = (
        np.max([effects[path] for path in paths], axis=0) for paths in ((MU_C, MU_S, V_S), (SIGMA0, SIGMA1, KAPPA))
    )
    known = np.isfinite(curve) & np.isfinite(bristle)
    more: np.ndarray = curve[known] > bristle[known]
    return more
