"""The picture of Section 7: what varies in the LPV form, and the controllers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, FAINT, Picture, legend_above, styled

Slopes = Mapping[int, Sequence[float]]


@styled
def plot_section_7(grid: np.ndarray, exact: Slopes, departures: Slopes, runs: Mapping[str, sb.Result]) -> Picture:
    """A(2, 1) over the angle for both directions; error of the two controllers on the same path."""
    picture = Picture(9.0, 3.6)
    left, right = picture.subplots(1, 2)
    for direction, color, word in ((1, COLORS[0], "up"), (-1, COLORS[1], "down")):
        left.plot(grid, exact[direction], color=color, label=f"exact form, {word}")
        left.plot(grid, departures[direction], "--", color=color, linewidth=1, label=f"departures, {word}")
    left.axhline(0, **FAINT)
    left.set_xlabel("angle of the motor / rad")
    left.set_ylabel("A(2, 1) / (1/s²)")
    left.legend(loc="lower center", ncols=2)
    low, high = left.get_ylim()
    left.set_ylim(low - 0.35 * (high - low), high)
    for (name, run), color, dashes in zip(runs.items(), COLORS, ("-", "--"), strict=False):
        error = np.asarray(run["rotor.phi"]) - np.asarray(run["reference"])
        right.plot(run.time, error, dashes, color=color, label=name)
    right.axhline(0, **FAINT)
    right.set_xlabel("time / s")
    right.set_ylabel("angle − wanted angle / rad")
    legend_above(right)
    return picture
