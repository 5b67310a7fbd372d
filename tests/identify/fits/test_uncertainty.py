"""Losses, coloured noise and covariances against what is known in closed form."""

import numpy as np
import pytest
from scipy.signal import lfilter

from stribeck.identify.fits.losses import LOSSES
from stribeck.identify.fits.problem import Block, Slope
from stribeck.identify.fits.uncertainty import noise_covariance, uncertainty

LINEAR = LOSSES["linear"]


@pytest.mark.parametrize("name", LOSSES)
def test_weights_and_bends_are_derivatives_of_the_cost(name):
    loss = LOSSES[name]
    for r in (0.3, 1.0, 2.9, 7.0):
        slope = (loss.cost(np.array([r + 1e-5])) - loss.cost(np.array([r - 1e-5]))) / 2e-5
        assert loss.weight(np.array([r]))[0] * r == pytest.approx(slope, rel=1e-7)
        ends = np.array([r - 1e-5, r + 1e-5])
        assert loss.bend(np.array([r]))[0] == pytest.approx(
            np.diff(loss.weight(ends) * ends)[0] / 2e-5, rel=1e-5, abs=1e-8
        )


@pytest.mark.parametrize("name", ["soft_l1", "huber", "cauchy"])
def test_widths_cost_five_percent_of_efficiency(name):
    """E[bend]^2 / E[(weight r)^2] of normal residuals, by quadrature."""
    loss = LOSSES[name]
    r = np.linspace(-12, 12, 200_001)
    density = np.exp(-(r**2) / 2) / np.sqrt(2 * np.pi)
    bend, score = (np.trapezoid(f * density, r) for f in (loss.bend(r), (loss.weight(r) * r) ** 2))
    assert bend**2 / score == pytest.approx(0.95, abs=0.01)


def test_white_noise_is_seen_as_white():
    found = noise_covariance(2.0 * np.random.default_rng(1).normal(size=4000), 4000)
    assert found.size == 1
    assert found[0] == pytest.approx(4.0, rel=0.1)


def test_coloured_noise_has_the_covariance_of_its_model():
    """x_t = 0.8 x_(t-1) + e_t: gamma_k = 0.8^k / (1 - 0.64)."""
    noise = lfilter([1.0], [1.0, -0.8], np.random.default_rng(2).normal(size=40_000))
    found = noise_covariance(noise, noise.size)
    exact = 0.8 ** np.arange(15) / (1 - 0.64)
    assert found[:15] == pytest.approx(exact, abs=0.06 * exact[0])


def linear(size, seed=0):
    rng = np.random.default_rng(seed)
    time = np.arange(size) / size
    return np.stack([np.ones(size), np.sin(7 * time), time], axis=1), rng


def certain(jacobian, trusted=None, grain=None):
    size = jacobian.shape[1]
    return Slope(
        jacobian, np.ones(size, bool) if trusted is None else trusted, np.zeros(size) if grain is None else grain
    )


def whole(size):
    return [Block(0, "y", slice(0, size), np.ones(size, bool))]


def test_white_residuals_give_the_covariance_of_least_squares():
    jacobian, rng = linear(3000)
    residual = rng.normal(size=3000)
    residual -= jacobian @ np.linalg.lstsq(jacobian, residual, rcond=None)[0]
    found = uncertainty(certain(jacobian), residual, whole(3000), LINEAR)
    plain = np.linalg.inv(jacobian.T @ jacobian) * (residual @ residual) / 2997
    assert found.covariance == pytest.approx(plain, rel=1e-9)
    assert found.freedom == 2997


@pytest.mark.parametrize("colour", [0.0, 0.5, 0.9])
def test_errors_are_those_of_repeated_experiments(colour):
    """The spread of 400 estimates; its standard error is 1/sqrt(800), so 15 % are four of them."""
    jacobian, rng = linear(1000)
    inverse = np.linalg.inv(jacobian.T @ jacobian)
    estimates, errors = [], []
    for _ in range(400):
        noise = lfilter([1.0], [1.0, -colour], rng.normal(size=1500))[500:]
        step = inverse @ (jacobian.T @ noise)
        estimates.append(step)
        known = uncertainty(certain(jacobian), noise - jacobian @ step, whole(1000), LINEAR)
        errors.append(known.errors)
    assert np.std(estimates, axis=0) == pytest.approx(np.mean(errors, axis=0), rel=0.15)


def test_directions_without_information_are_blind():
    jacobian, rng = linear(500)
    doubled = np.column_stack([jacobian, jacobian[:, 2] * -2.0])
    found = uncertainty(certain(doubled), rng.normal(size=500), whole(500), LINEAR)
    assert found.blind.shape == (4, 1)
    assert np.abs(doubled @ found.blind).max() < 1e-9
    assert np.isinf(found.errors).tolist() == [False, False, True, True]


def test_columns_that_are_noise_are_blind():
    jacobian, rng = linear(500)
    found = uncertainty(certain(jacobian, np.array([True, False, True])), rng.normal(size=500), whole(500), LINEAR)
    assert np.isinf(found.errors).tolist() == [False, True, False]


def test_a_grain_is_added_to_the_error():
    jacobian, rng = linear(500)
    noise = rng.normal(size=500)
    plain = uncertainty(certain(jacobian), noise, whole(500), LINEAR).errors
    coarse = uncertainty(certain(jacobian, grain=np.array([0.0, 3.0, 0.0])), noise, whole(500), LINEAR).errors
    assert coarse == pytest.approx([plain[0], np.hypot(plain[1], 3 / np.sqrt(3)), plain[2]])


def drifting(random, drift, records=8, samples=200):
    """The fit of a slope, 1 on average, that differs from record to record: its error, and the uncertainty of it."""
    x = np.tile(np.linspace(-1, 1, samples), records)
    slopes = np.repeat(1 + drift * random.standard_normal(records), samples)
    y = slopes * x + 0.1 * random.standard_normal(x.size)
    found = x @ y / (x @ x)
    blocks = [Block(k, "y", slice(k * samples, (k + 1) * samples), np.ones(samples, bool)) for k in range(records)]
    slope = Slope(x[:, None], np.ones(1, bool), np.zeros(1))
    return found - 1, uncertainty(slope, found * x - y, blocks, LINEAR)


def test_intervals_include_the_scatter_between_records():
    """A drift of 5 % where one record knows the slope to 1.2 %: errors of the residuals alone are four times too small.
    The root mean square of 60 errors over standard errors of 7 degrees of freedom is 1.2, known to 15 %."""
    random = np.random.default_rng(0)
    trials = [drifting(random, 0.05) for _ in range(60)]
    ratios = [error / known.errors[0] for error, known in trials]
    assert np.sqrt(np.mean(np.square(ratios))) == pytest.approx(1.2, rel=0.3)
    assert all(known.freedom == 7 for _, known in trials if known.between[0] > 1)
    assert np.mean([known.between[0] > 1 for _, known in trials]) > 0.9


def test_records_that_agree_keep_their_intervals():
    """The test at 99 % takes one in a hundred sets for a drift."""
    random = np.random.default_rng(1)
    assert sum(drifting(random, 0.0)[1].between[0] > 1 for _ in range(60)) <= 4
