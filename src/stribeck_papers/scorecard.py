"""Claims of a paper, each judged by a rule and a number or a fact of this run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import TypedDict, Unpack

from stribeck.reports import pretty_unit

from .rules import ABOUT, COUNT, DIGITS, EXACT, FACT, LEAST_SHARE, MAGNITUDE, OPEN, SCAN, SHARE, Rule

NOTHING = "—"
IN_WORDS = "in words"
UNEXPLAINED = "this run contradicts the claim, and no reason is known"
"""The reason when a claim that was always reproduced is not, on another computer or with other versions."""


class Verdict(StrEnum):
    """What a run says about a claim.

    >>> Verdict("overcome").meaning
    'true with the methods of its time, not with ours'
    """

    REPRODUCED = "reproduced"
    BRACKETS = "brackets"
    MISPRINT = "misprint"
    CONTRADICTS = "contradicts itself"
    REFUTED = "refuted"
    OVERCOME = "overcome"
    UNDETERMINED = "not determined"
    UNCHECKED = "cannot be checked"

    @property
    def meaning(self) -> str:
        """One line for pages and documentation."""
        return _MEANINGS[self]


class Basis(StrEnum):
    """What a verdict rests on.

    >>> Basis("put in").meaning
    'the model was given what it shows'
    """

    PRINTED = "printed"
    RECONSTRUCTION = "reconstruction"
    ENSEMBLE = "ensemble"
    PUT_IN = "put in"
    ARITHMETIC = "arithmetic"

    @property
    def meaning(self) -> str:
        """One line for pages and documentation."""
        return _MEANINGS[self]


_MEANINGS: dict[StrEnum, str] = {
    Verdict.REPRODUCED: "it holds by its rule",
    Verdict.BRACKETS: "a scan over what is not printed contains it",
    Verdict.MISPRINT: "what is printed is a slip, and the row has what it should be",
    Verdict.CONTRADICTS: "the paper says otherwise elsewhere",
    Verdict.REFUTED: "a sound run shows the opposite",
    Verdict.OVERCOME: "true with the methods of its time, not with ours",
    Verdict.UNDETERMINED: "what the paper does not print decides it",
    Verdict.UNCHECKED: "no run here can decide it",
    Basis.PRINTED: "data, formulas and numbers that the paper prints",
    Basis.RECONSTRUCTION: "one machine with parameters of ours, because the paper prints none: it shows that the claim "
    "can hold",
    Basis.ENSEMBLE: "many such machines, with parameters drawn from stated ranges",
    Basis.PUT_IN: "the model was given what it shows",
    Basis.ARITHMETIC: "printed numbers computed from each other or from settings of the run: nothing was simulated",
}


@dataclass(frozen=True)
class Claim:
    """What a paper says, where, what it prints, what the run gives, the rule, and why they differ, if they do.

    >>> number("break-away torque", "1.48", 1.4766, "N.m").verdict
    <Verdict.REPRODUCED: 'reproduced'>
    """

    claim: str
    printed: str
    ours: str
    verdict: Verdict
    rule: Rule
    value: float | None = None
    """The number that decided by the rule."""
    reason: str = ""
    basis: Basis | None = None
    """That of its item, if it is None."""
    where: str = ""
    """Section and equation; the label of its item, if it is empty."""
    corrected: str = ""
    """What a misprint should be."""

    def __post_init__(self) -> None:
        if self.verdict is not Verdict.REPRODUCED and not self.reason:
            raise ValueError(f"'{self.claim}' {self.verdict.value}: say why")


class Details(TypedDict, total=False):
    """What every claim may have besides its rule and its number."""

    otherwise: str | None
    """The verdict if it does not hold: "misprint", "contradicts itself", "refuted", "overcome", "not determined" or
    "cannot be checked". Without it a claim is expected to hold, and one that does not is unexplained."""
    because: str
    """The reason if it does not hold."""
    note: str
    """What goes with it if it does."""
    basis: str | None
    """Another one than that of its item."""
    where: str
    """Section and equation, if the label of its item is less precise."""
    corrected: str
    """What a misprint should be."""


def judged(
    claim: str, rule: Rule, value: float, ours: str, *, printed: str = IN_WORDS, **details: Unpack[Details]
) -> Claim:
    """A claim that `rule` decides by `value`; `ours` shows what it was decided by. Details are those of `Details`.

    >>> judged("of the order of 1e-5", MAGNITUDE, 3e-5 / 1e-5, "3e-5").verdict
    <Verdict.REPRODUCED: 'reproduced'>
    """
    return _claim(claim, rule, float(value), ours, printed, Verdict.REPRODUCED, details)


def _claim(claim: str, rule: Rule, value: float, ours: str, printed: str, met: Verdict, details: Details) -> Claim:
    """With the verdict `met` if the rule holds, with that of the details if it does not."""
    basis, where, otherwise = details.get("basis"), details.get("where", ""), details.get("otherwise")
    if rule.holds(value):
        verdict, reason, corrected = met, details.get("note", ""), ""
    else:
        verdict, corrected = Verdict(otherwise or Verdict.UNDETERMINED), details.get("corrected", "")
        reason = (details.get("because") if otherwise else "") or UNEXPLAINED
    return Claim(claim, printed, ours, verdict, rule, value, reason, Basis(basis) if basis else None, where, corrected)


def number(
    claim: str,
    printed: str,
    ours: float,
    unit: str = "",
    *,
    rule: Rule = DIGITS,
    digits: int = 6,
    **details: Unpack[Details],
) -> Claim:
    """A printed number compared with ours: by its digits, or by the relative difference (ABOUT, COUNT, EXACT) or the
    ratio (MAGNITUDE). Details are those of `Details`.

    >>> number("period", "6.12", 6.1706, "s", otherwise="refuted", because="6.17 s, by two methods").verdict
    <Verdict.REFUTED: 'refuted'>
    """
    half = half_a_digit(printed)
    there = float(printed)
    deciding = {
        DIGITS: lambda: (ours - there) / half,
        MAGNITUDE: lambda: ours / there,
        **dict.fromkeys((ABOUT, COUNT, EXACT), lambda: (ours - there) / there),
    }
    if rule not in deciding:
        raise ValueError(f"'{claim}': number() does not know what decides '{rule.kind}'; use judged()")
    unit = pretty_unit(unit)
    shown = f"{ours:.{digits}g} {unit}".rstrip()
    return judged(claim, rule, deciding[rule](), shown, printed=f"{printed} {unit}".rstrip(), **details)


def statement(claim: str, holds: bool, ours: str, *, printed: str = IN_WORDS, **details: Unpack[Details]) -> Claim:
    """A claim without a number, with the fact that decides it. Details are those of `Details`.

    >>> statement("it drifts", 0.016 > 0, "16 mm in 4 s").verdict
    <Verdict.REPRODUCED: 'reproduced'>
    """
    return judged(claim, FACT, float(bool(holds)), ours, printed=printed, **details)


def bracketed(
    claim: str,
    printed: str,
    values: Sequence[float],
    unit: str = "",
    *,
    over: str,
    digits: int = 4,
    **details: Unpack[Details],
) -> Claim:
    """A printed number compared with our values over a scan of what is not printed, which `over` names. Details are
    those of `Details`.

    >>> bracketed("events", "43", [32, 34, 44, 58], over="hystereses from 1e-10 to 1e-8").verdict
    <Verdict.BRACKETS: 'brackets'>
    """
    low, high = min(values), max(values)
    half = half_a_digit(printed)
    outside = max(low - half - float(printed), float(printed) - high - half, 0.0)
    unit = pretty_unit(unit)
    ours = f"{low:.{digits}g} to {high:.{digits}g} {unit}".rstrip() + f", over {over}"
    details = {"note": f"the scan over {over} contains it", "otherwise": Verdict.UNDETERMINED, **details}
    return _claim(claim, SCAN, outside, ours, f"{printed} {unit}".rstrip(), Verdict.BRACKETS, details)


def share(
    claim: str, held: Sequence[bool], drawn: str, *, printed: str = IN_WORDS, **details: Unpack[Details]
) -> Claim:
    """A claim on a machine whose data are not printed: whether it held for each draw; `drawn` says from what. Details
    are those of `Details`, but the share alone decides between refuted and not determined.

    >>> share("LuGre clutches shift faster", [True] * 97 + [False] * 3, "100 gearboxes").ours
    'in 97 % of 100 gearboxes'
    """
    if not len(held):
        raise ValueError(f"'{claim}': a share needs at least one draw")
    part = sum(map(bool, held)) / len(held)
    usual: Details = {"because": "it holds for a part of what the paper leaves open", "basis": Basis.ENSEMBLE}
    decided: Details = {"otherwise": Verdict.REFUTED if 1 - part >= LEAST_SHARE else Verdict.UNDETERMINED}
    details = {**usual, **details, **decided}
    return _claim(claim, SHARE, part, f"in {100 * part:.3g} % of {drawn}", printed, Verdict.REPRODUCED, details)


def unchecked(claim: str, because: str, printed: str = IN_WORDS, *, where: str = "") -> Claim:
    """A claim that no run can decide, and why.

    >>> unchecked("time of the computation", "the computer of the paper is not available", "0.3 s").ours
    '—'
    """
    return Claim(claim, printed, NOTHING, Verdict.UNCHECKED, OPEN, reason=because, where=where)


def half_a_digit(printed: str) -> float:
    """Half a unit of the last printed digit.

    >>> half_a_digit("6.12")
    0.005
    """
    try:
        exponent = Decimal(printed).as_tuple().exponent
    except InvalidOperation:
        raise ValueError(f"'{printed}' is not a number as a paper prints it; use statement() for words") from None
    return 0.5 * 10.0 ** int(exponent)
