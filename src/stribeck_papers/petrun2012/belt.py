"""The stick/slip test of section 6.2: a mass on a moving belt, held by a spring and a damper.

     spring, damper     mass
wall ───/\\/\\/\\────────  ▭            friction between belt and mass
                    ═══════════▶      belt
"""

from __future__ import annotations

from math import acos, exp, sqrt
from typing import Any

import numpy as np

import stribeck as sb

from ..settings import adjusted

CURVE = {"mu_c": 1.0, "mu_s": 2.0, "v_s": 0.5, "exponent": 1.0}
"""Our Stribeck curve, as the paper prints none; with a normal force of 1 N these are forces (N)."""
BRISTLE = {"sigma0": 1e4, "sigma1": 100.0, "sigma2": 0.0}
"""Our bristle: stiffness (1/m), damping (s/m), no viscous friction."""
KAPPA = 0.8
"""Our elastic share of the steady deflection."""
STICKS = 0.05
"""Relative speed (m/s) below which the mass is taken to stick to the belt."""


def modified_law(**changes: float) -> sb.ModifiedElastoPlastic:
    """The modified elasto-plastic law of the belt test, with some parameters changed.

    >>> modified_law(sigma0=2e4)
    ModifiedElastoPlastic(..., sigma0=20000.0, ...)
    """
    return sb.ModifiedElastoPlastic(**{**CURVE, **BRISTLE, "kappa": KAPPA, **changes})


def belt(law: Any, *, v: float = 1.0, m: float = 1.0, c: float = 1.0, d: float = 0.1) -> sb.Model:
    """The mass at rest on the belt: belt speed (m/s), mass (kg), stiffness (N/m) and damping (N.s/m) of the paper.

    `friction.v_rel` is the speed of the belt against the mass, `friction.f` the force by which it takes the mass along.

    >>> sb.simulate(belt(sb.Coulomb(mu_c=1.0))).plot("friction.f", "friction.v_rel")
    """
    model = sb.Model("belt", t_end="40 s", intervals=8000)
    wall, moving = model.add("wall", sb.Fixed()), model.add("belt", sb.Speed(v=v))
    mass = model.add("mass", sb.Mass(m=m))
    model.add("spring", sb.Spring(wall, mass, c=c))
    model.add("damper", sb.Damper(wall, mass, d=d))
    model.add("friction", sb.Clutch(mass, moving, law=law, fn_max="1 N"))
    return adjusted(model)


def coulomb(friction: float = 1.0, **options: Any) -> sb.Result:
    """Figure 5: constant friction (N). The paper does not print it; that nothing sticks bounds it by `no_stick_limit`.

    >>> coulomb().extremes["friction.v_rel"]["min"]
    0.0733
    """
    return sb.simulate(belt(sb.Coulomb(mu_c=friction)), **options)


def elasto_plastic(law: Any = None, **options: Any) -> sb.Result:
    """Figure 6: the modified elasto-plastic law, or another one, with a Stribeck curve. Its numbers are ours.

    >>> elasto_plastic().plot("friction.f", "spring.f", "friction.v_rel")
    """
    return sb.simulate(belt(law or modified_law()), **options)


def no_stick_limit(v: float = 1.0, m: float = 1.0, c: float = 1.0, d: float = 0.1) -> float:
    """Constant friction (N) with which the mass, from rest, just reaches the speed of the belt: closed form.

    Under a constant force F its speed is largest when cos(w_d t) = zeta, with F/(m w) exp(-zeta w t).

    >>> no_stick_limit()
    1.0791071654277
    """
    if not (m > 0 and c > 0 and 0 <= d < 2 * sqrt(c * m)):
        raise sb.SpecError(f"petrun2012: m = {m:g}, c = {c:g}, d = {d:g} do not swing; m, c > 0 and d < 2 sqrt(c m) do")
    w, zeta = sqrt(c / m), d / (2 * sqrt(c * m))
    t = acos(zeta) / (w * sqrt(1 - zeta**2))
    return m * w * v * exp(zeta * w * t)


def stick_phases(result: sb.Result, slow: float = STICKS) -> list[tuple[float, float]]:
    """Times (s) between which the mass moves with the belt: relative speed below `slow` (m/s), to either side.

    >>> len(stick_phases(elasto_plastic()))
    6
    """
    moved = result.curve("friction.v_rel")
    edges = np.sort(np.concatenate([moved.crossings(slow), moved.crossings(-slow)]))
    ends = np.concatenate([[result.time[0]], edges, [result.time[-1]]])
    middles = 0.5 * (ends[:-1] + ends[1:])
    stuck = np.abs(moved(middles)) < slow
    return [(float(a), float(b)) for a, b, here in zip(ends[:-1], ends[1:], stuck, strict=True) if here]


def period(result: sb.Result) -> float:
    """Period (s) of the last cycle: the mass turns back, its speed falls through 0.

    >>> period(elasto_plastic(tolerance=1e-11))
    6.913306309
    """
    turns = result.crossings("mass.v", 0.0, direction=-1)
    if turns.size < 2:
        raise sb.SpecError(f"petrun2012: a period takes two turns, the run has {turns.size}; give it a longer t_end")
    return float(turns[-1] - turns[-2])
