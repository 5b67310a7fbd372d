"""Regressors besides the motion: gravity, temperature, load, ripple, another joint; collinear ones are named."""

import numpy as np
import pytest

from stribeck.errors import SpecError, UnknownName
from stribeck.identify import Measurement, channel_term, coupled_term, inverse_model, power_balance
from stribeck.identify.regression.terms import resolved

T = 1e-3 * np.arange(12000)
Q = 1.5 * np.sin(1.3 * T) + 0.5 * np.sin(4.1 * T + 1)
V = np.gradient(Q, T)
A = np.gradient(V, T)
Q2 = 0.8 * np.sin(2.3 * T) + 0.2 * np.sin(5.9 * T)
A2 = np.gradient(np.gradient(Q2, T), T)
WARM = 290 + 1.5 * T
LOAD = 5 + 3 * np.sin(0.7 * T)
TRUTH = {
    "inertia": 0.3,
    "viscous": 0.4,
    "coulomb": 1.0,
    "offset": 0.2,
    "gravity.sin": 2.0,
    "gravity.cos": 0.5,
    "cogging.cos1": 0.1,
    "cogging.sin1": -0.05,
    "warm.viscous": -0.02,
    "load.coulomb": 0.06,
    "acceleration(q2)": 0.08,
}
PERIOD = 0.7
ALL = ["inertia", "viscous", "coulomb", "offset", "gravity", f"harmonics({PERIOD}, 1)", "channel(warm, viscous)",
       "channel(load, coulomb, 0)", "acceleration(q2)"]  # fmt: skip


@pytest.fixture(scope="module")
def arm():
    wave = 2 * np.pi * Q / PERIOD
    tau = 0.3 * A + (0.4 - 0.02 * (WARM - WARM.mean())) * V + (1.0 + 0.06 * LOAD) * np.sign(V) + 0.2
    tau += 2 * np.sin(Q) + 0.5 * np.cos(Q) + 0.1 * np.cos(wave) - 0.05 * np.sin(wave) + 0.08 * A2
    tau += 0.05 * np.random.default_rng(2).normal(size=T.size)
    units = {"q": "rad", "tau": "N.m", "warm": "K", "load": "N", "q2": "rad"}
    return Measurement({"q": Q, "tau": tau, "warm": WARM, "load": LOAD, "q2": Q2}, sample_time="1 ms", units=units)


def test_all_of_them(arm):
    found = inverse_model(arm, "tau", "q", ALL)
    assert found.names == list(TRUTH)
    for name, truth in TRUTH.items():
        assert found[name] == pytest.approx(truth, abs=max(4 * found.errors[name], 2e-3)), name


def test_units(arm):
    units = inverse_model(arm, "tau", "q", ALL).units
    assert units["gravity.sin"] == "N.m"
    assert units["warm.viscous"] == "N.m.s/rad/K"
    assert units["load.coulomb"] == "N.m/N"
    assert units["acceleration(q2)"] == "kg.m2"
    assert inverse_model(arm, "tau", "q", ["coulomb", channel_term("warm")]).units["warm"] == "N.m/K"


def test_the_power_balance_knows_them_too(arm):
    found = power_balance(arm, "tau", "q", ALL)
    assert found["gravity.sin"] == pytest.approx(2.0, rel=0.05)
    assert found["load.coulomb"] == pytest.approx(0.06, rel=0.1)


def test_without_gravity_friction_is_wrong(arm):
    """Why they are there: without them Coulomb friction takes what is missing."""
    plain = inverse_model(arm, "tau", "q")
    assert abs(plain["coulomb"] - 1.3) > 0.05  # 1.3: with the mean load
    assert plain.unexplained > 0.4


def test_friction_by_direction(arm):
    moved = arm.with_channel("tau", arm["tau"] + np.where(V > 0, 0.3, 0.0) + np.where(V < 0, 0.1 * V, 0.0), "N.m")
    terms = [
        "coulomb+",
        "coulomb-",
        "viscous+",
        "viscous-",
        *(t for t in ALL if t not in ("coulomb", "viscous", "offset")),
    ]
    found = inverse_model(moved, "tau", "q", terms)
    assert found["coulomb+"] == pytest.approx(1.0 + 0.3 + 0.2, abs=0.03)
    assert found["coulomb-"] == pytest.approx(1.0 - 0.2, abs=0.03)
    assert found["viscous-"] - found["viscous+"] == pytest.approx(0.1, abs=0.02)


def test_collinear_terms_are_named(arm):
    short = arm.with_channel("near", np.sin(arm["q"]) + 0.01 * np.random.default_rng(0).normal(size=len(arm)), "")
    found = inverse_model(
        short, "tau", "q", ["inertia", "viscous", "coulomb", "gravity", "channel(near)"], cutoff="30 Hz"
    )
    ((index, group),) = found.collinear
    assert {"gravity.sin", "near"} <= set(group)
    assert index > 15
    assert f"nearly collinear: {', '.join(group)}" in str(found)
    assert not inverse_model(arm, "tau", "q", ALL).collinear


def test_equal_terms_are_not_identifiable(arm):
    found = inverse_model(arm, "tau", "q", ["inertia", "coulomb", "offset", channel_term("load"), coupled_term("q2"),
                                            coupled_term("q2", name="again")])  # fmt: skip
    assert set(found.unidentifiable) == {"acceleration(q2)", "again"}
    assert "acceleration(q2), again separately" in str(found)


@pytest.mark.parametrize(
    ("term", "kind", "message"),
    [
        ("gravty", UnknownName, "there is no term 'gravty'"),
        ("harmonics(a, b)", SpecError, "term 'harmonics(a, b)': write harmonics(PERIOD, 1, 2)"),
        ("channel()", UnknownName, "has no channel ''"),
        ("channel(warm, viscos)", UnknownName, "channel 'warm': there is no term 'viscos'; did you mean 'viscous'?"),
        ("channel(temp)", UnknownName, "has no channel 'temp'"),
        ("harmonics(-1)", SpecError, "period = -1 must be above 0"),
        ("gravity(", UnknownName, "there is no term 'gravity('"),
    ],
)
def test_what_cannot_be_meant(arm, term, kind, message):
    with pytest.raises(kind) as caught:
        inverse_model(arm, "tau", "q", ["inertia", term])
    assert message in str(caught.value)


def test_terms_twice():
    with pytest.raises(SpecError, match=r"'gravity\.sin' is given twice"):
        resolved(["gravity", "gravity"])
