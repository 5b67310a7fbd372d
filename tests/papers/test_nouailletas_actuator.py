"""The clutch actuator of nouailletas2010: experiments against closed forms, other integrators and other step sizes."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import stribeck as sb
from stribeck_papers.nouailletas2010 import (
    Controller,
    Mechanism,
    Scheduled,
    break_away,
    coast,
    let_go,
    lpv,
    mean_friction,
    position_test,
    sinusoidal_test,
    sweep,
    tangent,
)
from stribeck_papers.nouailletas2010.actuator import (
    COUNT,
    F_V,
    RATIO,
    TABLE_4,
    TABLE_5,
    TRAVEL,
    J,
    LimitCycle,
    single_mass,
)
from stribeck_papers.nouailletas2010.lpv import decay, drive
from stribeck_papers.nouailletas2010.mechanism import MASSES, WHEEL

# --- the simple model -------------------------------------------------------------------------------------------------


def test_friction_of_one_direction_does_not_hold_the_other():
    """Break-away of each direction, from a torque just below and just above it."""
    for theta in (10.0, 40.0):
        for direction in (1, -1):
            for factor, moves in ((0.999, False), (1.001, True)):
                torque = direction * factor * TABLE_5.static(theta, direction)
                run = sb.simulate(single_mass(torque, start=theta), t_end=0.01)
                assert (direction * (run["rotor.phi"][-1] - theta) > 1e-6) == moves


def test_the_friction_of_each_direction_has_its_own_ratio():
    """Both ways start and slide at J w' = u - C_r, with the ratio beta of that direction."""
    for direction in (1, -1):
        torque = 1.2 * direction * TABLE_5.static(30.0, direction)
        run = sb.simulate(single_mass(torque, start=30.0), t_end=1e-4)
        expected = (abs(torque) - TABLE_5.sliding(30.0, direction)) / J
        assert direction * run["rotor.a"][-1] == pytest.approx(expected, rel=1e-3)


def test_coasting_ends_where_energy_says():
    """Energy: J w^2/2 is the work of C_r over the way; the two modes of Table 3 stop after Sigma/p0 instead."""
    way = coast(149.0)["rotor.phi"][-1] - 30.0
    work = TABLE_5.forward.integ()
    assert work(30.0 + way) - work(30.0) == pytest.approx(J * 149.0**2 / 2, rel=1e-6)
    captured = coast(149.0, hybrid=True)["rotor.phi"][-1] - 30.0
    assert captured == pytest.approx(149.0 / 1e4, rel=1e-3)
    assert way > 10 * COUNT > captured


def test_break_away_is_late_by_the_time_of_one_count():
    """Excess of about rate sqrt(2 d J / (C_s - C_r)), d the way to the next count; never too early."""
    theta = COUNT * 200.01
    late = break_away(theta, rate=0.2) - TABLE_5.static(theta, 1)
    time = np.sqrt(2 * COUNT * J / (TABLE_5.static(theta, 1) - TABLE_5.sliding(theta, 1)))
    assert 0.5 * 0.2 * time < late < 1.5 * 0.2 * time


def test_mean_of_the_sinusoidal_test():
    """C_r + f_v (2/pi) sqrt(V^2 - 240^2), the mean of C_r by quadrature over the way."""
    phase = (np.arange(20000) + 0.5) * np.pi / 20000
    angle = TRAVEL / 2 - 25.0 * np.cos(phase)
    dry = np.mean((TABLE_5.forward(angle) + TABLE_5.backward(angle)) / 2)  # equal times up and down
    assert mean_friction(sinusoidal_test(200.0)) == pytest.approx(dry, rel=1e-5)
    expected = dry + F_V * 2 / np.pi * np.sqrt(400.0**2 - 240.0**2)
    assert mean_friction(sinusoidal_test(400.0)) == pytest.approx(
        expected, rel=3e-3
    )  # the jump within a step of 1/2000


# --- the limit cycle --------------------------------------------------------------------------------------------------


def test_a_cycle_is_measured():
    """A triangle of torque with a square of angle: range, period, largest torque; a run at rest has no period."""
    time = np.linspace(0, 20, 20001)
    triangle = 0.1 * (2 / np.pi) * np.arcsin(np.sin(2 * np.pi * time / 2.5))
    square = 30 + 0.4 * np.sign(np.sin(2 * np.pi * time / 2.5))
    run = type("Run", (dict,), {"time": time})({"rotor.phi": square, "motor.tau": triangle})
    cycle = LimitCycle.of(run, since=2.0)
    assert (cycle.amplitude, cycle.period, cycle.torque) == pytest.approx((0.8, 2.5, 0.1), rel=1e-3)
    still = type("Run", (dict,), {"time": time})({"rotor.phi": 0 * time + 30, "motor.tau": 0 * time + 0.05})
    assert np.isnan(LimitCycle.of(still, since=2.0).period)


def test_the_period_follows_from_range_and_error():
    """Between slips the torque is a ramp Ki e: the period is the range of the torque times (1/e_1 + 1/e_2)/Ki."""
    run = position_test(t_end=10.0)
    late = run.time > 4.0
    angle, torque = (np.asarray(run[name])[late] for name in ("rotor.phi", "motor.tau"))
    counts = [COUNT * np.floor(end / COUNT) for end in (angle.min(), angle.max())]
    rates = [2.5 * J * 20.0**3 * abs(30.0 - count) for count in counts]
    expected = np.ptp(torque) * sum(1 / rate for rate in rates)
    assert LimitCycle.of(run, 4.0).period == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("play, longer", [(0.0, False), (3.0, True)])
def test_periods_by_fixed_steps(play, longer):
    """What contradicts the paper, by another method: with the friction of Table 5 play makes the period longer."""
    cycles = [LimitCycle.of(position_test(t_end=13.0, play=play, step=step), 3.0) for step in (None, "1 ms")]
    assert cycles[1].period == pytest.approx(cycles[0].period, rel=0.05)
    assert cycles[1].amplitude == pytest.approx(cycles[0].amplitude, rel=0.05)
    assert cycles[1].torque == pytest.approx(cycles[0].torque, rel=0.01)
    assert (cycles[0].period > 3.0) == longer


def test_cutoff_ends_the_cycle_and_without_it_the_rotor_goes_on():
    assert np.ptp(np.asarray(position_test(t_end=6.0)["rotor.phi"])[-4000:]) > 5 * COUNT
    run = position_test(t_end=6.0, controller=Controller(cutoff=4 * COUNT))
    assert np.ptp(np.asarray(run["rotor.phi"])[-4000:]) == 0
    assert abs(run["rotor.phi"][-1] - 30.0) < 5 * COUNT


# --- the mechanism ----------------------------------------------------------------------------------------------------


def test_the_slow_torque_is_the_one_of_table_4():
    """Where the motor drives in both directions; the table has 27 stations, which leaves 1e-4 N.m."""
    for direction, run in sweep().items():
        theta, torque = np.asarray(run["motor.phi"]), np.asarray(run["motor.tau"])
        inside = (theta > 1) & (theta < 40)
        expected = direction * TABLE_4.sliding(theta, direction)
        assert torque[inside] == pytest.approx(expected[inside], rel=0, abs=3e-4)


def test_the_compensator_presses_with_force_1():
    """The element CamSpring gives F_1 tan(alpha): with the F_1 by which friction is loaded."""
    parts, run = Mechanism(), sweep()[1]
    x = np.asarray(run["rack.s"])
    expected = np.interp(x, parts.x, parts.force_1) * np.interp(x, parts.x, parts.tangent)
    assert -np.asarray(run["compensator.f"]) == pytest.approx(expected, rel=0, abs=0.5)


def slides(parts: Mechanism, v: float) -> tuple[float, float]:
    """Largest speed and way of the rack by one equation, from 52.5 rad until it rests: all inertias at the rack."""
    mass = (J + WHEEL) / RATIO**2 + MASSES["rack"] + parts.areas**2 * MASSES["slave"]

    def rate(t, y):
        tangent, force_2 = (np.interp(y[0], parts.x, curve) for curve in (parts.tangent, parts.force_2))
        force_1 = np.interp(y[0], parts.x, parts.force_1)
        friction = parts.mu_c * (1 + parts.sigma * np.exp(-((y[1] / parts.v_s) ** 2))) * force_1
        return [y[1], (force_1 * tangent - force_2 + friction) / mass]

    def rests(t, y):
        return y[1]

    rests.terminal, rests.direction = True, 1
    run = solve_ivp(rate, (0, 0.4), [RATIO * 52.5, v], events=rests, rtol=1e-9, atol=1e-12, max_step=1e-3)
    return float(np.abs(run.y[1]).max()), float(np.ptp(run.y[0]))


def test_rule_44_does_not_stop_a_moving_rack():
    """What contradicts the paper, once more: with an ideal reducer, and by one equation in another integrator."""
    ideal = Mechanism(motor=0, efficiency=1.0)
    force_1, residue = (np.interp(RATIO * 52.5, ideal.x, curve) for curve in (ideal.force_1, ideal.residue))
    rule = residue / (force_1 * (1 + ideal.sigma))
    for factor, faster in ((1.05, True), (1.05 * (1 + ideal.sigma), False)):
        parts = replace(ideal, mu_c=factor * rule)
        run = let_go(parts, theta=52.5, v=-0.02, t_end=0.4)
        speed, way = slides(parts, -0.02)
        assert np.abs(np.asarray(run["rack.v"])).max() == pytest.approx(speed, rel=2e-3)
        assert np.ptp(np.asarray(run["rack.s"])) == pytest.approx(way, rel=5e-3)
        assert (speed > 0.0205) == faster


# --- the LPV form -----------------------------------------------------------------------------------------------------


def test_the_exact_form_moves_as_the_model():
    result, states = drive()
    assert states[0] == pytest.approx(np.asarray(result["rotor.phi"]), rel=0, abs=1e-8)


def test_the_tangent_is_the_derivative_of_the_exact_form():
    for theta in (5.0, 30.0, 60.0):
        for s in (1, -1):
            step = 1e-4
            forces = []
            for place in (theta - step, theta + step):
                at = lpv(place, s)
                forces.append(at.A[1, 0] * place + at.E[1])
            assert np.diff(forces)[0] / (2 * step) == pytest.approx(tangent(theta, s).A[1, 0], rel=1e-5)


def test_scheduled_gains_place_the_poles():
    for theta in (5.0, 30.0, 60.0):
        for s in (1, -1):
            assert np.linalg.eigvals(Scheduled().closed(theta, s)) == pytest.approx([-60.0, -60.0], rel=1e-4)


def test_a_loop_that_is_not_stable_is_seen():
    """So slow a loop cannot hold the steepest friction with fixed gains."""
    assert decay(Scheduled())["lyapunov"] < 0 < decay(Scheduled(bandwidth=15.0, scheduled=False))["lyapunov"]
