"""The test bench measures what is known of laws in closed form."""

import math

import numpy as np
import pytest

import stribeck as sb
from stribeck.analysis.laboratory.bench import LawBench


def test_steady_friction_is_the_curve():
    law = sb.LuGre(mu_c=2, mu_s=3, v_s=0.01, sigma2=0.5)
    speeds = np.array([-0.3, -1e-3, 1e-5, 0.01, 1.0])
    curve = np.sign(speeds) * (2 + np.exp(-((speeds / 0.01) ** 2))) + 0.5 * speeds
    np.testing.assert_allclose(LawBench(law).steady_friction(speeds), curve, rtol=1e-6)


def test_break_away():
    assert LawBench(sb.Switch(mu_c=2, mu_s=3)).break_away == pytest.approx(3, rel=1e-9)
    lugre = LawBench(sb.LuGre())
    assert lugre.largest_friction(0.1) < lugre.break_away < lugre.sliding_friction, "it falls with the rate of loading"


def test_sizes_follow_the_law():
    """A law with ten times the friction meets the same experiment."""
    weak, strong = LawBench(sb.Switch()), LawBench(sb.Switch(mu_c=10, mu_s=15))
    assert strong.sliding_friction == pytest.approx(10 * weak.sliding_friction)
    times = np.linspace(0, 20, 11)
    np.testing.assert_allclose(strong.towed(0.01, times)["body.s"], weak.towed(0.01, times)["body.s"], atol=1e-9)


def test_the_highest_speed_covers_the_speeds_of_the_law():
    assert LawBench(sb.LuGre()).highest_speed == 1.0
    assert LawBench(sb.LuGre(v_s=3)).highest_speed == 30.0


def test_presliding_of_a_bristle():
    """Below break-away a LuGre bristle of stiffness sigma0 bends by force / sigma0, to first order."""
    place = LawBench(sb.LuGre()).under_force([sb.Ramp(height=0.01, duration=10.0)], [0.0, 20.0])["body.s"][-1]
    assert place == pytest.approx(-1.5e-5 * math.log(1 - 0.01 / 1.5), rel=1e-4)
