"""The bristle model of Haessig and Friedland: bonds that bend, snap, and form again elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

from ..declare import Count
from ._counted import MOST
from ._elements import SeparateLaw
from ._parameters import MU_C, MU_V, positive
from ._step_needs import StepConditions, StepNeed
from .functions import Piecewise, sign, sqrt
from .law import Expr, Memory, Param, Role, Series, State, Values

PEAK = 1.5
"""Friction of all bristles at their limits over their mean in sliding. New bonds are bent by u from 0 to 1 of the
limit, all equally likely, so a bristle moves on by 1 - u; its mean over that way is (1 - 1/3)/2 over 1/2, or 2/3."""

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71)


class Bristle(SeparateLaw):
    """Bristles (Haessig-Friedland): n bonds that bend with the motion; one that is bent by delta snaps and is renewed.

    A new bond is bent by a share of delta that is evenly distributed between 0 and 1: the fractional parts of
    multiples of an irrational number, a different one for every bristle. They are part of the state, so every run with
    the same motion is the same. A first motion breaks away at 1.5 mu_c, the friction of all bristles bent by delta;
    sliding friction scatters about mu_c, by mu_c/sqrt(8 n). Every renewal is located as an event: with a small delta
    that takes long. The printed model has no damping.

    >>> Bearing(mass, law=Bristle(n=20, tau_c=1, delta=1e-2))
    """

    source = (
        "D. A. Haessig, B. Friedland: On the Modeling and Simulation of Friction. Journal of Dynamic Systems, "
        "Measurement, and Control 113 (1991) 354-362"
    )

    n = Count(20, "1", "number of bristles", min=1, max=MOST, role=Role.NUMERICAL)
    mu_c = positive(MU_C)
    delta = Param(1e-2, "{disp}", "deflection at which a bristle snaps", above=0, role=Role.SHAPE)
    mu_v = MU_V
    increment = Series(
        None,
        "1",
        "what is added to the deflection of a bristle, as a share of delta, from one renewal to the next, less whole "
        "numbers; default the fractional parts of the square roots of prime numbers",
        above=0,
        optional=True,
        role=Role.NUMERICAL,
    )

    mode = "bent"
    settles = False

    @classmethod
    def mode_state(cls, i: int | str) -> State:
        return Memory("1", f"deflection of bristle {i} when it was last renewed, over delta", lambda p: 1.0, False)

    @staticmethod
    def default_of(name: str, n: int) -> list[float]:
        return [prime**0.5 - isqrt(prime) for prime in PRIMES[:n]]

    @staticmethod
    def normal(values: Sequence[Any]) -> list[Any]:
        return list(values)

    @classmethod
    def faults(cls, p: Values) -> list[str]:
        high = [x for x in p.increment or [] if x >= 1]
        text = f"increment has {high[0]:g}; give shares of delta below 1" if high else ""
        return [*([text] if high else []), *super().faults(p)]

    @staticmethod
    def stiffness(p: Values, e: Values) -> Expr:
        return PEAK * p.mu_c / (p.n * p.delta)

    @staticmethod
    def limit(p: Values, e: Values) -> Expr:
        """Force at which a bristle snaps."""
        return PEAK * p.mu_c / p.n

    rest_limit = limit

    @classmethod
    def rate(cls, p: Values, e: Values, v: Expr, F: Expr, bent: Expr) -> Expr:
        return cls.stiffness(p, e) * v

    @staticmethod
    def friction(p: Values, v: Expr, F: Expr, dF: Expr) -> Expr:
        return F + p.mu_v * v

    @classmethod
    def guard(cls, p: Values, e: Values, v: Expr, F: Expr, bent: Expr) -> Expr:
        return 1 - sign(v) * F / cls.limit(p, e)

    @staticmethod
    def renewed(e: Values, bent: Expr) -> Expr:
        """The next deflection of a new bond, over delta."""
        return Piecewise((bent + e.increment, bent + e.increment < 1), (bent + e.increment - 1, True))

    @classmethod
    def turned(cls, p: Values, e: Values, v: Expr, F: Expr, bent: Expr) -> tuple[Expr, Expr]:
        share = cls.renewed(e, bent)
        return sign(F) * share * cls.limit(p, e), share

    @classmethod
    def steady(cls, p: Values, v: Expr) -> tuple[Expr, ...]:
        # After long sliding deflections are distributed with the density 2 x: as roots of even ones
        elements = cls.elements(p)
        shares = [sqrt(e.increment) for e in elements]
        forces = [sign(v) * share * cls.limit(p, e) for e, share in zip(elements, shares, strict=True)]
        return (*forces, *(sign(v) ** 2 * e.increment for e in elements))

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        way = at.h * at.speed
        need = StepNeed(
            "delta",
            1,
            lambda c: way / c,
            rule="delta > h |v|/c",
            why="a bristle must not pass the deflection at which it snaps within a step by more than c of it",
            numbers=f", |v| = {at.speed:.4g} at {at.speed_time:g} s",
            of_states=True,
        )
        return [need]
