"""Clutches and brakes as elements: units of their laws, geometry, messages."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck.elements import DOMAINS

ROTATIONAL, TRANSLATIONAL = DOMAINS.values()


def test_the_law_of_a_clutch_states_coefficients() -> None:
    law = sb.LuGre(mu_c=0.3, mu_s="40 %", sigma0="10 1/deg", w_s="1 rpm")
    p = sb.Clutch("a", "b", law=law, fn_max="2 kN").bind(ROTATIONAL).p
    assert p.law.p.mu_s == 0.4
    assert p.law.p.sigma0 == pytest.approx(572.9577951)
    assert p.fn_max == 2000


@pytest.mark.parametrize(("domain", "word"), [(ROTATIONAL, "3 N.m"), (TRANSLATIONAL, "3 N")])
@pytest.mark.parametrize("kind", [sb.Clutch, sb.Brake])
def test_torques_as_coefficients_are_refused(domain, word, kind) -> None:
    element = kind("a", law=sb.Coulomb(mu_c=word), fn_max=1)
    element.name = "x"
    with pytest.raises(sb.UnitError, match=rf"(clutch|brake) 'x', law: mu_c = '{word}'"):
        element.bind(domain)


def test_a_bearing_still_states_torques() -> None:
    assert sb.Bearing("a", law=sb.Coulomb(mu_c="3 N.m")).bind(ROTATIONAL).p.law.p.mu_c == 3


@pytest.mark.parametrize(("domain", "cgeo"), [(ROTATIONAL, "80 mm"), (TRANSLATIONAL, 0.08)])
def test_load(domain, cgeo) -> None:
    element = sb.Brake("a", law=sb.Coulomb(), fn_max=50, cgeo=cgeo, f_normalized=sb.Ramp(1, 2))
    assert element.bind(domain).normal_load().at(1.0) == pytest.approx(0.08 * 50 * 0.5)


def test_friction_radius() -> None:
    assert sb.friction_radius(0.06, "100 mm") == pytest.approx(0.08)
    cubes = 2 / 3 * (0.1**3 - 0.06**3) / (0.1**2 - 0.06**2)
    assert sb.friction_radius(0.06, 0.1, lining="new") == pytest.approx(cubes)
    assert sb.friction_radius(0.1, 0.1, lining="new") == pytest.approx(0.1)
    assert sb.plates_cgeo(0.06, 0.1, plates=3) == pytest.approx(6 * 0.08)


def test_geometry_that_cannot_be() -> None:
    with pytest.raises(sb.SpecError, match="a ring needs"):
        sb.friction_radius(0.1, 0.06)
    with pytest.raises(sb.UnitError, match="inner"):
        sb.friction_radius("3 N", 0.06)
    with pytest.raises(sb.UnknownName, match="worn"):
        sb.friction_radius(0.01, 0.06, lining="old")
    with pytest.raises(sb.SpecError, match="whole number"):
        sb.plates_cgeo(0.01, 0.06, plates=1.5)


def test_a_clutch_without_law() -> None:
    with pytest.raises(sb.SpecError, match="Clutch: law is missing"):
        sb.Clutch("a", "b", fn_max=1)


# --- drag of an open clutch ------------------------------------------------------------------------------------------


def test_an_open_clutch_drags() -> None:
    """J w' = -d w - tau against a plate at rest, w far above w_drag: w = (w0 + tau/d) exp(-d t/J) - tau/d."""
    m = sb.Model("drag", t_end=2.0)
    m.add("plate", sb.Inertia(J=2, w0=50))
    drag = {"tau_drag": "0.6 N.m", "d_drag": 0.03, "w_drag": 0.5}
    m.add("brake", sb.Brake("plate", law=sb.Coulomb(), fn_max=100, f_normalized=-1, **drag))
    result = sb.simulate(m, tolerance=1e-10)
    expected = 70 * np.exp(-0.015 * np.asarray(result.time)) - 20
    assert result["plate.w"] == pytest.approx(expected, abs=1e-8)
    assert result["brake.tau_drag"] == pytest.approx(0.6 + 0.03 * expected, abs=1e-8)
    assert not np.any(result["brake.tau"])
    assert result.energy.dissipated["brake"] == pytest.approx(2500 - expected[-1] ** 2, rel=1e-8)
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput


@pytest.mark.parametrize("turning", [True, False])
def test_drag_goes_as_the_clutch_closes(turning: bool) -> None:
    """At a constant slip of -3 the drag is -(tau tanh(3/w_drag) + 3 d)(1 - f_normalized), and 0 beyond 1."""
    m = sb.Model("closing")
    force, slip = ("tau", "w") if turning else ("f", "v")
    m.add("fast", sb.Speed(**{slip: 5}))
    m.add("slow", sb.Speed(**{slip: 2}))
    drag = {f"{force}_drag": 2, "d_drag": 0.1, f"{slip}_drag": 4}
    u = sb.Table(time=[0, 1, 3], value=[-0.5, 0, 2])
    m.add("clutch", sb.Clutch("fast", "slow", law=sb.Coulomb(mu_c=0.4), fn_max=10, f_normalized=u, **drag))
    result = sb.simulate(m, times=np.array([0.0, 0.5, 1.0, 1.25, 1.75, 2.0, 2.5, 3.0]))
    share = np.array([1, 1, 1, 0.75, 0.25, 0, 0, 0])
    assert result[f"clutch.{force}_drag"] == pytest.approx(-(2 * np.tanh(0.75) + 0.3) * share)
    assert result[f"clutch.{force}"] == pytest.approx(-4 * np.array([0, 0, 0, 0.25, 0.75, 1, 1.5, 2]))
    assert result["clutch.f_normalized"] == pytest.approx([-0.5, -0.25, 0, 0.25, 0.75, 1, 1.5, 2])
    assert result["clutch.fn"] == pytest.approx(10 * np.asarray(result["clutch.f_normalized"]))
    assert result["clutch.fn"].unit == "N"


def test_the_normal_force_can_be_sensed() -> None:
    m = sb.Model("sensed", t_end=1)
    m.add("plate", sb.Inertia(J=1, w0=5))
    m.add("brake", sb.Brake("plate", law=sb.Coulomb(), fn_max=3, f_normalized=sb.Ramp(1, 2)))
    m.add("pull", sb.Torque("plate", tau=2 * sb.Sensor("brake.fn")))
    result = sb.simulate(m)
    assert result["pull.tau"] == pytest.approx(3 * np.asarray(result.time))


def test_peak_of_a_table() -> None:
    """A clutch holds peak times the friction at rest: a torque that grows by 1 N.m/s breaks it away at 1.3 * 0.4 * 5 s,
    and it slides with the table: mu = 0.4 - 0.05 w."""
    m = sb.Model("peak")
    m.add("hub", sb.Inertia(J=1))
    law = sb.FrictionTable(speed=[0, 2, 10], mu=[0.4, 0.3, 0.3], peak=1.3)
    m.add("clutch", sb.Brake("hub", law=law, fn_max=5))
    m.add("ramp", sb.Torque("hub", tau=sb.Ramp(10, 10)))
    result = sb.simulate(m, t_end=3, tolerance=1e-10)
    assert [(event.to, round(event.time, 9)) for event in result.events] == [("Forward", 2.6)]
    late = np.asarray(result.time) > 2.6
    expected = 5 * np.interp(result["hub.w"][late], [0, 2, 10], [0.4, 0.3, 0.3])
    assert result["clutch.tau"][late] == pytest.approx(expected)


@pytest.mark.parametrize("rounding", [1e-17, -1e-17])
@pytest.mark.parametrize("start", [0.0, 0.5])
def test_bristles_that_close_on_a_slip_of_rounding_stay_straight(rounding: float, start: float) -> None:
    """The sign of rounding must not choose between full friction forward and backward."""
    m = sb.Model("still")
    m.add("a", sb.Inertia(J=1.0))
    m.add("b", sb.Inertia(J=1.0, w0=rounding))
    law = sb.LuGre(sigma0=100.0, sigma1=1.0, sigma2=0.0, mu_c=0.3, mu_s=0.4, v_s=0.1)
    m.add("clutch", sb.Clutch("a", "b", law=law, fn_max=10.0, f_normalized=sb.Step(1.0, start=start), engage="steady"))
    m.add("mount", sb.Spring("a", c=10.0))
    result = sb.simulate(m, 1.0)
    assert np.abs(result["clutch.tau"]).max() < 1e-12
