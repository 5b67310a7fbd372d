"""The test bench measures what is known of laws in closed form."""

import math

import numpy as np
import pytest

import stribeck as sb
from stribeck.analysis.laboratory.bench import Bench


def test_steady_friction_is_the_curve():
    law = sb.LuGre(mu_c=2, mu_s=3, v_s=0.01, sigma2=0.5)
    speeds = np.array([-0.3, -1e-3, 1e-5, 0.01, 1.0])
    curve = np.sign(speeds) * (2 + np.exp(-((speeds / 0.01) ** 2))) + 0.5 * speeds
    np.testing.assert_allclose(Bench(law).steady(speeds), curve, rtol=1e-6)


def test_break_away():
    assert Bench(sb.Switch(mu_c=2, mu_s=3)).break_away == pytest.approx(3, rel=1e-9)
    lugre = Bench(sb.LuGre())
    assert lugre.largest_friction(0.1) < lugre.break_away < lugre.level, "it falls with the rate of loading"


def test_sizes_follow_the_law():
    """A law with ten times the friction meets the same experiment."""
    weak, strong = Bench(sb.Switch()), Bench(sb.Switch(mu_c=10, mu_s=15))
    assert strong.level == pytest.approx(10 * weak.level)
    times = np.linspace(0, 20, 11)
    np.testing.assert_allclose(strong.towed(0.01, times)["body.s"], weak.towed(0.01, times)["body.s"], atol=1e-9)


def test_the_highest_speed_covers_the_speeds_of_the_law():
    assert Bench(sb.LuGre()).fast == 1.0
    assert Bench(sb.LuGre(v_s=3)).fast == 30.0


def test_presliding_of_a_bristle():
    """Below break-away a LuGre bristle of stiffness sigma0 bends by force / sigma0, to first order."""
    place = Bench(sb.LuGre()).pushed([sb.Ramp(height=0.01, duration=10.0)], [0.0, 20.0])["body.s"][-1]
    assert place == pytest.approx(-1.5e-5 * math.log(1 - 0.01 / 1.5), rel=1e-4)
