"""Expressions nested a thousand levels deep: the recursion limit of Python is raised while a model is processed."""

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
"""Recursion limit: an expression of a thousand levels takes up to ten calls per level."""


class _Limit:
    """The recursion limit of the process, raised while in use."""

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
    """A function that may traverse deep expressions; those that are still too deep are refused.

    >>> @nested
    ... def depth(signal): ...
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
