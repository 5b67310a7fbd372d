"""The energy ledger: every term is integrated separately, and together they add up."""

from __future__ import annotations

from itertools import product
from math import exp

import numpy as np
import pytest
from support.machines import MACHINES

import stribeck as sb

DEFAULT, TIGHT = 1e-7, 1e-10


def balance(energy: sb.results.Energy) -> float:
    """What input = stored + dissipated + numerical + residual leaves over."""
    stored, dissipated = sum(energy.stored.values()), sum(energy.dissipated.values())
    return sum(energy.input.values()) - stored - dissipated - energy.numerical - energy.residual


def run(model: sb.Model, t_end: float = 3.0, tolerance: float = TIGHT, **options: object) -> sb.results.Energy:
    return sb.simulate(model, t_end, intervals=1, tolerance=tolerance, **options).energy


# --- the sum ---------------------------------------------------------------------------------------------------------


METHODS = ["auto", "rodas5p", "dopri5"]
CORNERS = 1e-7  # share of what steps across corners that are no events lose: they are of low order
STIFF = ("stick-slip", "dopri5")  # bristles that take an explicit method a hundred thousand steps


@pytest.mark.parametrize("name, method", [case for case in product(MACHINES, METHODS) if case != STIFF])
def test_residual_is_rounding_and_the_numerical_part_falls(name: str, method: str) -> None:
    model, t_end = MACHINES[name](), 12.0 if name.startswith("stick-slip") else 3.0
    loose = run(model, t_end, DEFAULT, solver=method)
    tight = run(model, t_end, TIGHT, solver=method)
    for energy in (loose, tight):
        assert abs(energy.residual) < 1e-12 * energy.throughput
        assert balance(energy) == pytest.approx(0.0, abs=1e-14 * energy.throughput)
    if name == "hysteresis":
        # the part of one run may pass through zero by chance: that of a neighbouring tolerance does not as well
        beside = run(model, t_end, 0.9 * DEFAULT, solver=method)
        largest = max(abs(loose.numerical), abs(beside.numerical))
        assert abs(tight.numerical) < min(0.5 * largest, CORNERS * tight.throughput)
        return
    assert abs(tight.numerical) < 1e-9 * tight.throughput

    # a thousandfold tighter tolerance makes global errors about a thousandfold smaller; a tenth is sure, unless all
    # motions are polynomials, which the methods follow exactly
    assert abs(loose.numerical) < 2e-6 * loose.throughput
    assert abs(tight.numerical) < max(0.1 * abs(loose.numerical), 1e-14 * tight.throughput)


def test_the_ledger_can_be_left_out() -> None:
    energy = run(MACHINES["driveline"](), energy=False)
    assert energy.throughput == 0.0
    assert not energy.dissipated


# --- heat against closed forms: the tolerance of the comparison is 10 times that of the run --------------------------


def test_heat_of_a_damper() -> None:
    r"""J w' = -d w from w0: w = w0 exp(-d t/J), heat = 1/2 J w0^2 (1 - exp(-2 d t/J))."""
    J, d, w0, t = 0.7, 0.4, 3.0, 2.0
    m = sb.Model("run-down")
    mass = m.add("mass", sb.Inertia(J=J, w0=w0))
    m.add("damper", sb.Damper(mass, d=d))
    energy = run(m, t)
    heat = 0.5 * J * w0**2 * (1 - exp(-2 * d * t / J))
    assert energy.dissipated == {"damper": pytest.approx(heat, rel=10 * TIGHT)}
    assert energy.stored == {"mass": pytest.approx(-heat, rel=10 * TIGHT)}
    assert energy.throughput == energy.initial["mass"] == pytest.approx(0.5 * J * w0**2, rel=1e-15)


def test_heat_of_a_brake_that_stops_a_mass() -> None:
    """Coulomb friction takes all of the kinetic energy, split among two guides as their forces; then it holds."""
    mass, v0 = 2.0, 3.0
    m = sb.Model("stop")
    body = m.add("body", sb.Mass(m=mass, v0=v0))
    m.add("front", sb.Guide(body, law=sb.Switch(mu_c=1.0, mu_s=1.5, mu_v=0.0), load=3.0))
    m.add("rear", sb.Guide(body, law=sb.Switch(mu_c=1.0, mu_s=1.5, mu_v=0.0), load=1.0))
    energy = run(m, 5.0)
    heat = 0.5 * mass * v0**2
    assert energy.dissipated == {
        name: pytest.approx(heat * part, rel=10 * TIGHT) for name, part in [("front", 0.75), ("rear", 0.25)]
    }
    assert energy.stored == {"body": pytest.approx(-heat, rel=1e-15)}


def test_heat_of_bristles_in_steady_sliding() -> None:
    """At a constant speed v the friction is mu_c + sigma2 v (far above v_s) and the bristles stay bent."""
    v, t = 0.5, 3.0
    law = sb.LuGre(sigma0=1e4, sigma1=10.0, sigma2=0.4, mu_c=1.0, mu_s=1.5, v_s=1e-3)
    m = sb.Model("drag")
    belt = m.add("belt", sb.Speed(w=v))
    wheel = m.add("wheel", sb.Inertia(J=1.0))
    m.connect(belt, wheel)
    m.add("seal", sb.Bearing(belt, law=law))
    energy = run(m, t)
    heat = (1.0 + 0.4 * v) * v * t
    assert energy.dissipated == {"seal": pytest.approx(heat, rel=10 * TIGHT)}
    assert energy.input == {"belt": pytest.approx(heat, rel=10 * TIGHT)}
    assert sum(energy.stored.values()) == pytest.approx(0.0, abs=10 * TIGHT * heat)


def test_work_of_a_torque_and_of_a_prescribed_speed() -> None:
    """A torque on a free inertia: w = tau t/J, work 1/2 tau^2 t^2/J; a ramp of the speed of a flywheel the same way."""
    tau, J, t = 2.0, 0.5, 1.5
    m = sb.Model("two ways")
    mass = m.add("mass", sb.Inertia(J=J))
    m.add("motor", sb.Torque(mass, tau=tau))
    flywheel = m.add("flywheel", sb.Inertia(J=J))
    m.connect(flywheel, m.add("ramp", sb.Speed(w=sb.Ramp(height=tau / J * t, duration=t))))
    work = 0.5 * tau**2 * t**2 / J
    energy = run(m, t)
    assert energy.input == {name: pytest.approx(work, rel=10 * TIGHT) for name in ("motor", "ramp")}
    assert energy.stored == {name: pytest.approx(work, rel=10 * TIGHT) for name in ("mass", "flywheel")}


# --- a load that changes while bristles are bent brings energy with it ------------------------------------------------


def bent(load: sb.signals.Signal) -> sb.Model:
    """A mass at rest on a bristle that bends under a steady push, well below the limit."""
    m = sb.Model("bent bristle")
    mass = m.add("mass", sb.Mass(m=1.0))
    m.add("push", sb.Force(mass, f=0.5))
    law = sb.LuGre(sigma0=100.0, sigma1=20.0, sigma2=0.4, mu_c=1.0, mu_s=1.5, v_s=0.1)
    m.add("guide", sb.Guide(mass, law=law, load=load))
    return m


def test_a_jump_of_the_load_is_booked() -> None:
    """The bristle bends to z = f/(sigma0 load); at the jump of the load its energy load sigma0 z^2/2 jumps as well."""
    model = bent(sb.Step(height=1.0, start=8.0, offset=1.0))
    result = sb.simulate(model, 16.0, intervals=16, tolerance=0.01 * TIGHT)  # its motion is small against the nominal
    z = result["guide.z"][8]
    assert z == pytest.approx(0.5 / 100.0, rel=1e-6)  # it creeps to its place within 8 s
    energy = result.energy
    (name,) = set(energy.input) - {"push"}
    assert energy.input[name] == pytest.approx(0.5 * 100.0 * z**2 * 1.0, rel=10 * TIGHT)
    assert abs(energy.residual) < 1e-12 * energy.throughput
    assert abs(energy.numerical) < 1e-9 * energy.throughput
    assert balance(energy) == pytest.approx(0.0, abs=1e-14 * energy.throughput)


def test_a_steady_change_of_the_load_is_booked() -> None:
    """A fast ramp of the load brings what the jump does, as work of the guide itself."""
    jump = run(bent(sb.Step(height=1.0, start=8.0, offset=1.0)), 16.0)
    ramp = run(bent(sb.Ramp(height=1.0, start=8.0, offset=1.0, duration=1e-6)), 16.0)
    (name,) = set(jump.input) - {"push"}
    assert ramp.input["guide"] == pytest.approx(jump.input[name], rel=1e-4)  # the bristle moves a little in 1e-6 s
    assert balance(ramp) == pytest.approx(0.0, abs=1e-14 * ramp.throughput)


def test_a_load_that_reaches_and_leaves_zero_is_booked() -> None:
    """The bristle is bent all the while; at both ends the load is 0 but not its slope."""
    load = sb.Table(time=[4.0, 6.0, 9.0, 12.0], value=[1.0, 0.0, 0.0, 1.0])
    energy = run(bent(load), 16.0)
    assert abs(energy.numerical) < 1e-9 * energy.throughput


def test_the_throughput_of_a_vehicle_that_rolls_downhill_is_what_its_height_gives() -> None:
    """Without losses v = g t sin(slope): nothing is put in, and m g s sin(slope) of height has become motion."""
    m = sb.Model("coasting")
    m.add("car", sb.Vehicle(m=1000, slope=-0.05, g=9.81))
    m.add("push", sb.Force("car", f=0))
    energy = run(m, 10.0)
    fall = 9.81 * np.sin(0.05)
    assert energy.released["car"] == pytest.approx(0.5 * 1000 * (fall * 10) ** 2, rel=1e-9)
    assert energy.throughput == energy.released["car"]
    assert abs(energy.residual) <= 1e-13 * energy.throughput
