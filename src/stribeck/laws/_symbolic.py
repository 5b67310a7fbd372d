"""SymPy functions with the derivatives that a simulation needs: finite everywhere, no delta functions.

Each states its value (for numbers), its slope, its C function (kernel/include/sb_law_math.h) and its LaTeX.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Function, Piecewise, sqrt

__all__ = ["Exp", "Fading", "Log", "Magnitude", "Piecewise", "Power", "Reciprocal", "Sign", "Stribeck", "sqrt"]


class CFunction(Function):
    """A function that C knows under `c_name`."""

    c_name: str
    is_real = True

    def _ccode(self, printer: Any) -> str:
        return f"{self.c_name}({', '.join(printer._print(arg) for arg in self.args)})"

    def _sympystr(self, printer: Any) -> str:
        return f"{type(self).__name__.lower()}({', '.join(printer._print(arg) for arg in self.args)})"


class Magnitude(CFunction):
    """|x|; slope sign(x)."""

    c_name = "fabs"

    @classmethod
    def eval(cls, x: Any) -> Any:
        return abs(x) if x.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        return Sign(self.args[0])

    def _sympystr(self, printer: Any) -> str:
        return f"|{printer._print(self.args[0])}|"

    def _latex(self, printer: Any) -> str:
        return rf"\left|{printer._print(self.args[0])}\right|"


class Sign(CFunction):
    """Sign of x; slope 0."""

    c_name = "sb_sign"

    @classmethod
    def eval(cls, x: Any) -> Any:
        return sympy.sign(x) if x.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        return sympy.S.Zero

    def _latex(self, printer: Any) -> str:
        return rf"\operatorname{{sgn}}\left({printer._print(self.args[0])}\right)"


class Exp(CFunction):
    """e^x."""

    c_name = "sb_exp"

    @classmethod
    def eval(cls, x: Any) -> Any:
        return sympy.exp(x) if x.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        return self

    def _latex(self, printer: Any) -> str:
        return rf"e^{{{printer._print(self.args[0])}}}"


class Power(CFunction):
    """|x|^a, and 0 at x = 0 for every a: the slope of |x|^a stays finite there."""

    c_name = "sb_power"

    @classmethod
    def eval(cls, x: Any, a: Any) -> Any:
        if x.is_zero:
            return sympy.S.Zero
        return abs(x) ** a if x.is_Number and a.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        x, a = self.args
        return a * Power(x, a - 1) * Sign(x) if argindex == 1 else self * Log(x)


class Log(CFunction):
    """ln|x|, and 0 at x = 0, where it occurs times a power of x."""

    c_name = "sb_log"

    @classmethod
    def eval(cls, x: Any) -> Any:
        if x.is_zero:
            return sympy.S.Zero
        return sympy.log(abs(x)) if x.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        return Sign(self.args[0]) * Power(self.args[0], -1)


class Fading(CFunction):
    """s*x, and 0 where s has decayed to 0: x may overflow there."""

    c_name = "sb_fading"

    @classmethod
    def eval(cls, s: Any, x: Any) -> Any:
        return s * x if s.is_Number and x.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        return self.args[2 - argindex]


class Stribeck(CFunction):
    """e^-|v/v_s|^a. Slopes are stated through the function itself, so that the exponential is computed once."""

    c_name = "sb_stribeck"

    @classmethod
    def eval(cls, v: Any, v_s: Any, a: Any) -> Any:
        if v.is_zero:
            return sympy.S.One
        return sympy.exp(-(abs(v / v_s) ** a)) if v.is_Number and v_s.is_Number and a.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        v, v_s, a = self.args
        if argindex == 3:
            return -Fading(self, Power(v / v_s, a) * Log(v / v_s))
        # d|r|^a/dr = a |r|^(a-1) sign(r), written without the power for a = 1 and 2
        slope = {1: Sign(v), 2: 2 * v / v_s}.get(a, a * Power(v / v_s, a - 1) * Sign(v))
        return -Fading(self, slope / v_s if argindex == 1 else -slope * v / v_s**2)

    def _ccode(self, printer: Any) -> str:
        v, v_s, a = self.args
        if a in (1, 2):
            return f"sb_stribeck{a}({printer._print(v)}, {printer._print(v_s)})"
        return super()._ccode(printer)

    def _sympystr(self, printer: Any) -> str:
        v, v_s, a = map(printer._print, self.args)
        return f"exp(-|{v}/{v_s}|^{a})"

    def _latex(self, printer: Any) -> str:
        v, v_s, a = map(printer._print, self.args)
        ratio = rf"{v}/{v_s}"
        base = rf"\left({ratio}\right)" if self.args[2].is_even else rf"\left|{ratio}\right|"
        return rf"e^{{-{base}}}" if a == "1" else rf"e^{{-{base}^{{{a}}}}}"


class Reciprocal(Function):
    """1/x as an operation of its own, so that one division serves every power of it; never reaches C."""
