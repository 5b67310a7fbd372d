"""Runs against the wall clock: nothing of Python may come between two deadlines."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

from ..kernel import Fixed

LOOK = 0.1
"""Seconds between two looks at a run that goes on in its thread."""


def in_a_thread(
    fixed: Fixed,
    tasks: int,
    run: Callable[[], dict[str, Any]],
    progress: Callable[[float], None] | None,
    interruptible: bool = False,
) -> dict[str, Any]:
    """What `run` returns, done in a thread of its own; an interrupt ends it after its present task.
    If it is `interruptible`, Ctrl-C is no error then.

    >>> in_a_thread(fixed, 1000, lambda: fixed.run(1000, ...), progress)
    """
    first = fixed.count
    done: list[dict[str, Any]] = []
    thread = Thread(target=lambda: done.append(run()), daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(LOOK)
            if progress:
                progress((fixed.count - first) / max(tasks, 1))
    except BaseException as error:
        while thread.is_alive():
            fixed.stop()
            thread.join(0.01)
        if not (interruptible and isinstance(error, KeyboardInterrupt)):
            raise
    return done[0]
