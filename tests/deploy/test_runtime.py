"""Plants of the runtime: the same bits as in Python, for steps, parameters, inputs and snapshots."""

import ctypes as ct
import random

import numpy as np
import pytest
from support.own_laws import class_laws, machine
from support.plant import ADAPTIVE, FIXED, CError, Kind, Plant

import stribeck as sb

H = 1e-3


def outputs_of(stepper: sb.Stepper) -> np.ndarray:
    return np.array([stepper[name] for name in stepper.program.output_names])


def same(plant: Plant, stepper: sb.Stepper) -> bool:
    return (
        plant.all(Kind.OUTPUT).tobytes() == outputs_of(stepper).tobytes()
        and plant.all(Kind.STATE).tobytes() == stepper.state.tobytes()
        and plant.time == stepper.time
    )


def compare_steps(runtime: ct.CDLL, model: sb.Model, h: float, tasks: int) -> None:
    program = sb.compile_model(model)
    plant, stepper = Plant(runtime, program, h), sb.realtime(program, h, energy=False)
    for _ in range(4):
        plant.step(tasks // 4)
        stepper.step(tasks // 4)
        assert same(plant, stepper)


@pytest.mark.parametrize("name", ["car", "dual-clutch-launch", "stick-slip-switch"])
def test_fixed_steps_are_those_of_a_stepper(runtime, name):
    compare_steps(runtime, sb.load_model(name), H, 400)


@pytest.mark.slow
@pytest.mark.parametrize("h", [1e-4, 1e-3])
@pytest.mark.parametrize("name", sb.shipped_models())
def test_fixed_steps_of_every_shipped_model(runtime, name, h):
    compare_steps(runtime, sb.load_model(name), h, 8000)


@pytest.mark.parametrize("name", ["gearbox", "stick-slip"])
def test_adaptive_runs_end_where_simulate_does(runtime, name):
    program = sb.compile_model(sb.load_model(name))
    run = sb.simulate(program, t_end=0.5, times=[0, 0.5])
    plant = Plant(runtime, program, solver=ADAPTIVE, t_end=0.5)
    plant.advance(0.5)
    ends = np.array([run[output][-1] for output in program.output_names])
    # the same steps, but simulate shows the end by the interpolant of the last one: rounding
    assert plant.all(Kind.OUTPUT) == pytest.approx(ends, rel=1e-12, abs=1e-12)


def test_an_adaptive_run_in_parts_is_as_accurate(runtime):
    program = sb.compile_model(sb.load_model("stick-slip"))
    run = sb.simulate(program, t_end=20, times=np.linspace(0, 20, 201), tolerance=1e-8)
    plant = Plant(runtime, program, solver=ADAPTIVE, tolerance=1e-8)
    found = []
    for t in run.time:
        plant.advance(t)
        found.append(plant.get(Kind.OUTPUT, "mass.w"))
    assert found == pytest.approx(list(run["mass.w"]), abs=1e-5)  # of 1 rad/s, after three slips


def test_a_run_without_a_typical_end_and_of_no_length(runtime):
    program = sb.compile_model(servo())
    plant = Plant(runtime, program, solver=ADAPTIVE, t_end=0.0)
    plant.options.h = 0.0
    plant.start()
    plant.set(Kind.INPUT, {"drive.tau": 2.0})
    plant.advance(0.0)
    assert plant.time == 0.0
    plant.advance(0.5)
    with pytest.raises(CError, match="before the present one"):
        plant.advance(0.4)
    other = Plant(runtime, program, solver=ADAPTIVE)
    other.set(Kind.INPUT, {"drive.tau": 2.0})
    other.advance(0.5)
    # other first steps: within the tolerance of 1e-6 and some hundred steps
    assert plant.get(Kind.OUTPUT, "load.w") == pytest.approx(other.get(Kind.OUTPUT, "load.w"), abs=1e-4)
    assert abs(plant.get(Kind.OUTPUT, "load.w")) > 0.1


def test_a_start_without_options_has_those_of_the_export(runtime):
    program = sb.compile_model(sb.load_model("stick-slip"))
    plant = Plant(runtime, program, 2e-3, ADAPTIVE)
    plant.check(runtime.stribeck_start(plant.plant, None))
    plant.step(3)
    stepper = sb.realtime(program, 2e-3, energy=False)
    stepper.step(3)
    assert same(plant, stepper)


# --- inputs -------------------------------------------------------------------------------------------------------


def servo() -> sb.Model:
    m = sb.Model("servo", t_end=1)
    motor = m.add("motor", sb.Inertia(J=0.02))
    load = m.add("load", sb.Inertia(J=0.1))
    m.add("drive", sb.Torque(motor, tau=sb.External(0)))
    m.add("shaft", sb.SpringDamper(motor, load, c=400, d=0.2))
    m.add("bearing", sb.Bearing(load, law=sb.LuGre(mu_c=1, mu_s=1.5, sigma0=1e3)))
    m.add("brake", sb.Brake(load, law=sb.Coulomb(mu_c=0.3), fn_max=100, cgeo=0.1, f_normalized=sb.External(0)))
    return m


@pytest.mark.parametrize("solver", [FIXED, ADAPTIVE])
def test_inputs_are_seen_by_the_next_step(runtime, solver):
    program = sb.compile_model(servo())
    plant = Plant(runtime, program, H, solver, tolerance=1e-9)
    stepper = sb.realtime(program, 1e-5 if solver == ADAPTIVE else H, energy=False)
    rng = random.Random(1)
    for _ in range(60):
        values = {"drive.tau": rng.uniform(-5, 5), "brake.f_normalized": float(rng.random() < 0.2)}
        plant.set(Kind.INPUT, values)
        stepper.inputs.update(values)
        plant.step()
        stepper.step(100 if solver == ADAPTIVE else 1)
        assert plant.get(Kind.INPUT, "drive.tau") == values["drive.tau"]
        if solver == FIXED:
            assert same(plant, stepper)
    # the fixed step of 0.01 ms is of second order and has 100 kicks of 5 N.m behind it: a few 1e-5 of 2 rad/s
    assert plant.get(Kind.OUTPUT, "load.w") == pytest.approx(stepper["load.w"], abs=2e-4)


def test_a_position_from_outside_moves_within_the_step(runtime):
    m = sb.Model("led", t_end=1)
    side = m.add("side", sb.Position(phi=sb.External(0)))
    mass = m.add("mass", sb.Inertia(J=0.1))
    m.add("spring", sb.SpringDamper(side, mass, c=100, d=0.1))
    program = sb.compile_model(m)
    plant, stepper = Plant(runtime, program), sb.realtime(program, H, energy=False)
    smooth = Plant(runtime, program, H, ADAPTIVE, tolerance=1e-9)
    for k in range(200):
        angle = {"side.phi": float(np.sin(0.02 * k))}
        for one in (plant, smooth):
            one.set(Kind.INPUT, angle)
            one.step()
        stepper.inputs.update(angle)
        stepper.step()
    assert same(plant, stepper)
    # second order: (h w)^2 / 12 of a motion of 1 rad/s
    assert smooth.get(Kind.OUTPUT, "mass.w") == pytest.approx(plant.get(Kind.OUTPUT, "mass.w"), abs=5e-3)


# --- parameters ---------------------------------------------------------------------------------------------------


def test_parameters_are_those_of_with_values(runtime):
    program = sb.compile_model(sb.load_model("stick-slip"))
    values = {"spring.c": 3.3, "friction.law.mu_c": 0.8, "mass.w0": 0.2}
    plant = Plant(runtime, program)
    plant.set(Kind.PARAMETER, values)
    plant.start()
    stepper = sb.realtime(program.with_values(values), H, energy=False)
    plant.step(500)
    stepper.step(500)
    assert same(plant, stepper)
    followed = program.with_values(values).parameters["friction.law.mu_s"].value
    assert plant.get(Kind.PARAMETER, "friction.law.mu_s") == followed


@pytest.mark.parametrize("seed", range(3))
def test_random_parameters_of_a_large_model(runtime, seed):
    """Decimal fractions, whose remainders gears need, and all others."""
    rng = random.Random(seed)
    program = sb.compile_model(sb.load_model("car"))
    plant = Plant(runtime, program)
    names = [runtime.stribeck_name(ct.byref(plant.model), 2, i).decode() for i in range(plant.count(Kind.PARAMETER))]
    scalars = [name for name in names if "[" not in name]
    for name in rng.sample(scalars, 60):
        value = float(f"{plant.get(Kind.PARAMETER, name) * rng.uniform(0.99, 1.01):.{rng.randrange(3, 12)}g}")
        try:
            varied = program.with_values({name: value})
            stepper = sb.realtime(varied, H, energy=False)
        except sb.StribeckError:
            continue
        if varied.record is not program.record:
            continue  # compiled again: a decision has changed
        plant = Plant(runtime, program)
        plant.set(Kind.PARAMETER, {name: value})
        plant.start()
        plant.step(3)
        stepper.step(3)
        assert same(plant, stepper), (name, value)


def test_parameters_change_during_a_run(runtime):
    program = sb.compile_model(sb.load_model("dual-clutch-launch"))
    name = next(path for path, p in program.parameters.items() if path.endswith(".c") and p.tunable)
    value = 1.25 * program.parameters[name].value
    plant, stepper = Plant(runtime, program), sb.realtime(program, H, energy=False)
    plant.step(300)
    stepper.step(300)
    plant.set(Kind.PARAMETER, {name: value})
    other = sb.realtime(program.with_values({name: value}), H, energy=False, start=stepper.end)
    plant.step(200)
    other.step(200)
    assert same(plant, other)


def test_values_that_are_refused(runtime):
    program = sb.compile_model(sb.load_model("stick-slip"))
    plant = Plant(runtime, program)
    with pytest.raises(CError, match=r"^mass\.J = -1 kg\.m2 must be above 0$"):
        plant.set(Kind.PARAMETER, {"mass.J": -1})
    with pytest.raises(CError, match="must be finite"):
        plant.set(Kind.PARAMETER, {"spring.c": np.nan})
    with pytest.raises(CError, match="no parameter with this number"):
        plant.set(Kind.PARAMETER, {"spring.k": 1})
    plant.set(Kind.PARAMETER, {"friction.law.mu_s": 0.5})  # below mu_c: the law would be refused
    with pytest.raises(CError, match=r"^friction\.law\.mu_s = 0\.5 N\.m: with this value the model is refused"):
        plant.step()
    plant.step()  # it goes on with the values before
    assert plant.get(Kind.PARAMETER, "friction.law.mu_s") == 1.5


@pytest.mark.parametrize("law", sorted(class_laws()))
def test_laws_of_users_go_along(runtime, law):
    compare_steps(runtime, machine(class_laws()[law]()), H, 200)


def test_laws_of_many_elements_go_along(runtime):
    m = sb.load_model("stick-slip")
    compare_steps(runtime, m.varied({"friction.law": sb.MaxwellSlip(n=7)}), H, 400)


# --- snapshots and errors -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", [FIXED, ADAPTIVE])
def test_a_snapshot_goes_on_to_the_last_bit_in_another_plant(runtime, solver):
    program = sb.compile_model(servo())
    one, two = (Plant(runtime, program, H, solver) for _ in range(2))
    one.set(Kind.PARAMETER, {"shaft.c": 500})
    one.set(Kind.INPUT, {"drive.tau": 3})
    one.step(57)
    kept = one.save()
    one.set(Kind.INPUT, {"drive.tau": -2})
    one.step(40)
    two.step(3)
    two.restore(kept)
    assert two.save() == kept
    two.set(Kind.INPUT, {"drive.tau": -2})
    two.step(40)
    assert two.all(Kind.OUTPUT).tobytes() == one.all(Kind.OUTPUT).tobytes()
    assert two.save() == one.save()


def test_a_snapshot_of_another_model_is_refused(runtime):
    plant = Plant(runtime, sb.compile_model(servo()))
    other = Plant(runtime, sb.compile_model(sb.load_model("stick-slip")))
    with pytest.raises(CError, match="of another model"):
        plant.restore(other.save())
    with pytest.raises(CError, match="not a snapshot"):
        plant.restore(b"1")


def worn() -> sb.Model:
    """A bearing whose friction falls with the angle, below zero."""
    m = sb.Model("worn", t_end=10)
    mass = m.add("mass", sb.Inertia(J=1, w0=1))
    m.add("bearing", sb.Bearing(mass, law=sb.Coulomb(mu_c=0.3 - sb.Sensor("mass.phi"))))
    return m


@pytest.mark.parametrize("solver", [FIXED, ADAPTIVE])
def test_a_failure_names_time_and_element(runtime, solver):
    program = sb.compile_model(worn())
    with pytest.raises(sb.SimulationError) as python:
        sb.realtime(program, H, energy=False).step(2000) if solver == FIXED else sb.simulate(program)
    plant = Plant(runtime, program, H, solver)
    rule = r"law\.mu_c = -[\d.e-]+ N\.m must be at least 0; limit its signal, for instance by Saturation"
    with pytest.raises(CError, match=rf"^worn stopped at t = 0\.[\d]+ s at bearing: {rule}$"):
        plant.step(2000)
    assert "at bearing: law.mu_c = -" in str(python.value)
    if solver == FIXED:  # the adaptive solver looks at the end of its steps
        assert plant.time == python.value.time


def test_calls_in_the_wrong_order_are_refused(runtime):
    program = sb.compile_model(servo())
    plant = Plant(runtime, program)
    with pytest.raises(CError, match="no whole number of steps"):
        plant.advance(2.5e-3)
    with pytest.raises(CError, match="must be finite"):
        plant.set(Kind.INPUT, {"drive.tau": np.inf})
    with pytest.raises(CError, match="no input with this number"):
        plant.set(Kind.INPUT, {"drive.w": 1})
    with pytest.raises(CError, match="STRIBECK_EQUATIONS"):
        plant.check(runtime.stribeck_place(plant.plant, ct.c_double(0), None))
    plant.options.h = 0
    with pytest.raises(CError, match="must be above 0"):
        plant.start()


@pytest.mark.parametrize("value", [0.1, 1e-5, 123456.789, 1e10, 2.5e-11, -1e20, 1e300, 0.0, 1e-300, 2000.0])
def test_numbers_in_messages(runtime, value):
    plant = Plant(runtime, sb.compile_model(sb.load_model("stick-slip")))
    with pytest.raises(CError) as error:
        plant.set(Kind.PARAMETER, {"mass.J": -abs(value)})
    assert float(str(error.value).split(" = ")[1].split()[0]) == pytest.approx(-abs(value), rel=1e-5)


def test_broken_data_are_refused(runtime):
    plant = Plant(runtime, sb.compile_model(servo()))
    data = np.ctypeslib.as_array((ct.c_int * plant.model.n_integers).from_address(plant.model.integers))
    rng, good = random.Random(3), data.copy()
    memory = np.zeros(100_000)
    refused = 0
    for _ in range(400):
        data[:] = good
        data[rng.randrange(data.size)] = rng.choice([-1, 0, 7, 1 << 20, -(1 << 30)])
        size = runtime.stribeck_size(ct.byref(plant.model))
        assert size == 0 or size < (1 << 40)
        place = ct.c_void_p(memory.ctypes.data)
        made = size and runtime.stribeck_new(ct.byref(plant.model), place, ct.c_size_t(memory.nbytes))
        refused += not made
    assert refused > 100
