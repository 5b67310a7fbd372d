"""Clutches and brakes as elements: units of their laws, geometry, messages."""

from __future__ import annotations

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
