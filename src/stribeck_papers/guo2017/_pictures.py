"""Pictures of the items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import stribeck as sb
from stribeck.style import CHANGE, COLORS, ZERO, Picture, label, legend_above, styled

MODELS = {
    "Dahl": (COLORS[6], "-."),
    "improved Dahl": (COLORS[1], "--"),
    "LuGre": (COLORS[0], "-"),
    "simplified LuGre": (COLORS[2], "-"),
}
"""Colour and dashes of each model."""
PARAMETERS = {
    "spring.c": "k / (N/m)",
    "pull.v": "pull / (m/s)",
    "friction.law.sigma2": "$\\sigma_2$ / (N·s/m)",
    "friction.law.dv": "$\\Delta v$ / (m/s)",
    "friction.law.v_s": "$v_s$ / (m/s)",
}
"""What is drawn, by the paths of parameters."""


@styled
def plot_loop(place: np.ndarray, friction: np.ndarray, coulomb: float) -> Figure:
    """Friction over displacement, with Coulomb friction to either side."""
    picture = Picture(8.6, 3.4)
    axes = picture.subplots()
    for level, text in ((coulomb, "$F_c$"), (-coulomb, "$-F_c$")):
        axes.axhline(level, color=CHANGE, linewidth=0.9, linestyle=(0, (4, 3)))
        axes.annotate(
            text, (1, level), (4, 0), xycoords=axes.get_yaxis_transform(), textcoords="offset points", va="center"
        )
    axes.plot(1e6 * place, friction, color=COLORS[0])
    axes.set(xlabel="displacement / µm", ylabel=label("N", "friction"))
    return picture.finish("Dahl's model in cyclic motion", None)


@styled
def plot_curves(speed: np.ndarray, curves: Mapping[str, np.ndarray], limit: float) -> Figure:
    """Steady friction over speed: at low speeds, and over the whole range."""
    picture = Picture(8.6, 3.5)
    left, right = picture.subplots(1, 2, width_ratios=[1.2, 1], sharey=True)
    for axes in (left, right):
        for name, friction in curves.items():
            color, dashes = MODELS[name]
            axes.plot(speed, friction, color=color, linestyle=dashes, label=name)
        axes.axvline(limit, color=CHANGE, linewidth=0.9, linestyle=(0, (4, 3)))
        axes.set_xlabel(label("m/s", "speed"))
    left.set_xscale("log")
    left.annotate("$\\Delta v$", (limit, 1), (4, -8), xycoords=("data", "axes fraction"), textcoords="offset points")
    left.set_ylabel(label("N", "friction"))
    right.set_xlim(0, speed[-1])
    legend_above(right)
    return picture.finish("Steady sliding", None)


@styled
def plot_run(
    result: sb.Result, name: str, pull: float, slow: tuple[float, float], times: tuple[float, float] | None = None
) -> Figure:
    """Displacement over time, friction over speed, and the same at low speeds (m/s), within `times` (s) if given."""
    picture = Picture(9.2, 3.2)
    left, middle, right = picture.subplots(1, 3, width_ratios=[1.25, 1, 1])
    _displacement(left, result, name, pull)
    speed, friction = (np.asarray(result[output]) for output in ("mass.v", "friction.f"))
    first, last = times or (0.0, float(result.time[-1]))
    part = (result.time >= first) & (result.time <= last)
    for axes, shown in ((middle, np.full(part.shape, True)), (right, part)):
        axes.plot(speed[shown], friction[shown], color=MODELS[name][0], linewidth=0.9)
        axes.axvline(0, color=ZERO, linewidth=0.7)
        axes.set_xlabel(label("m/s", "speed"))
    right.set_xlim(*slow)
    right.locator_params(axis="x", nbins=4)
    middle.set_ylabel(label("N", "friction"))
    left.set_title("a) displacement and time", fontsize=9, loc="left")
    middle.set_title("b) friction and speed", fontsize=9, loc="left")
    right.set_title(f"low speeds, {first:g} to {last:g} s" if times else "low speeds", fontsize=9, loc="left")
    return picture.finish(f"The {name} model on the rig", None)


def _displacement(axes: Axes, result: sb.Result, name: str, pull: float) -> None:
    axes.plot(result.time, pull * result.time, color=ZERO, linewidth=0.9, linestyle="--")
    axes.plot(result.time, result["mass.s"], color=MODELS[name][0])
    last = result.time[-1]
    axes.annotate(
        "end of\nthe spring", (0.72 * last, 0.72 * pull * last), (-8, 4), textcoords="offset points", ha="right"
    )
    at = int(0.8 * result.time.size)
    place: Any = {"textcoords": "offset points", "va": "top", "color": MODELS[name][0]}
    axes.annotate("mass", (result.time[at], result["mass.s"][at]), (6, -8), **place)
    axes.set(xlabel="time / s", ylabel=label("m", "displacement"), xlim=(0, last), ylim=(0, None))


@styled
def plot_rigs(values: Mapping[str, np.ndarray], pairs: Sequence[tuple[str, str]], used: Mapping[str, float]) -> Figure:
    """Rigs that give the three periods, parameter over parameter (paths), and the one that is used here as a cross."""
    picture = Picture(8.8, 3.1)
    for axes, (x, y) in zip(np.atleast_1d(picture.subplots(1, len(pairs))), pairs, strict=True):
        axes.plot(values[x], values[y], "o", color=COLORS[0], markersize=3, alpha=0.6)
        axes.plot([used[x]], [used[y]], "x", color=COLORS[1], markersize=9, markeredgewidth=2)
        for path, scale, name in ((x, axes.set_xscale, axes.set_xlabel), (y, axes.set_yscale, axes.set_ylabel)):
            if values[path].max() > 10 * values[path].min():
                scale("log")
            name(PARAMETERS[path])
    return picture.finish("Every dot is a rig with the three printed periods; cross: the one used here", None)


@styled
def plot_periods(results: Mapping[str, sb.Result], printed: Mapping[str, float], ours: Mapping[str, float]) -> Figure:
    """Displacement under three models from the first slip on, and the periods compared with those of the paper."""
    picture = Picture(8.6, 3.5)
    left, right = picture.subplots(1, 2, width_ratios=[1.7, 1])
    for name, result in results.items():
        color, dashes = MODELS[name]
        left.plot(result.time, result["mass.s"], color=color, linestyle=dashes, label=name)
    left.set(xlabel="time / s", ylabel=label("m", "displacement"), xlim=(5, 25))
    left.set_xticks(range(5, 26, 5))
    legend_above(left)
    for row, name in enumerate(printed):
        right.plot([printed[name]], [row], "|", color=CHANGE, markersize=22, markeredgewidth=2)
        right.plot([ours[name]], [row], "o", color=MODELS[name][0])
        right.annotate(f"{ours[name]:.3f}", (ours[name], row), (9, -3), textcoords="offset points", size=8)
    right.set_yticks(range(len(printed)), list(printed))
    right.set(xlabel="period / s", ylim=(-0.6, len(printed) - 0.4))
    right.margins(x=0.3)
    right.set_title("dots: here, bars: the paper", fontsize=9, loc="left")
    return picture.finish("Periods of the stick-slip", None)
