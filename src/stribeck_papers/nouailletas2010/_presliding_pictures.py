"""Pictures of Section 2.4 and of Figures 6 to 8: presliding and drift."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, legend_above, styled

LINES = {"hybrid": ("-", COLORS[0]), "Dahl": ("--", COLORS[2]), "LuGre": ("-.", COLORS[1])}


@styled
def plot_section_2_4(slow: sb.Result, caught: sb.Result, plain: sb.Result, z_max: float, f_s: float) -> Picture:
    """Force over position under a slow load; the position of a captured mass."""
    picture = Picture(8.5, 3.2)
    left, right = picture.subplots(1, 2)
    place, force = 1e6 * np.asarray(slow["mass.s"]), np.asarray(slow["push.f"])
    shown = place < 2.5e6 * z_max
    left.plot(place[shown], force[shown], color=COLORS[0])
    left.axhline(f_s, color=INK, linewidth=0.8, linestyle=":")
    left.axvline(1e6 * z_max, color=INK, linewidth=0.8, linestyle=":")
    left.text(0.0, f_s, "$f_s$", va="bottom", fontsize=8)
    left.text(1e6 * z_max, 0.0, " $z_{max}$", va="bottom", fontsize=8)
    left.set_xlabel("position / µm")
    left.set_ylabel("force u / N")
    for result, word, dashes in ((caught, "spring and damper (14)", "-"), (plain, "decay (6)", "--")):
        shown = result.time < 0.03
        right.plot(1e3 * result.time[shown], 1e6 * np.asarray(result["mass.s"])[shown], dashes, label=word)
    right.set_xlabel("time since captured at Σ / ms")
    right.set_ylabel("position / µm")
    legend_above(right)
    return picture


@styled
def plot_figure_6(x: np.ndarray, curves: Mapping[str, np.ndarray], z_max: float) -> Picture:
    """Deflection over position: the beginning, and the whole."""
    picture = Picture(8.5, 3.4)
    panels = picture.subplots(1, 2, sharey=True)
    for axes, far in zip(panels, (4e-5, x[-1]), strict=True):
        shown = x <= far * (1 + 1e-9)
        for name, z in curves.items():
            dashes, color = LINES[name]
            axes.plot(1e6 * x[shown], 1e6 * z[shown], dashes, color=color, label=name)
        axes.set_xlabel("position x / µm")
        axes.set_xlim(0, 1e6 * far)
    panels[0].axhline(1e6 * z_max, color=INK, linewidth=0.6, linestyle=":")
    panels[0].set_ylabel("deflection z / µm")
    panels[0].set_ylim(0, None)
    legend_above(panels[1])
    return picture
