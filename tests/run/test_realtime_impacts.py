"""Stops, free-wheels and gears with losses at fixed steps: the rebound of the adaptive run, to first order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.realtime import observed_order

import stribeck as sb

STEPS = (1e-3, 5e-4, 2.5e-4, 1.25e-4)


def speeds(result: sb.Result) -> np.ndarray:
    return np.array([np.asarray(result[name]) for name in result.names if name.endswith((".w", ".v"))])


def last(model: sb.Model, h: float, t_end: float = 1.0) -> np.ndarray:
    return speeds(model.realtime(h).run(t_end=t_end))[:, -1]


def rebound(link: str) -> sb.Model:
    """a hits b, behind which c turns."""
    m = sb.Model(link)
    a, b, c = (m.add(name, sb.Inertia(J=1, w0=w)) for name, w in (("a", 1), ("b", 0), ("c", 0)))
    m.add("stop", sb.Stop(a, b, phi_min=-0.3561, restitution=0.0 if link == "inelastic" else 0.6))
    if link == "free-wheel":
        m.add("wheel", sb.FreeWheel(b, c))
    elif link == "clutch":
        m.add("clutch", sb.Clutch(b, c, law=sb.Hybrid(mu_c=0.1, mu_s=0.12), fn_max=1.0))
    else:
        m.add("gear", sb.LossyGear(b, c, ratio=1, efficiency=0.8))
    return m


@pytest.mark.parametrize("link", ["inelastic", "gear", "free-wheel", "clutch"])
def test_the_same_rebound_as_the_adaptive_run(link: str) -> None:
    """Constant speeds before and behind: exact, but for the friction of a clutch, which begins within a step."""
    exact = speeds(sb.simulate(rebound(link), 1.0, tolerance=1e-10))[:, -1]
    for h in STEPS:
        assert last(rebound(link), h) == pytest.approx(exact, abs=0.2 * h if link == "clutch" else 1e-9)


def test_an_inelastic_impact_through_a_gear_loses_as_the_gear_does() -> None:
    """Any finite torque gives 1/(1 + 1 + 1/0.8) rad/s."""
    assert last(rebound("inelastic"), 1e-3)[0] == pytest.approx(1 / 3.25, rel=1e-12)


def test_a_ball_bounces_without_loss_of_height() -> None:
    """Restitution 1 under gravity: the impulse takes the speed of the instant, so what is left is rounding: steps of a
    constant acceleration are exact."""
    m = sb.Model("ball")
    ball = m.add("ball", sb.Mass(m=1.0, s0=0.1))
    m.add("weight", sb.Force(ball, f=-9.81))
    m.add("floor", sb.Stop(ball, s_min=0.0, restitution=1.0))
    result = m.realtime(1e-3).run(t_end=5.0)
    energy = 0.5 * np.asarray(result["ball.v"]) ** 2 + 9.81 * np.asarray(result["ball.s"])
    assert energy == pytest.approx(0.981, rel=1e-9)
    assert result.statistics.impacts == sum(event.to == "Stuck" for event in sb.simulate(m, 5.0).events)
    assert abs(result.energy.residual) < 1e-12


def test_a_mass_between_two_stops_is_where_it_should_be() -> None:
    """Impacts of one step follow each other: the gap of 0.01 m is passed every 2 ms, and every 0.2 ms by a fast one."""
    for speed in (5.0, 50.0):
        m = sb.Model("rattle")
        mass = m.add("mass", sb.Mass(m=1.0, v0=speed))
        m.add("stop", sb.Stop(mass, s_min=0.0, s_max=0.01, restitution=1.0))
        result = m.realtime(1e-3).run(t_end=1.0)
        way = (speed * np.asarray(result.time)) % 0.02
        assert result["mass.s"] == pytest.approx(np.minimum(way, 0.02 - way), abs=1e-9)
        assert result.warnings and "impacts in 1000 steps" in result.warnings[-1]


def test_a_ball_comes_to_rest() -> None:
    """With restitution 0.5 it rests after (1 + 0.5)/(1 - 0.5) times the time of its fall, and does not move then."""
    m = sb.Model("ball")
    ball = m.add("ball", sb.Mass(m=1.0, s0=0.5))
    m.add("weight", sb.Force(ball, f=-9.81))
    m.add("floor", sb.Stop(ball, s_min=0.0, restitution=0.5))
    result = m.realtime(1e-3).run(t_end=1.5)
    rest = 3 * np.sqrt(2 * 0.5 / 9.81)
    late = np.asarray(result.time) > rest + 0.01
    assert np.abs(np.asarray(result["ball.v"])[late]).max() < 1e-12
    assert np.ptp(np.asarray(result["ball.s"])[late]) < 1e-15
    assert np.abs(np.asarray(result["ball.s"])[late]).max() < 1e-6  # a g h^2/2 of the last, smallest bounce
    assert abs(result.energy.residual) < 1e-12


def test_a_free_wheel_whose_motor_jumps() -> None:
    """A prescribed speed that falls below what it drives lets it overrun; one that jumps above takes it along at once.
    The energy balances, whatever the branch of the signal."""
    m = sb.Model("jump")
    body = m.add("body", sb.Inertia(J=1.0))
    motor = m.add("motor", sb.Speed(w=sb.Quantiser(sb.Sine(amplitude=1.0, f=1.6), step=0.25, mode="floor")))
    m.add("wheel", sb.FreeWheel(motor, body))
    exact = sb.simulate(m, 1.0, intervals=1000)
    result = m.realtime(1e-3).run(t_end=1.0)
    apart = np.abs(np.asarray(result["body.w"]) - np.asarray(exact["body.w"]))
    assert apart.mean() < 1e-3
    assert result["body.w"][-1] == pytest.approx(exact["body.w"][-1], abs=1e-12)
    assert abs(result.energy.residual) < 1e-12


@pytest.mark.parametrize(
    "speed",
    [
        sb.Maximum([sb.Sine(amplitude=1.0, f=4.89), -0.4]),
        sb.Saturation(sb.Sine(amplitude=1.0, f=0.926), low=-1.03, high=0.721),
        sb.DeadZone(sb.Sine(amplitude=1.0, f=0.732), low=-0.333, high=0.444),
        sb.Table(time=[0, 0.2503, 0.5001], value=[0, 1, -0.5]),
    ],
)
def test_what_sticks_to_a_motor_follows_it_through_kinks(speed: sb.signals.Signal) -> None:
    """Also the step in which the speed kinks ends with slip 0, and books what it has done."""
    m = sb.Model("kink")
    m.add("body", sb.Inertia(J=1.0))
    m.add("motor", sb.Speed(w=speed))
    m.add("clutch", sb.Clutch("motor", "body", law=sb.Coulomb(mu_c=1.0), fn_max=1e3))
    for h in (1e-3, 1e-4):
        result = m.realtime(h).run(t_end=1.0)
        assert np.abs(np.asarray(result["clutch.w_rel"])[1:]).max() < 1e-12
        assert abs(result.energy.residual) < 1e-12


def test_impacts_among_friction_and_springs_have_first_order() -> None:
    """Two bodies on a spring, one of them between stops and rubbing; the mean over delays, as chance has it."""

    def machine(delay: float) -> sb.Model:
        m = sb.Model("machine")
        m.add("a", sb.Inertia(J=1.0, w0=2.0))
        m.add("b", sb.Inertia(J=0.7))
        m.add("spring", sb.SpringDamper("a", "b", c=60.0, d=0.3))
        m.add("push", sb.Torque("a", tau=sb.Sine(amplitude=8.0, f=1.1, phase=0.3 - 2 * np.pi * 1.1 * delay)))
        m.add("stop", sb.Stop("b", phi_min=-0.1, phi_max=0.08, restitution=0.5))
        m.add("rub", sb.Bearing("b", law=sb.Switch(mu_c=0.8, mu_s=1.0)))
        return m

    errors = []
    for i in range(8):
        model = machine(0.618034e-3 * i)
        exact = speeds(sb.simulate(model, 1.0, intervals=250, tolerance=1e-9))
        found = [speeds(model.realtime(h).run(t_end=1.0, every=round(4e-3 / h))) for h in STEPS]
        errors.append([np.abs(one - exact).mean() / np.ptp(exact) for one in found])
    mean = np.mean(errors, axis=0)
    assert mean[0] < 0.02
    assert observed_order(mean, STEPS) > 0.9, mean


@pytest.mark.parametrize("number", [253, 934])
def test_machines_that_were_wrong(shared: Path, number: int) -> None:
    model = sb.load_model(shared / "faults" / f"fixed_vs_adaptive_{number}.yaml")
    exact = speeds(sb.simulate(model, 1.0, intervals=1000))
    for h, bar in ((1e-3, 5e-3), (1e-4, 5e-4)):
        found = speeds(model.realtime(h).run(t_end=1.0, every=round(1e-3 / h)))
        assert np.abs(found - exact).mean() < bar
