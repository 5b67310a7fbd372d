"""A progress bar for long runs."""

from __future__ import annotations

import time
from types import TracebackType

from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from ..errors import legible
from ..results.screen import screen

PATIENCE = 1.0  # s before the bar appears


class ProgressBar:
    """Shows the fraction that is done, the rate (s of `span` per s) and the time left, once a run has lasted longer
    than a second; goes away at the end.

    >>> with ProgressBar("stick-slip") as progress:
    ...     simulate(model, progress=progress)
    """

    def __init__(self, title: str, span: float | None = None) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]}"),
        )
        self._bar = Progress(*columns, TimeRemainingColumn(), console=screen().progress(), transient=True)
        self._task = self._bar.add_task(escape(legible(title)), total=1.0, rate="")
        self._start, self._span = time.monotonic(), span

    def __call__(self, fraction: float, title: str | None = None) -> None:
        """Moves the bar to the fraction (0 to 1), and says what comes next, if a title is given."""
        if not self._bar.live.is_started and time.monotonic() - self._start > PATIENCE:
            self._bar.start()
        rate = "" if self._span is None else f"{fraction * self._span / (time.monotonic() - self._start):.3g} s/s"
        description = None if title is None else escape(legible(title))
        self._bar.update(self._task, completed=fraction, description=description, rate=rate)

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar.live.is_started:
            self._bar.stop()
