"""The style of all pictures: light axes, colours for colour-blind readers, units spelled out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
from cycler import cycler
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.container import Container
from matplotlib.figure import Figure

from ..errors import legible
from ..units import pretty_unit
from ..writing import whole_file
from .errors import ResultError

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")  # Okabe and Ito
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1, 1)),
    (0, (6, 1.5, 1, 1.5)),
    (0, (10, 2)),
    (0, (4, 1, 1, 1, 1, 1)),
)
"""Of the lines of one panel: no two look alike in grey."""
"""Colours of lines, in this order."""
INK, GRID, ZERO, CHANGE = "#333333", "#e3e3e3", "#9a9a9a", "#b8b8b8"
"""Colours of text, of the grid, of lines at zero, and of lines that mark an instant or a limit."""
MODE_COLORS = {-1: "#CC79A7", 0: "#d5dae1", 1: "#56B4E9", 2: "#F0E442"}
TIME_COLORS = LinearSegmentedColormap.from_list("time", ["#a9cfe6", "#0072B2", "#0b2545"])
DPI = 160
FAINT: Any = {"color": ZERO, "linewidth": 0.7, "zorder": 0.6}
"""Settings of lines at zero, below all others."""

STYLE: Any = {
    "font.size": 9,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": cycler(color=COLORS),
    "axes.formatter.limits": (-3, 4),
    "axes.formatter.use_mathtext": True,
    "grid.color": GRID,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.3,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}

QUANTITIES = {
    "rad": "angle",
    "rad/s": "speed",
    "rad/s2": "acceleration",
    "N.m": "torque",
    "m": "displacement",
    "m/s": "velocity",
    "m/s2": "acceleration",
    "N": "force",
    "K": "temperature",
    "W": "power",
    "rad/s3": "jerk",
    "m/s3": "jerk",
}


styled = matplotlib.rc_context(STYLE)
"""Decorator: the function draws in this style."""


class Picture(Figure):
    """A figure of matplotlib (width and height in inches) that needs no display and is shown in notebooks.

    >>> figure = Picture(8, 3)
    >>> left, right = figure.subplots(1, 2)
    """

    def __init__(self, width: float, height: float) -> None:
        super().__init__(figsize=(width, height), dpi=DPI, layout="constrained", facecolor="white")
        FigureCanvasAgg(self)

    def _repr_png_(self) -> bytes:
        from io import BytesIO

        buffer = BytesIO()
        self.savefig(buffer, format="png")
        return buffer.getvalue()

    def finish(self, title: str, path: str | Path | None) -> Picture:
        """Sets the title and writes the file, if a path is given.

        >>> figure.finish("Stick-slip", None)
        <Picture size 1280x480 with 0 Axes>
        """
        self.suptitle(verbatim(title), fontsize=10, fontweight="bold", x=0.01, ha="left")
        if path is not None:
            self.savefig(path)
        return self

    def savefig(self, fname: Any, **how: Any) -> None:
        """Writes the figure as matplotlib does; an existing file is replaced whole or left unchanged.

        >>> figure.savefig("stick-slip.png")
        """
        if not isinstance(fname, str | Path):
            super().savefig(fname, **how)
            return
        kind = str(how.pop("format", None) or Path(fname).suffix[1:] or "png").lower()
        known = self.canvas.get_supported_filetypes()
        if kind not in known:
            raise ResultError(
                f"{fname}: there are no pictures of the kind '{kind}'; use one of {', '.join(sorted(known))}"
            )
        with whole_file(fname) as temporary:
            super().savefig(temporary, format=kind, **how)


def verbatim(text: str) -> str:
    """A name for a picture, with $ escaped, which matplotlib would take for the start of a formula.

    >>> verbatim("cost in $")
    'cost in \\\\$'
    """
    return legible(text).replace("$", r"\$")


def label(unit: str, quantity: str | None = None) -> str:
    """Quantity and unit for an axis; plain numbers have no unit.

    >>> label("rad/s2")
    'acceleration / (rad/s²)'
    """
    pretty = "" if unit == "1" else pretty_unit(unit)
    pretty = f"({pretty})" if "/" in pretty else pretty
    return " / ".join(filter(None, [quantity or QUANTITIES.get(unit), pretty]))


def legend_above(axes: Axes, handles: Sequence[Artist | Container] | None = None) -> None:
    """Puts the legend of the lines, or of `handles`, in a row above the axes, where it covers nothing.

    >>> axes = Picture(8, 3).subplots()
    >>> lines = axes.plot([0, 1], [0, 1], label="speed")
    >>> legend_above(axes)
    """
    marks = axes.get_lines() if handles is None else handles
    named = [mark for mark in marks if not str(mark.get_label()).startswith("_")]
    place: Any = {"loc": "lower right", "bbox_to_anchor": (1, 1), "borderaxespad": 0.1}
    axes.legend(handles=named, ncols=6, handlelength=2.6, columnspacing=1.2, **place)
