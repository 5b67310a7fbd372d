"""Every law gives back its parameters from noisy, quantised records, and its intervals hold what they promise."""

from functools import partial

import numpy as np
import pytest
from support.coverage import coverage
from support.known_truth import STEP, TRUTHS, KnownTruth, hits

import stribeck as sb
from stribeck import laws


def test_all_parameters_of_all_laws_are_here():
    known = {laws.get(name) for name in laws.all_laws()}
    assert {law.__name__: set(law.params) for law in known} == {law: set(TRUTHS[law]) for law in TRUTHS}


@pytest.mark.parametrize("law", TRUTHS)
def test_gives_back_what_is_identifiable(law):
    """One seeded record: intervals of 99.99 %, which a good method misses once in 10 000 parameters, around the true
    minimum: no other point may be lower by what is worth a third of a standard error."""
    known = KnownTruth(law)
    result = known.fit(seed=1)
    assert result.converged
    assert not result.unidentifiable
    ends = result.interval(0.9999)
    for path, value in known.truth.items():
        assert ends[path][0] <= value <= ends[path][1], path
        assert result.errors[path] < 0.1 * value, path
    others = [known.squares(point, seed=1) for point in (known.truth, known.straight(seed=1))]
    assert known.squares(result.values, seed=1) < min(others) + 0.1
    assert result.noise["load.s"] == pytest.approx(STEP * np.sqrt(0.25 + 1 / 12), rel=0.15)


def test_finds_its_way_past_a_stop_that_is_just_missed():
    """Where a body stops with a little more friction, and else goes on, its positions jump."""
    known = KnownTruth("FrictionTable", other={"mu": [1.1, 0.8, 1.1]})
    result = known.fit(seed=2)
    assert not result.unidentifiable
    assert known.squares(result.values, seed=2) < known.squares(known.truth, seed=2)


@pytest.mark.parametrize("law", [law for law, values in TRUTHS.items() if "mu_c" in values])
def test_says_what_is_not(law):
    """Friction and the load that multiplies it: only their product acts."""
    known = KnownTruth(law)
    words = [word for word in ("mu_c", "mu_s") if word in TRUTHS[law]]
    friction = [f"joint.law.{word}" for word in words]
    others = [path for path in known.truth if path not in (*friction, "load.m")]
    model = known.model.copy()
    result = sb.identify.fit(model, known.record(1), [*friction, *others, "joint.load", "load.m"], **known.options)
    assert {"joint.load", *friction} <= set(result.unidentifiable)
    assert all(np.isnan(result.values[path]) for path in result.unidentifiable)
    assert result.values["load.m"] == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize(
    "law, other, unseen",
    [
        pytest.param("Karnopp", {"dv": 1e-5}, {"dv"}, id="window passed within less than a step of the sensor"),
        pytest.param("StribeckThreshold", {"v_v": 2.0}, {"v_v", "mu_v"}, id="speed that is never reached"),
    ],
)
def test_says_which_threshold_does_not_show(law, other, unseen):
    result = KnownTruth(law, other=other).fit(seed=1)
    assert set(result.unidentifiable) == {f"joint.law.{name}" for name in unseen}


@pytest.mark.slow
def test_intervals_hold_what_they_promise():
    """The 95 % intervals of every parameter cover the truth in 95 % of the trials (binomial test)."""
    found = coverage(hits, TRUTHS)
    print(found)
    assert found.holds, found


@pytest.mark.parametrize("width, fault", [(1.96, ""), (1.5, "too few"), (3.0, "too many"), (0.0, "not identifiable")])
def test_a_campaign_finds_intervals_of_the_wrong_width(width, fault):
    found = coverage(partial(mean_of_noise, width), ["noise"], trials=400)
    assert [row.fault for row in found.rows] == [fault]
    assert found.holds == (not fault)


def mean_of_noise(width, case, seed):
    """A trial: the mean of ten normal numbers is 0."""
    mean = np.random.default_rng(seed).normal(size=10).mean()
    return {case: abs(mean) < width / np.sqrt(10) if width else None}
