"""Sums, products and powers of signals."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..declare import Param, Series, Values
from ..errors import SpecError
from ..traced import power
from ._graph import Graph, weighted
from .constant import Constant
from .signal import Operand, Operands, Scope, Signal


class Gain(Signal):
    """`k * u`.

    >>> 3 * Sensor("mass.w")
    Gain(u='mass.w', k=3)
    """

    group = "expressions"
    u = Operand(None, "", "input")
    k = Param(None, "", "factor")

    @property
    def tight(self) -> bool:
        """As for the input."""
        return bool(self.p.u.tight)

    def lower(self, graph: Graph) -> int:
        return weighted(graph, [(self.p.k, graph.lower(self.p.u))])

    def at(self, t: float) -> float:
        return self.p.k * self.p.u.at(t)

    def rate(self, t: float) -> float:
        return self.p.k * self.p.u.rate(t)

    def span(self) -> tuple[float, float]:
        return _scaled(self.p.k, self.p.u.span())


class Sum(Signal):
    """`gains[0] terms[0] + gains[1] terms[1] + ...`; without gains they are all 1.

    >>> Sensor("disc.phi") - Sensor("motor.phi") + 1
    Sum(terms=['disc.phi', 'motor.phi', 1], gains=[1, -1, 1])
    """

    group = "expressions"
    terms = Operands(None, "{value}", "the terms")
    gains = Series(None, "", "their factors", optional=True)

    @staticmethod
    def faults(p: Values) -> list[str]:
        if p.gains is not None and len(p.gains) != len(p.terms):
            return [f"there are {len(p.terms)} terms and {len(p.gains)} gains; give one gain for each term, or none"]
        return []

    @property
    def weights(self) -> list[tuple[float, Signal]]:
        """Factor and signal of each term."""
        return list(zip(self.p.gains or [1.0] * len(self.p.terms), self.p.terms, strict=True))

    @property
    def tight(self) -> bool:
        """Whether at most one term changes."""
        changing = [term for term in self.p.terms if not isinstance(term, Constant)]
        return len(changing) <= 1 and all(term.tight for term in changing)

    def lower(self, graph: Graph) -> int:
        constant, terms = 0.0, []
        for k, term in self.weights:
            if isinstance(term, Constant):
                constant += k * term.p.value
            elif isinstance(term, Gain):
                terms.append((k * term.p.k, graph.lower(term.p.u)))
            else:
                terms.append((k, graph.lower(term)))
        return weighted(graph, terms, constant)

    def at(self, t: float) -> float:
        return sum(k * term.at(t) for k, term in self.weights)

    def rate(self, t: float) -> float:
        return sum(k * term.rate(t) for k, term in self.weights)

    def span(self) -> tuple[float, float]:
        spans = [_scaled(k, term.span()) for k, term in self.weights]
        return sum(low for low, _ in spans), sum(high for _, high in spans)


class Product(Signal):
    """`u * v`.

    >>> Sensor("brake.tau") * Sensor("brake.w_rel")
    Product(u='brake.tau', v='brake.w_rel')
    """

    group = "expressions"
    op = "PRODUCT"
    u = Operand(None, "", "first factor")
    v = Operand(None, "", "second factor")

    def at(self, t: float) -> float:
        return self.p.u.at(t) * self.p.v.at(t)

    def rate(self, t: float) -> float:
        u, v = self.p.u, self.p.v
        return u.rate(t) * v.at(t) + u.at(t) * v.rate(t)

    def span(self) -> tuple[float, float]:
        return _hull(_times(x, y) for x in self.p.u.span() for y in self.p.v.span())


class Quotient(Signal):
    """`u / v`; the simulation stops if v reaches 0.

    >>> Sensor("motor.tau") / Sensor("motor.w")
    Quotient(u='motor.tau', v='motor.w')
    """

    group = "expressions"
    op = "QUOTIENT"
    u = Operand(None, "", "dividend")
    v = Operand(None, "", "divisor")

    def bind(self, unit: str, owner: str, scope: Scope | None = None) -> Signal:
        """As for every signal; a divisor that is known to become 0 is refused."""
        bound = super().bind(unit, owner, scope)
        v = bound.p.v
        if v.time_only and v.tight:
            low, high = v.span()
            if low <= 0 <= high and (low == high or not v.jumps()):
                raise SpecError(f"{owner}: the divisor {v!r} becomes 0; keep it away from 0, for instance by Maximum")
        return bound

    def at(self, t: float) -> float:
        return self.p.u.at(t) / self.p.v.at(t)

    def rate(self, t: float) -> float:
        u, v = self.p.u, self.p.v
        return (u.rate(t) - self.at(t) * v.rate(t)) / v.at(t)

    def span(self) -> tuple[float, float]:
        low, high = self.p.v.span()
        if low <= 0 <= high:
            return -math.inf, math.inf
        return _hull(_times(x, 1 / y) for x in self.p.u.span() for y in (low, high))


class Power(Signal):
    """`u ** exponent`; with a fractional exponent the simulation stops if u becomes negative.

    >>> Sensor("fan.w") ** 2
    Power(u='fan.w', exponent=2)
    """

    group = "expressions"
    op = "POWER"
    u = Operand(None, "", "base")
    exponent = Param(None, "1", "exponent")

    def bind(self, unit: str, owner: str, scope: Scope | None = None) -> Signal:
        """As for every signal; a base that is known to leave the domain of the power is refused."""
        bound = super().bind(unit, owner, scope)
        u, exponent = bound.p.u, bound.p.exponent
        if u.time_only and u.tight:
            low, high = u.span()
            if (low < 0 and exponent != int(exponent)) or (low <= 0 <= high and exponent < 0):
                raise SpecError(f"{owner}: {u!r} reaches {low:g}, where the power {exponent:g} is not defined")
        return bound

    def data(self) -> list[float]:
        return [self.p.exponent]

    def at(self, t: float) -> float:
        return power(self.p.u.at(t), self.p.exponent)

    def rate(self, t: float) -> float:
        u, n = self.p.u, self.p.exponent
        return n * power(u.at(t), n - 1) * u.rate(t) if n else 0.0

    def span(self) -> tuple[float, float]:
        low, high = self.p.u.span()
        inner = [0.0] if low < 0 < high else []
        return _hull(power(x, self.p.exponent) for x in (low, high, *inner))


class Polynomial(Signal):
    """`coefficients[0] + coefficients[1] u + coefficients[2] u^2 + ...`, in SI.

    >>> Bearing(mass, law=LuGre(), load=Polynomial("mass.phi", [1, 0.1, -0.02]))
    """

    group = "functions"
    op = "POLYNOMIAL"
    u = Operand(None, "", "input")
    coefficients = Series(None, "", "coefficients, the constant first")

    @staticmethod
    def faults(p: Values) -> list[str]:
        return [] if p.coefficients else ["coefficients = [] is empty; give at least the constant"]

    @property
    def tight(self) -> bool:
        """Whether it is linear."""
        return len(self.p.coefficients) <= 2 and bool(self.p.u.tight)

    def data(self) -> list[float]:
        return list(self.p.coefficients)

    def at(self, t: float) -> float:
        return _horner(self.p.coefficients, self.p.u.at(t))

    def rate(self, t: float) -> float:
        slopes = [n * c for n, c in enumerate(self.p.coefficients)][1:]
        return _horner(slopes, self.p.u.at(t)) * self.p.u.rate(t)

    def span(self) -> tuple[float, float]:
        low, high = self.p.u.span()
        size = max(abs(low), abs(high))
        constant, *rest = self.p.coefficients
        if not any(rest[1:]):
            return _hull(constant + _times(c, x) for c in rest[:1] or [0.0] for x in (low, high))
        swing = sum(_times(abs(c), size**n) for n, c in enumerate(rest, start=1))
        return constant - swing, constant + swing


def _horner(coefficients: Iterable[float], x: float) -> float:
    value = 0.0
    for c in reversed(list(coefficients)):
        value = value * x + c
    return value


def _times(x: float, y: float) -> float:
    """The product of two bounds, with 0 times infinity = 0."""
    return x * y if x and y else 0.0


def _scaled(k: float, span: tuple[float, float]) -> tuple[float, float]:
    return _hull(_times(k, x) for x in span)


def _hull(values: Iterable[float]) -> tuple[float, float]:
    values = list(values)
    return min(values), max(values)
