"""The equations of a law as SymPy expressions, with their exact derivatives."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import sympy

from ..laws import Law


def real(name: str) -> sympy.Symbol:
    """A real symbol: that is what every quantity of a law is."""
    return sympy.Symbol(name, real=True)


@dataclass
class Equations:
    """A law at symbolic arguments: what flow(), steady(), storage() and breakaway() of its class return.

    >>> Equations.of(LuGre).friction.diff(v)
    """

    law: type[Law]
    p: SimpleNamespace
    v: sympy.Symbol
    z: list[sympy.Symbol]
    friction: sympy.Expr
    rates: list[sympy.Expr]
    steady: list[sympy.Expr]
    storage: sympy.Expr | None
    breakaway: sympy.Expr | None

    @classmethod
    def of(cls, law: Any) -> Equations:
        """The equations of a law class."""
        p = SimpleNamespace(**{name: real(name) for name in law.params})
        v, z = real("v"), [real(name) for name in law.states]
        flow = law.flow(p, v, *z)
        if list(flow.rates) != list(law.states):
            raise ValueError(
                f"{law.__name__}: flow() gives rates for {list(flow.rates)}, the states are {list(law.states)}"
            )
        steady = law.steady(p, v) if z else ()
        return cls(
            law=law,
            p=p,
            v=v,
            z=z,
            friction=sympy.sympify(flow.friction),
            rates=[sympy.sympify(rate) for rate in flow.rates.values()],
            steady=[sympy.sympify(value) for value in (steady if isinstance(steady, tuple) else (steady,))],
            storage=sympy.sympify(law.storage(p, *z)) if z else None,
            breakaway=sympy.sympify(law.breakaway(p)) if law.family == "locking" else None,
        )

    @property
    def parameters(self) -> list[sympy.Symbol]:
        """The parameters as symbols, in order of declaration."""
        return list(vars(self.p).values())

    @property
    def flow(self) -> list[sympy.Expr]:
        """Friction and rates: the outputs of the C function flow()."""
        return [self.friction, *self.rates]

    def formulas(self) -> dict[str, sympy.Expr]:
        """The equations for people: friction in terms of the rates, so that each rate is written once."""
        rates = {rate: real(f"{z.name}dot") for rate, z in zip(self.rates, self.z, strict=True)}
        formulas = {"friction": self.friction.xreplace(rates)}
        formulas |= {symbol.name: rate for rate, symbol in rates.items()}
        if self.breakaway is not None:
            formulas["breakaway"] = self.breakaway
        return formulas


def jacobian(outputs: list[sympy.Expr], symbols: list[sympy.Symbol]) -> list[sympy.Expr]:
    """The derivatives of every output by every symbol, row-major.

    >>> jacobian([a * b], [a, b])
    [b, a]
    """
    return [output.diff(symbol) for output in outputs for symbol in symbols]
