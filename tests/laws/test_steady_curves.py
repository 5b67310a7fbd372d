"""Friction in steady sliding, against the formulas of the papers written out."""

from math import copysign, exp, tanh

import numpy as np
import pytest
from support import law_checks

from stribeck import laws
from stribeck.laws.simplified_lugre import FLOOR


def stribeck(p, v):
    return p.mu_c + (p.mu_s - p.mu_c) * exp(-(abs(v / p.v_s) ** p.exponent))


def lugre(p, v):
    return stribeck(p, v) + p.sigma2 * v


def viscous_stribeck(p, v):
    return stribeck(p, v) + p.mu_v * v


def rising_stribeck(p, v):
    return p.mu_c + p.fresh * (p.mu_s - p.mu_c) * exp(-(abs(v / p.v_s) ** p.exponent)) + p.mu_v * v


def simplified_lugre(p, v):
    rising = 1 + v / p.dv * (p.mu_s / p.mu_c - 1)
    s = rising if v <= p.dv else p.mu_s / p.mu_c - p.sigma2 / p.mu_c * (v - p.dv)
    return p.mu_s / max(s, FLOOR)


CURVES = {
    "blimansorine": lambda p, v: p.mu_c + p.mu_v * v,
    "boucwen": lambda p, v: p.mu_c + p.mu_v * v,
    "bristle": lambda p, v: 1.5 * p.mu_c * np.mean(np.sqrt(p.increment)) + p.mu_v * v,  # a typical state
    "coulomb": lambda p, v: p.mu_c,
    "coulombviscous": lambda p, v: p.mu_c * min(2 * v / p.v_0, 1) + p.mu_v * v,
    "dahl": lambda p, v: p.mu_c,
    "dampedlugre": lugre,
    "elastoplastic": lugre,
    "elastoplastictable": lambda p, v: np.interp(v, p.speed, p.mu) + p.sigma2 * v,
    "frictiontable": lambda p, v: p.mu[0] + (p.mu[1] - p.mu[0]) * v / p.speed[1],
    "gms": lugre,
    "hybrid": viscous_stribeck,
    "hybridpresliding": viscous_stribeck,
    "improveddahl": lambda p, v: p.mu_c if v > p.dv else p.mu_s,
    "karnopp": viscous_stribeck,
    "katostribeck": rising_stribeck,
    "laggedstribeck": viscous_stribeck,
    "leuven": lugre,
    "leuven2000": lugre,
    "lugre": lugre,
    "maxwellslip": lambda p, v: p.mu_c + p.sigma2 * v,
    "modifiedelastoplastic": lugre,
    "resetintegrator": lambda p, v: p.mu_c + p.sigma2 * v,
    "risingstribeck": rising_stribeck,
    "sevenparameter": lambda p, v: p.mu_c + (p.mu_s - p.mu_c) / (1 + (v / p.v_s) ** 2) + p.mu_v * v,
    "simplifiedlugre": simplified_lugre,
    "stribeck": viscous_stribeck,
    "stribeckthreshold": lambda p, v: stribeck(p, v) + (p.mu_v * v if v > p.v_v else 0),
    "switch": lambda p, v: p.mu_c + p.mu_v * v,
    "tanh": lambda p, v: p.mu_c * tanh(2 * v / p.v_0) + p.mu_v * v,
}


def steady_friction(native, numbers, v):
    return native.flow(numbers, v, native.steady(numbers, v) if native.n_state else [])[0]


@pytest.mark.parametrize("name", CURVES)
def test_steady_curve(name, natives):
    law, native = laws.all_laws()[name], natives[name]
    for point in law_checks.random_points(law, 8, 100):
        v = abs(point.v)
        for share in getattr(law, "each", ()):  # random ones
            setattr(point.p, share, [x / sum(getattr(point.p, share)) for x in getattr(point.p, share)])
        exact, numbers = CURVES[name](point.p, v), law.numbers(point.p)
        # rounding of the parts: of sigma2 v, and of the rate of the bristle, which is 0 to rounding of v
        sigma1, sigma2 = (getattr(point.p, name, 0.0) for name in ("sigma1", "sigma2"))
        rounding = 1e-13 * (exact + sigma2 * v) + 1e-15 * sigma1 * v
        assert abs(steady_friction(native, numbers, v) - exact) <= rounding
        if law.family != "locking":
            assert steady_friction(native, numbers, -v) == copysign(steady_friction(native, numbers, v), -1)


def test_every_law_has_its_curve():
    assert list(CURVES) == list(laws.all_laws())


def test_friction_of_fast_sliding_is_on_the_stribeck_curve_for_elasto_plastic_bristles(natives):
    """mu_c = 1, mu_s = 2, v_s = 0.5, exponent 1 at v = 1: 1 + e^-2. A constant z_max would lose the curve."""
    given = {"mu_c": 1, "mu_s": 2, "v_s": 0.5, "exponent": 1}
    for law in (laws.ElastoPlastic(**given), laws.ModifiedElastoPlastic(**given)):
        numbers = law.numbers(law.resolve({}, ""))
        assert steady_friction(natives[law.name], numbers, 1.0) == pytest.approx(1 + exp(-2), rel=1e-14)
