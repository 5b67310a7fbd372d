"""The plot of break-away tests: starts of motion over the position, and curves through them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ....errors import SpecError
from ....results.style import COLORS, Picture, label, styled
from .curve import WAYS, BreakAwayCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .break_aways import BreakAways


@styled
def plot_break_aways(found: BreakAways, path: str | Path | None = None) -> Figure:
    """Starts of motion over the position; if there are enough, a curve through them with its 95 % band.

    >>> plot_break_aways(break_aways(record), "break-away.png")
    """
    curves = {}
    for way in WAYS:
        try:
            curves[way] = found.curve(way)
        except SpecError:
            continue  # too few starts of motion
    shown = Picture(7.0, 4.2)
    draw_break_aways(shown.subplots(), found, curves)
    return shown.finish("break-away over position", path)


def draw_break_aways(axes: Axes, found: BreakAways, curves: Mapping[int, BreakAwayCurve]) -> None:
    """Both directions in given axes.

    >>> draw_break_aways(axes, found, {1: found.curve(1)})
    """
    for number, (way, word) in enumerate(WAYS.items()):
        part, color = found.towards(way), COLORS[number]
        if not len(part):
            continue
        axes.plot(part.position, part.drive, ".", color=color, markersize=4, alpha=0.5, label=word)
        if way in curves:
            curve = curves[way]
            at = np.linspace(curve.low, curve.high, 201)
            line, band = np.broadcast_to(curve(at), at.shape), 2 * np.asarray(curve.error(at))
            axes.fill_between(at, line - band, line + band, color=color, alpha=0.2, linewidth=0)
            axes.plot(at, line, color=color)
    axes.set_ylim(0, 1.25 * float(found.drive.max(initial=1e-12)))
    axes.set(xlabel=label(found.units[1], "position"), ylabel=label(found.units[0], "drive"))
    axes.set_title("starts of motion and curve, 95 %", fontsize=8, loc="left")
    axes.legend(loc="lower right")
