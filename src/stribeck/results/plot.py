"""Pictures of results: time histories, friction over velocity, friction over displacement."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Patch

from ..kinds import Kind, contact_name
from .errors import ResultError
from .meta import element_of
from .modes import MODES, STUCK
from .style import CHANGE, COLORS, DASHES, FAINT, MODE_COLORS, TIME_COLORS, Picture, label, legend_above, styled
from .thin import COLUMNS, thinned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .result import Result

MOVING = (Kind.POSITION, Kind.SPEED, Kind.TEMPERATURE)
LOOPS = {Kind.SLIP: "slip velocity", Kind.DISPLACEMENT: "displacement"}
"""Abscissae of friction plots, and their names."""
MOST_MARKS = 60  # more mode changes than this would hide the curves
PIXELS = 1000  # of a picture, about
MOST_COLORS = 256  # segments of a curve that is coloured by time
MOST_LINES = len(DASHES)  # of a panel, all of them different
SAME_SCALE = 300.0  # outputs whose magnitudes differ by more do not share a panel


@styled
def plot_time(result: Result, names: Sequence[str], path: str | Path | None = None) -> Figure:
    """Time histories on a shared axis, one panel per unit; for elements that lock a strip shows the modes.

    >>> plot_time(result, ["mass.w", "friction.tau"], "time.png")
    """
    panels = _panels(result, [name for name in names or telling_outputs(result) if not result.meta.is_mode(name)])
    locking = list(result.meta.contacts)
    if not panels and not locking:
        raise ResultError(f"{result.name}: the result has no outputs to plot; choose some by outputs=[...]")
    heights = [1.7] * len(panels) + [0.12 + 0.2 * len(locking)] * bool(locking)
    picture = Picture(8, 0.9 + sum(heights))
    rows = picture.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    for axes, panel in zip(rows, panels, strict=False):
        _lines(result, axes, panel)
        _mark_modes(result, axes, locking)
    if locking:
        _mode_strip(result, rows[-1], locking)
    rows[-1].set(xlabel="time / s")
    if result.time.size > 1:
        rows[-1].set_xlim(result.time[0], result.time[-1])
    picture.align_ylabels(rows[: len(panels)])
    return picture.finish(result.name, path)


@styled
def plot_velocity(result: Result, element: str, path: str | Path | None = None) -> Figure:
    """Friction over slip velocity, coloured by time.

    >>> plot_velocity(result, "friction", "friction_velocity.png")
    """
    return _loop(result, element, Kind.SLIP, path)


@styled
def plot_displacement(result: Result, element: str, path: str | Path | None = None) -> Figure:
    """Friction over displacement, coloured by time; the enclosed area is the work of friction.

    >>> plot_displacement(result, "friction", "friction_displacement.png")
    """
    return _loop(result, element, Kind.DISPLACEMENT, path)


def telling_outputs(result: Result) -> list[str]:
    """The outputs of a first overview: positions, speeds, temperatures and friction.

    >>> telling_outputs(result)
    ['pull.phi', 'pull.w', 'mass.phi', 'mass.w', 'friction.tau']
    """
    meta = result.meta
    labels = list(zip(meta.names, meta.kinds, meta.parts, strict=True))
    moving = [name for name, kind, part in labels if kind in MOVING and not part]
    turning = [name for name in moving if meta.kind(name) is Kind.POSITION and meta.units[meta.row(name)] == "rad"]
    moving = [name for name in moving if len(turning) <= MOST_LINES or name not in turning]  # their speeds say it
    contacts = {*meta.friction, *meta.contacts}
    forces = [(name, contact_name(element_of(name), part)) for name, kind, part in labels if kind is Kind.FORCE]
    return moving + [name for name, contact in forces if contact in contacts] or list(meta.names)


def loop_elements(result: Result) -> list[str]:
    """The elements whose friction can be drawn over slip: gears with losses and vehicles have no slip output.

    >>> loop_elements(result)
    ['friction']
    """
    elements, find = dict.fromkeys(result.meta.friction), result.meta.find
    return [e for e in elements if all(find(e, kind) for kind in (Kind.FORCE, *LOOPS))]


class Panel(NamedTuple):
    """Outputs with one unit and similar magnitude."""

    unit: str
    size: float
    names: list[str]


def _panels(result: Result, names: Sequence[str]) -> list[Panel]:
    """The outputs by unit; a bristle deflection of 1e-5 rad does not share the panel of an angle."""
    panels: list[Panel] = []
    for name in names:
        trace = result[name]
        size = float(np.abs(trace).max(initial=0.0))
        near = (
            p for p in panels if p.unit == trace.unit and 1 / SAME_SCALE < (size or p.size) / (p.size or 1) < SAME_SCALE
        )
        panel = next(near, None)
        if panel is None:
            panels.append(Panel(trace.unit, size, [name]))
        else:
            panel.names.append(name)
    return [part for panel in panels for part in _split(panel)]


def _split(panel: Panel) -> list[Panel]:
    """Panels of at most MOST_LINES lines, about equally many in each."""
    parts = -(-len(panel.names) // MOST_LINES)
    ends = [round(part * len(panel.names) / parts) for part in range(parts + 1)]
    return [panel._replace(names=panel.names[a:b]) for a, b in pairwise(ends)]


def _lines(result: Result, axes: Axes, panel: Panel) -> None:
    """The lines of a panel: an element has the same colour in all panels, unless another has it there already; dashes
    differ too, for pictures without colours."""
    order = list(dict.fromkeys(map(element_of, result.names)))
    free = list(COLORS)
    for name, dashes in zip(panel.names, DASHES, strict=False):
        usual = COLORS[order.index(element_of(name)) % len(COLORS)]
        color = usual if usual in free else free[0]
        free.remove(color)
        axes.plot(*thinned(result.time, result[name]), color=color, linestyle=dashes, label=name)
    axes.set_ylabel(label(panel.unit))
    legend_above(axes)


def _mark_modes(result: Result, axes: Axes, locking: Sequence[str]) -> None:
    """A line at each mode change; where one element alone can lock, its stuck times are shaded."""
    if len(result.events) <= MOST_MARKS:
        for time in result.events.time:
            axes.axvline(time, color=CHANGE, linewidth=0.6, linestyle=(0, (4, 3)), zorder=0.6)
    if len(locking) == 1:
        for phase in result.phases(locking[0]):
            if phase.mode == STUCK:
                axes.axvspan(phase.start, phase.end, color=MODE_COLORS[STUCK], alpha=0.35, linewidth=0, zorder=0.5)


def _mode_strip(result: Result, axes: Axes, locking: Sequence[str]) -> None:
    """One bar per element that can lock, coloured by mode."""
    used = set()
    for row, element in enumerate(locking):
        for phase in result.phases(element):
            axes.barh(row, phase.end - phase.start, 0.7, left=phase.start, color=MODE_COLORS[phase.mode], linewidth=0)
            used.add(phase.mode)
    axes.set_yticks(range(len(locking)), locking)
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    axes.grid(False)
    axes.spines["left"].set_visible(False)
    legend_above(axes, [Patch(color=MODE_COLORS[mode], label=MODES[mode]) for mode in sorted(used)])


def _loop(result: Result, element: str, across: Kind, path: str | Path | None) -> Figure:
    """Friction over another quantity of the element, dark at the end of the run and light at its start."""
    x, y = (result[_output(result, element, kind)] for kind in (across, Kind.FORCE))
    what = LOOPS[across]
    picture = Picture(5.6, 4.2)
    axes = picture.subplots()
    rows = _loop_rows(x, y)
    x, y, time = x[rows], y[rows], result.time[rows]  # parts of traces keep their units
    ends = np.unique(np.linspace(0, max(x.size - 1, 1), MOST_COLORS + 1).astype(int))
    points = np.column_stack([x, y])
    lines = LineCollection([points[a : b + 1] for a, b in pairwise(ends)], cmap=TIME_COLORS)
    lines.set_array(time[np.minimum(ends[1:], x.size - 1)])
    lines.set_capstyle("round")
    axes.add_collection(lines)
    axes.autoscale_view()
    axes.axhline(0, **FAINT)
    axes.axvline(0, **FAINT)
    axes.set(xlabel=label(x.unit, what), ylabel=label(y.unit, "friction"))
    bar = picture.colorbar(lines, ax=axes, pad=0.02, aspect=30)
    bar.set_label("time / s")
    bar.outline.set_visible(False)
    return picture.finish(f"{result.name}: {element} over {what}", path)


def _loop_rows(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Points of a loop that differ in a picture: one for each step of a thousandth of its size, and its ends."""
    if x.size <= 4 * COLUMNS:
        return np.arange(x.size)
    cells = [np.floor(PIXELS * (v - v.min()) / (np.ptp(v) or 1.0)) for v in (np.asarray(x), np.asarray(y))]
    moved = np.any([np.diff(cell) != 0 for cell in cells], axis=0)
    return np.flatnonzero(np.concatenate([[True], moved]) | np.concatenate([moved, [True]]))


def _output(result: Result, element: str, kind: Kind) -> str:
    """The output of an element that is of this kind."""
    name = result.meta.find(element, kind)
    if name:
        return name
    if element not in result.meta.elements:
        known = ", ".join(result.meta.friction) or "none"
        raise ResultError(f"no element '{element}'; elements with friction: {known}")
    raise ResultError(f"{element} shows no {kind}; it has {', '.join(result.meta.of(element)) or 'none'}")
