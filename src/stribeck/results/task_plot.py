"""The histogram of task times."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .errors import ResultError
from .style import COLORS, INK, Picture, styled
from .task_times import PERCENTILES, in_us, in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .task_times import TaskTimes

BINS_PER_DECADE = 40


@styled
def plot_tasks(times: TaskTimes, path: str | Path | None = None) -> Figure:
    """Number of tasks over execution time, both logarithmic, with percentiles and the deadline.

    >>> plot_tasks(times, "tasks.png")
    """
    if not times.seconds.size:
        raise ResultError(f"{times.model}: no task was measured, so there is nothing to plot; measure at least one")
    picture = Picture(8, 3.6)
    axes = picture.subplots()
    edges = _edges(times)
    axes.hist(_us(times.seconds), edges, color=COLORS[0], alpha=0.85, linewidth=0, label="took")
    if times.paced:
        axes.hist(_us(times.late), edges, color=COLORS[4], histtype="step", linewidth=1.2, label="began late by")
        axes.legend(loc="upper left")
    axes.set(xscale="log", yscale="log", xlabel="time / µs", ylabel="tasks")
    axes.set_ylim(0.5, 10 * axes.get_ylim()[1])
    figures = times.to_dict()
    for row, name in enumerate([*PERCENTILES, "max"]):
        _mark(axes, figures[name], f"{name} {in_us(figures[name]).replace('us', 'µs')}", row)
    axes.axvline(times.h * 1e6, color=COLORS[1], linewidth=1.5)
    axes.annotate(
        f"next task is due ({in_words(times.h).replace('us', 'µs')})",
        (times.h * 1e6, 0.97),
        xycoords=("data", "axes fraction"),
        xytext=(-4, 0),
        textcoords="offset points",
        ha="right",
        va="top",
        color=COLORS[1],
        fontsize=8,
        rotation=90,
    )
    overruns = f"{figures['overruns']} overruns, {figures['too long']} of them too long"
    late = f", {overruns}" if figures["overruns"] else ", no overrun"
    how = "paced by the wall clock" if times.paced else "one after the other"
    return picture.finish(f"{times.model}: {figures['tasks']} tasks {how}{late}", path)


def _us(seconds: np.ndarray) -> np.ndarray:
    """In microseconds; a clock cannot see less than some nanoseconds."""
    us: np.ndarray = np.maximum(seconds, 1e-8) * 1e6
    return us


def _edges(times: TaskTimes) -> list[float]:
    """Edges of the bins, equal on the logarithmic axis."""
    seen = np.log10(_us(np.concatenate([times.seconds, times.late])))
    low = np.floor(4 * seen.min()) / 4
    high = max(np.ceil(4 * seen.max()) / 4, low + 0.25)
    edges: list[float] = np.logspace(low, high, int(BINS_PER_DECADE * (high - low)) + 1).tolist()
    return edges


def _mark(axes: Axes, seconds: float, text: str, row: int) -> None:
    """A line at a time, with its name at the height of its row."""
    axes.axvline(seconds * 1e6, color=INK, linewidth=0.7, linestyle=(0, (4, 3)))
    axes.annotate(
        text,
        (seconds * 1e6, 0.96 - 0.08 * row),
        xycoords=("data", "axes fraction"),
        xytext=(4, 0),
        textcoords="offset points",
        va="top",
        fontsize=8,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
    )
