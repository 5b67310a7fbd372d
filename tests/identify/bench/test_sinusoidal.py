"""The sinusoidal test: on courses made by hand, where the means are known, and on the virtual bench."""

from math import acos, pi, sqrt

import numpy as np
import pytest

import stribeck as sb
from stribeck import SpecError
from stribeck.identify import Measurement, Tracking, VirtualBench, sinusoidal, swings
from stribeck_papers.nouailletas2010 import single_mass
from stribeck_papers.nouailletas2010.actuator import F_V, TABLE_5, W_V, J

STEP = 1e-3


def course(
    speed: float, friction, *, swing: float = 25.0, step: float = 0.0, inertia: float = 1e-5, seed: int | None = None
):
    """A sine that is followed perfectly under friction(q, v), with a sensor that has steps."""
    w = speed / swing
    t = STEP * np.arange(round(6.2 * 2 * pi / w / STEP))
    q, v, a = -swing * np.cos(w * t), speed * np.sin(w * t), speed * w * np.cos(w * t)
    u = friction(q, v) + inertia * a
    if seed is not None:
        u = u + 0.02 * np.random.default_rng(seed).standard_normal(t.size)
    seen = step * np.round(q / step) if step else q
    resolution = {"q": step} if step else {}
    units = {"u": "N.m", "q": "rad"}
    return Measurement({"u": u, "q": seen}, sample_time=STEP, units=units, resolution=resolution, name=f"{speed:g}")


SAMPLED = {"symmetric": True, "hold": False}
SPEEDS = (40.0, 90.0, 160.0, 300.0, 420.0, 600.0)


def affine(q, v):
    return 0.11 * np.sign(v) + 5e-4 * v


def test_affine_friction_comes_back_whatever_the_inertia():
    for inertia in (0.0, 1e-4):
        found = sinusoidal([course(v, affine, step=0.112, inertia=inertia) for v in SPEEDS], **SAMPLED).estimate
        # a step of the sensor relative to the travel of a swing, 0.112 of 50 rad; turning points to a sample of 1 ms
        assert found["fc"] == pytest.approx(0.11, rel=0.01)
        assert found["fv"] == pytest.approx(5e-4, rel=0.01)
        assert found.units == {"fc": "N.m", "fv": "N.m.s/rad"}


def test_directions_apart():
    found = sinusoidal(
        [course(v, lambda q, v: np.where(v > 0, 0.13, -0.09) + 5e-4 * v) for v in SPEEDS], hold=False
    ).estimate
    assert found["fc_forward"] == pytest.approx(0.13, rel=5e-3)
    assert found["fc_backward"] == pytest.approx(0.09, rel=5e-3)


def test_means_above_a_threshold_are_those_of_a_sine():
    """(2/pi) sqrt(V^2 - v^2) with a jump; with a kink that less (2/pi) v acos(v/V)."""
    v, edge = 300.0, 240.0
    for swing in swings(course(v, affine)):
        jump = 2 / pi * sqrt(v**2 - edge**2)
        # the mean is over samples of 1 ms, of which some 170 are above
        assert swing.speed == pytest.approx(2 * v / pi, rel=5e-3)
        assert swing.above(edge) == pytest.approx(jump, rel=0.02)
        assert swing.above(edge, kink=True) == pytest.approx(jump - 2 / pi * edge * acos(edge / v), rel=0.04)


@pytest.mark.parametrize("shape", ["jump", "kink"])
def test_a_threshold_is_found(shape):
    def friction(q, v):
        fast = np.abs(v) > 240
        return 0.11 * np.sign(v) + 7e-4 * np.where(fast, v - (np.sign(v) * 240 if shape == "kink" else 0), 0)

    records = [course(v, friction, step=0.112, seed=int(v)) for v in (*SPEEDS, 270.0, 350.0, 500.0)]
    found = sinusoidal(records, threshold="find", shape=shape, **SAMPLED)
    assert found.threshold == pytest.approx(240, rel=0.03)
    assert found.threshold_range[0] < found.threshold < found.threshold_range[1]
    assert found.estimate["fv"] == pytest.approx(7e-4, rel=0.03)
    assert found.estimate["fc"] == pytest.approx(0.11, rel=0.01)
    assert "begins at" in str(found)


def test_a_profile_gives_the_share_of_it():
    def profile(q, way):
        return 0.15 + (0.001 if way > 0 else -0.0008) * q

    def friction(q, v):
        return np.sign(v) * np.where(v > 0, profile(q, 1) / 1.25, profile(q, -1) / 1.4) + 5e-4 * v

    records = [course(v, friction, swing=w) for v, w in ((60, 25.0), (120, 15.0), (200, 20.0), (300, 24.0))]
    found = sinusoidal(records, profile=profile, hold=False).estimate
    assert 1 / found["share_forward"] == pytest.approx(1.25, rel=5e-3)
    assert 1 / found["share_backward"] == pytest.approx(1.4, rel=5e-3)


def test_intervals_hold_the_truth():
    """Noise of the drive: 95 % intervals of fc and fv over 100 tests, each beyond its binomial limits with 1e-3."""
    hits = {"fc": 0, "fv": 0}
    for seed in range(100):
        records = [course(v, affine, seed=100 * seed + k) for k, v in enumerate((200.0, 350.0, 600.0))]
        found = sinusoidal(records, **SAMPLED).estimate
        for name, true in (("fc", 0.11), ("fv", 5e-4)):
            low, high = found.interval(0.95)[name]
            hits[name] += low < true < high
    assert all(87 <= count <= 100 for count in hits.values()), hits


# --- on the bench -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def actuator() -> list[Measurement]:
    """Swings of the clutch actuator without play; the controller knows 80 % of its break-away."""
    bench = VirtualBench(single_mass(0, start=7.5), "motor.tau", "rotor.phi", encoder=56, limit="2 N.m", substeps=4)
    tracking = Tracking(J, bandwidth=60, friction=lambda q, way: 0.8 * TABLE_5.static(np.clip(q, 0, 65), way))
    return [bench.sine(v, swing=25, centre=32.5, tracking=tracking, periods=4) for v in (100, 200, 300, 400, 500, 600)]


def sliding(theta, direction):
    return TABLE_5.sliding(np.clip(theta, 0, 65), direction)


def test_the_friction_of_the_actuator_comes_back(actuator):
    """Table 5 and (48) were put in: 1 % for Coulomb friction, 2 % for viscous, with 56 counts per turn."""
    found = sinusoidal(actuator, threshold="find", trim=0.5, inertia=J, profile=sliding)
    assert found.estimate["share_forward"] == pytest.approx(1, abs=0.01)
    assert found.estimate["share_backward"] == pytest.approx(1, abs=0.01)
    assert found.estimate["fv"] == pytest.approx(F_V, rel=0.02)
    assert found.threshold == pytest.approx(W_V, rel=0.02)


def test_the_regressor_without_threshold_finds_another_friction(actuator):
    """What (35) makes of (48): far from what was put in, above the threshold alone too."""
    for records in (actuator, actuator[2:]):
        found = sinusoidal(records, position="q_ref", symmetric=True).estimate
        assert abs(found["fv"] / F_V - 1) > 0.15


@pytest.mark.parametrize(
    ("what", "text"),
    [
        (lambda: sinusoidal([]), "no records"),
        (lambda: sinusoidal(course(60, affine), shape="bend"), "shape = 'bend'"),
        (lambda: sinusoidal([course(60, affine), course(99, affine)], threshold="240"), "threshold = '240'"),
        (lambda: sinusoidal(course(60, affine), trim=30.0), "trim = 30"),
        (lambda: sinusoidal([course(60, affine), course(63, affine)]), "about the same mean speed"),
        (lambda: swings(course(60, affine), settle=40), "has 12 reversals"),
    ],
)
def test_what_cannot_be_is_refused(what, text):
    with pytest.raises(SpecError, match=text):
        what()


def test_a_slide_has_other_units():
    m = sb.Model("slide")
    mass = m.add("mass", sb.Mass(m=2.0))
    m.add("guide", sb.Guide(mass, law=sb.Switch(f_c=3.0, f_s=4.0, f_v=5.0)))
    m.add("motor", sb.Force(mass, f=0))
    bench = VirtualBench(m, "motor.f", "mass.s", resolution="0.1 mm", limit="100 N")
    tracking = Tracking(inertia=2.0, bandwidth=60)
    records = [bench.sine(v, swing=0.1, centre=0.1, tracking=tracking, periods=3) for v in (0.2, 0.5, 1.0)]
    found = sinusoidal(records, symmetric=True, trim=0.03, inertia=2.0).estimate
    assert found["fc"] == pytest.approx(3.0, rel=0.01)
    assert found["fv"] == pytest.approx(5.0, rel=0.01)
    assert found.units["fv"] == "N.s/m"
