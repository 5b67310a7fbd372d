"""Runs in lanes have the bits of runs one by one: on machines of every generator, with every set of instructions.

The suite compares a seeded part; STRIBECK_RUNS machines of each generator are compared behind the slow marker.
"""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest
from support.campaign import GENERATORS

import stribeck as sb
from stribeck.kernel import instructions

LAWS = list(sb.laws.all_laws().values())
RUNS = int(os.environ.get("STRIBECK_RUNS", "400"))
SETS = instructions()
SEEDS = {"drivelines": (14, 20), "assorted": (0, 1, 2), "symmetric": (5, 23)}
"""Of the suite; machines on which something was once different are among them."""
MEASURES = ("max", "mean", "crossings(0.01)", "rms", "last")
needs_lanes = pytest.mark.skipif(not SETS, reason="this build has no lanes: its compiler knows no vector types")


def spread(program: sb.Program, seed: int, points: int) -> dict[str, np.ndarray]:
    """Values of some parameters, within 3 % of those of the model."""
    rng = np.random.default_rng(seed)
    names = [path for path, p in program.parameters.items() if isinstance(p.value, float) and p.value != 0]
    chosen = sorted(rng.permutation(names)[:4])
    return {path: program.parameters[path].value * rng.uniform(0.97, 1.03, points) for path in chosen}


def differences(program: sb.Program, values: dict[str, np.ndarray], **options: object) -> list[str]:
    """Results that are not the same to the last bit, the sign of a zero included."""
    lanes = sb.batch(program, values, **options)  # type: ignore[arg-type]
    alone = sb.batch(program, values, **options | {"lanes": False, "jobs": 2})  # type: ignore[arg-type]
    wrong = [name for name in alone.measures if lanes[name].tobytes() != alone[name].tobytes()]
    if alone.traces is not None and lanes.traces is not None:
        rows = zip(alone.names, range(len(alone.names)), strict=True)
        wrong += [n for n, i in rows if lanes.traces[:, i].tobytes() != alone.traces[:, i].tobytes()]
    if {k: str(e) for k, e in lanes.failures.items()} != {k: str(e) for k, e in alone.failures.items()}:
        wrong.append("failures")
    return wrong


def compare(name: str, seed: int, lanes: str, ends: bool = False) -> list[str]:
    """Differences of a random machine; `ends`: only last values are wanted, so little passes out of lanes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            program = sb.compile_model(sb.Model.from_dict(GENERATORS[name](seed).plain))
        except sb.StribeckError:
            return []  # it cannot be built, which others test
        outputs = list(program.output_names)
        measures = [f"{output}:{word}" for output, word in zip(outputs, MEASURES, strict=False)]
        if ends:
            measures = [f"{output}:last" for output in outputs]
        return differences(
            program,
            spread(program, seed, 11),
            outputs=None if ends else outputs,
            measures=measures,
            intervals=53,
            max_seconds=20,
            lanes=lanes,
            jobs=1,
        )


@needs_lanes
@pytest.mark.parametrize("lanes", SETS)
@pytest.mark.parametrize("name", GENERATORS)
def test_random_machines_have_the_same_bits(name: str, lanes: str) -> None:
    wrong = {seed: found for seed in SEEDS[name] if (found := compare(name, seed, lanes))}
    assert not wrong


@needs_lanes
@pytest.mark.parametrize("lanes", SETS)
@pytest.mark.parametrize("name", GENERATORS)
def test_their_ends_have_the_same_bits(name: str, lanes: str) -> None:
    wrong = {seed: found for seed in SEEDS[name] if (found := compare(name, seed, lanes, ends=True))}
    assert not wrong


@needs_lanes
@pytest.mark.parametrize("lanes", SETS)
def test_machines_with_an_event_in_almost_every_step(lanes: str) -> None:
    """Runs that start together, and more of them than lanes; the step of an event ends in lanes."""
    program = sb.compile_model(sb.load_model("gearbox"))
    values = spread(program, 1, 29)
    ends = [f"{output}:last" for output in program.output_names]
    assert not differences(program, values, measures=ends, lanes=lanes, jobs=1)
    assert not differences(program, values, measures=["C1:dissipated"], lanes=lanes, jobs=1)


@needs_lanes
@pytest.mark.slow
@pytest.mark.parametrize("ends", [False, True])
@pytest.mark.parametrize("lanes", SETS)
@pytest.mark.parametrize("name", GENERATORS)
def test_many_random_machines_have_the_same_bits(name: str, lanes: str, ends: bool) -> None:
    wrong = {seed: found for seed in range(RUNS) if (found := compare(name, seed, lanes, ends))}
    assert not wrong


@needs_lanes
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_every_law_has_the_same_bits(law: type[sb.laws.Law]) -> None:
    """Pushed back and forth, so that it sticks, creeps and slides; written for lanes or not."""
    model = sb.Model("swing", t_end=0.4)
    body = model.add("body", sb.Mass(m=1.0))
    model.add("guide", sb.Guide(body, law=law()))
    model.add("force", sb.Force(body, f=sb.Sine(amplitude=3.0, f=5.0)))
    values = {"body.m": np.linspace(0.5, 1.5, 10)}
    assert not differences(
        sb.compile_model(model), values, outputs=["body.v", "guide.f"], measures=["guide:dissipated"]
    )


@needs_lanes
def test_neighbours_order_and_number_mean_nothing() -> None:
    """A point alone in its group, among others, in any lane; more points than lanes, and fewer."""
    program = sb.compile_model(sb.load_model("stick-slip"))
    values = spread(program, 1, 23)
    options = {"measures": ["mass.w:max", "mass.w:period(0.1)", "friction:dissipated"], "t_end": 10.0}
    whole = sb.batch(program, values, **options)
    order = np.random.default_rng(2).permutation(23)
    mixed = sb.batch(program, {path: column[order] for path, column in values.items()}, **options, jobs=1)
    few = sb.batch(program, {path: column[:3] for path, column in values.items()}, **options)
    for name in whole.measures:
        np.testing.assert_array_equal(mixed[name], whole[name][order])
        np.testing.assert_array_equal(few[name], whole[name][:3])


@needs_lanes
def test_measures_after_settling_and_of_jumps() -> None:
    """Crossings by a jump of the output at an event, and measures that begin late."""
    program = sb.compile_model(sb.load_model("gearbox"))
    name = next(output for output in program.output_names if output.endswith(".tau"))
    measures = [f"{name}:crossings(1)", f"{name}:mean", f"{name}:max"]
    assert not differences(program, spread(program, 3, 9), measures=measures, settle=0.3 * program.simulation.t_end)


@needs_lanes
def test_a_run_alone_has_the_bits_of_lanes() -> None:
    """Also: instants of one run side by side show what single ones show."""
    program = sb.compile_model(sb.load_model("powertrain-3"))
    values = spread(program, 4, 5)
    times = np.linspace(0.0, program.simulation.t_end, 401)
    many = sb.batch(program, values, outputs=list(program.output_names), times=times)
    assert many.traces is not None
    for point in range(5):
        one = sb.simulate(program.with_values({path: column[point] for path, column in values.items()}), times=times)
        for i, name in enumerate(many.names):
            np.testing.assert_array_equal(many.traces[point, i], one[name], err_msg=name)


@needs_lanes
def test_one_that_fails_leaves_its_neighbours_alone() -> None:
    """A point that runs out of steps, in a lane beside others."""
    program = sb.compile_model(sb.load_model("stick-slip"))
    values = {"pull.w": np.array([0.1, 0.1, 3.0, 0.1])}
    result = sb.batch(program, values, measures=["mass.w:max"], max_steps=600)
    alone = sb.batch(program, values, measures=["mass.w:max"], max_steps=600, lanes=False)
    assert list(result.failures) == list(alone.failures)
    np.testing.assert_array_equal(result["mass.w:max"], alone["mass.w:max"])


def test_unknown_instructions_are_refused() -> None:
    with pytest.raises(sb.SpecError, match="lanes = 'mmx' is not on this processor"):
        sb.batch("stick-slip", {"pull.w": [0.1, 0.2]}, measures=["mass.w:max"], lanes="mmx")
