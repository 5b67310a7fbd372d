"""Rights of a thread that must not be late: a real-time priority, and memory that stays where it is."""

from __future__ import annotations

import ctypes
import os
from types import TracebackType
from typing import Any, Self

PRIORITY = 50
"""Among real-time threads: above usual ones, below those that the system needs for its clocks."""

LOCK_ALL = 3
"""MCL_CURRENT | MCL_FUTURE of mlockall."""


class Rights:
    """Asks for both on entry and gives them back on exit, in the thread that enters; `refused` says what was not given.

    >>> with Rights(wanted=True) as rights:
    ...     s.run(t_end=0.1)
    >>> rights.refused
    """

    def __init__(self, wanted: bool = False) -> None:
        self.wanted = wanted
        self.refused: list[str] = []
        self._before: tuple[int, Any] | None = None
        self._locked = False

    def __enter__(self) -> Self:
        if self.wanted:
            self._take_priority()
            self._lock_memory()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            os.sched_setscheduler(0, *self._before)
        if self._locked:
            ctypes.CDLL(None).munlockall()

    def _take_priority(self) -> None:
        if not hasattr(os, "sched_setscheduler"):
            self.refused.append("no real-time priority: this system has no SCHED_FIFO")
            return
        before = os.sched_getscheduler(0), os.sched_getparam(0)
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
            self._before = before
        except OSError:
            self.refused.append("no real-time priority: not permitted; ulimit -r, or CAP_SYS_NICE, allows it")

    def _lock_memory(self) -> None:
        lock = getattr(ctypes.CDLL(None), "mlockall", None) if os.name == "posix" else None
        self._locked = lock is not None and lock(LOCK_ALL) == 0
        if not self._locked:
            self.refused.append(
                "memory may be paged out: not permitted to lock it; ulimit -l, or CAP_IPC_LOCK, allows it"
            )
