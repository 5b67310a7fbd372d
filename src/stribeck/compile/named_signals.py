"""Signals with names: they may refer to each other, but not in a circle at one instant."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import SpecError
from ..signals import Scope, Signal
from ..signals.named import Named
from ..spec import Model


def bind_signals(model: Model) -> Scope:
    """What signals of the model can refer to, with all named signals bound.

    >>> bind_signals(model).signals["error"]
    """
    bound: dict[str, Signal] = dict(model.signals)
    scope = Scope(signals=bound, elements=tuple(model.elements), folder=model.folder, confined=not model.outside)
    for name in order(model.signals):
        bound[name] = model.signals[name].bind("", f"signal '{name}'", scope.at(name))
    return scope


def order(signals: Mapping[str, Signal]) -> list[str]:
    """The names such that each signal comes after those that it needs; a circle of needs is refused.

    >>> order({"u": Named("v") + 1, "v": Sine(amplitude=1, f=2)})
    ['v', 'u']
    """
    done: list[str] = []

    def visit(name: str, way: list[str]) -> None:
        if name in way:
            circle = " -> ".join([*way[way.index(name) :], name])
            raise SpecError(
                f"signal '{name}': {circle} need each other's value at the same instant; put something with a memory "
                "in between: an Integral, a LowPass with a start, or a TransferFunction"
            )
        if name in signals and name not in done:
            for other in _direct(signals[name]):
                visit(other, [*way, name])
            done.append(name)

    for name in signals:
        visit(name, [])
    return done


def _direct(signal: Signal) -> list[str]:
    """The named signals that change a signal at the same instant."""
    names: dict[str, None] = {}
    waiting, seen = [signal], {}
    while waiting:
        part = waiting.pop()
        if isinstance(part, Named):
            names[part.name] = None
        elif id(part) not in seen:
            seen[id(part)] = part
            waiting += reversed(part.direct)
    return list(names)
