"""Output-error fits on records whose parameters are known."""

import math

import numpy as np
import pytest

import stribeck as sb

SAMPLE = 2e-3
COUNT = 1501


def push(seed=3):
    """A force that moves a body of 1 kg against 1 N of friction to and fro."""
    time = SAMPLE * np.arange(COUNT)
    return 2.2 * np.sin(2 * np.pi * 0.9 * time) + 0.9 * np.sin(2 * np.pi * 0.37 * time + seed)


def machine(m=1.0, law=None):
    model = sb.Model("rig")
    mass = model.add("load", sb.Mass(m=m))
    model.add("joint", sb.Guide(mass, law=law or sb.Stribeck(mu_c=0.8, mu_s=1.1, v_s=0.05, mu_v=0.3)))
    model.add("motor", sb.Force(mass, f=sb.External(0)))
    return model


def record(model, force, noise=1e-5, seed=0, name="run"):
    """What a position sensor with this noise (m) sees of the model, run by the solver itself, with held forces."""
    time = SAMPLE * np.arange(force.size)
    driven = model.varied({})
    driven.elements["motor"] = driven.elements["motor"].replace(
        f=sb.Table(time=time.tolist(), value=force.tolist(), between="hold")
    )
    s = np.asarray(sb.simulate(driven, times=time, tolerance=1e-9)["load.s"])
    noisy = s + noise * np.random.default_rng(seed).normal(size=s.size)
    return sb.Measurement({"f": force, "s": noisy}, sample_time=SAMPLE, units={"s": "m", "f": "N"}, name=name)


TIES = {"outputs": {"load.s": "s"}, "inputs": {"motor.f": "f"}}
START = {"joint.law.mu_c": 0.6, "joint.law.mu_s": 1.0, "joint.law.mu_v": 0.5, "load.m": 1.4}


@pytest.fixture(scope="module")
def fitted():
    return sb.fit(machine(), record(machine(), push()), list(START), start=START, **TIES)


def test_finds_the_truth_within_its_intervals(fitted):
    truth = {"joint.law.mu_c": 0.8, "joint.law.mu_s": 1.1, "joint.law.mu_v": 0.3, "load.m": 1.0}
    for name, value in truth.items():
        low, high = fitted.interval(0.999)[name]
        assert low < value < high, name
        assert fitted.errors[name] < 0.01 * value
    assert fitted.converged
    assert fitted.noise["load.s"] == pytest.approx(1e-5, rel=0.1)


def test_runs_the_fitted_model_on_another_record(fitted):
    other = record(machine(), push(seed=5), seed=1)
    assert fitted.simulate(other)["load.s"].rms == pytest.approx(1e-5, rel=0.2)


def test_says_what_the_data_cannot_tell():
    model = machine()
    result = sb.fit(
        model,
        record(model, push()),
        ["joint.law.mu_c", "joint.law.mu_s", "joint.load", "joint.law.mu_v", "load.m"],
        **TIES,
    )
    assert set(result.unidentifiable) == {"joint.law.mu_c", "joint.law.mu_s", "joint.load", "joint.law.mu_v"}
    assert math.isnan(result.values["joint.load"])
    assert result.values["load.m"] == pytest.approx(1.0, rel=1e-3)
    assert "not identifiable" in str(result)
