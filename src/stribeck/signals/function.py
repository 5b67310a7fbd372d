"""Elementary functions of a signal."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ..declare import Word
from ..errors import SpecError, UnknownName
from ..traced import function
from ._graph import Graph
from ._operators import Term
from ._piecewise import Line, Piecewise
from .signal import Operand, Scope, Signal


class ElementaryFunction(NamedTuple):
    """An elementary function: operation of the kernel, value, slope, and domain."""

    op: str
    value: Callable[[float], float]
    slope: Callable[[float], float]
    lowest: float = -math.inf
    monotone: bool = True


ELEMENTARY = {
    "sqrt": ElementaryFunction(
        "SQRT", partial(function, "sqrt"), lambda u: 0.5 / function("sqrt", u) if u else math.inf, lowest=0.0
    ),
    "exp": ElementaryFunction("EXP", partial(function, "exp"), partial(function, "exp")),
    "log": ElementaryFunction("LOG", lambda u: function("log", u) if u else -math.inf, lambda u: 1 / u, lowest=5e-324),
    "sin": ElementaryFunction("SIN", partial(function, "sin"), partial(function, "cos"), monotone=False),
    "cos": ElementaryFunction("COS", partial(function, "cos"), lambda u: -function("sin", u), monotone=False),
    "tanh": ElementaryFunction("TANH", partial(function, "tanh"), lambda u: 1 - function("tanh", u) ** 2),
    "atan": ElementaryFunction("ATAN", partial(function, "atan"), lambda u: 1 / (1 + u * u)),
}
LINES = {
    "abs": [Line(0.0, 0.0, -1.0), Line(0.0, 0.0, 1.0)],
    "sign": [Line(0.0, -1.0, 0.0), Line(0.0, 1.0, 0.0)],
}
"""Piecewise linear functions with a knot at 0."""


class Function(Piecewise):
    """An elementary function of u in SI: sqrt, exp, log, sin, cos, tanh, atan, abs or sign (1 at 0).

    NumPy functions give the same: np.sin(u). The simulation stops if u leaves the domain of sqrt or log.

    >>> Torque(pendulum, tau=-9.81 * Function("sin", "pendulum.phi"))
    """

    group = "functions"
    f = Word(None, "1", "name of the function", options=(*ELEMENTARY, *LINES))
    u = Operand(None, "", "input")

    def bind(self, unit: str, owner: str, scope: Scope | None = None) -> Signal:
        """As for every signal; an input that is known to leave the domain of the function is refused."""
        bound = super().bind(unit, owner, scope)
        u = bound.p.u
        if self.f in ELEMENTARY and u.time_only and u.tight and u.span()[0] < ELEMENTARY[self.f].lowest:
            raise SpecError(
                f"{owner}: {u!r} reaches {u.span()[0]:g}, where {self.f} is not defined; limit it by Maximum"
            )
        return bound

    @property
    def tight(self) -> bool:
        """Whether the function is monotonic."""
        return super().tight and (self.f in LINES or ELEMENTARY[self.f].monotone)

    def lower(self, graph: Graph) -> int:
        if self.f in LINES:
            return super().lower(graph)
        return graph.node(ELEMENTARY[self.f].op, [graph.lower(self.p.u)])

    def knots(self) -> list[float]:
        return [0.0] if self.f in LINES else []

    def lines(self) -> list[Line]:
        return LINES.get(self.f, [])

    def at(self, t: float) -> float:
        return super().at(t) if self.f in LINES else ELEMENTARY[self.f].value(self.p.u.at(t))

    def rate(self, t: float) -> float:
        if self.f in LINES:
            return super().rate(t)
        return ELEMENTARY[self.f].slope(self.p.u.at(t)) * self.p.u.rate(t)

    def span(self) -> tuple[float, float]:
        if self.f in LINES:
            return super().span()
        formula = ELEMENTARY[self.f]
        if not formula.monotone:
            return -1.0, 1.0
        low, high = (formula.value(max(u, formula.lowest)) for u in self.p.u.span())
        return low, high


def of_numpy(name: str, values: tuple[Term, ...]) -> Signal:
    """A NumPy function of signals as a signal; arrays and unsupported functions are refused.

    >>> of_numpy("sin", (Sensor("mass.phi"),))
    Function(f='sin', u='mass.phi')
    """
    from .extremes import Maximum, Minimum

    operators: dict[str, Callable[..., Signal]] = {
        "add": operator.add,
        "subtract": operator.sub,
        "multiply": operator.mul,
        "divide": operator.truediv,
        "power": operator.pow,
        "negative": operator.neg,
        "less": operator.lt,
        "less_equal": operator.le,
        "greater": operator.gt,
        "greater_equal": operator.ge,
        "minimum": lambda *terms: Minimum(list(terms)),
        "maximum": lambda *terms: Maximum(list(terms)),
    }
    for value in values:
        if isinstance(value, list | tuple) or getattr(value, "ndim", 0) > 0:
            text = " ".join(str(value).split())
            raise SpecError(f"np.{name}: a signal is one value and {text} an array; write [k * u for k in array]")
    plain = [value.item() if hasattr(value, "item") and getattr(value, "ndim", 1) == 0 else value for value in values]
    if name in operators:
        return operators[name](*plain)
    word = {"arctan": "atan", "absolute": "abs"}.get(name, name)
    if word not in (*ELEMENTARY, *LINES):
        known = ", ".join((*ELEMENTARY, *LINES, "minimum", "maximum"))
        raise UnknownName(f"np.{name} of a signal is not supported; use {known} and the operators + - * / **")
    return Function(word, *plain)
