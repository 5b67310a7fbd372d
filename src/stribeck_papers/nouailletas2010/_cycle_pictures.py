"""Pictures of Figures 4 and 5: both models over time, and LuGre with stiffer bristles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, label, legend_above, styled

Scan = Sequence[tuple[float, float]]
"""Stiffness (N/m) and period (s)."""


def both(axes: Axes, hybrid: sb.Result, lugre: sb.Result, name: str, until: float) -> None:
    """One output of the hybrid model (solid) and of LuGre (dashed)."""
    for result, word, dashes, color in ((hybrid, "hybrid", "-", COLORS[0]), (lugre, "LuGre", "--", COLORS[1])):
        shown = result.time <= until
        axes.plot(result.time[shown], np.asarray(result[name])[shown], dashes, color=color, label=word)
    axes.set_xlim(0, until)


def stiffer(axes: Axes, scan: Scan, period: float) -> None:
    """How far the period of LuGre is from that of the hybrid model, over the stiffness."""
    stiffness, periods = np.array(scan).T
    axes.loglog(stiffness, np.abs(periods - period), "o-", color=COLORS[1], markersize=4)
    axes.set_xlabel("bristle stiffness σ₀ / (N/m)")
    axes.set_ylabel("|period of LuGre − hybrid| / s")
    axes.set_title("σ₁ = √σ₀", loc="right", fontsize=8)


@styled
def plot_figure_4(hybrid: sb.Result, lugre: sb.Result, scan: Scan, period: float) -> Picture:
    """Position and speed of the mass, and the difference of the periods."""
    picture = Picture(9.0, 4.2)
    (place, gap), (speed, _) = picture.subplots(2, 2, gridspec_kw={"width_ratios": [2, 1]})
    _.remove()
    gap.remove()
    right = picture.add_subplot(place.get_gridspec()[:, 1])
    place.plot(hybrid.time, 0.1 * hybrid.time, ":", color=INK, linewidth=1, label="end of the spring")
    both(place, hybrid, lugre, "mass.s", 28.0)
    both(speed, hybrid, lugre, "mass.v", 28.0)
    place.set_ylabel("position / m")
    place.tick_params(labelbottom=False)
    speed.set_ylabel(label("m/s"))
    speed.set_xlabel("time / s")
    legend_above(place)
    stiffer(right, scan, period)
    return picture


@styled
def plot_figure_5(hybrid: sb.Result, lugre: sb.Result, scan: Scan, period: float) -> Picture:
    """Position and force of the controlled mass, and the difference of the periods."""
    picture = Picture(9.0, 4.6)
    (place, gap), (force, _) = picture.subplots(2, 2, gridspec_kw={"width_ratios": [2, 1], "height_ratios": [3, 2]})
    _.remove()
    gap.remove()
    right = picture.add_subplot(place.get_gridspec()[:, 1])
    place.axhline(1.0, color=INK, linestyle="-.", linewidth=1, label="target")
    both(place, hybrid, lugre, "mass.s", 120.0)
    both(force, hybrid, lugre, "motor.f", 120.0)
    force.set_ylim(-2, 3.1)
    place.set_ylabel("position / m")
    place.tick_params(labelbottom=False)
    force.set_ylabel("force of the controller / N")
    force.set_xlabel("time / s")
    legend_above(place)
    stiffer(right, scan, period)
    return picture
