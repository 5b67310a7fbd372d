"""Linear least squares: values, errors, intervals, and what the data cannot say."""

import numpy as np
import pytest
from scipy.signal import lfilter

from stribeck.errors import SpecError, UnknownName
from stribeck.identify import linear_fit
from stribeck.identify.regression.coloured import long_run

X = np.linspace(-1, 1, 201)
LINE = {"slope": X, "offset": np.ones_like(X)}


def test_an_exact_line():
    found = linear_fit(LINE, 2 * X + 0.5)
    assert found["slope"] == pytest.approx(2, abs=1e-12) and found["offset"] == pytest.approx(0.5, abs=1e-12)
    assert found.noise < 1e-12 and found.unidentifiable == () and found.hidden == ()


def test_values_and_errors_are_those_of_scipy():
    from scipy.stats import linregress, t

    y = 2 * X + 0.5 + np.random.default_rng(1).normal(0, 0.3, X.size)
    found, other = linear_fit(LINE, y), linregress(X, y)
    assert found["slope"] == pytest.approx(other.slope, rel=1e-12)
    assert found.errors["slope"] == pytest.approx(other.stderr, rel=1e-12)
    assert found.errors["offset"] == pytest.approx(other.intercept_stderr, rel=1e-12)
    reach = t.ppf(0.975, X.size - 2) * other.stderr
    assert found.interval()["slope"] == pytest.approx((other.slope - reach, other.slope + reach), rel=1e-12)


def test_weights_are_those_of_curve_fit():
    from scipy.optimize import curve_fit

    rng = np.random.default_rng(2)
    spread = np.where(X < 0, 0.1, 1.0)
    y = 2 * X + 0.5 + spread * rng.normal(size=X.size)
    found = linear_fit(LINE, y, errors=spread)
    values, covariance = curve_fit(lambda x, a, b: a * x + b, X, y, sigma=spread)
    assert list(found.values.values()) == pytest.approx(values, rel=1e-6)
    assert found.covariance == pytest.approx(covariance, rel=1e-5)
    assert found.residuals == pytest.approx(y - found["slope"] * X - found["offset"], abs=1e-12)


def test_samples_left_out_change_nothing():
    y = 2 * X + np.random.default_rng(3).normal(0, 0.3, X.size)
    keep = np.arange(X.size) % 3 > 0
    spoiled = np.where(keep, y, np.nan)
    some = linear_fit({k: v[keep] for k, v in LINE.items()}, y[keep])
    all_of_them = linear_fit(LINE, spoiled, valid=keep)
    assert all_of_them.covariance == pytest.approx(some.covariance, rel=1e-12)
    assert all_of_them["slope"] == pytest.approx(some["slope"], rel=1e-12) and all_of_them.residuals.size == keep.sum()


def coverage(coloured: bool, memory: float, trials: int = 400) -> float:
    """How often the 95 % interval of a slope holds the truth, with first-order noise of that correlation."""
    rng = np.random.default_rng(4)
    x = np.sin(np.linspace(0, 40, 2000))
    hits = 0
    for _ in range(trials):
        noise = lfilter([1.0], [1.0, -memory], rng.normal(size=x.size + 200))
        low, high = linear_fit({"a": x, "b": np.ones_like(x)}, 3 * x + noise[200:], coloured=coloured).interval()["a"]
        hits += low < 3 < high
    return hits / trials


def test_intervals_hold_the_truth_with_white_noise():
    assert 0.92 < coverage(False, 0.0) < 0.98  # 400 trials: 0.95 +- 0.011


def test_coloured_residuals_widen_the_intervals():
    assert coverage(False, 0.9, 100) < 0.6  # too sure of itself
    assert 0.90 < coverage(True, 0.9) <= 0.98


def powers(noise: bool, trials: int = 400) -> tuple[float, float]:
    """Of a force times a speed whose noise grows with that speed: stated by true variance of the viscous friction, and
    how often the 95 % interval holds it."""
    rng = np.random.default_rng(8)
    t = np.linspace(0, 10, 80)
    v = np.cos(5.3 * t) * (0.3 + 2 * np.exp(-((t - 5) ** 2)))  # few samples are fast
    terms, scale = {"viscous": v * v, "coulomb": np.abs(v), "offset": v}, np.abs(v)
    errors, stated, hits = [], [], 0
    for _ in range(trials):
        power = 30 * terms["viscous"] + rng.normal(size=v.size) * scale
        found = linear_fit(terms, power, coloured=True, noise=scale if noise else None)
        low, high = found.interval()["viscous"]
        errors.append(found["viscous"])
        stated.append(found.errors["viscous"])
        hits += low < 30 < high
    return float(np.mean(np.square(stated)) / np.var(errors)), hits / trials


def test_noise_may_be_largest_in_samples_that_decide():
    share, held = powers(noise=True)
    assert 0.8 < share < 1.25 and 0.92 < held < 0.98
    assert powers(noise=False)[0] < 0.5  # takes the little that a fit leaves there for little noise


def test_long_run_variance_of_first_order_noise():
    rng = np.random.default_rng(5)
    noise = rng.normal(size=200_000)
    for i in range(1, noise.size):
        noise[i] += 0.8 * noise[i - 1]
    covariance, freedom = long_run(noise[:, None])
    assert covariance[0, 0] == pytest.approx(1 / (1 - 0.8) ** 2, rel=5 * np.sqrt(2 / freedom))  # spectrum at zero


def test_collinear_terms_are_nan():
    rng = np.random.default_rng(6)
    v = 1 + 0.5 * np.sin(20 * X)  # never changes its sign
    terms = {"Fv": v, "Fc": np.sign(v), "offset": np.ones_like(v)}
    found = linear_fit(terms, 3 * v + 2 + rng.normal(0, 0.1, v.size))
    assert found.unidentifiable == ("Fc", "offset") and np.isnan(found["Fc"]) and np.isnan(found.errors["offset"])
    assert found["Fv"] == pytest.approx(3, abs=5 * found.errors["Fv"]) and found.errors["Fv"] < 0.1
    (direction,) = found.hidden
    assert direction["Fc"] == pytest.approx(-direction["offset"]) and "Fv" not in direction
    assert "Fc, offset separately" in str(found) and "not identifiable" in str(found) and "nan" not in str(found)


def test_a_term_without_excitation_is_no_number():
    found = linear_fit({"M": np.zeros_like(X), "Fv": X}, 3 * X)
    assert found.unidentifiable == ("M",) and found["Fv"] == pytest.approx(3)
    assert "M, whose term has no effect" in str(found)


def test_a_term_below_the_noise_is_no_number():
    rng = np.random.default_rng(7)
    almost = X + 1e-4 * rng.normal(size=X.size)
    found = linear_fit({"a": X, "b": almost}, X + rng.normal(0, 0.5, X.size))
    assert found.unidentifiable == ("a", "b") and found.condition > 1e3 and len(found.hidden) == 1


def test_instruments_undo_what_noise_in_a_term_does():
    rng = np.random.default_rng(9)
    x = np.sin(np.linspace(0, 60, 4000))
    terms = {"a": x + rng.normal(0, 0.5, x.size), "b": np.ones_like(x)}
    y = 3 * x + 1 + rng.normal(0, 0.2, x.size)
    attenuated = 3 * np.mean(x**2) / (np.mean(x**2) + 0.25)
    assert linear_fit(terms, y)["a"] == pytest.approx(attenuated, rel=0.02)
    other = {"a": 0.9 * x + rng.normal(0, 0.1, x.size), "b": np.ones_like(x)}
    found = linear_fit(terms, y, instruments=other)
    assert found["a"] == pytest.approx(3, abs=4 * found.errors["a"]) and found.errors["a"] < 0.1
    z, m = np.column_stack(list(other.values())), np.column_stack(list(terms.values()))
    assert list(found.values.values()) == pytest.approx(np.linalg.solve(z.T @ m, z.T @ y), rel=1e-9)


def test_ratio_and_correlation():
    rng = np.random.default_rng(8)
    draws = np.array([list(_line(rng).values.values()) for _ in range(800)])
    found = _line(rng)
    value, error = found.ratio("slope", "offset")
    assert value == pytest.approx(2, abs=5 * error)
    assert np.std(draws[:, 0] / draws[:, 1]) == pytest.approx(error, rel=0.2)
    assert np.corrcoef(draws.T)[0, 1] == pytest.approx(found.correlation[0, 1], abs=0.1)


def _line(rng):
    x = np.linspace(0, 1, 100)
    return linear_fit({"slope": x, "offset": np.ones_like(x)}, 2 * x + 1 + rng.normal(0, 0.1, x.size))


def test_print():
    text = str(linear_fit(LINE, 2 * X + 0.1 * np.cos(30 * X), units={"slope": "N.s/m"}, method="inverse model"))
    assert text.startswith("inverse model: 201 samples") and "N.s/m" in text and "standard error" in text


@pytest.mark.parametrize(
    ("terms", "target", "options", "message"),
    [
        ({}, X, {}, "no terms"),
        ({"a": X[:5]}, X, {}, "'a' has the shape (5,)"),
        ({"a": np.where(X > 0, np.nan, X)}, X, {}, "'a' is not finite"),
        (LINE, X, {"valid": np.arange(X.size) < 2}, "2 samples cannot give 2 parameters"),
        (LINE, X, {"errors": 0 * X}, "above 0"),
    ],
)
def test_what_cannot_be(terms, target, options, message):
    with pytest.raises(SpecError, match=None) as error:
        linear_fit(terms, target, **options)
    assert message in str(error.value)


def test_unknown_names():
    with pytest.raises(UnknownName, match="did you mean 'slope'"):
        linear_fit(LINE, X)["slop"]
    with pytest.raises(SpecError, match="level = 95"):
        linear_fit(LINE, X).interval(95)
