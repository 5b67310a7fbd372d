"""Every law gives back its parameters from noisy, quantised records, and its intervals hold what they promise."""

import os

import numpy as np
import pytest
from support.known_truth import STEP, TRUTHS, KnownTruth

import stribeck as sb
from stribeck import laws

TRIALS = int(os.environ.get("STRIBECK_TRIALS", "400"))
LEVEL = 1e-3
"""Chance of each parameter of a good method to fail the exact binomial test."""


def test_all_laws_are_here():
    assert set(TRUTHS) == {laws.get(name).__name__ for name in laws.all_laws()}


@pytest.mark.parametrize("law", TRUTHS)
def test_gives_back_what_is_identifiable(law):
    """One seeded record: intervals of 99.99 %, which a good method misses once in 10 000 parameters."""
    known = KnownTruth(law)
    result = known.fit(seed=1)
    assert result.converged
    assert not result.unidentifiable
    ends = result.interval(0.9999)
    for path, value in known.truth.items():
        assert ends[path][0] <= value <= ends[path][1], path
        assert result.errors[path] < 0.1 * value, path
    assert result.noise["load.s"] == pytest.approx(STEP * np.sqrt(0.25 + 1 / 12), rel=0.15)


@pytest.mark.parametrize("law", [law for law, values in TRUTHS.items() if "mu_c" in values])
def test_says_what_is_not(law):
    """Friction and the load that multiplies it: only their product acts."""
    known = KnownTruth(law)
    words = [word for word in ("mu_c", "mu_s") if word in TRUTHS[law]]
    friction = [f"joint.law.{word}" for word in words]
    others = [path for path in known.truth if path not in (*friction, "load.m")]
    model = known.model.copy()
    result = sb.fit(model, known.record(1), [*friction, *others, "joint.load", "load.m"], **known.options)
    assert {"joint.load", *friction} <= set(result.unidentifiable)
    assert all(np.isnan(result.values[path]) for path in result.unidentifiable)
    assert result.values["load.m"] == pytest.approx(1.0, rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("law", TRUTHS)
def test_intervals_hold_what_they_promise(law, pooled):
    """95 % of the intervals of every parameter hold the truth, as far as a binomial test over all trials can tell."""
    from scipy.stats import binomtest

    known = KnownTruth(law)
    trials = [known.inside(seed) for seed in range(TRIALS)]
    for path in known.truth:
        hits = [trial[path] for trial in trials if trial[path] is not None]
        pooled.extend(hits)
        assert len(hits) >= 0.99 * TRIALS, f"{path} was called not identifiable {TRIALS - len(hits)} times"
        test = binomtest(sum(hits), len(hits), 0.95)
        assert test.pvalue >= LEVEL, f"{path}: {sum(hits)} of {len(hits)} intervals hold the truth"


@pytest.fixture(scope="module")
def pooled():
    """The intervals of all laws together: 94 to 96 % of them hold the truth."""
    hits: list[bool] = []
    yield hits
    if len(hits) >= 100 * TRIALS // 4:
        assert 0.94 <= np.mean(hits) <= 0.96, f"{np.mean(hits):.4f} of {len(hits)}"
