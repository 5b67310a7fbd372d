"""Flanges to nodes: numbers, domains, starts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stribeck import Model, load_model
from stribeck.compile import GROUND, resolve_nodes
from stribeck.compile.joints import partition
from stribeck.elements import (
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
    Torque,
)
from stribeck.laws import LuGre
from stribeck.signals import Ramp, Sine, Table


def node(nodes, name, flange="a"):
    return nodes.nodes[nodes.of[Flange(name, flange)]]


def test_the_rig():
    nodes = resolve_nodes(load_model("stick-slip"))
    assert [n.elements for n in nodes.nodes] == [(), ("pull", "spring"), ("mass", "spring", "friction")]
    assert [n.domain and n.domain.name for n in nodes.nodes] == [None, "rotational", "rotational"]
    assert [n.motion for n in nodes.nodes] == [None, "pull", None]
    assert [n.speed0 for n in nodes.nodes] == [0, 0.1, 0]
    assert nodes.of == {
        Flange("pull", "a"): 1,
        Flange("mass", "a"): 2,
        Flange("mass", "b"): 2,
        Flange("spring", "a"): 1,
        Flange("spring", "b"): 2,
        Flange("friction", "a"): 2,
    }
    assert nodes.elements["friction"].p.law.p.sigma0 == 1e5
    assert nodes.elements["pull"].p.w.data() == [0.1]


def test_the_model_is_left_alone():
    model = load_model("stick-slip")
    before = model.copy()
    resolve_nodes(model)
    assert model == before
    assert all("p" not in vars(element) for element in model.elements.values())


def test_open_ends_and_fixed_flanges_are_the_ground():
    m = Model()
    mass = m.add("mass", Inertia(J=1))
    wall = m.add("wall", Fixed())
    m.add("spring", Spring(mass, c=1))
    m.add("damper", Damper(mass, wall, d=1))
    nodes = resolve_nodes(m)
    assert nodes.of[Flange("spring", "b")] == nodes.of[Flange("damper", "b")] == nodes.of[Flange("wall", "a")] == GROUND
    assert nodes.nodes[GROUND].domain is None
    assert nodes.nodes[GROUND].elements == ("wall", "spring", "damper")
    assert len(nodes.nodes) == 2


def test_modelica_style_connections_say_the_same():
    m = Model("stick-slip", t_end=25, intervals=2500)
    pull, mass = m.add("pull", Speed(w=0.1)), m.add("mass", Inertia(J=1))
    spring = m.add("spring", Spring(c=2))
    law = LuGre(sigma0=1e5, sigma1=316.23, tau_v=0.4, tau_c=1, tau_s=1.5, w_s=1e-3)
    friction = m.add("friction", Bearing(law=law))
    m.connect(pull, spring.a)
    m.connect(spring.flange_b, mass.flange_a)
    m.connect("mass.flange_b", friction)
    ours, shipped = resolve_nodes(m), resolve_nodes(load_model("stick-slip"))
    assert (ours.of, ours.nodes) == (shipped.of, shipped.nodes)
    assert ours.elements["friction"].p.law.p == shipped.elements["friction"].p.law.p


def test_references_may_come_before_what_they_name():
    m = Model()
    m.add("spring", Spring("mass", c=1))
    m.add("mass", Mass(m=1))
    assert resolve_nodes(m).domains["spring"].name == "translational"


def test_both_domains_in_one_model():
    m = Model()
    m.add("disc", Inertia(J=1))
    m.add("slider", Mass(m=1))
    m.add("motor", Torque("disc", tau="1 N.m"))
    m.add("push", Force("slider", f="1 N"))
    m.add("shaft", Spring("disc", c="1 N.m/deg"))
    m.add("rod", Spring("slider", c="1 N/mm", s_rel0="1 mm"))
    nodes = resolve_nodes(m)
    assert {name: domain.speed for name, domain in nodes.domains.items()} == {
        "disc": "w",
        "slider": "v",
        "motor": "w",
        "push": "v",
        "shaft": "w",
        "rod": "v",
    }
    assert nodes.elements["rod"].p.c == 1000


def test_the_domain_comes_through_a_chain():
    m = Model()
    m.add("s1", Spring("d1.a", c=1))
    m.add("d1", Damper(b="s2.b", d=1))
    m.add("s2", Spring("end", c=1))
    m.add("end", Guide("m1", law="Switch"))
    m.add("m1", Mass("s1.a", m=1))
    m.add("m2", Mass("s2.b", m=1))
    assert {domain.name for domain in resolve_nodes(m).domains.values()} == {"translational"}


def test_motions_alone_tell_the_domain_by_their_words():
    m = Model()
    a, b = m.add("a", Speed(v=1)), m.add("b", Position(s=0))
    m.add("spring", Spring(a, b, c=1))
    assert resolve_nodes(m).domains["spring"].name == "translational"


@pytest.mark.parametrize(
    ("first", "second", "start"),
    [
        (Inertia(J=1), Inertia(J=2), (0, 0)),
        (Inertia(J=1, w0=3), Inertia(J=2), (0, 3)),
        (Inertia(J=1), Inertia(J=2, w0=3, phi0=1), (1, 3)),
        (Inertia(J=1, phi0="180 deg"), Inertia(J=2, w0=3, phi0=3.141592653589793), (3.141592653589793, 3)),
        (Speed(w=2), Inertia(J=2), (0, 2)),
        (Speed(w=2), Inertia(J=2, phi0=5), (5, 2)),
        (Speed(w=Ramp(2, duration=2, start=-1), phi0=5), Inertia(J=2), (5, 1)),
        (Position(phi=Sine(1, f=0, offset=2)), Inertia(J=2), (2, 0)),
        (Position(phi=Table([-1, 1], [0, 4])), Bearing(law="LuGre"), (2, 2)),
        (Fixed(), Inertia(J=2, w0=0), (0, 0)),
    ],
    ids=repr,
)
def test_one_start_for_all_on_a_node(first, second, start):
    m = Model()
    x = m.add("x", first.replace())
    m.add("y", second.replace())
    m.connect(x, "y")
    m.add("load", Inertia(J=1))
    m.add("spring", Spring("x", "load", c=1))
    nodes = resolve_nodes(m)
    assert (node(nodes, "x").position0, node(nodes, "x").speed0) == pytest.approx(start)
    for element in nodes.elements.values():
        if element.name in ("x", "y") and isinstance(element, Inertia):
            assert (element.p.phi0, element.p.w0) == pytest.approx(start)
        if isinstance(element, Speed):
            assert element.p.phi0 == pytest.approx(start[0])


@given(st.data())
def test_partition_is_the_transitive_closure(data):
    items = list(range(data.draw(st.integers(1, 12))))
    bonds = data.draw(st.lists(st.lists(st.sampled_from(items), min_size=1, max_size=4), max_size=8))
    number = partition(items, bonds)
    reach = {i: {i} for i in items}
    for _ in items:
        for bond in bonds:
            together = set().union(*(reach[i] for i in bond))
            for i in together:
                reach[i] = reach[i] | together
    assert all((number[i] == number[j]) == (j in reach[i]) for i in items for j in items)
    assert list(dict.fromkeys(number.values())) == list(range(len(set(number.values()))))


def test_long_chains_take_linear_time():
    m = Model()
    m.add("pull", Speed(w=1))
    for i in range(3000):
        m.add(f"mass{i}", Inertia(J=1))
        m.add(f"spring{i}", Spring(f"mass{i - 1}" if i else "pull", f"mass{i}", c=1))
    assert len(resolve_nodes(m).nodes) == 3002
