"""True stick: contacts that lock hold without creep, break away at their limit, and share what they hold together.

Unless said otherwise a machine is one inertia J = 1 in a bearing that sticks up to 1.5 N.m and slides with 1 N.m, so
that its motion is a polynomial in time, which both methods integrate to rounding; events are located to a few ulps.
"""

from __future__ import annotations

from math import asin, pi, sqrt
from typing import Any

import numpy as np
import pytest

import stribeck as sb

STATIC, KINETIC = 1.5, 1.0
ROUNDING = 1e-12


@pytest.fixture(params=["auto", "rodas5p", "dopri5"])
def method(request: pytest.FixtureRequest) -> str:
    return request.param


def coulomb(static: float = STATIC, kinetic: float = KINETIC) -> sb.Switch:
    return sb.Switch(mu_c=kinetic, mu_s=static, mu_v=0.0)


def held(tau: Any = 0.0, law: sb.Switch | None = None, load: Any = 1.0, w0: float = 0.0) -> sb.Model:
    m = sb.Model("held")
    mass = m.add("mass", sb.Inertia(J=1.0, w0=w0))
    m.add("bearing", sb.Bearing(mass, law=law or coulomb(), load=load))
    m.add("drive", sb.Torque(mass, tau=tau))
    return m


def changes(result: sb.Result) -> list[tuple[float, str, str]]:
    """Time, mode before and mode after of every event, with times that compare to rounding."""
    return [(pytest.approx(event.time, rel=0, abs=ROUNDING), event.from_, event.to) for event in result.events]


# --- one contact -----------------------------------------------------------------------------------------------------


def test_reversal_without_sticking(method: str) -> None:
    """A torque of -5 N.m turns the mass around at w = 0: it decelerates with 6, then accelerates with 4 rad/s2."""
    result = sb.simulate(held(-5.0, w0=1.0), 1.0, solver=method)
    assert changes(result) == [(1 / 6, "Forward", "Backward")]
    assert result["mass.w"][-1] == pytest.approx(-4 * (1 - 1 / 6), rel=ROUNDING)


def test_capture_without_any_drive(method: str) -> None:
    result = sb.simulate(held(w0=2.0), 5.0, solver=method)
    assert changes(result) == [(2.0, "Forward", "Stuck")]
    assert result["mass.w"][-1] == 0.0
    assert result["mass.phi"][-1] == pytest.approx(2.0, rel=ROUNDING)
    assert result["bearing.tau"][-1] == 0.0


def test_capture_under_a_drive_that_the_bearing_can_hold(method: str) -> None:
    result = sb.simulate(held(-0.5, w0=1.5), 3.0, solver=method)
    assert changes(result) == [(1.0, "Forward", "Stuck")]
    assert result["bearing.tau"][-1] == pytest.approx(-0.5, rel=ROUNDING)


def test_break_away_and_the_drop_to_the_kinetic_limit(method: str) -> None:
    """A ramp of 1 N.m/s: break-away at 1.5 s, then w' = t - 1."""
    result = sb.simulate(held(sb.Ramp(height=10.0, duration=10.0)), 3.0, solver=method)
    assert changes(result) == [(1.5, "Stuck", "Forward")]
    assert result["mass.w"][-1] == pytest.approx((2.0**2 - 0.5**2) / 2, rel=ROUNDING)
    assert result.extremes["bearing.tau"]["max"] == pytest.approx(STATIC, rel=ROUNDING)


def test_equal_limits_let_go_once_under_a_slow_ramp(method: str) -> None:
    """mu_s = mu_c: no drop, so the mass starts with no acceleration; it must not chatter there."""
    ramp = sb.Ramp(height=0.02, duration=20.0, offset=0.99)
    result = sb.simulate(held(ramp, coulomb(KINETIC)), 20.0, solver=method)
    assert [event.to for event in result.events] == ["Forward"]
    assert result.events[0].time == pytest.approx(10.0, abs=1e-10)  # 1e-15 N.m of rounding over 1e-3 N.m/s, and some
    assert result["mass.w"][-1] == pytest.approx(1e-3 * 10.0**2 / 2, rel=1e-9)


def test_start_at_rest_above_the_limit(method: str) -> None:
    result = sb.simulate(held(2.0), 1.0, solver=method)
    assert not result.events
    assert result.phases("bearing") == [(0.0, 1.0, 1)]
    assert result["mass.w"][-1] == pytest.approx(1.0, rel=ROUNDING)


@pytest.mark.parametrize("tau", [STATIC, -STATIC, sb.Ramp(STATIC, duration=1.0), sb.Step(STATIC, start=1.0)], ids=repr)
def test_a_drive_exactly_at_the_limit_is_held(tau: Any, method: str) -> None:
    result = sb.simulate(held(tau), 3.0, solver=method)
    assert not result.events
    assert abs(result["mass.w"][-1]) < ROUNDING


@pytest.mark.parametrize("f", [0.5, 2.0, 5.0])
@pytest.mark.parametrize("amplitude", [1.51, 1.6, 2.0])
def test_no_peak_of_a_sine_is_lost(amplitude: float, f: float, method: str) -> None:
    """Nothing moves while it sticks, so nothing limits the steps but the drive itself; each half wave breaks away
    once."""
    t_end = 5.0
    result = sb.simulate(held(sb.Sine(amplitude=amplitude, f=f)), t_end, intervals=1, solver=method)
    released = [event.time for event in result.events if event.from_ == "Stuck"]
    first = asin(STATIC / amplitude) / (2 * pi * f)
    assert released == pytest.approx(first + np.arange(round(2 * f * t_end)) / (2 * f), abs=1e-9)
    assert result.extremes["bearing.tau"]["max"] == pytest.approx(STATIC, rel=1e-9)


def test_no_dip_of_the_load_is_lost(method: str) -> None:
    """The limit 1.5 (1 + sin) falls below a torque of 0.1 N.m for a short time, once a second."""
    load = sb.Sine(amplitude=1.0, f=1.0, offset=1.0)
    result = sb.simulate(held(0.1, load=load), 5.0, intervals=1, solver=method)
    released = [event.time for event in result.events if event.from_ == "Stuck"]
    first = 0.5 + asin(1 - 0.1 / STATIC) / (2 * pi)
    assert released == pytest.approx(first + np.arange(5), abs=1e-9)


def test_no_creep_over_a_long_time(method: str) -> None:
    """A neighbour that swings undamped on a spring pulls with less than the limit."""
    m = held()
    neighbour = m.add("neighbour", sb.Inertia(J=0.5, w0=1.0))
    m.add("spring", sb.Spring("mass", neighbour, c=1.0))
    result = sb.simulate(m, 1000.0, intervals=1000, solver=method)
    assert not result.events
    assert np.abs(result["bearing.w_rel"]).max() < ROUNDING
    assert np.abs(result["mass.phi"]).max() < ROUNDING * 1000.0
    assert np.abs(result["bearing.tau"]).max() == pytest.approx(sqrt(0.5), rel=1e-3)


@pytest.mark.parametrize("c", [1.0, 10.0, 38.0])
def test_coming_to_rest_exactly_at_the_limit(c: float, method: str) -> None:
    """With mu_s = mu_c and a bristle beside it the mass slides ever slower; what is left to hold is the limit itself.

    Rounding then says now stuck, now sliding; a few times, but not without end.
    """
    m = sb.Model("creep")
    mass = m.add("mass", sb.Inertia(J=0.18, w0=0.1))
    m.add("spring", sb.Spring(mass, c=c))
    law = sb.LuGre(sigma0=777.0, sigma1=25.0, sigma2=0.4, mu_c=0.5, mu_s=0.6, v_s=0.008)
    m.add("bristle", sb.Bearing(mass, law=law))
    m.add("bearing", sb.Bearing(mass, law=coulomb(0.15, 0.15)))
    result = sb.simulate(m, 20.0, solver=method)
    assert len(result.events) < 30
    assert abs(result["mass.w"][-1]) < 1e-9
    assert abs(result["bearing.tau"][-1]) == pytest.approx(0.15, rel=1e-9)


# --- loads that vanish -----------------------------------------------------------------------------------------------


def test_a_load_that_goes_and_comes_back(method: str) -> None:
    """Held; break-away when 1.5 load = 0.5; open from 1 to 2 s; sliding under the growing load; held again."""
    load = sb.Table(time=[0.0, 1.0, 2.0, 3.0], value=[1.0, 0.0, 0.0, 1.0])
    result = sb.simulate(held(0.5, load=load), 6.0, solver=method)
    assert [event.to for event in result.events] == ["Forward", "Free", "Forward", "Stuck"]
    # w' = 0.5 - load: speed 1/72 + ... at each corner, by integration of the straight lines
    start = 2 / 3
    at_open = 0.5 * (1 - start) - (1 - start) ** 2 / 2
    at_full = at_open + 0.5 + 0.5 - 0.5
    times = [start, 1.0, 2.0, 3.0 + at_full / 0.5]
    assert result.events.time == pytest.approx(times, abs=1e-9)
    assert result.at(1.5, "bearing.tau") == 0.0


def test_a_load_that_jumps_to_nothing(method: str) -> None:
    result = sb.simulate(held(0.5, load=sb.Step(height=-1.0, start=1.0, offset=1.0)), 3.0, solver=method)
    assert changes(result) == [(1.0, "Stuck", "Free")]
    assert result["mass.w"][-1] == pytest.approx(1.0, rel=ROUNDING)


@pytest.mark.parametrize("tau, mode, w", [(0.5, "Stuck", 0.0), (2.0, "Forward", 4.0)])
def test_a_load_that_appears(tau: float, mode: str, w: float, method: str) -> None:
    """Free for 1 s, then the load either stops the mass or slows it down."""
    result = sb.simulate(held(tau, load=sb.Step(height=1.0, start=1.0)), 3.0, solver=method)
    assert result.phases("bearing")[0] == (0.0, 1.0, 2)
    assert result.events[-1].to == mode
    assert result["mass.w"][-1] == pytest.approx(w, abs=ROUNDING)


# --- against prescribed motions --------------------------------------------------------------------------------------


def carried(w: Any, law: sb.Switch | None = None) -> sb.Model:
    """A bearing on a shaft whose speed is prescribed: nothing to hold, it slides by its law."""
    m = sb.Model("carried")
    shaft = m.add("shaft", sb.Speed(w=w))
    m.connect(shaft, m.add("wheel", sb.Inertia(J=1.0)))
    m.add("bearing", sb.Bearing(shaft, law=law or sb.Switch(mu_c=1.0, mu_s=1.5, mu_v=0.4)))
    return m


def test_prescribed_slip_that_swings(method: str) -> None:
    result = sb.simulate(carried(sb.Sine(amplitude=1.0, f=0.5)), 3.5, intervals=70, solver=method)
    expected = [(1.0, "Forward", "Backward"), (2.0, "Backward", "Forward"), (3.0, "Forward", "Backward")]
    assert expected == changes(result)
    w = np.sin(pi * result.time)
    sliding = np.abs(w) > 1e-9
    assert np.asarray(result["bearing.tau"])[sliding] == pytest.approx((np.sign(w) + 0.4 * w)[sliding], abs=ROUNDING)


def test_prescribed_slip_that_rests(method: str) -> None:
    w = sb.Table(time=[0.0, 1.0, 2.0, 3.0, 4.0], value=[0.0, 1.0, 0.0, 0.0, -1.0])
    result = sb.simulate(carried(w), 5.0, intervals=50, solver=method)
    assert changes(result) == [(2.0, "Forward", "Stuck"), (3.0, "Stuck", "Backward")]
    assert result.at(2.5, "bearing.tau") == 0.0
    assert result["bearing.tau"][-1] == pytest.approx(-1.4, rel=ROUNDING)


def test_a_mass_on_a_guide_pulled_by_a_prescribed_position(method: str) -> None:
    """A slow pull through a spring: the force is c s(t) until 1.5 N; the far end feels it as well."""
    m = sb.Model("pulled")
    hand = m.add("hand", sb.Position(s=sb.Ramp(height=1.0, duration=10.0)))
    mass = m.add("mass", sb.Mass(m=1.0))
    m.add("spring", sb.Spring(hand, mass, c=10.0))
    m.add("guide", sb.Guide(mass, law=coulomb()))
    result = sb.simulate(m, 2.0, intervals=20, solver=method)
    assert result.events[0][:] == (pytest.approx(1.5, abs=ROUNDING), "guide", "Stuck", "Forward")
    at = 10
    assert result["guide.f"][at] == pytest.approx(1.0, rel=ROUNDING)
    assert result["hand.f"][at] == pytest.approx(1.0, rel=ROUNDING)


# --- two contacts that hold the same motion --------------------------------------------------------------------------


def twice_held(tau: Any, second: sb.Switch | None = None, load: Any = 1.0) -> sb.Model:
    """A strong bearing (2 and 3 N.m) and a weak one (1 and 1.5 N.m) on one inertia."""
    m = held(tau, coulomb(3.0, 2.0))
    m.add("weak", sb.Bearing("mass", law=second or coulomb(), load=load))
    return m


def test_redundant_contacts_are_used_equally(method: str) -> None:
    result = sb.simulate(twice_held(sb.Ramp(height=4.0, duration=4.0)), 4.0, intervals=4, solver=method)
    assert not result.events
    t = result.time
    assert result["bearing.tau"] + result["weak.tau"] == pytest.approx(t, abs=ROUNDING)
    assert np.asarray(result["bearing.tau"]) == pytest.approx(t * 2 / 3, rel=1e-7, abs=ROUNDING)
    assert np.asarray(result["weak.tau"]) == pytest.approx(t / 3, rel=1e-7, abs=ROUNDING)


def test_redundant_contacts_let_go_together_at_the_sum_of_their_limits(method: str) -> None:
    result = sb.simulate(twice_held(sb.Ramp(height=10.0, duration=10.0)), 6.0, solver=method)
    assert {event.element for event in result.events} == {"bearing", "weak"}
    assert result.events.time == pytest.approx([4.5, 4.5], abs=ROUNDING)
    assert result["mass.w"][-1] == pytest.approx((3.0**2 - 1.5**2) / 2, rel=1e-9)


def test_redundant_contacts_with_equal_limits_of_their_own(method: str) -> None:
    """Static and kinetic limits equal, as in a pair of brakes: no chatter at 4 N.m, where both just hold."""
    m = held(sb.Ramp(height=10.0, duration=10.0), coulomb(3.0, 3.0))
    m.add("weak", sb.Bearing("mass", law=coulomb(1.0, 1.0)))
    result = sb.simulate(m, 6.0, solver=method)
    assert [event.to for event in result.events] == ["Forward", "Forward"]
    assert result.events.time == pytest.approx([4.0, 4.0], abs=1e-9)
    assert result["mass.w"][-1] == pytest.approx(2.0, rel=1e-9)


def test_redundant_contacts_under_a_load_that_changes(method: str) -> None:
    """Limits 3 and 1.5 (0.5 + 0.1 t) against t: both break away when t = 3.75 + 0.15 t."""
    model = twice_held(sb.Ramp(height=10.0, duration=10.0), load=sb.Ramp(height=1.0, duration=10.0, offset=0.5))
    result = sb.simulate(model, 6.0, solver=method)
    assert [(event.element, event.to) for event in result.events] == [("bearing", "Forward"), ("weak", "Forward")]
    assert result.events.time == pytest.approx([3.75 / 0.85] * 2, abs=1e-9)


def test_redundant_contacts_after_a_capture(method: str) -> None:
    """Both stop the mass together, then both hold it."""
    m = twice_held(0.9)
    m.elements["mass"].given["w0"] = 2.1
    result = sb.simulate(m, 3.0, solver=method)
    assert [(event.element, event.to) for event in result.events] == [("bearing", "Stuck"), ("weak", "Stuck")]
    assert result.events.time == pytest.approx([1.0, 1.0], abs=ROUNDING)
    assert result["bearing.tau"][-1] == pytest.approx(0.6, rel=1e-7)


@pytest.mark.parametrize("tau", [0.3, sb.Ramp(height=1.0, duration=7.0)], ids=repr)
def test_a_redundant_contact_whose_load_fades(tau: Any, method: str) -> None:
    """The other one holds throughout; the first is stuck, then open, then stuck again, and never slides."""
    load = sb.Table(time=[0.0, 1.0, 2.0, 3.0], value=[1.0, 0.0, 0.0, 1.0])
    result = sb.simulate(twice_held(tau, coulomb(0.7, 0.7), load), 4.0, solver=method)
    assert [*changes(result)] == [(1.0, "Stuck", "Free"), (2.0, "Free", "Stuck")]


# --- the mode machine, walked by hand --------------------------------------------------------------------------------


def test_walk_through_the_modes() -> None:
    """Stuck, at its limit, forwards, captured, backwards: each by one call of update_modes."""
    program = sb.compile_model(held(sb.Table(time=[0.0, 2.0, 4.0], value=[0.0, 2.0, -2.0])))
    machine = program.machine()
    machine.start(0.0, program.y0)
    rest = program.y0
    assert machine.modes() == [0]
    assert machine.next_time_event() == 2.0
    assert machine.event_values(1.0, rest).tolist() == [0.5, 2.5]  # room up to +1.5 and down to -1.5 N.m
    assert machine.rhs(1.0, rest).tolist() == [0.0, 0.0]

    # nothing has fired: it stays
    assert machine.update_modes(1.0, rest, [])[1] == []

    # the upper limit is reached
    assert machine.event_values(1.5, rest)[0] == 0.0
    y, change = machine.update_modes(1.5, rest, [0])
    assert change == [(0, 0, 1)]
    assert machine.rhs(1.5, y)[0] == 0.5
    # forwards as long as the slip is positive, but for the band of a guard that began at 0
    assert machine.event_values(1.6, np.array([0.1, 0.0]))[0] == pytest.approx(0.1, abs=1e-11)

    # the slip passes zero while the drive is small: the speed is put to exactly 0
    machine.begin_segment(2.0, y)
    y, change = machine.update_modes(3.0, np.array([-1e-17, 0.0]), [0])
    assert change == [(0, 1, 0)]
    assert y[0] == 0.0

    # the lower limit
    assert machine.update_modes(3.75, y, [1])[1] == [(0, 0, -1)]
    assert machine.rhs(3.75, y)[0] == -0.5

    # turned back at once by a drive against the motion
    assert machine.update_modes(2.0, np.array([1e-17, 0.0]), [0])[1] == [(0, -1, 1)]


@pytest.mark.parametrize("method", ["rodas5p", "dopri5"])
def test_stuck_to_a_prescribed_speed_means_its_speed(method: str) -> None:
    """The slip of a clutch to a prescribed speed is exactly 0, at every instant that is shown and when it breaks
    away."""
    m = sb.Model("driven")
    motor = m.add("motor", sb.Speed(w=sb.Sine(amplitude=2.0, f=1.5)))
    load = m.add("load", sb.Inertia(J=1.0))
    press = sb.Ramp(height=-20.0, duration=2.0) + 25.0
    m.add("clutch", sb.Clutch(motor, load, law=sb.Switch(mu_c=1.0, mu_s=1.2), fn_max=1.0, f_normalized=press))
    result = sb.simulate(m, 2.0, intervals=333, solver=method)
    stuck = np.asarray(result["clutch.mode"]) == 0
    assert np.abs(np.asarray(result["clutch.w_rel"])[stuck]).max() < 1e-13
    torque = 2.0 * 3.0 * np.pi * np.cos(3.0 * np.pi * result.time[stuck])  # J w'
    assert np.asarray(result["clutch.tau"])[stuck] == pytest.approx(-torque, abs=1e-9)
    assert [event.to for event in result.events][:1] == ["Forward"]  # the motor turns back, near t = 1


def test_a_stuck_planetary_member_lets_go_in_one_direction() -> None:
    """Sun stuck, ring prescribed: the slip mixes free and prescribed speeds. It breaks away once, forward.

    While the sun holds, the carrier follows the ring, a_c = i/(1+i) a_r; the seal holds the drive less J_c a_c/(1+i).
    """
    m = sb.Model("planet")
    m.add("drive", sb.Torque("engine", tau=sb.Sine(amplitude=4.0, f=0.6)))
    m.add("engine", sb.Inertia(J=0.3))
    m.add("seal", sb.Bearing("engine", law=sb.Switch(mu_c=1.5, mu_s=2.0, mu_v=0.1)))
    m.add("ring", sb.Speed(w=sb.Sine(amplitude=0.4, f=0.5)))
    m.add("carrier", sb.Inertia(J=0.2))
    m.add("set", sb.Planetary("engine", "carrier", "ring", ratio=1.7))
    result = sb.simulate(m, 0.3, intervals=60, tolerance=1e-10)
    (event,) = result.events
    assert (event.element, event.to) == ("seal", "Forward")

    def held(t: float) -> float:
        return 4.0 * np.sin(1.2 * np.pi * t) - 0.2 / 2.7 * 1.7 / 2.7 * 0.4 * np.pi * np.cos(np.pi * t)

    assert held(event.time) == pytest.approx(2.0, abs=1e-11)
    stuck = result.time < event.time
    assert np.asarray(result["engine.w"])[stuck] == pytest.approx(0.0, abs=1e-15)
    assert np.asarray(result["seal.tau"])[stuck] == pytest.approx(held(result.time[stuck]), abs=1e-10)


def test_a_light_body_between_two_that_hold_each_other() -> None:
    """A motor with a bearing leans through the end of a play on a pinion of a thousandth of its inertia, which drives a
    rack that sticks: the bearing is on its limit of 0.011 N.m from there on and the rack holds the rest, up to 280 N on
    the radius of 0.2 mm. Nothing moves until both are used up, at 0.067 N.m and 0.67 s."""
    m = sb.Model("leaning", t_end=1)
    rotor = m.add("rotor", sb.Inertia(J=1.3e-5))
    pinion = m.add("pinion", sb.Inertia(J=1e-8))
    rack = m.add("rack", sb.Mass(m=0.2))
    m.add("play", sb.Stop(rotor, pinion, phi_min=0))
    m.add("teeth", sb.RackPinion(pinion, rack, ratio=5000))
    m.add("bearing", sb.Bearing(rotor, law=sb.Switch(mu_c=0.01, mu_s=0.011)))
    m.add("guide", sb.Guide(rack, law=sb.Switch(mu_c=200, mu_s=280)))
    m.add("motor", sb.Torque(rotor, tau=sb.Ramp(height=0.1, duration=1)))
    result = sb.simulate(m, intervals=100)
    assert {event.element for event in result.events if event.time < 0.66} <= {"play"}
    assert result.events[-1].time == pytest.approx(0.67, abs=1e-6)
    late = (result.time > 0.1) & (result.time < 0.66)
    assert result["bearing.tau"][late] + result["guide.f"][late] / 5000 == pytest.approx(result["motor.tau"][late])
    assert np.abs(result["rotor.w"][late]).max() < 1e-11
