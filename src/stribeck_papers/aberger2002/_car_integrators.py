"""Codes of DASSL's family on weakly damped bristles in the car, at the tolerance of the paper."""

from __future__ import annotations

from functools import cache

import numpy as np

from stribeck.reports import DataTable

from ..paper import titled_table
from ..rules import SAME, UNSTABLE
from ..scorecard import Claim, judged, unchecked
from ._car_runs import damping_ratios, rigid
from .car import car, drive_in_steps, table_7
from .codes import NEEDS_CODE, best_code
from .dassl_model import ModelCourse, by_dassl

RANGE = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
"""Damping (s/rad) for which the paper reports instability at sigma0 = 1e4."""
WHERE = "Section 2.2.2"


@cache
def driven(sigma0: float, sigma1: float, t_end: float, abrupt: bool = False) -> ModelCourse:
    """A drive by DDASPK or IDA at the tolerance and with the output points of the paper."""
    model = car(table_7(sigma0, sigma1), abrupt=abrupt)
    return by_dassl(model, ["car.v", "car.a"], t_end=t_end, tolerance=1e-4, sigma0=sigma0, interval=0.2)


def off(course: ModelCourse) -> float:
    """Largest difference of the velocity from that with standard clutches, over its range in 200 s; 1 if it stops."""
    exact = rigid().at(course.time, "car.v")
    most = float(np.abs(course.outputs["car.v"] - exact).max() / np.ptp(np.asarray(rigid()["car.v"])))
    return 1.0 if course.stopped else most


def unstable_range(quick: bool) -> tuple[list[Claim], list[DataTable]]:
    """sigma0 = 1e4 over the damping by DDASPK or IDA, and in steps of 1 ms by ours."""
    what = "DASSL is unstable with sigma0 = 1e4 and 0.003 ≤ sigma1 ≤ 3"
    code = best_code()
    if code is None:
        return [unchecked(what, NEEDS_CODE, where=WHERE)], []
    chosen, t_end = (RANGE[::3], 30.0) if quick else (RANGE, 200.0)
    runs = {s1: driven(1e4, s1, t_end) for s1 in chosen}
    errors = {s1: off(course) for s1, course in runs.items()}
    stepped = {s1: _error_in_steps(s1, t_end / 4) for s1 in chosen}
    claim = judged(
        what,
        UNSTABLE,
        min(errors.values()),
        f"{code} at 1e-4 comes through {t_end:g} s with {len(chosen)} values of sigma1; velocity within "
        f"{100 * max(errors.values()):.2g} % of its range",
        otherwise="not determined",
        because="forces, pressures and road are not printed, and decide what the code meets; with ours it needs "
        f"{max(course.steps for course in runs.values())} steps at most, if events are located within its steps",
        where=WHERE,
    )
    heads = ["sigma1 / (s/rad)", "least damping ratio", "steps", "events", "largest acceleration / (m/s²)"]
    heads += ["error of velocity / (mm/s)", "ours at 1 ms / (mm/s)"]
    span = float(np.ptp(np.asarray(rigid()["car.v"])))
    rows = [
        [s1, _least(s1), run.steps, run.events, _most(run), 1e3 * errors[s1] * span, 1e3 * stepped[s1]]
        for s1, run in runs.items()
    ]
    return [claim], [titled_table(f"Bristles with sigma0 = 1e4 by {code} at 1e-4, to {t_end:g} s", heads, rows)]


def _most(course: ModelCourse) -> float:
    """Largest acceleration of the car in the points of a run (m/s2)."""
    return float(course.outputs["car.a"].max())


def _error_in_steps(sigma1: float, t_end: float) -> float:
    """Largest difference of the velocity (m/s) in our steps of 1 ms from that with standard clutches."""
    found = drive_in_steps(table_7(1e4, sigma1), t_end=t_end)
    return float(np.abs(np.asarray(found["car.v"]) - rigid().at(found.time, "car.v")).max())


def _least(sigma1: float) -> float | str:
    """The smallest damping ratio of bristles with sigma0 = 1e4."""
    found = damping_ratios(1e4, sigma1)
    return min(found) if found else "none swings"


def dassl_claim(quick: bool) -> Claim:
    """Whether backward differences get through with the bristles of Table 7."""
    what = "DASSL at a tolerance of 1e-4 takes the car with the bristles of Table 7 through 200 s"
    code = best_code()
    if code is None:
        return unchecked(what, NEEDS_CODE, where=WHERE)
    course = driven(1e5, 0.03, 200.0)
    return judged(
        what,
        SAME,
        off(course),
        f"{code}: {course.steps} steps, {course.events} events, velocity within {100 * off(course):.2g} % of its range",
        because="it stops, or errs, on our car",
        where=WHERE,
    )
