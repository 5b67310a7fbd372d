"""The equations of a law as SymPy expressions: formulas for documents, and an independent check in tests."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import sympy

from stribeck.declare import Values
from stribeck.laws import Law, Mode
from stribeck.laws._elements import ElementLaw
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
        """The equations of a law class."""
        p = law.symbols(real)
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
        if issubclass(self.law, ElementLaw):
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


def _formulas_of_elements(law: type[ElementLaw]) -> dict[str, sympy.Expr]:
    """Friction from the sums of the forces F_i and of their rates; one element."""
    p = Values(**{name: real(name) for name in law.scalars})
    e = Values(**{name: real(f"{name}_i") for name in law.each})
    v, F, slip = real("v"), real("F_i"), real("slip_i")
    g = law.curves(p, v)
    return {
        "friction": law.friction(p, v, real("F"), real("Fdot")),
        "F": sympy.Sum(F, (sympy.Symbol("i"), 1, sympy.Symbol("n"))),
        "F_idot": law.rate(p, e, v, F, slip, *g),
        "F_i_steady": sign(v) * law.limit(p, e, *g),
    }
