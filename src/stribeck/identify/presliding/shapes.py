"""Virgin curves of single bristles: Dahl and LuGre, and elasto-plastic ones.

A bristle with the stiffness sigma0 that carries y moves by dx = dy / (sigma0 (1 - a y/f)). For Dahl and LuGre a = 1, so
y = f (1 - exp(-sigma0 x/f)). Elasto-plastic bristles have a = 0 up to a share b of f, then a smooth step to 1 at f, and
a = 0 until their force has reversed. Neither obeys Masing's rule: after a reversal at -r a bristle of Dahl is stiffer
than from rest by 1 + r/f, an elasto-plastic one is not. So half strokes of loops are compared with half strokes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...laws import Law
from ...laws.dahl import Dahl
from ...laws.elasto_plastic import ElastoPlastic
from ...laws.lugre import LuGre

POINTS = 400
"""Points of an elasto-plastic curve."""
NEAREST = 1e-6
"""Distance of its last point from f, relative."""
LARGEST = 100.0
"""Largest f, relative to the applied force."""


def dahl_curve(reach: np.ndarray, begins: float = 0.0, start: float = 0.0) -> np.ndarray:
    """y/f over sigma0 x/f of Dahl and LuGre; y/f is `start` where x is 0.

    >>> dahl_curve(np.array([0.0, 1.0]))
    array([0.        , 0.63212056])
    """
    return np.asarray(1 - (1 - start) * np.exp(-reach))


def elasto_plastic_curve(reach: np.ndarray, begins: float, start: float = 0.0) -> np.ndarray:
    """y/f over sigma0 x/f of bristles that yield from the share `begins` of f; y/f is `start`, 0 or less, where x is 0.

    >>> elasto_plastic_curve(np.array([0.2, 9.0]), begins=0.5)
    array([0.2       , 0.99...])
    """
    y = np.concatenate([np.linspace(0, begins, POINTS), 1 - (1 - begins) * np.geomspace(1, NEAREST, POINTS)[1:]])
    step = np.clip((y - begins) / (1 - begins), 0.0, 1.0)
    slope = 1 / (1 - (0.5 - 0.5 * np.cos(np.pi * step)) * y)
    x = np.concatenate([np.zeros(1), np.cumsum(0.5 * (slope[1:] + slope[:-1]) * np.diff(y))])
    return np.asarray(np.where(reach < -start, start + reach, np.interp(reach + start, x, y)))


SHAPES: dict[str, Callable[[np.ndarray, float, float], np.ndarray]] = {
    "Dahl": dahl_curve,
    "LuGre": dahl_curve,
    "ElastoPlastic": elasto_plastic_curve,
}


def bristle_law(kind: str, x: np.ndarray, force: np.ndarray, looped: bool = False) -> tuple[Law, float]:
    """The law of a single bristle whose virgin curve is nearest to some points, and what it leaves unexplained,
    relative to the largest force. f is not below that force. If `looped`, the points are half strokes of loops at half
    of their scale, and their last one is half of the largest stroke.

    >>> x = np.linspace(0, 1e-4, 50)
    >>> bristle_law("Dahl", x, 1.5 * dahl_curve(1e5 * x / 1.5))[1] < 1e-6
    True
    """
    from scipy.optimize import least_squares

    most, bends = float(force.max()), kind == "ElastoPlastic"
    first = float(np.median(force[1:4] / x[1:4]))

    def curve(p: np.ndarray) -> np.ndarray:
        f = np.exp(p[1])
        reach, begins = np.exp(p[0]) * x / f, float(p[2]) if bends else 0.0
        if not looped:
            return np.asarray(f * SHAPES[kind](reach, begins, 0.0))
        start = -min(float(force[-1]) / f, 1.0)
        return np.asarray(0.5 * f * (SHAPES[kind](2 * reach, begins, start) - start))

    low = [np.log(first) - 3, np.log(most), 0.02][: 2 + bends]
    high = [np.log(first) + 3, np.log(LARGEST * most), 0.98][: 2 + bends]
    starts = [[np.log(first), np.log(1.02 * most), share][: 2 + bends] for share in (0.3, 0.7)[: 1 + bends]]
    found = min(
        (least_squares(lambda p: (curve(p) - force) / most, start, bounds=(low, high)) for start in starts),
        key=lambda search: float(search.cost),
    )
    stiffness, f = (float(np.exp(value)) for value in found.x[:2])
    left = float(np.sqrt(2 * found.cost / x.size))
    if kind == "Dahl":
        return Dahl(sigma0=stiffness, mu_c=f), left
    both = {"sigma0": stiffness, "sigma1": 0.0, "mu_c": f, "mu_s": f}
    return (ElastoPlastic(**both, z_ba=float(found.x[2]) * f / stiffness) if bends else LuGre(**both)), left
