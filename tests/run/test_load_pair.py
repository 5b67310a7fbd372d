"""Friction that differs with direction and position: the load pair, against equations solved with exact restarts.

The torques of the clutch actuator of nouailletas2010 are polynomials of the angle, one for each direction (Table 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sin

import numpy as np
import pytest
from numpy.polynomial.polynomial import polyval
from support.reference.automaton import Body, Contact, Mode, State, solve

import stribeck as sb

FORWARD = [0.0794, 0.0077, -2.7773e-4, 2.8731e-6]
BACKWARD = [0.0938, -0.0126, 0.0013, -3.2940e-5, 2.5120e-7]
J, MU_C, MU_V, AMPLITUDE, F = 5e-3, 0.8, 1e-3, 0.3, 1.0


@dataclass
class Actuator(Contact):
    """Sticks up to the load of the direction in which it is pushed; z is the angle."""

    start_angle: float

    def unit(self) -> State:
        return (1.0,)

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        return 0, (self.start_angle,)

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        if mode == 0:
            return hold
        return mode * polyval(z[0], FORWARD if mode > 0 else BACKWARD) * (MU_C + MU_V * mode * v)

    def rates(self, mode: Mode, v: float, z: State) -> State:
        return (v,)

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> State:
        if mode == 0:
            return [polyval(z[0], FORWARD) - hold, polyval(z[0], BACKWARD) + hold]
        return [mode * v]

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        if mode == 0:
            return (1, -1)[which], 0.0, z
        held = -polyval(z[0], BACKWARD) <= hold <= polyval(z[0], FORWARD)
        return 0 if held else -mode, 0.0, z


def actuator(start: float, loads: str) -> sb.Model:
    m = sb.Model("actuator")
    rotor = m.add("rotor", sb.Inertia(J=J, phi0=start))
    m.add("motor", sb.Torque(rotor, tau=sb.Sine(amplitude=AMPLITUDE, f=F)))
    angle = rotor.sensor("phi")
    if loads == "polynomials":
        forward, backward = sb.Polynomial(angle, FORWARD), sb.Polynomial(angle, BACKWARD)
    else:
        angles = np.linspace(0.0, 65.0, 14)
        forward = sb.Lookup(angle, x=angles.tolist(), y=polyval(angles, FORWARD).tolist())
        backward = sb.Lookup(angle, x=angles.tolist(), y=polyval(angles, BACKWARD).tolist())
    law = sb.Switch(mu_c=MU_C, mu_s=1.0, mu_v=MU_V)
    m.add("friction", sb.Bearing(rotor, law=law, load=forward, load_backward=backward))
    return m


def test_polynomials_of_the_angle() -> None:
    times = np.linspace(0, 4, 401)
    body = Body(lambda t, x, v, w: AMPLITUDE * sin(2 * pi * F * t), m=J)
    expected = solve(Actuator(30.0), body, times)
    result = sb.simulate(actuator(30.0, "polynomials"), times=times, tolerance=1e-10)
    assert len(expected.changes) >= 8
    assert [event.to for event in result.events] == [
        {1: "Forward", 0: "Stuck", -1: "Backward"}[mode] for _, mode in expected.changes
    ]
    assert result.events.time == pytest.approx([time for time, _ in expected.changes], rel=0, abs=1e-7)
    assert np.asarray(result["rotor.phi"]) == pytest.approx(expected.z[0], rel=1e-6)
    assert np.asarray(result["rotor.w"]) == pytest.approx(expected.v, rel=0, abs=1e-6 * np.abs(expected.v).max())


def test_tables_of_the_angle_come_near() -> None:
    """Straight lines every 5 rad instead of the polynomials: a few per cent."""
    smooth = sb.simulate(actuator(30.0, "polynomials"), t_end=4.0)
    lines = sb.simulate(actuator(30.0, "tables"), t_end=4.0)
    assert np.asarray(lines["rotor.phi"]) == pytest.approx(np.asarray(smooth["rotor.phi"]), rel=0.03)


@pytest.mark.parametrize("law", [sb.Switch(mu_c=1.0, mu_s=1.0), sb.LuGre(sigma0=1e4, sigma1=100.0, mu_c=1.0, mu_s=1.0)])
def test_slides_with_the_friction_of_its_direction(law: sb.laws.Law) -> None:
    m = sb.Model("pair")
    drive = m.add("drive", sb.Speed(v=sb.Sine(amplitude=0.1, f=0.5)))
    m.add("guide", sb.Guide(drive, law=law, load=2.0, load_backward=0.5))
    result = sb.simulate(m, times=np.array([0.0, 0.5, 1.5, 2.5, 3.5]))
    assert np.asarray(result["guide.f"])[1:] == pytest.approx([2.0, -0.5, 2.0, -0.5], rel=1e-6)


@pytest.mark.parametrize("swap", [False, True])
def test_energy_of_a_pair_is_accounted_for(swap: bool) -> None:
    """Bristles bent under one load break away under the other: the work that this takes is booked."""
    loads = (0.6, 1.0) if swap else (1.0, 0.6)
    m = sb.Model("pair")
    mass = m.add("mass", sb.Mass(m=1.0))
    m.add("push", sb.Force(mass, f=sb.Sine(amplitude=2.0, f=0.5)))
    law = sb.LuGre(sigma0=1e4, sigma1=100.0, sigma2=0.1)
    m.add("guide", sb.Guide(mass, law=law, load=loads[0], load_backward=loads[1]))
    energy = sb.simulate(m, t_end=6.0, tolerance=1e-9).energy
    assert abs(energy.residual) < 1e-12 * energy.throughput
    assert abs(energy.numerical) < 1e-8 * energy.throughput
