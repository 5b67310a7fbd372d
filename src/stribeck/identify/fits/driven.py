"""Models whose inputs are set from outside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from ...compile import compile_model
from ...declare import unknown
from ...errors import SpecError, UnknownName
from ...signals.external import External
from ...spec import Model, set_parameter

M = TypeVar("M", bound=Model)


def driven(model: M, names: Iterable[str]) -> M:
    """A copy of the model in which what is named, such as "motor.f" or a signal "u", is an `External`: the signal that
    the model has there gives way. Those that are already are left as they are.

    >>> driven(model, ["motor.f"])
    """
    copy = model.copy()
    there = compile_model(copy).inputs
    for name in names:
        if name not in there and not _drive(copy, name):
            raise UnknownName(unknown("there is no input", name, [*there, *_places(model)]))
    return copy


def _drive(model: Model, name: str) -> bool:
    """Puts an `External` there; whether the place takes one."""
    try:
        set_parameter(model, name, External(0.0))
    except SpecError:
        return False
    return True


def _places(model: Model) -> list[str]:
    """Where a model could be driven: the parameters that may be signals, and the named signals."""
    inside = [
        f"{name}.{element.words.get(word, word)}" for name, element in model.elements.items() for word in element.params
    ]
    return [place for place in (*inside, *model.signals) if _drive(model.copy(), place)]
