"""The functions of laws for SymPy: their values for numbers, and how documents write them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy
from sympy import Function, Piecewise, atan, cos, sin, sqrt

__all__ = [
    "Exp",
    "Extrapolate",
    "Interpolate",
    "Log",
    "Magnitude",
    "Piecewise",
    "PowerFunction",
    "Saturate",
    "Sign",
    "SmoothStep",
    "StribeckFunction",
    "TanhFunction",
    "atan",
    "cos",
    "sin",
    "sqrt",
]


class LawFunctionSymbol(Function):
    """A function of laws, real for real arguments."""

    is_real = True

    def _sympystr(self, printer: Any) -> str:
        return f"{type(self).__name__.lower()}({', '.join(printer._print(arg) for arg in self.args)})"

    def _latex(self, printer: Any, exp: str = "") -> str:
        text = self.latex(printer)
        return rf"\left({text}\right)^{{{exp}}}" if exp else text

    def latex(self, printer: Any) -> str:
        """Its LaTeX, without an exponent."""
        arguments = ", ".join(printer._print(arg) for arg in self.args)
        return rf"\operatorname{{{type(self).__name__.lower()}}}\left({arguments}\right)"


class Magnitude(LawFunctionSymbol):
    """|x|."""

    @classmethod
    def eval(cls, x: Any) -> Any:
        return abs(x) if x.is_Number else None

    def _sympystr(self, printer: Any) -> str:
        return f"|{printer._print(self.args[0])}|"

    def latex(self, printer: Any) -> str:
        return rf"\left|{printer._print(self.args[0])}\right|"


class Sign(LawFunctionSymbol):
    """Sign of x."""

    @classmethod
    def eval(cls, x: Any) -> Any:
        return sympy.sign(x) if x.is_Number else None

    def latex(self, printer: Any) -> str:
        return rf"\operatorname{{sgn}}\left({printer._print(self.args[0])}\right)"


class Exp(LawFunctionSymbol):
    """e^x."""

    @classmethod
    def eval(cls, x: Any) -> Any:
        return sympy.exp(x) if x.is_Number else None

    def latex(self, printer: Any) -> str:
        return rf"e^{{{printer._print(self.args[0])}}}"


class PowerFunction(LawFunctionSymbol):
    """|x|^a, and 0 at x = 0 for every a."""

    @classmethod
    def eval(cls, x: Any, a: Any) -> Any:
        if x.is_zero:
            return sympy.S.Zero
        return abs(x) ** a if x.is_Number and a.is_Number else None

    def _sympystr(self, printer: Any) -> str:
        x, a = map(printer._print, self.args)
        return f"|{x}|^{a}"

    def latex(self, printer: Any) -> str:
        x, a = map(printer._print, self.args)
        return rf"\left|{x}\right|^{{{a}}}"


class Log(LawFunctionSymbol):
    """ln|x|, and 0 at x = 0."""

    @classmethod
    def eval(cls, x: Any) -> Any:
        if x.is_zero:
            return sympy.S.Zero
        return sympy.log(abs(x)) if x.is_Number else None


class StribeckFunction(LawFunctionSymbol):
    """e^-|v/v_s|^a."""

    @classmethod
    def eval(cls, v: Any, v_s: Any, a: Any) -> Any:
        if v.is_zero:
            return sympy.S.One
        return sympy.exp(-(abs(v / v_s) ** a)) if v.is_Number and v_s.is_Number and a.is_Number else None

    def _sympystr(self, printer: Any) -> str:
        v, v_s, a = map(printer._print, self.args)
        return f"exp(-|{v}/{v_s}|^{a})"

    def latex(self, printer: Any) -> str:
        v, v_s, a = map(printer._print, self.args)
        ratio = rf"{v}/{v_s}"
        base = rf"\left({ratio}\right)" if self.args[2].is_even else rf"\left|{ratio}\right|"
        return rf"e^{{-{base}}}" if a == "1" else rf"e^{{-{base}^{{{a}}}}}"


class TanhFunction(LawFunctionSymbol):
    """Hyperbolic tangent."""

    @classmethod
    def eval(cls, x: Any) -> Any:
        return sympy.tanh(x) if x.is_Number else None

    def _sympystr(self, printer: Any) -> str:
        return f"tanh({printer._print(self.args[0])})"

    def latex(self, printer: Any) -> str:
        return rf"\tanh\left({printer._print(self.args[0])}\right)"


class SmoothStep(LawFunctionSymbol):
    """(1 + sin(pi (x - 1/2)))/2 for x from 0 to 1."""

    @classmethod
    def eval(cls, x: Any) -> Any:
        return sympy.sin(sympy.pi * min(max(x, 0), 1) / 2) ** 2 if x.is_Number else None

    def latex(self, printer: Any) -> str:
        return rf"S\left({printer._print(self.args[0])}\right)"


class Saturate(LawFunctionSymbol):
    """x/(1 + s x)."""

    @classmethod
    def eval(cls, x: Any, s: Any) -> Any:
        if x.is_zero:
            return sympy.S.Zero
        return x / (1 + s * x) if x.is_Number and s.is_Number else None

    def latex(self, printer: Any) -> str:
        x, s = map(printer._print, self.args)
        return rf"\frac{{{x}}}{{1 + {s} \cdot {x}}}"


class TabulatedFunction(LawFunctionSymbol):
    """A function of x and of the two lists of a law."""

    @classmethod
    def eval(cls, x: Any, abscissae: Any, ordinates: Any) -> Any:
        if not (x.is_Number and isinstance(abscissae, sympy.Tuple) and isinstance(ordinates, sympy.Tuple)):
            return None
        return cls.at(x, list(zip(abscissae, ordinates, strict=True)))

    @staticmethod
    def at(x: Any, points: list[tuple[Any, Any]]) -> Any:
        """The value in numbers."""
        raise NotImplementedError

    def _sympystr(self, printer: Any) -> str:
        x, _, ordinates = map(printer._print, self.args)
        return f"{ordinates}({x})"

    def latex(self, printer: Any) -> str:
        x, _, ordinates = map(printer._print, self.args)
        return rf"{ordinates}\left({x}\right)"


class Interpolate(TabulatedFunction):
    """Linear interpolation, constant outside the points."""

    @staticmethod
    def at(x: Any, points: list[tuple[Any, Any]]) -> Any:
        return Extrapolate.at(min(max(x, points[0][0]), points[-1][0]), points)


class Extrapolate(TabulatedFunction):
    """Linear interpolation, extrapolated from the first and last segment."""

    @staticmethod
    def at(x: Any, points: list[tuple[Any, Any]]) -> Any:
        lines = list(pairwise(points))
        if not lines:
            return points[0][1]
        (x0, y0), (x1, y1) = next((line for line in reversed(lines) if line[0][0] <= x), lines[0])
        return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
