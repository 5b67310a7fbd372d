"""Every registered law is tested by being registered."""

import math
import re

import numpy as np
import pytest
from support import law_checks, native

from stribeck import kernel, laws
from stribeck.codegen.sources import source_hash
from stribeck.units import parse_unit

LAWS = list(laws.all_laws().values())
UNITS = {"load": "N.m", "disp": "rad", "vel": "rad/s"}

every_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)


@pytest.fixture(scope="module")
def natives(tmp_path_factory):
    return native.build(LAWS, tmp_path_factory.mktemp("laws"))


def defaults(law):
    return law().resolve(UNITS, law.__name__)


def speeds():
    return [s * v for v in 10.0 ** np.arange(-9, 4) for s in (-1, 1)]


@every_law
def test_c_agrees_with_the_text(law, natives):
    law_checks.check_values(law, natives[law.name])


@every_law
def test_derivatives_agree_with_differences(law, natives):
    law_checks.check_derivatives(law, natives[law.name])


@every_law
def test_finite_everywhere(law, natives):
    law_checks.check_finite(law, natives[law.name])


@every_law
def test_not_a_number_is_passed_on(law, natives):
    p, z = vars(defaults(law)).values(), [0.0] * len(law.states)
    assert np.isnan(natives[law.name].flow(list(p), math.nan, z)).all()


@every_law
def test_table_entry(law, natives):
    entry = natives[law.name]
    assert (entry.family, entry.n_param, entry.n_state) == (law.family, len(law.params), len(law.states))


@pytest.mark.parametrize("law", [law for law in LAWS if law.states], ids=lambda law: law.__name__)
def test_steady_state_is_steady(law, natives):
    """dz/dt is 0 to rounding of its two parts, v and the relaxation; at rest the bristle is straight."""
    p = list(vars(defaults(law)).values())
    entry = natives[law.name]
    for v in speeds():
        assert np.abs(entry.flow(p, v, entry.steady(p, v))[1:]).max() <= 1e-15 * abs(v)
    assert (entry.steady(p, 0.0) == 0).all()


@pytest.mark.parametrize("law", [law for law in LAWS if law.family != "locking"], ids=lambda law: law.__name__)
def test_friction_is_odd(law, natives):
    p = list(vars(defaults(law)).values())
    sizes = [state.nominal(defaults(law)) for state in law.states.values()]
    for v in speeds():
        z = [0.7 * size for size in sizes]
        np.testing.assert_array_equal(natives[law.name].flow(p, -v, [-x for x in z]), -natives[law.name].flow(p, v, z))


@pytest.mark.parametrize("law", [law for law in LAWS if law.states], ids=lambda law: law.__name__)
def test_storage_is_positive_and_zero_at_rest(law, natives):
    p = list(vars(defaults(law)).values())
    n = len(law.states)
    energy, grad = natives[law.name].storage(p, [0.0] * n)
    assert energy == 0 and (grad == 0).all()
    assert natives[law.name].storage(p, [1e-5] * n)[0] > 0


@pytest.mark.parametrize("law", [law for law in LAWS if law.family == "locking"], ids=lambda law: law.__name__)
def test_breakaway_is_not_below_sliding(law, natives):
    p = list(vars(defaults(law)).values())
    assert natives[law.name].breakaway(p) >= natives[law.name].flow(p, 0.0)[0] > 0


@every_law
def test_documented(law):
    assert law.__doc__ and ">>>" in law.__doc__
    assert re.search(r"\b(19|20)\d\d\b", law.source), "the source names a year"
    assert all(thing.text for thing in [*law.params.values(), *law.states.values()])


@every_law
def test_units_are_known(law):
    for thing in [*law.params.values(), *law.states.values()]:
        for units in (UNITS, {"load": "N", "disp": "m", "vel": "m/s"}, {"load": "1", "disp": "rad", "vel": "rad/s"}):
            parse_unit(thing.unit.format_map(units))


@every_law
def test_defaults_are_a_law(law):
    p = defaults(law)
    assert not law.faults(p)
    assert all(isinstance(warning, str) for warning in law.checks(p))
    assert all(state.nominal(p) > 0 for state in law.states.values())


@every_law
def test_metadata_of_the_build(law):
    about = laws.metadata()[law.name]
    assert about["class"] == law.__name__
    assert {name: p["default"] for name, p in about["params"].items()} == vars(defaults(law))
    assert set(about["formulas"]) >= {"friction", *(f"{state}dot" for state in law.states)}


def test_the_kernel_carries_these_laws():
    """A stale build is told by its hash: rebuild with pip install."""
    assert kernel.laws_hash() == source_hash()


def test_parameters_are_floats():
    assert all(isinstance(x, float) for law in LAWS for x in vars(defaults(law)).values())


def test_registry():
    assert list(laws.all_laws()) == sorted(laws.all_laws())
    assert laws.get("LUGRE") is laws.LuGre
    assert "LuGre" in dir(laws)
    with pytest.raises(laws.UnknownName, match="there is no friction law 'LuGr'; did you mean 'LuGre'"):
        laws.get("LuGr")
    with pytest.raises(AttributeError, match="no attribute 'Lugre'"):
        _ = laws.Lugre
