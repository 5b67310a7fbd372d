"""Many points in one call: what each alone would give, whatever the threads and the other points."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import stribeck as sb
from stribeck.errors import SimulationError, SpecError, UnknownName


def spread(path, value, n, seed=0):
    return {path: value * np.random.default_rng(seed).uniform(0.7, 1.3, n)}


@pytest.fixture(scope="module")
def rig():
    return sb.compile_model(sb.load_model("stick-slip"))


@pytest.fixture(scope="module")
def oscillator():
    """w = sin(2 pi t) rad/s, by a prescribed motion."""
    model = sb.Model("oscillator", t_end=2.5, intervals=10, tolerance=1e-9)
    drive = model.add("drive", sb.Speed(w=sb.Sine(1.0, 1.0)))
    mass = model.add("mass", sb.Inertia(J=2))
    model.add("shaft", sb.Damper(drive, mass, d=1.0))
    return sb.compile_model(model)


MEASURES = [
    "mass.w:last",
    "mass.w:min",
    "mass.w:max",
    "mass.w:range",
    "mass.w:peak",
    "mass.w:mean",
    "mass.w:rms",
    "mass.w:crossing(0.05, rising)",
    "mass.w:crossings(0.05)",
    "mass.w:period(0.05)",
    "friction:dissipated",
]


def test_every_point_is_what_its_run_alone_gives(rig):
    values = spread("spring.c", 2.0, 6) | {"pull.w": 0.12}
    many = sb.batch(rig, values, measures=MEASURES, outputs=["mass.w", "spring.tau"])
    for i, c in enumerate(values["spring.c"]):
        program = rig.with_values({"spring.c": c, "pull.w": 0.12})
        alone = sb.simulate(program, outputs=["mass.w", "spring.tau"])
        np.testing.assert_array_equal(many["mass.w"][i], alone["mass.w"])
        np.testing.assert_array_equal(many["spring.tau"][i], alone["spring.tau"])
        extremes = alone.extremes["mass.w"]
        assert many["mass.w:max"][i] == extremes["max"]
        assert many["mass.w:min"][i] == extremes["min"]
        assert many["mass.w:range"][i] == extremes["max"] - extremes["min"]
        assert many["mass.w:peak"][i] == max(extremes["max"], -extremes["min"])
        assert many["mass.w:last"][i] == alone["mass.w"][-1]
        assert many["friction:dissipated"][i] == pytest.approx(alone.energy.dissipated["friction"], rel=1e-14)
        rising = alone.crossings("mass.w", 0.05, direction=+1)
        assert many["mass.w:crossings(0.05)"][i] == len(alone.crossings("mass.w", 0.05))
        # the grid knows its crossings to their `error`; the batch locates them on the solution
        assert many["mass.w:crossing(0.05, rising)"][i] == pytest.approx(rising[0], abs=2 * rising.error[0] + 1e-9)
        period = np.diff(rising).mean()
        assert many["mass.w:period(0.05)"][i] == pytest.approx(period, abs=4 * rising.error.max() + 1e-9)


def test_measures_of_a_known_function(oscillator):
    """The drive follows a sine: every measure of it has a closed form. Lobatto's rule is of order 6."""
    many = sb.batch(
        oscillator,
        {"mass.J": [1.0, 2.0]},
        measures=[
            "drive.w:mean",
            "drive.w:rms",
            "drive.w:max",
            "drive.w:crossing(0.5, rising)",
            "drive.w:crossing(0.5, falling)",
            "drive.w:crossings(0.5)",
            "drive.w:period(0.5, falling)",
        ],
    )
    exact = [(1 - np.cos(5 * np.pi)) / (5 * np.pi), np.sqrt(0.5), 1.0, 1 / 12, 5 / 12, 6, 1.0]
    for (name, found), value in zip(many.measures.items(), exact, strict=True):
        np.testing.assert_allclose(found, value, rtol=1e-8, err_msg=name)


def test_measuring_begins_when_it_has_settled(rig):
    late = sb.batch(rig, {"spring.c": [2.0]}, measures=["mass.w:mean", "mass.w:crossings(0.05)"], settle="10 s")
    run = sb.simulate(rig, intervals=25000)
    part = run.time >= 10
    assert late["mass.w:mean"][0] == pytest.approx(np.trapezoid(run["mass.w"][part], run.time[part]) / 15, rel=1e-6)
    assert late["mass.w:crossings(0.05)"][0] == (run.crossings("mass.w", 0.05) >= 10).sum()


@pytest.mark.parametrize("lanes", [True, False])
def test_measuring_may_begin_where_a_signal_breaks(lanes):
    """The mean of a speed that is constant until the clutch closes, at that instant: it is continuous there."""
    model = sb.Model("closing", t_end=3)
    driving = model.add("driving", sb.Inertia(J=1.0, w0=10.0))
    driven = model.add("driven", sb.Inertia(J=1.0))
    law = sb.Stribeck(mu_c=0.5, mu_s=0.6)
    model.add("clutch", sb.Clutch(driving, driven, law=law, fn_max=10.0, f_normalized=sb.Step(height=1.0, start=1.5)))
    values = {"driving.J": np.linspace(1, 2, 20)}
    before, at, after = (
        sb.batch(model, values, measures=["driving.w:mean"], settle=settle, lanes=lanes)["driving.w:mean"]
        for settle in (1.5 - 1e-9, 1.5, 1.5 + 1e-9)
    )
    assert at == pytest.approx(before, rel=1e-7)
    assert at == pytest.approx(after, rel=1e-7)


def test_threads_order_and_neighbours_mean_nothing(rig):
    values = spread("spring.c", 2.0, 12)["spring.c"]
    runs = [sb.batch(rig, {"spring.c": values}, measures=MEASURES, t_end=8, jobs=jobs) for jobs in (1, 2, 5)] + [
        sb.batch(rig, {"spring.c": values[::-1]}, measures=MEASURES, t_end=8)
    ]
    for text in MEASURES:
        np.testing.assert_array_equal(runs[0][text], runs[1][text])
        np.testing.assert_array_equal(runs[0][text], runs[2][text])
        np.testing.assert_array_equal(runs[0][text], runs[3][text][::-1])


def test_modes_of_contacts():
    program = sb.compile_model(sb.load_model("coupled-clutches"))
    measures = ["clutch1:stick", "clutch1:sticks", "clutch1:slips", "clutch1:slip", "clutch1:period"]
    many = sb.batch(program, {"clutch1.fn_max": [20.0, 30.0]}, measures=measures)
    for i, force in enumerate([20.0, 30.0]):
        run = sb.simulate(program.with_values({"clutch1.fn_max": force}))
        changes = [event for event in run.events if event.element == "clutch1"]
        sticks = [event.time for event in changes if event.to == "Stuck"]
        slips = [event.time for event in changes if event.from_ == "Stuck" and event.to != "Free"]
        assert many["clutch1:sticks"][i] == len(sticks)
        assert many["clutch1:stick"][i] == (sticks or [np.nan])[0]
        assert many["clutch1:slips"][i] == len(slips)
        np.testing.assert_equal(many["clutch1:slip"][i], (slips or [np.nan])[0])
        np.testing.assert_equal(many["clutch1:period"][i], np.diff(slips).mean() if len(slips) > 1 else np.nan)


def test_named_signals_and_parts_of_contacts_are_measured():
    """Outputs without a dot in their names, and contacts with one."""
    m = sb.Model("slide", t_end=2, intervals=400)
    push = m.signal("push", sb.Sine(amplitude=5.0, f=1.0))
    mass = m.add("mass", sb.Mass(m=1.0))
    m.add("force", sb.Force(mass, f=push))
    m.add("ends", sb.Stop(mass, s_min=-0.1, s_max=0.1))
    many = sb.batch(m, {"mass.m": [1.0]}, measures=["push:max", "push:crossings(1)", "ends.low:sticks"])
    run = sb.simulate(m)
    assert many["push:max"][0] == run.extremes["push"]["max"]
    assert many["push:crossings(1)"][0] == 4
    assert many["ends.low:sticks"][0] == sum(e.element == "ends.low" and e.to == "Stuck" for e in run.events) > 0


@pytest.mark.parametrize("options", [{}, {"lanes": False}, {"step": "1 ms"}])
def test_an_impact_at_the_start_dissipates(options):
    """A free-wheel that is driven backwards stops at once: 1/2 J w^2."""
    m = sb.Model("backwards", t_end=0.1)
    shaft = m.add("shaft", sb.Inertia(J=2.0, w0=-3.0))
    ground = m.add("ground", sb.Fixed())
    m.add("sprag", sb.FreeWheel(ground, shaft))
    values = {"shaft.J": [2.0, 4.0]}
    many = sb.batch(m, values, measures=["sprag:dissipated"], **options)
    assert many["sprag:dissipated"] == pytest.approx([9.0, 18.0])
    late = sb.batch(m, values, measures=["sprag:dissipated"], settle=0.05, **options)
    assert late["sprag:dissipated"] == pytest.approx([0.0, 0.0])


def test_a_jerk_is_measured_on_the_grid(oscillator):
    many = sb.batch(oscillator, {"mass.J": [2.0]}, measures=["mass.jerk:max"])
    run = sb.simulate(oscillator, outputs=["mass.jerk"])
    assert many["mass.jerk:max"][0] == run["mass.jerk"].max()
    with pytest.raises(SpecError, match=r"on the grid alone; .*outputs=\['mass\.jerk'\]"):
        sb.batch(oscillator, {"mass.J": [2.0]}, measures=["mass.jerk:rms"])


def test_fixed_steps_are_those_of_a_plant(rig):
    values = spread("spring.c", 2.0, 3)
    many = sb.batch(rig, values, outputs=["mass.w"], measures=["mass.w:max"], t_end=2, intervals=2000, step="1 ms")
    for i, c in enumerate(values["spring.c"]):
        alone = sb.realtime(rig.with_values({"spring.c": c}), "1 ms").run(2.0)
        np.testing.assert_array_equal(many["mass.w"][i], alone["mass.w"])
        assert many["mass.w:max"][i] == alone["mass.w"].max()


def test_inputs_from_outside_are_those_of_a_plant():
    """All outputs, also those that are not read alone, and with every second step on the grid."""
    model = sb.Model("pushed", t_end=1.0, intervals=500)
    mass = model.add("mass", sb.Mass(m=1.0))
    model.add("guide", sb.Guide(mass, law=sb.LuGre(sigma0=1e4, sigma1=100.0, mu_c=1.0, mu_s=1.5)))
    model.add("motor", sb.Force(mass, f=sb.External(0)))
    force = 2.0 * np.sin(0.02 * np.arange(1000))
    masses = [0.8, 1.0, 1.3]
    many = sb.batch(model, {"mass.m": masses}, outputs="*", step="1 ms", inputs={"motor.f": force})
    for i, m in enumerate(masses):
        plant = model.varied({"mass.m": m}).realtime("1 ms")
        alone = plant.run(n=1000, inputs={"motor.f": force}, every=2)
        for name in many.names:
            np.testing.assert_array_equal(many[name][i], alone[name], name)


def test_a_point_that_is_refused_or_fails_leaves_the_others_alone(rig):
    good = sb.batch(rig, {"spring.c": [1.0, 3.0]}, measures=["mass.w:max"], t_end=5)
    many = sb.batch(rig, {"spring.c": [1.0, -1.0, 3.0]}, measures=["mass.w:max"], t_end=5)
    assert "spring.c = -1" in many.failures[1] and list(many.ok) == [True, False, True]
    assert many.refused == {1}
    np.testing.assert_array_equal(many["mass.w:max"], [good["mass.w:max"][0], np.nan, good["mass.w:max"][1]])
    short = sb.batch(rig, {"spring.c": [1.0, 3.0]}, measures=["mass.w:max"], max_steps=20)
    assert len(short.failures) == 2 and np.isnan(short["mass.w:max"]).all() and not short.refused
    with pytest.raises(SimulationError) as alone:
        sb.simulate(rig.with_values({"spring.c": 1.0}), max_steps=20)
    assert short.failures[0] in str(alone.value)


def test_lists_of_numbers_vary_and_are_as_long_as_compiled():
    model = sb.load_model("stick-slip").varied({"friction.law": sb.GMS(n=3, alpha=[1, 2, 3])})
    shares = [[1, 2, 3], [1, 2], [3, 2, 1]]
    many = sb.batch(model, {"friction.law.alpha": shares}, outputs=["mass.w"], t_end=5)
    assert list(many.failures) == [1] and "2 numbers and the compiled model 3" in many.failures[1]
    for i in (0, 2):
        alone = model.varied({"friction.law.alpha": shares[i]}).simulate(5.0, outputs=["mass.w"])
        np.testing.assert_array_equal(many["mass.w"][i], alone["mass.w"])


def test_entries_of_lists_vary():
    model = sb.load_model("stick-slip").varied({"friction.law": sb.GMS(n=3, alpha=[1, 2, 3])})
    values = {"friction.law.alpha.0": [1.0, 1.5], "friction.law.alpha.2": [3.0, 2.0]}
    many = sb.batch(model, values, outputs=["mass.w"], t_end=5)
    whole = sb.batch(model, {"friction.law.alpha": [[1, 2, 3], [1.5, 2, 2]]}, outputs=["mass.w"], t_end=5)
    np.testing.assert_array_equal(many["mass.w"], whole["mass.w"])
    one = model.compile().with_values({"friction.law.alpha.2": 2.0, "friction.law.alpha.0": 1.5})
    assert one.parameters["friction.law.alpha"].value == [1.5, 2.0, 2.0]


def test_frames(rig):
    many = sb.batch(rig, {"spring.c": [1.0, 2.0]}, measures=["mass.w:max"], outputs="mass.w", t_end=2, intervals=4)
    frame, dataset = many.to_pandas(), many.to_xarray()
    assert list(frame.columns) == ["spring.c", "mass.w:max", "failure"]
    assert frame.attrs["units"] == {"spring.c": "N.m/rad", "mass.w:max": "rad/s"}
    assert dataset["mass.w"].dims == ("point", "time") and dataset["spring.c"].attrs["units"] == "N.m/rad"


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("mass.w", "is not a measure"),
        ("mass.q:max", "no output 'mass.q'"),
        ("mass.w:largest", "no measure 'largest'"),
        ("mass.w:max(3)", "means nothing here"),
        ("mass.w:crossing", "needs a level"),
        ("mass.w:crossing(1 N)", "not in units of rad/s"),
        ("mass.w:crossing(1, up)", "no direction 'up'"),
        ("friction:slips", "no modes that change"),
        ("brake:dissipated", "no element 'brake'"),
        ("mass:dissipated", "neither stores nor dissipates"),
    ],
)
def test_what_cannot_be_measured_is_refused(rig, measure, message):
    with pytest.raises((SpecError, UnknownName), match=message):
        sb.batch(rig, {"spring.c": [1.0, 2.0]}, measures=[measure])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "nothing to find"),
        ({"measures": ["mass.w:max"], "solver": "scipy-lsoda"}, "runs in Python"),
        ({"measures": ["mass.w:max"], "settle": 100}, "before the end"),
        ({"measures": ["mass.w:max"], "step": 0.3}, "whole steps"),
        ({"measures": ["mass.w:max"], "jobs": 0}, "jobs"),
        ({"measures": ["mass.w:max"], "inputs": {"motor.f": 1.0}}, "need fixed steps"),
        ({"measures": ["mass.w:max"], "inputs": {"motor.f": 1.0}, "step": "1 ms"}, "there is no input 'motor.f'"),
    ],
)
def test_what_cannot_be_run_is_refused(rig, options, message):
    with pytest.raises(SpecError, match=message):
        sb.batch(rig, {"spring.c": [1.0, 2.0]}, **options)


def test_sequences_are_of_one_length(rig):
    with pytest.raises(SpecError, match="different lengths"):
        sb.batch(rig, {"spring.c": [1.0, 2.0], "pull.w": [0.1, 0.2, 0.3]}, measures=["mass.w:max"])
    with pytest.raises(SpecError, match="value for each point"):
        sb.batch(rig, {"spring.c": 1.0}, measures=["mass.w:max"])


def test_progress_may_end_it(rig):
    class Enough(Exception):
        pass

    def stop(share):
        raise Enough

    before = threading.active_count()
    with pytest.raises(Enough):
        sb.batch(rig, spread("spring.c", 2.0, 5000), measures=["mass.w:max"], progress=stop)
    assert threading.active_count() == before
