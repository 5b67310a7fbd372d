"""Every signal as a function of the state of a machine: values and derivatives through the kernel."""

import math

import numpy as np
import pytest
from support.signal_examples import SENSED, U, V, composites

import stribeck as sb
from stribeck.errors import SimulationError, SpecError
from stribeck.signals import Constant, Integral, LowPass, Named, Sensor, Table

TIMES = np.linspace(0.0123, 2.97, 101)


def oscillator(signal, drive=0.1):
    """A body on a spring, driven by a part of the signal."""
    model = sb.Model("oscillator")
    mass = model.add("mass", sb.Inertia(J=1, phi0=1))
    model.add("spring", sb.Spring(mass, c=9))
    model.signal("u", U)
    model.signal("v", V)
    model.signal("y", signal)
    model.add("motor", sb.Torque(mass, tau=drive * Named("y")))
    return model


def test_the_inputs_are_within_their_range():
    """As the examples expect, so that roots, logarithms and quotients are defined."""
    result = sb.simulate(oscillator(U, drive=0), times=TIMES)
    u, v = np.asarray(result["u"]), np.asarray(result["v"])
    assert -1.7 < u.min() < -0.3 and 1 < u.max() < 2.3
    assert -1.05 < v.min() < -0.5 and 0.5 < v.max() < 1.05


@pytest.mark.parametrize("place", range(len(composites(U, V))), ids=lambda i: repr(composites(Constant(0), V)[i])[:60])
def test_values(place):
    """The signal at every time is its formula of the two inputs at that time."""
    signal = composites(U, V)[place]
    result = sb.simulate(oscillator(signal), times=TIMES)
    u, v, y = (np.asarray(result[name]) for name in "uvy")

    def formula(du, dv):
        frozen = composites(Table(TIMES, u + du), Table(TIMES, v + dv))[place].bind("", "y")
        return np.array([frozen.at(t) for t in TIMES])

    near = [formula(du, dv) for du in (-1e-5, 1e-5) for dv in (-1e-5, 1e-5)]
    edge = np.ptp(near, axis=0) > 1e-2  # beside a jump
    assert edge.sum() <= 2
    assert y[~edge] == pytest.approx(formula(0.0, 0.0)[~edge], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("signal", SENSED, ids=lambda signal: repr(signal)[:60])
def test_derivatives(signal):
    """Jacobian and time derivative of the whole machine against central differences of order 2.

    Their truncation is about h^2 = 1e-10 times third derivatives below 1e3 in units of the terms, their rounding
    1e-16 / h = 1e-11; 1e-6 of the terms leaves room.
    """
    program = sb.compile_model(oscillator(signal, drive=1))
    machine, rng, h = program.machine(), np.random.default_rng(1), 1e-5
    for t in (0.2, 0.77):
        y = program.y0 + rng.uniform(-0.2, 0.2, len(program.y0))
        machine.start(t, y)
        jacobian, by_time = machine.jacobian(t, y), machine.time_derivative(t, y)
        terms = np.abs(jacobian) @ (np.abs(y) + 1) + np.abs(by_time) + np.abs(machine.rhs(t, y)) + 1
        for j, unit in enumerate(np.eye(len(y))):
            column = (machine.rhs(t, y + h * unit) - machine.rhs(t, y - h * unit)) / (2 * h)
            assert np.all(np.abs(jacobian[:, j] - column) < 1e-6 * terms), j
        change = (machine.rhs(t + h, y) - machine.rhs(t - h, y)) / (2 * h)
        assert np.all(np.abs(by_time - change) < 1e-6 * terms)


@pytest.mark.parametrize("signal", SENSED, ids=lambda signal: repr(signal)[:60])
def test_both_methods_agree(signal):
    """An explicit and an implicit method give the same motion: 100 times the tolerance, relative to the amplitude."""
    runs = [sb.simulate(oscillator(signal), 3, tolerance=1e-8, solver=name) for name in ("dopri5", "rodas5p")]
    first, second = (np.asarray(run["mass.phi"]) for run in runs)
    assert first == pytest.approx(second, abs=1e-6)


@pytest.mark.parametrize(
    ("first", "second", "circle"),
    [
        (Sensor("first.tau"), 1, "first.tau -> first.tau"),
        (1 + Sensor("second.tau"), 2 * Sensor("first.tau"), "second.tau -> first.tau -> second.tau"),
        (LowPass("first.tau", T=1), 1, "first.tau -> first.tau"),
    ],
)
def test_sources_that_sense_themselves(first, second, circle):
    with pytest.raises(SpecError, match=f"first: {circle} need each other's value at the same instant; put something"):
        sb.compile_model(sources(first, second))


def test_sources_that_sense_themselves_through_a_state():
    """f' = -f from 1: the torque is exp(-t), to 100 times the tolerance."""
    result = sb.simulate(sources(1 - Integral("second.tau"), Sensor("first.tau")), 1, tolerance=1e-9)
    assert result["second.tau"][-1] == pytest.approx(math.exp(-1), rel=1e-7)


@pytest.mark.parametrize(
    ("first", "message"),
    [
        (np.log(Sensor("mass.w") - 1), "t = 0 s at first: first.tau = nan: its signal is not finite; keep what is"),
        (2 * np.sqrt(Sensor("mass.w") - 1), "at first: first.tau = nan: its signal"),
        ((Sensor("mass.w") - 1) ** 0.5, "at first: first.tau = nan: its signal"),
        (1 / Sensor("mass.w"), "at first: first.tau = inf: its signal"),
        (Integral(1 / Sensor("mass.w")), "at first: the rate of first.tau = inf: its signal"),
    ],
)
def test_signals_that_are_not_finite_at_the_start(first, message):
    with pytest.raises(SimulationError, match=message) as caught:
        sb.simulate(sources(first, 0), 1)
    assert caught.value.element == "first"


def test_a_load_that_is_not_finite_at_the_start():
    model = sources(1, 0)
    model.add("friction", sb.Bearing("mass", law="LuGre", load=1 / Sensor("mass.w")))
    with pytest.raises(SimulationError, match=r"at friction: friction.tau = nan: its signal"):
        sb.simulate(model, 1)


def sources(first, second):
    """An inertia under two torques."""
    model = sb.Model("sources")
    model.add("mass", sb.Inertia(J=1))
    model.add("first", sb.Torque("mass", tau=first))
    model.add("second", sb.Torque("mass", tau=second))
    return model
