"""Extremes between the points of the grid, where an output has a corner."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck_papers.aberger2002.gearbox import LIGHT, gearbox, table_6


@pytest.mark.parametrize("tolerance", [1e-7, 1e-9, 1e-11])
@pytest.mark.parametrize("element", ["C1", "C2", "B1", "B2"])
def test_a_corner_is_not_overshot(element: str, tolerance: float) -> None:
    """Where the slip of a bristle passes zero, a torque that rose by 50 N.m in a second falls at once: 5e-6 N.m within
    the 0.1 us of the grid that is laid around it here."""
    model = gearbox(table_6(sigma0=1e4), inertias=LIGHT)
    peak = sb.simulate(model, 4.0, tolerance=tolerance).extremes[f"{element}.tau"]
    times = np.unique(np.concatenate([[0.0], peak["t_min"] + np.linspace(-2e-5, 2e-5, 401)]))
    around = sb.simulate(model, times=times, tolerance=tolerance, extremes=False)
    assert peak["min"] == pytest.approx(np.min(around[f"{element}.tau"]), abs=5e-6)
