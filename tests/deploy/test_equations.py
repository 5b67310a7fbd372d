"""The equations of a plant for the integrators of other programs: those of Machine, to the last bit."""

import ctypes as ct

import numpy as np
import pytest
from support.plant import EQUATIONS, CError, Event, Kind, Plant

import stribeck as sb

MODELS = ["coupled-clutches", "car", "stick-slip-switch", "gearbox"]


def numbers(values: np.ndarray) -> ct.c_void_p:
    return ct.c_void_p(values.ctypes.data)


class Equations(Plant):
    """A plant that others integrate."""

    def __init__(self, lib: ct.CDLL, program: sb.Program) -> None:
        super().__init__(lib, program, solver=EQUATIONS)

    def place(self, t: float, x: np.ndarray) -> None:
        self.check(self.lib.stribeck_place(self.plant, ct.c_double(t), numbers(np.ascontiguousarray(x))))

    def rates(self) -> np.ndarray:
        found = np.empty(self.count(Kind.STATE))
        self.check(self.lib.stribeck_rates(self.plant, numbers(found)))
        return found

    def indicators(self) -> np.ndarray:
        found = np.empty(self.lib.stribeck_n_indicators(self.plant))
        self.check(self.lib.stribeck_indicators(self.plant, numbers(found)))
        return found

    def update(self) -> Event:
        event = Event()
        self.check(self.lib.stribeck_update(self.plant, ct.byref(event)))
        return event

    def along(self, state: np.ndarray | None, inputs: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        rate, output = np.empty(self.count(Kind.STATE)), np.empty(self.count(Kind.OUTPUT))
        seeds = [None if seed is None else numbers(seed) for seed in (state, inputs)]
        self.check(self.lib.stribeck_directional(self.plant, *seeds, numbers(rate), numbers(output)))
        return rate, output


@pytest.mark.parametrize("name", MODELS)
def test_rates_events_and_outputs_are_those_of_the_machine(runtime, name):
    program = sb.compile_model(sb.load_model(name))
    machine, plant = program.machine(), Equations(runtime, program)
    machine.start(0.0, program.y0)
    x = machine.state()
    assert plant.all(Kind.STATE).tobytes() == x.tobytes()
    rng = np.random.default_rng(4)
    for t in (0.0, 1e-3, 2e-3):
        x = x + 1e-3 * program.nominal * rng.standard_normal(x.size)
        plant.place(t, x)
        assert plant.rates().tobytes() == machine.rhs(t, x).tobytes()
        shifted = plant.indicators() - machine.event_values(t, x)  # where they rest on 0
        assert (shifted >= 0).all() and (shifted == 0).any()
        assert plant.all(Kind.OUTPUT).tobytes() == machine.outputs(t, x).tobytes()


@pytest.mark.parametrize("name", MODELS)
def test_derivatives_along_states_are_those_of_the_jacobian(runtime, name):
    program = sb.compile_model(sb.load_model(name))
    machine, plant = program.machine(), Equations(runtime, program)
    machine.start(0.0, program.y0)
    x = machine.state()
    jacobian = machine.jacobian(0.0, x)
    for column in range(x.size):
        seed = np.zeros(x.size)
        seed[column] = 1.0
        rate, _ = plant.along(seed, None)
        scale = np.abs(jacobian).max(initial=1.0)
        assert rate == pytest.approx(jacobian[:, column], rel=1e-12, abs=1e-13 * scale)
    assert plant.all(Kind.STATE).tobytes() == x.tobytes()


def push(torque: float = 3) -> sb.Program:
    m = sb.Model("push", t_end=1)
    mass = m.add("mass", sb.Inertia(J=0.5))
    m.add("drive", sb.Torque(mass, tau=sb.External(torque)))
    m.add("friction", sb.Bearing(mass, law=sb.Switch(mu_c=1, mu_s=1.5)))
    return sb.compile_model(m)


def test_derivatives_along_inputs_and_of_outputs(runtime):
    plant = Equations(runtime, push())
    plant.place(0.0, plant.all(Kind.STATE) + 0.3)
    rate, output = plant.along(None, np.ones(1))
    speed, torque = plant.find(Kind.STATE, "mass.w"), plant.find(Kind.OUTPUT, "drive.tau")
    assert rate[speed] == pytest.approx(2.0, rel=1e-9)  # 1/J; central differences of a line: rounding
    assert abs(output[torque]) == pytest.approx(1.0, rel=1e-9)
    seed = np.zeros(plant.count(Kind.STATE))
    seed[speed] = 1.0
    _, output = plant.along(seed, None)
    assert output[plant.find(Kind.OUTPUT, "friction.w_rel")] == pytest.approx(1.0, rel=1e-9)
    assert plant.get(Kind.INPUT, "drive.tau") == 3.0


def test_a_contact_breaks_away_slides_and_sticks_again(runtime):
    """The event loop of another program, with exact steps: the acceleration is constant between events."""
    plant = Equations(runtime, push(1.2))
    event = plant.update()
    x, t = plant.all(Kind.STATE), 0.0
    assert plant.get(Kind.MODE, "friction") == 0 and event.next == np.inf
    plant.place(t, x)
    assert plant.rates()[plant.find(Kind.STATE, "mass.w")] == 0.0
    assert (plant.indicators() > 0).all()
    plant.set(Kind.INPUT, {"drive.tau": 2.0})  # above 1.5 N.m
    event = plant.update()
    assert event.modes_changed and plant.get(Kind.MODE, "friction") == 1
    speed = plant.find(Kind.STATE, "mass.w")
    assert plant.rates()[speed] == pytest.approx(2.0)  # (2 - 1) / 0.5
    assert (plant.indicators() > 0).all()
    x[speed] = 1.0
    plant.place(0.5, x)
    plant.set(Kind.INPUT, {"drive.tau": 0.0})
    assert not plant.update().modes_changed
    assert plant.rates()[speed] == pytest.approx(-2.0)
    x[speed] = -1e-9  # it has passed rest
    plant.place(1.0, x)
    assert plant.indicators().min() < 0
    event = plant.update()
    assert event.modes_changed and event.states_changed
    assert plant.get(Kind.MODE, "friction") == 0
    assert plant.get(Kind.STATE, "mass.w") == 0.0
    assert plant.rates()[speed] == 0.0
    owners = {runtime.stribeck_indicator_owner(plant.plant, i).decode() for i in range(plant.indicators().size)}
    assert owners == {"friction"}


def test_breaks_of_signals_are_known_before(runtime):
    m = sb.Model("steps", t_end=1)
    mass = m.add("mass", sb.Inertia(J=1))
    m.add("drive", sb.Torque(mass, tau=sb.Step(height=2, start=0.25)))
    plant = Equations(runtime, sb.compile_model(m))
    assert plant.update().next == 0.25
    x = plant.all(Kind.STATE)
    speed = plant.find(Kind.STATE, "mass.w")
    plant.place(0.25, x)
    assert plant.rates()[speed] == 0.0  # the limit from the left
    assert plant.update().next == np.inf
    assert plant.rates()[speed] == 2.0


def test_parameters_are_applied_by_an_update(runtime):
    plant = Equations(runtime, push())
    plant.set(Kind.PARAMETER, {"mass.J": 0.25})
    plant.update()
    assert plant.rates()[plant.find(Kind.STATE, "mass.w")] == pytest.approx(8.0)  # (3 - 1) / 0.25
    plant.set(Kind.PARAMETER, {"friction.law.mu_s": 0.5})
    with pytest.raises(CError, match="the model is refused"):
        plant.update()


def test_nominal_values_are_those_of_the_program(runtime):
    program = sb.compile_model(sb.load_model("car"))
    plant = Equations(runtime, program)
    found = [runtime.stribeck_nominal(plant.plant, i) for i in range(plant.count(Kind.STATE))]
    assert found == list(program.nominal)
