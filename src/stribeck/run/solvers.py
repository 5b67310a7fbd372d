"""The solvers by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..compile import Program
from ..declare import unknown
from ..errors import UnknownName
from .adaptive import METHODS, adaptive
from .integrators import INTEGRATORS
from .options import Options
from .outcome import RunOutcome
from .outside import outside

Solver = Callable[[Program, Options], RunOutcome]

SOLVERS: dict[str, Solver] = {
    **{name: partial(adaptive, method=name) for name in METHODS},
    **{name: partial(outside, start=start) for name, start in INTEGRATORS.items()},
}
"""Every solver takes a program and options and brings home an outcome; to add one, add a line."""


def get_solver(name: str) -> Solver:
    """The solver of that name; an unknown name is refused with the nearest known one.

    >>> get_solver("rodas5p")
    """
    if name not in SOLVERS:
        raise UnknownName(unknown("there is no solver", name, SOLVERS))
    return SOLVERS[name]
