"""Random machines with every element, signal and law: exported plants have the bits of Stepper and of with_values."""

import random
from contextlib import suppress

import numpy as np
import pytest
from support.assorted import assorted
from support.plant import ADAPTIVE, CError, Kind, Plant

import stribeck as sb

H = 1e-3
TASKS = 40
CHANGED = 6


def compare(runtime, seed: int) -> None:
    """Steps, a snapshot and some parameters of one machine."""
    program = sb.compile_model(sb.Model.from_dict(assorted(seed)))
    try:
        stepper = sb.realtime(program, H, energy=False)
    except sb.SimulationError as error:
        with pytest.raises(CError, match=f"stopped at t = 0 s at {error.elements[0]}:"):
            Plant(runtime, program, H)
        raise Failed from None
    plant = Plant(runtime, program, H)
    kept = plant.save()
    move(plant, stepper)
    plant.restore(kept)
    plant.step(TASKS // 2)
    other = Plant(runtime, program, H)
    other.restore(plant.save())
    other.step(TASKS - TASKS // 2)
    assert outputs(other) == shown(stepper)
    for name in random.Random(seed).sample(sorted(program.parameters), min(CHANGED, len(program.parameters))):
        change(runtime, program, name)


def move(plant: Plant, stepper: sb.Stepper) -> None:
    try:
        stepper.step(TASKS)
    except sb.SimulationError as error:
        with pytest.raises(CError) as caught:
            plant.step(TASKS)
        assert all(name in str(caught.value) for name in error.elements[:1])
        raise Failed from None
    plant.step(TASKS)
    assert outputs(plant) == shown(stepper)


class Failed(Exception):
    """Both have failed with the same element: there is nothing else to compare."""


def change(runtime, program: sb.Program, name: str) -> None:
    """Another value of a parameter, if the compiled model has it."""
    known = program.parameters[name]
    if isinstance(known.value, list) or not known.tunable:
        return
    value = float(f"{known.value * 1.01 if known.value else 0.01:.7g}")
    try:
        varied = program.with_values({name: value})
    except sb.StribeckError:
        return
    plant = Plant(runtime, program, H)
    try:
        plant.set(Kind.PARAMETER, {name: value})
        plant.start()
        plant.step(3)
    except CError as error:
        assert "equations have other terms" not in str(error) or varied.record is not program.record, name
        return
    if varied.record is program.record:
        stepper = sb.realtime(varied, H, energy=False)
        stepper.step(3)
        assert outputs(plant) == shown(stepper), name


def outputs(plant: Plant) -> bytes:
    return plant.all(Kind.OUTPUT).tobytes()


def shown(stepper: sb.Stepper) -> bytes:
    return np.array([stepper[name] for name in stepper.program.output_names]).tobytes()


def run(runtime, seed: int) -> None:
    with suppress(Failed):
        compare(runtime, seed)


@pytest.mark.parametrize("seed", range(25))
def test_random_machines(runtime, seed):
    run(runtime, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25, 1500))
def test_many_random_machines(runtime, seed):
    run(runtime, seed)


@pytest.mark.parametrize("seed", range(6))
def test_adaptive_runs_of_random_machines(runtime, seed):
    program = sb.compile_model(sb.Model.from_dict(assorted(seed)))
    end = min(0.2, program.simulation.t_end)
    run = sb.simulate(program, t_end=end, times=[0, end])
    plant = Plant(runtime, program, H, ADAPTIVE, t_end=end)
    plant.advance(end)
    # the same steps; simulate shows the end by the interpolant of the last one: rounding, which accelerations amplify
    ends = [run[name][-1] for name in program.state_names if name in program.output_names]
    found = [plant.get(Kind.OUTPUT, name) for name in program.state_names if name in program.output_names]
    assert found == pytest.approx(ends, rel=1e-9, abs=1e-9)
