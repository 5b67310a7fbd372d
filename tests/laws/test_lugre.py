"""LuGre: what its parameters mean."""

import numpy as np
import pytest
import sympy

from stribeck.errors import SpecError
from stribeck.laws import LuGre


def number(expression):
    return float(sympy.N(expression))


def numbers(**values):
    return LuGre(**values).resolve({"load": "N.m", "disp": "rad", "vel": "rad/s"}, "bearing 'friction'")


@pytest.mark.parametrize("v", [1e-5, 1e-3, 0.1, -2.0])
def test_steady_friction_is_the_stribeck_curve(v):
    p = numbers()
    v_exact = sympy.Float(v)
    friction = LuGre.flow(p, v_exact, LuGre.steady(p, v_exact), LuGre.g(p, v_exact)).friction
    curve = p.mu_c + (p.mu_s - p.mu_c) * np.exp(-((v / p.v_s) ** 2))
    assert number(friction) == pytest.approx(np.sign(v) * curve + p.sigma2 * v, rel=1e-12)


def test_presliding_is_a_spring_with_damping():
    p = numbers()
    v = sympy.Float(1e-12)
    flow = LuGre.flow(p, v, sympy.Float(1e-9), LuGre.g(p, v))
    assert number(flow.rates["z"]) == pytest.approx(1e-12, rel=1e-3)
    assert number(flow.friction) == pytest.approx(p.sigma0 * 1e-9, rel=1e-3)


def test_passivity_warning_has_the_numbers():
    """Aberger and Otter 2002: the bound (6) is 0.8, far below sigma1 = 316."""
    (warning,) = LuGre.remarks(numbers(sigma2=0.4))
    assert "= 0.8;" in warning and "316.228" in warning
    assert LuGre.remarks(numbers(sigma1=0.8, sigma2=0.4)) == []
    assert LuGre.remarks(numbers(mu_s=1)) == []


def test_static_friction_below_coulomb_friction_is_refused():
    with pytest.raises(SpecError, match=r"LuGre: mu_s = 1\.5 must not be below mu_c = 2; raise mu_s or lower mu_c"):
        LuGre(mu_c=2, mu_s=1.5)
    with pytest.raises(SpecError, match=r"bearing 'friction': mu_s = 1\.5 must not be below mu_c = 2000"):
        numbers(mu_c="2 kN.m", mu_s="1.5 N.m")


def test_nominal_deflection_is_that_of_break_away():
    assert LuGre.z.nominal(numbers(mu_s=2)) == 2e-5


def test_names_of_torques_and_forces():
    assert LuGre(tau_c=0.5, tau_s=1, w_s=0.01, tau_v=0) == LuGre(mu_c=0.5, mu_s=1, v_s=0.01, sigma2=0)
    assert LuGre(f_c=0.5, f_s=1, f_v=0) == LuGre(mu_c=0.5, mu_s=1, sigma2=0)
