"""(2) and (4) read in another way: F in the rate of the bristle as its spring alone, sigma0 z.

The rate is explicit then, there is no algebraic loop, and viscous friction adds in steady sliding. No law of the
package has this rate, so the rig is written down here and integrated by LSODA.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from stribeck.reports import DataTable

from ..paper import titled_table
from .rig import laws, stick_slip
from .rig import period as period_of

SIGMA0, SIGMA1, COULOMB, STATIC, SPRING, PULL = 1e5, 1e5**0.5, 1.0, 1.5, 2.0, 0.1


def threshold(sigma2: float, dv: float) -> Callable[[float], float]:
    """h(|v|) of (2)."""
    return lambda speed: 1.0 if speed <= dv else STATIC / COULOMB


def straight(sigma2: float, dv: float) -> Callable[[float], float]:
    """s(|v|) of (4)."""
    ratio = STATIC / COULOMB
    return lambda speed: 1 + speed / dv * (ratio - 1) if speed <= dv else ratio - sigma2 / COULOMB * (speed - dv)


def period(curve: Callable[[float, float], Callable[[float], float]], sigma2: float, dv: float) -> float:
    """Period (s) of the rig with one of the curves; nan without two slips.

    >>> period(straight, 0.5, 0.01)
    4.6629
    """
    from scipy.integrate import solve_ivp

    share = curve(sigma2, dv)

    def rates(t: float, y: np.ndarray) -> list[float]:
        x, v, z = y
        dz = v - share(abs(v)) * abs(v) * SIGMA0 * z / STATIC
        return [v, SPRING * (PULL * t - x) - (SIGMA0 * z + SIGMA1 * dz + sigma2 * v), dz]

    def overtakes(t: float, y: np.ndarray) -> float:
        return float(y[1] - PULL)

    overtakes.direction = 1  # type: ignore[attr-defined]
    limits = {"rtol": 1e-6, "atol": [1e-9, 1e-9, 1e-12], "max_step": 0.05}
    done = solve_ivp(rates, (0, 26), [0.0, 0.0, 0.0], "LSODA", events=overtakes, **limits)
    slips = done.t_events[0]
    return float(slips[-1] - slips[-2]) if slips.size > 1 else float("nan")


class Readings(NamedTuple):
    """Both readings side by side, and how near the other one comes (largest share of a printed period), where."""

    table: DataTable
    off: float
    sigma2: float
    dv: float


def compare_readings(printed: Mapping[str, float], used: Mapping[str, float], quick: bool) -> Readings:
    """Searches for the parameters with which the other reading comes nearest to the printed periods (s)."""
    sigmas, dvs = ((0.45,), (0.02, 0.15)) if quick else ((0.05, 0.3, 0.45, 0.5), (0.02, 0.05, 0.1, 0.15, 0.16))
    found = {(sigma2, dv): _periods(sigma2, dv) for sigma2 in sigmas for dv in dvs}

    def off(periods: Mapping[str, float]) -> float:
        return max(abs(periods[name] / printed[name] - 1) for name in printed)

    best = min(found, key=lambda pair: off(found[pair]))
    rows = [
        [text, f"{sigma2:g}", f"{dv:g}", *(f"{periods[name]:.3f}" for name in printed), f"{100 * off(periods):.1f}"]
        for text, (sigma2, dv), periods in (
            ("whole friction, as printed", (0.5, 0.01), used),
            (f"sigma0 z alone, the best of {len(found)} pairs", best, found[best]),
        )
    ]
    heads = ["F in the rate", "sigma2 / (N·s/m)", "dv / (m/s)", *printed, "off by up to / %"]
    return Readings(titled_table("Periods (s) by another reading", heads, rows), off(found[best]), *best)


def _periods(sigma2: float, dv: float) -> dict[str, float]:
    lugre = period_of(stick_slip(laws(sigma2=sigma2)["LuGre"], t_end=40.0))
    simplified, improved = (period(curve, sigma2, dv) for curve in (straight, threshold))
    return {"LuGre": lugre, "simplified LuGre": simplified, "improved Dahl": improved}
