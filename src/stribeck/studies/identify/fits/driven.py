"""Models whose inputs are set from outside."""

from __future__ import annotations

from collections.abc import Iterable

from ....compile import compile_model
from ....signals import External
from ....spec import Model, set_parameter


def driven(model: Model, names: Iterable[str]) -> Model:
    """A copy of the model in which what is named, such as "motor.f" or a signal "u", is an `External`: the signal that
    the model has there gives way. Those that are already are left as they are.

    >>> driven(model, ["motor.f"])
    """
    copy = model.copy()
    there = compile_model(copy).inputs
    for name in names:
        if name not in there:
            set_parameter(copy, name, External(0.0))
    return copy
