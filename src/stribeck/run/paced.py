"""Runs against the wall clock: nothing of Python may come between two deadlines."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING, Any

from ..kernel import Fixed

if TYPE_CHECKING:
    from concurrent.futures import Future

LOOK = 0.1
"""Seconds between two looks at a run that goes on in its thread."""


def in_a_thread(
    fixed: Fixed,
    tasks: int,
    run: Callable[[], dict[str, Any]],
    progress: Callable[[float], None] | None,
    interruptible: bool = False,
) -> dict[str, Any]:
    """What `run` returns, computed in a separate thread; an interrupt ends it after its present task.
    If it is `interruptible`, Ctrl-C is no error then.

    >>> in_a_thread(fixed, 1000, lambda: {"steps": 1000}, None)
    {'steps': 1000}
    """
    from concurrent.futures import Future, wait

    first = fixed.count
    done: Future[dict[str, Any]] = Future()  # not Thread.join: a thread whose join is interrupted counts as ended
    Thread(target=_fulfil, args=(done, run), daemon=True).start()
    try:
        while not done.done():
            wait([done], LOOK)
            if progress:
                progress((fixed.count - first) / max(tasks, 1))
    except BaseException as error:
        while not done.done():
            fixed.stop()
            wait([done], 0.01)
        if not (interruptible and isinstance(error, KeyboardInterrupt)):
            raise
    return done.result()


def _fulfil(done: Future[dict[str, Any]], run: Callable[[], dict[str, Any]]) -> None:
    try:
        done.set_result(run())
    except BaseException as error:
        done.set_exception(error)
