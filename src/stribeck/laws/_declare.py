"""What a friction law is: its parameters, its states and its equations, in one of three families.

Equations are static functions of the parameters p, the slip speed v and the states, written with `_math`; the build
turns them into C. They give friction per unit of normal load; {load}, {disp} and {vel} stand for the units of friction,
displacement and speed at the place where the law is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from ..declare import Declared, Param, collect
from ._math import Expr

__all__ = ["BristleLaw", "Expr", "Flow", "Law", "LockingLaw", "Param", "SmoothLaw", "State", "static_below_kinetic"]


@dataclass(frozen=True)
class State:
    """A state of a law: unit, text, and as functions of the parameters its typical size (scales the error test) and the
    size that the equations never let it exceed, if there is one (a step that does so is repeated with a smaller size).

    >>> z = State("{disp}", "mean bristle deflection", nominal=lambda p: p.mu_s / p.sigma0)
    """

    unit: str
    text: str
    nominal: Callable[[Any], float]
    bound: Callable[[Any], float] = lambda p: inf


class Flow:
    """What a law states at one instant: friction per unit load and the rate of each state.

    >>> Flow(z=v - z, friction=z)
    """

    def __init__(self, friction: Expr, **rates: Expr) -> None:
        self.friction = friction
        self.rates = rates


class Law(Declared):
    """Base of the friction laws; `source` says where the equations come from."""

    name: ClassVar[str]
    family: ClassVar[str]
    source: ClassVar[str]
    states: ClassVar[dict[str, State]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.name = cls.__name__.lower()
        cls.states = cls.states | collect(cls, State)

    @staticmethod
    def nominal_speed(p: Any) -> float:
        """Slip speed within which the law changes its character (scales the error test); none by default."""
        return inf

    @staticmethod
    def checks(p: Any) -> list[str]:
        """Warnings about these parameters (numbers, not symbols), each with its numbers; none by default."""
        return []


class SmoothLaw(Law):
    """Friction as a function of speed, continuous at 0."""

    family = "smooth"
    friction: ClassVar[Callable[..., Expr]]
    """friction(p, v)"""

    @classmethod
    def flow(cls, p: Any, v: Expr) -> Flow:
        """The friction curve as a flow without states."""
        return Flow(cls.friction(p, v))


class BristleLaw(Law):
    """Friction with states. Several states follow each other in order of declaration: flow(p, v, x, y)."""

    family = "bristle"
    flow: ClassVar[Callable[..., Flow]]
    """flow(p, v, z): friction and the rates of the states"""
    steady: ClassVar[Callable[..., Any]]
    """steady(p, v): the state, or a tuple of states, with zero rates at constant speed; 0 at v = 0"""
    storage: ClassVar[Callable[..., Expr]]
    """storage(p, z): energy stored in the states per unit load"""


class LockingLaw(Law):
    """Friction that truly sticks at v = 0."""

    family = "locking"
    sliding: ClassVar[Callable[..., Expr]]
    """sliding(p, v): friction for v >= 0, smooth also just below 0; for v < 0 it is mirrored"""
    breakaway: ClassVar[Callable[..., Expr]]
    """breakaway(p): the static limit"""

    @classmethod
    def flow(cls, p: Any, v: Expr) -> Flow:
        """The sliding curve as a flow without states."""
        return Flow(cls.sliding(p, v))


def static_below_kinetic(p: Any) -> list[str]:
    """The fault of a static friction below the Coulomb friction, which no contact has.

    >>> static_below_kinetic(SimpleNamespace(mu_c=2, mu_s=1.5))
    ['mu_s = 1.5 must not be below mu_c = 2; raise mu_s or lower mu_c']
    """
    if p.mu_s < p.mu_c:
        return [f"mu_s = {p.mu_s:g} must not be below mu_c = {p.mu_c:g}; raise mu_s or lower mu_c"]
    return []
