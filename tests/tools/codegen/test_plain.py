"""Formulas for people."""

import sympy

from stribeck.laws.functions import Abs, Piecewise, exp
from tools.codegen.equations import real
from tools.codegen.plain import plain, with_parts

a, b, v, z = map(real, "abvz")


def test_positive_terms_come_first():
    assert plain(v - a * Abs(v) * z / b) == "v - a*z*|v|/b"
    assert plain((b - a) * exp(-(v**2)) + a) == "a + (b - a)*exp(-v^2)"


def test_cases_in_words():
    assert plain(Piecewise((a, v > 1), (-a, v < -1), (0, True))) == "(a if v > 1, -a if v < -1, 0 otherwise)"


def test_repeated_parts_have_names():
    part = a + (b - a) * exp(-(v**2))
    assert with_parts({"friction": part * z, "zdot": v - z / part}) == {
        "friction": sympy.Symbol("g", real=True) * z,
        "zdot": v - z / sympy.Symbol("g", real=True),
        "g": part,
    }


def test_names_that_are_taken_are_not_used():
    g = real("g")
    part = a + (b - a) * exp(-(g**2))
    assert list(with_parts({"friction": part * z, "zdot": v - z / part})) == ["friction", "zdot", "h"]


def test_short_parts_stay():
    assert with_parts({"friction": a * Abs(v), "zdot": b * Abs(v)}) == {"friction": a * Abs(v), "zdot": b * Abs(v)}
