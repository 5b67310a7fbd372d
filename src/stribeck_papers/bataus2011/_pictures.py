"""Pictures of the items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import stribeck as sb
from stribeck.style import CHANGE, COLORS, INK, ZERO, Picture, label, legend_above, styled

SPEEDS = {"engine.w": ("$\\omega_1$ engine", COLORS[0]), "gearbox.w": ("$\\omega_2$ gearbox", COLORS[1])}
EXACT: Any = {"color": INK, "alpha": 0.35, "linewidth": 2.4}
"""The run with a variable step, below the other one."""


@styled
def plot_curves(
    slip: np.ndarray,
    curves: Mapping[str, np.ndarray],
    titles: Sequence[str],
    static: float | None = None,
    windows: Mapping[str, float] | None = None,
) -> Figure:
    """Torque over slip, a panel for each; those from the second on hold `static` (N.m) at rest or in their window."""
    picture = Picture(8.7, 2.9)
    panels = np.atleast_1d(picture.subplots(1, len(titles), sharey=True))
    for number, (axes, (name, torque), title) in enumerate(zip(panels, curves.items(), titles, strict=True)):
        steps = abs(torque[slip > 0][0] - torque[slip < 0][-1]) > 0.2 * np.abs(torque).max()
        window = (windows or {}).get(name, 0.0)
        parts = (slip < -window, slip > window) if steps else (np.full(slip.shape, True),)
        for part in parts:
            axes.plot(slip[part], torque[part], color=COLORS[0])
        if steps:
            held = static if static is not None and number > 0 else np.abs(torque[np.abs(slip).argmin()])
            _at_rest(axes, float(held), window)
        axes.axhline(0, color=ZERO, linewidth=0.7, zorder=0.6)
        axes.axvline(0, color=ZERO, linewidth=0.7, zorder=0.6)
        axes.set_title(title, fontsize=9, loc="left")
        axes.set_xlabel(label("rad/s", "slip"))
    panels[0].set_ylabel(label("N.m", "torque"))
    return picture.finish("Torque of the closed clutch", None)


def _at_rest(axes: Axes, held: float, window: float) -> None:
    """What a clutch can hold at rest, or within its window."""
    if window:
        axes.fill_between([-window, window], -held, held, color=COLORS[1], alpha=0.25, linewidth=0)
        axes.annotate("$\\pm DV$", (window, held), (3, -3), textcoords="offset points", color=COLORS[1], size=8)
    else:
        axes.plot([0, 0], [-held, held], color=COLORS[1], linewidth=1.8)


@styled
def plot_machines(results: Mapping[int, sb.Result], speeds: Mapping[int, Sequence[str]]) -> Figure:
    """Speeds in a launch, a panel for each number of degrees of freedom."""
    picture = Picture(9.2, 3.1)
    panels = picture.subplots(1, len(results), sharey=True)
    lines = {"engine.w": COLORS[0], "disc.w": COLORS[3], "gearbox.w": COLORS[1], "car.w": COLORS[2]}
    for axes, (dof, result) in zip(panels, results.items(), strict=True):
        for name in speeds[dof]:
            axes.plot(result.time, result[name], color=lines[name], label=name.partition(".")[0], linewidth=1.1)
        axes.set(xlabel="time / s", xlim=(0, 2.5), ylim=(-10, 225))
        axes.set_title(f"{dof} degrees of freedom", fontsize=9, loc="left")
    panels[0].set_ylabel(label("rad/s", "speed"))
    picture.legend(*panels[-1].get_legend_handles_labels(), loc="outside right upper", fontsize=8)
    return picture.finish("A launch", None)


@styled
def plot_situations(exact: sb.Result, seen: Mapping[str, sb.Result]) -> Figure:
    """Speeds of both sides of the clutch and twist of the shaft, the fixed step over the variable one; a column for
    each title."""
    picture = Picture(8.8, 4.4)
    rows = picture.subplots(2, len(seen), sharex=True, sharey="row")
    for (upper, lower), (title, run) in zip(rows.T, seen.items(), strict=True):
        for name, (text, color) in SPEEDS.items():
            upper.plot(exact.time, exact[name], **EXACT)
            upper.plot(run.time, run[name], color=color, linewidth=0.9, label=text)
        lower.plot(exact.time, -np.asarray(exact["shaft.phi_rel"]), **EXACT)
        lower.plot(run.time, -np.asarray(run["shaft.phi_rel"]), color=COLORS[2], linewidth=0.9)
        lower.set(xlabel="time / s", xlim=(0.0, exact.time[-1]))
        upper.set_title(title, fontsize=9, loc="left")
    rows[0, 0].set_ylabel(label("rad/s", "speed"))
    rows[1, 0].set_ylabel(label("rad", "twist"))
    legend_above(rows[0, -1])
    return picture.finish("Fixed steps of 1 ms, and a variable step in grey", None)


@styled
def plot_noise(exact: sb.Result, runs: Mapping[str, sb.Result], zoom: tuple[float, float]) -> Figure:
    """Torque of the clutch with numerical noise: the detail on the left, the whole launch on the right."""
    picture = Picture(8.8, 1.0 + 1.7 * len(runs))
    rows = picture.subplots(len(runs), 2, squeeze=False, width_ratios=[1, 1.4])
    for (left, right), (title, run) in zip(rows, runs.items(), strict=True):
        for axes, span in ((left, zoom), (right, (0.0, 2.5))):
            part, whole = (_within(result.time, span) for result in (run, exact))
            axes.plot(exact.time[whole], -np.asarray(exact["clutch.tau"])[whole], **EXACT)
            axes.plot(run.time[part], -np.asarray(run["clutch.tau"])[part], color=COLORS[1], linewidth=0.7)
            axes.set_xlim(span)
        right.axvspan(*zoom, color=CHANGE, alpha=0.25, linewidth=0)
        right.set_title(title, fontsize=9, loc="left")
        left.set_ylabel(label("N.m", "torque"))
    for axes in rows[-1]:
        axes.set_xlabel("time / s")
    rows[0][0].set_title("detail", fontsize=9, loc="left")
    return picture.finish("Torque of the clutch at 1 ms, and with a variable step in grey", None)


def _within(time: np.ndarray, span: tuple[float, float]) -> np.ndarray:
    inside: np.ndarray = (time >= span[0]) & (time <= span[1])
    return inside


@styled
def plot_tuned(exact: Mapping[str, sb.Result], seen: Mapping[str, sb.Result], original: sb.Result) -> Figure:
    """Fixed against variable step for tuned models, and twist of the shaft compared with that of the classic clutch."""
    picture = Picture(8.8, 1.0 + 1.9 * len(exact))
    rows = picture.subplots(len(exact), 2, squeeze=False, sharex="col")
    for (left, right), title in zip(rows, exact, strict=True):
        for name, (text, color) in SPEEDS.items():
            left.plot(exact[title].time, exact[title][name], **EXACT)
            left.plot(seen[title].time, seen[title][name], color=color, linewidth=0.9, label=text)
        right.plot(original.time, -np.asarray(original["shaft.phi_rel"]), **EXACT)
        right.plot(seen[title].time, -np.asarray(seen[title]["shaft.phi_rel"]), color=COLORS[2], linewidth=0.9)
        left.set_title(title, fontsize=9, loc="left")
        left.set(ylabel=label("rad/s", "speed"), xlim=(0.8, 2.0), ylim=(20, 200))
        right.set(ylabel=label("rad", "twist"), xlim=(0.0, 4.0))
    legend_above(rows[0][0])
    rows[0][1].set_title("twist of the shaft; grey: classic clutch", fontsize=9, loc="left")
    for axes in rows[-1]:
        axes.set_xlabel("time / s")
    return picture.finish("Tuned models: 1 ms over a variable step in grey", None)


@styled
def plot_counts(printed: Mapping[str, float], counted: Mapping[str, float]) -> Figure:
    """Printed times (s) over instructions of a task, with the line through the origin that fits best."""
    picture = Picture(6.6, 3.8)
    axes = picture.subplots()
    x, y = (np.array([values[name] for name in printed]) for values in (counted, printed))
    slope = float(x @ y / (x @ x))
    axes.plot([0, 1.1 * x.max()], [0, 1.1e6 * slope * x.max()], color=CHANGE, linewidth=1.2, zorder=0.8)
    axes.plot(x, 1e6 * y, "o", color=COLORS[0])
    for name, here, there in zip(printed, x, 1e6 * y, strict=True):
        place: Any = (
            {"xytext": (-6, 2), "ha": "right"} if "no stick-slip" in name else {"xytext": (6, -8), "ha": "left"}
        )
        axes.annotate(name, (here, there), textcoords="offset points", size=8, **place)
    axes.set(xlabel="instructions of a task, here", ylabel="average time, printed / µs", xlim=(0, None), ylim=(0, None))
    return picture.finish("Six powertrains: printed times and counted instructions", None)


@styled
def plot_limits(limits: Mapping[str, Sequence[float]], formula: Sequence[float], solvers: Sequence[str]) -> Figure:
    """The smallest transition with which each solver is right, by model, compared with the formula."""
    picture = Picture(8.7, 3.0)
    axes = picture.subplots()
    place = np.arange(len(solvers))
    axes.bar(place, formula, width=0.8, color=CHANGE, alpha=0.5, label="$2\\,T_{fd}\\,h/(c\\,I)$")
    for shift, color, (name, values) in zip((-0.17, 0.17), (COLORS[0], COLORS[1]), limits.items(), strict=True):
        axes.plot(place + shift, values, "o", color=color, label=name)
    axes.set_xticks(place, list(solvers))
    axes.set(ylabel=label("rad/s", "smallest $\\omega_0$"), ylim=(0, None))
    legend_above(axes, axes.get_legend_handles_labels()[0])
    return picture.finish("Transition that a step of 1 ms needs", None)
