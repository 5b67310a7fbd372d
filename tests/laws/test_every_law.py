"""Every registered law is tested by being registered."""

import math
import re

import numpy as np
import pytest
from support import law_checks

from stribeck import kernel, laws
from stribeck.errors import UnknownName
from stribeck.laws import Series
from stribeck.laws._counted import CountedLaw
from stribeck.units import parse_unit
from tools.codegen.sources import source_hash

LAWS = list(laws.all_laws().values())
UNITS = {"load": "N.m", "disp": "rad", "vel": "rad/s"}


def each(kept):
    return pytest.mark.parametrize("law", kept, ids=lambda law: law.__name__)


every_law = each(LAWS)
with_states = each([law for law in LAWS if law.states])
locking = each([law for law in LAWS if law.family == "locking"])
bristles = each([law for law in LAWS if law.family == "bristle"])
with_jumps = each([law for law in LAWS if hasattr(law, "jumps")])


def defaults(law):
    return law().resolve(UNITS, law.__name__)


def speeds():
    return [s * v for v in 10.0 ** np.arange(-9, 4) for s in (-1, 1)]


def mirrored(law, z):
    """The states as seen from the other side."""
    return [-x if s.directed else x for x, s in zip(z, law.states.values(), strict=True)]


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
    """Every output that depends on the speed, with states at rest."""
    p, rest = law.numbers(defaults(law)), [0.0] * len(law.states)
    low, high, nan = (natives[law.name].flow(p, v, rest) for v in (1e-5, 1e-3, math.nan))
    assert np.isnan(nan[low != high]).all()


@every_law
def test_table_entry(law, natives):
    entry = natives[law.name]
    assert (entry.family, entry.n_param, entry.n_state) == (law.family, len(law.scalars), len(law.states))
    assert (entry.has_curve, entry.lock) == (bool(law.curve), getattr(law, "lock", "switch"))
    assert len(law.curve) in (0, 2)
    assert (entry.n_guard > 0) == any(isinstance(state, laws.Mode) for state in law.states.values())


@every_law
def test_numbers_are_scalars_and_then_the_curve(law):
    p = defaults(law)
    numbers = law.numbers(p)
    assert numbers[: len(law.scalars)] == [getattr(p, name) for name in law.scalars]
    if issubclass(law, CountedLaw):
        assert numbers[len(law.scalars) :] == [x for name in law.each for x in getattr(p, name)]
    if law.curve:
        x, y = (getattr(p, name) for name in law.curve)
        assert numbers[len(law.scalars) :] == [len(x), *x, *y]


@with_states
def test_steady_state_is_steady(law, natives):
    """dz/dt is 0 to rounding of its parts, v and the relaxation, which may be a sum over elements; at rest the bristle
    is straight."""
    p = law.numbers(defaults(law))
    entry = natives[law.name]
    for v in speeds() if law.settles else ():
        assert np.abs(entry.flow(p, v, entry.steady(p, v))[1:]).max() <= 1e-15 * max(1, entry.count) * abs(v)
    assert (entry.steady(p, 0.0) == 0).all()


@with_states
def test_steady_state_is_within_its_bounds_and_modes(law, natives):
    p = defaults(law)
    for v in speeds():
        for x, state in zip(natives[law.name].steady(law.numbers(p), v), law.states.values(), strict=True):
            values = getattr(state, "values", ())
            assert x in values if values else abs(x) <= state.bound(p) * (1 + 1e-15)


@bristles
def test_a_bound_is_never_exceeded(law, natives):
    """At a bound the state does not grow, at any speed and in any mode."""
    rng = np.random.default_rng(3)
    for _ in range(5):
        p = law_checks.random_parameters(law, rng)
        for v, z in law_checks.reachable(law, natives[law.name], p, rng, 30):
            rates = natives[law.name].flow(law.numbers(p), v, z)[1:]
            for x, rate, state in zip(z, rates, law.states.values(), strict=True):
                assert x < state.bound(p) or rate <= 1e-12 * v


@each([law for law in LAWS if law.odd and law.family != "locking"])
def test_friction_is_odd(law, natives):
    p = law.numbers(defaults(law))
    for point in law_checks.random_points(law, 4, 50):
        here = natives[law.name].flow(p, point.v, point.z)
        there = natives[law.name].flow(p, -point.v, mirrored(law, point.z))
        np.testing.assert_array_equal(there, [-here[0], *mirrored(law, here[1:])])


@bristles
def test_storage_is_positive_and_zero_at_rest(law, natives):
    p = law.numbers(defaults(law))
    n = len(law.states)
    energy, grad = natives[law.name].storage(p, [0.0] * n)
    assert energy == 0 and (grad == 0).all()
    assert natives[law.name].storage(p, [1e-5] * n)[0] > 0


@every_law
def test_declared_passivity(law, natives):
    """A law that says it is passive loses energy in every state that it can be in; one that says it is not, and warns
    of it, has a state in which it gives energy."""
    rng = np.random.default_rng(5)
    entry = natives[law.name]
    for zero in (0.0, 0.1, 10.0, 1e4):
        p = law_checks.random_parameters(law, rng)
        for name, param in law.params.items():
            setattr(p, name, zero if param.default == 0 else getattr(p, name))
        if law.passive(p):
            assert (
                min(law_checks.loss(law, entry, p, v, z) for v, z in law_checks.reachable(law, entry, p, rng, 200))
                > -1e-9
            )
        else:
            assert any(
                law_checks.loss(law, entry, p, v, z) < 0 for v, z in law_checks.reachable(law, entry, p, rng, 3000)
            )
            assert law.checks(p) or law.remarks(p)


@locking
def test_breakaway_is_not_below_sliding(law, natives):
    """At v = 0; with speed friction may rise above it."""
    entry = natives[law.name]
    for point in law_checks.random_points(law, 6, 20):
        start = entry.steady(point.numbers, 0.0) if law.states else []
        assert entry.breakaway(point.numbers, start) >= entry.flow(point.numbers, 0.0, start)[0] > 0


@locking
def test_windows_are_positive(law, natives):
    if law.lock != "switch":
        window, release, relaxation, capture = natives[law.name].stick(law.numbers(defaults(law)))
        assert window > release >= 0
        assert relaxation >= 0 and capture >= 0


@with_jumps
def test_jumps_settle(law, natives):
    """Whatever the state, after a few jumps no guard is negative; discrete states stay among their values."""
    entry = natives[law.name]
    for point in law_checks.random_points(law, 7, 300):
        z, count = point.z, 0
        while (fired := np.flatnonzero(entry.guard(point.numbers, point.v, z, point.hold) < 0)).size:
            z = entry.jump(point.numbers, point.v, z, point.hold, int(fired[0]))
            count += 1
            assert count <= 3 * entry.n_guard, vars(point)
            modes = [(x, s) for x, s in zip(z, law.states.values(), strict=True) if isinstance(s, laws.Mode)]
            assert all(x in state.values for x, state in modes if state.values)


@with_jumps
def test_guards_are_positive_in_steady_sliding(law, natives):
    """A start in sliding does not jump at once."""
    p = law.numbers(defaults(law))
    entry = natives[law.name]
    for v in speeds() if law.family != "locking" else map(abs, speeds()):
        friction = entry.flow(p, v, entry.steady(p, v))[0]
        assert (entry.guard(p, v, entry.steady(p, v), 2 * friction) >= 0).all(), v


@every_law
def test_documented(law):
    assert law.__doc__ and ">>>" in law.__doc__
    assert re.search(r"\b(1[789]|20)\d\d\b", law.source), "the source names a year"
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
    assert all(isinstance(remark, str) for remark in law.remarks(p))
    assert law.checks(p) == []  # defaults do not warn about themselves
    assert all(isinstance(warning, str) for warning in law.checks(p, laws.Conditions(1e-3, 1e-3, 1e-6, 1.0, 2.0)))
    assert all(state.nominal(p) > 0 for state in law.states.values())
    assert law.nominal_speed(p) > 0


@every_law
def test_values_are_taken_over_from_any_other_law(law):
    for other in LAWS:
        for given in (other(), other(**{name: 20 for name in ("mu_c", "mu_s") if name in other.params})):
            adopted = law().adopt(given)
            assert type(adopted) is law
            shared = {name for name in law.params if name in other.params and not isinstance(law.params[name], Series)}
            assert all(getattr(adopted, name) == getattr(given, name) for name in shared)


@every_law
def test_metadata_of_the_build(law):
    about = laws.metadata()[law.name]
    assert about["class"] == law.__name__
    found = {name: p["default"] for name, p in about["params"].items() if not p["optional"]}
    assert found.items() <= vars(defaults(law)).items()
    moving = [name for name, state in law.described.items() if not isinstance(state, laws.Mode)]
    assert set(about["formulas"]) >= {"friction", *(f"{state}dot" for state in moving)}


def test_the_kernel_carries_these_laws():
    """The hash shows a stale build: rebuild with pip install."""
    assert kernel.laws_hash() == source_hash()


def test_parameters_are_floats():
    values = [x for law in LAWS for x in vars(defaults(law)).values()]
    assert all(isinstance(y, float) for x in values for y in (x if isinstance(x, list) else [x]) if type(x) is not int)


def test_registry():
    assert list(laws.all_laws()) == sorted(laws.all_laws())
    assert laws.get("LUGRE") is laws.LuGre
    assert laws.get("elasto_plastic-table") is laws.ElastoPlasticTable
    assert "LuGre" in dir(laws)
    with pytest.raises(UnknownName, match="there is no friction law 'LuGr'; did you mean 'LuGre'"):
        laws.get("LuGr")
    with pytest.raises(AttributeError, match="no attribute 'Lugre'"):
        _ = laws.Lugre
