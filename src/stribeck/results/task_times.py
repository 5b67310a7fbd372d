"""Execution times of the tasks of a fixed-step run, and deadlines."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .data_table import DataTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PERCENTILES = {"p50": 50.0, "p99": 99.0, "p99.9": 99.9}


@dataclass(frozen=True, eq=False, repr=False)
class TaskTimes:
    """Execution times of tasks (s): inputs, step and outputs of each, without the wait for its deadline.

    >>> times = model.realtime(h="1 ms").measure(n=1000, pace=False)
    >>> times.plot("tasks.png")
    """

    model: str
    h: float
    """Time between two tasks (s)."""
    seconds: np.ndarray
    """The execution time of each task."""
    late: np.ndarray = field(default_factory=lambda: np.empty(0))
    """The latency of each task (s): its start after its due time; empty without waiting for the wall clock."""

    @property
    def paced(self) -> bool:
        """Whether the tasks waited for the wall clock."""
        return self.late.size > 0

    @property
    def overruns(self) -> int:
        """Tasks that had not finished when the next one was due: too long, or started too late by a busy computer.

        >>> times.overruns
        """
        begun = self.late if self.paced else 0.0
        return int(np.count_nonzero(begun + self.seconds > self.h))

    @property
    def too_long(self) -> int:
        """Tasks that took longer than the time between two tasks.

        >>> times.too_long
        """
        return int(np.count_nonzero(self.seconds > self.h))

    def to_dict(self) -> dict[str, Any]:
        """Mean, percentiles and maximum (s), overruns, and the processor load.

        >>> times.to_dict()["p99.9"]
        """
        known = self.seconds if self.seconds.size else np.array([np.nan])
        figures = {name: float(np.percentile(known, percent)) for name, percent in PERCENTILES.items()}
        late = {"latest": float(self.late.max())} if self.paced else {}
        return {
            "tasks": int(self.seconds.size),
            "mean": float(known.mean()),
            **figures,
            "max": float(known.max()),
            **late,
            "overruns": self.overruns,
            "too long": self.too_long,
            "load": float(known.mean() / self.h),
        }

    def plot(self, path: str | Path | None = None) -> Figure:
        """A histogram of the execution times, with the time between two tasks.

        >>> times.plot("tasks.png")
        """
        from .task_plot import plot_tasks

        return plot_tasks(self, path)

    def __str__(self) -> str:
        shown = {key: in_us(value) if is_time(key) else value for key, value in self.to_dict().items()}
        return DataTable(["task time", ""], list(shown.items())).text()

    __repr__ = __str__


def is_time(key: str) -> bool:
    """Whether an entry of `to_dict` is a time.

    >>> is_time("p99.9"), is_time("overruns")
    (True, False)
    """
    return key not in ("tasks", "overruns", "too long", "load")


def in_words(seconds: float) -> str:
    """A time with a suitable unit, as text.

    >>> in_words(1.0), in_words(1e-3), in_words(2e-6)
    ('1 s', '1 ms', '2 us')
    """
    scale, unit = next((s, u) for s, u in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")) if seconds >= s or u == "us")
    return f"{seconds / scale:.6g} {unit}"


def in_us(seconds: float) -> str:
    """A time in microseconds, as text.

    >>> in_us(1.5e-6)
    '1.5 us'
    """
    return f"{seconds * 1e6:.4g} us"
