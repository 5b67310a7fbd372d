"""Dimensions of formulas: {load} and {disp} are dimensions like metre and second, and {vel} is {disp}/s."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from ..units import BASE, parse_unit

PLACEHOLDERS = ("load", "disp", "vel")
NAMES = ("{load}", "{disp}", *BASE)
SECOND = NAMES.index("s")


@dataclass(frozen=True)
class Dimension:
    """The powers of {load}, {disp}, metre, kilogram, second, radian, kelvin and ampere.

    >>> str(LOAD.over(VEL))
    '{load}.s/{disp}'
    """

    powers: tuple[Fraction, ...]

    def times(self, other: Dimension) -> Dimension:
        """The dimension of a product."""
        return Dimension(tuple(p + q for p, q in zip(self.powers, other.powers, strict=True)))

    def over(self, other: Dimension) -> Dimension:
        """The dimension of a quotient."""
        return self.times(other.to(Fraction(-1)))

    def to(self, exponent: Fraction) -> Dimension:
        """The dimension of a power."""
        return Dimension(tuple(p * exponent for p in self.powers))

    def __str__(self) -> str:
        if self == VEL:
            return "{vel}"
        parts = [(name, power) for name, power in zip(NAMES, self.powers, strict=True) if power]
        above, below = ([_power(name, abs(p)) for name, p in parts if p * sign > 0] for sign in (1, -1))
        under = f"({'.'.join(below)})" if len(below) > 1 or "{load}" in below else "".join(below)
        return (".".join(above) or "1") + (f"/{under}" if under else "")

    @property
    def words(self) -> str:
        """For a sentence: "the unit {vel}", "no unit"."""
        return "no unit" if self == PLAIN else f"the unit {self}"


def _power(name: str, power: Fraction) -> str:
    if power == 1:
        return name
    base = f"({name})" if name == "{load}" else name  # which may be N.m
    return f"{base}{power}" if power.denominator == 1 else f"{base}^({power})"


@cache
def read_unit(text: str) -> tuple[float, Dimension]:
    """Factor to SI and dimension of a unit with placeholders; ValueError says what cannot be read.

    >>> read_unit("mm/s")[0], str(read_unit("{load}.s/{disp}")[1])
    (0.001, '{load}.s/{disp}')
    """
    for name in re.findall(r"\{([^{}]*)\}", text):
        if name not in PLACEHOLDERS:
            raise ValueError(f"'{{{name}}}' is not known; write {{load}}, {{disp}} or {{vel}}")
    if len(text) > 100 or {"{", "}"} & set(re.sub(r"\{[^{}]*\}", "", text)):
        raise ValueError(f"'{text[:40]}' cannot be read as a unit; write for instance {{load}}.s/{{disp}}")
    rest = parse_unit(_filled(text, ""))
    # the power of a placeholder shows in those of K, if K takes its place
    load, disp, vel = (parse_unit(_filled(text, name)).powers[4] - rest.powers[4] for name in PLACEHOLDERS)
    m, kg, s, rad, kelvin, ampere = rest.powers
    powers = (load, disp + vel, m, kg, s - vel, rad, kelvin, ampere)
    return rest.factor, Dimension(tuple(map(Fraction, powers)))


def _filled(text: str, kelvin: str) -> str:
    """The unit with K for one placeholder and 1 for the others; 1 is K/K, which may have an exponent."""
    return re.sub(r"\{(\w+)\}", lambda match: "K" if match[1] == kelvin else "(K/K)", text)


PLAIN = Dimension((Fraction(0),) * len(NAMES))
LOAD = read_unit("{load}")[1]
DISP = read_unit("{disp}")[1]
VEL = read_unit("{vel}")[1]
RATE = read_unit("1/s")[1]
ENERGY = LOAD.times(DISP)
