"""The runs that the items of the gearbox share, each made once."""

from __future__ import annotations

from functools import cache
from typing import Any

import stribeck as sb

from ..converged import golden
from ..settings import adjusted
from ._measures import ELEMENTS
from .clutch import table_6
from .gearbox import LIGHT, gearbox, shift

STANDARD, PRINTED, SOFT, WEAK = "standard", "σ₀ 10⁵, σ₁ 300", "σ₀ 10⁴, σ₁ 300", "σ₀ 10⁵, σ₁ 30"
LAWS: dict[str, Any] = {
    STANDARD: None,
    PRINTED: table_6(),
    SOFT: table_6(sigma0=1e4),
    WEAK: table_6(sigma1=30),
}
"""The clutches of Figure 14, in its order."""

SHOWN = {"engine": 1.8, "ring1": 0.042, "sun": 0.042, "carrier2": 0.042, "load": 8.5}
"""Inertias (kg.m2) of the gearbox of Figures 10 and 11."""

GOLDEN = {
    STANDARD: "C.gearbox",
    PRINTED: "C.gearbox.LuGre_s0_100000_s1_300",
    SOFT: "C.gearbox.LuGre_s0_10000_s1_300",
    WEAK: "C.gearbox.LuGre_s0_100000_s1_30",
}


@cache
def fine(name: str) -> sb.Result:
    """4 s with these clutches at 0.1 ms, where the 1 ms of the paper does not show the swings."""
    return shift(LAWS[name], intervals=40000)


@cache
def overlapped(name: str) -> sb.Result:
    """A gearbox in which most of what is said on Figures 10 and 11 can be seen, of those drawn in Section 2.2.1: heavy
    bodies, pressures that rise within 30 ms and fall within 10 ms, so that gears overlap a little."""
    model = gearbox(LAWS[name], inertias=SHOWN, closing=0.03, opening=0.01)
    sb.set_parameter(sb.set_parameter(model, "motor.tau", 1.45), "drag.d", 0.017)
    return sb.simulate(adjusted(model), 4.0, tolerance=1e-9, intervals=8000)


@cache
def light(name: str) -> sb.Result:
    """With the small inertias of the converged values."""
    return shift(LAWS[name], inertias=LIGHT, tolerance=1e-11)


def converged(name: str) -> dict[str, tuple[float, float]]:
    """Values of the gearbox with small inertias. Those of others are sampled at the steps of their solvers: 5 digits
    of a peak."""
    run = light(name)
    peaks = {f"{GOLDEN[name]}.max|tau|_{e}": (-run.extremes[f"{e}.tau"]["min"], 1e-5) for e in ELEMENTS}
    return {f"{GOLDEN[name]}.wO(4s)": (float(run["load.w"][-1]), 1e-9), **peaks}


def instants() -> dict[str, tuple[float, float]]:
    """Times (s) at which modes change in the gearbox with standard clutches and small inertias. Those of others let a
    shift begin 1 ps early."""
    times = sorted({round(event.time, 13) for event in light(STANDARD).events})
    names = [name for name in golden() if name.startswith(f"{GOLDEN[STANDARD]}.event[")]
    return {name: (time, 1e-11) for name, time in zip(names, times, strict=True)}
