"""Intervals by likelihood ratio, where the cost is no quadratic function, and bootstraps."""

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pytest
from support.rigs import TIES, machine, push, record

import stribeck as sb
from stribeck.identify import FitResult
from stribeck.identify.fits.free import Free
from stribeck.identify.fits.levenberg import minimise
from stribeck.identify.fits.losses import LOSSES
from stribeck.identify.fits.problem import Block, Problem
from stribeck.identify.fits.profile import asymmetric, profile
from stribeck.identify.fits.uncertainty import uncertainty

TIME = np.linspace(0, 1, 40)
LINEAR = LOSSES["linear"]


@dataclass(frozen=True, eq=False)
class Saturation(Problem):
    """y = a t / (b + t) with noise: b is hardly known if the record ends before saturation."""

    measured: np.ndarray = field(default_factory=lambda: np.zeros(TIME.size))

    @property
    def blocks(self):
        return [Block(0, "y", slice(0, TIME.size), np.ones(TIME.size, bool))]

    def residuals(self, points):
        values = [[p.value(float(c)) for p, c in zip(self.free, x, strict=True)] for x in points]
        return [(a * TIME / (b + TIME) - self.measured) / self.sigma["y"] for a, b in values]


TRUTH = {"a": 1.0, "b": 0.7}


def fitted(noise, seed):
    """A fit of both parameters."""
    a, b = TRUTH.values()
    random = np.random.default_rng(seed)
    measured = a * TIME / (b + TIME) + noise * random.normal(size=TIME.size)
    free = [Free(name, "", "", value, 0.0, np.inf, True) for name, value in TRUTH.items()]
    problem = Saturation((), free, {"y": noise}, measured=measured)
    minimum = minimise(problem, np.zeros(2), LINEAR)
    slope = problem.central_slope(minimum.x, minimum.residual)
    known = uncertainty(slope, minimum.residual, problem.blocks, LINEAR)
    return FitResult(problem, replace(minimum, slope=slope), known, LINEAR, minimum.iterations, minimum.runs)


def test_a_quadratic_cost_has_the_same_interval_by_both():
    """Noise of 0.01 %: the interval is so short that curvature does not show; roots are found to 2 %."""
    result = fitted(1e-4, 0)
    found = profile(result, "b")
    assert np.subtract(found.interval, found.value) == pytest.approx(
        np.subtract(found.quadratic, found.value), rel=0.04
    )
    assert not asymmetric(result)


def test_intervals_by_likelihood_ratio_hold_what_they_promise():
    """Noise of 6 %, so that the standard error of b is about 25 %: of 200 intervals of 95 % as many hold the truth as a
    binomial distribution allows (1e-3), and the upper side is longer, also on the log scale."""
    found = [(result.best["b"], profile(result, "b").interval) for result in map(partial(fitted, 0.06), range(200))]
    assert 178 <= sum(low <= TRUTH["b"] <= high for _, (low, high) in found) <= 198
    assert all(high / best > best / low for best, (low, high) in found)


@pytest.mark.parametrize("noise, least, most", [(0.02, 0, 0), (0.1, 8, 20)])
def test_sees_where_a_quadratic_is_wrong(noise, least, most):
    """With errors of 8 % in none, and with errors of 40 % in about half of 20 records."""
    results = [fitted(noise, seed) for seed in range(20)]
    assert least <= sum("b" in asymmetric(result) or "b" in result.unidentifiable for result in results) <= most


@pytest.fixture(scope="module")
def result():
    model = machine()
    run = record(model, push(), noise=1e-4)
    return sb.identify.fit(model, run, ["joint.law.mu_c", "joint.law.mu_v", "load.m"], **TIES)


def test_profile_of_a_simulated_model(result, tmp_path):
    """A record that determines its parameters to 0.1 %: the cost is quadratic."""
    found = result.profile("load.m", level=0.9)
    width = np.subtract(*result.interval(0.9)["load.m"][::-1])
    assert found.interval == pytest.approx(result.interval(0.9)["load.m"], abs=0.03 * width)
    assert "by likelihood ratio" in str(found)
    assert found.plot(tmp_path / "profile.png") is not None and (tmp_path / "profile.png").exists()
    assert not result.asymmetric and not any("quadratic" in text for text in result.warnings)


def test_bootstrap_agrees_with_the_covariance(result):
    """Standard deviations of 200 sets, which are known to 5 %, of three parameters."""
    found = result.bootstrap(n=200)
    assert not found.lost and found.samples.shape == (200, 3)
    for name in result.names:
        assert found.errors[name] == pytest.approx(result.errors[name], rel=0.2)
        assert found.samples[:, result.names.index(name)].mean() == pytest.approx(
            result.best[name], abs=0.3 * result.errors[name]
        )
    assert "bootstrap of 200 sets" in str(found)


def test_bootstrap_of_autocorrelated_residuals_draws_blocks():
    """Noise with a correlation of 0.8 from sample to sample: white draws would give errors a third as large."""
    model = machine()
    run = record(model, push(), noise=1e-9)
    random, slow = np.random.default_rng(3), np.zeros(len(run))
    for i, e in enumerate(6e-5 * random.normal(size=len(run))):
        slow[i] = 0.8 * slow[i - 1] + e
    result = sb.identify.fit(
        model, run.with_channel("s", np.asarray(run["s"]) + slow, "m"), ["joint.law.mu_c", "load.m"], **TIES
    )
    found = result.bootstrap(n=200)
    assert "in blocks of" in str(found)
    for name in result.names:
        assert found.errors[name] == pytest.approx(result.errors[name], rel=0.3)


def test_bootstrap_over_records():
    """Five records with different friction: draws of records show its scatter, with the smaller variance, 4/5, of draws
    from five; the standard deviation of 100 sets is known to 7 %."""
    frictions = np.array([0.798, 0.799, 0.8, 0.801, 0.802])
    runs = [
        record(machine(sb.Stribeck(mu_c=mu, mu_s=1.1, v_s=0.05, mu_v=0.3)), push(), noise=2e-5, seed=i, name=f"run{i}")
        for i, mu in enumerate(frictions)
    ]
    result = sb.identify.fit(machine(), runs, ["joint.law.mu_c"], **TIES)
    found = result.bootstrap(n=100)
    assert "5 records drawn" in str(found)
    assert found.errors["joint.law.mu_c"] == pytest.approx(frictions.std() / 5**0.5, rel=0.25)


def test_what_is_refused(result):
    with pytest.raises(sb.UnknownName, match="no free parameter"):
        result.profile("load.n")
    with pytest.raises(sb.SpecError, match="level"):
        result.profile("load.m", level=95)
    with pytest.raises(sb.SpecError, match="at least 2"):
        result.bootstrap(n=1)
