"""The equations of a law as SymPy expressions, with their exact derivatives."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from types import SimpleNamespace
from typing import Any

import sympy

from stribeck.laws import Flow, Law, Mode


def real(name: str) -> sympy.Symbol:
    """A real symbol: that is what every quantity of a law is."""
    return sympy.Symbol(name, real=True)


@dataclass
class Equations:
    """A law at symbolic arguments: what flow(), steady(), storage() and the others of its class return.

    >>> Equations.of(LuGre).friction.diff(v)
    """

    law: type[Law]
    p: SimpleNamespace
    v: sympy.Symbol
    z: list[sympy.Symbol]
    hold: sympy.Symbol
    friction: sympy.Expr
    rates: list[sympy.Expr]
    steady: list[sympy.Expr]
    storage: sympy.Expr | None
    breakaway: sympy.Expr | None
    stick: list[sympy.Expr]
    guards: list[sympy.Expr]
    jumps: list[list[sympy.Expr]]
    """All states after each guard has become negative."""
    held_flow: list[sympy.Expr]
    """Friction and rates with the curves of the speed at v_held: a step of the fixed-step solver keeps them at one
    speed, because the equations of a step would have three solutions where a curve falls steeply."""

    v_held = real("v_held")
    """The speed at which curves are held in `held_flow`."""

    which = sympy.Symbol("which", integer=True)
    """The number of the guard that has become negative."""

    @classmethod
    def of(cls, law: Any) -> Equations:
        """The equations of a law class."""
        p = SimpleNamespace(**{name: real(name) for name in law.params})
        v, z, hold = real("v"), [real(name) for name in law.states], real("hold")
        flow = law.flow(p, v, *z, *law.curves(p, v))
        held = law.flow(p, v, *z, *law.curves(p, cls.v_held))
        continuous = [name for name, state in law.states.items() if not isinstance(state, Mode)]
        if list(flow.rates) != continuous:
            raise ValueError(f"{law.__name__}: flow() gives rates for {list(flow.rates)}, the states are {continuous}")
        steady = law.steady(p, v) if z else ()
        jumps = law.jumps(p, v, *z, hold=hold) if len(continuous) < len(z) else []
        stick = law.stick(p) if law.family == "locking" and law.lock != "switch" else None
        return cls(
            law=law,
            p=p,
            v=v,
            z=z,
            hold=hold,
            friction=_outputs(flow, law)[0],
            rates=_outputs(flow, law)[1:],
            held_flow=_outputs(held, law),
            steady=[sympy.sympify(value) for value in (steady if isinstance(steady, tuple) else (steady,))],
            storage=sympy.sympify(law.storage(p, *z)) if law.family == "bristle" else None,
            breakaway=sympy.sympify(law.breakaway(p)) if law.family == "locking" else None,
            stick=[sympy.sympify(value) for value in astuple(stick)] if stick else [],
            guards=[sympy.sympify(jump.guard) for jump in jumps],
            jumps=[[sympy.sympify(jump.states.get(symbol.name, symbol)) for symbol in z] for jump in jumps],
        )

    @property
    def discrete(self) -> set[sympy.Symbol]:
        """The discrete states: nothing is differentiated by them."""
        return {z for z, state in zip(self.z, self.law.states.values(), strict=True) if isinstance(state, Mode)}

    @property
    def parameters(self) -> list[sympy.Symbol]:
        """The parameters that are numbers, as symbols, in order of declaration."""
        return [getattr(self.p, name) for name in self.law.scalars]

    @property
    def curve(self) -> list[sympy.Symbol]:
        """The parameters that are lists of points, as symbols."""
        return [getattr(self.p, name) for name in self.law.curve]

    @property
    def flow(self) -> list[sympy.Expr]:
        """Friction and rates: the outputs of the C function flow()."""
        return [self.friction, *self.rates]

    @property
    def slopes(self) -> list[sympy.Expr]:
        """The derivatives of friction and rates by speed and states, row-major; 0 by discrete states."""
        return self._slopes(self.flow)

    def _slopes(self, outputs: list[sympy.Expr]) -> list[sympy.Expr]:
        columns = [self.v, *self.z]
        return [sympy.S.Zero if x in self.discrete else output.diff(x) for output in outputs for x in columns]

    @property
    def held(self) -> tuple[list[sympy.Expr], list[sympy.Expr]]:
        """Friction and rates with the curves at another speed, and their derivatives."""
        return self.held_flow, self._slopes(self.held_flow)

    @property
    def linear(self) -> bool:
        """Whether friction and rates are linear in the states at constant speed."""
        moving = [z for z in self.z if z not in self.discrete]
        return all(_vanishes(output.diff(x).diff(y)) for output in self.flow for x in moving for y in moving)

    @property
    def gradient(self) -> list[sympy.Expr]:
        """The derivatives of the stored energy by the states; 0 by discrete ones."""
        return [sympy.S.Zero if x in self.discrete else sympy.diff(self.storage, x) for x in self.z]

    @property
    def curvature(self) -> list[sympy.Expr]:
        """The second derivatives of the stored energy by the states, row-major; 0 by discrete ones."""
        return [sympy.S.Zero if x in self.discrete else sympy.diff(g, x) for g in self.gradient for x in self.z]

    @property
    def jump(self) -> list[sympy.Expr]:
        """All states after the jump number `which`."""
        conditions = [*(sympy.Eq(self.which, i) for i in range(len(self.jumps) - 1)), True]
        return [sympy.Piecewise(*zip(values, conditions, strict=True)) for values in zip(*self.jumps, strict=True)]

    def formulas(self) -> dict[str, sympy.Expr]:
        """The equations for people: friction in terms of the rates, so that each rate is written once."""
        moving = [(rate, z) for rate, z in zip(self.rates, self.z, strict=True) if z not in self.discrete]
        rates = {rate: real(f"{z.name}dot") for rate, z in moving if not rate.is_Symbol}
        formulas = {"friction": self.friction.xreplace(rates)}
        formulas |= {f"{z.name}dot": rate for rate, z in moving}
        formulas |= {f"{z.name}_steady": value for z, value in zip(self.z, self.steady, strict=False)}
        if self.breakaway is not None:
            formulas["breakaway"] = self.breakaway
        return formulas


def _outputs(flow: Flow, law: type[Law]) -> list[sympy.Expr]:
    """Friction and the rates of all states, those of discrete ones 0."""
    return [sympy.sympify(value) for value in (flow.friction, *(flow.rates.get(name, 0) for name in law.states))]


def _vanishes(expression: sympy.Expr) -> bool:
    """Whether it is 0, in all of its cases."""
    if expression.is_Piecewise:
        return all(_vanishes(value) for value, _ in expression.args)
    return bool(expression == 0)
