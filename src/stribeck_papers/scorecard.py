"""Claims of a paper, each judged by a number or a fact of this run."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from math import isfinite

from stribeck.reports import pretty_unit

NOTHING = "—"
UNEXPLAINED = "this run contradicts the claim, and no reason is known"
"""The reason when a claim that was always reproduced is not, on another computer or with other versions."""


class Verdict(StrEnum):
    """What a run says about a claim."""

    REPRODUCED = "reproduced"
    DIFFERS = "differs"
    UNCHECKED = "cannot be checked"


class Basis(StrEnum):
    """What a verdict rests on."""

    PRINTED = "printed"
    """Data, formulas and numbers that the paper prints."""
    RECONSTRUCTION = "reconstruction"
    """A machine whose parameters are ours, because the paper does not print them: it shows that the claim can hold."""
    PUT_IN = "put in"
    """The model was given what it shows."""


@dataclass(frozen=True)
class Claim:
    """What a paper says, what it prints, what the run gives, and why they differ, if they do.

    >>> number("break-away torque", "1.48", 1.4766, "N.m").verdict
    <Verdict.REPRODUCED: 'reproduced'>
    """

    claim: str
    printed: str
    ours: str
    verdict: Verdict
    reason: str = ""
    basis: Basis | None = None
    """That of its item, if it is None."""

    def __post_init__(self) -> None:
        if self.verdict is not Verdict.REPRODUCED and not self.reason:
            raise ValueError(f"'{self.claim}' {self.verdict.value}: say why")


def number(
    claim: str,
    printed: str,
    ours: float,
    unit: str = "",
    *,
    within: float | None = None,
    because: str = "",
    note: str = "",
    digits: int = 6,
    basis: str | None = None,
) -> Claim:
    """A printed number compared with ours: reproduced if it rounds to the printed digits, or lies `within` (in its
    unit) of it. `because` is the reason if it differs, `note` goes with it if it does not; `basis` is "printed",
    "reconstruction" or "put in", if it is another one than that of its item.

    >>> number("period", "6.12", 6.1706, "s", because="a misprint of 6.17 would explain it").verdict
    <Verdict.DIFFERS: 'differs'>
    """
    allowed = half_a_digit(printed) if within is None else within
    met = isfinite(ours) and abs(ours - float(printed)) <= allowed * (1 + 1e-12)
    unit = pretty_unit(unit)
    verdict, reason = _judged(met, because, note)
    shown = f"{printed} {unit}".rstrip(), f"{ours:.{digits}g} {unit}".rstrip()
    return Claim(claim, *shown, verdict, reason, _basis(basis))


def statement(
    claim: str,
    holds: bool,
    ours: str,
    *,
    printed: str = "stated",
    because: str = "",
    note: str = "",
    basis: str | None = None,
) -> Claim:
    """A claim in words, with the fact that decides it.

    >>> statement("it drifts", 0.016 > 0, "16 mm in 4 s").verdict
    <Verdict.REPRODUCED: 'reproduced'>
    """
    return Claim(claim, printed, ours, *_judged(bool(holds), because, note), _basis(basis))


def unchecked(claim: str, because: str, printed: str = "stated") -> Claim:
    """A claim that no run can decide, and why.

    >>> unchecked("time of the computation", "the computer of the paper is not available", "0.3 s").ours
    '—'
    """
    return Claim(claim, printed, NOTHING, Verdict.UNCHECKED, because)


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


def _judged(met: bool, because: str, note: str) -> tuple[Verdict, str]:
    return (Verdict.REPRODUCED, note) if met else (Verdict.DIFFERS, because or UNEXPLAINED)
