"""The functions that formulas may use, one line each: those of class laws, with their units.

Every one of them has a finite derivative. Functions that jump or have no slope (floor, round, mod) are not there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from ..functions import (
    Abs,
    atan,
    cos,
    exp,
    extrapolate,
    interpolate,
    larger,
    log,
    saturate,
    sign,
    sin,
    smaller,
    smooth_step,
    sqrt,
    stribeck,
    tanh,
)


@dataclass(frozen=True)
class TextFunction:
    """A function: how it is computed, its arguments (for messages and their number), its units, and its LaTeX."""

    apply: Callable[..., Any]
    arguments: str
    units: str
    """alike: arguments of one unit, the result has it; plain: no units; sign: any unit, the result has none; root; and
    those of stribeck, saturate and tables."""
    latex: str = ""
    positive: bool = False
    """Whether the result is never negative."""
    optional: int = 0
    """How many of the last arguments may be left out."""

    @property
    def most(self) -> int | None:
        """The largest number of arguments; None: any number."""
        return None if self.arguments.endswith("...") else self.arguments.count(",") + 1

    @property
    def least(self) -> int:
        """The smallest number of arguments."""
        return self.arguments.count(",") + 1 - self.optional - self.arguments.endswith("...")


def least(*x: Any) -> Any:
    """The smallest of several values."""
    return reduce(smaller, x)


def greatest(*x: Any) -> Any:
    """The largest of several values."""
    return reduce(larger, x)


def clip(x: Any, low: Any, high: Any) -> Any:
    """x within limits."""
    return larger(smaller(x, high), low)


FUNCTIONS = {
    "abs": TextFunction(Abs, "x", "alike", r"\left|{0}\right|", positive=True),
    "sign": TextFunction(sign, "x", "sign", r"\operatorname{{sgn}}\left({0}\right)"),
    "sqrt": TextFunction(sqrt, "x", "root", r"\sqrt{{{0}}}", positive=True),
    "exp": TextFunction(exp, "x", "plain", r"e^{{{0}}}", positive=True),
    "log": TextFunction(log, "x", "plain", r"\ln\left|{0}\right|"),
    "tanh": TextFunction(tanh, "x", "plain", r"\tanh\left({0}\right)"),
    "atan": TextFunction(atan, "x", "plain", r"\arctan\left({0}\right)"),
    "sin": TextFunction(sin, "x", "plain", r"\sin\left({0}\right)"),
    "cos": TextFunction(cos, "x", "plain", r"\cos\left({0}\right)"),
    "min": TextFunction(least, "a, b, ...", "alike"),
    "max": TextFunction(greatest, "a, b, ...", "alike"),
    "clip": TextFunction(clip, "x, low, high", "alike"),
    "stribeck": TextFunction(stribeck, "v, v_s, exponent", "stribeck", positive=True, optional=1),
    "smooth_step": TextFunction(smooth_step, "x", "plain", r"S\left({0}\right)", positive=True),
    "saturate": TextFunction(saturate, "x, s", "saturate", r"\frac{{{0}}}{{1 + {1} \cdot {0}}}"),
    "interpolate": TextFunction(interpolate, "x, abscissae, ordinates", "table", r"{2}\left({0}\right)"),
    "extrapolate": TextFunction(extrapolate, "x, abscissae, ordinates", "table", r"{2}\left({0}\right)"),
}
"""By their names in formulas."""
DER = "der"
"""der(z) is the rate of the state z."""
CONSTANTS = {"pi": 3.141592653589793}
