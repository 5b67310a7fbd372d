import inspect

import pytest

from stribeck.elements import (
    DOMAINS,
    Bearing,
    Damper,
    Fixed,
    Flange,
    Force,
    Guide,
    Inertia,
    Mass,
    Position,
    Speed,
    Spring,
    SpringDamper,
    Torque,
    all_elements,
)
from stribeck.errors import SpecError, UnknownName
from stribeck.laws import LuGre, Switch
from stribeck.signals import Constant, Sine

ROTATIONAL, TRANSLATIONAL = DOMAINS.values()


class Recorder:
    """A network that writes down what elements put into it."""

    GROUND = "ground"

    def __init__(self):
        self.calls = []

    def __getattr__(self, primitive):
        return lambda element, *args, **named: self.calls.append((primitive, *args, *named.values()))


def stamped(element, domain):
    element.name = "x"
    bound = element.bind(domain)
    net = Recorder()
    bound.stamp(net)
    (call,) = net.calls
    return call, bound.p


A, B = Flange("x", "a"), Flange("x", "b")


@pytest.mark.parametrize(
    ("element", "domain", "call"),
    [
        (Inertia(J=2, phi0="180 deg", w0=1), ROTATIONAL, ("body", A, 2, pytest.approx(3.14159265), 1)),
        (Mass(m=2, s0=3, v0=4), TRANSLATIONAL, ("body", A, 2, 3, 4)),
        (Fixed(), ROTATIONAL, ("ground", A)),
        (Spring("y", "z", c="1 kN.m/rad", phi_rel0=1), ROTATIONAL, ("spring_damper", A, B, 1000, 0, 1)),
        (Spring("y", "z", c="1 N/mm", s_rel0="1 mm"), TRANSLATIONAL, ("spring_damper", A, B, 1000, 0, 0.001)),
        (Damper("y", "z", d=2), ROTATIONAL, ("spring_damper", A, B, 0, 2, 0)),
        (SpringDamper("y", "z", c=1, d=2, phi_rel0=3), ROTATIONAL, ("spring_damper", A, B, 1, 2, 3)),
    ],
    ids=repr,
)
def test_stamps(element, domain, call):
    assert stamped(element, domain)[0] == call


@pytest.mark.parametrize(("kind", "domain"), [(Bearing, ROTATIONAL), (Guide, TRANSLATIONAL)])
def test_friction_acts_from_the_ground(kind, domain):
    call, p = stamped(kind("y", law=Switch(mu_c="500 m" + domain.units["force"].replace(".", "")), load=2), domain)
    assert call == ("friction", "ground", A, p.law, p.load, None)
    assert p.law.p.mu_c == 0.5
    assert p.load.data() == [2]


@pytest.mark.parametrize(
    ("element", "domain", "name"),
    [(Torque("y", tau="3 Nm"), ROTATIONAL, "tau"), (Force("y", f="3 N"), TRANSLATIONAL, "f")],
)
def test_sources_act_from_the_ground(element, domain, name):
    call, p = stamped(element, domain)
    signal = getattr(p, name)
    assert call == ("source", "ground", A, signal)
    assert signal.data() == [3]


def test_motions():
    call, p = stamped(Speed(v="36 km/h", s0="1 mm"), TRANSLATIONAL)
    assert call == ("motion", A, "speed", p.w, 0.001)
    assert p.w.data() == [10]
    call, p = stamped(Position(phi=Sine(amplitude=1, f=2, offset=3)), ROTATIONAL)
    assert call == ("motion", A, "position", p.phi, 3)


def test_numbers_and_texts_are_constant_signals():
    assert Torque("y", tau=3) == Torque("y", tau=Constant(3))
    assert Torque("y", tau="3 N.m") == Torque("y", tau=Constant("3 N.m"))
    assert Torque("y", tau={"type": "sine", "amplitude": 1, "f": 2}) == Torque("y", tau=Sine(1, 2))


def test_laws_by_object_name_or_data():
    assert Bearing("y", law="lugre") == Bearing("y", law=LuGre()) == Bearing("y", law={"type": "LuGre"})


def test_flanges():
    spring = Spring("y", "z", c=1)
    spring.name = "s"
    assert spring.b == spring.flange_b == spring.flange("b") == Flange("s", "b")
    assert str(spring.b) == "s.b"
    assert Spring(flange_a="y", b="z", c=1).refs == {"a": "y", "b": "z"}
    assert Spring("y", None, c=1).refs == {"a": "y"}
    with pytest.raises(UnknownName, match="spring 's' has no flange 'c'"):
        spring.flange("c")
    with pytest.raises(SpecError, match="add it to a model first"):
        Spring(c=1).b  # noqa: B018


def test_replace_keeps_the_place_and_the_words():
    spring = Spring("y", "z", c=1, s_rel0=2)
    spring.name = "s"
    other = spring.replace(c=3)
    assert repr(other) == "Spring(a='y', b='z', s_rel0=2, c=3)"
    assert other.name == "s"
    assert spring.replace(s_rel0=5).words == {"phi_rel0": "s_rel0"}


@pytest.mark.parametrize("kind", all_elements().values())
def test_every_element_is_documented_where_it_is_declared(kind):
    assert ">>>" in kind.__doc__
    assert all(param.text for param in kind.params.values())
    assert list(inspect.signature(kind).parameters) == [*kind.flanges, *kind.params, *kind.ports]
    assert kind.domain in (None, "thermal", *DOMAINS)
    assert kind.role in ("body", "motion", "ground", "coupling", "link", "store", "temperature")


def test_attributes_that_do_not_exist():
    with pytest.raises(AttributeError, match=r"Inertia has no attribute 'j'; did you mean 'J'\?"):
        Inertia(J=1).j  # noqa: B018
