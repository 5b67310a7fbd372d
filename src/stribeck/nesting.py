"""Expressions nested a thousand deep: Python allows itself as many calls within calls while a model is worked on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import ParamSpec, TypeVar

from .errors import SpecError

P = ParamSpec("P")
R = TypeVar("R")

DEEPEST = 20_000
"""Calls within calls: an expression of a thousand levels takes up to ten per level."""


class _Limit:
    """The recursion limit of the process, raised while anybody needs it."""

    def __init__(self) -> None:
        self._lock, self._users, self._before = Lock(), 0, 0

    def __enter__(self) -> None:
        with self._lock:
            if self._users == 0:
                self._before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self._before, DEEPEST))
            self._users += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                sys.setrecursionlimit(self._before)


_limit = _Limit()


def nested(function: Callable[P, R]) -> Callable[P, R]:
    """A function that may walk through deep expressions; what is too deep even so is refused.

    >>> @nested
    ... def compile_model(model): ...
    """

    @wraps(function)
    def deep(*args: P.args, **kwargs: P.kwargs) -> R:
        with _limit:
            try:
                return function(*args, **kwargs)
            except RecursionError:
                raise SpecError(
                    "signals are nested too deep, or contain themselves; give parts of them names with Model.signal"
                ) from None

    return deep
