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


FIXED = "a fixed step is taken by realtime(model, h=..., method='{}')"
EXPLICIT, STIFF = "use 'dopri5', or 'auto'", "use 'rodas5p', or 'auto'"
STEPS = {1: ("euler", "rk1"), 2: ("heun", "rk2"), 3: ("rk3",), 4: ("rk4",), 5: ("rk5",)}
KNOWN_ELSEWHERE = {
    **dict.fromkeys(("ode45", "ode23", "rk45", "dopri", "dp5", "tsit5", "explicit"), EXPLICIT),
    **dict.fromkeys(("ode15s", "ode23s", "ode23t", "dassl", "ida", "rodas", "rosenbrock", "stiff"), STIFF),
    **dict.fromkeys(("bdf", "radau", "lsoda", "dop853"), "use 'scipy-{}', or 'auto'"),
    **{name: FIXED.format(f"ode{order}") for order, names in STEPS.items() for name in (f"ode{order}", *names)},
}
"""What solvers of other programs are called, and what is meant here."""


def get_solver(name: str) -> Solver:
    """The solver of that name; an unknown name is refused with the nearest known one.

    >>> get_solver("rodas5p")
    """
    other = KNOWN_ELSEWHERE.get(name.lower().replace("_", "").replace("-", ""))
    if name not in SOLVERS and other:
        raise UnknownName(f"there is no solver '{name}'; {other.format(name.lower())} (known: {', '.join(SOLVERS)})")
    if name not in SOLVERS:
        raise UnknownName(unknown("there is no solver", name, SOLVERS))
    return SOLVERS[name]
