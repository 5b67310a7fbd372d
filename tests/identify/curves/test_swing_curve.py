"""Schloemilch's inversion: friction over speed from mean drives of sines."""

import numpy as np
import pytest
from scipy.integrate import quad

import stribeck as sb
from stribeck.errors import SpecError
from stribeck.identify import Tracking, VirtualBench, schloemilch_inversion, sinusoidal, swing_curve

V = np.geomspace(0.03, 10, 40)


def friction(v):
    return 0.5 + 0.25 * np.exp(-((v / 0.3) ** 2)) + 0.05 * v


def mean(f, v):
    """Mean of friction over a sine of speed: the direct problem."""
    return 2 / np.pi * quad(lambda p: f(v * np.sin(p)), 0, np.pi / 2, limit=200)[0]


def test_means_of_a_curve_give_the_curve():
    """Between 40 amplitudes over 2.5 decades a spline errs by 0.2 %."""
    found, _ = schloemilch_inversion(V, np.array([mean(friction, v) for v in V]))
    assert found == pytest.approx(friction(V), rel=3e-3)


def viscous_above(w):
    """Friction whose means over sines are two straight lines, Figure 16 of Nouailletas 2010."""
    return 0.1 + (2 / np.pi * 7.2e-4 * w * np.arccos(240 / w) if w > 240 else 0.0)


@pytest.mark.parametrize("w", [20, 200, 240, 241, 300, 600])
def test_viscous_friction_above_a_speed_has_means_on_two_lines(w):
    """The direct problem, by quadrature in two parts: constant up to 240 rad/s, then with the slope 2/pi f_v."""
    corner = np.arcsin(min(240 / w, 1.0))
    parts = [quad(lambda p: viscous_above(w * np.sin(p)), *ends)[0] for ends in ((0, corner), (corner, np.pi / 2))]
    assert 2 / np.pi * sum(parts) == pytest.approx(0.1 + 2 / np.pi * 7.2e-4 * max(w - 240, 0), rel=1e-7)


def test_two_lines_give_viscous_friction_above_a_speed():
    """The inverse: a spline rounds the kink, within 3 %."""
    w = np.concatenate([np.linspace(20, 240, 12), np.geomspace(245, 600, 40)])
    found, _ = schloemilch_inversion(w, 0.1 + 2 / np.pi * 7.2e-4 * np.maximum(w - 240, 0))
    away = np.abs(w / 240 - 1) > 0.03
    assert found[away] == pytest.approx([viscous_above(x) for x in w[away]], rel=0.03)


def test_amplitudes_that_cannot_be_inverted():
    with pytest.raises(SpecError, match="must be positive and increase"):
        schloemilch_inversion([1.0, 3.0, 2.0], [1.0, 1.0, 1.0])
    with pytest.raises(SpecError, match="rows of one length"):
        schloemilch_inversion([1.0, 2.0, 3.0], [1.0, 1.0])


def test_errors_carry_over():
    """The standard errors are those of 400 sets with noise; their own error is 1/sqrt(800)."""
    y, rng = np.array([mean(friction, v) for v in V[::4]]), np.random.default_rng(0)
    trials = [schloemilch_inversion(V[::4], y + 0.002 * rng.normal(size=y.size))[0] for _ in range(400)]
    _, error = schloemilch_inversion(V[::4], y, np.full(y.size, 0.002))
    assert np.std(trials, axis=0) == pytest.approx(error, rel=0.15)


@pytest.fixture(scope="module")
def records():
    model = sb.Model("joint")
    arm = model.add("arm", sb.Inertia(J=0.02))
    model.add("motor", sb.Torque(arm, tau=sb.External(0)))
    model.add("joint", sb.Bearing(arm, law=sb.Stribeck(tau_c=0.5, tau_s=0.75, w_s=0.3, tau_v=0.05)))
    bench = VirtualBench(model, "motor.tau", "arm.phi", encoder=20000, limit="5 N.m")
    found = []
    for v in np.geomspace(0.1, 6, 10):
        bench.reset()
        found.append(
            bench.sine(
                v,
                swing=min(1.0, 4 * v),
                centre=0,
                tracking=Tracking(inertia=0.02, bandwidth=60, friction=0.5),
                periods=3,
            )
        )
    return found


def test_sines_on_a_bench(records):
    """Within 3 %: tracking near reversals is no perfect sine, and ten amplitudes over two decades are few."""
    points = swing_curve(sinusoidal(records))
    assert points.units == ("rad/s", "N.m")
    assert np.sign(points.speed).sum() == 0
    assert np.abs(points.friction) == pytest.approx(friction(np.abs(points.speed)), rel=0.03)
    assert sb.identify.fit_curve(points)["mu_s"] == pytest.approx(0.75, rel=0.02)


def test_amplitudes_are_merged(records):
    assert len(swing_curve(sinusoidal(records), spacing=2)) < len(swing_curve(sinusoidal(records)))


def test_what_is_no_sinusoidal_test(records):
    with pytest.raises(SpecError, match="there are 2 different amplitudes"):
        swing_curve(sinusoidal(records[-2:]))
    with pytest.raises(SpecError, match=r"spacing = 0\.5 is a ratio"):
        swing_curve(sinusoidal(records), spacing=0.5)
    with pytest.raises(SpecError, match="are no sines"):
        swing_curve(sinusoidal(records, trim=0.3))
