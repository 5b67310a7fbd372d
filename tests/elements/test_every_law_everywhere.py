"""Every law in every friction element: the same equations, whatever the element is called.

A guide with each law is compared with its paper in tests/run/test_every_law_independent.py; here the other elements are
compared with it. One-way clutches are in test_free_wheel.py.
"""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck.laws import all_laws

LOAD = 2.0
SWING = sb.Sine(amplitude=6.0, f=0.7, phase=0.3)


def swung(kind: str, law: sb.laws.Law) -> sb.Model:
    """A body of 1 kg or kg.m2 under a force that swings beyond what friction holds."""
    m = sb.Model(kind)
    turning = kind in ("Bearing", "Brake", "Clutch")
    m.add("body", sb.Inertia(J=1, w0=1) if turning else sb.Mass(m=1, v0=1))
    m.add("push", sb.Torque("body", tau=SWING) if turning else sb.Force("body", f=SWING))
    pressed = {"law": law, "fn_max": 4 * LOAD, "f_normalized": 0.5, "cgeo": 0.5}
    if kind in ("Bearing", "Guide"):
        m.add("friction", getattr(sb, kind)("body", law=law, load=LOAD))
    elif kind.startswith("Brake"):
        m.add("friction", sb.Brake("body", **pressed))
    else:
        m.add("friction", sb.Clutch(m.add("wall", sb.Fixed()), "body", **pressed))
    return m


@pytest.mark.parametrize("name", all_laws())
def test_is_the_same_in_every_element(name: str) -> None:
    law = all_laws()[name]()
    expected = sb.simulate(swung("Guide", law), t_end=2.0)
    for kind in ("Bearing", "Brake", "Brake along a line", "Clutch", "Clutch along a line"):
        result = sb.simulate(swung(kind, law), t_end=2.0)
        v, f = ("v_rel", "f") if "friction.f" in result.names else ("w_rel", "tau")
        assert result[f"friction.{v}"] == pytest.approx(np.asarray(expected["friction.v_rel"]), abs=1e-12)
        assert result[f"friction.{f}"] == pytest.approx(np.asarray(expected["friction.f"]), abs=1e-9)
        assert [e.to for e in result.events] == [e.to for e in expected.events]


@pytest.mark.parametrize("name", all_laws())
def test_a_clutch_between_two_bodies_is_a_brake_on_their_relative_motion(name: str) -> None:
    """J_a = 4, J_b = 4/3 under -T and T: w_rel' = (T - tau)(1/4 + 3/4) as that of one body with J = 1, also while the
    command opens and closes; and the momentum of both stays."""
    law = all_laws()[name]()
    u = sb.Sine(amplitude=1.0, f=0.9, offset=0.4)
    one, two = sb.Model("one"), sb.Model("two")
    one.add("body", sb.Inertia(J=1, w0=1.5))
    one.add("push", sb.Torque("body", tau=SWING))
    one.add("friction", sb.Brake("body", law=law, fn_max=3, f_normalized=u))
    two.add("a", sb.Inertia(J=4, w0=0))
    two.add("b", sb.Inertia(J=4 / 3, w0=1.5))
    two.add("push", sb.Torque("b", tau=SWING))
    two.add("react", sb.Torque("a", tau=-SWING))
    two.add("friction", sb.Clutch("a", "b", law=law, fn_max=3, f_normalized=u))
    expected, result = (sb.simulate(m, t_end=2.0, tolerance=1e-9) for m in (one, two))
    slip = np.asarray(expected["friction.w_rel"])
    # tolerance of the runs times what their errors grow by at break-away
    assert result["friction.w_rel"] == pytest.approx(slip, abs=1e-5 * np.ptp(slip))
    assert 4 * np.asarray(result["a.w"]) + 4 / 3 * np.asarray(result["b.w"]) == pytest.approx(2, abs=1e-9)
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput
