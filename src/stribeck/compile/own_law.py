"""Laws of users in numbers, with the parameters of a contact: mistakes that would stop a run are refused before it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np

from ..declare import Values
from ..errors import SpecError
from ..kernel import LawRecord
from ..laws import Law
from ..traced import value_of
from .law_tape import law_record

DECADES = np.geomspace(1e-3, 1e3, 13)
"""Speeds at which a law is tried, relative to its characteristic speed."""
PRACTICALLY_REST = 1e-12
"""A speed that is practically 0, relative to the characteristic speed."""
JUMP = 1e-3
"""Change of friction within such a speed, relative to its largest value, that is a jump."""
ROUNDING = 1e-9
"""Relative difference that is rounding."""
MOST_JUMPS = 10
"""Jumps of the modes of a law at one instant."""


def check_own_law(law: Law, owner: str) -> None:
    """Refuses a law of a user that is not finite, jumps at rest, drives the motion or never settles, with its present
    parameters.

    >>> check_own_law(LuGre(), "bearing 'friction'")
    """
    if not law.compiled:
        _OwnLaw(law, owner).check()


@dataclass(frozen=True)
class OwnContact:
    """A friction element with a law of a user: its number, its label and the law as it was compiled."""

    number: int
    owner: str
    law: Law

    def check(self, numbers: np.ndarray) -> None:
        """Refuses the law with other numbers for its parameters."""
        law = copy(self.law)
        law.p = _values(law, numbers.tolist())
        _OwnLaw(law, self.owner).check()


def _values(law: Law, numbers: list[float]) -> Values:
    """The parameters of a law from the numbers that the kernel reads."""
    scalars, points = numbers[: len(law.scalars)], numbers[len(law.scalars) + 1 :]
    length = len(points) // 2
    curve = dict(zip(law.curve, (points[:length], points[length:]), strict=False))
    return Values(**dict(zip(law.scalars, scalars, strict=True)), **curve)


class _OwnLaw:
    """A law with numbers for its parameters, at speeds around its characteristic one."""

    def __init__(self, law: Law, owner: str) -> None:
        self.law, self.owner = law, owner
        self.record: LawRecord = law_record(law)
        self.p = np.array([value_of(x) for x in law.numbers(law.p)], float)
        scale = value_of(law.nominal_speed(law.p))
        self.scale = scale if math.isfinite(scale) else 1.0
        speeds = self.scale * DECADES
        self.speeds = [0.0, *speeds, *([] if law.family == "locking" else -speeds)]

    def check(self) -> None:
        """All checks, the simplest first."""
        self.check_finite()
        if self.law.family == "smooth":
            self.check_continuous()
        if self.law.passive(self.law.p):
            self.check_passive()
        if self.law.family == "locking":
            self.check_break_away()
        if self.record.n_guard:
            self.check_jumps()

    def error(self, message: str) -> SpecError:
        """A mistake of this law."""
        return SpecError(f"{self.owner}: {type(self.law).__name__} {message}")

    def steady(self, v: float) -> np.ndarray:
        """The states in steady sliding."""
        return self.record.steady(self.p, v) if self.law.states else np.empty(0)

    def friction(self, v: float) -> float:
        """Friction in steady sliding."""
        return float(self.record.flow(self.p, v, self.steady(v))[0])

    def check_finite(self) -> None:
        """Refuses values and derivatives that are not finite."""
        for v in self.speeds:
            values, slopes = self.record.flow_jac(self.p, v, self.steady(v))
            if not (np.isfinite(values).all() and np.isfinite(slopes).all()):
                names = ["friction", *(f"the rate of {name}" for name in self.law.states)]
                wrong = np.flatnonzero(~np.isfinite(values))
                what = names[wrong[0]] if len(wrong) else f"a derivative of {names[_first_row(slopes)]}"
                raise self.error(
                    f"is not finite at v = {v:g}: {what}; keep what is divided by, and square roots, away from 0, for "
                    "instance with v/(|v| + dv) or tanh(v/dv)"
                )

    def check_continuous(self) -> None:
        """Refuses a smooth law that jumps at rest."""
        rest, largest = self.friction(0.0), max(abs(self.friction(v)) for v in self.speeds)
        below, above = (self.friction(sign * PRACTICALLY_REST * self.scale) for sign in (-1, 1))
        if max(abs(above - rest), abs(below - rest)) > JUMP * largest:
            raise self.error(
                f"jumps at v = 0, from {below:g} to {above:g}; for true stick write a LockingLaw (sliding, breakaway), "
                "or smooth it: tanh(v/v_0) for sign(v)"
            )

    def check_passive(self) -> None:
        """Refuses friction that drives the motion."""
        for v in self.speeds:
            if (friction := self.friction(v)) * v < 0:
                raise self.error(
                    f"drives the motion: friction {friction:g} in steady sliding at v = {v:g}; friction has the sign "
                    "of the speed: turn the sign, check the parameters, or state that it is not passive"
                )

    def check_break_away(self) -> None:
        """Refuses a static limit below the friction of sliding, which would slip and stick again without end."""
        z = self.steady(0.0)
        limit, rest = float(self.record.breakaway(self.p, z)), float(self.record.flow(self.p, 0.0, z)[0])
        if not rest * (1 - ROUNDING) <= limit < math.inf:
            raise self.error(
                f"has the static limit {limit:g} below the sliding friction {rest:g} at v = 0, so it would slip at "
                "once; raise breakaway or lower sliding"
            )

    def check_jumps(self) -> None:
        """Refuses guards that stay negative after their jumps."""
        for v in self.speeds:
            start = self.steady(v)
            z, hold = start, float(self.record.flow(self.p, v, start)[0])
            for _ in range(MOST_JUMPS):
                fired = np.flatnonzero(self.record.guard(self.p, v, z, hold) < 0)
                if not len(fired):
                    break
                z = self.record.jump(self.p, v, z, hold, int(fired[0]))
            else:
                raise self.error(
                    f"jumps without end at v = {v:g} ({self.named(start)}): guard {fired[0]} stays negative; a guard "
                    "is positive after its jump: let it depend on the mode, with some hysteresis"
                )

    def named(self, z: Sequence[float] | np.ndarray) -> str:
        """States by name."""
        return ", ".join(f"{name} = {x:g}" for name, x in zip(self.law.states, z, strict=True))


def _first_row(slopes: np.ndarray) -> int:
    return int(np.argwhere(~np.isfinite(np.atleast_2d(slopes)))[0][0])
