"""FMUs through FMPy: every shipped model in both versions and both kinds, against the solvers of the package."""

from __future__ import annotations

import numpy as np
import pytest
from support.fmu import ADAPTIVE, FIXED, Plant, exported, simulated

import stribeck as sb
from stribeck.kinds import Kind

validation = pytest.importorskip("fmpy.validation", reason="FMPy is not installed: pip install fmpy")

MODELS = sb.shipped_models()
VERSIONS = (2, 3)
MOTION = (Kind.POSITION, Kind.SPEED, Kind.DISPLACEMENT, Kind.SLIP)


def t_end(name: str) -> float:
    return float(sb.load_model(name).simulation.resolve({}, "").t_end)


def states(name: str) -> list[str]:
    """The states of motion. Bristles and filters of signals cross their whole range within milliseconds of an event, so
    that they measure its time."""
    program = sb.compile_model(sb.load_model(name))
    kinds = dict(zip(program.output_names, program.output_kinds, strict=True))
    return [state for state in program.state_names if kinds.get(state) in MOTION]


@pytest.mark.parametrize("fmi", VERSIONS)
@pytest.mark.parametrize("name", MODELS)
def test_no_findings(name, fmi):
    assert validation.validate_fmu(str(exported(name, fmi))) == []


@pytest.mark.parametrize("fmi", VERSIONS)
@pytest.mark.parametrize("name", MODELS)
def test_fixed_steps_are_those_of_the_stepper_to_the_last_bit(name, fmi):
    plant, stepper = Plant(exported(name, fmi)).start(FIXED), sb.load_model(name).realtime(h="1 ms")
    names = plant.outputs()
    for _ in range(5):
        plant.step(1e-3, 60)
        stepper.step(60)
        assert plant.get(names) == [stepper[output] for output in names]
    plant.free()


@pytest.mark.parametrize("fmi", VERSIONS)
@pytest.mark.parametrize("name", MODELS)
def test_adaptive_steps_are_within_the_tolerance(name, fmi):
    """The FMU stops at every communication point, so steps differ; both are within 1e-8, of which errors of positions
    and of times of events are multiples: 1e-5 of the range is what a run with 1e-8 differs from one with 1e-11 by."""
    end, names = t_end(name), states(name)
    truth = sb.load_model(name).simulate(intervals=200, tolerance=1e-11)
    found = simulated(exported(name, fmi), "cs", end, names, relative_tolerance=1e-8)
    for output in names:
        exact = np.asarray(truth[output])
        assert np.abs(found[output] - exact).max() <= 1e-5 * np.ptp(exact), output


# CVODE's errors add up: after 120 s of the car they shift its last gear changes by 9 us.
LOOSER = {"car": 5e-5}


@pytest.mark.parametrize("fmi", VERSIONS)
@pytest.mark.parametrize("name", MODELS)
def test_model_exchange_by_cvode(name, fmi):
    """At 1e-8 within 1e-5 of the range, with the same mode changes in the same order."""
    end, names, log = t_end(name), states(name), []
    truth = sb.load_model(name).simulate(intervals=200, tolerance=1e-10)
    found = simulated(exported(name, fmi), "me", end, names, relative_tolerance=1e-8, log=log)
    for output in names:
        exact = np.asarray(truth[output])
        assert np.abs(found[output] - exact).max() <= LOOSER.get(name, 1e-5) * np.ptp(exact), output
    changes = [line.split(": ", 1)[1] for line in log]
    assert changes == [f"{e.element} changes from {e.from_} to {e.to}" for e in truth.events]


EVENTS = (0.709621474694, 0.791662359155, 0.831108506138, 0.906850192798, 1.000295859895, 1.143967492473, 1.25)


@pytest.mark.parametrize("fmi", VERSIONS)
@pytest.mark.parametrize(("kind", "bound"), [("cs", 1e-5), ("me", 1e-4)])
def test_coupled_clutches_against_the_exact_solution(kind, bound, fmi, shared):
    """Speeds at points without an event (rad/s): the closed form of `coupled_clutches_exact`."""
    rows = np.genfromtxt(
        shared / "reference" / "coupled_clutches_exact" / "exact.csv", delimiter=",", names=True, deletechars=""
    )
    names = ["J1.w", "J2.w", "J3.w", "J4.w"]
    found = simulated(exported("coupled-clutches", fmi), kind, 1.5, names, relative_tolerance=1e-8)
    free = np.array([all(abs(t - event) > 1e-3 for event in EVENTS) for t in found["time"]])
    assert free.sum() > 150
    for output in names:
        exact = np.interp(found["time"], rows["time"], rows[output])
        on_grid = np.isclose(found["time"] * 1e3, np.round(found["time"] * 1e3), atol=1e-6)  # rows are 1 ms apart
        assert on_grid.sum() > 30
        assert np.abs(found[output] - exact)[free & on_grid].max() <= bound, output


def driven() -> sb.Model:
    """A mass with friction, a motor whose torque is an input, and a prescribed speed that is another."""
    m = sb.Model("driven", t_end=1)
    mass = m.add("mass", sb.Inertia(J=0.1, w0=1))
    pull = m.add("pull", sb.Speed(w=m.signal("pace", sb.External(0.5))))
    m.add("motor", sb.Torque(mass, tau=sb.External("0 N.m")))
    m.add("spring", sb.SpringDamper(pull, mass, c=2, d=0.1))
    m.add("brake", sb.Bearing(mass, law=sb.Stribeck(mu_c=0.5, mu_s=0.7, v_s=0.05)))
    return m


@pytest.fixture(scope="module", params=VERSIONS)
def machine(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("driven") / "driven.fmu"
    return sb.deploy.fmu(driven(), path, fmi=request.param)


def test_external_signals_are_inputs(machine):
    plant = Plant(machine)
    known = {n: v for n, v in plant.variables.items() if v.causality == "input"}
    assert {n: (v.variability, v.unit, float(v.start)) for n, v in known.items()} == {
        "pace": ("discrete", None, 0.5),  # a named signal has no unit
        "motor.tau": ("continuous", "N.m", 0.0),
    }
    plant.fmu.freeInstance()


def test_inputs_and_parameters_during_a_run(machine):
    """As a stepper with the same inputs does, and with the same values from a point on."""
    program = sb.compile_model(driven())
    plant, stepper = Plant(machine).start(FIXED, **{"motor.tau": 0.4}), program_stepper(program)
    stepper.inputs["motor.tau"] = 0.4
    for _ in range(2):
        plant.step(1e-3, 50)
        stepper.step(50)
        assert plant.get("mass.w") == stepper["mass.w"]
        plant.set(**{"motor.tau": 2.0, "pace": 1.0})
        stepper.inputs.update({"motor.tau": 2.0, "pace": 1.0})
    plant.set(**{"spring.c": 4.0})
    stepper = sb.realtime(program.with_values({"spring.c": 4.0}), h="1 ms", start=stepper.end)
    plant.step(1e-3, 50)
    stepper.step(50)
    assert plant.get("mass.w") == stepper["mass.w"]
    assert plant.get("spring.c") == 4.0
    plant.free()


def program_stepper(program):
    return sb.realtime(program, h="1 ms")


def test_parameters_before_a_run(machine):
    plant = Plant(machine).start(ADAPTIVE, **{"mass.w0": 3.0, "brake.law.mu_c": 0.2, "simulation.tolerance": 1e-9})
    plant.step(0.1, 5)
    result = driven().varied({"mass.w0": 3, "brake.law.mu_c": 0.2}).simulate(t_end=0.5, tolerance=1e-9)
    assert plant.get("mass.w") == pytest.approx(float(result["mass.w"][-1]), abs=1e-7)  # 100 times the tolerance
    plant.free()


def test_reset_gives_the_first_run_again(machine):
    plant = Plant(machine).start(FIXED, **{"spring.c": 3.0, "motor.tau": 1.0})
    plant.step(1e-3, 20)
    plant.fmu.reset()
    assert plant.get("spring.c") == 2.0
    plant.start(FIXED)
    fresh = Plant(machine).start(FIXED)
    for each in (plant, fresh):
        each.step(1e-3, 20)
    assert plant.get(plant.outputs()) == fresh.get(fresh.outputs())
    plant.free()
    fresh.free()


@pytest.mark.parametrize("solver", [ADAPTIVE, FIXED])
def test_a_saved_state_continues_to_the_last_bit(machine, solver):
    plant, other = Plant(machine).start(solver, **{"motor.tau": 1.5}), Plant(machine).start(solver)
    plant.set(**{"spring.c": 2.5})
    plant.step(1e-3, 30)
    state = (plant.fmu.getFMUState if plant.v3 else plant.fmu.getFMUstate)()
    size_and_bytes = plant.fmu.serializeFMUState if plant.v3 else plant.fmu.serializeFMUstate
    packed = size_and_bytes(state)
    time = plant.time
    plant.step(1e-3, 30)
    expected = plant.get(plant.outputs())
    (plant.fmu.setFMUState if plant.v3 else plant.fmu.setFMUstate)(state)
    copy = (other.fmu.deserializeFMUState if other.v3 else other.fmu.deSerializeFMUstate)(packed)
    (other.fmu.setFMUState if other.v3 else other.fmu.setFMUstate)(copy)
    for each in (plant, other):
        each.time = time
        each.step(1e-3, 30)
        assert each.get(each.outputs()) == expected
        assert each.get("spring.c") == 2.5
    (plant.fmu.freeFMUState if plant.v3 else plant.fmu.freeFMUstate)(state)
    (other.fmu.freeFMUState if other.v3 else other.fmu.freeFMUstate)(copy)
    plant.free()
    other.free()
