"""Pictures of Figures 7 and 8."""

from __future__ import annotations

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, legend_above, styled


@styled
def plot_figure_7(hybrid: sb.Result, plastic: sb.Result, lugre: sb.Result, z_max: float) -> Picture:
    """Position over time: the whole test, and the first cycles near the start."""
    picture = Picture(8.5, 3.4)
    left, right = picture.subplots(1, 2)
    lines = (
        (hybrid, "hybrid", "-", COLORS[0], 1.3),
        (lugre, "LuGre", "--", COLORS[1], 1.3),
        (plastic, "elasto-plastic", "-.", COLORS[4], 2.0),
    )
    for result, word, dashes, color, width in lines:
        place = 1e3 * np.asarray(result["mass.s"])
        left.plot(result.time, place, dashes, color=color, linewidth=width, label=word)
        shown = result.time <= 12
        right.plot(result.time[shown], place[shown], dashes, color=color, linewidth=width)
    right.axhline(1e3 * z_max, color=INK, linewidth=0.8, linestyle=":")
    right.text(12, 1e3 * z_max, "$z_{max}$", ha="right", va="bottom", fontsize=8)
    right.set_ylim(0, 1.6e3 * z_max)
    right.set_xlim(0, 12)
    left.set_xlim(0, 102)
    left.set_ylim(0, None)
    for axes in (left, right):
        axes.set_xlabel("time / s")
    left.set_ylabel("position / mm")
    legend_above(left)
    return picture


@styled
def plot_figure_8(result: sb.Result, f_c: float, f_s: float) -> Picture:
    """The force over time, below both limits."""
    picture = Picture(8.5, 2.4)
    axes = picture.subplots()
    shown = result.time <= 30
    axes.plot(result.time[shown], np.asarray(result["push.f"])[shown], color=COLORS[0])
    for value, word in ((f_c, "$f_c$"), (f_s, "$f_s$")):
        axes.axhline(value, color=INK, linewidth=0.8, linestyle=":")
        axes.text(30, value, word, ha="right", va="bottom", fontsize=8)
    axes.set_xlim(0, 30)
    axes.set_ylim(0, 1.25)
    axes.set_xlabel("time / s (the first 30 of 102)")
    axes.set_ylabel("force u / N")
    return picture
