"""Periods and cycles of traces whose answer is known."""

import math

import numpy as np
import pytest

import stribeck as sb
from stribeck.analysis import Oscillation
from stribeck.results import Result, ResultMeta


def trace(function, t_end=20.0, n=2001):
    t = np.linspace(0, t_end, n)
    return Result(ResultMeta("m", ("body.x",), ("m",)), time=t, data=function(t)[None, :])


def test_a_sine():
    found = Oscillation.of(trace(lambda t: 3 + np.sin(2 * np.pi * t / 1.7)), "body.x")
    assert found.period == pytest.approx(1.7, rel=1e-6)
    assert found.cycles == 11  # it rises 12 times


def test_the_golden_period_of_the_rig():
    """aberger2002 Table 1: 6.362719747 s by RK6 and Radau; the rest is interpolation on a grid of 10 ms."""
    model = sb.load_model("stick-slip")
    assert Oscillation.of(sb.simulate(model), "mass.w").period == pytest.approx(6.362719747, abs=1e-6)


@pytest.mark.parametrize(
    ("function", "cycles"),
    [
        (lambda t: 0 * t, 0),
        (lambda t: t, 0),
        (lambda t: np.exp(-t), 0),
        (lambda t: np.exp(-t / 3) * np.sin(9 * t), None),
        (lambda t: np.where(t < 4, np.sin(9 * t), 0), 0),
    ],
    ids=["rest", "ramp", "decay", "dying", "dead"],
)
def test_no_steady_oscillation(function, cycles):
    found = Oscillation.of(trace(function), "body.x")
    assert math.isnan(found.period)
    assert cycles is None or found.cycles == cycles


def test_rests_between_strokes_are_no_cycles():
    """Strokes in both directions, and noise at rest."""
    noise = 1e-3 * np.random.default_rng(1).standard_normal(2001)

    def strokes(t):
        wave = np.clip(2 * np.sin(2 * np.pi * t / 4), -1.6, 1.6)
        return np.where(abs(wave) > 1, wave, 0) + noise

    found = Oscillation.of(trace(strokes), "body.x")
    assert found.period == pytest.approx(4, rel=1e-3)
    assert found.cycles == 4


def test_a_single_cycle():
    found = Oscillation.of(trace(lambda t: np.sin(2 * np.pi * t / 11)), "body.x")
    assert found == (pytest.approx(11), 1)


def test_a_single_point():
    assert Oscillation.of(trace(lambda t: t, n=1), "body.x").cycles == 0
