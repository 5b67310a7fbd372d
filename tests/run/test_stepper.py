"""Fixed steps from Python: stepping, looking, going back, running on."""

import copy
import pickle
import signal
import subprocess
import sys

import numpy as np
import pytest

from stribeck import (
    External,
    Fixed,
    Inertia,
    LowPass,
    Model,
    SimulationError,
    SpecError,
    Spring,
    StribeckError,
    Torque,
    UnknownName,
    compile_model,
    load_model,
    realtime,
    simulate,
)
from stribeck.results import UnknownOutput


@pytest.fixture
def stepper():
    return load_model("stick-slip").realtime(h="1 ms")


def test_time_is_a_count(stepper):
    stepper.step(7)
    stepper.step()
    assert (stepper.count, stepper.time) == (8, 8 * 1e-3)


def test_steps_and_runs_are_the_same(stepper):
    result = stepper.run(n=50)
    stepper.reset()
    seen = [stepper["mass.w"]]
    for _ in range(50):
        stepper.step()
        seen.append(stepper["mass.w"])
    assert result["mass.w"].tolist() == seen
    assert result.time.tolist() == [k * 1e-3 for k in range(51)]


def test_every_third_task_of_what_is_chosen(stepper):
    whole = stepper.run(n=10)
    stepper.reset()
    part = stepper.run(n=10, outputs=["friction.tau", "mass.w"], every=3)
    assert part.names == ("friction.tau", "mass.w")
    assert np.array_equal(part.time, whole.time[::3])
    assert np.array_equal(part["mass.w"], whole["mass.w"][::3])


def test_snapshot_brings_it_all_back(stepper):
    stepper.step(10)
    before = stepper.snapshot()
    first = stepper.run(n=100)
    stepper.restore(before)
    again = stepper.run(n=100)
    assert np.array_equal(first.data, again.data)
    assert np.array_equal(first.time, again.time)


def test_a_snapshot_belongs_to_its_program(stepper):
    with pytest.raises(SpecError, match="not a snapshot"):
        realtime(load_model("stick-slip"), h="2 ms").restore(stepper.snapshot())
    with pytest.raises(SpecError, match="not a snapshot"):
        realtime(load_model("gearbox"), h="1 ms").restore(stepper.snapshot())
    broken = bytearray(stepper.snapshot())
    broken[-1] ^= 1
    for wrong in (b"", bytes(broken), stepper.snapshot()[:-1], "text"):
        with pytest.raises(SpecError, match="not a snapshot"):
            stepper.restore(wrong)


def test_a_copy_goes_its_own_way(stepper):
    stepper.step(10)
    twin = stepper.copy()
    expected = twin.run(n=20)
    assert (stepper.count, twin.count) == (10, 30)
    assert np.array_equal(stepper.run(n=20).data, expected.data)


def test_a_run_goes_on_where_the_last_one_ended(stepper):
    program = compile_model(load_model("stick-slip"))
    whole = realtime(program, 1e-3).run(t_end=0.2)
    first, second = stepper.run(t_end=0.1), stepper.run(t_end="0.2 s")
    assert np.array_equal(np.hstack([first.data, second.data[:, 1:]]), whole.data)
    assert second.time[0] == first.time[-1]


def test_refuses(stepper):
    with pytest.raises(SpecError, match="one of them"):
        stepper.run()
    stepper.step()
    with pytest.raises(SpecError, match="cannot be done"):
        stepper.step(-1)
    with pytest.raises(SpecError, match="before the present time"):
        stepper.run(t_end=0)
    with pytest.raises(UnknownOutput, match=r"mass\.w"):
        stepper["mass.ww"]
    with pytest.raises(UnknownOutput, match=r"mass\.w"):
        stepper.run(n=1, outputs=["mass.ww"])
    with pytest.raises(UnknownName, match="ode1"):
        load_model("stick-slip").realtime(h=1e-3, method="ode9")
    with pytest.raises(SpecError, match="above 0"):
        load_model("stick-slip").realtime(h=0)
    with pytest.raises(SpecError, match="explicit"):
        load_model("stick-slip").realtime(h=1e-3, literal_sign=True)


def test_divergence_is_told_with_what_was_before():
    """Euler on an undamped oscillator with omega h = 10 grows by sqrt(101) in every step."""
    m = Model("oscillator")
    mass = m.add("mass", Inertia(J=1, w0=1))
    m.add("spring", Spring(m.add("wall", Fixed()), mass, c=1e6))
    stepper = m.realtime(h="10 ms", method="ode1")
    with pytest.raises(SimulationError, match=r"stopped at t = .*smaller h or the method resolvent") as caught:
        stepper.run(t_end=1000)
    assert caught.value.time == stepper.time == caught.value.result.time[-1]
    assert np.isfinite(caught.value.result["mass.w"]).all()
    assert "not kept" in str(stepper.energy) or np.isfinite(stepper.energy.residual)


def driven():
    """A body of 2 kg.m2 driven by two inputs, one by its place and one by its name."""
    m = Model("driven")
    mass = m.add("mass", Inertia(J=2))
    m.add("motor", Torque(mass, tau=External("1 N.m")))
    m.add("load", Torque(mass, tau=-m.signal("load_torque", External())))
    return m


def test_inputs_hold_until_they_are_set_again():
    """Constant torques: the speed is the sum of tau h / J, exactly so by every method of this solver."""
    s = driven().realtime(h=0.5)
    assert dict(s.inputs) == {"motor.tau": 1.0, "load_torque": 0.0}
    s.step(2)
    assert s["mass.w"] == pytest.approx(0.5, abs=1e-15)
    s.inputs["motor.tau"] = "4 Nm"
    s.inputs["load_torque"] = 2
    s.step(2)
    assert s["motor.tau"] == s.inputs["motor.tau"] == 4.0
    assert s["mass.w"] == pytest.approx(1.5, abs=1e-15)
    s.reset()
    assert dict(s.inputs) == {"motor.tau": 1.0, "load_torque": 0.0}


def test_courses_of_inputs_are_as_setting_them_task_by_task():
    rng = np.random.default_rng(1)
    course = rng.normal(size=40)
    s = driven().realtime(h=1e-2)
    result = s.run(inputs={"motor.tau": course, "load_torque": "2 N.m"})
    s.reset()
    s.inputs["load_torque"] = 2.0
    seen = [s["mass.w"]]
    for tau in course:
        s.inputs["motor.tau"] = tau
        s.step()
        seen.append(s["mass.w"])
    assert result["mass.w"].tolist() == seen
    assert seen[-1] == pytest.approx(np.sum(course - 2) * 1e-2 / 2, abs=1e-14)
    assert s.inputs["motor.tau"] == course[-1]


def test_snapshots_hold_the_inputs():
    s = driven().realtime(h=1e-2)
    s.inputs["motor.tau"] = 5
    before = s.snapshot()
    s.step(3)
    after = s["mass.w"]
    s.inputs["motor.tau"] = 7
    s.restore(before)
    assert s.inputs["motor.tau"] == 5.0
    s.step(3)
    assert s["mass.w"] == after


def test_inputs_that_are_not_there():
    s = driven().realtime(h=1e-2)
    with pytest.raises(UnknownName, match=r"did you mean 'motor\.tau'"):
        s.inputs["motor.tua"] = 1
    with pytest.raises(SpecError, match=r"N\.m"):
        s.inputs["motor.tau"] = "4 kg"
    with pytest.raises(SpecError, match="3 tasks"):
        s.run(n=3, inputs={"motor.tau": [1.0, 2.0]})
    with pytest.raises(SpecError, match="finite"):
        s.run(inputs={"motor.tau": [1.0, np.nan]})
    with pytest.raises(UnknownName, match="External"):
        load_model("stick-slip").realtime(h=1e-3).inputs["throttle"] = 1


def test_equal_inputs_at_two_places_are_two():
    """Also behind a filter, of which equal ones are otherwise kept once."""
    m = Model("two")
    for name in "ab":
        mass = m.add(name, Inertia(J=1))
        m.add(f"drive_{name}", Torque(mass, tau=LowPass(External(), T=0.1)))
    assert list(compile_model(m).inputs) == ["drive_a.tau.u", "drive_b.tau.u"]
    s = m.realtime(h=1e-3)
    s.inputs["drive_b.tau.u"] = 1
    s.step(100)
    assert s["a.w"] == 0.0
    assert s["b.w"] > 0.01


def test_adaptive_runs_keep_the_value():
    result = simulate(driven(), t_end=2)
    assert result["mass.w"][-1] == pytest.approx(1.0, abs=1e-9)
    assert simulate(Model.from_yaml(driven().to_yaml()), t_end=2)["mass.w"][-1] == result["mass.w"][-1]


def test_measured_runs_move_on_as_others_do():
    s = driven().realtime(h=1e-3)
    paced = s.measure(n=20, inputs={"motor.tau": 3.0})
    assert (paced.seconds.size, paced.late.size, s.count) == (20, 20, 20)
    free = s.measure(t_end=0.05, pace=False, outputs=["mass.w"])
    assert (free.seconds.size, free.paced, s.time) == (30, False, 0.05)
    assert (free.seconds > 0).all()
    assert s["mass.w"] == pytest.approx(3 / 2 * 0.05, abs=1e-15)


def test_an_interrupt_ends_a_paced_run():
    class Enough(Exception):
        pass

    def progress(fraction):
        raise Enough

    s = driven().realtime(h=1e-3)
    with pytest.raises(Enough):
        s.measure(n=1_000_000, progress=progress)
    assert s.count < 100_000
    s.step()  # it can go on


def test_threads_keep_to_their_own():
    """Two threads on one machine would mix its tasks: the second one is refused."""
    s = driven().realtime(h=1e-3)
    refused = []

    def progress(fraction):
        try:
            s.step()
        except RuntimeError as error:
            refused.append(str(error))

    s.measure(n=300, progress=progress)
    assert "another thread" in refused[0]


def test_runs_of_nothing_and_of_less_than_a_record():
    s = driven().realtime(h=1e-3)
    nothing = s.run(n=0)
    assert (nothing.time.tolist(), s.count) == ([0.0], 0)
    assert s.run(n=3, every=10).time.tolist() == [0.0]
    assert s.count == 3
    assert s.measure(n=0, pace=False).to_dict()["tasks"] == 0


def test_analyses_take_inputs_from_outside_as_constants():
    linear = driven().linearize()
    assert linear.A.shape == (2, 2)
    assert driven().check() == []


@pytest.mark.parametrize("option", ["energy", "hold_signals", "literal_sign"])
def test_switches_are_true_or_false(option):
    with pytest.raises(SpecError, match=f"{option} = 'no' must be True or False"):
        driven().realtime(1e-3, method="ode1", substeps=2, **{option: "no"})


def test_signals_cannot_be_held_over_one_step():
    with pytest.raises(SpecError, match="hold_signals needs substeps"):
        driven().realtime(1e-3, hold_signals=True)


def test_numbers_of_tasks_are_whole(stepper):
    for wrong in (1.5, "one", None):
        with pytest.raises(SpecError, match="step: n"):
            stepper.step(wrong)
    stepper.step(np.int64(2))
    stepper.step(2.0)
    assert stepper.count == 4


def test_outputs_are_named_by_text(stepper):
    with pytest.raises(UnknownOutput, match="'0'"):
        stepper[0]
    assert stepper.run(n=1, outputs="friction.tau").names == ("friction.tau",)
    assert stepper.run(n=1, outputs=["mass.w", "mass.w"]).names == ("mass.w",)
    with pytest.raises(UnknownOutput, match="'0'"):
        stepper.run(n=1, outputs=[0])


def test_snapshots_may_be_any_bytes(stepper):
    before = stepper.snapshot()
    for kind in (bytearray, memoryview):
        stepper.step()
        stepper.restore(kind(before))
        assert stepper.count == 0


def test_courses_are_one_row_of_real_numbers():
    s = driven().realtime(h=1e-2)
    for wrong, why in (
        (np.ones((3, 2)), r"has the shape \(3, 2\)"),
        ((x for x in (1.0, 2.0)), r"has the shape \(\)"),
        ([[1.0], [1.0, 2.0]], "different lengths"),
        (np.array([1, 2j]), "real numbers"),
        (["1 N.m", "2 N.m"], "real numbers"),
    ):
        with pytest.raises(SpecError, match=rf"motor\.tau .*{why}"):
            s.run(inputs={"motor.tau": wrong})


def test_a_ledger_that_is_not_kept_says_so():
    s = driven().realtime(1e-2, energy=False)
    assert "not computed" in str(s.run(n=10).energy)
    assert "not computed" in str(s.energy)


ELSEWHERE = """
import sys, stribeck as sb
plant = sb.Model.from_yaml(sys.stdin.buffer.readline().decode("unicode_escape")).realtime(1e-2)
plant.restore(sys.stdin.buffer.read())
plant.step(100)
sys.stdout.buffer.write(plant.snapshot())
"""


def test_goes_on_in_another_process():
    """From the model and the bytes of a snapshot, to the last bit: nothing in them is an address."""
    model = driven()
    here = model.realtime(1e-2)
    here.inputs["motor.tau"] = 5.0
    here.step(50)
    text = model.to_yaml().encode("unicode_escape") + b"\n"
    command = [sys.executable, "-c", ELSEWHERE]
    there = subprocess.run(command, input=text + here.snapshot(), capture_output=True, check=True).stdout
    twin = model.realtime(1e-2)
    twin.restore(there)
    here.step(100)
    assert twin.time == here.time
    assert np.array_equal(twin.state, here.state)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, copy.copy, pickle.dumps])
def test_copies_are_made_by_copy(stepper, duplicate):
    with pytest.raises(TypeError, match=r"copy\(\) makes a second one"):
        duplicate(stepper)


def test_nothing_to_plot(stepper, tmp_path):
    with pytest.raises(StribeckError, match="no outputs to plot"):
        stepper.run(n=5, outputs=[]).plot(path=tmp_path / "nothing.png")
    with pytest.raises(StribeckError, match="no task was measured"):
        stepper.measure(n=0, pace=False).plot(tmp_path / "nothing.png")


@pytest.mark.parametrize("pace", [True, False])
def test_an_interrupt_may_end_a_measurement(pace):
    """As Ctrl-C does, while the main thread waits for the one that steps."""

    def interrupt(*_):
        raise KeyboardInterrupt

    s = driven().realtime(h=1e-3)
    former = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.15)
        times = s.measure(n=20_000_000, pace=pace, interruptible=True)
        assert 20_000_000 > times.seconds.size == s.count > 0
        signal.setitimer(signal.ITIMER_REAL, 0.15)
        with pytest.raises(KeyboardInterrupt):
            s.measure(n=1_000_000)
        s.step()  # nothing steps it any more
    finally:
        signal.signal(signal.SIGALRM, former)


def test_an_interrupt_carries_the_result_so_far() -> None:
    """What `progress` raises ends a run as Ctrl-C does: after the tasks that are done."""
    stepper = load_model("stick-slip").realtime(h="1 ms")

    def interrupt(share: float) -> None:
        if share > 0.2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        stepper.run(n=200_000, outputs=["mass.w"], progress=interrupt)
    result = caught.value.result
    assert 40_000 < stepper.count < 200_000
    assert result.time.size == stepper.count + 1
    assert np.isfinite(np.asarray(result["mass.w"])).all()
