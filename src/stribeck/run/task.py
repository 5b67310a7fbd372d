"""What is done in every task of a fixed time."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..compile import Program
from ..declare import Count, Param, unknown
from ..errors import SpecError, UnknownName
from ..kernel import fixed_methods

METHODS = fixed_methods()
"""Methods by name, as the kernel numbers them."""


@dataclass(frozen=True)
class Task:
    """What is done in every task: one step of `h` (s), in `substeps` equal parts.

    >>> Task.of(h="1 ms", method="resolvent").h
    0.001
    """

    h: float
    method: str = "resolvent"
    substeps: int = 1
    hold_signals: bool = False
    """Signals are looked at once per task, the mechanics in every substep."""
    literal_sign: bool = False
    """Locking laws are curve * sign(slip) and nothing sticks: explicit methods only, to demonstrate the result."""
    energy: bool = True
    """Whether the energy ledger is kept."""
    error_bound: float = 0.0
    """Error of a task by the largest speed above which it is counted; 0: errors are not estimated."""

    @classmethod
    def of(cls, h: Any, method: str = "resolvent", substeps: Any = 1, error_bound: Any = None, **others: bool) -> Task:
        """From what a user gives."""
        if method not in METHODS:
            raise UnknownName(unknown("realtime: there is no method", method, METHODS))
        if method == "resolvent" and others.get("literal_sign"):
            raise SpecError("realtime: literal_sign needs an explicit method; write for instance method='ode1'")
        for name, value in others.items():
            if not isinstance(value, bool | np.bool_):
                raise SpecError(f"realtime: {name} = {value!r} must be True or False")
        seconds = Param(None, "s", "time of one task", above=0).to_si(h, {}, "realtime", "h")
        parts = Count(1, "1", "steps within a task", min=1, max=1e6).to_si(substeps, {}, "realtime", "substeps")
        if others.get("hold_signals") and parts == 1:
            raise SpecError(
                "realtime: hold_signals needs substeps, such as substeps=10: one step per task holds nothing"
            )
        bound = 0.0
        if error_bound is not None:
            bound = Param(None, "1", "error of a task", above=0).to_si(error_bound, {}, "realtime", "error_bound")
        return cls(seconds, method, parts, error_bound=bound, **{name: bool(value) for name, value in others.items()})

    @property
    def kind(self) -> str:
        """What decides how a plant moves on: one of the same kind goes on from another to the last bit."""
        signals = ", held signals" * self.hold_signals + ", literal sign" * self.literal_sign
        return f"{self.method}, h = {self.h!r} s / {self.substeps}{signals}"

    @property
    def settings(self) -> dict[str, Any]:
        """As the kernel reads them."""
        values = asdict(self)
        renamed = {"method": METHODS[self.method], "ledger": values.pop("energy"), "bound": values.pop("error_bound")}
        return {**values, **renamed}


def check_motions(program: Program) -> None:
    """Refuses motions that are set from outside, so that they jump, and with them bodies that are coupled to them."""
    inputs = {known.node for known in program.inputs.values()}
    for motion in program.mechanics.coupled_motions:
        if program.mechanics.operations_behind(motion) & inputs:
            raise SpecError(
                f"realtime: '{program.motions[motion]}' is set from outside and moves bodies through couplings, whose "
                "speeds would jump with it; take method='resolvent', or put a spring between"
            )
