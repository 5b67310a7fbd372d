"""The picture of laws on one machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...results.overlay_plot import plot_overlay
from .comparison import friction_output, speed_output

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .comparison import Comparison

MOST_ELEMENTS = 4  # panels with friction


def plot_comparison(comparison: Comparison, path: str | Path | None = None) -> Figure:
    """Speed at the first friction element and friction of each over time, one line per law.

    >>> plot_comparison(comparison, "comparison.png")
    """
    first, *_ = comparison.results.values()
    speed = speed_output(comparison.machine, comparison.elements[0], first)
    names = [speed, *(friction_output(first, element) for element in comparison.elements[:MOST_ELEMENTS])]
    title = f"{comparison.machine.name} under {len(comparison.results)} laws"
    return plot_overlay(comparison.results, names, path, title)
