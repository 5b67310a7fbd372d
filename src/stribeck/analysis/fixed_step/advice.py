"""Parameters of friction laws that a fixed step asks for, each with the formula behind it.

A law states what it needs (`Law.step_needs`); this asks it for every explicit method, of which each bears another
largest h |lambda| (`stability_limit`: 2, 2, 2.513, 2.785, 3.307 for ode1 to ode5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...laws import StepNeed
from .amplification import EXPLICIT, stability_limit
from .contacts import FrictionContact

IMPLICIT_STATES = ("mixed",)
"""Methods that solve for the states of laws implicitly."""


@dataclass(frozen=True)
class Advice:
    """A parameter, its value, and what the methods need: at least (`sign` 1) or at most (-1) these values.

    >>> advice.needed["ode4"], advice.met("ode4")
    (7531.6, False)
    """

    element: str
    law: str
    parameter: str
    value: float
    sign: int
    needed: Mapping[str, float]
    """By explicit method."""
    formula: str

    def met(self, method: str) -> bool:
        """Whether the value is what a method needs."""
        return self.sign * (self.value - self.needed[method]) >= 0

    @property
    def broken(self) -> tuple[str, ...]:
        """The methods that need another value."""
        return tuple(method for method in EXPLICIT if not self.met(method))


def advise(contact: FrictionContact, h: float) -> list[Advice]:
    """What the law of a contact needs at the step h (s).

    >>> advise(contact, 1e-3)[0].needed
    {'ode1': 5408.1, 'ode2': 5408.1, 'ode3': 6794.6, ...}
    """
    if not np.isfinite(contact.inertia) or contact.largest_load == 0:
        return []
    law = contact.law
    return [
        Advice(
            contact.name,
            type(law).__name__,
            need.parameter,
            float(getattr(law.p, need.parameter)),
            need.sign,
            {method: _bound(need, method) for method in EXPLICIT},
            need.formula,
        )
        for need in type(law).step_needs(law.p, contact.conditions(h))
    ]


def _bound(need: StepNeed, method: str) -> float:
    """The value that a method asks for; none (infinite) if it does without."""
    if need.of_states and method in IMPLICIT_STATES:
        return -need.sign * np.inf
    return need.bound(stability_limit(method))
