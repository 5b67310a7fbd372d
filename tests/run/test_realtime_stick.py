"""Stuck means stuck, at a step of 1 ms: nothing creeps. The same over 1e7 steps is in kernel/tests/test_soak.c."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stribeck as sb

H = 1e-3
STEPS = 100_000

RIGID = {
    "Coulomb": sb.Coulomb(mu_c=1.2),
    "Switch": sb.Switch(mu_c=1, mu_s=1.5),
    "Stribeck": sb.Stribeck(mu_c=1, mu_s=1.5),
    "FrictionTable": sb.FrictionTable(w=[0, 1], mu=[1, 0.8], peak=1.2),
    "Karnopp": sb.Karnopp(mu_c=1, mu_s=1.5),
    "Hybrid": sb.Hybrid(mu_c=1, mu_s=1.5),
    "LaggedStribeck": sb.LaggedStribeck(mu_c=1, mu_s=1.5),
    "RisingStribeck": sb.RisingStribeck(mu_c=1, mu_s=1.5),
    "KatoStribeck": sb.KatoStribeck(mu_c=1, mu_s=1.5),
}
"""Laws that hold without bending, more than 1 N.m."""


@pytest.mark.parametrize("name", RIGID)
def test_a_load_below_break_away_moves_nothing(name: str) -> None:
    """A grounded contact under 0.9 N.m, behind a shaft and without one."""
    m = sb.Model("held")
    for which in ("bare", "shaft"):
        mass = m.add(which, sb.Inertia(J=0.1))
        m.add(f"friction_{which}", sb.Bearing(mass, law=RIGID[name]))
    m.add("end", sb.Inertia(J=0.05, phi0=0.9 / 40))
    m.add("spring", sb.Spring("shaft", "end", c=40.0))
    m.add("load", sb.Torque("bare", tau=0.9))
    m.add("pull", sb.Torque("end", tau=0.9))
    s = m.realtime(h=H, energy=False)
    s.step(STEPS)
    assert abs(s["bare.phi"]) < 1e-12
    assert abs(s["shaft.phi"]) < 1e-12
    assert s.modes == {"friction_bare": "Stuck", "friction_shaft": "Stuck"}


@pytest.mark.parametrize("name", RIGID)
def test_a_locked_pair_that_turns_does_not_slip(name: str) -> None:
    """A clutch that closes on 100 rad/s and then carries a torque that swings; Karnopp keeps the slip it had."""
    m = sb.Model("pair")
    a, b = m.add("a", sb.Inertia(J=0.2, w0=100.0)), m.add("b", sb.Inertia(J=0.1, w0=99.9))
    m.add("clutch", sb.Clutch(a, b, law=RIGID[name], fn_max=3.0))
    m.add("swing", sb.Torque(a, tau=sb.Sine(amplitude=4.0, f=0.7)))
    s = m.realtime(h=H, energy=False)
    s.step(200)
    angle, slip = s["clutch.phi_rel"], s["clutch.w_rel"]
    s.step(STEPS)
    assert s.modes == {"clutch": "Stuck"}
    if name == "Karnopp":
        assert s["clutch.w_rel"] == pytest.approx(slip, abs=1e-10)
    else:
        assert abs(s["clutch.w_rel"]) < 1e-12 * max(1.0, abs(s["a.w"]))
        assert abs(s["clutch.phi_rel"] - angle) < 1e-9


# --- the drift test of nouailletas2010: 0.7 N and a swing of 0.2 N below a friction of 1 N ---------------------------

BRISTLE = {"mu_c": 1.0, "mu_s": 1.1, "v_s": 0.1, "sigma0": 110.0, "sigma1": 2 * 110.0**0.5, "sigma2": 0.0}
BOUNDED: dict[str, tuple[Any, float]] = {
    "Switch": (sb.Switch(mu_c=1, mu_s=1.1), 1e-12),
    "Hybrid": (sb.Hybrid(mu_c=1, mu_s=1.1, v_s=0.1), 1e-12),
    "ElastoPlastic": (sb.ElastoPlastic(**BRISTLE, z_ba=0.009), 0.01),
    "HybridPresliding": (
        sb.HybridPresliding(mu_c=1, mu_s=1.1, v_s=0.1, k1=110.0, k2=2 * 110.0**0.5, z_max=0.01, Sigma=1e-4),
        0.01,
    ),
    "LaggedStribeck": (sb.LaggedStribeck(mu_c=1, mu_s=1.1, v_s=0.1), 1e-12),
    "RisingStribeck": (sb.RisingStribeck(mu_c=1, mu_s=1.1, v_s=0.1), 1e-12),
    "KatoStribeck": (sb.KatoStribeck(mu_c=1, mu_s=1.1, v_s=0.1), 1e-12),
    "ResetIntegrator": (sb.ResetIntegrator(sigma0=110.0, sigma1=2 * 110.0**0.5, mu_c=1, mu_s=1.1), 0.01),
    "SevenParameter": (sb.SevenParameter(sigma0=110.0, sigma1=2 * 110.0**0.5, mu_c=1, mu_s=1.1, v_s=0.1), 0.01),
    "MaxwellSlip": (sb.MaxwellSlip(n=10, sigma0=110.0, sigma1=2 * 110.0**0.5, mu_c=1), 0.03),
    "MaxwellSlip(20)": (sb.MaxwellSlip(n=20, sigma0=110.0, sigma1=2 * 110.0**0.5, mu_c=1), 0.03),
    "GMS(1)": (sb.GMS(n=1, **BRISTLE), 0.01),
    "GMS": (sb.GMS(n=10, **BRISTLE), 0.03),
    "GMS(20)": (sb.GMS(n=20, **BRISTLE), 0.03),
}
"""Laws that come back to where they were, and how far they go."""


def pushed(law: Any) -> sb.Model:
    m = sb.Model("drift")
    mass = m.add("mass", sb.Mass(m=1.0))
    m.add("friction", sb.Guide(mass, law=law))
    m.add("push", sb.Force(mass, f=sb.Ramp(height=0.7, duration=2.0) + sb.Sine(amplitude=0.2, f=0.5, start=2.0)))
    return m


@pytest.mark.parametrize("name", BOUNDED)
def test_does_not_drift(name: str) -> None:
    """50 swings; the last is as the fifth."""
    law, most = BOUNDED[name]
    found = pushed(law).realtime(h=H).run(t_end=102.0)["mass.s"]
    assert np.abs(found).max() < most
    assert found[-1] == pytest.approx(found[12_000], abs=1e-9)


def test_lugre_drifts_as_it_does() -> None:
    """It creeps by 4.395 mm in each swing, which is a property of the law: 0.446987 m in the end, from two methods of
    order 8 and 5 with tolerances of 1e-12."""
    found = pushed(sb.LuGre(**BRISTLE)).realtime(h=H).run(t_end=102.0, every=1000)["mass.s"]
    assert found[-1] == pytest.approx(0.44698702349, rel=1e-4)


# --- two that hold one motion -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", [1, -1])
def test_two_contacts_for_the_two_directions_are_as_one(direction: int) -> None:
    """Bearings on one body, each holds one way: they break away at 1.25 * 0.1 and 1.4 * 0.15 N.m and neither breaks
    away before."""
    m = sb.Model("two ways")
    rotor = m.add("rotor", sb.Inertia(J=1.3e-5))
    m.add("motor", sb.Torque(rotor, tau=sb.Ramp(height=direction * 0.25, duration=1.25)))
    m.add("forward", sb.Bearing(rotor, law=sb.Switch(mu_c=1, mu_s=1.25), load=0.1, load_backward=0))
    m.add("backward", sb.Bearing(rotor, law=sb.Switch(mu_c=1, mu_s=1.4), load=0, load_backward=0.15))
    result = m.realtime(H).run(t_end=1.2)
    first = min(event.time for event in result.events)
    assert first == pytest.approx((1.25 * 0.1 if direction > 0 else 1.4 * 0.15) / 0.2, abs=2 * H)
    at_rest = result.time < first - H / 2
    assert np.abs(result["rotor.w"][at_rest]).max() < 1e-12
    holding = result["forward.tau" if direction > 0 else "backward.tau"][at_rest]
    assert holding[2:] == pytest.approx(result["motor.tau"][at_rest][2:] - direction * 1e-4, abs=2e-4)


def test_a_free_wheel_closes_beside_a_brake() -> None:
    """The ring is stopped by a brake; the free-wheel against the ground closes as well and takes the torque, as it has
    no limit: the same split as in the adaptive run."""
    m = sb.Model("ring", t_end=0.6)
    for name, inertia, speed in (("sun", 0.1, 0.0), ("carrier", 0.2, 5.0), ("ring", 0.05, 7.5)):
        m.add(name, sb.Inertia(J=inertia, w0=speed))
    m.add("set", sb.Planetary("sun", "carrier", "ring", ratio=2))
    m.add("motor", sb.Torque("sun", tau=1))
    m.add("load", sb.Torque("carrier", tau=-2.9))
    force = sb.Ramp(height=1, duration=0.3)
    m.add("brake", sb.Brake("ring", law=sb.Coulomb(mu_c=1), fn_max=5, f_normalized=force))
    m.add("backstop", sb.FreeWheel(m.add("ground", sb.Fixed()), "ring"))
    exact, result = sb.simulate(m), m.realtime(H).run(t_end=0.6)
    for run in (exact, result):
        assert [(e.element, e.to) for e in run.events] == [("brake", "Stuck"), ("backstop", "Stuck")]
    assert result["backstop.tau"][-1] == pytest.approx(exact["backstop.tau"][-1], rel=1e-6)


def test_hybrid_contacts_in_a_circle_decay_alike() -> None:
    """Two brakes that let their slips decay at other rates, and a clutch that is stuck between them: it does not creep.

    Separate targets are more than three rows can fulfil at once: the clutch would take its share of the difference.
    Both decay as the faster one: exp(-200 t).
    """
    m = sb.Model("circle")
    for name, p0 in (("slow", 50.0), ("fast", 200.0)):
        body = m.add(f"J_{name}", sb.Inertia(J=0.1, w0=0.03))
        m.add(name, sb.Brake(body, law=sb.Hybrid(mu_c=1, mu_s=2, Sigma=0.01, Sigma_2=1e-4, p0=p0), fn_max=0.1))
    m.add("clutch", sb.Clutch("J_slow", "J_fast", law=sb.Switch(mu_c=1.0), fn_max=10.0))
    s = m.realtime(h=H)
    s.step(40)
    assert set(s.modes.values()) == {"Stuck"}
    before = s["J_slow.w"]
    for _ in range(50):
        s.step()
        assert abs(s["clutch.w_rel"]) < 1e-17
    assert s["J_slow.w"] == pytest.approx(before * np.exp(-200 * 50 * H), rel=1e-9)
