"""The simulated test bench against the adaptive solver, and what its sensor and drive do to the signals."""

import numpy as np
import pytest

import stribeck as sb
from stribeck.identify import Tracking, VirtualBench

STEP = 1e-3


def slide(**law) -> sb.Model:
    m = sb.Model("slide")
    mass = m.add("mass", sb.Mass(m=2.0))
    m.add("guide", sb.Guide(mass, law=sb.Switch(**{"f_c": 3.0, "f_s": 4.0, "f_v": 0.5, **law})))
    m.add("motor", sb.Force(mass, f=sb.Sine(amplitude=1, f=1)))
    return m


def pushed() -> np.ndarray:
    return np.round(8 * np.sin(2 * np.pi * 1.3 * STEP * np.arange(2000)), 2)


def test_open_loop_is_what_the_adaptive_solver_finds():
    bench = VirtualBench(slide(), "motor.f", "mass.s", sample_time=STEP, also=["mass.v"], substeps=4)
    force = pushed()
    record = bench.record(force)
    m = slide()
    sb.set_parameter(m, "motor.f", sb.Table((STEP * np.arange(2000)).tolist(), force.tolist(), between="hold"))
    true = sb.simulate(m, times=STEP * np.arange(2000), tolerance=1e-10)
    # fixed steps of 0.25 ms: first order at the changes between stick and slip
    for name, channel in (("mass.s", "q"), ("mass.v", "mass.v")):
        assert np.abs(record[channel] - true[name]).max() < 2e-3 * np.ptp(np.asarray(true[name]))
    assert np.array_equal(record["u"], force)
    assert record.units["q"] == "m" and record.sample_time == pytest.approx(STEP)


def test_the_sensor_counts_and_the_drive_is_limited():
    true = VirtualBench(slide(), "motor.f", "mass.s", sample_time=STEP).record(np.clip(pushed(), -6, 6))
    bench = VirtualBench(slide(), "motor.f", "mass.s", resolution="1 mm", sample_time=STEP, limit="6 N")
    coarse = bench.record(pushed())
    assert np.array_equal(coarse["u"], true["u"])
    assert np.allclose(coarse["q"] / 1e-3, np.round(np.asarray(coarse["q"]) / 1e-3), atol=1e-9)
    assert np.abs(coarse["q"] - true["q"]).max() <= 0.5e-3 * (1 + 1e-9)
    assert coarse.resolution["q"] == 1e-3


def test_noise_has_the_size_that_is_asked_for_and_a_seed():
    def record(seed: int) -> np.ndarray:
        bench = VirtualBench(slide(), "motor.f", "mass.s", sample_time=STEP, noise="1 mm", seed=seed)
        return np.asarray(bench.record(np.zeros(4000))["q"])

    assert record(1).std() == pytest.approx(1e-3, rel=0.05)  # 4000 samples: 1.1 % of standard error
    assert np.array_equal(record(1), record(1)) and not np.array_equal(record(1), record(2))


def test_a_test_goes_on_where_the_last_one_ended_until_reset():
    bench = VirtualBench(slide(), "motor.f", "mass.s", sample_time=STEP)
    whole = bench.record(pushed())
    bench.reset()
    parts = [bench.record(part) for part in np.split(pushed(), 2)]
    assert np.array_equal(np.concatenate([part["q"] for part in parts]), whole["q"])


def test_a_reference_is_followed_with_a_coarse_sensor():
    bench = VirtualBench(slide(), "motor.f", "mass.s", resolution=1e-3, sample_time=STEP, also=["mass.s"])
    wanted = 0.1 * (1 - np.cos(2 * np.pi * STEP * np.arange(3000)))
    record = bench.follow(wanted, Tracking(inertia=2.0, bandwidth=40, friction=3.0, viscous=0.5))
    assert np.abs(record["mass.s"] - wanted).max() < 3e-3  # three steps of the sensor
    assert np.array_equal(record["q_ref"], wanted)


def test_it_goes_where_it_is_sent():
    bench = VirtualBench(slide(), "motor.f", "mass.s", resolution=1e-4, sample_time=STEP)
    assert bench.go("200 mm", Tracking(inertia=2.0, bandwidth=40)) == pytest.approx(0.2, abs=5e-3)


def test_a_named_input_of_the_model_is_a_drive_too():
    m = sb.Model("named")
    u = m.signal("u", sb.External(0.0))
    m.add("mass", sb.Mass(m=1.0))
    m.add("motor", sb.Force("mass", f=2 * u))
    record = VirtualBench(m, "u", "mass.s", sample_time=STEP).record(np.ones(1001))
    assert record["q"][-1] == pytest.approx(1.0, rel=1e-6)  # s = f t^2 / (2 m)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"position": "mass.phi"}, "no output 'mass.phi'"),
        ({"drive": "motr.f"}, "motr"),
        ({"noise": -1.0}, "noise = -1"),
        ({"resolution": 1e-3, "encoder": 56}, "give resolution"),
    ],
)
def test_what_cannot_be_is_refused(changes, text):
    settings = {"drive": "motor.f", "position": "mass.s", "sample_time": STEP, **changes}
    with pytest.raises(sb.StribeckError, match=text):
        VirtualBench(slide(), **settings)
