"""Functions for the equations of laws. SymPy is loaded on the first call, which only the build makes.

All derivatives are finite: |x|' = sign(x), sign' = 0, and stribeck() has a stated slope at v = 0.
"""

from __future__ import annotations

from typing import Any

Expr = Any
"""A SymPy expression (or a number)."""


def Abs(x: Expr) -> Expr:
    """|x|, with the derivative sign(x)."""
    return _symbolic().Magnitude(x)


def sign(x: Expr) -> Expr:
    """-1, 0 or 1, with the derivative 0."""
    return _symbolic().Sign(x)


def exp(x: Expr) -> Expr:
    """e^x."""
    return _symbolic().Exp(x)


def sqrt(x: Expr) -> Expr:
    """Square root; keep x away from 0, where its slope is infinite."""
    return _symbolic().sqrt(x)


def tanh(x: Expr) -> Expr:
    """Hyperbolic tangent."""
    return _symbolic().TanhFunction(x)


def Piecewise(*pieces: tuple[Expr, Any]) -> Expr:
    """The first expression whose condition holds: Piecewise((a, x < 1), (b, True)); differentiated piece by piece."""
    return _symbolic().Piecewise(*pieces)


def larger(a: Expr, b: Expr) -> Expr:
    """The larger of two values; NaN in the first is propagated."""
    return Piecewise((b, a < b), (a, True))


def smaller(a: Expr, b: Expr) -> Expr:
    """The smaller of two values; NaN in the first is propagated."""
    return Piecewise((b, a > b), (a, True))


def smooth_step(x: Expr) -> Expr:
    """Smooth transition from 0 for x <= 0 to 1 for x >= 1, half a period of a sine: (1 + sin(pi (x - 1/2)))/2."""
    return _symbolic().SmoothStep(x)


def saturate(x: Expr, s: Expr) -> Expr:
    """x/(1 + s x) for x >= 0: close to x for small x, to 1/s for large x."""
    return _symbolic().Saturate(x, s)


def interpolate(x: Expr, abscissae: Expr, ordinates: Expr) -> Expr:
    """Linear interpolation of the two lists of a law, constant outside the points."""
    return _symbolic().Interpolate(x, abscissae, ordinates)


def extrapolate(x: Expr, abscissae: Expr, ordinates: Expr) -> Expr:
    """Linear interpolation of the two lists of a law, extrapolated from the first and last segment."""
    return _symbolic().Extrapolate(x, abscissae, ordinates)


def stribeck(v: Expr, v_s: Expr, exponent: Expr = 2) -> Expr:
    """The Stribeck decay e^-|v/v_s|^exponent: 1 at v = 0, 0 for |v| much larger than v_s."""
    return _symbolic().StribeckFunction(v, v_s, exponent)


def _symbolic() -> Any:
    from . import _symbolic

    return _symbolic
