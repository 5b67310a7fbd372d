"""Pictures of experiments: one by one, or all those with a law in one picture."""

from __future__ import annotations

from math import floor, log10
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from ...results.style import COLORS, DASHES, FAINT, INK, MODE_COLORS, Picture, label, styled, verbatim

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .experiment import Experiment, MeasuredCurve, PlotAxis
    from .tribometer import TribometerReport

WIDTH, HEIGHT = 4.6, 3.2
"""Size (inches) of each picture among several; neighbours leave it room for a long legend."""
ALONE = 5.6
"""Width of a single picture."""
COLUMNS = 3
MOST_POINTS = 1500
"""Points of a drawn trace: more cannot be seen."""
MARGIN = 0.06
"""Free space beyond the curves, as a share of their range."""
YES = {True: "yes", False: "no", None: "?"}
SHADES = (MODE_COLORS[0], 0.5), (COLORS[2], 0.15)
"""Colours of marked ranges, and how much of them is seen."""
PREFIXES = {-3: "m", -6: "µ", -9: "n"}
"""Prefixes of units, by powers of ten."""


@styled
def plot_experiment(experiment: Experiment, path: str | Path | None = None) -> Figure:
    """The curves of one experiment.

    >>> plot_experiment(tribometer("gms")["nested loops"], "loops.png")
    """
    picture = Picture(ALONE, HEIGHT)
    draw_experiment(experiment, picture.subplots())
    return picture.finish(experiment.name, path)


@styled
def plot_report(report: TribometerReport, path: str | Path | None = None) -> Figure:
    """All experiments with a law, each with the verdicts that follow from it.

    >>> plot_report(tribometer("lugre"), "lugre.png")
    """
    found = list(report.experiments.values())
    rows = -(-len(found) // COLUMNS)
    picture = Picture(COLUMNS * WIDTH, rows * HEIGHT)
    places = picture.subplots(rows, COLUMNS, squeeze=False).ravel()
    for experiment, axes in zip(found, places, strict=False):
        draw_experiment(experiment, axes)
        axes.set_title(headline(experiment), fontsize=9, loc="left", pad=18 if _has_legend(experiment) else 6)
    for axes in places[len(found) :]:
        axes.set_axis_off()
    if len(found) < places.size:
        _write_verdicts(report, places[len(found)])
    return picture.finish(report.title, path)


def _write_verdicts(report: TribometerReport, axes: Axes) -> None:
    """The verdicts with their numbers, in the free space."""
    lines = [f"{name}: {YES[verdict.has]} ({verdict.reason})" for name, verdict in report.verdicts.items()]
    text = "\n\n".join(fill(line, 88, subsequent_indent="    ") for line in lines)
    axes.text(0.0, 0.95, verbatim(text), va="top", fontsize=8, linespacing=1.3, in_layout=False, clip_on=False)


def headline(experiment: Experiment) -> str:
    """The name of an experiment, and the verdicts that follow from it.

    >>> headline(tribometer("switch")["vibration"])
    'vibration → stiction: yes'
    """
    found = ", ".join(f"{name}: {YES[verdict.has]}" for name, verdict in experiment.verdicts.items())
    return f"{experiment.name} → {found}" if found else experiment.name


def draw_experiment(experiment: Experiment, axes: Axes) -> None:
    """The curves and marks of an experiment, with their legend above the axes.

    >>> draw_experiment(tribometer("lugre")["velocity sines"], Picture(4, 3).subplots())
    """
    x = PrefixedAxis.of(experiment.x, *(curve.x for curve in experiment.curves))
    y = PrefixedAxis.of(experiment.y, *(curve.y for curve in experiment.curves))
    axes.set(xlabel=x.text, ylabel=y.text)
    axes.set_xscale("log" if experiment.x.log else "linear")
    looks = iter(zip(COLORS, DASHES, strict=False))
    for curve in experiment.curves:
        look = (INK, DASHES[1]) if curve.faint else next(looks)
        _draw_curve(curve._replace(x=x.factor * curve.x, y=y.factor * curve.y), axes, *look)
    for mark, (color, alpha) in zip(experiment.marks, SHADES, strict=False):
        span, scale = (axes.axvspan, x.factor) if mark.axis == "x" else (axes.axhspan, y.factor)
        span(scale * mark.low, scale * mark.high, color=color, alpha=alpha, linewidth=0, zorder=0.4, label=mark.text)
    _set_limits(axes, x, y)
    if _has_legend(experiment):
        place: Any = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.1}
        axes.legend(ncols=6, handlelength=2.0, columnspacing=0.9, handletextpad=0.4, fontsize=7, **place)


class PrefixedAxis(NamedTuple):
    """An axis in a unit that suits its values, which are multiplied by `factor`; their range in that unit."""

    axis: PlotAxis
    factor: float
    text: str
    low: float
    high: float

    @classmethod
    def of(cls, axis: PlotAxis, *values: np.ndarray) -> PrefixedAxis:
        """The axis for these values.

        >>> from stribeck.analysis.laboratory.experiment import PlotAxis
        >>> PrefixedAxis.of(PlotAxis("displacement", "m"), np.array([0, 2e-5])).text
        'displacement / µm'
        """
        low, high = float(min(v.min() for v in values)), float(max(v.max() for v in values))
        size = max(abs(low), abs(high))
        prefixed = not axis.log and axis.unit[0] in "msN" and size > 0
        power = min(0, 3 * floor((log10(size) + 1) / 3)) if prefixed else 0  # 0.1 of a unit and more keep it
        factor, prefix = 10.0**-power, PREFIXES.get(power, "")
        if not prefix:
            factor = 1.0
        return cls(axis, factor, label(prefix + axis.unit, axis.quantity), factor * low, factor * high)


def _has_legend(experiment: Experiment) -> bool:
    return len(experiment.curves) + len(experiment.marks) > 1


def _draw_curve(curve: MeasuredCurve, axes: Axes, color: str, dashes: Any) -> None:
    """A trace as a line; separate points as dots, with a thin line between them."""
    thin = slice(None, None, max(1, curve.x.size // MOST_POINTS))
    look: Any = {"label": curve.name, "color": color}
    if curve.points:
        look |= {"marker": "o", "markersize": 2.2 if curve.x.size > 10 else 4.0, "linewidth": 0.6}
    else:
        look |= {"linestyle": dashes}
    if curve.faint:
        look |= {"alpha": 0.6, "linewidth": 0.9, "zorder": 2.5}
    axes.plot(curve.x[thin], curve.y[thin], **look)


def _set_limits(axes: Axes, x: PrefixedAxis, y: PrefixedAxis) -> None:
    """From 0 on, unless the axis is to be close to the values; what does not change is not drawn as noise."""
    axes.axhline(0, **FAINT)
    low, high = (y.low, y.high) if y.axis.close else (min(0.0, y.low), max(0.0, y.high))
    free = MARGIN * max(high - low, abs(high) if y.axis.close else 0.0)
    if free:
        axes.set_ylim(low - (free if low else 0.0), high + free)
    else:
        axes.set_ylim(-1, 1)
        axes.set_yticks([0])
    if not x.axis.log:
        axes.locator_params(axis="x", nbins=6)
        if x.low == x.high:
            axes.set_xlim(-1, 1)
            axes.set_xticks([0])
