"""Verdicts follow from numbers, and can go either way."""

import pytest

from stribeck_papers import Verdict, number, statement, unchecked
from stribeck_papers.scorecard import UNEXPLAINED, half_a_digit


@pytest.mark.parametrize(
    "printed, half", [("6.12", 0.005), ("1.5", 0.05), ("18", 0.5), ("1e5", 5e4), ("3.998e-5", 5e-9), ("-0.5", 0.05)]
)
def test_half_a_digit(printed, half):
    assert half_a_digit(printed) == pytest.approx(half, rel=1e-12)


@pytest.mark.parametrize("printed", ["about 6", "", "6,12", "> 5"])
def test_words_are_no_numbers(printed):
    with pytest.raises(ValueError, match="statement"):
        number("period", printed, 6.0)


@pytest.mark.parametrize(
    "ours, verdict",
    [
        (6.1249, Verdict.REPRODUCED),
        (6.115, Verdict.REPRODUCED),
        (6.1251, Verdict.UNDETERMINED),
        (6.1149, Verdict.UNDETERMINED),
        (float("nan"), Verdict.UNDETERMINED),
        (float("inf"), Verdict.UNDETERMINED),
    ],
)
def test_printed_digits_decide(ours, verdict):
    claim = number("period", "6.12", ours, "s", because="it differs", note="it does not")
    assert claim.verdict is verdict
    assert claim.reason == ("it does not" if verdict is Verdict.REPRODUCED else "it differs")
    assert claim.printed == "6.12 s"


def test_within():
    assert number("load", "5", 5.2, "N.m", within=0.25).verdict is Verdict.REPRODUCED
    assert number("load", "5", 5.3, "N.m", within=0.25, because="more").verdict is Verdict.UNDETERMINED
    assert number("load", "5", 5.2, "N.m", within=0.25).ours == "5.2 N·m"


def test_a_difference_needs_a_reason():
    assert number("period", "6.12", 7.0).reason == UNEXPLAINED
    assert statement("it sticks", False, "it slides").reason == UNEXPLAINED
    with pytest.raises(ValueError, match="say why"):
        unchecked("the weather", "")


def test_statement():
    assert statement("it sticks", True, "at 3 s").verdict is Verdict.REPRODUCED
    assert statement("it sticks", False, "it slides", because="no stiction").verdict is Verdict.UNDETERMINED
    assert unchecked("CPU time", "another computer", "0.3 s").verdict is Verdict.UNCHECKED
