"""The plot of presliding: loops of force over displacement, measured and predicted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...results.style import COLORS, FAINT, Picture, label, legend_above, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .loops import PreslidingFit

MOST_POINTS = 6000


@styled
def plot_loops(found: PreslidingFit, path: str | Path | None = None) -> Figure:
    """Loops on the left; the explained channel and its residuals over time on the right.

    >>> plot_loops(fitted, "loops.png")
    """
    shown = Picture(10.0, 4.4)
    places = shown.subplot_mosaic([["loops", "course"], ["loops", "rest"]], height_ratios=[2, 1])
    loops, course, rest = places["loops"], places["course"], places["rest"]
    course.sharex(rest)
    course.tick_params(labelbottom=False)
    every = slice(None, None, max(1, len(found.run) // MOST_POINTS))
    x, f = (np.asarray(found.run[name])[every] for name in (found.position, found.force))
    predicted = found.predicted[every]
    over_x = found.explained == found.force
    loops.plot(x, f, color=COLORS[0], linewidth=0.9, label="measured")
    loops.plot(x if over_x else predicted, predicted if over_x else f, color=COLORS[1], linewidth=0.9, label="contact")
    units = found.run.units
    loops.set(xlabel=label(units[found.position], "displacement"), ylabel=label(units[found.force], "force"))
    legend_above(loops)
    time, measured = found.run.time[every], found.measured[every]
    course.plot(time, measured, color=COLORS[0], linewidth=0.9, label="measured")
    course.plot(time, predicted, color=COLORS[1], linewidth=0.9, label="contact")
    rest.plot(time, measured - predicted, color=COLORS[6], linewidth=0.7)
    rest.axhline(0, **FAINT)
    course.set_ylabel(label(units[found.explained], "force" if over_x else "displacement"))
    rest.set(xlabel=label("s", "time"), ylabel="residual")
    return shown.finish("presliding", path)
