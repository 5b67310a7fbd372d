"""The motion without friction in the fixed step: where in the step dampers, sources and controllers are met."""

from __future__ import annotations

from math import exp, log2

import numpy as np
import pytest

import stribeck as sb


def servo(T_f: float) -> sb.Model:
    m = sb.Model("servo", t_end=1)
    mass = m.add("mass", sb.Inertia(J=1))
    control = sb.PID(sb.Step(1), mass.sensor("phi"), Kp=100, Kd=10, T_f=T_f, c=0)
    m.add("motor", sb.Torque(mass, tau=control))
    return m


@pytest.mark.parametrize("T_f", [1e-4, 1e-3, 1e-2])
@pytest.mark.parametrize("h", [1e-3, 4e-3, 1e-2])
def test_a_filtered_derivative_damps_whatever_the_step(h: float, T_f: float) -> None:
    """The filter is met where its input is: else the damper would be Kd (1 - h/(2 T_f)), negative for long steps. The
    error is that of the first order, h times the fastest rate of the loop (10/s), with a margin of two."""
    model = servo(T_f)
    found = model.realtime(h=h).run(t_end=1.0)
    exact = sb.simulate(model, times=np.asarray(found.time), tolerance=1e-9)
    assert np.asarray(found["mass.phi"]) == pytest.approx(np.asarray(exact["mass.phi"]), abs=2 * 10 * h * 0.15)


def stopping(h: float, brake: sb.elements.Element) -> float:
    m = sb.Model("brake", t_end=0.1)
    m.add("mass", sb.Inertia(J=1, w0=1))
    m.add("brake", brake)
    stepper = m.realtime(h=h)
    stepper.step(round(0.1 / h))
    return float(stepper["mass.w"])


@pytest.mark.parametrize(
    "brake",
    [
        lambda: sb.Damper("mass", d=10),
        lambda: sb.Torque("mass", tau=-10 * sb.Sensor("mass.w")),
        lambda: sb.Bearing("mass", law=sb.CoulombViscous(tau_c=0, tau_v=10)),
    ],
    ids=["damper", "torque", "bearing"],
)
def test_viscous_brakes_are_of_second_order_and_alike(brake) -> None:
    """Closed form w = e^-10t. A damper, a torque that depends on the speed and viscous friction are the same thing."""
    errors = [abs(stopping(h, brake()) - exp(-1)) for h in (2.5e-3, 1.25e-3)]
    assert log2(errors[0] / errors[1]) > 1.85
    assert errors[0] < 2e-4


def test_a_damper_that_stops_its_mass_within_a_step_does_not_swing() -> None:
    w = [stopping(n * 1e-2, sb.Damper("mass", d=1e5)) for n in (1, 2, 5)]
    assert all(abs(value) < 1e-4 for value in w)


def test_characteristics_go_on_while_signals_are_held() -> None:
    """Multi-rate holds what depends on time; a drag that depends on the speed would be explicit, and blow up."""
    m = sb.Model("fan", t_end=0.1)
    shaft = m.add("shaft", sb.Inertia(J=1e-3))
    m.add("motor", sb.Torque(shaft, tau=5))
    m.add("fan", sb.SpeedTorque(shaft, tau_nominal=-5, w_nominal=1, form="quadratic"))
    stepper = m.realtime(h="10 ms", substeps=10, hold_signals=True)
    stepper.step(10)
    assert stepper["shaft.w"] == pytest.approx(1.0, abs=1e-9)
