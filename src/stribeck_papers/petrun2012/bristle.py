"""The friction model of section 3 by itself: what it does below break-away, and what its switch alpha(z, v) must be.

Equation (4) lets the bristle z relax by the share alpha:  z' = v (1 - alpha(z, v) sgn(v) z/g(v)),  g = f_ss/sigma0.
"""

from __future__ import annotations

from math import exp, pi, sin
from typing import Any

from scipy.optimize import brentq

import stribeck as sb

from .belt import BRISTLE, CURVE, modified_law


def nudged(law: Any = None, *, hold: float = 0.5, shake: float = 0.3, cycles: int = 30) -> sb.Result:
    """A mass of 1 kg under a force below break-away (2 N): it rises to `hold` (N), then swings by `shake` at 0.5 Hz.

    >>> nudged(sb.LuGre(**CURVE, **BRISTLE))["mass.s"][-1]  # it has crept away
    0.00104
    >>> nudged()["mass.s"][-1]  # the elasto-plastic one stays
    4.9e-05
    """
    model = sb.Model("below break-away", t_end=4 + 2 * cycles, intervals=40 * (2 + cycles))
    mass = model.add("mass", sb.Mass(m="1 kg"))
    model.add("push", sb.Force(mass, f=sb.Ramp(hold, duration=2.0) + sb.Sine(amplitude=shake, f=0.5, start=4.0)))
    model.add("friction", sb.Guide(mass, law=law or modified_law()))
    return sb.simulate(model, tolerance=1e-9)


def rubbing(law: Any, v: Any, *, force: float = 1.0, t_end: float = 1.0) -> sb.Result:
    """A surface that slides over another one at a prescribed speed (m/s, or a signal of time) under a normal force (N).

    >>> rubbing(modified_law(), 1.0)["friction.f"][-1]
    1.1353
    """
    model = sb.Model("rubbing", t_end=t_end, intervals=1000)
    drive, rest = model.add("drive", sb.Speed(v=v)), model.add("rest", sb.Fixed())
    model.add("friction", sb.Clutch(rest, drive, law=law, fn_max=force))
    return sb.simulate(model, tolerance=1e-9)


def curve(v: float) -> float:
    """The Stribeck curve of the belt test: coefficient of friction at a sliding speed (m/s).

    >>> curve(1.0)
    1.1353
    """
    return CURVE["mu_c"] + (CURVE["mu_s"] - CURVE["mu_c"]) * exp(-abs(v) / CURVE["v_s"])


def switch(z: float, z_ba: float, z_max: float) -> float:
    """Dupont's alpha for motion that bends the bristle further: 0 up to z_ba, 1 from z_max on, half a sine between.

    >>> switch(1.5, z_ba=1.0, z_max=2.0)
    0.5
    """
    if z <= z_ba:
        return 0.0
    if z >= z_max:
        return 1.0
    return 0.5 * sin(pi * (z - 0.5 * (z_max + z_ba)) / (z_max - z_ba)) + 0.5


def settled_friction(v: float, z_ba: float, z_max: float, force: float = 1.0) -> float:
    """Friction (N) of steady sliding where equation (4) has constant limits z_ba and z_max (m): alpha(z) z = g(v).

    >>> settled_friction(1.0, z_ba=0.9e-4, z_max=2e-4)  # the curve has 1.1353
    1.601
    """
    s0 = BRISTLE["sigma0"]
    g = force * curve(v) / s0
    rest = brentq(lambda z: switch(z, z_ba, z_max) * z - g, 0.0, max(z_max, g) * (1 + 1e-9), xtol=1e-18, rtol=1e-14)
    return s0 * float(rest)
