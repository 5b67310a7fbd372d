"""Pictures of verdicts: each method beside the adaptive run, where it is worst."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from ...results.style import COLORS, INK, Picture, label, legend_above, styled
from .verdict import WINDOW

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .report import RealtimeReport
    from .verdict import MethodVerdict

WORD_COLORS = {"adequate": COLORS[2], "noisy": COLORS[4], "inaccurate": COLORS[4], "divergent": COLORS[1]}
ZOOM = 3 * WINDOW  # steps on either side of the worst one
MARGIN = 1.5  # of the range of the adaptive run; a run that leaves it is cut off


@styled
def plot_verdicts(report: RealtimeReport, path: str | Path | None = None) -> Figure:
    """A row for each method: the output that decided, over the whole run and around the step where it is worst.

    >>> plot_verdicts(report, "verdicts.png")
    """
    shown = [verdict for verdict in report.verdicts if verdict.traces is not None]
    picture = Picture(8.6, 0.6 + 1.35 * max(len(shown), 1))
    if shown:
        grid = picture.subplots(len(shown), 2, squeeze=False, width_ratios=[2, 1])
        for (left, right), verdict in zip(grid, shown, strict=True):
            _draw(left, right, verdict, report)
        legend_above(grid[0][1])
        for axes in grid[-1]:
            axes.set_xlabel("time / s")
    return picture.finish(f"{report.name} at h = {1e3 * report.h:g} ms", path)


def _draw(left: Axes, right: Axes, verdict: MethodVerdict, report: RealtimeReport) -> None:
    assert verdict.traces is not None
    exact, seen = verdict.traces
    time = report.h * np.arange(exact.size)
    color = WORD_COLORS[verdict.word]
    at = round(verdict.time / report.h)
    near = slice(max(at - ZOOM, 0), at + ZOOM + 1)
    with np.errstate(over="ignore", invalid="ignore"):
        for axes, part in ((left, slice(None)), (right, near)):
            axes.plot(time[part], exact[part], color=INK, linewidth=2.2, alpha=0.35, label="adaptive")
            fixed = np.clip(seen[part], -1e30, 1e30)
            axes.plot(time[part][: fixed.size], fixed, color=color, linewidth=0.9, label="fixed step")
            _limit(axes, exact[part], fixed, float(np.ptp(exact)) or 1.0)
    left.axvspan(time[near][0], time[near][-1], color=color, alpha=0.12, linewidth=0)
    left.set_ylabel(label(verdict.unit), fontsize=7)
    left.set_title(f"{verdict.method}: {verdict.word}  ({verdict.output})", fontsize=8, loc="left", color=color, pad=2)
    for axes in (left, right):
        axes.tick_params(labelsize=7)


def _limit(axes: Axes, exact: np.ndarray, seen: np.ndarray, size: float) -> None:
    """The range of both, but not far beyond that of the adaptive run."""
    low, high = float(exact.min()) - MARGIN * size, float(exact.max()) + MARGIN * size
    inside = seen[(seen > low) & (seen < high)]
    bottom, top = min(float(exact.min()), inside.min(initial=high)), max(float(exact.max()), inside.max(initial=low))
    space = 0.08 * max(top - bottom, 1e-3 * size)
    axes.set_ylim(bottom - space, top + space)
