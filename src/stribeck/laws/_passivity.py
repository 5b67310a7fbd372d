"""The viscous friction that makes a bristle passive: it never returns more energy than was stored.

With z' = v - |v| z/g(v), friction = sigma0 z + sigma1 z' + sigma2 v, the energy V = sigma0 z^2/2 and f = sigma0 g,
r = sigma0 z sgn(v)/f, the loss is

    friction v - V' = |v| (f r^2 + |v| (sigma2 - sigma1 (r - 1)))

and |r| <= f_max/f, because z cannot exceed its largest steady value. It is never negative if for all speeds and r

    sigma2 >= sigma1 (r - 1) - f r^2/|v|
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

MARGIN = 1.001
"""Margin for maxima between the sampled speeds."""


def viscosity(
    damping: Callable[[float], float], curve: Callable[[float], float], peak: float, speeds: Iterable[float]
) -> float:
    """The smallest sigma2 of a passive bristle whose damping and steady friction (at most `peak`) depend on speed.

    >>> viscosity(lambda v: 2.0, lambda v: 1.0, 1.5, [1e9])
    1.001
    """
    largest = 0.0
    for v in speeds:
        sigma1, f = damping(v), curve(v)
        r = min(sigma1 * v / 2, peak) / f
        largest = max(largest, sigma1 * (r - 1) - f * r * r / v)
    return MARGIN * largest


def decades(low: float, high: float, per_decade: int = 100) -> list[float]:
    """Logarithmically spaced speeds from low to high (above 0), a given number per decade.

    >>> decades(1, 10, 2)
    [1.0, 3.1622776601683795, 10.0]
    """
    speeds, factor = [float(low)], 10 ** (1 / per_decade)
    while speeds[-1] < high * (1 - 1e-9):
        speeds.append(min(speeds[-1] * factor, float(high)))
    return speeds


def along(points: Iterable[float], per_line: int = 20) -> list[float]:
    """The points after the first, and intermediate values: a given number per interval.

    >>> along([0, 1, 3], 2)
    [0.5, 1.0, 2.0, 3.0]
    """
    return [a + (b - a) * (i + 1) / per_line for a, b in pairwise(points) for i in range(per_line)]
