"""The network of heat: ports, nodes, and models that cannot be."""

import pytest

import stribeck as sb
from stribeck.compile import resolve_nodes
from stribeck.elements import Flange


def rig() -> sb.Model:
    """A braked wheel with a thermal mass beside it."""
    m = sb.Model("rig")
    m.add("wheel", sb.Inertia(J=1.0, w0=3.0))
    m.add("disc", sb.ThermalMass(C=2.0))
    m.add("brake", sb.Brake("wheel", law=sb.Coulomb(), fn_max=1.0, heat="disc"))
    return m


def test_ports_and_thermal_elements_have_nodes_of_their_own() -> None:
    m = rig()
    m.add("pad", sb.Bearing("wheel", law=sb.LuGre(), heat="brake.heat"))
    m.add("air", sb.Convection("disc", G=1.0))
    nodes = resolve_nodes(m)
    assert nodes.heat == {
        Flange(name, port): 0 for name, port in [("disc", "a"), ("brake", "heat"), ("pad", "heat"), ("air", "a")]
    }
    assert not any(flange.name == "heat" for flange in nodes.of)
    assert nodes.domains["disc"].name == "thermal"
    assert m.elements["brake"].heat == Flange("brake", "heat")


def test_connect_and_reference_are_the_same() -> None:
    by_reference, by_connect = rig(), sb.Model("rig")
    by_connect.add("wheel", sb.Inertia(J=1.0, w0=3.0))
    disc = by_connect.add("disc", sb.ThermalMass(C=2.0))
    brake = by_connect.add("brake", sb.Brake("wheel", law=sb.Coulomb(), fn_max=1.0))
    by_connect.connect(brake.heat, disc)
    assert sb.compile_model(by_reference).hash == sb.compile_model(by_connect).hash
    assert sb.Model.from_yaml(by_reference.to_yaml()) == by_reference


def fading(**values: object) -> sb.Brake:
    return sb.Brake("wheel", law=sb.Coulomb(), fn_max=1.0, **values)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m: m.add("x", sb.Damper("wheel", d=1, heat="wheel")), "'x.heat' carries heat and 'wheel.a' a motion"),
        (lambda m: m.add("x", sb.Damper("disc", d=1)), "'disc.a' carries heat and 'x.a' a motion"),
        (lambda m: m.connect("wheel", "brake.heat"), "'brake.heat' carries heat and 'wheel.a' a motion"),
        (lambda m: m.add("x", sb.Damper("wheel", d=1, heat="dics")), "no element 'dics'; did you mean 'disc'"),
        (lambda m: m.add("x", sb.Spring("wheel", c=1, heat="disc")), "Spring has no parameter 'heat'"),
        (lambda m: m.add("x", sb.Convection(G=1)), "convection 'x': the temperature of its connection is undetermined"),
        (lambda m: m.add("x", sb.Convection("y.a", G=1)) and m.add("y", sb.Convection(b="disc", G=1)), "1/G = 1/G1"),
        (
            lambda m: m.add("x", sb.Convection("y.heat", G=1)) and m.add("y", fading(T_fade=[300, 400], fade=[1, 0])),
            "y: that temp",
        ),
        (lambda m: m.add("x", sb.FixedTemperature("disc", T=300)), "fixed-temperature 'x' and thermal-mass 'disc'"),
        (lambda m: m.add("x", sb.ThermalMass("disc", C=1, T0=300)), "'x' starts with 300 K, but thermal-mass 'disc'"),
        (lambda m: m.add("x", sb.Convection("disc", G=1, h=2)), "either the conductance G, or both h and A"),
        (lambda m: m.add("x", sb.Convection("disc", h=2)), "either the conductance G, or both h and A"),
        (lambda m: m.add("x", sb.Convection("disc", G="1 W")), "G: value = '1 W' is not in units of W/K"),
        (lambda m: m.add("x", sb.ThermalMass("disc", C=0)), "C = 0 J/K must be above 0"),
        (lambda m: m.add("x", sb.HeatFlow("disc", Q_flow="brake.heat")), "brake.heat cannot be sensed; the heat of"),
        (lambda m: m.add("x", sb.HeatFlow("disc", Q_flow="disc.t")), "no quantity 'disc.t'; did you mean 'disc.T'"),
        (
            lambda m: m.add("x", fading(T_fade=[300, 400], fade=[1, 0.5])),
            "brake 'x': fade needs a temperature; connect",
        ),
        (lambda m: m.add("x", fading(T_fade=[300], fade=[1], heat="disc")), "T_fade has 1 values and fade 1"),
        (lambda m: m.add("x", fading(fade=[1, 2], heat="disc")), "T_fade has 0 values and fade 2"),
        (lambda m: m.add("x", fading(T_fade=[400, 300], fade=[1, 2], heat="disc")), "T_fade must increase"),
        (lambda m: m.add("x", fading(T_fade=[300, 400], fade=[1, -2], heat="disc")), "fade.1. = -2 must be at least 0"),
    ],
)
def test_what_is_refused(change, words: str) -> None:
    m = rig()
    with pytest.raises((sb.SpecError, sb.UnknownName), match=words.replace("(", r"\(")):
        change(m)
        sb.compile_model(m)


def test_temperatures_that_were_meant_in_celsius() -> None:
    m = rig()
    assert m.check() == []
    m.add("plate", sb.ThermalMass(C=1.0, T0=20))
    m.add("pad", fading(T_fade=[20, 100], fade=[1, 0.5], heat="plate"))
    m.add("air", sb.Convection("plate", G=1.0, T_ambient=25))
    assert m.check() == [
        "thermal-mass 'plate': T0 = 20 K is very cold; for degrees Celsius write '20 degC'",
        "brake 'pad': T_fade = 20 K is very cold; for degrees Celsius write '20 degC'",
        "convection 'air': T_ambient = 25 K is very cold; for degrees Celsius write '25 degC'",
    ]
