"""The same machine under another law: shared values are taken over."""

from copy import copy

import pytest

from stribeck.laws import Coulomb, Dahl, ElastoPlastic, FrictionTable, HybridPresliding, LuGre, Stribeck, Switch


def test_by_names_and_aliases():
    assert Switch().adopt(LuGre(mu_s=2, tau_v=0.4)) == Switch(mu_c=1.0, mu_s=2, mu_v=0.4)
    assert Stribeck(mu_v=3).adopt(LuGre(w_s=0.1, exponent=1)).given == {
        "mu_v": 0.0, "mu_c": 1.0, "mu_s": 1.5, "v_s": 0.1, "exponent": 1
    }  # fmt: skip


def test_what_is_not_shared_stays():
    assert LuGre(sigma0=7).adopt(Switch(mu_c=0.5)).sigma0 == 7


def test_texts_are_taken_over_with_their_units():
    assert Coulomb().adopt(Switch(mu_c="4 kN", mu_s="5 kN")).mu_c == "4 kN"
    assert ElastoPlastic().adopt(Dahl(mu_c="4 kN")).mu_c == "4 kN"


def test_a_bound_law_gives_si_values():
    bound = copy(Switch(mu_c="4 kN", mu_s="5 kN"))
    bound.p = bound.resolve({"load": "N", "disp": "m", "vel": "m/s"}, "")
    assert Coulomb().adopt(bound).mu_c == 4000


def test_proportions_are_kept():
    stiff = LuGre(sigma0=1e7, mu_c=5, mu_s=8)
    assert ElastoPlastic().adopt(stiff).z_ba == pytest.approx(0.9 * 5 / 1e7)
    presliding = HybridPresliding().adopt(stiff)
    assert (presliding.k1, presliding.k1 * presliding.z_max) == pytest.approx((1e7, 8))
    assert LuGre().adopt(Coulomb(mu_c=20)).mu_s == 30


def test_nothing_shared():
    assert FrictionTable().adopt(LuGre()) == FrictionTable()
