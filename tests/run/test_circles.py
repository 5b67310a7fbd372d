"""Contacts in circles: more of them are stuck than motions are there to hold, and no two of them side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stribeck as sb

ROUNDING = 1e-9
"""Of the split: rounding over the weight that chooses it, 1e-16/1e-6, and some for the sums."""


def circle(law: Any, tau: Any, strength: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> sb.Model:
    """Three bodies, a clutch between each two of them, and a torque that goes in at the first and out at the third."""
    m = sb.Model("circle")
    bodies = [m.add(f"J{i}", sb.Inertia(J=1.0 + i)) for i in range(3)]
    for name, (i, j), fn in zip(("direct", "first", "second"), ((0, 2), (0, 1), (1, 2)), strength, strict=True):
        m.add(name, sb.Clutch(bodies[j], bodies[i], law=law, fn_max=fn, f_normalized=1.0))
    m.add("drive", sb.Torque(bodies[0], tau=tau))
    m.add("load", sb.Torque(bodies[2], tau=-1.0 * tau))
    return m


def test_the_split_has_the_least_sum_of_squares_over_limits() -> None:
    """Everything is at rest. The torque T goes directly (l) or through the second body (T - l, in two clutches): the
    least l^2 + 2 (T - l)^2 has l = 2T/3."""
    result = sb.simulate(circle(sb.Coulomb(mu_c=1.0), 0.9), 1.0, intervals=2)
    assert not result.events
    assert np.asarray(result["direct.tau"]) == pytest.approx(0.6, abs=ROUNDING)
    assert np.asarray(result["first.tau"]) == pytest.approx(0.3, abs=ROUNDING)
    assert np.asarray(result["second.tau"]) == pytest.approx(0.3, abs=ROUNDING)
    assert any("not unique" in warning for warning in result.warnings)


def test_nobody_goes_beyond_its_limit_while_another_has_room() -> None:
    """The direct clutch reaches its limit 1 at T = 1.5; then the detour takes what is more, until T = 2."""
    result = sb.simulate(circle(sb.Coulomb(mu_c=1.0), sb.Ramp(height=3.0, duration=3.0)), 2.5, intervals=50)
    t = result.time
    before = t < 2.0
    direct = np.where(t < 1.5, 2 * t / 3, 1.0)
    assert np.asarray(result["direct.tau"])[before] == pytest.approx(direct[before], abs=ROUNDING)
    assert np.asarray(result["first.tau"])[before] == pytest.approx((t - direct)[before], abs=ROUNDING)
    assert {event.element for event in result.events} == {"direct", "first", "second"}
    assert [event.time for event in result.events] == pytest.approx([2.0] * 3, abs=1e-9)
    assert np.asarray(result["J1.w"])[before] == pytest.approx(0.0, abs=1e-14)


def test_a_weak_detour_lets_the_direct_way_carry_more() -> None:
    """Limits 1, 1/4, 1/4: the least l^2 + 2 (T - l)^2/(1/4) has l = 8T/9. Break-away at T = 1 + 1/4."""
    tau = sb.Ramp(height=3.0, duration=3.0)
    result = sb.simulate(circle(sb.Coulomb(mu_c=1.0), tau, (1.0, 0.25, 0.25)), 2.0, intervals=40)
    early = result.time <= 1.1
    assert np.asarray(result["direct.tau"])[early] == pytest.approx(8 / 9 * result.time[early], abs=ROUNDING)
    assert result.events[0].time == pytest.approx(1.25, abs=1e-9)


def test_all_members_of_a_planetary_locked_together() -> None:
    """Three clutches hold the two motions that a planetary leaves: one of them is redundant, all turn as one."""
    m = sb.Model("block")
    sun, carrier, ring = (m.add(name, sb.Inertia(J=1.0)) for name in ("sun", "carrier", "ring"))
    m.add("set", sb.Planetary(sun, carrier, ring, ratio=2.0))
    law = sb.Switch(mu_c=1.0, mu_s=1.5)
    for name, a, b in (("low", sun, carrier), ("middle", carrier, ring), ("high", sun, ring)):
        m.add(name, sb.Clutch(a, b, law=law, fn_max=5.0, f_normalized=1.0))
    m.add("drive", sb.Torque(sun, tau=3.0))
    result = sb.simulate(m, 1.0, intervals=10)
    assert not result.events
    for name in ("sun", "carrier", "ring"):
        assert np.asarray(result[f"{name}.w"]) == pytest.approx(result.time, abs=1e-12)
    assert len([warning for warning in result.warnings if "not unique" in warning]) == 2
    assert abs(result.energy.residual) < 1e-13


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_the_light_body_between_two_heavy_ones_lets_go_without_turning_back(order: tuple[int, ...]) -> None:
    """J = 1, 0.1, 1 with static limits 1 and 3, kinetic ones 0.98 and 1, and more torque than the first can hold.

    With its kinetic torque alone the first clutch would be driven backwards once the second breaks away as well; the
    box of the kinetic limits has the answer that fulfils complementarity: slip only in the direction of the friction.
    """
    m = sb.Model("release")
    bodies = {0: sb.Inertia(J=1.0), 1: sb.Inertia(J=0.1), 2: sb.Inertia(J=1.0)}
    for i in order:
        m.add(f"J{i}", bodies[i])
    m.add("clutch1", sb.Clutch("J0", "J1", law=sb.Switch(mu_c=0.98, mu_s=1.0), fn_max=1.0, f_normalized=1.0))
    m.add("clutch2", sb.Clutch("J1", "J2", law=sb.Switch(mu_c=1.0, mu_s=3.0), fn_max=1.0, f_normalized=1.0))
    m.add("drive", sb.Torque("J2", tau=sb.Ramp(height=10.0, duration=2.0)))
    result = sb.simulate(m, 1.5, intervals=150)
    for clutch in ("clutch1", "clutch2"):
        mode, slip, tau = (np.asarray(result[f"{clutch}.{name}"]) for name in ("mode", "w_rel", "tau"))
        assert (slip[mode == 0] == pytest.approx(0.0, abs=1e-12)) and (slip[mode == 1] > -1e-12).all()
        assert (tau[mode == 1] > 0).all() and not (mode == -1).any()
    # first break-away: J0 alone is driven through clutch 1: a = T/2.1 = 1 there
    assert result.events[0].time == pytest.approx(2.1 / 5.0, rel=1e-9)


def test_a_prescribed_motion_parts_what_sticks_together_for_an_instant() -> None:
    """The motor stops for an instant, w = 1 - cos t at t = 2 pi, and comes again. Clutch and brake both hold the load
    then; the brake is the stronger one, so afterwards the clutch slips with its friction 1."""
    m = sb.Model("parting")
    motor = m.add("motor", sb.Speed(w=sb.Sine(amplitude=-1.0, f=0.5 / np.pi, phase=np.pi / 2, offset=1.0)))
    load = m.add("load", sb.Inertia(J=1.0))
    m.add("clutch", sb.Clutch(motor, load, law=sb.Coulomb(mu_c=1.0), fn_max=1.0, f_normalized=1.0))
    m.add("brake", sb.Brake(load, law=sb.Coulomb(mu_c=3.0), fn_max=1.0, f_normalized=1.0))
    result = sb.simulate(m, 9.0, intervals=90)
    assert np.asarray(result["load.w"]) == pytest.approx(0.0, abs=1e-12)
    assert np.asarray(result["clutch.w_rel"]) == pytest.approx(np.cos(result.time) - 1.0, abs=1e-9)
    assert np.asarray(result["clutch.tau"])[1:60] == pytest.approx(-1.0, abs=1e-12)
    assert np.asarray(result["clutch.tau"])[66:] == pytest.approx(-1.0, abs=1e-12)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 0, 2), (2, 3, 1, 0)])
def test_the_split_depends_on_no_order(order: tuple[int, ...]) -> None:
    """Four clutches hold three motions behind two differentials. A torque T on one wheel: clutches l on its own side of
    its axle and T' - l on the others, by symmetry the same for every order and coordinate."""
    m = sb.Model("axles")
    m.add("hub", sb.Inertia(J=1.0))
    m.add("base", sb.Inertia(J=1.0))
    wheels = ("L0", "R0", "L1", "R1")
    for i in order:
        m.add(wheels[i], sb.Inertia(J=1.0))
    m.add("front", sb.Differential(drive="hub", left="L0", right="R0"))
    m.add("rear", sb.Differential(drive="hub", left="L1", right="R1"))
    for i in order:
        m.add(f"lining{wheels[i]}", sb.Clutch(wheels[i], "base", law=sb.Coulomb(mu_c=1.0), fn_max=1.0))
    m.add("push", sb.Torque("R1", tau=1.0))
    result = sb.simulate(m, 1.0, intervals=4)
    torque = {wheel: float(result[f"lining{wheel}.tau"][-1]) for wheel in wheels}
    # what moves nothing is (1, 1, -1, -1): the least sum of squares has no part of it
    assert torque["L0"] + torque["R0"] == pytest.approx(torque["L1"] + torque["R1"], abs=ROUNDING)
    assert torque["L0"] == pytest.approx(torque["R0"], abs=ROUNDING)


def test_a_clutch_and_a_brake_hold_two_equal_planetaries() -> None:
    """Equal inertias: in some orders of elimination the pivot of the brake cancels, although nothing else holds it."""
    m = sb.Model("two sets", t_end=1.0)
    for name in ("hub", "c0", "c1", "r0", "r1"):
        m.add(name, sb.Inertia(J=1.0))
    m.add("set0", sb.Planetary("hub", "c0", "r0", ratio=1.0))
    m.add("set1", sb.Planetary("hub", "c1", "r1", ratio=1.0))
    m.add("wheel", sb.Inertia(J=1.0, w0=1.0))
    m.add("clutch", sb.Clutch("c1", "wheel", law=sb.Coulomb(mu_c=0.36), fn_max=22.1))
    m.add("brake", sb.Brake("c1", law=sb.Switch(mu_c=0.306, mu_s=0.367), fn_max=13.9))
    m.add("push", sb.Torque("hub", tau=1.0))
    result = sb.simulate(m)
    stuck = np.asarray(result["brake.mode"]) == 0
    assert stuck[-1]
    assert np.abs(np.asarray(result["brake.w_rel"]))[stuck].max() < 1e-12
    assert not any("not unique" in warning for warning in result.warnings)
