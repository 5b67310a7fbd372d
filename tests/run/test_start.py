"""Runs that start where another one has ended: they go on as if they had not been interrupted."""

from __future__ import annotations

import numpy as np
import pytest
from support.campaign import GENERATORS
from support.machine_checks import INTERVALS, T_END

import stribeck as sb
from stribeck import (
    Bearing,
    Clutch,
    Delay,
    External,
    HybridPresliding,
    Inertia,
    LuGre,
    Model,
    SampleHold,
    Sensor,
    Speed,
    Spring,
    Square,
    Switch,
    Torque,
)

MODELS = sb.shipped_models()
CHANGED = {("assorted", 486)}
"""Machines whose decisions a cut changes. Here a gear that locks itself, beside other contacts, is at rest to rounding:
speeds and torques agree within 3e-8 of the largest, but the gear releases once more, and its mode differs then."""


def first_steps(program: sb.Program, steps: int, **options: object) -> sb.Result:
    """The part of a run that `steps` steps make."""
    with pytest.raises(sb.SimulationError) as error:
        sb.simulate(program, max_steps=steps, **options)
    assert error.value.result is not None
    return error.value.result


def check_pieces(program: sb.Program, seed: int, **options: object) -> None:
    """A run that is cut after a random number of steps is the run in one go, to the last bit."""
    whole = sb.simulate(program, **options)
    if whole.statistics.steps < 2:
        return
    steps = int(np.random.default_rng(seed).integers(1, whole.statistics.steps))
    first = first_steps(program, steps, **options)
    left = whole.time > first.end.time
    second = sb.simulate(program, float(whole.time[-1]), times=whole.time[left], start=first.end)
    assert np.array_equal(second.data, whole.data[:, left])
    assert [*first.events, *second.events] == list(whole.events)
    assert first.statistics.steps + second.statistics.steps == whole.statistics.steps
    check_energy(whole, first, second)


def check_energy(whole: sb.Result, *pieces: sb.Result) -> None:
    """Terms of the ledger add up to those of the whole; 1e-12 of the largest is rounding of the sums, and 1e-3 J the
    least that is large: a machine at rest has speeds of rounding."""
    size = 1e-3 + whole.energy.throughput + sum(map(abs, whole.energy.dissipated.values()))
    for term in ("input", "stored", "dissipated"):
        for element, joule in getattr(whole.energy, term).items():
            added = sum(getattr(piece.energy, term).get(element, 0.0) for piece in pieces)
            assert added == pytest.approx(joule, rel=1e-11, abs=1e-12 * size), (term, element)


def servo(speed: float = 0.1) -> Model:
    """A sampled controller behind a delay, a clutch on a square wave, a law with modes."""
    model = Model("servo", t_end=4, intervals=400)
    pull = model.add("pull", Speed(w=speed))
    motor = model.add("motor", Inertia(J=0.2))
    load = model.add("load", Inertia(J=1.0))
    model.add("spring", Spring(pull, load, c=2.0))
    slow = SampleHold(Delay(Sensor("load.w"), delay=0.13), period=0.05)
    model.add("drive", Torque(motor, tau=2.0 - 3.0 * slow))
    model.add("clutch", Clutch(motor, load, law=Switch(), fn_max=5.0, f_normalized=Square(0.5, f=0.7) + 0.5))
    model.add("bearing", Bearing(load, law=HybridPresliding()))
    return model


# --- in pieces --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_shipped_models_in_pieces(name: str) -> None:
    for seed in range(2):
        check_pieces(sb.compile_model(sb.load_model(name)), seed)


@pytest.mark.parametrize("first", range(0, 30, 10))
@pytest.mark.parametrize("name", GENERATORS)
def test_random_machines_in_pieces(name: str, first: int) -> None:
    for seed in range(first, first + 10):
        model = sb.Model.from_dict(GENERATORS[name](seed).plain)
        check_pieces(sb.compile_model(model), seed, t_end=T_END, intervals=INTERVALS)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, 50))
@pytest.mark.parametrize("name", GENERATORS)
def test_many_random_machines_in_pieces(name: str, first: int) -> None:
    for seed in (seed for seed in range(first, first + 50) if (name, seed) not in CHANGED):
        model = sb.Model.from_dict(GENERATORS[name](seed).plain)
        check_pieces(sb.compile_model(model), seed, t_end=T_END, intervals=INTERVALS)


@pytest.mark.parametrize("seed", range(12))
def test_memory_of_signals_and_modes_of_laws_in_pieces(seed: int) -> None:
    program = sb.compile_model(servo())
    assert program.sizes["n_delay"] == 1 and program.contacts == ("clutch", "bearing")
    check_pieces(program, seed)


@pytest.mark.parametrize("solver", ["rodas5p", "dopri5"])
def test_each_method_in_pieces(solver: str) -> None:
    for seed in range(3):
        check_pieces(sb.compile_model(sb.load_model("stick-slip-switch")), seed, solver=solver)


def test_a_cut_where_a_signal_breaks_is_exact() -> None:
    """The solver steps to edges of a square wave, so `t_end` there is a cut that it knows."""
    program = sb.compile_model(servo())
    whole = sb.simulate(program, first_step=1e-4)
    cut = 0.5 / 0.7 * 3
    assert np.isclose(whole.breaks, cut, rtol=1e-14).any()
    cut = float(whole.breaks[np.isclose(whole.breaks, cut, rtol=1e-14)][0])
    before = whole.time <= cut
    first = sb.simulate(program, cut, times=whole.time[before], first_step=1e-4)
    second = sb.simulate(program, 4, times=whole.time[~before], start=first.end)
    assert np.array_equal(first.data, whole.data[:, before])
    assert np.array_equal(second.data, whole.data[:, ~before])
    assert [*first.events, *second.events] == list(whole.events)


@pytest.mark.parametrize("name", MODELS)
def test_other_cuts_agree_to_the_tolerance(name: str) -> None:
    """Steps end at `t_end`, so those around a cut anywhere are others: errors of the run, a hundred tolerances."""
    program = sb.compile_model(sb.load_model(name))
    t_end = 0.5 * program.simulation.t_end
    whole = sb.simulate(program, t_end, tolerance=1e-9, intervals=200)
    cut = 0.377 * t_end
    first = sb.simulate(program, cut, tolerance=1e-9)
    left = whole.time > cut
    second = sb.simulate(program, t_end, times=whole.time[left], tolerance=1e-9, start=first.end)
    assert np.allclose(second.data[:, 0], whole.data[:, left][:, 0], rtol=1e-6, atol=1e-6)
    check_same_modes(whole, first, second)


def check_same_modes(whole: sb.Result, first: sb.Result, second: sb.Result) -> None:
    times = [event.time for event in (*first.events, *second.events)]
    assert len(times) == len(whole.events)
    assert np.allclose(times, [event.time for event in whole.events], rtol=1e-5)


def test_the_first_outputs_are_the_last_ones_of_the_run_before() -> None:
    """But for rounding: slips of stuck contacts are set to 0 at the end of a step."""
    for name in MODELS:
        first = sb.simulate(name, intervals=20)
        second = sb.simulate(name, start=first.end, intervals=20)
        assert np.allclose(second.data[:, 0], first.data[:, -1], rtol=1e-11, atol=1e-11)


# --- time -------------------------------------------------------------------------------------------------------------


def test_time_goes_on() -> None:
    end = sb.simulate("stick-slip", 10).end
    assert end.time == 10.0
    assert sb.simulate("stick-slip", start=end).time[[0, -1]].tolist() == [10.0, 35.0]
    assert sb.simulate("stick-slip", 12, intervals=4, start=end).time.tolist() == [10, 10.5, 11, 11.5, 12]
    assert sb.simulate("stick-slip", times=[10.5, 13], start=end).time.tolist() == [10.5, 13]
    assert sb.simulate("stick-slip", 14, times=[10.5, 13], start=end).end.time == 14


def test_the_clock_can_be_set_back() -> None:
    """A pulse in time comes again; delays and samples keep what they remember."""
    model = servo()
    first = sb.simulate(model)
    again = sb.simulate(model, start=first.end.at(0))
    on = sb.simulate(model, start=first.end)
    assert again.time[[0, -1]].tolist() == [0.0, 4.0] and on.time[[0, -1]].tolist() == [4.0, 8.0]
    assert again["load.w"][0] == pytest.approx(first["load.w"][-1], rel=1e-12)
    assert first.end.at("1 s").time == 1.0 and first.end.time == 4.0

    def edges(result: sb.Result) -> np.ndarray:
        return np.flatnonzero(np.abs(np.diff(result["clutch.fn"])) > 1)

    assert edges(again).tolist() == edges(first).tolist() != edges(on).tolist()


def test_a_machine_that_nothing_of_time_acts_on_does_not_see_its_clock() -> None:
    program = sb.compile_model(sb.load_model("stick-slip"))
    end = sb.simulate(program, 10).end
    on, again = (sb.simulate(program, start=start, tolerance=1e-10) for start in (end, end.at(0)))
    assert np.allclose(on.data, again.data, rtol=1e-5, atol=1e-6)


# --- other values -----------------------------------------------------------------------------------------------------


def test_other_values_decide_modes_again() -> None:
    """A stuck mass under a spring of 1 N.m breaks away as soon as the static friction is less than that."""

    def rig(static: float) -> Model:
        model = Model("rig", t_end=1)
        mass = model.add("mass", Inertia(J=1.0))
        model.add("drive", Torque(mass, tau=1.0))
        model.add("friction", Bearing(mass, law=Switch(mu_c=0.5, mu_s=static)))
        return model

    held = sb.simulate(rig(1.5))
    assert not held.events
    let_go = sb.simulate(rig(0.8), start=held.end)
    assert [(event.time, event.element, event.to) for event in let_go.events] == [(1.0, "friction", "Forward")]
    assert let_go["mass.w"][-1] == pytest.approx(0.5, rel=1e-9)  # (1 - 0.5) N.m for 1 s
    caught = sb.simulate(rig(1.5), start=let_go.end)
    assert caught["mass.w"][-1] == pytest.approx(1.0, rel=1e-9)


def test_other_values_keep_states_and_memory() -> None:
    first = sb.simulate(servo(0.1))
    second = sb.simulate(servo(0.3), start=first.end)
    assert second["load.w"][0] == pytest.approx(first["load.w"][-1], rel=1e-12)
    assert second.end.states["pull.phi"] == pytest.approx(0.4 + 1.2, rel=1e-9)


def test_other_outputs_are_no_other_values() -> None:
    program = sb.compile_model(sb.load_model("stick-slip"))
    first = first_steps(program, 300)
    some = sb.simulate(program, 25, outputs=["mass.w"], intervals=10, start=first.end)
    whole = sb.simulate(program, 25, times=some.time[1:], first_step=None)
    assert np.array_equal(some["mass.w"][1:], whole["mass.w"])


# --- fixed steps ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["resolvent", "ode4"])
@pytest.mark.parametrize("name", MODELS)
def test_plants_in_pieces(name: str, method: str) -> None:
    h = 1e-3 if method == "resolvent" else 1e-5
    program = sb.compile_model(sb.load_model(name))
    whole = sb.realtime(program, h, method=method)
    whole.step(777)
    second = sb.realtime(program, h, method=method, start=whole.end)
    assert (second.time, second.count) == (whole.time, whole.count)
    a, b = whole.run(n=500), second.run(n=500)
    assert np.array_equal(a.time, b.time) and np.array_equal(a.data[:, 1:], b.data[:, 1:])
    assert list(a.events) == list(b.events)
    check_energy(a, b)


@pytest.mark.parametrize("name", GENERATORS)
def test_random_plants_in_pieces(name: str) -> None:
    for seed in range(15):
        program = sb.compile_model(sb.Model.from_dict(GENERATORS[name](seed).plain))
        whole = sb.realtime(program, 1e-3)
        whole.step(100 * seed + 41)
        second = sb.realtime(program, 1e-3, start=whole.end)
        assert np.array_equal(whole.run(n=300).data[:, 1:], second.run(n=300).data[:, 1:]), seed


def test_inputs_go_on() -> None:
    model = Model("cart", t_end=1)
    mass = model.add("mass", Inertia(J=1.0))
    model.add("drive", Torque(mass, tau=External(0.0)))
    plant = model.realtime(1e-3)
    plant.inputs["drive.tau"] = 2.0
    plant.step(100)
    second = model.realtime(1e-3, start=plant.end)
    assert second.inputs["drive.tau"] == 2.0
    second.step(100)
    assert second["mass.w"] == pytest.approx(0.4, rel=1e-12)
    second.reset()
    assert second.time == pytest.approx(0.1) and second["mass.w"] == pytest.approx(0.2, rel=1e-12)
    assert sb.simulate(model, 0.3, start=plant.end)["mass.w"][-1] == pytest.approx(0.6, rel=1e-9)


@pytest.mark.parametrize("name", ["stick-slip", "stick-slip-switch", "gearbox", "car"])
def test_ends_cross_between_adaptive_and_fixed_steps(name: str) -> None:
    """States and modes go over; after half a second both have gone the same way, but for the errors of the steps."""
    program = sb.compile_model(sb.load_model(name))
    adaptive = sb.simulate(program, 1.0)
    plant = sb.realtime(program, 1e-4, start=adaptive.end)
    assert plant.time == 1.0
    assert np.allclose(plant.state, list(adaptive.end.states.values()), rtol=1e-12, atol=1e-12)
    ran = plant.run(t_end=1.5)
    back = sb.simulate(program, 2.0, start=ran.end)
    assert back.time[0] == plant.time and back.end.time == 2.0
    straight = sb.simulate(program, 2.0)
    for speed in (n for n in straight.names if n.endswith(".w")):
        size = max(abs(straight[speed]).max(), 1e-3)
        assert abs(back[speed][-1] - straight[speed][-1]) < 2e-2 * size


def test_a_plant_of_another_step_goes_on_too() -> None:
    program = sb.compile_model(sb.load_model("stick-slip"))
    coarse = sb.realtime(program, 1e-3)
    coarse.step(5000)
    fine = sb.realtime(program, 1e-4, start=coarse.end)
    assert (fine.time, fine.count) == (5.0, 0)
    fine.step(10)
    assert fine.time == pytest.approx(5.001, rel=1e-15)


def test_outside_integrators_start_and_end(cut: float = 9.0) -> None:
    program = sb.compile_model(sb.load_model("stick-slip-switch"))
    first = sb.simulate(program, cut, solver="scipy-radau", tolerance=1e-8)
    second = sb.simulate(program, 12, start=first.end)
    third = sb.simulate(program, 12, solver="scipy-radau", tolerance=1e-8, start=sb.simulate(program, cut).end)
    whole = sb.simulate(program, 12, tolerance=1e-9)
    for part in (second, third):
        assert [event.time for event in part.events] == pytest.approx([10.313743718544833], rel=1e-6)
        assert part["mass.w"][-1] == pytest.approx(whole["mass.w"][-1], abs=1e-6)


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["nc", "parquet", "json"])
def test_ends_are_saved_with_the_result(kind: str, tmp_path) -> None:
    program = sb.compile_model(servo())
    first = first_steps(program, 150)
    loaded = sb.Result.load(first.save(tmp_path / f"run.{kind}"))
    assert loaded.end == first.end
    a, b = (sb.simulate(program, 4, start=end) for end in (first.end, loaded.end))
    assert np.array_equal(a.data, b.data)
    plant = sb.realtime(program, 1e-3)
    ran = plant.run(n=321)
    back = sb.Result.load(ran.save(tmp_path / f"plant.{kind}"))
    second = sb.realtime(program, 1e-3, start=back.end)
    assert np.array_equal(plant.run(n=99).data[:, 1:], second.run(n=99).data[:, 1:])


# --- what does not fit ------------------------------------------------------------------------------------------------


def refusal(model: object, start: object, **options: object) -> str:
    with pytest.raises(sb.StribeckError) as error:
        sb.simulate(model, start=start, **options)
    return str(error.value)


def test_a_start_of_another_machine_is_refused_with_the_difference() -> None:
    end = sb.simulate("stick-slip", 1).end
    assert refusal("stick-slip-switch", end) == (
        "simulate: the start is the end of a run of 'stick-slip' and does not fit 'stick-slip-switch': "
        "only the start has the states friction.z; only the model has the contacts friction; "
        "only the start has the laws friction (lugre); only the model has the laws friction (switch). "
        "Start from a run of a model with the same elements, laws and signals"
    )


def test_other_memory_of_a_signal_is_named() -> None:
    def delayed(points: int) -> Model:
        model = Model("line", t_end=1)
        mass = model.add("mass", Inertia(J=1.0))
        model.add("drive", Torque(mass, tau=Delay(Sensor("mass.w"), delay=0.1, points=points)))
        return model

    message = refusal(delayed(200), sb.simulate(delayed(100)).end)
    assert "only the start has the signals drive (delay of 834 numbers)" in message
    assert "only the model has the signals drive (delay of 1634 numbers)" in message


def test_a_result_stands_for_its_end(tmp_path) -> None:
    result = sb.simulate("stick-slip", 1)
    assert sb.simulate("stick-slip", 2, start=result).time[0] == 1.0
    assert sb.realtime(sb.load_model("stick-slip"), 1e-3, start=result).time == 1.0
    assert refusal("stick-slip", 3) == "simulate: start = 3 must be End or Result or None"
    table = sb.Result.load(result.save(tmp_path / "run.csv"))
    with pytest.raises(sb.StribeckError, match="this result of run has no end from which a run could start"):
        sb.simulate("stick-slip", start=table.end)


def test_times_before_the_start_are_refused() -> None:
    end = sb.simulate("stick-slip", 10).end
    assert "the run ends at 5 s, not after its start at 10 s; write a later t_end" in refusal(
        "stick-slip", end, t_end=5
    )
    assert "times begin at 9 s, before the start at 10 s" in refusal("stick-slip", end, times=[9, 12])


def test_ends_do_not_change() -> None:
    end = sb.simulate("stick-slip", 1).end
    with pytest.raises(ValueError, match="read-only"):
        end.arrays["x"][0] = 1.0
    with pytest.raises(AttributeError):
        end.time = 3.0
    assert repr(end) == "<End of a run of stick-slip at t = 1 s>"


def test_steady_bristles_are_not_bent_again() -> None:
    """At a start bristles under slip are bent as in steady sliding; where a run goes on they are as they were."""
    model = Model("slide", t_end=1)
    mass = model.add("mass", Inertia(J=1.0, w0=1.0))
    model.add("friction", Bearing(mass, law=LuGre()))
    end = sb.simulate(model, 0.2).end
    assert sb.simulate(model, 0.3, start=end)["friction.z"][0] == end.states["friction.z"]
