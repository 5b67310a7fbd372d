"""Claims of a paper, each judged by a rule and a number or a fact of this run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from stribeck.reports import pretty_unit

from .rules import DIGITS, FACT, LEAST_SHARE, OPEN, SCAN, SHARE, Rule

NOTHING = "—"
IN_WORDS = "in words"
UNEXPLAINED = "this run contradicts the claim, and no reason is known"
"""The reason when a claim that was always reproduced is not, on another computer or with other versions."""


class Verdict(StrEnum):
    """What a run says about a claim."""

    REPRODUCED = "reproduced"
    """It holds by its rule."""
    BRACKETS = "brackets"
    """A scan over what is not printed contains it."""
    MISPRINT = "misprint"
    """What is printed is a slip; `corrected` has what it should be."""
    CONTRADICTS = "contradicts itself"
    """The paper says otherwise elsewhere."""
    REFUTED = "refuted"
    """A sound run shows the opposite."""
    OVERCOME = "overcome"
    """True with the methods of its time, not with ours."""
    UNDETERMINED = "not determined"
    """What the paper does not print decides it."""
    UNCHECKED = "cannot be checked"
    """No run here can decide it."""


class Basis(StrEnum):
    """What a verdict rests on."""

    PRINTED = "printed"
    """Data, formulas and numbers that the paper prints."""
    RECONSTRUCTION = "reconstruction"
    """A machine whose parameters are ours, because the paper does not print them: it shows that the claim can hold."""
    ENSEMBLE = "ensemble"
    """Many such machines with parameters drawn from stated ranges."""
    PUT_IN = "put in"
    """The model was given what it shows."""
    ARITHMETIC = "arithmetic"
    """Printed numbers computed from each other or from settings of the run: nothing was simulated."""


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


def judged(
    claim: str,
    rule: Rule,
    value: float,
    ours: str,
    *,
    printed: str = IN_WORDS,
    otherwise: str | None = None,
    because: str = "",
    note: str = "",
    basis: str | None = None,
    where: str = "",
    corrected: str = "",
) -> Claim:
    """A claim that `rule` decides by `value`; `ours` shows what it was decided by.

    If it does not hold, the verdict is `otherwise` ("misprint", "contradicts itself", "refuted", "overcome", "not
    determined" or "cannot be checked") and `because` the reason; `note` goes with it if it does. `basis` is another
    one than that of its item, `where` another section or equation, `corrected` what a misprint should be.

    >>> judged("it takes much longer", MUCH, 3.6 / 1.2, "3.6 s and 1.2 s").verdict
    <Verdict.REPRODUCED: 'reproduced'>
    """
    if rule.holds(value):
        verdict, reason, corrected = Verdict.REPRODUCED, note, ""
    else:
        verdict, reason = Verdict(otherwise or Verdict.UNDETERMINED), because or UNEXPLAINED
    return Claim(claim, printed, ours, verdict, rule, float(value), reason, _basis(basis), where, corrected)


def number(
    claim: str,
    printed: str,
    ours: float,
    unit: str = "",
    *,
    rule: Rule = DIGITS,
    within: float | None = None,
    digits: int = 6,
    otherwise: str | None = None,
    because: str = "",
    note: str = "",
    basis: str | None = None,
    where: str = "",
    corrected: str = "",
) -> Claim:
    """A printed number compared with ours, by its digits or by ABOUT or COUNT; other arguments as in `judged`.

    >>> number("period", "6.12", 6.1706, "s", otherwise="misprint", because="6.17 with one digit off").verdict
    <Verdict.MISPRINT: 'misprint'>
    """
    allowed = half_a_digit(printed) if within is None else within
    scale = allowed if rule is DIGITS else float(printed)
    unit = pretty_unit(unit)
    return judged(
        claim,
        rule,
        (ours - float(printed)) / scale,
        f"{ours:.{digits}g} {unit}".rstrip(),
        printed=f"{printed} {unit}".rstrip(),
        otherwise=otherwise,
        because=because,
        note=note,
        basis=basis,
        where=where,
        corrected=corrected,
    )


def statement(
    claim: str,
    holds: bool,
    ours: str,
    *,
    printed: str = IN_WORDS,
    otherwise: str | None = None,
    because: str = "",
    note: str = "",
    basis: str | None = None,
    where: str = "",
    corrected: str = "",
) -> Claim:
    """A claim without a number, with the fact that decides it; other arguments as in `judged`.

    >>> statement("it drifts", 0.016 > 0, "16 mm in 4 s").verdict
    <Verdict.REPRODUCED: 'reproduced'>
    """
    return judged(
        claim,
        FACT,
        float(bool(holds)),
        ours,
        printed=printed,
        otherwise=otherwise,
        because=because,
        note=note,
        basis=basis,
        where=where,
        corrected=corrected,
    )


def bracketed(
    claim: str,
    printed: str,
    values: Sequence[float],
    unit: str = "",
    *,
    over: str,
    otherwise: str | None = None,
    because: str = "",
    basis: str | None = None,
    where: str = "",
    digits: int = 4,
) -> Claim:
    """A printed number compared with our values over a scan of what is not printed, which `over` names.

    >>> bracketed("events", "43", [32, 34, 44, 58], over="hystereses from 1e-10 to 1e-8").verdict
    <Verdict.BRACKETS: 'brackets'>
    """
    low, high = min(values), max(values)
    half = half_a_digit(printed)
    outside = max(low - half - float(printed), float(printed) - high - half, 0.0)
    unit = pretty_unit(unit)
    met = SCAN.holds(outside)
    return Claim(
        claim,
        f"{printed} {unit}".rstrip(),
        f"{low:.{digits}g} to {high:.{digits}g} {unit}".rstrip() + f", over {over}",
        Verdict.BRACKETS if met else Verdict(otherwise or Verdict.UNDETERMINED),
        SCAN,
        outside,
        f"the scan over {over} contains it" if met else because or UNEXPLAINED,
        _basis(basis),
        where,
    )


def share(
    claim: str,
    held: Sequence[bool],
    drawn: str,
    *,
    printed: str = IN_WORDS,
    because: str = "",
    note: str = "",
    where: str = "",
) -> Claim:
    """A claim on a machine whose data are not printed: whether it held for each draw; `drawn` says from what.

    >>> share("LuGre clutches shift faster", [True] * 97 + [False] * 3, "100 gearboxes").ours
    'in 97 % of 100 gearboxes'
    """
    part = sum(map(bool, held)) / len(held)
    refuted = 1 - part >= LEAST_SHARE
    verdict = Verdict.REPRODUCED if SHARE.holds(part) else Verdict.REFUTED if refuted else Verdict.UNDETERMINED
    between = "it holds for a part of what the paper leaves open"
    reason = note if verdict is Verdict.REPRODUCED else because or between
    ours = f"in {100 * part:.3g} % of {drawn}"
    return Claim(claim, printed, ours, verdict, SHARE, part, reason, Basis.ENSEMBLE, where)


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


def _basis(word: str | None) -> Basis | None:
    return None if word is None else Basis(word)
