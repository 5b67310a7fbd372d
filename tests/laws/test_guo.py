"""Improved Dahl and simplified LuGre: the closed form of their implicit rate, and their limits."""

import numpy as np
import pytest
from support import law_checks

from stribeck.laws import ImprovedDahl, SimplifiedLuGre


def share(law, p, v, z):
    """h or s of the paper."""
    if law is ImprovedDahl:
        return p.mu_s / p.mu_c if z[1] else 1.0
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
    (warning,) = ImprovedDahl.checks(ImprovedDahl(sigma1=300, sigma2=0.5).resolve({}, ""))
    assert "passive only up to the speed 4 mu_c (sigma1 + sigma2)/sigma2^2 = 4808" in warning
