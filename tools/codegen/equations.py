"""The equations of a law as SymPy expressions: formulas for documents, and an independent check in tests."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import sympy

from stribeck.declare import Values
from stribeck.laws import Law, Mode
from stribeck.laws._counted import CountedLaw
from stribeck.laws._elements import ElementLaw, SeparateLaw
from stribeck.laws._hysteresis import HysteresisLaw
from stribeck.laws.functions import sign


def real(name: str) -> sympy.Symbol:
    """A real symbol: that is what every quantity of a law is."""
    return sympy.Symbol(name, real=True)


@dataclass
class Equations:
    """A law at symbolic arguments: what flow(), steady() and breakaway() of its class return.

    >>> Equations.of(LuGre).friction
    """

    law: type[Law]
    p: SimpleNamespace
    v: sympy.Symbol
    z: list[sympy.Symbol]
    friction: sympy.Expr
    rates: list[sympy.Expr]
    steady: list[sympy.Expr]
    breakaway: sympy.Expr | None

    @classmethod
    def of(cls, law: Any) -> Equations:
        """The equations of a law class; those of a counted law are in its formulas alone, element by element."""
        p = law.symbols(real)
        if issubclass(law, CountedLaw):
            return cls(law, p, real("v"), [], sympy.Integer(0), [], [], None)
        v, z = real("v"), [real(name) for name in law.states]
        flow = law.flow(p, v, *z, *law.curves(p, v))
        steady = law.steady(p, v) if z else ()
        return cls(
            law=law,
            p=p,
            v=v,
            z=z,
            friction=sympy.sympify(flow.friction),
            rates=[sympy.sympify(flow.rates.get(name, 0)) for name in law.states],
            steady=[sympy.sympify(value) for value in (steady if isinstance(steady, tuple) else (steady,))],
            breakaway=sympy.sympify(law.breakaway(p, *z)) if law.family == "locking" else None,
        )

    @property
    def parameters(self) -> list[sympy.Symbol]:
        """The parameters that are numbers, as symbols, in order of declaration."""
        return [getattr(self.p, name) for name in self.law.scalars]

    @property
    def flow(self) -> list[sympy.Expr]:
        """Friction and rates: the outputs of the C function flow()."""
        return [self.friction, *self.rates]

    def formulas(self) -> dict[str, sympy.Expr]:
        """The equations for people: friction in terms of the rates, so that each rate is written once."""
        if issubclass(self.law, HysteresisLaw):
            return _formulas_of_hysteresis(self.law)
        if issubclass(self.law, SeparateLaw):
            return _formulas_of_elements(self.law)
        states = zip(self.rates, self.z, self.law.states.values(), strict=True)
        moving = [(rate, z) for rate, z, state in states if not isinstance(state, Mode)]
        rates = {rate: real(f"{z.name}dot") for rate, z in moving if not (rate.is_Symbol or rate.is_Number)}
        formulas = {"friction": self.friction.xreplace(rates)}
        formulas |= {f"{z.name}dot": rate for rate, z in moving}
        formulas |= {f"{z.name}_steady": value for z, value in zip(self.z, self.steady, strict=False)}
        if self.breakaway is not None:
            formulas["breakaway"] = self.breakaway
        return formulas


def _formulas_of_elements(law: type[SeparateLaw]) -> dict[str, sympy.Expr]:
    """Friction from the sums of the forces F_i and of their rates; one element."""
    p, e, v = *_one(law), real("v")
    F, mode = real("F_i"), real(f"{law.mode}_i")
    formulas = {
        "friction": law.friction(p, v, real("F"), real("Fdot")),
        "F": sympy.Sum(F, (sympy.Symbol("i"), 1, sympy.Symbol("n"))),
        "F_idot": law.rate(p, e, v, F, mode, *law.curves(p, v)),
    }
    if issubclass(law, ElementLaw):
        return formulas | {"F_i_steady": sign(v) * law.limit(p, e, *law.curves(p, v))}
    force, after = law.turned(p, e, v, F, mode)
    return formulas | {"F_i_renewed": force, f"{law.mode}_i_renewed": after}


def _formulas_of_hysteresis(law: type[HysteresisLaw]) -> dict[str, sympy.Expr]:
    """Friction and the rate of the deflection from the spring force; one element."""
    p, e, v, q = *_one(law), real("v"), real("q")
    W, spring = real("W_i"), law.stiffness(p, e) * (real("z") - real("released_i"))
    start = real("F_b") if law.based else 0
    return {
        "friction": law.friction(p, v, real("F"), real("zdot")),
        "zdot": v * (1 - sign(q) * sympy.Abs(q) ** p.transition),
        "q": law.ratio(v, real("F"), start, real("s")),
        "s": law.g(p, v),
        "F": sympy.Sum(real("F_i"), (sympy.Symbol("i"), 1, sympy.Symbol("n"))),
        "F_i": sympy.Max(sympy.Min(spring + real("side_i") * W, W), -W),
        "W_i": law.limit(p, e),
    }


def _one(law: type[CountedLaw]) -> tuple[Values, Values]:
    """Parameters of a law, and of one of its elements."""
    p = Values(**{name: real(name) for name in law.scalars}, n=real("n"))
    return p, Values(**{name: real(f"{name}_i") for name in law.each})
