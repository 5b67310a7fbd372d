"""Elasto-plastic laws: where they are elastic, how they yield."""

from math import pi, sin

import numpy as np
import pytest
from support import law_checks

from stribeck.errors import SpecError
from stribeck.laws import DampedLuGre, ElastoPlastic, ElastoPlasticTable, LuGre, ModifiedElastoPlastic


def numbers(law):
    return law.numbers(law.resolve({}, law.name))


def alpha(law, native, v, z):
    """The share of LuGre's relaxation, from the rate: z' = v - alpha sigma0 |v| z/f(v)."""
    p = numbers(law)
    f = native.steady(p, abs(v))[0] * law.sigma0
    return (v - native.flow(p, v, [z])[1]) * f / (law.sigma0 * abs(v) * z)


def dupont(z, z_ba, z_max):
    """alpha(z) as printed, for one sign of speed and deflection."""
    if abs(z) <= z_ba:
        return 0.0
    if abs(z) >= z_max:
        return 1.0
    return 0.5 * sin(pi * (abs(z) - (z_max + z_ba) / 2) / (z_max - z_ba)) + 0.5


LAW = ElastoPlastic(sigma0=1e5, mu_c=1, mu_s=1.5, z_ba=9e-6)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("v", [1e-4, 1e-3, 1.0])
def test_alpha_is_that_of_dupont(natives, v, side):
    native = natives["elastoplastic"]
    z_max = native.steady(numbers(LAW), v)[0]
    for z in np.linspace(1e-7, 1.5e-5, 40):
        expected = dupont(z, 9e-6, z_max)
        assert alpha(LAW, native, side * v, side * z) == pytest.approx(expected, abs=1e-12)
        # |z| in the sine, and no relaxation where the bristle is bent against the speed
        assert alpha(LAW, native, side * v, -side * z) == pytest.approx(0, abs=1e-12)


def test_elastic_below_its_limit(natives):
    """A purely elastic bristle follows every motion: it cannot drift."""
    for v in (1e-6, -1e-6, 1.0):
        assert natives["elastoplastic"].flow(numbers(LAW), v, [8.9e-6])[1] == v


def test_beyond_the_steady_deflection_it_is_lugre(natives):
    lugre = LuGre(**{name: getattr(LAW, name) for name in LuGre.params})
    for v in (1e-4, 0.1):
        ours = natives["elastoplastic"].flow(numbers(LAW), v, [1.5e-5])
        assert ours == pytest.approx(natives["lugre"].flow(numbers(lugre), v, [1.5e-5]), rel=1e-14)


def test_the_elastic_limit_of_the_modified_law_follows_the_speed(natives):
    law, native = ModifiedElastoPlastic(kappa=0.8), natives["modifiedelastoplastic"]
    for v in (1e-4, 1e-3, 1.0):
        z_max = native.steady(numbers(law), v)[0]
        for share in (0.5, 0.79, 0.85, 0.95, 1.1):
            assert alpha(law, native, v, share * z_max) == pytest.approx(dupont(share, 0.8, 1.0), abs=1e-12)


def test_a_table_of_the_stribeck_curve_is_the_elasto_plastic_law(natives):
    speeds = np.linspace(0, 5e-3, 2001)
    curve = 1 + 0.5 * np.exp(-((speeds / 1e-3) ** 2))
    table = ElastoPlasticTable(speed=speeds, mu=curve)
    for v in (3e-4, -2e-3, 1.0):
        for z in (-1.2e-5, 5e-6, 1.15e-5):
            ours = natives["elastoplastictable"].flow(numbers(table), v, [z])
            assert ours == pytest.approx(natives["elastoplastic"].flow(numbers(LAW), v, [z]), rel=1e-5)


def test_an_elastic_limit_beyond_sliding_is_refused():
    with pytest.raises(SpecError, match=r"ElastoPlastic: z_ba = 1e-05 must be below mu_c/sigma0 = 1e-05"):
        ElastoPlastic(z_ba=1e-5)
    with pytest.raises(SpecError, match=r"z_ba = 9e-06 must be below the smallest mu over sigma0 = 5e-06"):
        ElastoPlasticTable(speed=[0, 1], mu=[1, 0.5])
    with pytest.raises(SpecError, match=r"kappa = 1 must be below 1"):
        ModifiedElastoPlastic(kappa=1)
    with pytest.raises(SpecError, match=r"mu_s = 0\.5 must not be below mu_c = 1"):
        ModifiedElastoPlastic(mu_s=0.5)


def test_passivity_warnings_have_the_numbers():
    (warning,) = ElastoPlastic.remarks(ElastoPlastic(sigma2=0.4).resolve({}, ""))
    assert warning.startswith("ElastoPlastic is passive only for sigma1 <= sigma2 mu_c/(mu_s - mu_c) = 0.8;")
    (warning,) = DampedLuGre.remarks(DampedLuGre(sigma1=300, v_d=0.1, sigma2=1).resolve({}, ""))
    assert "DampedLuGre is passive only for sigma2 >= " in warning and "with sigma2 = 1 " in warning
    needed = ElastoPlasticTable.viscosity(ElastoPlasticTable(sigma1=300).resolve({}, ""))
    assert needed == pytest.approx(1.001 * 300 * 0.5, rel=1e-6)


def test_fading_damping_needs_little_viscous_friction(natives):
    """LuGre needs sigma1 (mu_s - mu_c)/mu_c = 158. Damping that lasts to higher speeds needs some as well."""
    quick, slow = (DampedLuGre(v_d=v_d).resolve({}, "") for v_d in (1e-2, 0.1))
    assert DampedLuGre.viscosity(quick) == 0 and DampedLuGre.passive(quick)
    # the largest value of 158.1 e^-x^2 - 22.5/x, x = v/v_d, with the margin of 0.1 %
    assert DampedLuGre.viscosity(slow) == pytest.approx(79.22, rel=1e-3) and not DampedLuGre.passive(slow)
    places = [(v, [1.5e-5]) for v in np.geomspace(0.01, 1, 100)]
    for sigma2, gives in ((0.98, True), (1.0, False)):
        slow.sigma2 = sigma2 * DampedLuGre.viscosity(DampedLuGre(v_d=0.1).resolve({}, ""))
        losses = [law_checks.loss(DampedLuGre, natives["dampedlugre"], slow, v, z) for v, z in places]
        assert (min(losses) < 0) == gives


def test_fading_damping(natives):
    law = DampedLuGre(sigma1=300, v_d=1e-2)
    for v in (1e-3, 1e-2, 3e-2):
        friction, rate = natives["dampedlugre"].flow(numbers(law), v, [4e-6])
        assert friction == pytest.approx(0.4 + 300 * np.exp(-((v / 1e-2) ** 2)) * rate, rel=1e-14)
