"""Sign and delay of a force against the motion, and drift between records."""

import re

import numpy as np
import pytest
from support.closed_loop import STEP, Servo

from stribeck.errors import SpecError
from stribeck.identify import Measurement, drive_delay, inspect, inverse_model, linear_fit, pooled

SERVO = Servo()
Q, U = SERVO.records(1, 6)


def servo(record=0, late=0, sign=1):
    """A record whose force was stored `late` samples after it acted."""
    n = len(Q) - abs(late)
    q, u = (Q[:n], U[-n:]) if late < 0 else (Q[-n:], U[:n])
    return Measurement(
        {"q": q[:, record], "u": sign * u[:, record]},
        sample_time=STEP,
        units={"q": "rad", "u": "N.m"},
        resolution={"q": SERVO.resolution},
        name=f"run{record}",
    )


@pytest.mark.parametrize("late", [0, -6, 3, 20])
def test_the_delay_is_found(late):
    """A held command acts half a sample late; the difference counts from there."""
    delay, error = drive_delay(servo(late=late), "u", "q")
    assert delay == pytest.approx((0.5 - late) * STEP, abs=4 * error)
    assert error < 0.3 * STEP


def test_a_delay_is_a_finding():
    assert inspect(servo(), force="u", position="q")["u"] == []
    (text,) = map(str, inspect(servo(late=-6), force="u", position="q"))
    assert re.match(r"'u' acts 6\.[45]\d? ms \+- 0\.\d+ ms \(6\.5 samples\) later on 'q' than it was recorded", text)
    assert "give delay='6." in text


def test_a_wrong_sign_is_a_finding():
    found = inspect(servo(sign=-1), force="u", position="q")
    assert found["u"] == ["sign"]
    assert "--scale u=-1" in str(found)


def test_a_single_sine_does_not_show_the_delay():
    """Its rate is that of viscous friction: the error of the delay is not small."""
    t = 1e-3 * np.arange(5000)
    u = -3 * np.sin(6 * t - 0.03) + 0.05 * np.random.default_rng(0).normal(size=t.size)
    run = Measurement({"q": np.sin(6 * t), "u": u}, sample_time="1 ms")
    delay, error = drive_delay(run, "u", "q", ["inertia", "viscous"])
    assert abs(delay) < 3 * error


def test_records_without_drift():
    found = pooled({run.name: inverse_model(run, "u", "q", delay="0.5 ms") for run in map(servo, range(6))})
    assert not found.drift
    for name, truth in {"inertia": 0.02, "viscous": 0.05, "coulomb": 0.5}.items():
        low, high = found.estimate.interval(0.999)[name]
        assert low < truth < high
    assert found.estimate.errors["inertia"] < min(part.errors["inertia"] for part in found.parts.values())


def test_drift_between_records():
    runs = [servo(i) for i in range(6)]
    runs = [
        run.with_channel("u", run["u"] + 0.01 * i * np.sign(np.gradient(run["q"])), "N.m") for i, run in enumerate(runs)
    ]
    found = pooled({run.name: inverse_model(run, "u", "q", delay="0.5 ms") for run in runs})
    assert list(found.drift) == ["coulomb"]
    assert "rises from record to record" in found.drift["coulomb"]
    assert "in run0 to" in found.drift["coulomb"]
    assert found.scatter["coulomb"] == pytest.approx(np.std(0.01 * np.arange(6), ddof=1), rel=0.2)
    low, high = found.estimate.interval(0.95)["coulomb"]
    assert low < 0.5 + 0.025 < high
    assert high - low > 4 * max(part.errors["coulomb"] for part in found.parts.values())


def test_random_effects_have_the_stated_coverage():
    """400 sets of 8 records with a scatter of three standard errors: 95 % within 3.3 points, as for other methods."""
    rng, inside = np.random.default_rng(0), 0
    t = np.linspace(0, 1, 40)
    for _ in range(400):
        parts = {
            str(i): linear_fit({"a": 1 + t}, (2 + 0.03 * rng.normal()) * (1 + t) + 0.1 * rng.normal(size=40))
            for i in range(8)
        }
        low, high = pooled(parts).estimate.interval(0.95)["a"]
        inside += low < 2 < high
    assert inside / 400 == pytest.approx(0.95, abs=0.033)


def test_one_record_and_none():
    found = pooled({"run0": inverse_model(servo(), "u", "q")})
    assert found.estimate is found.parts["run0"]
    with pytest.raises(SpecError, match="there are no estimates"):
        pooled({})
    with pytest.raises(SpecError, match="record 'b' has other parameters"):
        pooled({"a": linear_fit({"x": Q[:, 0]}, U[:, 0]), "b": linear_fit({"y": Q[:, 0]}, U[:, 0])})


def moves(stiffness=0.0):
    """A servo with slow moves that are at rest in between, and a spring."""
    t = 1e-3 * np.arange(6000)
    phase = t % 1.0
    v = 2 * np.sign(np.sin(np.pi * t)) * np.clip(np.minimum(phase, 1 - phase) / 0.2, 0, 1)
    q = np.cumsum(v) * 1e-3
    noise = 0.02 * np.random.default_rng(2).normal(size=t.size)
    u = 0.005 * np.gradient(v, t) + 0.05 * v + 0.1 * np.sign(v) + stiffness * q + noise
    step = 3e-4
    return Measurement(
        {"q": step * np.round(q / step), "u": u},
        sample_time="1 ms",
        units={"q": "rad", "u": "N.m"},
        resolution={"q": step},
    )


def test_a_spring_is_no_swapped_sign():
    assert "sign" not in inspect(moves(stiffness=5), force="u", position="q")["u"]
    assert inspect(moves().scaled({"u": -1}), force="u", position="q")["u"] == ["sign"]


def test_a_low_cutoff_that_leaves_no_rows_is_passed_over():
    """Of a fast motion hardly any sample is far from all reversals by a period of a low cutoff."""
    t = 1e-3 * np.arange(5000)
    q = 0.3 * np.sin(25 * t) + 0.2 * np.sin(17 * t)
    v, a = np.gradient(q, t), np.gradient(np.gradient(q, t), t)
    late = np.roll(0.02 * a + 0.05 * v + 0.5 * np.sign(v), 3) + 0.02 * np.random.default_rng(0).normal(size=t.size)
    run = Measurement({"q": q, "u": late}, sample_time="1 ms", units={"q": "rad", "u": "N.m"}, resolution={"q": 3e-4})
    delay, error = drive_delay(run, "u", "q")
    assert delay == pytest.approx(-3e-3, abs=4 * error)
    assert error < 1e-3
