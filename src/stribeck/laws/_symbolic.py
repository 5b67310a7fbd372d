"""SymPy functions with derivatives fit for simulation: finite everywhere, no delta functions.

Each states its value (for numbers), its slope, its C function (kernel/include/sb_law_math.h) and its LaTeX.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy
from sympy import Function, Piecewise, sqrt

__all__ = [
    "Exp",
    "Extrapolate",
    "Fading",
    "Interpolate",
    "Log",
    "Magnitude",
    "Piecewise",
    "PowerFunction",
    "Reciprocal",
    "Saturate",
    "Sign",
    "SmoothStep",
    "StribeckFunction",
    "TanhFunction",
    "sqrt",
]


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


class PowerFunction(CFunction):
    """|x|^a, and 0 at x = 0 for every a, so that the slope of |x|^a is finite there."""

    c_name = "sb_power"

    @classmethod
    def eval(cls, x: Any, a: Any) -> Any:
        if x.is_zero:
            return sympy.S.Zero
        return abs(x) ** a if x.is_Number and a.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        x, a = self.args
        return a * PowerFunction(x, a - 1) * Sign(x) if argindex == 1 else self * Log(x)


class Log(CFunction):
    """ln|x|, and 0 at x = 0, where it is multiplied by a power of x."""

    c_name = "sb_log"

    @classmethod
    def eval(cls, x: Any) -> Any:
        if x.is_zero:
            return sympy.S.Zero
        return sympy.log(abs(x)) if x.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        return Sign(self.args[0]) * PowerFunction(self.args[0], -1)


class Fading(CFunction):
    """s*x, and 0 where s = 0, because x may overflow there."""

    c_name = "sb_fading"

    @classmethod
    def eval(cls, s: Any, x: Any) -> Any:
        return s * x if s.is_Number and x.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        return self.args[2 - argindex]


class StribeckFunction(CFunction):
    """e^-|v/v_s|^a. Slopes are expressed by the function itself, so the exponential is computed once."""

    c_name = "sb_stribeck"

    @classmethod
    def eval(cls, v: Any, v_s: Any, a: Any) -> Any:
        if v.is_zero:
            return sympy.S.One
        return sympy.exp(-(abs(v / v_s) ** a)) if v.is_Number and v_s.is_Number and a.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        v, v_s, a = self.args
        if argindex == 3:
            return -Fading(self, PowerFunction(v / v_s, a) * Log(v / v_s))
        slope = StribeckSlope(self, v, v_s, a)
        return slope if argindex == 1 else -Fading(slope, v / v_s)

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


class StribeckSlope(CFunction):
    """Slope of s = e^-|v/v_s|^a by v, 0 at v = 0."""

    c_name = "sb_stribeck_slope"

    @classmethod
    def eval(cls, s: Any, v: Any, v_s: Any, a: Any) -> Any:
        if v.is_zero:
            return sympy.S.Zero
        return -s * a * abs(v / v_s) ** a / v if all(x.is_Number for x in (s, v, v_s, a)) else None


class TanhFunction(CFunction):
    """Hyperbolic tangent."""

    c_name = "tanh"

    @classmethod
    def eval(cls, x: Any) -> Any:
        return sympy.tanh(x) if x.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        return 1 - self**2

    def _sympystr(self, printer: Any) -> str:
        return f"tanh({printer._print(self.args[0])})"

    def _latex(self, printer: Any) -> str:
        return rf"\tanh\left({printer._print(self.args[0])}\right)"


class SmoothStep(CFunction):
    """(1 + sin(pi (x - 1/2)))/2 for x from 0 to 1, written as sin(pi x/2)^2, which is accurate near 0."""

    c_name = "sb_smooth_step"

    @classmethod
    def eval(cls, x: Any) -> Any:
        return sympy.sin(sympy.pi * min(max(x, 0), 1) / 2) ** 2 if x.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        return SmoothStepSlope(self.args[0])

    def _latex(self, printer: Any) -> str:
        return rf"S\left({printer._print(self.args[0])}\right)"


class SmoothStepSlope(CFunction):
    """Slope of SmoothStep."""

    c_name = "sb_smooth_step_slope"

    @classmethod
    def eval(cls, x: Any) -> Any:
        return sympy.pi / 2 * sympy.sin(sympy.pi * min(max(x, 0), 1)) if x.is_Number else None


class Saturate(CFunction):
    """x/(1 + s x). Slopes are expressed by the function itself: x^2 may overflow where x/(1 + s x) does not."""

    c_name = "sb_saturate"

    @classmethod
    def eval(cls, x: Any, s: Any) -> Any:
        if x.is_zero:
            return sympy.S.Zero
        return x / (1 + s * x) if x.is_Number and s.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        x, s = self.args
        return (1 + s * x) ** -2 if argindex == 1 else -(self**2)

    def _latex(self, printer: Any) -> str:
        x, s = map(printer._print, self.args)
        return rf"\frac{{{x}}}{{1 + {s} \cdot {x}}}"


class TabulatedFunction(CFunction):
    """A function of x and of the two lists of a law, its curve; in C the points follow the parameters."""

    slope: type[TabulatedFunction] | None = None
    """The derivative by x; 0 if there is none."""

    @classmethod
    def eval(cls, x: Any, abscissae: Any, ordinates: Any) -> Any:
        if not (x.is_Number and isinstance(abscissae, sympy.Tuple) and isinstance(ordinates, sympy.Tuple)):
            return None
        return cls.at(x, list(zip(abscissae, ordinates, strict=True)))

    @staticmethod
    def at(x: Any, points: list[tuple[Any, Any]]) -> Any:
        """The value in numbers."""
        raise NotImplementedError

    def fdiff(self, argindex: int = 1) -> Any:
        return self.slope(*self.args) if self.slope and argindex == 1 else sympy.S.Zero

    def _ccode(self, printer: Any) -> str:
        return f"{self.c_name}(curve, {printer._print(self.args[0])})"

    def _sympystr(self, printer: Any) -> str:
        x, _, ordinates = map(printer._print, self.args)
        return f"{ordinates}({x})"

    def _latex(self, printer: Any) -> str:
        x, _, ordinates = map(printer._print, self.args)
        return rf"{ordinates}\left({x}\right)"


class InterpolateSlope(TabulatedFunction):
    """Slope of Interpolate; at a point, that of the segment to its right."""

    c_name = "sb_held_slope"

    @staticmethod
    def at(x: Any, points: list[tuple[Any, Any]]) -> Any:
        inside = points[0][0] <= x < points[-1][0]
        return ExtrapolateSlope.at(x, points) if inside else sympy.S.Zero


class Interpolate(TabulatedFunction):
    """Linear interpolation, constant outside the points."""

    c_name = "sb_held"
    slope = InterpolateSlope

    @staticmethod
    def at(x: Any, points: list[tuple[Any, Any]]) -> Any:
        return Extrapolate.at(min(max(x, points[0][0]), points[-1][0]), points)


class ExtrapolateSlope(TabulatedFunction):
    """Slope of Extrapolate; at a point, that of the segment to its right."""

    c_name = "sb_lines_slope"

    @staticmethod
    def at(x: Any, points: list[tuple[Any, Any]]) -> Any:
        (x0, y0), (x1, y1) = line_of(x, points)
        return (y1 - y0) / (x1 - x0) if x1 > x0 else sympy.S.Zero


class Extrapolate(TabulatedFunction):
    """Linear interpolation, extrapolated from the first and last segment."""

    c_name = "sb_lines"
    slope = ExtrapolateSlope

    @staticmethod
    def at(x: Any, points: list[tuple[Any, Any]]) -> Any:
        x0, y0 = line_of(x, points)[0]
        return y0 + ExtrapolateSlope.at(x, points) * (x - x0)


def line_of(x: Any, points: list[tuple[Any, Any]]) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """The two ends of the segment that contains x."""
    lines = list(pairwise(points)) or [(points[0], points[0])]
    return next((line for line in reversed(lines) if line[0][0] <= x), lines[0])


class Reciprocal(Function):
    """1/x as a separate operation, so that one division serves all its powers; it never appears in C."""
