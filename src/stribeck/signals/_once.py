"""Caching for signal graphs: a part that is reached along many paths remembers its last answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

ASKED_ONCE = {
    "key",
    "reads_outside",
    "time_only",
    "prescribable",
    "at",
    "rate",
    "span",
    "jumps",
    "kinks",
    "tight",
    "bounds",
}
"""Members that call the same on the operands: without a cache the cost would grow with the number of paths."""


def once(method: Callable[P, R]) -> Callable[P, R]:
    """A method of a signal that caches its last answer in `answers`.

    >>> Sine.jumps = once(Sine.jumps)
    """
    name = method.__name__

    @wraps(method)
    def remembered(*args: P.args, **kwargs: P.kwargs) -> R:
        signal, *asked = args
        answers: dict[str, tuple[list[object], R]] = vars(signal).setdefault("answers", {})
        if name not in answers or answers[name][0] != asked:
            answers[name] = asked, method(*args, **kwargs)
        return answers[name][1]

    return remembered


def remember_answers(cls: type) -> None:
    """Wraps the members that a class itself declares in `once`.

    >>> remember_answers(Sine)
    """
    for name in ASKED_ONCE & set(vars(cls)):
        member = vars(cls)[name]
        if isinstance(member, property) and member.fget is not None:
            setattr(cls, name, property(once(member.fget)))
        elif callable(member):
            setattr(cls, name, once(member))
