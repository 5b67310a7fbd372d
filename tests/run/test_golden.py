"""The LuGre stick-slip rig of aberger2002 against converged values.

golden.csv holds each value twice, from two independent methods (a Runge-Kutta method of order 6 with a fixed step of
4e-6 s, and Radau restarted at every change of branch), with the difference between them.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import stribeck

GOLDEN = Path(__file__).with_name("golden.csv")

# name of the set in golden.csv -> bristle damping: Table 1 rounds sqrt(sigma0)
SETS = {"B.LuGre_Table1_s1_316.23": 316.23, "B.LuGre_canonical_s1_sqrt1e5": 1e5**0.5}


def rows(path: Path) -> dict[str, dict[str, str]]:
    with path.open(newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def golden(name: str) -> list[float]:
    """The value by each method that gave one."""
    row = rows(GOLDEN)[name]
    return [float(row[column]) for column in ("value_method1", "value_method2") if row[column]]


def stick_slip(sigma1: float, tolerance: float | None = None) -> stribeck.Result:
    model = stribeck.load_model("stick-slip")
    stribeck.set_parameter(model, "friction.law.sigma1", sigma1)
    return stribeck.simulate(model, tolerance=tolerance)


@pytest.mark.parametrize("tolerance, accuracy", [(None, 1e-6), (1e-10, 2e-9)], ids=["default", "tight"])
@pytest.mark.parametrize("name", SETS)
def test_crossings_period_and_peak(name: str, tolerance: float | None, accuracy: float) -> None:
    result = stick_slip(SETS[name], tolerance)
    crossings = result.crossings("mass.w", 0.1, direction=+1)
    assert len(crossings) == 3
    measured = {
        **{f"t_cross_vp[{i}]": crossing for i, crossing in enumerate(crossings)},
        "period": crossings[2] - crossings[1],
        "F_breakaway_peak": result.extremes["friction.tau"]["max"],
    }
    for quantity, value in measured.items():
        for expected in golden(f"{name}.{quantity}"):
            assert value == pytest.approx(expected, rel=0, abs=accuracy), quantity


@pytest.mark.parametrize("name", SETS)
def test_time_of_the_peak(name: str) -> None:
    """Every cycle has the same peak; the largest may be any of them. A maximum is flat, so its time is less sharp."""
    at = stick_slip(SETS[name], 1e-10).extremes["friction.tau"]["t_max"]
    (first,), period = golden(f"{name}.t_peak"), golden(f"{name}.period")[0]
    assert abs(np.remainder(at - first + period / 2, period) - period / 2) < 1e-5


def test_copy_agrees_with_its_source(shared: Path) -> None:
    source = rows(shared / "reference" / "golden" / "summary.csv")
    for name, row in rows(GOLDEN).items():
        assert row == source[name]
