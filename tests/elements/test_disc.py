"""Rigid connections that turn or shift their flanges against each other."""

from math import pi, sqrt

import numpy as np
import pytest

import stribeck as sb


def test_a_disc_turns_its_flanges_against_each_other():
    """J1 + J2 on a spring c from phi_b = 0.5 + pi/2 at rest: a cosine; the disc carries what J1 needs."""
    m = sb.Model("disc", t_end=2)
    a, b = m.add("a", sb.Inertia(J=1, phi0=0.5)), m.add("b", sb.Inertia(J=2))
    m.add("disc", sb.Disc(a, b, deltaPhi="90 deg"))
    m.add("spring", sb.Spring(b, c=6))
    result = sb.simulate(m, tolerance=1e-10)
    phi = (0.5 + pi / 2) * np.cos(sqrt(2) * np.asarray(result.time))
    assert result["b.phi"] == pytest.approx(phi, abs=1e-8)
    assert result["a.phi"] == pytest.approx(phi - pi / 2, abs=1e-8)
    assert result["disc.tau_a"] == pytest.approx(2 * phi, abs=1e-7)
    assert np.array_equal(result["disc.tau_b"], -np.asarray(result["disc.tau_a"]))


@pytest.mark.parametrize("through", ["disc", "gear"])
def test_an_offset_goes_through_gears(through):
    """phi_a = 3 phi_b and phi_c = phi_b + 0.2: seen from the other side of the gear the offset is three times that."""
    m = sb.Model("offset")
    m.add("a", sb.Inertia(J=1, **({"phi0": 3.0} if through == "disc" else {})))
    m.add("c", sb.Inertia(J=1, **({"phi0": 1.2} if through == "gear" else {})))
    m.add("gear", sb.Gear("a", "disc.a", ratio=3))
    m.add("disc", sb.Disc(None, "c", deltaPhi=0.2))
    m.add("push", sb.Torque("a", tau=1))
    result = sb.simulate(m, t_end=1)
    assert [result["a.phi"][0], result["c.phi"][0]] == pytest.approx([3, 1.2], abs=1e-14)
    assert result["a.phi"] == pytest.approx(3 * (np.asarray(result["c.phi"]) - 0.2), abs=1e-12)


def test_a_rod_keeps_its_length():
    m = sb.Model("tow", t_end=3)
    tractor, trailer = m.add("tractor", sb.Mass(m=2, v0=1)), m.add("trailer", sb.Mass(m=1))
    m.add("tow", sb.Rod(tractor, trailer, L="-4 m"))
    m.add("pull", sb.Force(tractor, f=3))
    result = sb.simulate(m)
    assert result["tow.f_b"] == pytest.approx(-1)
    assert result["trailer.s"] == pytest.approx(np.asarray(result["tractor.s"]) - 4, abs=1e-12)
    assert result["tractor.s"][-1] == pytest.approx(3 + 0.5 * 9)


def test_starts_that_are_stated_hold():
    m = sb.Model("mounted")
    m.add("a", sb.Inertia(J=1, phi0=1))
    m.add("b", sb.Inertia(J=1, phi0=5))
    m.add("disc", sb.Disc("a", "b", deltaPhi=2))
    result = sb.simulate(m, t_end=1)
    assert [result["a.phi"][-1], result["b.phi"][-1]] == [1, 5]


def circle(last):
    """Three discs from a over b to c and back."""
    m = sb.Model("circle")
    for name in "abc":
        m.add(name, sb.Inertia(J=1))
    m.add("ab", sb.Disc("a", "b", deltaPhi=0.1))
    m.add("bc", sb.Disc("b", "c", deltaPhi=0.2))
    m.add("ca", sb.Disc("c", "a", deltaPhi=last))
    return m


def test_offsets_in_a_circle_must_add_up():
    assert sb.simulate(circle(-0.3), t_end=1)["c.phi"][0] == pytest.approx(0.3)
    with pytest.raises(sb.SpecError, match=r"disc 'ca': other couplings hold its flanges already"):
        sb.simulate(circle(0.3), t_end=1)
