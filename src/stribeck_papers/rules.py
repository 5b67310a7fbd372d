"""The rules by which claims are judged: one for each kind of claim, with its band."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite, sqrt

LEAST_SHARE = 0.95
"""Of the draws, if an ensemble bears a claim out; at most one minus it, if the ensemble refutes it."""


@dataclass(frozen=True)
class Rule:
    """A kind of claim, and when it holds: `band` in words, `met` of the number that decides.

    >>> ABOUT.holds(1.08 - 1), ABOUT.holds(1.2 - 1)
    (True, False)
    """

    kind: str
    band: str
    met: Callable[[float], bool] = field(repr=False)

    def holds(self, value: float) -> bool:
        """Whether a value is within the band; one that is not finite never is."""
        return isfinite(value) and self.met(value)


def _at_most(limit: float) -> Callable[[float], bool]:
    return lambda value: abs(value) <= limit * (1 + 1e-12)


DIGITS = Rule("a printed number", "it rounds to the printed digits", _at_most(1.0))
"""Decided by the difference over half a unit of the last digit."""
ABOUT = Rule("a number with 'about', or read off a figure", "within 10 % of it", _at_most(0.1))
"""Decided by the relative difference."""
COUNT = Rule("a count of a solver: steps, evaluations, events", "within 10 % of it", _at_most(0.1))
"""Decided by the relative difference."""
WITHIN = Rule("a printed range or limit", "our value is in it", _at_most(0.0))
"""Decided by the distance from the range."""
MAGNITUDE = Rule(
    "an order of magnitude", "within a factor of the square root of 10", lambda ratio: 1 / sqrt(10) <= ratio <= sqrt(10)
)
"""Decided by the ratio."""
SAME = Rule("the same, a good fit, no influence", "curves differ by at most 5 % of their range", _at_most(0.05))
"""Decided by the largest difference over the range."""
VISIBLE = Rule("an effect that is seen in a figure", "at least 1 % of the range of its axis", lambda part: part >= 0.01)
"""Decided by the size over the range."""
BRIEF = Rule("rapid, sharp, for a moment", "at most 5 % of the period or of the time that is shown", _at_most(0.05))
"""Decided by the share of the time."""
MUCH = Rule("much more, much longer", "at least twice", lambda ratio: ratio >= 2)
"""Decided by the ratio."""
EXACT = Rule("a formula, an identity", "both sides agree within 1e-9", _at_most(1e-9))
"""Decided by the relative difference."""
UNSTABLE = Rule(
    "an unstable method or step",
    "at every step or setting tried the run stops, or errs by more than 10 % of the range",
    lambda error: error > 0.1,
)
"""Decided by the least error over the range of all steps tried; a run that stops has an error of 1."""
SHARE = Rule(
    "a claim on a machine whose data are not printed",
    f"it holds in at least {100 * LEAST_SHARE:.0f} % of the draws; in at most {100 * (1 - LEAST_SHARE):.0f} % it is "
    "refuted; between them it is not determined",
    lambda share: share >= LEAST_SHARE,
)
"""Decided by the share of the draws."""
SCAN = Rule(
    "a number that depends on a setting that is not printed",
    "our values over the scan of the setting contain it",
    _at_most(0.0),
)
"""Decided by the distance from the range of the scan."""
FACT = Rule(
    "a statement without a number: an order, a sign, an event, a property",
    "it is true of the run; two numbers differ if they do by more than the accuracy of the run",
    lambda true: true == 1.0,
)
"""Decided by 1 or 0."""
OPEN = Rule("a claim that no run here can decide", "none", lambda value: False)

RULES = (DIGITS, ABOUT, COUNT, WITHIN, MAGNITUDE, SAME, VISIBLE, BRIEF, MUCH, EXACT, UNSTABLE, SHARE, SCAN, FACT, OPEN)
