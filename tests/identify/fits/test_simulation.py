"""Models driven by measured inputs."""

import numpy as np
import pytest
from support.rigs import SAMPLE, driven, machine, push

import stribeck as sb
from stribeck.identify.fits.simulation import Rig, even_step, simulate_all

OUTPUTS = {"load.s": "s"}
INPUTS = {"motor.f": "f"}


def blank(**options):
    force = push()
    return sb.identify.Measurement({"f": force, "s": force}, sample_time=SAMPLE, **options)


@pytest.mark.parametrize("hold", [True, False])
def test_samples_are_put_in_as_if_compiled(hold):
    """To the last bit what a model with the whole table gives."""
    rig = Rig(machine(), blank(), OUTPUTS, INPUTS, {}, hold=hold, tolerance=1e-9)
    plain = np.asarray(driven(machine(), push(), "hold" if hold else "linear")["load.s"])
    assert np.array_equal(rig.simulate({})[0], plain)


@pytest.mark.parametrize("hold", [True, False])
def test_fixed_steps_converge_to_the_adaptive_ones(hold):
    exact = Rig(machine(), blank(), OUTPUTS, INPUTS, {}, hold=hold, tolerance=1e-10).simulate({})[0]
    errors = []
    for parts in (2, 8, 32):
        rig = Rig(machine(), blank(), OUTPUTS, INPUTS, {}, "fixed", hold, parts)
        errors.append(np.abs(rig.simulate({})[0] - exact).max())
    assert errors[1] < 0.4 * errors[0] and errors[2] < 0.4 * errors[1]
    assert errors[2] < 1e-4 * np.ptp(exact)


@pytest.mark.parametrize("solver", ["adaptive", "fixed"])
def test_a_prescribed_position_follows_its_channel(solver):
    model = sb.Model("led")
    model.add("drive", sb.Position(s=sb.External(0)))
    model.add("spring", sb.Spring("drive", "load", c=100.0))
    model.add("load", sb.Mass(m=1.0))
    time = SAMPLE * np.arange(501)
    run = sb.identify.Measurement({"x": 0.1 * np.sin(3 * time) ** 2}, sample_time=SAMPLE)
    rig = Rig(model, run, {"drive.s": "x"}, {"drive.s": "x"}, {}, solver)
    assert rig.simulate({})[0] == pytest.approx(np.asarray(run["x"]), abs=1e-12)


def test_many_sets_come_in_order_and_those_that_cannot_run_as_none():
    rig = Rig(machine(sb.LuGre(mu_c=1.0, mu_s=1.5)), blank(), OUTPUTS, INPUTS, {}, "fixed")
    sets = [{"load.m": 1.0}, {"joint.law.mu_s": 0.5}, {"load.m": 2.0}]
    first, refused, third = simulate_all([rig, rig], sets)
    assert refused is None
    assert np.array_equal(first[0], rig.simulate(sets[0])) and np.array_equal(first[1], first[0])
    assert np.array_equal(third[0], rig.simulate(sets[2]))


@pytest.mark.parametrize("hold", [True, False])
@pytest.mark.parametrize("solver", ["adaptive", "fixed"])
def test_points_of_a_batch_are_single_runs(solver, hold):
    """To the last bit, also where a set of values needs another structure or cannot be run."""
    rig = Rig(machine(sb.LuGre(mu_c=1.0, mu_s=1.5)), blank(), OUTPUTS, INPUTS, {}, solver, hold, 2)
    sets = [{"joint.law.mu_c": mu, "load.m": 1.1} for mu in (0.9, 1.0, 1.6)]
    first, second, refused = rig.simulate_many(sets)
    assert refused is None
    assert np.array_equal(first, rig.simulate(sets[0])) and np.array_equal(second, rig.simulate(sets[1]))


def test_values_that_are_only_accepted_together_are_set():
    law = (
        machine(sb.LuGre(mu_c=1.0, mu_s=1.5))
        .varied({"joint.law.mu_c": 2.0, "joint.law.mu_s": 2.5})
        .elements["joint"]
        .law
    )
    assert (law.mu_c, law.mu_s) == (2.0, 2.5)
    with pytest.raises(sb.SpecError, match="must not be below"):
        machine(sb.LuGre()).varied({"joint.law.mu_c": 2.0, "joint.law.mu_s": 1.9})


def test_uneven_times_need_the_adaptive_solver():
    time = np.cumsum(SAMPLE * (1 + 0.3 * np.sin(np.arange(400))))
    run = sb.identify.Measurement({"f": np.sin(time), "s": time}, time)
    assert Rig(machine(), run, OUTPUTS, INPUTS, {}).simulate({}).shape == (1, 400)
    with pytest.raises(sb.SpecError, match="a constant sample time"):
        Rig(machine(), run, OUTPUTS, INPUTS, {}, "fixed")


def test_a_clock_that_jitters_is_put_right():
    assert even_step(0.00100000002, 1000) == 0.001
    assert even_step(1 / 3000, 10_000) == 1 / 3000  # six digits would shift the last sample
    time = 1e-3 * np.arange(200) + 2e-8 * np.sin(np.arange(200.0))
    rig = Rig(machine(), sb.identify.Measurement({"f": time, "s": time}, time), OUTPUTS, INPUTS, {})
    assert rig.time == pytest.approx(1e-3 * np.arange(200), abs=1e-15)
