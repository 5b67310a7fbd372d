"""Fixed steps in lanes have the bits of plants one by one, with every set of instructions.

Machines that lanes know are checked to be in them; those of the generators, of which most have contacts that act on
each other, run alone, and the answers must be the same.
"""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from support.campaign import GENERATORS

import stribeck as sb
from stribeck.kernel import instructions
from stribeck.run.copies import Copies
from stribeck.run.task import Task

LAWS = list(sb.laws.all_laws().values())
IN_LANES = {"Coulomb", "CoulombViscous", "Dahl", "DampedLuGre", "FrictionTable", "Karnopp", "LuGre", "SimplifiedLuGre"}
IN_LANES |= {"Stribeck", "Switch", "Tanh"}
"""Laws that fixed steps know in lanes: without discrete states, and with at most one state that is linear."""
SETS = instructions()
SEEDS = {"drivelines": (14, 20), "assorted": (0, 1), "symmetric": (5,)}
MEASURES = ("max", "mean", "crossings(0.01)", "rms", "last")
N = 11
needs_lanes = pytest.mark.skipif(not SETS, reason="this build has no lanes: its compiler knows no vector types")


def spread(program: sb.Program, seed: int) -> dict[str, np.ndarray]:
    """Values of some parameters, within 3 % of those of the model."""
    rng = np.random.default_rng(seed)
    names = [path for path, p in program.parameters.items() if isinstance(p.value, float) and p.value != 0]
    return {path: program.parameters[path].value * rng.uniform(0.97, 1.03, N) for path in rng.permutation(names)[:4]}


def differences(program: sb.Program, values: dict[str, Any], lanes: str, t_end: float = 0.2) -> list[str]:
    """Traces and measures of a batch that are not the same to the last bit, the sign of a zero included."""
    outputs = list(program.output_names)
    measures = [f"{output}:{word}" for output, word in zip(outputs, MEASURES, strict=False)]
    options = {"outputs": outputs, "measures": measures, "t_end": t_end, "intervals": 50, "step": 1e-3, "jobs": 1}
    many = sb.batch(program, values, **options, lanes=lanes)  # type: ignore[arg-type]
    alone = sb.batch(program, values, **options, lanes=False)  # type: ignore[arg-type]
    assert many.traces is not None and alone.traces is not None
    wrong = [name for name in measures if many[name].tobytes() != alone[name].tobytes()]
    wrong += [o for i, o in enumerate(outputs) if many.traces[:, i].tobytes() != alone.traces[:, i].tobytes()]
    return wrong + ["failures"] * (many.failures != alone.failures)


def in_lanes(program: sb.Program, values: dict[str, Any]) -> int:
    """Copies that are in lanes after some tasks."""
    copies = Copies(program, Task.of("1 ms"), N, values)
    copies.step(40)
    return copies._kernel.in_lanes()


def swing(law: type[sb.laws.Law]) -> sb.Program:
    """A body pushed back and forth, so that it sticks, creeps and slides."""
    model = sb.Model("swing", t_end=0.4)
    body = model.add("body", sb.Mass(m=1.0))
    model.add("guide", sb.Guide(body, law=law()))
    model.add("force", sb.Force(body, f=sb.Sine(amplitude=3.0, f=5.0)))
    return sb.compile_model(model)


@needs_lanes
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_every_law_has_the_same_bits(law: type[sb.laws.Law]) -> None:
    program, values = swing(law), {"body.m": np.linspace(0.5, 1.5, N)}
    assert in_lanes(program, values) == (N if law.__name__ in IN_LANES else 0)
    for lanes in SETS:
        assert not differences(program, values, lanes, 0.4)


def controlled() -> sb.Model:
    """A joint with a controller, whose free motion is no constant matrix."""
    model = sb.Model("joint", t_end=1.0)
    motor, load = model.add("motor", sb.Inertia(J=1e-3)), model.add("load", sb.Inertia(J=1e-2))
    model.add("shaft", sb.SpringDamper(motor, load, c=50.0, d=0.02))
    law = sb.LuGre(sigma0=1e3, sigma1=1.0, tau_c=0.1, tau_s=0.15, w_s=0.05)
    model.add("friction", sb.Bearing(load, law=law))
    control = sb.PID(sb.Sine(0.5, 1.0), load.sensor("phi"), Kp=5.0, Ki=10.0, Kd=0.1, T_f=0.01)
    model.add("drive", sb.Torque(motor, tau=control))
    return model


MACHINES = {
    "prescribed motion": lambda: sb.load_model("stick-slip"),
    "locks": lambda: sb.load_model("powertrain-3"),
    "judder": lambda: sb.load_model("clutch-judder"),
    "controller": controlled,
}


@needs_lanes
@pytest.mark.parametrize("lanes", SETS)
@pytest.mark.parametrize("name", MACHINES)
def test_machines_in_lanes_have_the_same_bits(name: str, lanes: str) -> None:
    program = sb.compile_model(MACHINES[name]())
    values = spread(program, 1)
    assert in_lanes(program, values) == N
    assert not differences(program, values, lanes, min(program.simulation.t_end, 1.0))


def chain(n: int, law: sb.laws.Law) -> sb.Program:
    """Bodies on springs and dampers, one of them with friction; beside them a body with separate friction."""
    model, chance = sb.Model("chain", t_end=0.3), np.random.default_rng(n)
    bodies = [model.add(f"body{i}", sb.Inertia(J=chance.uniform(0.1, 1.0), w0=chance.normal())) for i in range(n)]
    for i, (a, b) in enumerate(pairwise(bodies)):
        model.add(f"shaft{i}", sb.SpringDamper(b, a, c=chance.uniform(10, 1000), d=chance.uniform(0, 0.2)))
    ends = chance.permutation(n)[:2]
    model.add("contact", sb.Bearing(bodies[ends[0]], law=law))
    if n > 1:
        model.add("push", sb.Torque(bodies[ends[1]], tau=sb.Sine(amplitude=3.0, f=5.0)))
        model.add("other", sb.Inertia(J=0.3, w0=1.0))
        model.add("guide", sb.Bearing("other", law=law))
    return sb.compile_model(model)


@needs_lanes
@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 9])
def test_chains_of_any_length_have_the_same_bits(n: int) -> None:
    """Machines of few speeds have full matrices in lanes, others sparse rows; with two islands."""
    for law in (sb.Switch(mu_c=0.8, mu_s=1.0, mu_v=0.1), sb.LuGre(sigma0=1e3, sigma1=1.0)):
        program = chain(n, law)
        values = spread(program, n)
        assert in_lanes(program, values) == N
        for lanes in SETS:
            assert not differences(program, values, lanes)


@needs_lanes
@pytest.mark.parametrize("lanes", SETS)
@pytest.mark.parametrize("name", GENERATORS)
def test_random_machines_have_the_same_bits(name: str, lanes: str) -> None:
    wrong = {}
    for seed in SEEDS[name]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = sb.compile_model(sb.Model.from_dict(GENERATORS[name](seed).plain))
            wrong[seed] = differences(program, spread(program, seed), lanes)
    assert not any(wrong.values())


CLUTCHES = {"lock": sb.Switch(mu_c=0.8, mu_s=1.0), "bristle": sb.LuGre(sigma0=1e4, sigma1=10.0)}


def clutch(law: sb.laws.Law) -> sb.Program:
    """A clutch that an input closes and opens."""
    model = sb.Model("clutch", t_end=1.0)
    engine, car = model.add("engine", sb.Inertia(J=0.2, w0=30.0)), model.add("car", sb.Inertia(J=0.5))
    model.add("clutch", sb.Clutch(engine, car, law=law, fn_max=40.0, f_normalized=sb.External(0.0)))
    return sb.compile_model(model)


@needs_lanes
@pytest.mark.parametrize("law", CLUTCHES.values(), ids=CLUTCHES)
def test_inputs_that_change_at_any_task(law: sb.laws.Law) -> None:
    """Loads begin and end in some of the lanes only; one copy is reset on the way."""
    program, chance = clutch(law), np.random.default_rng(3)
    values = {"car.J": np.linspace(0.3, 0.7, N)}
    many = Copies(program, Task.of("1 ms"), N, values)
    alone = [sb.realtime(program.with_values({"car.J": J}), "1 ms", energy=False) for J in values["car.J"]]
    names = ["engine.w", "car.w", "clutch.tau", "clutch.w_rel"]
    for round_ in range(60):
        u = np.where(chance.uniform(size=N) < 0.4, 0.0, chance.uniform(size=N))
        n = int(chance.integers(1, 9))
        seen = many.run(n, names, {"clutch.f_normalized": u})
        for i, plant in enumerate(alone):
            plant.inputs["clutch.f_normalized"] = u[i]
            plant.step(n)
            assert tuple(seen[i, :, -1]) == tuple(plant[name] for name in names)
            assert many.time[i] == plant.time
        if round_ == 30:
            which = np.arange(N) == 4
            many.reset(which)
            alone[4].reset()
    assert many._kernel.in_lanes() > 0


@needs_lanes
def test_threads_order_and_neighbours_mean_nothing() -> None:
    program = sb.compile_model(sb.load_model("powertrain-3"))
    values = spread(program, 2)
    options: dict[str, Any] = {
        "measures": [f"{program.output_names[0]}:rms"],
        "t_end": 0.5,
        "intervals": 10,
        "step": 1e-3,
    }
    (name,) = options["measures"]
    order = np.random.default_rng(2).permutation(N)
    whole = sb.batch(program, values, **options, jobs=1)[name]
    mixed = sb.batch(program, {path: column[order] for path, column in values.items()}, **options, jobs=2)[name]
    few = sb.batch(program, {path: column[:3] for path, column in values.items()}, **options, jobs=1)[name]
    np.testing.assert_array_equal(mixed, whole[order])
    np.testing.assert_array_equal(few, whole[:3])


@needs_lanes
def test_one_that_fails_leaves_its_neighbours_alone() -> None:
    """A copy whose states run away, in a lane beside others."""
    model = sb.Model("runaway", t_end=1.0)
    body = model.add("body", sb.Mass(m=1.0, v0=1.0))
    model.add("guide", sb.Guide(body, law=sb.Tanh()))
    model.add("force", sb.Force(body, f=1.0))
    program = sb.compile_model(model)
    values = {"force.f": np.array([1.0, 1e305, 2.0, 3.0])}
    options: dict[str, Any] = {"measures": ["body.v:last"], "intervals": 10, "step": 1e-3, "jobs": 1}
    many, alone = (sb.batch(program, values, **options, lanes=lanes) for lanes in (True, False))
    assert list(many.failures) == [1] and many.failures == alone.failures
    np.testing.assert_array_equal(many["body.v:last"], alone["body.v:last"])
