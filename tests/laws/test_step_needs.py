"""What laws need at a fixed step, against the slopes of their equations; roles and orders of all parameters."""

from types import SimpleNamespace

import pytest
from support.law_checks import Point

from stribeck.declare import Param
from stribeck.errors import SpecError
from stribeck.laws import AtMost, Role, StepConditions, all_laws
from stribeck.laws._elements import ElementLaw

LAWS = list(all_laws().values())
AT = StepConditions(h=1e-3, inertia=0.04, load=5.0, force=3.0, acceleration=120.0, speed=0.7, speed_time=1.0)


def of_all_laws(test):
    return pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)(test)


def numbers(law, **values):
    return law(**values).resolve({}, law.__name__)


def needs_of(law, p=None):
    return {need.parameter: need for need in law.step_needs(p or numbers(law), AT)}


def slopes(law, p, v, z, name):
    """Derivatives of friction and rates by the speed "v" or by a state."""
    point = Point(law, p, v, z)
    return [float(slope) for slope in point.slope(point.flow, name)]


@of_all_laws
def test_every_law_states_what_it_needs(law):
    needs = needs_of(law)
    assert set(needs) <= set(law.params)
    assert all(need.rule and need.why and need.sign in (1, -1) for need in needs.values())
    may_need_nothing = law.family == "locking" and law.lock == "switch"
    assert needs or may_need_nothing


@pytest.mark.parametrize("c", [2.0, 2.785])
@of_all_laws
def test_bristles_relax_within_what_a_method_bears(law, c):
    """At the largest sigma0 the rate of the bristle, by differences of its equations in 60 digits at steady sliding, is
    h |lambda| <= c; and it is c for laws whose curve has fallen to mu_c at that speed."""
    need = needs_of(law).get("sigma0")
    if need is None:
        return
    assert need.of_states
    if issubclass(law, ElementLaw):  # the weakest spring reaches c times its limit within a step
        p = numbers(law, sigma0=need.bound(c))
        shares = [law.stiffness(p, e) * AT.speed * AT.h / law.rest_limit(p, e) for e in law.elements(p)]
        assert max(shares) == pytest.approx(c, rel=1e-12)
        return
    stiffness = {"sigma0": need.bound(c)} | ({"z_ba": 0.0} if "z_ba" in law.params else {})
    p = numbers(law, **stiffness)
    steady = Point(law, p, AT.speed, [0.0] * len(law.states)).steady()
    rate = -slopes(law, p, AT.speed, [float(x) for x in steady], "z")[1]
    assert AT.h * rate == pytest.approx(c, rel=1e-9)


@pytest.mark.parametrize("c", [2.0, 2.785])
@of_all_laws
def test_slopes_at_rest_are_what_a_method_bears(law, c):
    """The slope of friction by the speed where it starts to move, times h N/J, is c at the bound of the parameter."""
    for name in {"sigma1", "k2", "v_0"} & set(law.params):
        viscous = {word: 0.3 for word in ("sigma2", "mu_v") if word in law.params and name != "k2"}
        need = needs_of(law, numbers(law, **viscous))[name]
        p = numbers(law, **viscous, **{name: need.bound(c)})
        slope = slopes(law, p, 1e-12, [0.0] * len(law.states), "v")[0]
        assert AT.h * AT.load / AT.inertia * slope == pytest.approx(c, rel=1e-6)  # of v = 1e-12, not 0


@of_all_laws
def test_a_window_must_be_wide_enough(law):
    if law.family == "locking" and law.lock != "switch":
        window = {"karnopp": "dv", "hybrid": "Sigma"}[law.lock]
        assert needs_of(law)[window].sign == 1


@of_all_laws
def test_every_parameter_has_a_role(law):
    """Sizes of starts go by roles: their units must be those of the role."""
    units = {
        Role.COULOMB: "{load}",
        Role.STATIC: "{load}",
        Role.CURVE: "{load}",
        Role.DAMPING: "{load}.s/{disp}",
        Role.STIFFNESS: "{load}/{disp}",
        Role.SPEED: "{vel}",
    }
    for name, param in law.params.items():
        assert units.get(Role(param.role), param.unit) == param.unit, name
    roles = [param.role for param in law.params.values()]
    assert all(roles.count(role) <= 1 for role in (Role.COULOMB, Role.STATIC, Role.STIFFNESS))


@of_all_laws
def test_orders_are_refused_if_they_are_broken(law):
    for order in law.orders:
        law(**{order.lower: 2.0, order.upper: 2.0})
        with pytest.raises(SpecError, match=f"{order.upper} = 1 must not be below {order.lower} = 2"):
            law(**{order.lower: 2.0, order.upper: 1.0})


def test_the_message_of_an_order():
    p = SimpleNamespace(mu_c=2, mu_s=1.5)
    (fault,) = AtMost("mu_c", "mu_s").faults(p)
    assert fault == "mu_s = 1.5 must not be below mu_c = 2; raise mu_s or lower mu_c"


def test_one_parameter_is_not_declared_under_two_names():
    both = Param(1.0, "1", "under two names")
    with pytest.raises((TypeError, RuntimeError)):
        type("Twice", (), {"a": both, "b": both})
