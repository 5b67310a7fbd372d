"""Bristles far stiffer than anything around them: their creep lies below every tolerance, their limit still holds."""

from __future__ import annotations

import math

import pytest

import stribeck as sb


@pytest.mark.parametrize(
    ("sigma0", "pull", "t_end"), [(1e7, 1e-4, 9e3), (5e7, 1e-3, 2e3), (1e8, 1e-5, 9e4), (1e10, 0.1, 25.0)]
)
def test_no_break_away_is_jumped_over(sigma0: float, pull: float, t_end: float) -> None:
    """Friction reaches its static limit of 1.5 N.m and no more than the slack of a bound, a thousandth, beyond it."""
    model = sb.Model("stiff rig")
    end = model.add("pull", sb.Speed(w=pull))
    mass = model.add("mass", sb.Inertia(J=1.0))
    model.add("spring", sb.Spring(end, mass, c=2.0))
    model.add("friction", sb.Bearing(mass, law=sb.LuGre(sigma0=sigma0, sigma1=math.sqrt(sigma0), tau_c=1, tau_s=1.5)))
    result = sb.simulate(model, t_end, intervals=10)
    assert 1.499 < result.extremes["friction.tau"]["max"] < 1.5 * 1.001
    assert result.extremes["mass.w"]["max"] > 0.1  # it has slipped
