"""Values of a program follow from its parameters without compiling, to the last bit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import support.campaign as campaign
from support.machines import MACHINES
from support.varying import Varying

import stribeck as sb

LONG = {"varying"}
"""Machines with so many parameters that they take more than 5 s."""


@pytest.mark.parametrize("name", [pytest.param(x, marks=[pytest.mark.slow] * (x in LONG)) for x in MACHINES])
def test_every_parameter_as_compiled(name: str) -> None:
    varying = Varying()
    varying.check(name, MACHINES[name]())
    assert not varying.faults


@pytest.mark.parametrize("name", campaign.GENERATORS)
def test_random_machines_as_compiled(name: str) -> None:
    """A seeded part of what `pytest -m slow` does with 500 machines."""
    varying = Varying()
    for seed in (2, 3):
        varying.check(f"{name} {seed}", sb.Model.from_dict(campaign.GENERATORS[name](seed).plain))
    assert not varying.faults
    assert varying.tunable >= 0.9 * varying.parameters  # of all 500 at least 95 %, below


@pytest.mark.slow
def test_500_random_machines_as_compiled() -> None:
    varying = Varying()
    for name in campaign.GENERATORS:
        for seed in range(167):
            varying.check(f"{name} {seed}", sb.Model.from_dict(campaign.GENERATORS[name](seed).plain))
    print(varying.parameters, varying.tunable, varying.refused, varying.other_structure)
    assert not varying.faults
    assert varying.tunable >= 0.95 * varying.parameters


@pytest.fixture(scope="module")
def program() -> sb.Program:
    return sb.load_model("stick-slip").compile()


def test_a_run_with_other_values_is_that_of_the_varied_model(program: sb.Program) -> None:
    values = {"spring.c": "3 N.m/rad", "*.law.tau_s": 1.7, "simulation.t_end": "5 s"}
    varied = sb.simulate(program.with_values(values))
    compiled = sb.simulate(sb.load_model("stick-slip").varied(values))
    assert varied.time[-1] == 5.0
    assert varied.data.tobytes() == compiled.data.tobytes()
    assert varied.parameters["spring.c"] == 3.0
    assert varied.parameters["friction.law.mu_s"] == 1.7


def test_parameters_say_what_they_are(program: sb.Program) -> None:
    c = program.parameters["spring.c"]
    assert (c.value, c.unit, c.min, c.tunable) == (2.0, "N.m/rad", 0, True)
    assert program.parameters["pull.w"].text == "speed"
    assert program.with_values({"spring.c": 4}).parameters["spring.c"].value == 4.0
    assert program.parameters["spring.c"].value == 2.0


def test_a_default_that_is_a_multiple_follows(program: sb.Program) -> None:
    model = sb.load_model("stick-slip").varied({"friction.law": sb.LuGre(mu_c=1.0)})
    program = model.compile()
    assert program.with_values({"friction.law.mu_c": 2.0}).parameters["friction.law.mu_s"].value == 3.0
    both = program.with_values({"friction.law.mu_c": 2.0, "friction.law.mu_s": 2.5})
    assert both.parameters["friction.law.mu_s"].value == 2.5
    assert both.with_values({"friction.law.mu_c": 1.5}).parameters["friction.law.mu_s"].value == 2.5


@pytest.mark.parametrize(
    "values",
    [
        {"spring.c": -1},
        {"spring.c": "3 kg"},
        {"spring.c": float("nan")},
        {"friction.law.mu_c": 2.0, "friction.law.mu_s": 1.0},
        {"mass.J": 0},
        {"friction.load": -1},
        {"spring.k": 3},
        {"sprung.c": 3},
    ],
)
def test_refusals_are_those_of_a_model(program: sb.Program, values: dict[str, object]) -> None:
    with pytest.raises(sb.SpecError) as compiled:
        sb.load_model("stick-slip").varied(values).compile()
    with pytest.raises(sb.SpecError) as varied:
        program.with_values(values)
    assert str(varied.value) == str(compiled.value)


def test_another_structure_is_refused_with_the_difference(program: sb.Program) -> None:
    with pytest.raises(sb.StructureError, match=r"states: the other one lacks friction\.z.*model\.varied"):
        program.with_values({"friction.law": sb.Switch()})
    assert program.varied({"friction.law": sb.Switch()}).laws == ("switch",)


def test_a_longer_list_is_another_structure() -> None:
    program = sb.load_model("clutch-judder").compile()
    longer = {"clutch.law.speed": [0.0, 50.0, 150.0, 300.0], "clutch.law.mu": [0.3, 0.25, 0.2, 0.2]}
    with pytest.raises(sb.StructureError, match=r"has 4 numbers and the compiled model 3"):
        program.with_values(longer)
    assert program.varied(longer).hash == sb.load_model("clutch-judder").varied(longer).compile().hash


def test_fixed_steps_with_other_values_compile_nothing(program: sb.Program) -> None:
    other = program.with_values({"spring.c": 3.0})
    result = sb.realtime(other, "1 ms").run(n=10)
    assert result.parameters["spring.c"] == 3.0
    assert "warnings" not in vars(other)  # those about the model with these values are found by compiling it
    assert list(result.warnings) == list(sb.load_model("stick-slip").varied({"spring.c": 3.0}).compile().warnings)


def test_many_points(program: sb.Program) -> None:
    c = np.linspace(1.0, 3.0, 50)
    many = program.with_values({"spring.c": c, "mass.J": 2.0})
    assert len(many) == 50
    for i in (0, 17, 49):
        one = program.with_values({"spring.c": c[i], "mass.J": 2.0})
        assert many[i].values.tobytes() == one.values.tobytes()
        assert many[i].parameters["spring.c"].value == c[i]


def test_many_points_across_a_decision(program: sb.Program) -> None:
    """The nominal size of a speed is the Stribeck speed below 1 rad/s, else 1: each side has a record."""
    v_s = np.array([0.5, 0.9, 1.0, 1.1, 2.0, 0.7])
    many = program.with_values({"friction.law.v_s": v_s})
    model = sb.load_model("stick-slip")
    for i, value in enumerate(v_s):
        assert many[i].values.tobytes() == model.varied({"friction.law.v_s": value}).compile().values.tobytes()


def test_a_refused_point_is_named(program: sb.Program) -> None:
    with pytest.raises(sb.SpecError, match=r"point 2: spring\.c = -1\.0: Spring: c = -1"):
        program.with_values({"spring.c": [1.0, 2.0, -1.0]})
    with pytest.raises(sb.SpecError, match=r"point 1: .*mu_s"):
        program.with_values({"friction.law.mu_s": [1.5, 0.5, 2.0]})
    with pytest.raises(sb.SpecError, match="different lengths"):
        program.with_values({"spring.c": [1.0, 2.0], "mass.J": [1.0, 2.0, 3.0]})


def test_samples_at_an_input() -> None:
    model = sb.Model("servo", t_end=1.0)
    mass = model.add("mass", sb.Inertia(J=1.0))
    model.add("motor", sb.Torque(mass, tau=sb.External(0.0)))
    program = model.compile().with_values({"mass.J": 2.0}).with_samples("motor.tau", [0.0, 1.0], [0.0, 4.0])
    assert sb.simulate(program)["mass.w"][-1] == pytest.approx(1.0, rel=1e-9)  # 2 t over J = 2, integrated
    assert sb.simulate(program.with_values({"mass.J": 1.0}))["mass.w"][-1] == pytest.approx(2.0, rel=1e-9)


def test_values_in_several_threads(program: sb.Program) -> None:
    stiffness = np.linspace(1.0, 3.0, 16)
    alone = [sb.simulate(program.with_values({"spring.c": c}), 2.0).data for c in stiffness]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda c: sb.simulate(program.with_values({"spring.c": c}), 2.0).data, stiffness))
    assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))


def test_slopes_of_the_tape_are_those_of_differences() -> None:
    """Along every parameter of a machine with gears: central differences of 1e-6 leave 1e-9 of the largest value."""
    program = sb.load_model("gearbox").compile()
    record, point = program.record, np.array(program.point)
    for place in set(range(point.size)).difference(record.remainders.values()):
        step = 1e-6 * max(abs(point[place]), 1e-3)
        ends = [record.run(np.where(np.arange(point.size) == place, point + sign * step, point))[0] for sign in (1, -1)]
        direction = np.eye(point.size)[place]
        slope = record.tape.slope(point, direction)
        finite = np.isfinite(record.base)
        difference = (ends[0][finite] - ends[1][finite]) / (2 * step)
        scale = np.abs(record.base[finite]).max() / max(abs(point[place]), 1e-3)
        assert np.abs(slope[finite] - difference).max() <= 1e-8 * scale
