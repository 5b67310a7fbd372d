"""Calls of the equations of a law: a mistake in them is refused with law, function and line, and the way out."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from inspect import signature
from numbers import Real
from pathlib import Path
from types import TracebackType
from typing import Any

from ..errors import SpecError
from ..formula import Formula
from .law import Flow

PACKAGE = Path(__file__).parents[1]

WRITTEN = {
    "friction": ("(p, v)", "return p.mu*tanh(v/p.v_0)"),
    "flow": ("(p, v{states}{curves})", "return Flow(p.sigma0*z, z=v - ...)"),
    "steady": ("(p, v)", "return ... the states with zero rates at constant speed"),
    "storage": ("(p{states})", "return p.sigma0*z**2/2, the energy in the states"),
    "sliding": ("(p, v{states})", "return p.mu_c, for v >= 0"),
    "breakaway": ("(p{states})", "return p.mu_s, the static limit"),
    "stick": ("(p)", "return Stick(window=p.dv)"),
    "jumps": ("(p, v{states}, hold)", "return [Jump(guard, mode=1)]"),
    "change": ("(p, v{states}, turn)", "return ... the states"),
    "g": ("(p, v)", "return ... a curve of the speed"),
}
"""Arguments and an example of every function."""


def call(law: Any, name: str, *arguments: Any, **named: Any) -> Any:
    """The result of a function of a law."""
    function = getattr(law, name, None)
    head, example = written(law, name)
    if function is None:
        raise SpecError(f"{law.__name__}: {name}{head} is missing; write @staticmethod def {name}{head}: {example}")
    with placed(law, name):
        try:
            return function(*arguments, **named)
        except TypeError:
            _check_arguments(function, arguments, named, f"{name}{head}")
            raise


def _check_arguments(function: Any, arguments: tuple[Any, ...], named: dict[str, Any], head: str) -> None:
    """Refuses a function that takes other arguments than those it is called with."""
    try:
        signature(function).bind(*arguments, **named)
    except TypeError:
        raise SpecError(f"it takes {signature(function)}; write @staticmethod def {head}: ...") from None


def written(law: Any, name: str) -> tuple[str, str]:
    """Arguments of a function and an example of what it returns.

    >>> written(LuGre, "storage")[0]
    '(p, z)'
    """
    head, example = WRITTEN[name]
    curves = "" if _is_base(law, "g") else ", g"
    return head.format(states="".join(f", {state}" for state in law.states), curves=curves), example


def _is_base(law: Any, name: str) -> bool:
    """Whether only the base class of all laws, or of its family, has this function."""
    return next(base for base in law.__mro__ if name in vars(base)).__module__ == f"{__package__}.law"


def flow_of(law: Any, p: Any, v: Any, z: Sequence[Any], g: Sequence[Any]) -> Flow:
    """Friction and rates: by `flow`, or by the friction curve of a law that states only that."""
    curve = {"smooth": "friction", "locking": "sliding"}.get(law.family)
    if curve and _is_base(law, "flow"):
        return Flow(call(law, curve, p, v, *z))
    found = call(law, "flow", p, v, *z, *g)
    if not isinstance(found, Flow):
        raise SpecError(f"{law.__name__}, flow: it returns {type(found).__name__}; {written(law, 'flow')[1]}")
    return found


@contextmanager
def placed(law: Any, name: str) -> Iterator[None]:
    """Errors within it name the law, the function and the line of the script."""
    try:
        yield
    except SpecError as error:
        if str(error).startswith(law.__name__):
            raise
        raise type(error)(f"{law.__name__}, {name}{_line(sys.exc_info()[2])}: {error}") from None


def _line(trace: TracebackType | None) -> str:
    """The last line outside of the package that an error came through; nothing for a law from text."""
    found = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if PACKAGE not in Path(file).parents:
            found = f" (line {trace.tb_lineno} of {Path(file).name})"
        trace = trace.tb_next
    return found


def checked_numbers(law: Any, name: str, values: Any, count: int) -> tuple[Any, ...]:
    """The results of a function: so many formulas or numbers.

    >>> checked_numbers(LuGre, "steady", 1.0, 1)
    (1.0,)
    """
    found = values if isinstance(values, tuple) else (values,)
    if len(found) != count or not all(isinstance(x, Formula | Real) for x in found):
        one = "one formula" if count == 1 else f"{count} formulas in a tuple, one for each state"
        words = ", ".join(type(x).__name__ for x in found)
        raise SpecError(f"{law.__name__}, {name}: it returns {words or 'nothing'}; return {one}")
    return found
