"""Switch: what its parameters mean."""

import pytest

from stribeck.errors import SpecError
from stribeck.laws import Switch


def test_sliding_is_coulomb_plus_viscous():
    p = Switch(mu_c=2, mu_s=3, mu_v=0.5).resolve({}, "Switch")
    assert Switch.sliding(p, 4) == 4
    assert Switch.breakaway(p) == 3


def test_static_friction_below_coulomb_friction_is_refused():
    with pytest.raises(SpecError, match=r"Switch: mu_s = 1 must not be below mu_c = 1\.2"):
        Switch(tau_c=1.2, tau_s=1)


def test_frictionless_is_allowed():
    assert Switch(mu_c=0, mu_s=0, mu_v=0).mu_s == 0
