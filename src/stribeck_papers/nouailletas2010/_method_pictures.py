"""Pictures of Section 3: the mass under two relays, and the algorithm of Figure 9 with a record of it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, styled


@styled
def plot_two_relays(run: sb.Result) -> Picture:
    """The last periods of a run: position, speed, force."""
    picture = Picture(8.5, 4.2)
    axes = picture.subplots(3, 1, sharex=True)
    shown = run.time > run.time[-1] - 4.0
    for axis, name, label, color in zip(
        axes,
        ("mass.s", "mass.v", "motor.f"),
        ("position / m", "speed / (m/s)", "force / N"),
        (COLORS[0], COLORS[2], COLORS[1]),
        strict=True,
    ):
        axis.plot(run.time[shown] - run.time[shown][0], np.asarray(run[name])[shown], color=color)
        axis.set_ylabel(label)
    axes[-1].set_xlabel("time / s")
    axes[-1].set_xlim(0, 4)
    return picture


BOXES = (
    (0.5, 9.4, "start: u = 0 at one end of the way"),
    (0.5, 7.9, "raise u slowly"),
    (0.5, 6.2, "did the encoder move?"),
    (0.5, 4.5, "save angle and torque, u = 0"),
    (0.5, 2.8, "end of the way reached?"),
    (0.5, 1.1, "turn round; after several goes\nleave out reversals, fit, average"),
)


@styled
def plot_figure_9(time: np.ndarray, torque: np.ndarray, angle: np.ndarray) -> Picture:
    """The algorithm as a flow chart, and the beginning of a record that it makes."""
    picture = Picture(9.0, 4.6)
    grid = picture.add_gridspec(2, 2, width_ratios=[1, 1.35])
    _chart(picture.add_subplot(grid[:, 0]))
    above = picture.add_subplot(grid[0, 1])
    below = picture.add_subplot(grid[1, 1], sharex=above)
    above.plot(time, torque, color=COLORS[1])
    below.plot(time, angle, color=COLORS[0])
    above.set_ylabel("torque / (N·m)")
    above.tick_params(labelbottom=False)
    below.set_ylabel("encoder / rad")
    below.set_xlabel("time / s")
    below.set_xlim(float(time[0]), float(time[-1]))
    return picture


def _chart(axes: Axes) -> None:
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(0.2, 10)
    for x, y, words in BOXES:
        question = words.endswith("?")
        axes.text(
            x,
            y,
            words,
            ha="center",
            va="center",
            fontsize=9,
            bbox={
                "boxstyle": "round,pad=0.5" if question else "square,pad=0.5",
                "facecolor": "#eef3fa" if question else "white",
                "edgecolor": INK,
                "linewidth": 0.8,
            },
        )
    arrow = {"arrowstyle": "-|>", "color": INK, "linewidth": 0.8}
    for (_, top, _), (_, bottom, words) in pairwise(BOXES):
        axes.annotate("", (0.5, bottom + (0.75 if "\n" in words else 0.42)), (0.5, top - 0.42), arrowprops=arrow)
    for start, end, side, words in ((6.2, 7.9, 0.93, "no"), (2.8, 7.9, 0.03, "no")):
        edge = 0.76 if side > 0.5 else 0.24
        axes.plot([edge, side, side], [start, start, end], color=INK, linewidth=0.8)
        axes.annotate("", (0.68 if side > 0.5 else 0.32, end), (side, end), arrowprops=arrow)
        axes.text(side, start + 0.12, words, ha="right" if side > 0.5 else "left", va="bottom", fontsize=8)
    for y in (5.35, 1.95):
        axes.text(0.53, y + 0.05, "yes", fontsize=8, va="center")
