"""Pictures of the gearbox, in the layouts of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import stribeck as sb
from stribeck.style import CHANGE, COLORS, INK, Picture, legend_above, styled

from ._gearbox_runs import LAWS, PRINTED, SOFT, STANDARD, WEAK, fine, overlapped

SHIFTS = ((-0.01, 0.15), (1.47, 1.75), (2.72, 3.0))
"""Times (s) around the closing of each gear."""


@styled
def plot_load() -> Picture:
    """Speed of the load, and what bristles change in it."""
    picture = Picture(8.5, 4.6)
    above, below = picture.subplots(2, sharex=True, height_ratios=(3, 2))
    standard, printed = fine(STANDARD), fine(PRINTED)
    above.plot(standard.time, standard["load.w"], color=CHANGE, linewidth=3.0, label="standard")
    above.plot(printed.time, printed["load.w"], color=COLORS[0], linewidth=1.0, label=f"LuGre, {PRINTED}")
    for name, color in zip((SOFT, PRINTED, WEAK), (COLORS[2], COLORS[0], COLORS[1]), strict=True):
        difference = 1e3 * (np.asarray(fine(name)["load.w"]) - np.asarray(standard["load.w"]))
        below.plot(standard.time, difference, color=color, linewidth=1.0, label=f"LuGre, {name}")
    above.set_ylabel("speed / (rad/s)")
    below.set(xlabel="time / s", ylabel="less standard\n/ (10⁻³ rad/s)", xlim=(0, 4))
    for axes in (above, below):
        legend_above(axes)
        for t in (1.5, 2.75):
            axes.axvline(t, color=CHANGE, linewidth=0.8, linestyle=":")
    return picture.finish("Speed of the load", None)


@styled
def plot_pair(title: str, name: str, elements: Sequence[str]) -> Picture:
    """Torques of some elements with bristles (solid) over those of standard ones (wide and pale)."""
    picture = Picture(8.5, 1.9 * len(elements) + 0.6)
    panels = picture.subplots(len(elements), len(SHIFTS), sharex="col", sharey="row", squeeze=False)
    for row, element in zip(panels, elements, strict=True):
        for axes, span in zip(row, SHIFTS, strict=True):
            _trace(axes, fine(STANDARD), f"{element}.tau", span, color=CHANGE, linewidth=3.0, label="standard")
            _trace(axes, fine(name), f"{element}.tau", span, color=COLORS[0], linewidth=1.1, label=f"LuGre, {name}")
            axes.axhline(-5, color=COLORS[1], linewidth=0.8, linestyle=":", label="5 N·m of (11)")
        row[0].set_ylabel(f"{element} / N·m")
    _finish_panels(picture, panels)
    return picture.finish(title, None)


@styled
def plot_whole(title: str, elements: Sequence[str]) -> Picture:
    """Torques of two elements over 4 s, LuGre clutches beside standard ones as in the paper, in a gearbox whose gears
    overlap; the inset has both where the second gear is shifted in."""
    picture = Picture(8.6, 2.1 * len(elements) + 0.4)
    panels = picture.subplots(len(elements), 2, sharex=True, sharey="row", squeeze=False)
    for row, element in zip(panels, elements, strict=True):
        for axes, name in zip(row, (PRINTED, STANDARD), strict=True):
            run = overlapped(name)
            axes.plot(run.time, run[f"{element}.tau"], color=COLORS[0] if name == PRINTED else INK, linewidth=1.0)
            axes.axhline(-5, color=COLORS[1], linewidth=0.8, linestyle=":")
            axes.set(xlim=(0, 4), ylim=(-6.5, 2.5))
        row[0].set_ylabel(f"{element} / N·m")
    _inset(panels[0][0], f"{elements[0]}.tau")
    for axes, text in zip(panels[0], ("LuGre", "standard"), strict=True):
        axes.set_title(text, fontsize=9, loc="left")
    for axes in panels[-1]:
        axes.set_xlabel("time / s")
    return picture.finish(f"{title}; dotted: 5 N·m of (11)", None)


def _inset(axes: Any, output: str) -> None:
    """Both kinds of clutches around the largest difference in the shift to second gear."""
    small = axes.inset_axes((0.07, 0.09, 0.27, 0.4))
    runs = {name: overlapped(name) for name in (STANDARD, PRINTED)}
    time = runs[PRINTED].time
    inside = (time > 1.48) & (time < 1.62)
    values = {name: np.asarray(run[output])[inside] for name, run in runs.items()}
    small.plot(time[inside], values[STANDARD], color=CHANGE, linewidth=2.5)
    small.plot(time[inside], values[PRINTED], color=COLORS[0], linewidth=0.9)
    small.tick_params(labelsize=6)
    small.set_title("both, near 1.5 s", fontsize=7, loc="left", pad=2)


@styled
def plot_accelerations() -> Picture:
    """Acceleration of the load with four kinds of clutches, as the four panels of Figure 14."""
    picture = Picture(8.5, 5.0)
    panels = picture.subplots(2, 2, sharex=True, sharey=True)
    for axes, name in zip(panels.ravel(), LAWS, strict=True):
        result = fine(name)
        axes.plot(result.time, result["load.a"], linewidth=0.9)
        axes.axhline(0, color=CHANGE, linewidth=0.7)
        axes.set_title(name if name == STANDARD else f"LuGre, {name}", fontsize=9, loc="left")
        low = result.extremes["load.a"]
        if low["min"] < -1e-3:
            axes.annotate(
                f"−{-low['min']:.2f} rad/s²",
                (low["t_min"], low["min"]),
                (low["t_min"] + 0.2, low["min"] - 0.02),
                fontsize=8,
                va="center",
            )
    for axes in panels[-1]:
        axes.set_xlabel("time / s")
    for axes in panels[:, 0]:
        axes.set_ylabel("acceleration / (rad/s²)")
    return picture.finish("Acceleration of the load", None)


def _trace(axes: Any, result: sb.Result, name: str, span: tuple[float, float], **look: Any) -> None:
    inside = (result.time >= span[0]) & (result.time <= span[1])
    axes.plot(result.time[inside], np.asarray(result[name])[inside], **look)
    axes.set_xlim(span)


def _finish_panels(picture: Picture, panels: np.ndarray) -> None:
    picture.legend(*panels[0][0].get_legend_handles_labels(), loc="outside upper right", ncols=3)
    for axes, gear in zip(panels[0], ("to first gear", "to second gear", "to third gear"), strict=True):
        axes.set_title(gear, fontsize=9, loc="left")
    for axes in panels[-1]:
        axes.set_xlabel("time / s")
