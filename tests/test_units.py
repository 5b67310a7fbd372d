import math

import pytest

from stribeck.errors import SpecError, UnitError
from stribeck.units import HUGE, PREFIXES, SI, logged_unit, parse_unit, to_si


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("500 rpm", "rad/s", 500 * 2 * math.pi / 60),
        ("3 Nm", "N.m", 3.0),
        ("3 kNm", "N.m", 3000.0),
        ("2 N.m/rad", "N.m/rad", 2.0),
        ("2 N.m/deg", "N.m/rad", 360 / math.pi),
        ("4 kN", "N", 4000.0),
        ("20 deg", "rad", math.radians(20)),
        ("20°", "rad", math.radians(20)),
        ("1 kg.m2", "kg.m2", 1.0),
        ("0.3 kg*m^2", "kg.m2", 0.3),
        ("0.3 kg·m²", "kg.m2", 0.3),
        ("0.3 kg m**2", "kg.m2", 0.3),
        ("5 g.cm2", "kg.m2", 5e-7),
        ("10 %", "1", 0.1),
        ("0.4 N.m.s/rad", "N.m.s/rad", 0.4),
        ("0.4 N.m/(rad/s)", "N.m.s/rad", 0.4),
        ("0.4 Nms/rad", "N.m/(rad/s)", 0.4),
        ("3 rad.s-1", "rad/s", 3.0),
        ("2 rev/s", "rad/s", 4 * math.pi),
        ("120 rev/min", "rad/s", 4 * math.pi),
        ("5 1/s", "Hz", 5.0),
        ("36 km/h", "m/s", 10.0),
        ("-.5e1mm", "m", -0.005),
        ("20 µm", "m", 2e-5),
        ("2 min", "s", 120.0),
        ("1 lbf.in", "N.m", 4.4482216152605 * 0.0254),
        ("1 Pa.m2", "N", 1.0),
        ("1e4", "N", 1e4),
        (7, "N", 7.0),
        (2.5, "m", 2.5),
    ],
)
def test_units(text, unit, expected):
    assert to_si(text, unit) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("value", "unit", "fragments"),
    [
        ("5 Hz", "rad/s", ["not in units of rad/s", "'5 rev/s'", "'5 rad/s'"]),
        ("50 rad/s", "Hz", ["not in units of Hz", "'7.957747155 Hz'"]),
        ("600 rpm", "Hz", ["'10 Hz'"]),
        ("2 N.m", "N.m/rad", ["angles count", "'2 N.m/rad'"]),
        ("4 kN", "N.m", ["not in units of N.m", "'4 N.m'"]),
        ("4 newtons", "N", ["the unit 'newtons' is not known", "'4 N'"]),
        ("4 KN", "N", ["did you mean 'kN'?"]),
        ("4 Mm2/s", "N", ["not in units of N"]),
        ("much", "N", ["does not begin with a number"]),
        ("nan", "N", ["does not begin with a number"]),
        ("", "N", ["does not begin with a number"]),
        ("1,5 N", "N", ["decimal comma", "'1.5 N'"]),
        ("3 N)", "N", ["')' has no '('"]),
        ("3 (N", "N", ["'(' has no ')'"]),
        ("3 N$", "N", ["'$' cannot be read as a unit"]),
        ("3 m^123", "m", ["cannot be read as a unit"]),
    ],
)
def test_wrong_units(value, unit, fragments):
    with pytest.raises(UnitError) as caught:
        to_si(value, unit, "torque 'motor'", "tau")
    message = str(caught.value)
    assert message.startswith(f"torque 'motor': tau = '{value}'")
    for fragment in fragments:
        assert fragment in message


@pytest.mark.parametrize(
    ("value", "fragment"),
    [
        (math.nan, "not finite"),
        (-math.inf, "not finite"),
        (10**400, "not finite"),
        (2 * HUGE, "too large"),
        ("1e31 N", "too large"),
        (True, "must be a number"),
        (None, "must be a number"),
        ([1], "must be a number"),
        (1j, "must be a number"),
    ],
)
def test_wrong_numbers(value, fragment):
    with pytest.raises(SpecError, match=fragment):
        to_si(value, "N", "force 'push'", "f")


@pytest.mark.parametrize("name", SI)
def test_every_prefix(name):
    for prefix, factor in PREFIXES.items():
        if prefix + name not in ("min",):
            assert parse_unit(prefix + name).factor == pytest.approx(factor * SI[name].factor, rel=1e-15)


def test_the_largest_number_is_allowed():
    assert to_si(HUGE, "N") == HUGE


def test_temperatures():
    """Celsius count from the ice point where a temperature alone is asked for; differences are in K."""
    assert to_si("20 degC", "K") == to_si("20 °C", "K") == 293.15
    assert to_si("-40degC", "") == pytest.approx(233.15)
    assert to_si("650 J/K", "J/K") == 650
    assert to_si("0.04 kW/K", "W/K") == pytest.approx(40)
    assert to_si("40 W/(m2.K)", "W/(m2.K)") == 40
    with pytest.raises(UnitError, match="'degC' is for a temperature alone; write K for differences"):
        to_si("3 W/degC", "W/K")
    with pytest.raises(UnitError, match="is not in units of K"):
        to_si("3 J", "K")
    with pytest.raises(UnitError, match="'degC' is for a temperature alone"):
        to_si("3 degC", "N")


@pytest.mark.parametrize(
    ("spelled", "meant"),
    [
        ("sec", "s"),
        ("Degrees/Second", "deg/s"),
        ("N-m", "N.m"),
        ("N m", "N.m"),
        ("RPM", "rpm"),
        ("U/min", "rpm"),
        ("m·s⁻²", "m·s-2"),
        ("Grad/s", "deg/s"),
        ("min^-1", "rpm"),
        ("NM", "N.m"),
        ("kp", "kgf"),
        ("kgm²", "kg.m2"),
        ("N⋅m", "N·m"),
        ("deg C", "degC"),
        ("-", "1"),
        ("kN", "kN"),
        ("inc", "inc"),
    ],
)
def test_units_as_loggers_spell_them(spelled, meant):
    assert logged_unit(spelled) == meant
