"""Laws evaluated as they are written, with 60 digits: the functions of `laws._math` in mpmath instead of SymPy."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import pairwise
from types import SimpleNamespace

import mpmath

from stribeck.laws import functions as _math

DIGITS = 60
CONTEXT = mpmath.MPContext()
CONTEXT.dps = DIGITS
number = CONTEXT.mpf


def first_that_holds(*pieces):
    return next(value for value, condition in pieces if condition)


def smooth_step(x):
    return 0 if x <= 0 else 1 if x >= 1 else (1 + CONTEXT.sin(CONTEXT.pi * (x - number(1) / 2))) / 2


def extrapolate(x, abscissae, ordinates):
    if len(abscissae) == 1:
        return ordinates[0]
    lines = list(pairwise(zip(abscissae, ordinates, strict=True)))
    (x0, y0), (x1, y1) = next((line for line in reversed(lines) if line[0][0] <= x), lines[0])
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def interpolate(x, abscissae, ordinates):
    return extrapolate(min(max(x, abscissae[0]), abscissae[-1]), abscissae, ordinates)


FUNCTIONS = SimpleNamespace(
    Magnitude=abs,
    Sign=CONTEXT.sign,
    Exp=CONTEXT.exp,
    sqrt=CONTEXT.sqrt,
    TanhFunction=CONTEXT.tanh,
    Piecewise=first_that_holds,
    SmoothStep=smooth_step,
    Saturate=lambda x, s: x / (1 + s * x),
    Interpolate=interpolate,
    Extrapolate=extrapolate,
    PowerFunction=lambda x, a: abs(x) ** a if x else CONTEXT.mpf(0),
    Log=lambda x: CONTEXT.log(abs(x)) if x else CONTEXT.mpf(0),
    sin=CONTEXT.sin,
    cos=CONTEXT.cos,
    atan=CONTEXT.atan,
    StribeckFunction=lambda v, v_s, a: CONTEXT.exp(-(abs(v / v_s) ** a)),
)


@contextmanager
def precision():
    """Within it the equations of laws take and give numbers with 60 digits."""
    kept, _math._symbolic = _math._symbolic, lambda: FUNCTIONS
    try:
        yield
    finally:
        _math._symbolic = kept
