"""The car of aberger2002: peaks where pressures jump, and speed lost in the up-shift."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck_papers import aberger2002
from stribeck_papers.aberger2002._car_runs import damping_ratios, kick, late, lost_speed

LINE, FORCE_A, IDLE = 0.15, 5300.0, 80.0
"""Share of the pressure at rest, force of clutch A (N), speed of the idling engine (rad/s)."""


@pytest.mark.parametrize("sigma1", [0.03, 0.3])
def test_torque_of_a_closing_on_straight_bristles(sigma1: float) -> None:
    """sigma1 w fn at the first instant, whatever the stiffness."""
    expected = LINE * FORCE_A * sigma1 * IDLE
    for sigma0 in (1e4, 1e5):
        result = sb.simulate(aberger2002.first_closing(aberger2002.table_7(sigma0, sigma1)))
        assert -result.extremes["A.tau"]["min"] == pytest.approx(expected, rel=1e-3)


def test_peak_of_acceleration_by_hand() -> None:
    """At the first instant no other bristles are bent: all members share the torque of A by their inertias alone, and
    the car begins to roll."""
    z, z3, final, radius = 73 / 35, 83 / 31, 3.7, 0.31
    rows = {  # speeds over those of sun, intermediate shaft and output
        "ring1": ([-1 / z, (1 + z) / z, 0], 0.01),
        "sun": ([1, 0, 0], 0.01),
        "carrier2": ([1 / (1 + z), z / (1 + z), 0], 0.01),
        "intermediate": ([0, 1, 0], 0.02),
        "sun3": ([0, 1 + z3, -z3], 0.005),
        "output": ([0, 0, 1], 0.02 + (3.0 + 1700 * radius**2) / final**2),
    }
    mass = sum(inertia * np.outer(row, row) for row, inertia in rows.values())
    push = LINE * FORCE_A * 0.03 * IDLE * np.array(rows["ring1"][0])
    push[2] -= 0.012 * 1700 * 9.80665 * radius / final
    expected = np.linalg.solve(mass, push)[2] / final * radius
    assert kick(sb.simulate(aberger2002.first_closing())) == pytest.approx(expected, rel=1e-4)


def test_peaks_are_proportional_to_damping_and_vanish() -> None:
    frozen = {s1: kick(aberger2002.drive(aberger2002.table_7(sigma1=s1), t_end=1.1, abrupt=True)) for s1 in (0.3, 3.0)}
    assert frozen[3.0] == pytest.approx(10 * frozen[0.3], rel=0.01)
    steady = kick(aberger2002.drive(aberger2002.table_7(sigma1=0.3), t_end=1.1, abrupt=True, engage="steady"))
    assert steady < 2 < 30 < frozen[0.3]


def test_rk4_needs_forty_nanoseconds() -> None:
    """2.785 mu/(sigma0 |w|) = 42 ns when A closes at 80 rad/s."""
    program = sb.compile_model(aberger2002.first_closing())
    stepper = sb.realtime(program, 4e-8, method="ode4", energy=False)
    tau = stepper.run(t_end=1.05e-3, outputs=["A.tau"])["A.tau"]
    assert tau[-1] == pytest.approx(-LINE * FORCE_A * 0.12, rel=1e-3)
    with pytest.raises(sb.SimulationError):
        sb.realtime(program, 1e-7, method="ode4", energy=False).run(t_end=1.05e-3, outputs=[])


def test_overlap_of_two_gears_costs_speed_with_any_clutches() -> None:
    assert lost_speed(late(0.2, "rigid")) < 1e-3
    assert lost_speed(late(0.6, "rigid")) == pytest.approx(0.0334, rel=0.02)


def test_damping_ratio_of_bristles_grows_with_damping() -> None:
    """In proportion, and with 1/sqrt(sigma0): zeta = sigma1/2 sqrt(fn/(sigma0 J))."""
    ratios = {pair: min(damping_ratios(*pair)) for pair in ((1e4, 0.03), (1e4, 0.3), (1e6, 0.3))}
    assert ratios[1e4, 0.3] == pytest.approx(10 * ratios[1e4, 0.03], rel=1e-3)
    assert ratios[1e6, 0.3] == pytest.approx(0.1 * ratios[1e4, 0.3], rel=1e-3)
    assert not damping_ratios(1e4, 3.0)
