"""Figure 5 as one would build it of blocks: the bristles of LuGre as an integrator among others.

A simulator of block diagrams does not know how small the deflection of a bristle is: with one absolute tolerance for
all states the error of z is not controlled. Here the scale of z is a parameter.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import stribeck as sb

from ..settings import adjusted
from .friction import STIFF, VISCOUS


def lugre_of_blocks(scale: float = 1.0, *, sigma0: float = 1e5, x_d: float = 1.0, u_max: float = 2.0) -> sb.Model:
    """The controlled mass with LuGre friction made of signals; `scale` (m) is the size of z for the error test.

    >>> sb.simulate(lugre_of_blocks(1e-5), t_end=20).plot("mass.s")
    """
    m = sb.Model("LuGre of blocks")
    body = m.add("mass", sb.Mass(m=1.0))
    v: Any = body.sensor("v")
    error: Any = body.sensor("s") - x_d
    z: Any = sb.Named("z")
    f_c, f_s, v_s = STIFF["mu_c"], STIFF["mu_s"], STIFF["v_s"]
    g: Any = (f_c + (f_s - f_c) * np.exp(-1 * (v / v_s) * (v / v_s))) / sigma0
    rate: Any = v - abs(v) / g * z
    m.signal("z", sb.Integral(rate, nominal=scale))
    force: Any = sb.Saturation(-3.0 * error - 6.0 * v - 4.0 * sb.Integral(error), -u_max, u_max)
    m.add("motor", sb.Force(body, f=force - (sigma0 * z + sigma0**0.5 * rate + VISCOUS * v)))
    return adjusted(m)


@cache
def cycles_of_blocks(tolerance: float, scale: float = 1.0, t_end: float = 200.0) -> list[float]:
    """Durations (s) of the cycles by the method of Dormand and Prince, with steps of at most 1 ms (Table 1).

    >>> cycles_of_blocks(1e-6, 1e-5)[-1]
    24.4
    """
    run = sb.simulate(
        lugre_of_blocks(scale),
        t_end=t_end,
        intervals=20_000,
        tolerance=tolerance,
        solver="dopri5",
        max_step=1e-3,
        energy=False,
    )
    return [float(x) for x in np.diff(run.crossings("mass.s", 1.0, +1))]
