"""Hard stops: impacts against closed forms, momentum and energy."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb

G = 9.81


def run(m: sb.Model, t_end: float, **options: object) -> sb.Result:
    """A run whose ledger closes to rounding: what an impact takes is booked as heat of the stop."""
    result = sb.simulate(m, t_end, tolerance=1e-10, **options)
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput
    return result


def impacts(result: sb.Result) -> list[float]:
    """Instants at which a stop was met."""
    return [event.time for event in result.events if event.to == "Stuck"]


# --- a bouncing ball -------------------------------------------------------------------------------------------------


def ball(restitution: float, **more: object) -> sb.Model:
    """Dropped from 1 m: it falls t0 = sqrt(2/g), and every flight after is `restitution` times as long as the last."""
    m = sb.Model("ball")
    m.add("ball", sb.Mass(m=0.2, s0=1.0))
    m.add("weight", sb.Force("ball", f=-0.2 * G))
    m.add("floor", sb.Stop("ball", s_min=0, restitution=restitution, **more))
    return m


def test_a_ball_bounces() -> None:
    e, t0 = 0.8, np.sqrt(2 / G)
    result = run(ball(e), 3.0)
    expected = t0 + np.cumsum([0, *(2 * t0 * e**n for n in range(1, 6))])
    assert impacts(result) == pytest.approx(expected, rel=1e-9)
    assert [event.to for event in result.events] == ["Stuck", "Free"] * 6
    # after the last impact it flies with e^6 of the speed of the fall
    speed = e**6 * G * t0 - G * (3.0 - expected[-1])
    assert result["ball.v"][-1] == pytest.approx(speed, rel=1e-8)
    lost = 0.5 * 0.2 * (G * t0) ** 2 * (1 - e**12)
    assert result.energy.dissipated["floor"] == pytest.approx(lost, rel=1e-9)
    assert result.extremes["ball.s"]["min"] > -1e-9


def test_a_ball_comes_to_rest_and_is_lifted() -> None:
    """Flights end where the approach is slower than v_small; the whole bouncing lasts t0 (1 + e)/(1 - e) but for that.
    Then the floor carries the weight, until a force that grows lifts the ball at the instant it exceeds the weight."""
    e, t0, v_small = 0.5, np.sqrt(2 / G), 1e-3
    m = ball(e, v_small=v_small)
    m.add("lift", sb.Force("ball", f=sb.Ramp(4.0, duration=4.0, start=2.0)))
    result = run(m, 5.0)
    bounces = int(np.ceil(np.log(v_small / (G * t0)) / np.log(e)))
    times = [(event.to, event.time) for event in result.events]
    assert len(times) == 2 * bounces + 2
    rests, lifts = times[-2:]
    assert rests == ("Stuck", pytest.approx(t0 * (1 + e) / (1 - e), abs=2 * v_small / G))
    assert lifts == ("Free", pytest.approx(2 + 0.2 * G, abs=1e-9))
    at_rest = (np.asarray(result.time) > rests[1]) & (np.asarray(result.time) < 2)
    assert result["floor.f"][at_rest] == pytest.approx(-0.2 * G)
    assert np.abs(result["ball.s"][at_rest]).max() < 1e-9
    # m s'' = t - (2 + m g) from then on
    later = np.asarray(result.time) > 2 + 0.2 * G
    since = np.asarray(result.time)[later] - 2 - 0.2 * G
    assert result["ball.s"][later] == pytest.approx(since**3 / 1.2, abs=1e-7)


def test_without_restitution_it_stays() -> None:
    result = run(ball(0.0), 1.0)
    assert impacts(result) == pytest.approx([np.sqrt(2 / G)])
    assert len(result.events) == 1
    assert result.energy.dissipated["floor"] == pytest.approx(0.2 * G)


# --- two ends, two bodies --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turning", [True, False])
def test_to_and_fro_between_two_ends(turning: bool) -> None:
    """2 from end to end, restitution 1/2: 0.5 s to the first, then 2, 4, 8 s; results name both ends."""
    m = sb.Model("box")
    if turning:
        m.add("body", sb.Inertia(J=1.5, phi0=0.5, w0=1))
        m.add("box", sb.Stop("body", phi_min=-1, phi_max=1, restitution=0.5))
        names = "phi_rel", "w_rel", "tau_low", "mode_low", "tau_high", "mode_high"
    else:
        m.add("body", sb.Mass(m=1.5, s0=0.5, v0=1))
        m.add("box", sb.Stop("body", s_min=-1, s_max=1, restitution=0.5))
        names = "s_rel", "v_rel", "f_low", "mode_low", "f_high", "mode_high"
    result = run(m, 20.0)
    assert impacts(result) == pytest.approx([0.5, 4.5, 12.5])
    assert all(f"box.{name}" in result.names for name in names)
    assert result[f"box.{names[0]}"] == pytest.approx(
        np.interp(result.time, [0, 0.5, 4.5, 12.5, 20], [0.5, 1, -1, 1, 1 - 7.5 / 8]), abs=1e-9
    )


@pytest.mark.parametrize("restitution", [0.0, 0.3, 1.0])
def test_two_bodies_that_meet(restitution: float) -> None:
    """The centre of mass goes on; the relative speed turns with the restitution: momentum is not lost."""
    m = sb.Model("meet", t_end=2)
    fast, slow = m.add("fast", sb.Mass(m=3, v0=2)), m.add("slow", sb.Mass(m=1, s0=1, v0=-1))
    m.add("buffer", sb.Stop(fast, slow, s_min="0.1 m", restitution=restitution))
    result = run(m, 2.0)
    centre, after = 5 / 4, np.asarray(result.time) > 0.3
    assert impacts(result) == pytest.approx([0.3])
    assert result["fast.v"][after] == pytest.approx(centre - restitution * 3 / 4)
    assert result["slow.v"][after] == pytest.approx(centre + restitution * 9 / 4)
    momentum = 3 * np.asarray(result["fast.v"]) + np.asarray(result["slow.v"])
    assert momentum == pytest.approx(5, rel=1e-14)
    assert result.energy.dissipated.get("buffer", 0.0) == pytest.approx(
        0.5 * 0.75 * 9 * (1 - restitution**2), abs=1e-12
    )


def test_an_impact_goes_through_gears_and_locked_clutches() -> None:
    """What stops is what is rigidly behind it: J_a + J_b/9 by a gear. A stuck clutch has a finite limit: it transmits
    no impulse, so that the flywheel behind it goes on and the clutch slides."""
    m = sb.Model("geared")
    for name, J, w in (("a", 1.0, 3.0), ("b", 9.0, 1.0), ("flywheel", 5.0, 3.0)):
        m.add(name, sb.Inertia(J=J, w0=w))
    m.add("gear", sb.Gear("a", "b", ratio=3))
    m.add("clutch", sb.Clutch("a", "flywheel", law=sb.Coulomb(mu_c=0.4), fn_max=10))
    m.add("end", sb.Stop("a", phi_max=1.5, restitution=1.0))
    result = run(m, 0.6)
    assert impacts(result)[0] == pytest.approx(0.5)
    after = np.searchsorted(result.time, 0.5 + 1e-9)
    since = result.time[after] - 0.5
    assert result["a.w"][after] == pytest.approx(-3 + 4 / 2 * since)
    assert result["flywheel.w"][after] == pytest.approx(3 - 4 / 5 * since)
    assert result.energy.dissipated.get("end", 0.0) == pytest.approx(0, abs=1e-12)


def test_three_that_touch_are_solved_together() -> None:
    """One of three equal masses meets two that touch, all elastic. All impulses at once, with Newton's rule for each
    pair, not one after the other: v1 = -1/3, v2 = v3 = 2/3, which keeps momentum and energy."""
    m = sb.Model("row")
    for k, v0 in enumerate((1.0, 0.0, 0.0)):
        m.add(f"m{k}", sb.Mass(m=1, s0=(-1.0, 0.0, 1.0)[k] - (k == 0), v0=v0))
    m.add("first", sb.Stop("m0", "m1", s_min=1, restitution=1))
    m.add("second", sb.Stop("m1", "m2", s_min=1, restitution=1))
    result = run(m, 2.0)
    assert [result[f"m{k}.v"][-1] for k in range(3)] == pytest.approx([-1 / 3, 2 / 3, 2 / 3])


def test_a_stop_on_a_moving_wall() -> None:
    """A wall that comes with 2 m/s hits a mass of 2 kg at rest: elastic, it leaves with 4 m/s. The drive of the wall
    gives the impulse 8 N.s at 2 m/s, 16 J, which is what the mass has then."""
    m = sb.Model("bat")
    wall, mass = m.add("wall", sb.Speed(v=2, s0=-1)), m.add("mass", sb.Mass(m=2))
    m.add("bat", sb.Stop(wall, mass, s_min=0, restitution=1))
    result = run(m, 1.0)
    assert impacts(result) == pytest.approx([0.5])
    assert result["mass.v"][-1] == pytest.approx(4)
    assert result.energy.input["wall"] == pytest.approx(16)
    assert result.energy.stored["mass"] == pytest.approx(16)


def test_what_an_impact_takes_becomes_heat() -> None:
    """A ball of 0.2 kg that stays where it falls by 1 m warms 3 J/K by m g h."""
    m = ball(0.0, heat="plate")
    m.add("plate", sb.ThermalMass(C=3.0, T0=300.0))
    result = run(m, 1.0)
    assert result["plate.T"][-1] == pytest.approx(300 + 0.2 * G / 3, abs=1e-9)


# --- what is refused -------------------------------------------------------------------------------------------------


def test_one_flange_is_the_body_and_a_is_the_ground() -> None:
    assert sb.Stop("slider", s_max=1).refs == {"b": "slider"}
    assert sb.Stop("wall", "slider", s_max=1).refs == {"a": "wall", "b": "slider"}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "Stop: no end is given; give phi_min, phi_max or both"),
        ({"s_min": 1, "s_max": 1}, "the lower end 1 must be below the upper end 1; without play connect rigidly"),
        ({"s_min": 1, "restitution": 1.2}, "restitution = 1.2 must be at least 0 and at most 1"),
    ],
)
def test_faults(values: dict[str, float], message: str) -> None:
    with pytest.raises(sb.SpecError) as error:
        sb.Stop("slider", **values)
    assert message in str(error.value)


@pytest.mark.parametrize(("start", "message"), [(-2.0, "is beyond s_min = -1"), (3.0, "is beyond s_max = 2")])
def test_a_start_beyond_the_ends_is_refused(start: float, message: str) -> None:
    m = sb.Model("beyond")
    m.add("slider", sb.Mass(m=1, s0=start))
    m.add("end", sb.Stop("slider", s_min=-1, s_max=2))
    with pytest.raises(sb.SpecError, match=rf"stop 'end': at the start s_rel = {start:g} m {message}"):
        sb.simulate(m, 1.0)


def test_two_motions_that_meet_end_the_run() -> None:
    m = sb.Model("clash")
    m.add("a", sb.Speed(v=1))
    m.add("b", sb.Speed(v=-1, s0=1))
    m.add("end", sb.Stop("a", "b", s_min=0))
    with pytest.raises(sb.SimulationError, match=r"at end: it is driven against the direction that it blocks"):
        sb.simulate(m, 1.0)


def test_a_rebound_that_drags_a_body_along_makes_no_energy() -> None:
    """Body b meets a stop with restitution 1; thrown back it takes the tenfold body a with it through the free-wheel.

    The stop stops b with the impulse J_b w and gives the same back, to both: w' = -J_b w/(J_a + J_b) = -1/11.
    """
    m = sb.Model("drag")
    a, b = m.add("a", sb.Inertia(J=10.0)), m.add("b", sb.Inertia(J=1.0, w0=1.0))
    m.add("wheel", sb.FreeWheel(a, b))
    m.add("end", sb.Stop(b, phi_max=0.5, restitution=1.0))
    result = sb.simulate(m, 1.0)
    assert result["a.w"][-1] == pytest.approx(-1 / 11, rel=1e-12)
    assert result["b.w"][-1] == pytest.approx(-1 / 11, rel=1e-12)
    assert sum(result.energy.dissipated.values()) == pytest.approx(0.5 - 0.5 / 11, rel=1e-12)
    assert min(result.energy.dissipated.values()) >= 0


def test_a_law_with_modes_is_thrown_through_zero() -> None:
    """At a rebound from 2 to -2 rad/s the bearing changes its direction; it does not catch the body."""
    m = sb.Model("rebound")
    body = m.add("body", sb.Inertia(J=1.0, w0=2.0))
    m.add("bearing", sb.Bearing(body, law=sb.HybridPresliding(tau_c=0.1, tau_s=0.15)))
    m.add("end", sb.Stop(body, phi_max=0.5, restitution=1.0))
    result = sb.simulate(m, 1.0)
    speed = (4.0 - 2 * 0.1 * 0.5) ** 0.5  # at the end; after it 0.1 rad/s2 act for the rest of the second
    met = (2.0 - speed) / 0.1
    assert result["body.w"][-1] == pytest.approx(-speed + 0.1 * (1.0 - met), rel=1e-3)
