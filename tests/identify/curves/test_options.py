"""Curves with bounds, robust losses, growing noise, several optima; into a model, and from phases with regressors."""

import numpy as np
import pytest

import stribeck as sb
from stribeck.errors import SpecError, UnknownName
from stribeck.identify import Measurement, fit_curve, steady_points

PACE = np.geomspace(0.01, 10, 30)
V = np.concatenate([PACE, -PACE])
UNITS = ("rad/s", "N.m")


def friction(v, mu_v=0.05):
    return np.sign(v) * (0.5 + 0.25 * np.exp(-((v / 0.3) ** 2))) + mu_v * v


def noisy(seed=0, size=0.01, mu_v=0.05):
    return friction(V, mu_v) + size * np.random.default_rng(seed).normal(size=V.size)


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_a_parameter_stays_within_its_bounds():
    free = fit_curve(V, noisy(mu_v=-0.02), units=UNITS)
    assert any(note.startswith("mu_v is below 0, -0.0") for note in free.notes)
    bound = fit_curve(V, noisy(mu_v=-0.02), units=UNITS, bounds={"mu_v": (0, None)})
    assert bound["mu_v"] == 0
    assert np.isnan(bound.estimate.errors["mu_v"])
    assert bound.estimate.names == free.estimate.names
    assert "mu_v is at its bound, 0; its error is not known" in bound.notes
    assert np.isfinite(bound.estimate.errors["mu_c"])


def test_bounds_that_do_not_matter_change_nothing():
    plain, bound = (fit_curve(V, noisy(), bounds=b) for b in (None, {"mu_c": (0, 1), "v_s": (0.1, 1), "mu_v": (0, 1)}))
    assert bound.estimate.values == pytest.approx(plain.estimate.values, rel=1e-4)
    assert bound.notes == plain.notes


def test_bounds_of_one_direction():
    f = noisy(mu_v=-0.02)
    found = fit_curve(V, f, asymmetric=True, bounds={"mu_v+": (0, None)})
    assert found["mu_v+"] == 0
    assert found["mu_v-"] < 0
    both = fit_curve(V, f, asymmetric=True, bounds={"mu_v": (0, None)})
    assert both["mu_v+"] == both["mu_v-"] == 0


@pytest.mark.parametrize(
    ("bounds", "kind", "message"),
    [
        ({"mu": (0, 1)}, UnknownName, "the curve has no parameter 'mu'"),
        ({"mu_c": (1, 0)}, SpecError, "bounds of mu_c: 1 must be below 0"),
        ({"mu_c": (1,)}, SpecError, "bounds of mu_c = (1,) must be a pair"),
    ],
)
def test_bounds_that_are_none(bounds, kind, message):
    with pytest.raises(kind) as caught:
        fit_curve(V, noisy(), bounds=bounds)
    assert message in str(caught.value)


def test_a_law_has_no_negative_viscous_friction():
    with pytest.raises(SpecError, match=r"mu_v = -0\.0.* is below 0.*bounds=\{'mu_v': \(0, None\)\}"):
        fit_curve(V, noisy(mu_v=-0.02)).law()
    slight = fit_curve(V, noisy(mu_v=-1e-4, seed=4))
    if slight["mu_v"] < 0:
        assert slight.law().given["mu_v"] == 0


# --- noise ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["huber", "soft_l1", "cauchy"])
def test_outliers_hardly_matter(loss):
    f = noisy()
    f[[3, 17, 40, 55]] += 0.4
    plain, robust = fit_curve(V, f), fit_curve(V, f, loss=loss)
    assert abs(robust["mu_c"] - 0.5) < 4 * robust.estimate.errors["mu_c"]
    assert robust.estimate.errors["mu_c"] < 0.3 * plain.estimate.errors["mu_c"]
    assert abs(robust["mu_c"] - 0.5) < 0.5 * abs(plain["mu_c"] - 0.5)


@pytest.mark.parametrize("options", [{"loss": "huber"}, {"noise": "growing"}])
@pytest.mark.parametrize("sets", [6, pytest.param(100, marks=pytest.mark.slow)])
def test_intervals_have_the_stated_coverage(options, sets):
    """Sets of 60 points: each of four parameters in 95 %, within three standard deviations of a binomial count."""
    inside = []
    for seed in range(sets):
        f = noisy(seed, 0.01 * (1 + 0.5 * np.abs(V)) if "noise" in options else 0.01)
        ends = fit_curve(V, f, **options)
        low, high = np.array(list(ends.estimate.interval(0.95).values())).T
        inside.append((low < [0.5, 0.75, 0.05, 0.3]) & (high > [0.5, 0.75, 0.05, 0.3]))
    assert np.mean(inside, axis=0) == pytest.approx(0.95, abs=3 * np.sqrt(0.95 * 0.05 / sets))


def test_growing_noise_is_found():
    f = noisy(1, 0.01 * (1 + 0.5 * np.abs(V)))
    grown = fit_curve(V, f, noise="growing")
    assert "the noise of the points grows with speed" in grown.notes[-1]
    assert grown.estimate.errors["mu_s"] < 0.7 * fit_curve(V, f).estimate.errors["mu_s"]
    assert fit_curve(V, noisy(1), noise="growing").notes == ("the noise of the points does not grow with speed",)


@pytest.mark.parametrize("options", [{"loss": "square"}, {"noise": "falling"}])
def test_unknown_words(options):
    with pytest.raises(SpecError, match="must be one of"):
        fit_curve(V, noisy(), **options)


# --- several optima ---------------------------------------------------------------------------------------------------


def test_another_optimum_is_reported():
    """Few points with a wiggle at two speeds: two Stribeck speeds explain them about as well."""
    pace = np.array([0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8])
    f = 1 + 0.25 * np.exp(-((pace / 0.07) ** 2)) + 0.21 * np.exp(-((pace / 4.0) ** 2))
    found = fit_curve(pace, f, units=UNITS, viscous=False)
    assert len(found.others) == 1
    speeds = sorted([found["v_s"], found.others[0]["v_s"]])
    assert speeds[0] < 0.5 < speeds[1]
    assert any(note.startswith("another curve fits about as well: v_s = ") for note in found.notes)
    bound = fit_curve(pace, f, units=UNITS, viscous=False, bounds={"v_s": (0.5, 10)})
    assert bound["v_s"] == pytest.approx(speeds[1], rel=0.05)
    assert not bound.others


def test_halves_of_a_set_do_not_disagree_silently():
    """Friction with two scales that no curve of this form has: where the Stribeck speeds of two halves differ by more
    than their errors, one of them has a note."""
    rng, jumps = np.random.default_rng(0), 0
    for _ in range(12):
        v = np.concatenate([np.geomspace(0.005, 3, 28), -np.geomspace(0.005, 3, 28)])
        pace = np.abs(v)
        f = 8 + 3 * np.exp(-pace / 0.05) + 5 * pace**0.5 + np.exp(-((pace / 0.6) ** 2))
        f = np.sign(v) * f * (1 + 0.03 * rng.normal(size=v.size))
        order = rng.permutation(v.size)
        halves = [fit_curve(v[at], f[at], units=UNITS) for at in (order[:28], order[28:])]
        speeds, errors = [h.found["v_s"] for h in halves], [h.estimate.errors["v_s"] for h in halves]
        apart = abs(speeds[0] - speeds[1]) > 2.5 * np.hypot(*errors) or not np.isfinite(errors).all()
        jumps += apart
        assert not apart or any(h.notes for h in halves)
    assert jumps > 0


def test_one_optimum_is_not_doubted():
    assert not any(fit_curve(V, noisy(seed)).others for seed in range(10))


# --- into a model -----------------------------------------------------------------------------------------------------


def steady(model, speed):
    """Torque that keeps a constant speed."""
    model.add("drive", sb.Speed("arm", w=speed))
    return float(sb.simulate(model, "2 s")["drive.tau"][-1])


@pytest.mark.parametrize("speed", [-3.0, -0.2, 0.2, 3.0])
def test_a_curve_with_an_offset_in_a_model(speed):
    found = fit_curve(V, friction(V) + 0.1, units=UNITS, offset=True)
    model = sb.Model("joint")
    model.add("arm", sb.Inertia(J=0.02, w0=speed))
    assert found.add_to(model, "arm") == 0
    assert steady(model, speed) == pytest.approx(float(friction(speed)) + 0.1, rel=1e-6)


@pytest.mark.parametrize("speed", [-3.0, -0.2, 0.2, 3.0])
def test_a_curve_by_direction_in_a_model(speed):
    found = fit_curve(V, np.where(V > 0, 1.0, 1.4) * friction(V), units=UNITS, asymmetric=True)
    model = sb.Model("joint")
    model.add("arm", sb.Inertia(J=0.02, w0=speed))
    assert found.add_to(model, "arm", "bearing") < 1e-6
    assert steady(model, speed) == pytest.approx((1.4 if speed < 0 else 1.0) * float(friction(speed)), rel=1e-6)


@pytest.mark.parametrize("speed", [-3.0, -0.2, 0.2, 3.0])
def test_another_load_backwards_and_an_offset_in_a_model(speed):
    found = fit_curve(V, np.where(V > 0, 1.0, 1.4) * friction(V) + 0.1, units=UNITS, asymmetric="load", offset=True)
    expected = {"mu_c": 0.5, "mu_s": 0.75, "mu_v": 0.05, "offset": 0.1, "v_s": 0.3, "load_backward": 1.4}
    assert found.estimate.values == pytest.approx(expected, rel=1e-6)
    assert found.estimate.units["load_backward"] == "1"
    model = sb.Model("joint")
    model.add("arm", sb.Inertia(J=0.02, w0=speed))
    assert found.add_to(model, "arm") == 0
    assert steady(model, speed) == pytest.approx((1.4 if speed < 0 else 1.0) * float(friction(speed)) + 0.1, rel=1e-6)


def test_a_load_and_an_offset_have_errors():
    f = np.where(V > 0, 1.0, 1.4) * friction(V) + 0.1 + 0.01 * np.random.default_rng(0).normal(size=V.size)
    found = fit_curve(V, f, units=UNITS, asymmetric="load", offset=True)
    for name, truth in {"load_backward": 1.4, "offset": 0.1, "mu_c": 0.5}.items():
        assert found[name] == pytest.approx(truth, abs=4 * found.estimate.errors[name]), name
    assert 0 < found.estimate.errors["load_backward"] < 0.05
    with pytest.raises(SpecError, match="needs points in both directions"):
        fit_curve(PACE, friction(PACE), asymmetric="load")
    with pytest.raises(SpecError, match="asymmetric = 'loads' must be True, False or 'load'"):
        fit_curve(V, f, asymmetric="loads")


def test_directions_of_another_shape_are_quantified():
    f = friction(V) + np.where(V < 0, -0.3, 0.0)
    model = sb.Model("axis")
    model.add("slide", sb.Mass(m=1))
    found = fit_curve(V, f, units=("m/s", "N"), asymmetric=True)
    assert 0.05 < found.add_to(model, "slide") < 0.4
    with pytest.raises(SpecError, match="has no unit of speed"):
        fit_curve(V, f).add_to(model, "slide")
    with pytest.raises(
        SpecError,
        match=r"the curve is in A, and friction over m/s is in N in a model.*--scale CHANNEL=k --unit CHANNEL=N",
    ):
        fit_curve(V, f, units=("m/s", "A")).add_to(model, "cart")


# --- phases with regressors -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def arm():
    """An arm under gravity, with ripple, at ten steady speeds; the load is constant in each phase."""
    h, speeds = 1e-3, np.repeat([0.3, -0.3, 0.6, -0.6, 1, -1, 2, -2, 4, -4], 2000)
    w = np.convolve(speeds, np.ones(50) / 50, "same")
    q = np.cumsum(w) * h
    tau = 0.5 * np.sign(w) + 0.05 * w + 1.2 * np.sin(q) + 0.3 * np.cos(q) + 0.08 * np.cos(6 * q)
    tau += 0.02 * np.random.default_rng(0).normal(size=w.size)
    channels = {"q": q, "tau": tau, "load": np.abs(speeds) ** 0.3}
    return Measurement(channels, sample_time=h, units={"q": "rad", "tau": "N.m", "load": "N"})


def test_gravity_and_ripple_are_subtracted(arm):
    points = steady_points(arm, "tau", position="q", regressors=["gravity", f"harmonics({np.pi / 3})"])
    for name, truth in {"gravity.sin": 1.2, "gravity.cos": 0.3, "cogging.cos1": 0.08, "cogging.sin1": 0}.items():
        assert points.regressors[name] == pytest.approx(truth, abs=4 * points.regressors.errors[name]), name
    curve = fit_curve(points, stribeck=False)
    assert curve["mu_c"] == pytest.approx(0.5, abs=4 * curve.estimate.errors["mu_c"])
    assert curve["mu_v"] == pytest.approx(0.05, abs=4 * curve.estimate.errors["mu_v"])
    plain = fit_curve(steady_points(arm, "tau", position="q"), stribeck=False)
    assert plain.estimate.errors["mu_c"] > 100 * curve.estimate.errors["mu_c"]


def test_a_temperature_that_is_constant_in_phases():
    """The same speeds, cold and warm: the temperature is found, and friction is that of the mean temperature."""
    h, speeds = 1e-3, np.tile(np.repeat([0.5, -0.5, 2, -2, 4, -4], 1500), 3)
    w = np.convolve(speeds, np.ones(50) / 50, "same")
    warm = np.repeat([295.0, 305.0, 318.0], speeds.size // 3)
    q = np.cumsum(w) * h
    viscous = 0.05 - 0.001 * (warm - warm.mean())
    tau = 0.5 * np.sign(w) + viscous * w + 0.8 * np.sin(q) + 0.01 * np.random.default_rng(1).normal(size=w.size)
    units = {"q": "rad", "tau": "N.m", "T": "K"}
    run = Measurement({"q": q, "tau": tau, "T": warm}, sample_time=h, units=units)
    points = steady_points(run, "tau", position="q", regressors=["gravity", "channel(T, viscous)"])
    found = points.regressors
    for name, truth in {"gravity.sin": 0.8, "gravity.cos": 0.0, "T.viscous": -0.001}.items():
        assert found[name] == pytest.approx(truth, abs=4 * found.errors[name]), name
    assert found.errors["T.viscous"] < 1e-4
    assert found.units["T.viscous"] == "N.m.s/rad/K"
    curve = fit_curve(points, stribeck=False)
    assert curve["mu_v"] == pytest.approx(0.05, rel=0.01)
    assert curve.estimate.unexplained < 0.01


def test_a_regressor_that_is_not_separable_from_friction(arm):
    with pytest.raises(SpecError, match="'load' changes neither within phases nor between phases at the same speed"):
        steady_points(arm, "tau", position="q", regressors=["channel(load)"])


def test_points_of_several_records(arm):
    points = steady_points(arm, "tau", position="q")
    both = points.joined(points)
    assert len(both) == 20
    assert both.friction_error.size == both.start.size == 20
    with pytest.raises(SpecError, match="cannot be joined"):
        points.joined(
            steady_points(Measurement({"q": arm["q"], "tau": arm["tau"]}, sample_time=1e-3), "tau", position="q")
        )


def test_a_load_that_changes_little_within_phases():
    """Beside the reversal of Coulomb friction its changes within phases are small, but they are no noise."""
    h, speeds = 1e-2, np.repeat([0.3, -0.3, 1, -1, 2, -2], 150)
    w = np.convolve(np.pad(speeds, (0, 9), "edge"), np.ones(10) / 10, "valid")
    load = 3 + np.sin(0.4 * h * np.arange(w.size))
    tau = (0.5 + 0.1 * load) * np.sign(w) + 0.05 * w + 0.01 * np.random.default_rng(1).normal(size=w.size)
    units = {"q": "rad", "tau": "N.m", "load": "N"}
    run = Measurement({"q": np.cumsum(w) * h, "tau": tau, "load": load}, sample_time=h, units=units)
    found = steady_points(run, "tau", position="q", settle="0.2 s", regressors=["channel(load, coulomb, 0)"]).regressors
    assert found["load.coulomb"] == pytest.approx(0.1, abs=4 * found.errors["load.coulomb"])
    assert found.errors["load.coulomb"] < 0.005


def test_magnitudes_are_refused_and_a_load_is_not():
    v = np.array([-4, -2, -1, -0.5, -0.2, 0.2, 0.5, 1, 2, 4])
    f = np.sign(v) * (0.5 + 0.1 * np.abs(v))
    with pytest.raises(SpecError, match="same sign and size in both directions: these are magnitudes"):
        fit_curve(v, np.abs(f), units=("rad/s", "N.m"))
    assert fit_curve(v, f + 2, stribeck=False, offset=True)["offset"] == pytest.approx(2)
