"""Laws of a user, as classes of a notebook and as text: everything that laws of the package do works with them."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from support import rigs
from support.own_laws import class_laws, machine, text_laws

import stribeck as sb
from stribeck.identify import fit, fit_curve, which_law
from stribeck.results import Result

KINDS = {"class": class_laws(), "text": text_laws()}
NAMES = list(KINDS["text"])
every_law = pytest.mark.parametrize("law", [KINDS[kind][name] for name in NAMES for kind in KINDS], ids=[
    f"{name}-{kind}" for name in NAMES for kind in KINDS
])  # fmt: skip
both_kinds = pytest.mark.parametrize("kind", KINDS)
TRACKED = ("mass.w", "friction.tau")


def same(ours, theirs):
    for name in TRACKED:
        np.testing.assert_array_equal(ours[name], theirs[name])
    assert list(ours.events) == list(theirs.events)


@every_law
def test_it_passes_the_battery(law):
    report = sb.laws.check(law)
    assert report.passed, str(report)


@pytest.mark.parametrize("name", NAMES)
def test_class_and_text_give_the_same_bits(name):
    """Adaptive, at fixed steps by three methods, and what follows from the formulas: roles, scales, needs."""
    ours, theirs = (KINDS[kind][name] for kind in KINDS)
    programs = [sb.compile_model(machine(law())) for law in (ours, theirs)]
    same(*(sb.simulate(program, t_end=8.0, intervals=200) for program in programs))
    for method in ("resolvent", "ode1", "semi-implicit"):
        same(*(sb.realtime(program, 1e-4, method=method).run(t_end=0.1) for program in programs))
    assert {n: p.role for n, p in ours.params.items()} == {n: p.role for n, p in theirs.params.items()}
    p, at = ours().resolve({}, name), sb.laws.StepConditions(h=1e-3, inertia=0.5, load=1, speed=2.0, acceleration=3.0)
    assert ours.nominal_speed(p) == theirs.nominal_speed(p) and ours.peak_speed(p) == theirs.peak_speed(p)
    assert [(n.parameter, n.bound(2.0)) for n in ours.step_needs(p, at)] == [
        (n.parameter, n.bound(2.0)) for n in theirs.step_needs(p, at)
    ]


@every_law
def test_external_solvers_agree(law):
    """Both have a tolerance of 1e-7 per step; stick-slip keeps their errors within 1e-4."""
    model = machine(law())
    ours, theirs = sb.simulate(model, t_end=3.0), sb.simulate(model, t_end=3.0, solver="scipy-lsoda", tolerance=1e-8)
    np.testing.assert_allclose(ours["mass.phi"], theirs["mass.phi"], atol=1e-4)


@every_law
def test_linearised_and_checked_for_real_time(law):
    model = machine(law())
    linear = model.linearize(at=0.5)
    assert np.isfinite(linear.A).all()
    report = model.check_realtime(1e-3, t_end=0.5)
    needs = law.step_needs(law().resolve({}, ""), sb.laws.StepConditions(h=1e-3, inertia=0.5, load=1, speed=0.5))
    assert all(f"friction.law.{need.parameter}" in str(report) or need.parameter in str(report) for need in needs)
    assert isinstance(model.check(), list)


@every_law
def test_properties_portrait_and_formulas(law, tmp_path):
    found = sb.analysis.friction_properties(law(), "stiction")["stiction"].has
    assert found is (law.family == "locking")
    assert sb.analysis.Portrait.of(law()).plot(tmp_path / "law.png")
    assert sb.laws.about(law)["plain"]["friction"]


@every_law
def test_values_snapshots_and_threads(law):
    program = sb.compile_model(machine(law()))
    path, value = f"friction.law.{law.scalars[0]}", 0.9 * getattr(law(), law.scalars[0])
    changed = sb.simulate(program.with_values({path: value}), t_end=3.0)
    same(changed, sb.simulate(machine(law(**{law.scalars[0]: value})), t_end=3.0))
    assert changed.parameters[path] == value

    stepper = sb.realtime(program, 1e-3)
    stepper.run(t_end=1.0)
    kept = stepper.snapshot()
    first = stepper.run(t_end=1.5)
    again = sb.realtime(program, 1e-3)
    again.restore(kept)
    np.testing.assert_array_equal(again.run(t_end=1.5)["mass.w"], first["mass.w"])

    with ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(lambda _: sb.simulate(program, t_end=2.0), range(4)))
    for run in runs[1:]:
        same(run, runs[0])


@every_law
def test_results_and_models_are_kept(law, tmp_path):
    model = machine(law())
    result = sb.simulate(model, t_end=1.0, intervals=20)
    result.save(tmp_path / "run.csv")
    np.testing.assert_allclose(Result.load(tmp_path / "run.csv")["mass.w"], result["mass.w"], rtol=1e-12, atol=1e-15)
    if law.definition is None:
        with pytest.raises(sb.SpecError, match="is a class of a script, which a model file cannot hold"):
            model.to_yaml()
    else:
        again = sb.Model.from_yaml(model.to_yaml())
        assert again == model
        same(sb.simulate(again, t_end=1.0, intervals=20), result)


@both_kinds
def test_compared_with_each_other(kind):
    laws = [law() for law in KINDS[kind].values()]
    compared = sb.analysis.compare(machine(laws[0]), [*laws, "LuGre"], t_end=2.0)
    assert list(compared.results) == [*NAMES, "LuGre"]


@both_kinds
def test_a_fit_finds_the_parameters(kind):
    law = KINDS[kind]["MyStick"]
    run = rigs.record(rigs.machine(law()), rigs.push()[:700], noise=1e-6)
    start = rigs.machine(law(mu_c=0.6, mu_s=0.9))
    found = fit(start, run, ["joint.law.mu_c", "joint.law.mu_s"], solver="fixed", **rigs.TIES)
    assert found.values["joint.law.mu_c"] == pytest.approx(0.8, rel=0.02)  # fixed steps of 2 ms


@both_kinds
def test_the_law_of_a_record_is_found(kind):
    """Without any role that is stated: they follow from units and names."""
    laws = KINDS[kind]
    run = rigs.record(rigs.machine(laws["MyStick"]()), rigs.push()[:500], noise=1e-5)
    choice = which_law(
        rigs.machine(laws["MyStick"](mu_c=0.7)),
        run,
        [laws["MyStick"](), "Coulomb"],
        folds=2,
        solver="fixed",
        **rigs.TIES,
    )
    assert choice.best == "MyStick"


@both_kinds
def test_points_of_steady_sliding_give_a_law_that_it_adopts(kind):
    law = KINDS[kind]["MyStick"]
    speed = np.geomspace(1e-3, 1.0, 40)
    p = law().resolve({}, "MyStick")
    found = fit_curve(speed, [law.sliding(p, v) for v in speed], viscous=False).law()
    assert law().adopt(found).mu_c == pytest.approx(0.8, rel=1e-6)


def test_other_values_are_judged_as_compiling_does():
    """A law that drives the motion with some values is refused with these, one by one and in a batch."""
    law = sb.laws.from_text(
        "Drives",
        family="smooth",
        parameters={"mu": {"default": 1, "unit": "{load}"}, "v_0": {"default": 0.01, "unit": "{vel}", "above": 0}},
        friction="mu*tanh(v/v_0)",
    )
    model = machine(law())
    program = sb.compile_model(model)
    with pytest.raises(sb.SpecError, match="Drives drives the motion") as compiled:
        model.varied({"friction.law.mu": -1.0}).compile()
    with pytest.raises(sb.SpecError) as varied:
        program.with_values({"friction.law.mu": -1.0})
    assert str(varied.value) == str(compiled.value)
    many = sb.batch(program, {"friction.law.mu": [1.0, -1.0, 2.0]}, measures=["mass.w:max"], t_end=0.1)
    assert many.failures == {1: str(compiled.value)}
    points = sb.laws.from_text(
        "Points",
        family="locking",
        parameters={
            "speed": {"default": [0, 1], "unit": "{vel}", "min": 0},
            "mu": {"default": [1, 1.4], "unit": "{load}", "min": 0},
        },
        sliding="interpolate(v, speed, mu)",
        breakaway="interpolate(0, speed, mu)",
    )
    table = sb.compile_model(machine(points()))
    assert table.with_values({"friction.law.mu": [1.2, 1.5]}).parameters["friction.law.mu"].value == [1.2, 1.5]
