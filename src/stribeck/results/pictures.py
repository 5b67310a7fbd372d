"""User-defined pictures: an empty figure in the common style, and several runs in one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from .result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@contextmanager
def picture(title: str, path: str | Path | None = None, *, width: float = 8.0, height: float = 4.5) -> Iterator[Figure]:
    """An empty matplotlib figure (sizes in inches) in the common style, written to `path` at the end.

    >>> with picture("phase plane", "phase.png") as figure:
    ...     axes = figure.subplots()
    ...     axes.plot(result["mass.phi"], result["mass.w"])
    """
    from matplotlib import rc_context

    from .style import STYLE, Picture

    with rc_context(STYLE):
        figure = Picture(width, height)
        yield figure
        figure.finish(title, path)


def overlay(
    results: Mapping[str, Result], *names: str, path: str | Path | None = None, title: str | None = None
) -> Figure:
    """Time histories of several runs, one panel per output and one line per run; by default the main outputs.

    >>> overlay({"adaptive": result, "1 ms": fixed}, "mass.w", "friction.tau", path="both.png")
    """
    from .overlay_plot import plot_overlay

    return plot_overlay(results, names, path, title)
