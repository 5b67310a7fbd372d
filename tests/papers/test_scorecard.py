"""Verdicts follow from numbers, and can go either way."""

import pytest

from stribeck_papers import RULES, Basis, Verdict, bracketed, judged, number, share, statement, unchecked
from stribeck_papers.rules import ABOUT, COUNT, DIGITS, EXACT, FACT, MAGNITUDE, MUCH, OPEN, SAME, UNSTABLE, VISIBLE
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
    claim = number("period", "6.12", ours, "s", otherwise="not determined", because="it differs", note="it does not")
    assert claim.verdict is verdict
    assert claim.reason == ("it does not" if verdict is Verdict.REPRODUCED else "it differs")
    assert claim.printed == "6.12 s"


def test_units_are_shown():
    claim = number("load", "5", 5.2, "N.m", rule=ABOUT)
    assert (claim.verdict, claim.printed, claim.ours) == (Verdict.REPRODUCED, "5 N·m", "5.2 N·m")


def test_a_difference_needs_a_reason():
    assert number("period", "6.12", 7.0).reason == UNEXPLAINED
    assert statement("it sticks", False, "it slides", because="no stiction").reason == UNEXPLAINED
    assert statement("it sticks", False, "it slides", otherwise="refuted").reason == UNEXPLAINED
    with pytest.raises(ValueError, match="say why"):
        unchecked("the weather", "")


def test_statement():
    assert statement("it sticks", True, "at 3 s").verdict is Verdict.REPRODUCED
    assert statement("it sticks", False, "it slides", otherwise="refuted", because="no").verdict is Verdict.REFUTED
    assert unchecked("CPU time", "another computer", "0.3 s").verdict is Verdict.UNCHECKED


def test_details_belong_to_one_outcome():
    slip = {"otherwise": "misprint", "because": "one digit off", "note": "as printed", "corrected": "6.17 s"}
    wrong, right = number("period", "6.12", 6.17, "s", **slip), number("period", "6.17", 6.17, "s", **slip)
    assert (wrong.verdict, wrong.reason, wrong.corrected) == (Verdict.MISPRINT, "one digit off", "6.17 s")
    assert (right.verdict, right.reason, right.corrected) == (Verdict.REPRODUCED, "as printed", "")


def test_every_rule_has_a_band_of_its_own():
    kinds = [rule.kind for rule in RULES]
    assert len(set(kinds)) == len(kinds)
    assert all(rule.band and rule.kind for rule in RULES)
    assert not any(rule.holds(float("nan")) or rule.holds(float("inf")) for rule in RULES)


@pytest.mark.parametrize(
    "rule, inside, outside",
    [
        (DIGITS, 1.0, 1.001),
        (ABOUT, -0.1, 0.101),
        (COUNT, 0.1, -0.101),
        (MAGNITUDE, 3.16, 3.17),
        (SAME, 0.05, 0.051),
        (VISIBLE, 0.01, 0.0099),
        (MUCH, 2.0, 1.99),
        (EXACT, 1e-9, 1.1e-9),
        (UNSTABLE, 0.11, 0.1),
        (FACT, 1.0, 0.0),
    ],
    ids=lambda value: value.kind if hasattr(value, "kind") else str(value),
)
def test_bands(rule, inside, outside):
    assert judged("it", rule, inside, "so").verdict is Verdict.REPRODUCED
    assert judged("it", rule, outside, "so", otherwise="refuted", because="no").verdict is Verdict.REFUTED


def test_numbers_by_other_rules():
    assert number("steps", "100", 109, rule=COUNT).verdict is Verdict.REPRODUCED
    assert number("period", "6", 6.5, "s", rule=ABOUT).value == pytest.approx(0.5 / 6)
    assert number("damping", "1e-5", 3e-5, rule=MAGNITUDE).value == pytest.approx(3)
    with pytest.raises(ValueError, match="use judged"):
        number("it takes longer", "2", 3.0, rule=MUCH)


def test_a_scan_brackets_or_not():
    inside = bracketed("events", "43", [32, 42.6], over="hystereses")
    outside = bracketed("events", "43", [32, 42.4], over="hystereses", because="the driver", note="never")
    assert (inside.verdict, inside.value) == (Verdict.BRACKETS, 0.0)
    assert (outside.verdict, outside.value) == (Verdict.UNDETERMINED, pytest.approx(0.1))
    assert inside.ours == "32 to 42.6, over hystereses"


@pytest.mark.parametrize(
    "held, verdict",
    [(95, Verdict.REPRODUCED), (94, Verdict.UNDETERMINED), (6, Verdict.UNDETERMINED), (5, Verdict.REFUTED)],
)
def test_shares_of_draws(held, verdict):
    claim = share("it sticks", [True] * held + [False] * (100 - held), "100 machines", because="the rest slides")
    assert (claim.verdict, claim.value, claim.basis) == (verdict, held / 100, Basis.ENSEMBLE)
    with pytest.raises(ValueError, match="at least one draw"):
        share("it sticks", [], "no machine")


def test_what_no_run_decides_has_no_number():
    claim = unchecked("CPU time", "another computer", "0.3 s", where="Section 2")
    assert (claim.rule, claim.value, claim.where) == (OPEN, None, "Section 2")
