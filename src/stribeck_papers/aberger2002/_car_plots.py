"""Pictures of the car."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import stribeck as sb
from stribeck.style import CHANGE, COLORS, Picture, legend_above, styled

from ._car_runs import UP_SHIFT, damping_ratios

WEDGES = {5: 51.84, 4: 73.35, 3: 86.03}
"""Half angles (degrees) about the negative real axis within which backward differences of this order are stable."""


@styled
def plot_velocity(standard: sb.Result, lugre: sb.Result) -> Picture:
    """Velocity over 200 s with standard and LuGre clutches, and both around the up-shift."""
    picture = Picture(8.5, 4.6)
    panels = picture.subplot_mosaic([["standard", "near"], ["lugre", "near"]], width_ratios=(3, 2))
    _above_each_other(panels, standard, lugre, "car.v", "velocity / (m/s)")
    return picture.finish("Velocity of the car", None)


@styled
def plot_acceleration(
    standard: sb.Result, lugre: sb.Result, damping: Mapping[float, float], stiffness: Mapping[float, float]
) -> Picture:
    """Acceleration in the same way; below, where pressures jump, its peak over damping and stiffness of bristles."""
    picture = Picture(8.5, 7.4)
    places: Any = [["standard", "near"], ["lugre", "near"], ["damping", "stiffness"]]
    panels = picture.subplot_mosaic(places, height_ratios=(2, 2, 3))
    _above_each_other(panels, standard, lugre, "car.a", "acceleration / (m/s²)")
    _peaks(panels["damping"], damping, "damping σ₁ / (s/rad)", "jumps of pressure, σ₀ = 10⁵")
    _peaks(panels["stiffness"], stiffness, "stiffness σ₀ / (1/rad)", "jumps of pressure, σ₁ = 0.03")
    panels["damping"].set_ylabel("largest acceleration / (m/s²)")
    return picture.finish("Acceleration of the car", None)


def _above_each_other(panels: Mapping[str, Any], standard: sb.Result, lugre: sb.Result, name: str, words: str) -> None:
    for key, result, color in (("standard", standard, COLORS[1]), ("lugre", lugre, COLORS[0])):
        axes = panels[key]
        axes.plot(result.time, result[name], color=color, linewidth=1.0)
        axes.axvspan(*UP_SHIFT, color=CHANGE, alpha=0.5, linewidth=0)
        axes.set_title(f"{'standard' if key == 'standard' else 'LuGre'} clutches", fontsize=9, loc="left")
        axes.set(ylabel=words, xlim=(0, 200))
    panels["lugre"].set_xlabel("time / s")
    panels["lugre"].sharey(panels["standard"])
    near = panels["near"]
    _near(near, standard, name, color=COLORS[1], linewidth=3.0, alpha=0.5, label="standard")
    _near(near, lugre, name, color=COLORS[0], linewidth=1.0, label="LuGre")
    near.set(xlabel="time / s", xlim=UP_SHIFT, xticks=np.arange(UP_SHIFT[0], UP_SHIFT[1] + 0.1, 0.5))
    legend_above(near)


def _near(axes: Any, result: sb.Result, name: str, **look: Any) -> None:
    inside = (result.time >= UP_SHIFT[0]) & (result.time <= UP_SHIFT[1])
    axes.plot(result.time[inside], np.asarray(result[name])[inside], **look)


def _peaks(axes: Any, found: Mapping[float, float], words: str, label: str) -> None:
    axes.loglog(list(found), list(found.values()), "o-", color=COLORS[0], label=label)
    axes.axhline(1e5, color=COLORS[1], linewidth=0.9, linestyle="--", label="printed")
    axes.set(xlabel=words, ylim=(1, 1e6))
    axes.minorticks_off()
    legend_above(axes)


@styled
def plot_wedges(quick: bool) -> Picture:
    """Damping ratios of the bristles over their damping, and where backward differences are stable."""
    picture = Picture(8.5, 3.6)
    axes = picture.add_subplot()
    sizes = np.geomspace(0.002, 3, 5 if quick else 13)
    for sigma0, words, color in ((1e4, "σ₀ = 10⁴", COLORS[0]), (1e5, "σ₀ = 10⁵", COLORS[2])):
        points = [(s1, ratio) for s1 in sizes for ratio in damping_ratios(sigma0, float(s1))]
        axes.loglog(*zip(*points, strict=True), "o", color=color, markersize=3.5, label=words)
    for order, angle in WEDGES.items():
        limit = float(np.cos(np.radians(angle)))
        axes.axhline(limit, color=CHANGE, linewidth=0.9, linestyle="--")
        axes.text(3.4, limit, f"order {order}", fontsize=8, va="center", backgroundcolor="white")
    axes.axvspan(0.003, 3, color=COLORS[1], alpha=0.08, linewidth=0, label="range of the paper (σ₀ = 10⁴)")
    least = min(damping_ratios(1e5, 0.03))
    axes.plot(0.03, least, "s", color=COLORS[1], markersize=8, fillstyle="none", label="Table 7")
    axes.set(xlabel="damping σ₁ / (s/rad)", ylabel="damping ratio", xlim=(0.0018, 6), ylim=(2e-4, 1.2))
    legend_above(axes, [*axes.get_lines(), *axes.patches])
    return picture.finish("Swinging bristles, and above which ratio backward differences are stable", None)
