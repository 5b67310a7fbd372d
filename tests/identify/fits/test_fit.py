"""Output-error fits on records whose parameters are known."""

import math
from dataclasses import replace

import numpy as np
import pytest
from support.rigs import SAMPLE, TIES, driven, machine, push, record

import stribeck as sb
from stribeck.identify.fits.fit import Search
from stribeck.identify.fits.losses import LOSSES

START = {"joint.law.mu_c": 0.6, "joint.law.mu_s": 1.0, "joint.law.mu_v": 0.5, "load.m": 1.4}
TRUTH = {"joint.law.mu_c": 0.8, "joint.law.mu_s": 1.1, "joint.law.mu_v": 0.3, "load.m": 1.0}


def holds(result, truth, level=0.999):
    """Whether all intervals hold the truth; the level leaves a good fit a chance of 1e-3 per parameter to fail."""
    interval = result.interval(level)
    return all(interval[name][0] <= value <= interval[name][1] for name, value in truth.items())


@pytest.fixture(scope="module")
def fitted():
    return sb.identify.fit(machine(), record(machine(), push()), list(START), start=START, **TIES)


def test_finds_the_truth_within_its_intervals(fitted):
    assert holds(fitted, TRUTH)
    assert all(fitted.errors[name] < 0.001 * value for name, value in TRUTH.items())
    assert fitted.converged and fitted.solver == "adaptive" and not fitted.unidentifiable and not fitted.at_bound
    assert fitted.noise["load.s"] == pytest.approx(1e-5, rel=0.06)  # three standard errors of 1501 samples


def test_agrees_with_least_squares_of_scipy(fitted):
    """The same minimum and covariance from an independent optimiser around plain simulations."""
    from scipy.optimize import least_squares

    force = push()
    measured = np.asarray(fitted.records[0]["s"])

    def residual(x):
        model = machine()
        for name, value in zip(START, x, strict=True):
            sb.set_parameter(model, name, value)
        return (np.asarray(driven(model, force)["load.s"]) - measured) / 1e-5

    best = [fitted.values[name] for name in START]
    found = least_squares(residual, np.multiply(best, [1.002, 0.999, 1.003, 0.998]), jac="3-point", diff_step=3e-4)
    covariance = np.linalg.inv(found.jac.T @ found.jac) * 2 * found.cost / (measured.size - 4)
    errors = np.sqrt(covariance.diagonal())
    assert (np.abs(found.x - best) < 0.03 * errors).all()
    assert errors == pytest.approx(list(fitted.errors.values()), rel=0.02)


def test_runs_the_fitted_model_on_another_record(fitted):
    other = record(machine(), push(5.0), seed=1)
    assert fitted.simulate(other)["load.s"].rms == pytest.approx(1e-5, rel=0.2)
    assert fitted.simulate(other).error < 1e-3


def test_the_fitted_model_is_independent(fitted):
    alone = driven(fitted.model, push())
    difference = np.asarray(alone["load.s"]) - fitted.predictions[0].simulated
    assert np.abs(difference).max() < 1e-7


def test_prints_values_errors_and_counts(fitted):
    text = str(fitted)
    assert all(word in text for word in ("joint.law.mu_c", "std. error", "95 % interval", "rms", "adaptive steps"))


def test_residuals_of_the_true_model_pass_all_tests(fitted):
    assert [test.name for test in fitted.residual_tests] == ["mean", "whiteness", "independent of motor.f"]
    assert all(test.passed for test in fitted.residual_tests)


def test_residuals_of_a_wrong_model_do_not():
    wrong = sb.identify.fit(machine(sb.Coulomb()), record(machine(), push()), ["joint.law.mu_c", "load.m"], **TIES)
    assert not any(test.passed for test in wrong.residual_tests if test.name == "whiteness")
    assert wrong.uncertainty.effective < 0.1 * wrong.samples


def test_parameters_that_the_data_do_not_identify_are_nan_with_a_reason():
    model = machine()
    free = ["joint.law.mu_c", "joint.law.mu_s", "joint.load", "joint.law.mu_v", "load.m"]
    result = sb.identify.fit(model, record(model, push()), free, **TIES)
    assert set(result.unidentifiable) == set(free[:4])
    assert all(math.isnan(result.values[name]) and math.isinf(result.errors[name]) for name in free[:4])
    assert "only a combination" in result.unidentifiable["joint.load"]
    assert result.interval()["joint.load"] == (-math.inf, math.inf)
    assert result.values["load.m"] == pytest.approx(1.0, rel=1e-3)
    assert "not identifiable" in str(result)


def test_a_parameter_without_effect_has_no_value():
    law = sb.Stribeck(mu_c=0.8, mu_s=1.1, v_s=0.05, mu_v=0.3)
    model = machine(law)
    model.add("other", sb.Mass(m=2.0))
    model.add("elsewhere", sb.Guide("other", law=sb.Stribeck()))
    result = sb.identify.fit(model, record(machine(), push()), ["load.m", "other.m"], **TIES)
    assert list(result.unidentifiable) == ["other.m"]
    assert holds(result, {"load.m": 1.0})


def test_a_model_that_does_not_follow_says_so_first():
    """A body without a spring, where the machine has one: two dampers of which only the sum could show."""
    true = machine()
    true.add("spring", sb.Spring("load", c=30.0))
    model = machine(sb.Coulomb(mu_c=0.8))
    model.add("air", sb.Damper("load", d=0.2))
    model.add("oil", sb.Damper("load", d=0.1))
    result = sb.identify.fit(model, record(true, push()), ["air.d", "oil.d", "load.m", "joint.law.mu_c"], **TIES)
    assert str(result).startswith("the model does not follow the records (fit ")
    assert "do not trust the estimates" in result.warnings[0]
    assert "air.d up and oil.d down" in result.unidentifiable["air.d"]


def test_slopes_along_weak_directions_are_measured_there():
    """Two dampers of which only the sum shows: columns with errors of 0.1 % would give their difference an effect."""
    model = machine()
    model.add("air", sb.Damper("load", d=0.2))
    model.add("oil", sb.Damper("load", d=0.2))
    result = sb.identify.fit(model, record(model, push()), ["air.d", "oil.d", "load.m"], **TIES)
    problem, x, r = result.problem, result.minimum.x, result.minimum.residual
    slope = problem.central_slope(x, r)
    wrong = slope.jacobian * [1.001, 0.999, 1.0]
    measured = problem.along_weak(x, r, replace(slope, jacobian=wrong)).jacobian
    effect, before = (np.linalg.norm(columns @ [1.0, -1.0, 0.0]) for columns in (measured, wrong))
    assert effect < 0.02 * before
    assert "air.d up and oil.d down leaves" in result.unidentifiable["air.d"]


def test_static_friction_keeps_its_bound():
    """Kinetic friction would lift it beyond."""
    free, bounds = ["joint.law.mu_c", "joint.law.mu_s"], {"joint.law.mu_s": (None, 0.7)}
    start = {"joint.law.mu_c": 0.5, "joint.law.mu_s": 0.6}
    model = machine(LAWS["LuGre"][0])
    result = sb.identify.fit(model, record(model, push()), free, bounds=bounds, start=start, **TIES)
    assert result.best["joint.law.mu_c"] <= result.best["joint.law.mu_s"] <= 0.7
    assert "joint.law.mu_s" in result.at_bound


def test_robust_losses_bound_the_weight_of_outliers():
    run = record(machine(), push())
    wild = np.asarray(run["s"]).copy()
    wild[::37] += 0.01
    spoilt = sb.identify.Measurement({"f": run["f"], "s": wild}, sample_time=SAMPLE)
    free = ["joint.law.mu_c", "joint.law.mu_v", "load.m"]
    error = {}
    for loss in ("linear", "soft_l1", "huber", "cauchy"):
        result = sb.identify.fit(machine(), spoilt, free, loss=loss, **TIES)
        error[loss] = max(abs(result.best[name] / TRUTH[name] - 1) for name in free)
    assert all(error[loss] < 0.1 * error["linear"] for loss in ("soft_l1", "huber", "cauchy"))
    assert error["cauchy"] < 5e-4


def test_several_records_tell_more_than_one():
    first, second = record(machine(), push()), record(machine(), push(5.0), seed=1, name="second")
    free = ["joint.law.mu_c", "load.m"]
    alone = sb.identify.fit(machine(), first, free, **TIES)
    both = sb.identify.fit(machine(), [first, second], free, **TIES)
    assert holds(both, {name: TRUTH[name] for name in free})
    assert all(both.errors[name] < alone.errors[name] for name in free)
    assert [p.measurement.name for p in both.predictions] == ["run", "second"]


def test_outputs_weigh_by_their_noise():
    run = record(machine(), push())
    ties = {"outputs": {"load.s": "s", "load.v": "v"}, "inputs": {"motor.f": "f"}}
    found = sb.identify.fit(machine(), run, list(TRUTH), **ties)
    known = sb.identify.fit(machine(), run, list(TRUTH), noise={"load.s": 1e-5, "load.v": 1e-3}, **ties)
    assert holds(found, TRUTH)
    assert found.noise == pytest.approx({"load.s": 1e-5, "load.v": 1e-3}, rel=0.06)
    assert all(abs(found.best[name] - known.best[name]) < 0.2 * known.errors[name] for name in TRUTH)


def test_samples_that_do_not_count_are_left_out():
    run = record(machine(), push())
    spoilt = np.asarray(run["s"]).copy()
    spoilt[400:500] = 0.0
    keep = np.ones(spoilt.size, bool)
    keep[400:500] = False
    masked = sb.identify.Measurement({"f": run["f"], "s": spoilt}, sample_time=SAMPLE).masked(keep)
    result = sb.identify.fit(machine(), masked, ["joint.law.mu_c", "load.m"], **TIES)
    assert holds(result, {"joint.law.mu_c": 0.8, "load.m": 1.0})
    assert result.samples == spoilt.size - 100


def test_fixed_steps_have_the_error_of_the_step():
    """First order: with five steps per sample the error falls to about a fifth."""
    run = record(machine(), push(), noise=1e-9)
    free = ["joint.law.mu_c", "load.m"]
    one, five = (sb.identify.fit(machine(), run, free, solver="fixed", substeps=n, **TIES) for n in (1, 5))
    errors = [max(abs(result.best[name] - TRUTH[name]) for name in free) for result in (one, five)]
    assert one.solver == "fixed"
    assert 0.1 < errors[1] / errors[0] < 0.35


def test_a_search_with_steps_that_are_too_large_is_not_followed():
    """This law has a rate of 1000 1/s: fixed steps of 6 ms break its conditions, the adaptive ones do not."""
    law = sb.Hybrid(mu_c=0.8, mu_s=1.1, v_s=0.05, mu_v=0.3)
    held = np.repeat(push()[::3], 3)[:1501]
    run = record(machine(law), held, noise=5e-5)
    slow = sb.identify.Measurement({name: run.channels[name][::3] for name in ("f", "s")}, sample_time=3 * SAMPLE)
    start = {"joint.law.mu_c": 0.81, "load.m": 1.01}
    result = sb.identify.fit(machine(law), slow, list(start), start=start, **TIES)
    assert result.converged
    assert holds(result, {"joint.law.mu_c": 0.8, "load.m": 1.0})


def test_a_loop_is_fitted_with_its_controller():
    """The reference is the input; the controller is part of the model."""
    model = machine()
    reference = model.signal("reference", sb.External(0))
    spring = 200 * (reference - model.elements["load"].sensor("s")) - 12 * model.elements["load"].sensor("v")
    model.elements["motor"] = model.elements["motor"].replace(f=spring)
    time = SAMPLE * np.arange(1501)
    course = 0.2 * np.sin(2 * np.pi * 0.7 * time) + 0.05 * np.sin(2 * np.pi * 2.3 * time)
    twin = model.copy()
    twin.signals["reference"] = sb.Table(time=time.tolist(), value=course.tolist(), between="hold")
    s = np.asarray(sb.simulate(twin, times=time, tolerance=1e-9)["load.s"])
    noisy = s + 1e-5 * np.random.default_rng(2).normal(size=s.size)
    run = sb.identify.Measurement({"r": course, "s": noisy}, sample_time=SAMPLE)
    ties = {"outputs": {"load.s": "s"}, "inputs": {"reference": "r"}}
    result = sb.identify.fit(model, run, list(START), start={"load.m": 1.3, "joint.law.mu_c": 0.7}, **ties)
    assert holds(result, TRUTH)


def test_starts_where_the_record_starts():
    shifted = record(machine(), push())
    moved = sb.identify.Measurement({"f": shifted["f"], "s": np.asarray(shifted["s"]) + 0.5}, sample_time=SAMPLE)
    result = sb.identify.fit(
        machine(), moved, ["load.s0", "load.m"], initial={"load.s0": "s"}, start={"load.s0": 0.4}, **TIES
    )
    assert holds(result, {"load.s0": 0.5, "load.m": 1.0})
    plain = sb.identify.fit(machine(), moved, ["load.m"], initial={"load.s0": "s"}, **TIES)
    assert plain.values["load.m"] == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize("way", ["lhs", "evolution"])
def test_a_global_start_leaves_a_false_minimum(way):
    """A body on a spring without friction: frequencies far from the true one all fit equally badly."""
    model = sb.Model("swing")
    mass = model.add("load", sb.Mass(m=1.0, s0=0.1))
    model.add("spring", sb.Spring(mass, c=400.0))
    model.add("damper", sb.Damper(mass, d=0.5))
    time = SAMPLE * np.arange(1501)
    s = np.asarray(sb.simulate(model, times=time, tolerance=1e-9)["load.s"])
    run = sb.identify.Measurement({"s": s + 1e-4 * np.random.default_rng(1).normal(size=s.size)}, sample_time=SAMPLE)
    options = {"outputs": {"load.s": "s"}, "start": {"spring.c": 1500.0}, "bounds": {"spring.c": (20, 2000)}}
    stuck = sb.identify.fit(model, run, ["spring.c"], **options)
    found = sb.identify.fit(model, run, ["spring.c"], global_start=way, **options)
    assert abs(stuck.best["spring.c"] - 400) > 100
    assert holds(found, {"spring.c": 400.0})


def test_progress_is_reported():
    said = []
    sb.identify.fit(
        machine(),
        record(machine(), push()),
        ["load.m"],
        progress=lambda share, text: said.append((share, text)),
        **TIES,
    )
    assert said[-1][0] == 1.0 and all(0 <= share <= 1 for share, _ in said)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"free": []}, "free is empty"),
        ({"free": ["load.m", "load.m"]}, "twice"),
        ({"free": ["load.mm"]}, "did you mean 'm'|no parameter 'mm'"),
        ({"free": ["joint.law"]}, "not a number that can be fitted"),
        ({"start": {"load.J": 1}}, "not free"),
        ({"start": {"load.m": -1}}, "outside of its bounds"),
        ({"bounds": {"load.m": (2, 1)}}, "nothing between"),
        ({"bounds": {"load.m": 3}}, "must be a pair"),
        ({"outputs": {"load.x": "s"}}, "no output 'load.x'"),
        ({"outputs": {"load.s": "q"}}, "no channel 'q'"),
        ({"outputs": {}}, "outputs is empty"),
        ({"inputs": {"motor.tau": "f"}}, "no input 'motor.tau'"),
        ({"loss": "hubert"}, "did you mean 'huber'"),
        ({"solver": "rk4"}, "no solver 'rk4'"),
        ({"global_start": "grid"}, "no global_start 'grid'"),
        ({"noise": {"load.s": 0.0}}, "must be above 0"),
        ({"noise": {"load.w": 1.0}}, "not an output"),
        ({"measurement": []}, "no measurement"),
    ],
)
def test_refuses_what_cannot_be(change, words):
    options = {"model": machine(), "measurement": record(machine(), push()), "free": ["load.m"], **TIES, **change}
    with pytest.raises(sb.SpecError, match=words):
        sb.identify.fit(**options)


def test_refuses_a_constant_output():
    run = record(machine(), push())
    constant = sb.identify.Measurement({"f": run["f"], "s": np.full(len(run), 0.3)}, sample_time=SAMPLE)
    with pytest.raises(sb.SpecError, match=r"'s' .*constant|constant .*'s'"):
        sb.identify.fit(machine(), constant, ["load.m"], **TIES)


LAWS = {
    "Coulomb": (sb.Coulomb(mu_c=0.8), {"mu_c": 0.6}),
    "CoulombViscous": (sb.CoulombViscous(mu_c=0.8, v_0=0.02, mu_v=0.3), {"mu_c": 0.9, "v_0": 0.03, "mu_v": 0.2}),
    "Dahl": (sb.Dahl(sigma0=300.0, mu_c=0.8), {"sigma0": 200.0, "mu_c": 0.9}),
    "LuGre": (
        sb.LuGre(sigma0=300.0, sigma1=5.0, sigma2=0.3, mu_c=0.8, mu_s=1.1, v_s=0.05),
        {"sigma0": 200.0, "sigma1": 7.0, "sigma2": 0.4, "mu_c": 0.7, "mu_s": 1.2, "v_s": 0.06},
    ),
    "Switch": (sb.Switch(mu_c=0.8, mu_s=1.1), {"mu_c": 0.7, "mu_s": 1.2}),
    "Tanh": (sb.Tanh(mu_c=0.8), {"mu_c": 0.9}),
}


def slowly_held():
    """A force (N) that changes every 8 ms."""
    return np.repeat(push()[::4], 4)[:1501]


@pytest.mark.parametrize(("other", "identifiable"), [("joint.load", False), ("oil.d", True)])
def test_a_plateau_that_moves_along_a_blind_direction_is_not_identifiable(other, identifiable):
    """Static friction times an unknown load is not known; beside two dampers of which only the sum shows, it is."""
    model = machine(sb.Switch(mu_c=0.8, mu_s=1.2, mu_v=0.3))
    model.add("oil", sb.Damper("load", d=0.1))
    run = record(model, slowly_held(), noise=1e-5)
    result = sb.identify.fit(
        model, run, ["joint.law.mu_c", "joint.law.mu_s", "joint.law.mu_v", "load.m", other], **TIES
    )
    assert {other, "joint.law.mu_v"} <= set(result.unidentifiable)
    assert ("joint.law.mu_s" not in result.unidentifiable) == identifiable
    assert ("joint.law.mu_c" not in result.unidentifiable) == identifiable


def test_static_friction_between_two_samples_of_a_held_force():
    """A body breaks away at the first sample above its static friction: all values between two samples fit alike. The
    search crosses the jumps between them, and the value is the middle."""
    model = machine(sb.Switch(mu_c=0.8, mu_s=1.2, mu_v=0.3))
    slow = slowly_held()
    run = record(model, slow, noise=1e-5)
    start = {"joint.law.mu_c": 0.78, "joint.law.mu_s": 1.27, "joint.law.mu_v": 0.31, "load.m": 1.01}
    result = sb.identify.fit(model, run, list(start), start=start, **TIES)
    assert result.converged and result.noise["load.s"] == pytest.approx(1e-5, rel=0.06)
    assert holds(result, {"joint.law.mu_c": 0.8, "joint.law.mu_s": 1.2, "joint.law.mu_v": 0.3, "load.m": 1.0})

    half, best = math.sqrt(3) * result.errors["joint.law.mu_s"], driven(result.model, slow)["load.s"]
    values = [result.best["joint.law.mu_s"] + share * half for share in (-1.1, -0.9, 0.9, 1.1)]
    twins = [sb.set_parameter(result.model.copy(), "joint.law.mu_s", value) for value in values]
    assert [np.array_equal(driven(twin, slow)["load.s"], best) for twin in twins] == [False, True, True, False]


@pytest.mark.parametrize("name", LAWS)
def test_finds_the_parameters_of_a_law_at_a_coarse_sensor(name):
    """Steps of 0.1 mm with noise of half a step."""
    law, start = LAWS[name]
    run = record(machine(law), push(), noise=5e-5, step=1e-4)
    free = {f"joint.law.{word}": value for word, value in start.items()} | {"load.m": 1.1}
    result = sb.identify.fit(machine(law.replace(**start)), run, list(free), start=free, **TIES)
    truth = {f"joint.law.{word}": getattr(law, word) for word in start} | {"load.m": 1.0}
    assert not result.unidentifiable
    assert holds(result, truth)


def test_the_last_word_begins_where_the_model_can_be_run():
    """A search with fixed steps, or a global start, may end where the adaptive solver cannot go on."""

    class Residuals:
        def residuals(self, points):
            return [None if x[0] > 1 else x for x in points]

    search = Search(Residuals(), LOSSES["linear"], noise_known=True, progress=None)
    astray, other, start = np.array([2.0]), np.array([0.5]), np.array([0.1])
    assert search._lowest(astray, [other, start], before=0.0)[0] is start
    assert search._lowest(astray, [other], before=np.inf)[0] is other


def test_a_search_that_went_far_down_does_not_look_back():
    class Residuals:
        def residuals(self, points):
            (x,) = points
            return [x]

    search = Search(Residuals(), LOSSES["linear"], noise_known=True, progress=None)
    end = np.array([0.5])
    assert search._lowest(end, [np.array([0.1])], before=10.0)[0] is end


def test_other_initial_values_are_suspected():
    """A record that begins elsewhere and in motion, fitted from rest at 0."""
    moved = machine().varied({"load.s0": 0.3, "load.v0": 0.8})
    result = sb.identify.fit(machine(), record(moved, push()), ["load.m"], **TIES, solver="fixed")
    assert not result.follows
    assert any("--initial load.s0=s" in text for text in result.warnings)
    assert any("free load.v0" in text for text in result.warnings)
