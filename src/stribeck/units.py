"""Numbers with units, as text: "500 rpm", "3 Nm", "2 N.m/rad", "0.3 kg*m^2", "10 %".

Angle is a separate dimension here, so that 1 Hz is never taken for 1 rad/s, nor 1 rpm for 1/min. Temperatures are in K
or degC ("20 degC"); temperature differences are in K.
"""

from __future__ import annotations

import math
import re
from difflib import get_close_matches
from typing import Any, NamedTuple

from .errors import SpecError, UnitError
from .traced import Traced

HUGE = 1e30
"""Upper limit of all quantities; squares of larger numbers overflow."""


LONGEST = 200
"""Maximum length of a number with its unit."""
MOST_POWERS = 20
"""Largest power of a base unit."""


class Unit(NamedTuple):
    """A factor to SI and the powers of metre, kilogram, second, radian, kelvin and ampere."""

    factor: float
    powers: tuple[int, int, int, int, int, int]

    def times(self, other: Unit, sign: int = 1) -> Unit:
        """This unit times another, or divided by it (sign = -1)."""
        m, kg, s, rad, K, A = (p + sign * q for p, q in zip(self.powers, other.powers, strict=True))
        return Unit(self.factor * other.factor**sign, (m, kg, s, rad, K, A)).within_reason()

    def power(self, n: int) -> Unit:
        """This unit to the power n."""
        m, kg, s, rad, K, A = (n * p for p in self.powers)
        return Unit(self.factor**n, (m, kg, s, rad, K, A)).within_reason()

    def within_reason(self) -> Unit:
        """This unit; an error if its powers are too large."""
        if any(abs(p) > MOST_POWERS for p in self.powers) or not 1e-30 < self.factor < 1e30:
            raise ValueError("the powers of the units are too large")
        return self


ONE = Unit(1.0, (0, 0, 0, 0, 0, 0))

# units that take a prefix
SI = {
    "m": Unit(1.0, (1, 0, 0, 0, 0, 0)),
    "g": Unit(1e-3, (0, 1, 0, 0, 0, 0)),
    "s": Unit(1.0, (0, 0, 1, 0, 0, 0)),
    "rad": Unit(1.0, (0, 0, 0, 1, 0, 0)),
    "Hz": Unit(1.0, (0, 0, -1, 0, 0, 0)),
    "N": Unit(1.0, (1, 1, -2, 0, 0, 0)),
    "Nm": Unit(1.0, (2, 1, -2, 0, 0, 0)),
    "Nms": Unit(1.0, (2, 1, -1, 0, 0, 0)),
    "J": Unit(1.0, (2, 1, -2, 0, 0, 0)),
    "W": Unit(1.0, (2, 1, -3, 0, 0, 0)),
    "Pa": Unit(1.0, (-1, 1, -2, 0, 0, 0)),
    "K": Unit(1.0, (0, 0, 0, 0, 1, 0)),
    "A": Unit(1.0, (0, 0, 0, 0, 0, 1)),
    "V": Unit(1.0, (2, 1, -3, 0, 0, -1)),
}
PREFIXES = {"G": 1e9, "M": 1e6, "k": 1e3, "d": 1e-1, "c": 1e-2, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "n": 1e-9}

# units that take none
OTHER = {
    "%": Unit(1e-2, (0, 0, 0, 0, 0, 0)),
    "min": Unit(60.0, (0, 0, 1, 0, 0, 0)),
    "h": Unit(3600.0, (0, 0, 1, 0, 0, 0)),
    "d": Unit(86400.0, (0, 0, 1, 0, 0, 0)),
    "deg": Unit(math.pi / 180, (0, 0, 0, 1, 0, 0)),
    "°": Unit(math.pi / 180, (0, 0, 0, 1, 0, 0)),
    "rev": Unit(2 * math.pi, (0, 0, 0, 1, 0, 0)),
    "rpm": Unit(2 * math.pi / 60, (0, 0, -1, 1, 0, 0)),
    "t": Unit(1e3, (0, 1, 0, 0, 0, 0)),
    "bar": Unit(1e5, (-1, 1, -2, 0, 0, 0)),
    "in": Unit(0.0254, (1, 0, 0, 0, 0, 0)),
    "ft": Unit(0.3048, (1, 0, 0, 0, 0, 0)),
    "lb": Unit(0.45359237, (0, 1, 0, 0, 0, 0)),
    "lbf": Unit(4.4482216152605, (1, 1, -2, 0, 0, 0)),
    "kgf": Unit(9.80665, (1, 1, -2, 0, 0, 0)),
    "psi": Unit(6894.757293168, (-1, 1, -2, 0, 0, 0)),
}

CELSIUS = ("degC", "°C")
"""Names of the unit degree Celsius."""
ICE_POINT = 273.15

_NUMBER = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-zµμ°%]+)|(?P<one>1)|(?P<sign>[./*·()]))(?:\^|\*\*)?(?P<exponent>-?\d|[²³])?\s*"
)
_SUPERSCRIPT = {"²": 2, "³": 3}


def to_si(value: Any, unit: str, owner: str = "", name: str = "value") -> float:
    """The value as an SI number: numbers are SI already, text is converted and must have the dimension of `unit`.

    If the unit is empty, a text is converted by the unit it contains. `owner` and `name` are for messages.

    >>> to_si("500 rpm", "rad/s")
    52.3598775598
    """
    if isinstance(value, Traced):
        return value  # type: ignore[return-value]
    place = f"{owner}: {name}" if owner else name
    number = _convert(value, unit, place) if isinstance(value, str) else _plain(value, unit, place)
    if not math.isfinite(number):
        raise SpecError(f"{place} = {value} is not finite; give a number{_in(unit)}")
    if abs(number) > HUGE:
        raise SpecError(f"{place} = {value} is too large (limit {HUGE:g}{_in(unit)}); check the exponent and the unit")
    return number


def _in(unit: str) -> str:
    """The unit for a message, if known."""
    return f" in {unit}" if unit not in ("", "1") else ""


def _or_text(unit: str) -> str:
    return f", or a text such as '1 {unit}'" if _in(unit) else ""


def parse_unit(text: str) -> Unit:
    """The factor and the dimensions of a unit text; ValueError names the part that is not recognised.

    >>> parse_unit("kN.m/deg").factor
    57295.77951308232
    """
    position, result, operator = 0, ONE, "*"
    stack: list[tuple[Unit, str]] = []
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise ValueError(f"'{text[position:].strip()}' cannot be read as a unit")
        position = token.end()
        sign, exponent = token["sign"], token["exponent"]
        if sign == "(":
            stack.append((result, operator))
            result, operator = ONE, "*"
        elif sign and sign != ")":
            operator = sign
        else:
            part = result if sign else ONE if token["one"] else _lookup(token["name"])
            if sign:
                if not stack:
                    raise ValueError("a ')' has no '('")
                result, operator = stack.pop()
            part = part.power(_SUPERSCRIPT.get(exponent) or int(exponent)) if exponent else part
            result = result.times(part, -1 if operator == "/" else 1)
            operator = "*"
    if stack:
        raise ValueError("a '(' has no ')'")
    return result


SPELLED = {
    **dict.fromkeys(("sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("msec", "millisecond", "milliseconds"), "ms"),
    **dict.fromkeys(("usec", "microsecond", "microseconds"), "us"),
    **dict.fromkeys(("degree", "degrees"), "deg"),
    **dict.fromkeys(("radian", "radians"), "rad"),
    **dict.fromkeys(("turn", "turns", "revs", "revolutions"), "rev"),
    **dict.fromkeys(("newton", "newtons"), "N"),
    **dict.fromkeys(("meter", "meters", "metre", "metres"), "m"),
    "inch": "in",
    "inches": "in",
    "amp": "A",
    "amps": "A",
    "volt": "V",
    "volts": "V",
    "rpm": "rpm",
    "hz": "Hz",
    "nmm": "N.mm",
    "ncm": "N.cm",
    "kp": "kgf",
    **dict.fromkeys(("grad", "deg"), "deg"),
    **dict.fromkeys(("day", "days"), "d"),
    "rad": "rad",
    "mm": "mm",
}
"""Names of units that loggers write, in lower case. Grad is German for degree, not 1e9 rad."""
CAPITALS = {"S": "s", "MS": "ms", "US": "us", "N": "N", "KN": "kN", "NM": "N.m", "M": "m"}
"""Units of loggers that write capitals only."""
_TURNING = re.compile(r"(?:(?:r|U|rev|Umdr|tr|giri|1)\.?/min\.?|min(?:\^?-1|⁻¹))")
"""Revolutions per minute in several languages; 1/min is that of a speed, not a frequency."""


def logged_unit(text: str) -> str:
    """A unit as loggers spell it, in the words of `parse_unit`.

    >>> logged_unit("degrees/sec"), logged_unit("N-m"), logged_unit("U/min"), logged_unit("m·s⁻²")
    ('deg/s', 'N.m', 'rpm', 'm·s-2')
    """
    text = text.strip()
    if text.lower() in ("deg c", "degree c", "degrees c", "celsius", "degc"):
        return CELSIUS[0]
    if text == "-" or _TURNING.fullmatch(text):
        return "1" if text == "-" else "rpm"
    text = (
        re.sub(r"(?<=[A-Za-z])[- _](?=[A-Za-z])", ".", text)
        .replace("⁻", "-")
        .translate(str.maketrans("¹²³⋅∙", "123··"))
    )
    text = re.sub(r"kgm(?=\^?2)", "kg.m", text)
    return re.sub(r"[A-Za-z]+", lambda word: SPELLED.get(word[0].lower()) or CAPITALS.get(word[0], word[0]), text)


COMMON = (
    "1",
    "s",
    "rad",
    "rad/s",
    "rad/s2",
    "m",
    "m/s",
    "m/s2",
    "N",
    "N.m",
    "kg",
    "kg.m2",
    "K",
    "A",
    "V",
    "W",
    "Pa",
    "Hz",
)
BASE = ("m", "kg", "s", "rad", "K", "A")


def si_unit(text: str) -> str:
    """The SI unit of the same dimension.

    >>> si_unit("rpm"), si_unit("kN.m"), si_unit("N.m/A")
    ('rad/s', 'N.m', 'm2.kg/(s2.A)')
    """
    powers = parse_unit(text).powers
    for known in COMMON:
        if parse_unit(known).powers == powers:
            return known
    parts = [(name, power) for name, power in zip(BASE, powers, strict=True) if power]
    above, below = ([f"{n}{abs(p) if abs(p) > 1 else ''}" for n, p in parts if p * sign > 0] for sign in (1, -1))
    under = f"({'.'.join(below)})" if len(below) > 1 else "".join(below)
    return (".".join(above) or "1") + (f"/{under}" if under else "")


def pretty_unit(unit: str) -> str:
    """A unit for readers.

    >>> pretty_unit("kg.m2")
    'kg·m²'
    """
    return unit.replace("2", "²").replace("3", "³").replace(".", "·")


def _lookup(name: str) -> Unit:
    """A unit by its name, with or without a prefix."""
    known = OTHER.get(name) or SI.get(name)
    if known:
        return known
    if name[0] in PREFIXES and name[1:] in SI:
        base = SI[name[1:]]
        return Unit(PREFIXES[name[0]] * base.factor, base.powers)
    names = [*SI, *OTHER, "kg", "km", "mm", "kN", "kNm", "ms"]
    if name in CELSIUS:
        raise ValueError(f"'{name}' is for a temperature alone; write K for differences, as in W/K")
    near = [n for n in names if n.lower() == name.lower()] or get_close_matches(name, names, 1)
    raise ValueError(f"the unit '{name}' is not known" + (f"; did you mean '{near[0]}'?" if near else ""))


def _plain(value: Any, unit: str, place: str) -> float:
    """A number (anything that converts to a float); bool, None, lists and other objects are refused."""
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise SpecError(f"{place} = {value!r} must be a number{_in(unit)}{_or_text(unit)}")
    try:
        return float(value)
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        raise SpecError(f"{place} = {value!r} must be one number{_in(unit)}") from None


def _convert(text: str, unit: str, place: str) -> float:
    """A text such as "4 kN" in SI; a text without unit ("1e4") is in SI already."""
    example = unit or "N.m"
    if len(text) > LONGEST:
        raise UnitError(f"{place} = '{text[:40]}...' has {len(text)} characters; write for instance '1 {example}'")
    text = text.strip()
    match = _NUMBER.match(text)
    if match is None:
        raise UnitError(f"{place} = '{text}' does not begin with a number; write for instance '1 {example}'")
    number, given = float(match[1]), text[match.end() :].strip()
    if not given:
        return number
    if re.match(r",\d", given):
        raise UnitError(f"{place} = '{text}' has a decimal comma; write '{text.replace(',', '.')}'")
    if given in CELSIUS and unit in ("", "K"):
        return number + ICE_POINT
    try:
        have = parse_unit(given)
    except ValueError as error:
        raise UnitError(f"{place} = '{text}': {error}; write for instance '{match[1]} {example}'") from None
    if not unit:
        return number * have.factor
    want = parse_unit(unit)
    if have.powers != want.powers:
        raise UnitError(f"{place} = '{text}' is not in units of {unit}; {_way_out(number, match[1], have, want, unit)}")
    return number * have.factor / want.factor


def _way_out(number: float, digits: str, have: Unit, want: Unit, unit: str) -> str:
    """What to write instead; for frequencies and rotational speeds, which differ by 2 pi, both readings."""
    si = number * have.factor
    if have.powers == (0, 0, -1, 0, 0, 0) and want.powers == (0, 0, -1, 1, 0, 0):
        return f"revolutions per second are '{si:g} rev/s', radians per second '{si:g} rad/s'"
    if have.powers == (0, 0, -1, 1, 0, 0) and want.powers == (0, 0, -1, 0, 0, 0):
        return f"that speed of rotation is '{si / (2 * math.pi):.10g} Hz'"
    if unit == "1":
        return f"it has no unit: write {digits}"
    if have.powers[:3] == want.powers[:3] and have.powers[4:] == want.powers[4:]:
        return f"angles count: write for instance '{digits} {unit}'"
    return f"write for instance '{digits} {unit}'"
