"""The picture of a law: steady friction over speed, the presliding loop, and what it does within a window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from ...results.style import CHANGE, COLORS, FAINT, TIME_COLORS, Picture, label, styled
from .experiment_plot import SHADES, draw_experiment
from .portrait import CYCLES, PERIOD, POINTS, SHARE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .portrait import Portrait

SMALL = 8  # size of notes
DASHED: Any = {"color": CHANGE, "linewidth": 0.8, "linestyle": (0, (4, 3)), "zorder": 0.6}


@styled
def plot_portrait(portrait: Portrait, path: str | Path | None = None) -> Figure:
    """Steady friction over speed, and the presliding loop; below them capture and decay of a law with a window.

    >>> plot_portrait(Portrait.of(LuGre()), "lugre.png")
    """
    rows = 2 if portrait.held else 1
    picture = Picture(8.6, 3.7 * rows)
    left, right, *below = picture.subplots(rows, 2).ravel()
    for experiment, axes in zip(portrait.held, below, strict=True):
        draw_experiment(experiment, axes)
        axes.set_title(experiment.name, fontsize=9, loc="left", pad=18)
    _curve(portrait, left)
    _loop(portrait, right)
    for axes in (left, right):
        axes.axhline(0, **FAINT)
        axes.axvline(0, **FAINT)
    name = repr(portrait.law).removesuffix("()")
    return picture.finish(name if portrait.law.given else f"{name} with its default parameters", path)


def _curve(portrait: Portrait, axes: Axes) -> None:
    """Friction over speed; at rest the whole range that a law which locks can hold."""
    speed, friction, most = portrait.speed, portrait.friction, portrait.break_away
    if portrait.law.family == "smooth":
        axes.plot(speed, friction, color=COLORS[0])
    else:
        axes.plot(speed[speed < 0], friction[speed < 0], color=COLORS[0])
        axes.plot(speed[speed > 0], friction[speed > 0], color=COLORS[0])
    for mark in (mark for experiment in portrait.held[:1] for mark in experiment.marks):
        axes.axvspan(mark.low, mark.high, color=SHADES[0][0], alpha=SHADES[0][1], linewidth=0, zorder=0.4)
        axes.annotate("window", (mark.low, -most), (3, 3), textcoords="offset points", size=SMALL)
    if portrait.law.family == "locking":
        axes.plot([0, 0], [-most, most], color=COLORS[1], linewidth=2)
        axes.annotate("at rest", (0, 0), (6, 6), textcoords="offset points", size=SMALL, color=COLORS[1])
    if portrait.law.family != "smooth":
        axes.axhline(most, **DASHED)
        axes.axhline(-most, **DASHED)
        place: Any = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points"}
        axes.annotate(f"break-away {most:.4g} N", (1, most), (0, 2), ha="right", size=SMALL, **place)
    axes.locator_params(axis="x", nbins=7)
    axes.set_title("steady sliding", fontsize=9, loc="left")
    axes.set(xlabel=label("m/s", "slip velocity"), ylabel=label("N", "friction"))
    axes.margins(y=0.12)


def _loop(portrait: Portrait, axes: Axes) -> None:
    """Friction over displacement, light at the start and dark at the end, with the direction of each branch."""
    x, y = np.asarray(portrait.loop["guide.s_rel"]), np.asarray(portrait.loop["guide.f"])
    points = np.column_stack([np.zeros_like(x) if portrait.stuck else x, y])
    lines: Any = LineCollection([points[i : i + 2] for i in range(x.size - 1)], cmap=TIME_COLORS)
    lines.set_array(portrait.loop.time[1:])
    lines.set_capstyle("round")
    axes.add_collection(lines)
    axes.autoscale_view()
    if portrait.stuck:
        axes.set_xlim(-1, 1)
        axes.set_xticks([0])
        axes.annotate("stuck: no displacement", (0, 0), (6, 6), textcoords="offset points", size=SMALL)
    else:
        for half in (0.0, 0.5):
            _arrow(axes, points, int((CYCLES - 1 + half) * POINTS))
    force = f"force of {SHARE * portrait.break_away:.3g} N, {100 * SHARE:g} % of break-away"
    axes.set_title(f"{force}: {CYCLES} cycles of {PERIOD:g} s", fontsize=9, loc="left")
    axes.locator_params(axis="x", nbins=7)
    axes.set(xlabel=label("m", "displacement"), ylabel=label("N", "friction"))


def _arrow(axes: Axes, points: np.ndarray, at: int) -> None:
    """An arrowhead on the curve, in the direction of time."""
    style: Any = {"arrowstyle": "-|>", "color": TIME_COLORS(1.0), "linewidth": 0.1, "mutation_scale": 12}
    axes.annotate("", points[at + 4], points[at - 4], arrowprops=style)
