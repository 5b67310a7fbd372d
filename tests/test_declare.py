"""Declarations: names, bounds, units, messages."""

import inspect
import math

import numpy as np
import pytest

from stribeck.declare import Declared, Param, unknown
from stribeck.errors import SpecError, UnitError, UnknownName


class Disc(Declared):
    J = Param(None, "kg.m2", "moment of inertia", above=0)
    share = Param(0.5, "1", "share", min=0, max=1, aliases=("part", "portion"))
    c = Param(2.0, "{load}/{disp}", "stiffness")


class FastDisc(Disc):
    w0 = Param(0, "rad/s", "speed at the start")


ROTATIONAL = {"load": "N.m", "disp": "rad"}


def test_parameters_in_order_inherited_first():
    assert list(FastDisc.params) == ["J", "share", "c", "w0"]
    assert list(Disc.params) == ["J", "share", "c"]


def test_values_and_defaults():
    disc = Disc(J=3)
    assert (disc.J, disc.share, disc.c) == (3, 0.5, 2.0)
    assert disc.given == {"J": 3}
    assert Disc.J is Disc.params["J"]


def test_aliases():
    assert Disc(J=1, portion=0.2).given == {"J": 1, "share": 0.2}


def test_equality_and_repr():
    assert Disc(J=1) == Disc(J=1.0)
    assert Disc(J=1) != Disc(J=1, share=0.5)
    assert FastDisc(J=1) != Disc(J=1)
    assert repr(Disc(J="3 kg.m2", share=1)) == "Disc(J='3 kg.m2', share=1)"


def test_replace():
    disc = Disc(J=1, share=0.2)
    assert disc.replace(part=0.3) == Disc(J=1, share=0.3)
    assert disc == Disc(J=1, share=0.2)


def test_fixed_after_it_is_made():
    with pytest.raises(AttributeError, match=r"Disc: J is fixed; make a new one with replace\(J=\.\.\.\)"):
        Disc(J=1).J = 2


def test_signature_shows_names_and_defaults():
    assert str(inspect.signature(Disc)) == "(*, J, share=0.5, c=2.0)"


def test_numbers_of_numpy_are_kept_as_plain_numbers():
    disc = Disc(J=np.float64(3), share=np.float32(0.5), c=np.int64(2))
    assert [type(value) for value in disc.given.values()] == [float, float, float]


def test_text_is_kept_and_resolved_at_its_place():
    disc = Disc(J="0.3 kg*m^2", c="2 kN.m/rad", share="10 %")
    assert disc.given["J"] == "0.3 kg*m^2"
    assert vars(disc.resolve(ROTATIONAL, "disc 'd'")) == {"J": 0.3, "share": 0.1, "c": 2000.0}


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        (
            {"J": 1, "shar": 1},
            UnknownName,
            "Disc has no parameter 'shar'; did you mean 'share'? (known: J, share or part or portion, c)",
        ),
        ({"J": 1, "C": 1}, UnknownName, "Disc has no parameter 'C'; did you mean 'c'?"),
        ({"J": 1, "xyz": 1}, UnknownName, "Disc has no parameter 'xyz' (known: J, share or part or portion, c)"),
        ({}, SpecError, "Disc: J is missing; give the moment of inertia, for instance Disc(J=1)"),
        (
            {"J": 1, "part": 0.1, "share": 0.1},
            SpecError,
            "Disc: part and share are the same parameter; give one of them",
        ),
        ({"J": 0}, SpecError, "Disc: J = 0 kg.m2 must be above 0; moment of inertia"),
        ({"J": -1}, SpecError, "Disc: J = -1 kg.m2 must be above 0"),
        ({"J": 1, "share": 2}, SpecError, "Disc: share = 2 must be at least 0 and at most 1; share (default 0.5)"),
        ({"J": math.nan}, SpecError, "Disc: J = nan is not finite"),
        ({"J": -math.inf}, SpecError, "Disc: J = -inf is not finite"),
        ({"J": 10**400}, SpecError, "is not finite"),
        ({"J": True}, SpecError, "Disc: J = True must be a number in kg.m2"),
        ({"J": None}, SpecError, "Disc: J = None must be a number"),
        ({"J": [1, 2]}, SpecError, "Disc: J = [1, 2] must be a number"),
        ({"J": 1j}, SpecError, "Disc: J = 1j must be"),
    ],
)
def test_refused_at_once(values, error, message):
    with pytest.raises(error) as refused:
        Disc(**values)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ({"J": "-1 kg.m2"}, SpecError, "disc 'd': J = '-1 kg.m2' must be above 0"),
        ({"J": "3 N"}, UnitError, "disc 'd': J = '3 N' is not in units of kg.m2"),
        ({"J": 1, "c": "3 N/m"}, UnitError, "disc 'd': c = '3 N/m' is not in units of N.m/rad"),
    ],
)
def test_refused_at_the_place(values, error, message):
    with pytest.raises(error) as refused:
        Disc(**values).resolve(ROTATIONAL, "disc 'd'")
    assert message in str(refused.value)


def test_unknown_names_are_type_errors_too():
    with pytest.raises(TypeError):
        Disc(J=1, mass=2)


def test_rules_between_parameters():
    class Range(Declared):
        low = Param(0, "1", "lower end")
        high = Param(1, "1", "upper end")

        @staticmethod
        def faults(p):
            return [f"low = {p.low:g} must be below high = {p.high:g}"] if p.low >= p.high else []

    with pytest.raises(SpecError, match="Range: low = 3 must be below high = 1"):
        Range(low=3)
    with pytest.raises(SpecError, match="place: low = 3 must be below high = 1"):
        Range(low="3").resolve({}, "place")


def test_unknown_message():
    assert (
        unknown("no law", "lugr", ["lugre", "switch"]) == "no law 'lugr'; did you mean 'lugre'? (known: lugre, switch)"
    )
    assert "did you mean 'sigma0'?" in unknown("no parameter", "sigmaO", ["sigma0", "sigma1", "sigma2"])
    assert unknown("no law", "?", ["lugre"]) == "no law '?' (known: lugre)"
