"""Improved Dahl and simplified LuGre: the closed form of their implicit rate, and their limits."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from support import law_checks

import stribeck as sb
from stribeck.laws import ImprovedDahl, SimplifiedLuGre
from stribeck.laws.improved_dahl import WIDTH


def share(law, p, v, z):
    """h or s of the paper."""
    if law is ImprovedDahl:
        ramp = min(max((abs(v) / p.dv - 1) / WIDTH + 0.5, 0), 1)
        return 1 + (0, 1, ramp)[int(z[1])] * (p.mu_s / p.mu_c - 1)
    slow = 1 + abs(v) / p.dv * (p.mu_s / p.mu_c - 1)
    return slow if abs(v) <= p.dv else max(p.mu_s / p.mu_c - p.sigma2 / p.mu_c * (abs(v) - p.dv), 0.01)


@pytest.mark.parametrize("law", [ImprovedDahl, SimplifiedLuGre], ids=lambda law: law.__name__)
def test_rate_and_friction_fulfil_the_implicit_equation(law, natives):
    """(2), (4): dz/dt = v (1 - q sgn(v) F/F_s), F = sigma0 z + sigma1 dz/dt + sigma2 v."""
    for point in law_checks.random_points(law, 9, 100):
        p, v = point.p, point.v
        friction, rate = natives[law.name].flow(point.numbers, v, point.z)[:2]
        assert friction == pytest.approx(p.sigma0 * point.z[0] + p.sigma1 * rate + p.sigma2 * v, rel=1e-9)
        relaxed = share(law, p, v, point.z) * np.sign(v) * friction / p.mu_s
        assert rate == pytest.approx(v * (1 - relaxed), abs=1e-9 * abs(v) * (1 + abs(relaxed)))


def test_the_relaxation_of_the_bristle_is_bounded(natives):
    """By sigma0/sigma1 = 316 1/s, where that of LuGre grows with speed: 1e5 1/s at 1 m/s."""
    for law in (ImprovedDahl, SimplifiedLuGre):
        numbers = law.numbers(law().resolve({}, ""))
        z = natives[law.name].steady(numbers, 1.0)
        assert 300 < -natives[law.name].flow_jac(numbers, 1.0, z)[1][1, 1] < 316.3


def test_improved_dahl_jumps_at_its_speed_limit(natives):
    native = natives["improveddahl"]
    numbers = ImprovedDahl.numbers(ImprovedDahl(dv=0.01).resolve({}, ""))
    for v in (0.0099, -0.0099):
        assert native.guard(numbers, v, [0, 0], 0)[0] > 0 > native.guard(numbers, v, [0, 1], 0)[0]
        assert list(native.jump(numbers, v, [1e-6, 1], 0, 0)) == [1e-6, 0]
    for v in (0.0101, -0.0101):
        assert native.guard(numbers, v, [0, 0], 0)[0] < 0 < native.guard(numbers, v, [0, 1], 0)[0]
        assert list(native.jump(numbers, v, [1e-6, 0], 0, 0)) == [1e-6, 1]


def test_improved_dahl_glides_on_its_speed_limit_while_its_bristle_unbends(natives):
    """Bent backwards it is the slow bristle that pulls forward harder: a jump would come back at once."""
    native = natives["improveddahl"]
    numbers = ImprovedDahl.numbers(ImprovedDahl(sigma0=100, sigma1=20, mu_c=1, mu_s=2, dv=0.02).resolve({}, ""))
    for v in (0.0201, -0.0201):
        assert list(native.jump(numbers, v, [-v, 0], 0, 0)) == [-v, 2]
        assert native.guard(numbers, v, [-v, 2], 0)[0] < 0
        assert list(native.jump(numbers, v, [-v, 2], 0, 0)) == [-v, 1]


def test_improved_dahl_on_its_speed_limit_is_the_limit_of_narrow_ramps():
    """A damped inertia, against the printed law with its jump spread over 1e-4 of dv, by Radau at 1e-7.

    Speeds are apart by half the width of the ramp on the limit at most, which is 7e-5 of the largest one.
    """
    law = ImprovedDahl(sigma0=100, sigma1=20, mu_c=1, mu_s=2, dv=0.02)
    inertia, damping, torque, frequency = 0.1, 5.0, 1.6, 0.5

    def rates(t, y):
        v, z = y
        q = 1 + min(max((abs(v) / 0.02 - 1) / 1e-4 + 0.5, 0), 1)
        dz = (v - q * abs(v) / 2 * 100 * z) / (1 + q * abs(v) / 2 * 20)
        friction = 100 * z + 20 * dz
        return [(torque * np.sin(2 * np.pi * frequency * t) - damping * v - friction) / inertia, dz]

    machine = sb.Model("on the limit")
    body = machine.add("J", sb.Inertia(J=inertia))
    machine.add("b", sb.Bearing(body, law=law))
    machine.add("d", sb.Damper(body, d=damping))
    machine.add("T", sb.Torque(body, tau=sb.Sine(torque, f=frequency)))
    result = sb.simulate(machine, 2.0, intervals=4000, tolerance=1e-9)
    reference = solve_ivp(rates, (0, 2), [0, 0], "Radau", result.time, rtol=1e-7, atol=1e-10, max_step=1e-2)
    gliding = np.asarray(result["b.fast"]) == 2
    assert gliding.sum() >= 20
    assert np.abs(np.abs(result["J.w"][gliding]) / 0.02 - 1).max() <= WIDTH / 2
    assert np.abs(result["J.w"] - reference.y[0]).max() < 1.2 * WIDTH / 2 * law.dv


def test_the_speed_at_which_the_simplified_curve_turns_negative():
    """Guo and Dong's parameters: 0.01 + 1.5/0.5 = 3.01 m/s."""
    (warning,) = SimplifiedLuGre.checks(SimplifiedLuGre(sigma2=0.5).resolve({}, ""))
    assert "turns negative at the speed dv + mu_s/sigma2 = 3.01," in warning
    assert SimplifiedLuGre.checks(SimplifiedLuGre().resolve({}, "")) == []


def test_beyond_it_friction_is_large_and_finite(natives):
    law = SimplifiedLuGre(sigma2=0.5)
    numbers, native = law.numbers(law.resolve({}, "")), natives["simplifiedlugre"]
    for v in (3.005, 3.01, 3.02, 100.0):
        assert native.flow(numbers, v, native.steady(numbers, v))[0] == pytest.approx(1.5 / 0.01, rel=1e-9)


def test_viscous_friction_scales_with_the_coulomb_friction(natives):
    """All forces times 7 is 7 times the force: the curve falls with sigma2/mu_c."""
    native = natives["simplifiedlugre"]
    one = SimplifiedLuGre(sigma2=0.5)
    seven = SimplifiedLuGre(sigma0=7e5, sigma1=7 * one.sigma1, sigma2=3.5, mu_c=7, mu_s=10.5)
    for v in (1e-3, 0.1, 1.0):
        small, large = (native.flow(law.numbers(law.resolve({}, "")), v, [5e-6]) for law in (one, seven))
        assert large == pytest.approx([7 * small[0], small[1]], rel=1e-12)


def test_improved_dahl_says_up_to_which_speed_it_is_passive():
    (warning,) = ImprovedDahl.remarks(ImprovedDahl(sigma1=300, sigma2=0.5).resolve({}, ""))
    assert "passive only up to the speed 4 mu_c (sigma1 + sigma2)/sigma2^2 = 4808" in warning
