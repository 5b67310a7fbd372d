"""Curves of steady friction: true parameters are recovered, intervals cover them, identifiability is reported."""

import numpy as np
import pytest
from scipy.optimize import curve_fit
from scipy.stats import binomtest

import stribeck as sb
from stribeck.errors import SpecError
from stribeck.identify import Measurement, fit_curve, steady_points

PACE = np.geomspace(1e-3, 1, 15)
V = np.concatenate([-PACE[::-1], PACE])
TRUE = {"mu_c": 1.0, "mu_s": 1.5, "mu_v": 0.4, "v_s": 0.02, "exponent": 2.0, "offset": 0.0}


def friction(v, mu_c=1.0, mu_s=1.5, mu_v=0.4, v_s=0.02, exponent=2.0, offset=0.0):
    return np.sign(v) * (mu_c + (mu_s - mu_c) * np.exp(-(np.abs(v / v_s) ** exponent))) + mu_v * v + offset


def noisy(values, size=0.01, seed=3):
    return values + size * np.random.default_rng(seed).normal(size=values.size)


@pytest.mark.parametrize(
    ("truth", "options"),
    [
        ({}, {}),
        ({"offset": -0.3}, {"offset": True}),
        ({"exponent": 0.7}, {"exponent": None}),
        ({"exponent": 1.0, "offset": 0.2}, {"exponent": 1.0, "offset": True}),
        ({"mu_v": 0.0}, {"viscous": False}),
        ({"mu_s": 0.6}, {}),  # friction that rises, as of wet clutches
        ({"mu_s": 1.0}, {"stribeck": False}),
    ],
)
def test_a_curve_without_noise_comes_back(truth, options):
    found = fit_curve(V, friction(V, **truth), **options)
    expected = {name: value for name, value in {**TRUE, **truth}.items() if name in found.estimate.names}
    assert found.estimate.values == pytest.approx(expected, rel=1e-6)
    assert not found.notes
    assert found(np.array([-0.03, 0.5])) == pytest.approx(friction(np.array([-0.03, 0.5]), **truth), rel=1e-9)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_units_do_not_matter(scale):
    found = fit_curve(scale * V, friction(V) / scale)
    assert found["v_s"] == pytest.approx(0.02 * scale, rel=1e-6)
    assert found["mu_v"] == pytest.approx(0.4 / scale**2, rel=1e-6)


def test_what_is_found_is_in_si():
    rpm, mNm = V * 30 / np.pi, 1e3 * friction(V)
    found = fit_curve(rpm, mNm, units=("rpm", "mN.m"), errors=np.full(V.size, 2.0))
    assert found["v_s"] == pytest.approx(0.02)
    assert found["mu_v"] == pytest.approx(0.4)
    assert found.estimate.units == {"mu_c": "N.m", "mu_s": "N.m", "mu_v": "N.m.s/rad", "v_s": "rad/s"}
    assert found.points.friction_error == pytest.approx(np.full(V.size, 2e-3))


def test_values_and_errors_are_those_of_another_program():
    """SciPy's curve_fit from the true values as start: the same minimum and the same standard errors."""
    f, spread = noisy(friction(V, offset=0.1)), 0.01 * (1 + np.abs(V))
    found = fit_curve(V, f, offset=True, errors=spread)

    def model(v, *p):
        return friction(v, p[0], p[1], p[2], p[3], 2.0, p[4])

    best, covariance = curve_fit(model, V, f, [1, 1.5, 0.4, 0.02, 0.1], sigma=spread)
    names = ["mu_c", "mu_s", "mu_v", "v_s", "offset"]
    assert [found[name] for name in names] == pytest.approx(best, rel=1e-6)
    assert [found.estimate.errors[name] for name in names] == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-3)


def test_each_side_of_its_own():
    f = np.where(V > 0, friction(V, mu_c=1.3, mu_s=1.9, v_s=0.05), friction(V, mu_v=0.2))
    found = fit_curve(V, f, asymmetric=True, units=("rad/s", "N.m"))
    assert found["mu_c+"] == pytest.approx(1.3)
    assert found["v_s+"] == pytest.approx(0.05)
    assert found["mu_v-"] == pytest.approx(0.2)
    assert found(V) == pytest.approx(f)
    assert found.estimate.units["mu_v-"] == "N.m.s/rad"
    assert found.law(-1).mu_v == pytest.approx(0.2)
    assert found.law(+1).mu_s == pytest.approx(1.9)


W = np.linspace(20, 500, 25)


def test_viscous_friction_that_jumps_up_at_a_threshold():
    """(48) of nouailletas2010: 0.1094 N.m, and 7.17e-4 N.m.s/rad from 240 rad/s on, with a point at 240 rad/s."""
    found = fit_curve(W, noisy(0.1094 + np.where(W > 245, 7.1746e-4 * W, 0), 2e-3), stribeck=False, threshold="jump")
    low, high = found.estimate.interval()["mu_v"]
    assert low < 7.1746e-4 < high
    assert abs(found["v_v"] - 245) < 10  # between the points at 240 and 260
    assert found.estimate.errors["v_v"] == pytest.approx(20 / np.sqrt(12), rel=1e-6)
    law = found.law()
    assert isinstance(law, sb.StribeckThreshold)
    assert law.mu_c == pytest.approx(0.1094, rel=0.02)
    kink = fit_curve(W, noisy(0.1094 + np.where(W > 245, 7.1746e-4 * W, 0), 2e-3), stribeck=False, threshold="kink")
    assert kink.aicc > found.aicc + 50


def test_viscous_friction_that_begins_with_a_kink():
    f = noisy(0.11 + 7e-4 * np.maximum(W - 247, 0), 1e-3)
    found = fit_curve(W, f, stribeck=False, threshold="kink", units=("rad/s", "N.m"))
    for name, value in {"mu_c": 0.11, "mu_v": 7e-4, "v_v": 247}.items():
        assert abs(found[name] - value) < 3 * found.estimate.errors[name]
    assert found.estimate.errors["v_v"] < 2
    with pytest.raises(SpecError, match="no law has viscous friction that begins with a kink"):
        found.law()


def test_laws_slide_on_the_curve():
    """A contact pulled steadily in a simulation has the friction of the curve."""
    found = fit_curve(V, noisy(friction(V)), units=("rad/s", "N.m"))
    for speed in (0.005, 0.03, 0.4):
        model = sb.Model("pulled", t_end=0.1, intervals=4)
        pull = model.add("pull", sb.Speed(w=speed))
        model.add("joint", sb.Bearing(pull, law=found.law()))
        assert sb.simulate(model)["joint.tau"][-1] == pytest.approx(float(found(speed)), rel=1e-9)


# --- identifiability -------------------------------------------------------------------------------------------------


def test_no_slow_points():
    v = np.concatenate([-np.linspace(0.1, 1, 9), np.linspace(0.1, 1, 9)])
    found = fit_curve(v, noisy(friction(v)), units=("m/s", "N"))
    assert set(found.estimate.unidentifiable) == {"mu_s", "v_s"}
    assert np.isnan(found["mu_s"])
    assert found["mu_c"] == pytest.approx(1, abs=0.02)
    assert "the slowest point is at 0.1 m/s, measure at lower speeds" in str(found)
    assert isinstance(found.law(), sb.CoulombViscous)


def test_no_fast_points():
    v = np.concatenate([-PACE[:5], PACE[:5]])
    found = fit_curve(v, noisy(friction(v)), units=("m/s", "N"))
    assert set(found.estimate.unidentifiable) == {"mu_c", "v_s", "mu_v"}
    assert found["mu_s"] == pytest.approx(1.5, abs=0.05)
    assert "measure at higher speeds" in str(found)
    with pytest.raises(SpecError, match="mu_c, mu_v, v_s: not identifiable from these points, so there is no law"):
        found.law()


def test_friction_without_a_stribeck_effect():
    found = fit_curve(V, noisy(friction(V, mu_s=1.0)))
    assert set(found.estimate.unidentifiable) == {"mu_s", "v_s"}
    assert found["mu_v"] == pytest.approx(0.4, abs=0.02)


def test_a_threshold_that_is_not_there():
    v = np.linspace(-1, 1, 400)
    found = fit_curve(v, noisy(np.sign(v) + 0.4 * v, 0.1), stribeck=False, threshold="kink")
    assert found.estimate.unidentifiable == ("v_v",)
    assert "viscous friction acts at the slowest points already" in str(found)


def test_an_offset_from_one_direction():
    found = fit_curve(PACE, noisy(friction(PACE)), offset=True)
    assert set(found.estimate.unidentifiable) == {"mu_c", "mu_s", "offset"}
    assert found["mu_v"] == pytest.approx(0.4, abs=0.05)
    assert "a change by 1 mu_c + 1 mu_s - 1 offset has no effect" in str(found)


def test_the_criterion_prefers_the_true_form():
    f = noisy(friction(V, offset=0.2))
    forms = {
        "coulomb": {"stribeck": False, "viscous": False},
        "viscous": {"stribeck": False},
        "stribeck": {},
        "offset": {"offset": True},
        "asymmetric": {"asymmetric": True},
    }
    score = {name: fit_curve(V, f, **options).aicc for name, options in forms.items()}
    assert min(score, key=score.get) == "offset"


def test_outliers_are_named_and_left_out():
    f = noisy(friction(V))
    f[3] *= 1.3
    f[20] *= 0.75
    found = fit_curve(V, f, units=("rad/s", "N.m"))
    assert f"2 of the points, at {V[3]:.4g}, {V[20]:.4g} rad/s, are outliers" in str(found)
    good = found.without_outliers()
    assert set(V) - set(good.points.speed) == {V[3], V[20]}
    for name, (low, high) in good.estimate.interval(0.999).items():
        assert low < TRUE[name] < high, name
        assert good.estimate.errors[name] < 0.3 * found.estimate.errors[name]
    assert not good.notes
    assert good.without_outliers() is good


def test_points_within_their_standard_errors_are_no_outliers():
    """The others scatter less than their errors; one that deviates by 1.5 of its standard errors is not an outlier."""
    f = noisy(friction(V), 0.001)
    f[3] += 0.015
    assert fit_curve(V, f).notes
    assert not fit_curve(V, f, errors=0.01).notes
    assert fit_curve(V, f, errors=0.001).notes


def test_what_is_odd_about_the_points_is_said():
    for f, word, option in (
        (friction(V, offset=0.2), "offset=True (--set offset=true)", {"offset": True}),
        (friction(V) * np.where(V > 0, 1.2, 1), "asymmetric='load' (--set asymmetric=load)", {"asymmetric": "load"}),
        (friction(V) + 0.3 * np.minimum(V, 0), "asymmetric=True (--set asymmetric=true)", {"asymmetric": True}),
    ):
        note = fit_curve(V, noisy(f)).notes[0]
        assert note == f"the two directions differ: {word} fits far better"
        assert not fit_curve(V, noisy(f), **option).notes
    clipped = fit_curve(V, np.clip(noisy(friction(V)), -1.3, 1.3))
    assert "exactly the largest, 1.3: a drive or a sensor at its limit" in str(clipped)


# each is one of many that a normal deviate gives; 60 trials of 95 %: 51 or fewer in 1 of 300
def test_intervals_hold_the_truth():
    trials, names = 60, ["mu_c", "mu_s", "mu_v", "v_s"]
    hits = dict.fromkeys(names, 0)
    for seed in range(trials):
        ends = fit_curve(V, noisy(friction(V), 0.02, seed)).estimate.interval()
        for name in names:
            hits[name] += ends[name][0] <= TRUE[name] <= ends[name][1]
    assert min(hits.values()) >= 51
    assert sum(hits.values()) >= 0.9 * trials * len(names)


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say():
    """400 sets of points; each parameter by an exact binomial test at 1e-3, all together within 94 to 96 %."""
    trials, truth = 400, {**TRUE, "exponent": 1.3, "offset": 0.1}
    hits = dict.fromkeys(truth, 0)
    for seed in range(trials):
        found = fit_curve(V, noisy(friction(V, **truth), 0.02, seed), exponent=None, offset=True)
        for name, (low, high) in found.estimate.interval().items():
            hits[name] += low <= truth[name] <= high
    for name, count in hits.items():
        assert binomtest(count, trials, 0.95).pvalue > 1e-3, (name, count)
    assert 0.94 < sum(hits.values()) / (trials * len(hits)) < 0.96


BAD = {
    "no friction": ((V,), {}, "give friction as well as speed"),
    "lengths": ((V, V[:3]), {}, "there are 30 speeds and 3 values of friction"),
    "rest": (([0, 1, 2], [0, 1, 2]), {}, "speed[0] = 0: friction at rest is not a point of the curve"),
    "nan": (([1, np.nan, 2], [0, 1, 2]), {}, "speed[1] is not finite"),
    "text": ((["a"], [1]), {}, "speed must be an array of numbers"),
    "signs": ((V, -friction(V)), {}, "friction and speed have opposite signs"),
    "few": ((V[:3], friction(V[:3])), {}, "a curve with 4 parameters needs at least 5 points at 4 speeds"),
    "two speeds": (
        (np.repeat([-2.0, -1, 1, 2], 3) * (1 + 1e-4 * np.arange(12)), np.repeat([-2.0, -1, 1, 2], 3)),
        {},
        "needs at least 5 points at 4 speeds; there are 12 points at 2 speeds in all",
    ),
    "one speed": ((np.ones(9), np.ones(9)), {"stribeck": False}, "there are 9 points at 1 speeds in all"),
    "one side": ((PACE, friction(PACE)), {"asymmetric": True}, "there are 0 points at 0 speeds backwards"),
    "both": ((V, friction(V)), {"asymmetric": True, "offset": True}, "an offset is not identifiable"),
    "threshold": ((V, friction(V)), {"threshold": "step"}, "threshold = 'step' must be one of None, 'jump', 'kink'"),
    "no viscous": ((V, friction(V)), {"threshold": "jump", "viscous": False}, "it needs viscous=True"),
    "exponent": ((V, friction(V)), {"exponent": -1}, "exponent = -1 must be above 0"),
    "unit": ((V, friction(V)), {"units": ("rmp", "N.m")}, "unit 'rmp' of speed: the unit 'rmp' is not known"),
    "no speed": ((V, friction(V)), {"units": ("deg", "N.m")}, "'deg' is not a unit of speed"),
    "zero": ((V, 0 * V), {}, "friction is constant at 0, whatever the speed"),
    "constant": ((V, 0 * V + 2), {}, "friction is constant at 2, whatever the speed"),
    "errors": ((V, friction(V)), {"errors": 0}, "errors[0] must be above 0"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_points_get_a_clear_message(case):
    given, options, message = BAD[case]
    with pytest.raises(SpecError) as caught:
        fit_curve(*given, **options)
    assert message in str(caught.value)


# --- from a record ----------------------------------------------------------------------------------------------------

LEVELS = np.array([0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.3, 0.6, 1.0])


def staircase(resolution=None, noise=0.0, inertia=0.02, step=1e-3):
    """Speeds one after the other, each for 1 s and backwards too, with ramps of 0.1 s between them."""
    speeds = np.column_stack([LEVELS, -LEVELS]).ravel()
    corners = np.concatenate([[k * 1.1 + 0.1, (k + 1) * 1.1] for k in range(speeds.size)])
    t = np.arange(0, corners[-1], step)
    v = np.interp(t, np.concatenate([[0], corners]), np.concatenate([[0], np.repeat(speeds, 2)]))
    q = np.concatenate([[0], np.cumsum(0.5 * (v[1:] + v[:-1]) * step)])
    tau = noisy(friction(v) + inertia * np.gradient(v, step), noise)
    units = {"q": "rad", "w": "rad/s", "tau": "N.m"}
    if resolution:
        q = resolution * np.round(q / resolution)
    return Measurement(
        {"q": q, "w": v, "tau": tau}, t, units=units, resolution={"q": resolution} if resolution else {}, name="stairs"
    )


@pytest.mark.parametrize("options", [{"position": "q"}, {"speed": "w"}])
def test_steady_phases_become_points(options):
    points = steady_points(staircase(noise=0.02), "tau", **options)
    assert points.units == ("rad/s", "N.m")
    assert np.sort(np.round(points.speed, 4)) == pytest.approx(np.sort(np.concatenate([LEVELS, -LEVELS])), abs=1e-3)
    assert points.friction == pytest.approx(friction(points.speed), abs=0.02)
    assert np.median(points.friction_error) == pytest.approx(0.02 / np.sqrt(1000), rel=0.3)
    assert points.start[1] == pytest.approx(1.2, abs=0.06)


def test_a_curve_from_a_coarse_encoder():
    """10 000 counts per turn: phases with a few counts cannot be used, the others give the curve."""
    grain = 2 * np.pi / 10000
    points = steady_points(
        staircase(resolution=grain, noise=0.01), "tau", position="q", shortest="0.8 s", settle="50 ms"
    )
    assert np.abs(points.speed).min() > 0.015
    found = fit_curve(points, exponent=2.0)
    for name in ("mu_c", "mu_v", "v_s"):
        assert found[name] == pytest.approx(TRUE[name], rel=0.1), name


def test_a_real_drive(shared):
    """EMPS: three speeds in both directions. Means of the sides are near the published 20.4 N and 203.5 N.s/m, which
    hold accelerations too; the record has other viscous friction backwards, by far beyond the noise."""
    file = shared / "data/emps/DATA_EMPS.mat"
    run = Measurement.read(file, ["qm", "vir"], units={"qm": "m", "vir": "V"}, sample_time="1 ms")
    run = run.with_channel("f", run.constants["gtau"] * np.asarray(run["vir"]), "N")
    points = steady_points(run, "f", position="qm", inertia=95.1)
    assert points.levels == pytest.approx([0.0421, 0.0825, 0.1247], rel=1e-2)
    both = fit_curve(points, stribeck=False, offset=True)
    sides = fit_curve(points, stribeck=False, asymmetric=True)
    assert sides.aicc < both.aicc - 20
    assert (sides["mu_c+"] + sides["mu_c-"]) / 2 == pytest.approx(20.39, rel=0.1)
    assert (sides["mu_v+"] + sides["mu_v-"]) / 2 == pytest.approx(203.5, rel=0.1)
    assert sides["mu_v-"] - sides["mu_v+"] > 50


def test_inertia_of_a_slow_rise_is_taken_away():
    t = np.arange(0, 20, 1e-3)
    v = 0.5 + 0.005 * t
    run = Measurement({"w": v, "tau": 1 + 4 * 0.005 + 0 * t + 1e-3 * np.sin(900 * t)}, t, units={"w": "rad/s"})
    points = steady_points(run, "tau", speed="w", inertia=4)
    assert points.friction == pytest.approx(np.ones(len(points)), abs=1e-4)
    assert np.all(np.diff(points.speed) > 0.01)  # and the slow rise is cut into points


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({}, "give the channel of the position or that of the speed"),
        ({"position": "x"}, "has no channel 'x'"),
        ({"speed": "w", "shortest": "30 s"}, "is longer than half of the record"),
        ({"speed": "w", "shortest": "1.5 s"}, "has no steady phase of 1.5 s within 5%"),
    ],
)
def test_records_without_points(change, message):
    with pytest.raises(SpecError) as caught:
        steady_points(staircase(), "tau", **change)
    assert message in str(caught.value)
    assert "stairs" in str(caught.value)


def test_the_band_of_the_picture_is_that_of_the_parameters(tmp_path):
    """With Coulomb friction alone, the curve is its parameter, and the band the interval of 95 %."""
    found = fit_curve(V, noisy(np.sign(V)), stribeck=False, viscous=False)
    upper, lower = found.plot(tmp_path / "curve.png").axes
    low, high = found.estimate.interval(0.95)["mu_c"]
    (band, *_) = upper.collections
    heights = band.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == pytest.approx((low, high), rel=1e-6)
    assert lower.get_ylabel() == "residual"
    assert (tmp_path / "curve.png").stat().st_size > 10_000
