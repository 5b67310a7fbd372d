"""Signals with names: they may refer to each other, but not in a circle at one instant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..errors import SpecError
from ..signals import Named, Scope, Signal

if TYPE_CHECKING:
    from .model import Model


def bind_signals(model: Model) -> Scope:
    """What signals of the model can refer to, with all named signals bound.

    >>> bind_signals(model).signals["error"]
    """
    bound: dict[str, Signal] = dict(model.signals)
    scope = Scope(signals=bound, elements=tuple(model.elements), folder=model.folder)
    for name, signal in model.signals.items():
        bound[name] = signal.bind("", f"signal '{name}'", scope.at(name))
    _check_circles(bound)
    return scope


def _check_circles(signals: Mapping[str, Signal]) -> None:
    """Refuses signals that need their own value at the same instant."""
    done: set[str] = set()

    def visit(name: str, way: list[str]) -> None:
        if name in way:
            circle = " -> ".join([*way[way.index(name) :], name])
            raise SpecError(
                f"signal '{name}': {circle} need each other's value at the same instant; put something with a memory "
                "in between, for instance Integral, LowPass, Delay or SampleHold"
            )
        if name not in done:
            for other in _direct(signals[name]):
                visit(other, [*way, name])
            done.add(name)

    for name in signals:
        visit(name, [])


def _direct(signal: Signal) -> list[str]:
    """The named signals that change a signal at the same instant."""
    if isinstance(signal, Named):
        return [signal.name]
    return [name for operand in signal.direct for name in _direct(operand)]
