"""The bifurcation picture of a continuation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..results.style import COLORS, Picture, styled
from .plot import named

if TYPE_CHECKING:
    from .continuation import Continuation


@styled
def plot_branches(branch: Continuation, path: str | Path | None) -> Picture:
    """Extremes over the parameter; where both ways differ, the ground is shaded."""
    picture = Picture(6.4, 4.0)
    axes = picture.subplots()
    order = np.argsort(branch.values)
    x = branch.values[order]
    both = branch.hysteresis
    if both.size:
        axes.axvspan(both.min(), both.max(), color="0.94", zorder=0)
    for k, (extremes, label, marker) in enumerate(((branch.up, "forth", "o"), (branch.down, "back", "s"))):
        color = COLORS[k]
        axes.plot(x, extremes[order, 1], marker, color=color, markersize=4 - k, label=label)
        axes.plot(x, extremes[order, 0], marker, color=color, markersize=4 - k, fillstyle="none")
    axes.set(
        xlabel=named(branch.parameter, branch.unit),
        ylabel=f"largest (full) and smallest {named(branch.output, branch.output_unit)}",
    )
    axes.legend()
    return picture.finish(f"{branch.name}: attractors along {branch.parameter}", path)
