"""Operators between signals, numbers and texts; NumPy functions of signals are signals too."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from ..errors import SpecError

if TYPE_CHECKING:
    import numpy as np

    from .signal import Signal

Term: TypeAlias = "Arithmetic | float | str"
"""Operands of expressions: a signal, a number, or a text such as "3 N.m" or "mass.w"."""


class Arithmetic:
    """The operators of signals: + - * / ** abs, comparisons, & | ~; `==` compares declarations.

    >>> error = Ramp("1 rad", duration=2) - Sensor("mass.phi")
    >>> 30 * error - 2 * Sensor("mass.w") + 5 * Integral(error)
    """

    def __add__(self, other: Term) -> Signal:
        return _sum(self, 1, other)

    def __radd__(self, other: Term) -> Signal:
        return _sum(other, 1, self)

    def __sub__(self, other: Term) -> Signal:
        return _sum(self, -1, other)

    def __rsub__(self, other: Term) -> Signal:
        return _sum(other, -1, self)

    def __neg__(self) -> Signal:
        return self * -1

    def __pos__(self) -> Signal:
        return cast("Signal", self)

    def __mul__(self, other: Term) -> Signal:
        from .arithmetic import Gain, Product
        from .constant import Constant

        first, second = _signal(self), _signal(other)
        for factor, signal in ((second, first), (first, second)):
            if isinstance(factor, Constant) and factor.place is None:  # one with a place is a parameter of a model
                return Gain(signal, factor.value)
        return Product(first, second)

    __rmul__ = __mul__

    def __truediv__(self, other: Term) -> Signal:
        from .arithmetic import Quotient

        return Quotient(_signal(self), _signal(other))

    def __rtruediv__(self, other: Term) -> Signal:
        from .arithmetic import Quotient

        return Quotient(_signal(other), _signal(self))

    def __pow__(self, exponent: float | str) -> Signal:
        from .arithmetic import Power

        if isinstance(exponent, Arithmetic):
            raise SpecError(f"{self!r} ** {exponent!r}: the exponent must be a number; write Function('exp', ...)")
        return Power(self, exponent)

    def __abs__(self) -> Signal:
        from .function import Function

        return Function("abs", self)

    def __lt__(self, other: Term) -> Signal:
        return _compare(self, "<", other)

    def __le__(self, other: Term) -> Signal:
        return _compare(self, "<=", other)

    def __gt__(self, other: Term) -> Signal:
        return _compare(self, ">", other)

    def __ge__(self, other: Term) -> Signal:
        return _compare(self, ">=", other)

    def __and__(self, other: Term) -> Signal:
        from .comparison import And

        return And([self, other])

    __rand__ = __and__

    def __or__(self, other: Term) -> Signal:
        from .comparison import Or

        return Or([self, other])

    __ror__ = __or__

    def __invert__(self) -> Signal:
        from .comparison import Not

        return Not(self)

    def __array_ufunc__(self, function: np.ufunc, method: str, *values: Term, **options: object) -> Signal:
        """NumPy functions of signals: np.sin(u), np.maximum(u, 0), np.float64(3) * u."""
        from .function import of_numpy

        return of_numpy(function.__name__, values) if method == "__call__" and not options else NotImplemented


def _signal(value: Term) -> Signal:
    """A number, text or signal as a signal."""
    from .signal import Operand

    return Operand(None, "", "operand").accept(value, "expression", "operand")


def _sum(first: Term, sign: int, second: Term) -> Signal:
    """first + sign * second; if the first is a sum, it is extended."""
    from .arithmetic import Sum

    terms, gains = [_signal(first)], [1]
    if isinstance(terms[0], Sum):
        terms, gains = terms[0].terms, terms[0].gains or [1] * len(terms[0].terms)
    terms, gains = [*terms, _signal(second)], [*gains, sign]
    return Sum(terms) if all(gain == 1 for gain in gains) else Sum(terms, gains)


def _compare(left: Term, relation: str, right: Term) -> Signal:
    from .comparison import Compare

    return Compare(left, relation, right)
