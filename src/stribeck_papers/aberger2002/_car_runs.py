"""The runs that the items of the car share, each made once, and what is read off them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import stribeck as sb

from .car import CLOSES, car, drive, drive_in_steps, first_closing, table_7

UP_SHIFT = (121.5, 123.5)
"""Around the up-shift near 122 s (s)."""

GRID = np.unique(np.concatenate([np.linspace(0, 200, 2001), np.linspace(*UP_SHIFT, 2001)]))
"""Tenths of a second, and milliseconds around the up-shift."""


@cache
def rigid() -> sb.Result:
    """With standard clutches."""
    return sb.simulate(car(), times=GRID, tolerance=1e-9)


@cache
def bristles(sigma0: float = 1e5, sigma1: float = 0.03) -> sb.Result:
    """With LuGre clutches, with the first deflection of the listing."""
    return sb.simulate(car(table_7(sigma0, sigma1)), times=GRID)


@cache
def in_steps(quick: bool) -> sb.Result:
    """With LuGre clutches in fixed steps of 1 ms; quick: into second gear only."""
    return drive_in_steps(table_7(), t_end=20.0 if quick else 200.0)


@cache
def at_once(quick: bool, sigma0: float = 1e5, sigma1: float = 0.03, engage: str = "frozen") -> sb.Result:
    """With LuGre clutches whose pressures jump; quick: the first closing only."""
    return drive(table_7(sigma0, sigma1), t_end=1.05 if quick else 200.0, engage=engage, abrupt=True)


@cache
def late(seconds: float, law: str) -> sb.Result:
    """With a clutch E that opens late."""
    chosen: Any = {"rigid": None, "LuGre": table_7()}[law]
    return sb.simulate(car(chosen, late=seconds), times=GRID[UP_SHIFT[1] >= GRID], energy=False)


@cache
def first_slip() -> float:
    """Slip (rad/s) on which clutch A closes for the first time."""
    return abs(float(sb.simulate(first_closing(), CLOSES, intervals=1)["A.w_rel"][-1]))


def kick(result: sb.Result) -> float:
    """Largest size of the acceleration of the car (m/s2)."""
    extremes = result.extremes["car.a"]
    return max(extremes["max"], -extremes["min"])


def lost_speed(result: sb.Result) -> float:
    """By how much the car becomes slower within the up-shift (m/s)."""
    inside = (result.time >= UP_SHIFT[0]) & (result.time <= UP_SHIFT[1])
    v = np.asarray(result["car.v"])[inside]
    return float((np.maximum.accumulate(v) - v).max())


def damping_ratios(sigma0: float, sigma1: float) -> list[float]:
    """Of the oscillating modes of the car at rest, with D and E closed."""
    program = _with_bristles().varied({"*.law.sigma0": sigma0, "*.law.sigma1": sigma1})
    modes = sb.analysis.linearize(program, at=0.5).modes()
    return [mode.damping for mode in modes if mode.frequency > 1.0]


@cache
def _with_bristles() -> sb.Program:
    return car(table_7()).compile()
