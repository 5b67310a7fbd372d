"""Pictures of linear models: poles with the shapes of the modes, Bode diagrams."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from ...errors import SpecError
from ...results.style import COLORS, INK, Picture, styled
from ...results.style import ZERO as LINE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .model import Eigenmode, LinearModel

MOST_SHAPES = 6  # modes whose shapes are drawn
POINTS = 1500  # of a Bode diagram
GROWING = "#c0392b"
RATIOS = (0.1, 0.3, 0.6)  # damping ratios of the guide lines


@styled
def plot_modes(linear: LinearModel, path: str | Path | None = None) -> Figure:
    """The poles in the complex plane, growing ones in red, beside them the speeds of the bodies in the slowest modes.

    >>> plot_modes(linear, "modes.png")
    """
    modes = linear.modes()
    shapes = [mode for mode in modes if any(mode.shape.values())]
    swinging = [mode for mode in shapes if mode.frequency > 0] or shapes
    shown = swinging[:MOST_SHAPES]
    picture = Picture(8.6 if shown else 4.6, max(3.6, 0.75 + 0.85 * len(shown)))
    grid = picture.add_gridspec(max(len(shown), 1), 2 if shown else 1, width_ratios=[1.15, 1] if shown else [1])
    _poles(picture.add_subplot(grid[:, 0]), list(modes), shown)
    for row, mode in enumerate(shown):
        axes = picture.add_subplot(grid[row, 1])
        _shape(axes, mode, row)
        axes.set_xticks(range(len(mode.shape)), list(mode.shape) if row == len(shown) - 1 else [])
        if len(mode.shape) > 5:
            axes.tick_params(axis="x", rotation=90)
    contacts = "".join(f", {name} {mode}" for name, mode in linear.contacts.items()) if len(linear.contacts) < 4 else ""
    return picture.finish(f"{linear.name}: modes at {linear.time:g} s{contacts}", path)


def _poles(axes: Axes, modes: list[Eigenmode], shown: list[Eigenmode]) -> None:
    values = np.array([mode.eigenvalue for mode in modes], complex)
    swings = values[values.imag > 0]
    span = 1.15 * max(np.abs(swings.imag).max(initial=0.0), 0.2 * np.abs(values).max(initial=0.0), 1e-9)
    for ratio in RATIOS:
        slope = ratio / np.sqrt(1 - ratio**2)
        axes.plot([-span * slope, 0, -span * slope], [span, 0, -span], color=LINE, linewidth=0.6, linestyle=":")
        axes.annotate(f"{ratio:g}", (-span * slope, span), fontsize=7, color=LINE, ha="center", va="bottom")
    axes.axvline(0, color=LINE, linewidth=0.8, zorder=0.6)
    for mode in modes:
        number = next((row for row, other in enumerate(shown) if other is mode), None)
        color = GROWING if mode.eigenvalue.real > 0 else INK if number is None else COLORS[number % len(COLORS)]
        both = np.array([mode.eigenvalue, mode.eigenvalue.conjugate()])
        axes.plot(both.real, both.imag, "x", color=color, markersize=7, markeredgewidth=1.8)
    axes.set(xlabel="real part / (1/s)", ylabel="imaginary part / (rad/s)", ylim=(-1.08 * span, 1.08 * span))
    reach = np.abs(swings.real).max(initial=0.0)
    slow = values.real[np.abs(values.real) <= max(4 * span, 1.2 * reach)]
    left, right = min(slow.min(initial=0.0), -0.35 * span), max(slow.max(initial=0.0), 0.05 * span)
    margin = 0.08 * (right - left)
    axes.set_xlim(left - margin, right + margin)
    hidden = int(np.sum(values.real < left - margin))
    if hidden:
        text = f"{hidden} more to the left, down to {values.real.min():.3g} 1/s"
        axes.annotate(text, (0.02, 0.02), xycoords="axes fraction", fontsize=7)


def _shape(axes: Axes, mode: Eigenmode, row: int) -> None:
    """Speeds of the bodies: their parts in phase with the largest one."""
    speeds = np.array([value.real for value in mode.shape.values()])
    places = np.arange(speeds.size)
    color = GROWING if mode.eigenvalue.real > 0 else COLORS[row % len(COLORS)]
    axes.axhline(0, color=LINE, linewidth=0.7)
    axes.vlines(places, 0, speeds, color=color, linewidth=1.2)
    axes.plot(places, speeds, "o-", color=color, markersize=5, linewidth=0.8)
    limit = 1.25 * max(np.abs(speeds).max(initial=0.0), 1.0)
    axes.set(ylim=(-limit, limit), xlim=(-0.4, speeds.size - 0.6), yticks=[])
    axes.grid(False)
    axes.spines["left"].set_visible(False)
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="x", length=0)
    rate = f"{mode.frequency:.4g} Hz, damping {mode.damping:.3g}" if mode.frequency else f"{mode.time_constant:.4g} s"
    axes.set_title(rate, fontsize=8, loc="left", color=color, pad=2)


@styled
def plot_bode(linear: LinearModel, output: int, source: int, path: str | Path | None = None) -> Figure:
    """Magnitude and phase from an input to an output.

    >>> plot_bode(linear, 0, 0, "bode.png")
    """
    if not linear.inputs or not linear.states:
        raise SpecError(f"{linear.name}: without inputs and states there is no frequency response")
    frequency = _frequencies(linear)
    answer = linear.frequency_response(frequency)[:, output, source]
    picture = Picture(7, 4.6)
    top, bottom = picture.subplots(2, 1, sharex=True)
    unit = f"({linear.output_units[output]})/({linear.input_units[source]})"
    top.loglog(frequency, np.maximum(np.abs(answer), 1e-300), color=COLORS[0])
    top.set_ylabel(f"magnitude / [{unit.replace('.', '·')}]")
    phase = np.degrees(np.unwrap(np.angle(answer)))
    bottom.semilogx(frequency, phase - 360 * np.round(phase[0] / 360), color=COLORS[0])
    bottom.set(xlabel="frequency / Hz", ylabel="phase / °")
    bottom.yaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 1.5, 3, 4.5, 9, 10]))
    names = f"{linear.inputs[source]} to {linear.outputs[output]}"
    return picture.finish(f"{linear.name}: {names} at {linear.time:g} s", path)


def _frequencies(linear: LinearModel) -> np.ndarray:
    """From well below the slowest mode to well above the fastest, dense at resonances."""
    modes = [abs(mode.eigenvalue) / (2 * np.pi) for mode in linear.modes() if mode.eigenvalue]
    low, high = (min(modes), max(modes)) if modes else (1.0, 1.0)
    near = [f * (1 + sign * np.geomspace(1e-4, 0.3, 40)) for f in modes for sign in (1, -1)]
    return np.unique(np.concatenate([np.geomspace(low / 10, 10 * high, POINTS), *near]))
