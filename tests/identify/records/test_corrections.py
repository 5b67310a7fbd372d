"""Records are corrected before they are used: outliers, signs, counters; jumps are found."""

import numpy as np
import pytest

from stribeck.errors import SpecError, UnknownName
from stribeck.identify import Measurement, inspect
from stribeck.identify.records.checks import even_times
from stribeck.identify.records.outliers import jumps, outliers

T = 1e-3 * np.arange(4000)
Q = np.sin(2 * np.pi * T) + 0.3 * np.sin(11 * T)


def record(q=Q, **options):
    return Measurement({"q": q, "tau": np.cos(T)}, sample_time="1 ms", units={"q": "rad", "tau": "N.m"}, **options)


@pytest.mark.parametrize("noise", [0.0, 1e-3])
@pytest.mark.parametrize("steps", [0.0, 2e-3])
def test_outliers_are_found_and_nothing_else(noise, steps):
    q = Q + noise * np.random.default_rng(0).normal(size=T.size)
    q = steps * np.round(q / steps) if steps else q
    assert not outliers(q, steps).any()
    q[[700, 2000, 2001]] += 0.2
    assert np.flatnonzero(outliers(q, steps)).tolist() == [700, 2000, 2001]


def test_a_step_is_no_outlier():
    assert not outliers(np.sign(np.sin(3 * T)) + 0.01 * np.random.default_rng(0).normal(size=T.size)).any()


def test_outliers_are_masked_and_replaced():
    run = record(np.where(np.arange(4000) == 700, 9.0, Q)).without_outliers()
    assert np.flatnonzero(~run.valid).tolist() == [700]
    assert run["q"][700] == pytest.approx(Q[700], abs=1e-4)
    assert record(np.where(np.arange(4000) == 700, 9.0, Q)).without_outliers("tau").valid.all()


def test_signs_and_factors():
    assert record().scaled({"tau": -2})["tau"] == pytest.approx(-2 * np.cos(T))
    counts = Measurement({"q": np.arange(20)}, sample_time=0.1, resolution={"q": 1})
    assert counts.scaled({"q": -0.01}).resolution == {"q": 0.01}
    with pytest.raises(UnknownName, match="no channel 'f'"):
        record().scaled({"f": 2})


def test_a_counter_is_made_continuous():
    run = record((5 * T) % 1.0)
    assert run.unwrapped("q", 1)["q"] == pytest.approx(5 * T, abs=1e-12)
    assert run.unwrapped("q", "180 deg")["q"].max() < 5
    with pytest.raises(SpecError, match="period = -1 of 'q' must be above 0"):
        run.unwrapped("q", -1)


def test_a_lost_index_is_found():
    """A jump of a few usual changes: 0.084 rad where samples change by up to 0.0155 rad."""
    q = 0.0155 / np.abs(np.diff(Q)).max() * Q + np.where(T > 2.5, 0.084, 0.0)
    (at,) = jumps(q)
    assert at == 2501
    finding = next(iter(inspect(record(q))))
    assert (finding.channel, finding.kind) == ("q", "jumping")
    assert "at t = 2.501 s" in str(finding)
    assert "cut the record there with between(...) (--from, --to)" in str(finding)


def test_stick_slip_is_no_jump():
    """A body that starts at once moves on; it does not jump."""
    slip = np.where(np.sin(9 * T) > 0, 1.0, 0.0)
    assert jumps(np.cumsum(slip) * 1e-3).size == 0


@pytest.mark.parametrize("resolution", [1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("ratio", [1.3, 2.7, 15.3])
def test_rounded_times_are_even(resolution, ratio):
    step = ratio * resolution
    grid, found = even_times(resolution * np.round((3.1 + step * np.arange(500)) / resolution))
    assert found == pytest.approx(step, abs=resolution / 400)  # of 500 samples, each within half of the resolution
    assert grid == pytest.approx(3.1 + step * np.arange(500), abs=resolution)


def test_a_lost_sample_is_not_rounding():
    times = np.delete(0.0151 * np.arange(501), 250)
    assert even_times(np.round(times, 3))[1] is None
    assert even_times(np.round(np.cumsum(np.random.default_rng(1).uniform(0.01, 0.02, 500)), 4))[1] is None


def friction_torque(speed, step):
    return 0.02 * np.gradient(speed, step) + 0.05 * speed + 0.5 * np.tanh(speed / 0.01)


def test_friction_that_reverses_for_two_samples_is_no_outlier():
    """Samples of 10 ms: the speed crosses zero and comes back, or is braked within two of them."""
    step = 1e-3
    speeds = np.convolve(np.repeat([1.2, -0.2, 3.8], 1250), np.ones(100) / 100, "valid")
    assert not outliers(friction_torque(speeds, step)[::10]).any()
    time, rng = 1e-2 * np.arange(2000), np.random.default_rng(8)
    rates, phases, sizes = rng.uniform(0.2, 4, 6), rng.uniform(0, 6.28, 6), rng.uniform(1, 3, 6)
    speed = sum(a * np.cos(2 * np.pi * f * time + p) for a, f, p in zip(sizes, rates, phases, strict=True))
    torque = friction_torque(speed, 1e-2)
    assert not outliers(torque).any()
    torque[700] += 20
    assert np.flatnonzero(outliers(torque)).tolist() == [700]


def test_times_since_1970_are_even_only_if_they_are():
    """The digits of their numbers are worth 0.24 us, not milliseconds."""
    t = np.round(1.7e9 + 2e-3 * np.arange(400), 6)
    assert even_times(t)[1] == pytest.approx(2e-3)
    assert even_times(np.delete(t, 100))[1] is None
    assert even_times(t + 6e-4 * np.sin(np.arange(400) ** 2))[1] is None
    assert even_times(1.7e9 + 5e-5 * np.arange(400))[1] == pytest.approx(5e-5, rel=1e-6)
