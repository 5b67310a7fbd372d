"""Functions for the equations of laws: of formulas (which the build and the kernel use), of numbers, and of SymPy
expressions, which only documents and tests use.

All derivatives are finite: |x|' = sign(x), sign' = 0, and stribeck() has a stated slope at v = 0.

>>> from stribeck.laws.functions import stribeck, tanh
>>> tanh(0.0), stribeck(0.0, 0.01)
(0.0, 1.0)
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ..formula import Formula, apply, piecewise
from ..traced import Traced, function, pinned

__all__ = [
    "Abs",
    "Expr",
    "Piecewise",
    "atan",
    "cos",
    "exp",
    "extrapolate",
    "interpolate",
    "larger",
    "log",
    "power",
    "saturate",
    "sign",
    "sin",
    "smaller",
    "smooth_step",
    "sqrt",
    "stribeck",
    "tanh",
]

Expr = Any
"""A formula, a number or a SymPy expression."""


def Abs(x: Expr) -> Expr:
    """|x|, with the derivative sign(x)."""
    return _function("ABS", "Magnitude", x)


def sign(x: Expr) -> Expr:
    """-1, 0 or 1, with the derivative 0."""
    return _function("SIGN", "Sign", x)


def exp(x: Expr) -> Expr:
    """e^x."""
    return _function("EXP", "Exp", x)


def log(x: Expr) -> Expr:
    """ln|x|, and 0 at x = 0."""
    return _function("LOG", "Log", x)


def sqrt(x: Expr) -> Expr:
    """Square root; keep x away from 0, where its slope is infinite."""
    return _function("SQRT", "sqrt", x)


def sin(x: Expr) -> Expr:
    """Sine."""
    return _function("SIN", "sin", x)


def cos(x: Expr) -> Expr:
    """Cosine."""
    return _function("COS", "cos", x)


def atan(x: Expr) -> Expr:
    """Arc tangent."""
    return _function("ATAN", "atan", x)


def tanh(x: Expr) -> Expr:
    """Hyperbolic tangent."""
    return _function("TANH", "TanhFunction", x)


def power(x: Expr, exponent: Expr) -> Expr:
    """|x|^exponent, and 0 at x = 0, so that its slope is finite there."""
    return _function("POWER", "PowerFunction", x, exponent)


def Piecewise(*pieces: tuple[Expr, Any]) -> Expr:
    """The first expression whose condition holds: Piecewise((a, x < 1), (b, True)); differentiated piece by piece."""
    values = [x for piece in pieces for x in piece]
    if any(isinstance(x, Formula) for x in values) or all(isinstance(x, int | float | Traced) for x in values):
        return piecewise(*pieces)
    return _symbolic().Piecewise(*pieces)


def larger(a: Expr, b: Expr) -> Expr:
    """The larger of two values; NaN in the first is propagated."""
    return Piecewise((b, a < b), (a, True))


def smaller(a: Expr, b: Expr) -> Expr:
    """The smaller of two values; NaN in the first is propagated."""
    return Piecewise((b, a > b), (a, True))


def smooth_step(x: Expr) -> Expr:
    """Smooth transition from 0 for x <= 0 to 1 for x >= 1, half a period of a sine: (1 + sin(pi (x - 1/2)))/2."""
    return _function("SMOOTH_STEP", "SmoothStep", x)


def saturate(x: Expr, s: Expr) -> Expr:
    """x/(1 + s x) for x >= 0: close to x for small x, to 1/s for large x."""
    return _function("SATURATE", "Saturate", x, s)


def interpolate(x: Expr, abscissae: Expr, ordinates: Expr) -> Expr:
    """Linear interpolation of the two lists of a law, constant outside the points."""
    if isinstance(abscissae, list):
        return extrapolate(min(max(x, abscissae[0]), abscissae[-1]), abscissae, ordinates)
    return _of_curve("HELD", "Interpolate", x, abscissae, ordinates)


def extrapolate(x: Expr, abscissae: Expr, ordinates: Expr) -> Expr:
    """Linear interpolation of the two lists of a law, extrapolated from the first and last segment."""
    if isinstance(abscissae, list):
        lines = list(pairwise(zip(abscissae, ordinates, strict=True)))
        if not lines:
            return ordinates[0]
        (x0, y0), (x1, y1) = next((line for line in reversed(lines) if line[0][0] <= x), lines[0])
        return y0 + (y1 - y0) * ((x - x0) / (x1 - x0))
    return _of_curve("LINES", "Extrapolate", x, abscissae, ordinates)


def stribeck(v: Expr, v_s: Expr, exponent: Expr = 2) -> Expr:
    """The Stribeck decay e^-|v/v_s|^exponent: 1 at v = 0, 0 for |v| much larger than v_s."""
    return _function("STRIBECK", "StribeckFunction", v, v_s, exponent)


def _function(op: str, symbolic: str, *x: Expr) -> Expr:
    if any(isinstance(value, Traced) for value in x):  # a nominal value while a model is compiled
        known = op in ("EXP", "LOG", "SQRT", "SIN", "COS", "ATAN", "TANH")
        return function(op.lower(), x[0]) if known else apply(op, *map(pinned, x))
    if any(isinstance(value, Formula) for value in x) or all(isinstance(value, int | float) for value in x):
        return apply(op, *x)
    return getattr(_symbolic(), symbolic)(*x)


def _of_curve(op: str, symbolic: str, x: Expr, abscissae: Expr, ordinates: Expr) -> Expr:
    if isinstance(abscissae, Formula):
        return abscissae.tape.record(op, (x,))
    return getattr(_symbolic(), symbolic)(x, abscissae, ordinates)


def _symbolic() -> Any:
    from . import _symbolic

    return _symbolic
