"""Models with external inputs."""

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
    """A copy of the model in which the named parameters or signals, such as "motor.f" or "u", are `External` inputs.
    The signals that they replace are dropped; inputs that are external already do not change.

    >>> driven(model, ["motor.f"])
    """
    copy = model.copy()
    inputs = compile_model(copy).inputs
    for name in names:
        if name not in inputs and not _drive(copy, name):
            raise UnknownName(unknown("there is no input", name, [*inputs, *_places(model)]))
    return copy


def _drive(model: Model, name: str) -> bool:
    """Sets an `External` at this path; whether the path accepts one."""
    try:
        set_parameter(model, name, External(0.0))
    except SpecError:
        return False
    return True


def _places(model: Model) -> list[str]:
    """Paths at which a model could be driven: the parameters that may be signals, and the named signals."""
    inside = [
        f"{name}.{element.words.get(word, word)}" for name, element in model.elements.items() for word in element.params
    ]
    return [place for place in (*inside, *model.signals) if _drive(model.copy(), place)]
