"""Inverse dynamic model and power balance: known truths, and a real drive."""

import numpy as np
import pytest

import stribeck as sb
from stribeck.errors import SpecError, UnknownName
from stribeck.identify import (
    Measurement,
    Motion,
    Term,
    Tracking,
    VirtualBench,
    harmonic_terms,
    inverse_model,
    position_terms,
    power_balance,
    stribeck_term,
)
from stribeck.identify.regression.band import Band

METHODS = [inverse_model, power_balance]
T = np.arange(0, 20, 1e-3)
# three incommensurable sines: fast and slow, in both directions
Q = 0.10 * np.sin(2.1 * T) + 0.03 * np.sin(5.3 * T + 1) + 0.01 * np.sin(13.7 * T + 2)
V = 0.21 * np.cos(2.1 * T) + 0.159 * np.cos(5.3 * T + 1) + 0.137 * np.cos(13.7 * T + 2)
A = -0.441 * np.sin(2.1 * T) - 0.8427 * np.sin(5.3 * T + 1) - 1.8769 * np.sin(13.7 * T + 2)


def record(force: np.ndarray, noise: float = 0.0, step: float = 0.0) -> Measurement:
    rng = np.random.default_rng(11)
    q = np.round(Q / step) * step if step else Q
    return Measurement(
        {"q": q, "f": force + noise * rng.normal(size=T.size)}, sample_time=1e-3, units={"q": "m", "f": "N"}
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_known_machine_from_an_encoder(method):
    found = method(record(90 * A + 200 * V + 20 * np.sign(V) - 3, noise=2.0, step=1e-5), "f", "q")
    truth = {"inertia": 90, "viscous": 200, "coulomb": 20, "offset": -3}
    for name, value in truth.items():
        assert abs(found[name] - value) < 4 * found.errors[name] + 2e-3 * abs(value), name
        assert found.errors[name] < 0.03 * abs(value), name
    assert dict(found.units) == {"inertia": "kg", "viscous": "N.s/m", "coulomb": "N", "offset": "N"}
    assert found.condition < 20 and found.unidentifiable == ()


@pytest.mark.parametrize("method", METHODS)
def test_a_force_with_the_wrong_sign_is_refused(method):
    with pytest.raises(SpecError, match=r"'f' the inertia is -(89|90).* below 0.*change its sign"):
        method(record(-(90 * A + 200 * V + 20 * np.sign(V)), noise=2.0), "f", "q")


@pytest.mark.parametrize("method", METHODS)
def test_friction_that_depends_on_the_direction(method):
    force = 90 * A + np.where(V > 0, 170 * V + 18, 240 * V - 25)
    found = method(record(force), "f", "q", ["inertia", "viscous+", "viscous-", "coulomb+", "coulomb-"])
    assert list(found.values.values()) == pytest.approx([90, 170, 240, 18, 25], rel=5e-3)


@pytest.mark.parametrize("method", METHODS)
def test_friction_that_depends_on_speed_and_position(method):
    extra = 8 * np.exp(-((V / 0.05) ** 2)) + 30 * Q + 100 * Q**2
    force = 90 * A + 200 * V + (20 + extra) * np.sign(V) + 12 * np.cos(2 * np.pi * Q / 0.02) + 50 * V * np.abs(V)
    terms = ["inertia", "viscous", "coulomb", stribeck_term(0.05), *position_terms(2), *harmonic_terms("20 mm"), "drag"]
    found = method(record(force), "f", "q", terms)
    truth = [90, 200, 20, 8, 30, 100, 12, 0, 50]
    assert list(found.values.values()) == pytest.approx(truth, rel=0.03, abs=0.1)
    assert found.units["coulomb.q2"] == "N/m2" and found.units["drag"] == "N.s2/m2"


def test_a_term_of_ones_own():
    mine = Term("cubic", "{load}.s3/{disp}3", lambda motion: motion.v**3)
    found = inverse_model(record(90 * A + 400 * V**3), "f", "q", ["inertia", mine])
    assert found["cubic"] == pytest.approx(400, rel=1e-3) and found.units["cubic"] == "N.s3/m3"


def test_a_simulated_machine():
    """The force that the kernel was driven by gives back the machine, sticking included."""
    m = sb.Model("axis", t_end=10)
    mass = m.add("mass", sb.Mass(m=5.0))
    m.add("guide", sb.Guide(mass, law=sb.Switch(mu_c=4.0, mu_s=4.0, mu_v=12.0), load=1.0))
    m.add("motor", sb.Force(mass, f=sb.Sine(amplitude=12, f="0.7 Hz") + sb.Sine(amplitude=8, f="2.3 Hz")))
    run = sb.simulate(m, intervals=10_000, tolerance=1e-8)
    drive = Measurement({"q": run["mass.s"], "f": run["motor.f"]}, sample_time=1e-3, units={"q": "m", "f": "N"})
    moving = drive.masked(np.abs(np.asarray(run["mass.v"])) > 1e-3)
    for found in (inverse_model(moving, "f", "q"), power_balance(drive, "f", "q")):
        assert found["inertia"] == pytest.approx(5, rel=0.01)
        assert found["viscous"] == pytest.approx(12, rel=0.02)
        assert found["coulomb"] == pytest.approx(4, rel=0.02)
        assert found["offset"] == pytest.approx(0, abs=0.02)


def test_motion_in_one_direction_cannot_tell_coulomb_from_offset():
    t = np.arange(0, 5, 1e-3)
    q, v = t + 0.05 * np.sin(8 * t), 1 + 0.4 * np.cos(8 * t)
    drive = Measurement(
        {"q": q, "f": 3 * v + 2 - 3.2 * np.sin(8 * t)}, sample_time=1e-3, units={"q": "rad", "f": "N.m"}
    )
    found = inverse_model(drive, "f", "q")
    assert found.unidentifiable == ("coulomb", "offset")
    assert found["inertia"] == pytest.approx(1, rel=1e-3) and found["viscous"] == pytest.approx(3, rel=1e-3)
    assert found.units["inertia"] == "kg.m2" and found.units["viscous"] == "N.m.s/rad"


def test_what_is_masked_does_not_count():
    force = 90 * A + 200 * V + 20 * np.sign(V) - 3
    wrong = np.where((T > 5) & (T < 6), 1e3, force)
    keep = (T < 4.9) | (T > 6.1)
    for method in METHODS:
        found = method(record(wrong).masked(keep), "f", "q")
        assert list(found.values.values()) == pytest.approx([90, 200, 20, -3], rel=5e-3)


def test_low_speeds_can_be_left_out():
    found = inverse_model(record(90 * A + 20 * np.sign(V)), "f", "q", ["inertia", "coulomb"], min_speed=0.1)
    assert found["coulomb"] == pytest.approx(20, rel=1e-3) and found.residuals.size < 1700


@pytest.mark.parametrize("method", METHODS)
def test_what_cannot_be(method):
    drive = record(90 * A)
    with pytest.raises(UnknownName, match="did you mean 'inertia'"):
        method(drive, "f", "q", ["inerta"])
    with pytest.raises(SpecError, match="'inertia' is given twice"):
        method(drive, "f", "q", ["inertia", "inertia"])
    with pytest.raises(UnknownName, match="no channel"):
        method(drive, "f", "p")
    with pytest.raises(SpecError, match="half of the sampling rate"):
        method(drive, "f", "q", cutoff="1 kHz")
    with pytest.raises(SpecError, match="a constant sample time"):
        method(Measurement({"q": Q, "f": A}, time=T**1.1), "f", "q")


def test_what_windows_and_steps_cannot_be():
    with pytest.raises(SpecError, match=r"window = 0\.001 s must be at least"):
        power_balance(record(A), "f", "q", window="1 ms")
    with pytest.raises(SpecError, match=r"0\.201 s are too short for 4 windows of 0\.1 s; measure longer"):
        power_balance(record(A).between(0, 0.2), "f", "q")
    with pytest.raises(SpecError, match=r"sample_time = 0\.0001 s must be at least"):
        inverse_model(record(A), "f", "q", sample_time=1e-4)
    with pytest.raises(SpecError, match="samples give fewer than 16 rows; measure longer"):
        inverse_model(record(A).between(0, 0.02), "f", "q", cutoff="60 Hz")
    with pytest.raises(SpecError, match="v_s = 0"):
        stribeck_term(0)
    with pytest.raises(SpecError, match="degree = 0"):
        position_terms(0)
    with pytest.raises(SpecError, match="period = 0"):
        harmonic_terms(0)


TRUTH = {"inertia": 90, "viscous": 200, "coulomb": 20, "offset": -3}


def coarse(rng, step: float) -> Measurement:
    """An encoder with noise of half a count, force noise of 2 N, and a reference that the axis follows 5 ms late."""
    q = np.round((Q + 0.5 * step * rng.normal(size=T.size)) / step) * step
    force = 90 * A + 200 * V + 20 * np.sign(V) - 3 + 2 * rng.normal(size=T.size)
    reference = np.interp(T + 0.005, T, Q)
    return Measurement(
        {"q": q, "ref": reference, "f": force}, sample_time=1e-3, units={"q": "m", "ref": "m", "f": "N"}
    ).masked(T[-1] - 0.01 > T)


def test_an_instrument_sees_through_a_coarse_encoder():
    run = coarse(np.random.default_rng(12), 5e-4)
    assert inverse_model(run, "f", "q", cutoff="100 Hz")["inertia"] < 30  # the noise of the acceleration takes the rest
    found = inverse_model(run, "f", "q", cutoff="100 Hz", instrument="ref", min_speed=0.1)
    for name, value in TRUTH.items():
        assert abs(found[name] - value) < 4 * found.errors[name], name
    assert found.errors["inertia"] < 0.03 * 90


def test_a_narrow_band_sees_through_a_coarse_encoder():
    """Without an option, the cutoff goes down to where the noise of the position does not matter."""
    found = inverse_model(coarse(np.random.default_rng(12), 5e-4), "f", "q")
    for name, value in TRUTH.items():
        assert abs(found[name] - value) < 4 * found.errors[name], name
    assert found.errors["inertia"] < 0.01 * 90


def test_a_closed_loop_on_the_virtual_bench():
    """The controller hands the noise of its sensor on to the force; the reference has none of it."""
    m = sb.Model("slide")
    mass = m.add("mass", sb.Mass(m=2.0))
    m.add("guide", sb.Guide(mass, law=sb.Switch(f_c=3.0, f_s=3.0, f_v=5.0)))
    m.add("motor", sb.Force(mass, f=0.0))
    bench = VirtualBench(m, "motor.f", "mass.s", resolution="0.5 mm", noise="0.25 mm", sample_time="1 ms")
    t = T[:15_000]
    wanted = 0.15 * np.sin(2.1 * t) + 0.05 * np.sin(5.3 * t) + 0.02 * np.sin(13.7 * t)
    run = bench.follow(wanted, Tracking(inertia=2.0, bandwidth=40, friction=3.0, viscous=5.0))
    assert inverse_model(run, "u", "q", cutoff="100 Hz")["inertia"] < 1.5
    found = inverse_model(run, "u", "q", delay="0.5 ms", instrument="q_ref", min_speed="50 mm/s")
    assert found["inertia"] == pytest.approx(2.0, rel=0.02)
    assert found["coulomb"] == pytest.approx(3.0, rel=0.1)
    for name, value in {"inertia": 2.0, "viscous": 5.0, "coulomb": 3.0, "offset": 0.0}.items():
        assert abs(found[name] - value) < 4 * found.errors[name], name


def test_speeds_are_as_good_as_positions():
    force = 90 * A + 200 * V + 20 * np.sign(V) - 3 + 50 * (Q - Q[0])
    run = Measurement({"v": V, "f": force}, sample_time=1e-3, units={"v": "m/s", "f": "N"})
    for method in METHODS:
        found = method(run, "f", "v", ["inertia", "viscous", "coulomb", "offset", "stiffness"])
        assert list(found.values.values()) == pytest.approx([90, 200, 20, -3, 50], rel=5e-3)
        assert found.units["inertia"] == "kg" and found.units["stiffness"] == "N/m"


def test_a_slowly_sampled_record():
    """The filter keeps below the sampling rate by itself."""
    run = record(90 * A + 200 * V + 20 * np.sign(V) - 3).resampled("10 ms")
    found = inverse_model(run, "f", "q")
    assert found["inertia"] == pytest.approx(90, rel=0.02) and found["coulomb"] == pytest.approx(20, rel=0.05)


def test_constant_channels_are_refused():
    run = Measurement({"q": Q, "f": np.ones_like(Q)}, sample_time=1e-3)
    for method in METHODS:
        with pytest.raises(SpecError, match="'f'"):
            method(run, "f", "q")


def test_speeds_whose_sign_is_noise_are_left_out_where_the_resolution_is_known():
    m = sb.Model("axis")
    arm = m.add("arm", sb.Inertia(J=0.02))
    m.add("joint", sb.Bearing(arm, law=sb.Switch(tau_c=0.5, tau_s=0.6, tau_v=0.05)))
    m.add("motor", sb.Torque(arm, tau=0.0))
    bench = VirtualBench(m, "motor.tau", "arm.phi", encoder=1000, sample_time="1 ms", limit="10 N.m")
    t = T[:10_000]
    wanted = np.sin(2.1 * t) + 0.4 * np.sin(5.3 * t) + 0.15 * np.sin(13.7 * t)
    run = bench.follow(wanted, Tracking(inertia=0.02, bandwidth=60, friction=0.5, viscous=0.05))
    options = {"delay": "0.5 ms", "instrument": "q_ref"}
    assert inverse_model(run, "u", "q", cutoff="100 Hz", min_speed=0, **options)["coulomb"] > 0.6
    found = inverse_model(run, "u", "q", **options)
    assert found["coulomb"] == pytest.approx(0.5, abs=0.02) and found["viscous"] == pytest.approx(0.05, abs=0.006)


def test_noise_of_the_speed_of_a_rounded_position():
    q = 3 * np.sin(2.1 * T) + np.sin(7 * T)
    run = Measurement({"q": np.round(q / 1e-3) * 1e-3, "true": q}, sample_time=1e-3)
    noise = Motion.of(run, "q").v - Motion.of(run, "true").v
    assert np.std(noise[100:-100]) == pytest.approx(1e-3 / np.sqrt(12) * Band(100.0, 1e-3).motion_noise(1), rel=0.1)
