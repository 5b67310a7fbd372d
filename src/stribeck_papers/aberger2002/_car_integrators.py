"""Integrators with variable steps on weakly damped bristles in the car."""

from __future__ import annotations

from functools import cache

import numpy as np

import stribeck as sb
from stribeck.reports import DataTable

from ..paper import titled_table
from ..scorecard import Claim, statement, unchecked
from ._car_runs import damping_ratios, rigid
from .car import car, drive, drive_in_steps, table_7

RANGE = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
"""Damping (s/rad) for which the paper reports instability at sigma0 = 1e4."""

HEADS = [
    "sigma1 / (s/rad)",
    "least damping ratio",
    "steps",
    "largest acceleration / (m/s²)",
    "last velocity / (m/s)",
    "error of velocity at 1 ms / (mm/s)",
]


@cache
def launch_by_bdf(sigma0: float, sigma1: float, t_end: float) -> sb.Result:
    """The first seconds by CVODE, of the same formulas as DASSL, at the tolerance of the paper."""
    return sb.simulate(car(table_7(sigma0, sigma1)), t_end, intervals=200, tolerance=1e-4, solver="cvode")


def unstable_range(quick: bool) -> tuple[list[Claim], DataTable]:
    """sigma0 = 1e4 over the damping: ours for 200 s, in steps of 1 ms, and CVODE for the launch."""
    chosen, t_end = ((0.3, 3.0), 2.0) if quick else (RANGE, 200.0)
    runs = {s1: drive(table_7(1e4, s1), t_end=t_end, intervals=round(10 * t_end)) for s1 in chosen}
    v = {s1: np.asarray(result["car.v"]) for s1, result in runs.items()}
    worst = max(abs(float(values[-1]) - float(rigid().at(t_end, "car.v"))) for values in v.values())
    fixed = {s1: _error_in_steps(s1, v[s1], t_end / 4) for s1 in chosen}
    claims = [
        statement(
            "with sigma0 = 1e4 and 0.003 ≤ sigma1 ≤ 3 the simulation is unstable: adaptive solver",
            worst > 0.01,
            f"{len(chosen)} runs end within {1e3 * worst:.2g} mm/s of the car with standard clutches",
            because="the equations are not unstable there: an adaptive solver for stiff equations takes them at a "
            "tolerance of 1e-7, and fixed steps of 1 ms come to the same "
            f"(within {1e3 * max(fixed.values()):.2g} mm/s)",
        ),
        _bdf_claim(quick),
    ]
    rows = [
        [
            s1,
            _least(s1),
            runs[s1].statistics.steps,
            runs[s1].extremes["car.a"]["max"],
            float(v[s1][-1]),
            1e3 * fixed[s1],
        ]
        for s1 in chosen
    ]
    return claims, titled_table("Bristles with sigma0 = 1e4", HEADS, rows)


def _error_in_steps(sigma1: float, v: np.ndarray, t_end: float) -> float:
    """Largest difference of the velocity (m/s) in steps of 1 ms."""
    found = np.asarray(drive_in_steps(table_7(1e4, sigma1), t_end=t_end)["car.v"])
    return float(np.abs(found - v[: found.size]).max())


def _bdf_claim(quick: bool) -> Claim:
    """The launch with an integrator that is close to DASSL."""
    what = "the same: backward differences, as in DASSL, at a tolerance of 1e-4"
    chosen, t_end = ((3.0,), 1.2) if quick else ((0.03, 0.3, 3.0), 2.0)
    try:
        runs = {s1: launch_by_bdf(1e4, s1, t_end) for s1 in chosen}
    except sb.SimulationError as error:
        return statement(what, True, str(error))
    except sb.StribeckError as error:
        return unchecked(what, str(error))
    exact = float(sb.simulate(car(table_7(1e4, 0.3)), t_end, intervals=10)["car.v"][-1])
    worst = max(abs(float(result["car.v"][-1]) - exact) for result in runs.values())
    steps = ", ".join(f"sigma1 = {s1:g}: {result.statistics.steps}" for s1, result in runs.items())
    return statement(
        what,
        worst > 0.02,
        f"CVODE through the first {t_end} s, in steps ({steps}), velocity within {1e3 * worst:.2g} mm/s",
        because="weakly damped bristles cost such a code many steps, as its higher orders are not stable near the "
        "imaginary axis, but it gets through; the text does not say what stopped DASSL in the car of the paper",
    )


def _least(sigma1: float) -> float | str:
    """The smallest damping ratio of bristles with sigma0 = 1e4."""
    found = damping_ratios(1e4, sigma1)
    return min(found) if found else "none swings"


def dassl_claim(quick: bool) -> Claim:
    """How far backward differences get with the bristles of Table 7."""
    what = "DASSL at a tolerance of 1e-4 takes the car with the bristles of Table 7 through 200 s"
    t_end = 1.31 if quick else 1.35
    try:
        found = launch_by_bdf(1e5, 0.03, t_end).statistics.steps
    except sb.StribeckError as error:
        return unchecked(what, str(error))
    stuck = next(event.time for event in rigid().events.of("A") if event.to == "Stuck")
    ours = sb.simulate(car(table_7()), t_end, intervals=10).statistics.steps
    loose = [float(drive(table_7(), t_end=1.3 if quick else 200.0, tolerance=t)["car.v"][-1]) for t in (1e-4, 1e-7)]
    return unchecked(
        what,
        f"of this kind CVODE is available, driven from Python: it takes {found} steps for the first {t_end} s (ours "
        f"{ours}), nearly all of them after A has stuck at {stuck:.2f} s and its bristles swing: too many for 200 s. "
        f"Our velocities at tolerances of 1e-4 and 1e-7 end {1e6 * abs(loose[0] - loose[1]):.1g} µm/s from each other",
    )
