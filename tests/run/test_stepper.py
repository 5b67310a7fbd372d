"""Fixed steps from Python: stepping, looking, going back, running on."""

import numpy as np
import pytest

from stribeck import (
    Fixed,
    Inertia,
    Model,
    SimulationError,
    SpecError,
    Spring,
    UnknownName,
    compile_model,
    load_model,
    realtime,
)
from stribeck.results import UnknownOutput


@pytest.fixture
def stepper():
    return load_model("stick-slip").realtime(h="1 ms", method="ode1")


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
        realtime(load_model("stick-slip"), h="2 ms", method="ode1").restore(stepper.snapshot())
    with pytest.raises(SpecError, match="not a snapshot"):
        realtime(load_model("gearbox"), h="1 ms", method="ode1").restore(stepper.snapshot())
    with pytest.raises(SpecError, match="not a snapshot"):
        stepper.restore(b"")


def test_a_run_goes_on_where_the_last_one_ended(stepper):
    program = compile_model(load_model("stick-slip"))
    whole = realtime(program, 1e-3, method="ode1").run(t_end=0.2)
    first, second = stepper.run(t_end=0.1), stepper.run(t_end="0.2 s")
    assert np.array_equal(np.hstack([first.data, second.data[:, 1:]]), whole.data)
    assert second.time[0] == first.time[-1]


def test_refuses(stepper):
    with pytest.raises(SpecError, match="one of them"):
        stepper.run()
    stepper.step()
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
    with pytest.raises(SimulationError, match=r"stopped at t = .*h or method") as caught:
        stepper.run(t_end=1000)
    assert caught.value.time == stepper.time == caught.value.result.time[-1]
    assert np.isfinite(caught.value.result.data).all()
