"""Plots of fits: model and measurement, residuals, intervals and correlation of the parameters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from ...results.style import COLORS, FAINT, GRID, INK, Picture, label, legend_above, styled, verbatim
from .contact import contact
from .prediction import Prediction

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .profile import Profile
    from .result import FitResult

MOST_ROWS = 8
"""Most outputs and records in one picture."""
MOST_POINTS = 4000
"""Points of a line: more than a picture can show."""
LAGS = 60
"""Least number of lags of the autocorrelation; twice its first zero crossing if that is more."""
GREY = COLORS[6]


@styled
def plot_predictions(
    predictions: Iterable[Prediction], path: str | Path | None = None, title: str = "model and measurement"
) -> Figure:
    """Every output over time, measured and simulated, and the residuals.

    >>> plot_predictions(result.predictions, "fit.png")
    >>> plot_predictions(result.simulate(other), "held-out.png", "held-out record")
    """
    shown = list(predictions)[:MOST_ROWS]
    picture, grid = _rows(len(shown), 2.3)
    for (left, right), prediction in zip(grid, shown, strict=True):
        _course(left, prediction)
        _residual(right, prediction)
    for axes in grid[-1]:
        axes.set_xlabel(label("s", "time"))
    return picture.finish(title, path)


@styled
def plot_profile(profile: Profile, path: str | Path | None = None) -> Figure:
    """The signed root of the likelihood ratio over a parameter, and both intervals.

    >>> plot_profile(result.profile("load.m"), "profile.png")
    """
    picture = Picture(6.4, 3.6)
    axes = picture.subplots(1, 1)
    axes.plot(profile.values, profile.ratios, "o-", color=COLORS[0])
    axes.axhline(0.0, color=GRID, linewidth=0.8)
    titles = f"{100 * profile.level:g} % by likelihood ratio", "from the curvature"
    for ends, color, title in zip((profile.interval, profile.quadratic), COLORS, titles, strict=False):
        for end in filter(math.isfinite, ends):
            axes.axvline(end, color=color, linestyle="--", linewidth=1.0)
        axes.plot([], [], "--", color=color, label=title)
    axes.set_xlabel(label(profile.unit, profile.path))
    axes.set_ylabel("signed root of the likelihood ratio")
    axes.legend()
    return picture.finish("profile likelihood", path)


@styled
def plot_friction(result: FitResult, path: str | Path | None = None) -> Figure:
    """Friction of the fitted model over slip speed and over time.

    >>> plot_friction(result, "friction.png")
    """
    places = friction_elements(result)[:MOST_ROWS]
    picture = Picture(9.6, 0.5 + 2.5 * len(places))
    grid = picture.subplots(len(places), 2, squeeze=False)
    for (left, right), place in zip(grid, places, strict=True):
        for rig, color in zip(result.problem.rigs, COLORS, strict=False):
            found, every = contact(rig, result.best, place), _thinned(rig.time.size)
            line = {"color": color, "linewidth": 1.2, "label": rig.measurement.name}
            left.plot(found.speed[every], found.friction[every], **line)
            right.plot(rig.time[every], found.friction[every], **line)
        left.set(xlabel=label(found.units[0], "slip speed"), ylabel=label(found.units[1], f"friction of {place}"))
        left.axvline(0, **FAINT)
        for axes in (left, right):
            axes.axhline(0, **FAINT)
        legend_above(left)
    grid[-1][1].set_xlabel(label("s", "time"))
    return picture.finish("friction in the fitted model", path)


def friction_elements(result: FitResult) -> list[str]:
    """Elements with a law of which a parameter was fitted.

    >>> friction_elements(result)
    ['joint']
    """
    elements = result.problem.rigs[0].model.elements
    named = dict.fromkeys(name.partition(".law.")[0] for name in result.names if ".law." in name)
    return [name for name in named if name in elements]


@styled
def plot_residuals(predictions: Iterable[Prediction], path: str | Path | None = None) -> Figure:
    """Autocorrelation of the residuals with the band of white noise, and their distribution with the normal density.

    >>> plot_residuals(result.predictions, "residuals.png")
    """
    shown = list(predictions)[:MOST_ROWS]
    picture, grid = _rows(len(shown), 2.1)
    for (left, right), prediction in zip(grid, shown, strict=True):
        _autocorrelation(left, prediction)
        _distribution(right, prediction)
    grid[-1][0].set_xlabel("lag / samples")
    grid[-1][1].set_xlabel("residual / its standard deviation")
    return picture.finish("residuals: autocorrelation and distribution", path)


@styled
def plot_parameters(result: FitResult, path: str | Path | None = None) -> Figure:
    """95 % intervals relative to the estimates, and the correlation of the parameters.

    >>> plot_parameters(result, "parameters.png")
    """
    names = result.names
    picture = Picture(9.6, 1.3 + 0.34 * max(len(names), 4))
    left, right = picture.subplots(1, 2, width_ratios=(1.1, 1))
    _intervals(left, result)
    _correlation(right, result.correlation, names)
    return picture.finish("parameters: 95 % intervals and correlation", path)


def _rows(count: int, height: float) -> tuple[Picture, Any]:
    """A picture with rows of two axes."""
    picture = Picture(9.6, 0.5 + height * count)
    return picture, picture.subplots(count, 2, width_ratios=(1.5, 1), squeeze=False)


# --- parts -----------------------------------------------------------------------------------------------------------


def _course(axes: Axes, p: Prediction) -> None:
    every = _thinned(p.time.size)
    axes.plot(p.time[every], p.measured[every], color=GREY, linewidth=2.2, alpha=0.45, label="measured")
    axes.plot(p.time[every], p.simulated[every], color=COLORS[0], linewidth=1.0, label="model")
    _shade(axes, p.time, ~p.valid)
    axes.set_ylabel(label(p.unit or "1", p.output))
    axes.set_title(f"{verbatim(p.measurement.name)}: fit {p.fit:.2f} %", fontsize=8, loc="left")
    legend_above(axes)


def _residual(axes: Axes, p: Prediction) -> None:
    every = _thinned(p.time.size)
    axes.plot(p.time[every], np.where(p.valid, p.residual, np.nan)[every], color=COLORS[1], linewidth=0.6)
    axes.axhline(0, **FAINT)
    axes.set_ylabel(label(p.unit or "1", "model - measured"))
    axes.set_title(f"rms {p.rms:.3g} {p.unit}", fontsize=8, loc="left")
    step = p.measurement.resolution.get(p.channel)
    if step and p.rms / 2 < step < 40 * p.rms:
        for edge in (-step / 2, step / 2):
            axes.axhline(edge, color=INK, linewidth=0.6, linestyle=":")
        axes.annotate("± half the resolution", (1, step / 2), (-2, 2), fontsize=7, ha="right",
                      xycoords=axes.get_yaxis_transform(), textcoords="offset points")  # fmt: skip


def _autocorrelation(axes: Axes, p: Prediction) -> None:
    r = p.residual[p.valid] - p.residual[p.valid].mean()
    power = float(r @ r) or 1.0
    whole = np.fft.irfft(np.abs(np.fft.rfft(r, 2 * r.size)) ** 2)[: r.size // 4 + 1] / power
    crossing = int(np.argmax(whole <= 0)) if (whole <= 0).any() else whole.size
    lags = min(max(LAGS, 2 * crossing), r.size // 4)
    rho = whole[: lags + 1]
    band = 2.58 / math.sqrt(r.size)
    axes.axhspan(-band, band, color=GRID, zorder=0.5)
    axes.fill_between(np.arange(lags + 1), rho, color=COLORS[0], alpha=0.3, linewidth=0)
    axes.plot(np.arange(lags + 1), rho, color=COLORS[0], linewidth=1.2)
    axes.axhline(0, **FAINT)
    axes.set(ylabel="autocorrelation", ylim=(min(-0.25, 1.1 * rho.min()), 1.05))
    axes.set_title(f"{p.output} in {verbatim(p.measurement.name)}; grey: 99 % of white noise", fontsize=8, loc="left")


def _distribution(axes: Axes, p: Prediction) -> None:
    r = p.residual[p.valid]
    spread = float(r.std()) or 1.0
    reach = min(max(float(np.abs(r).max()) / spread, 3.0), 8.0)
    bins = np.linspace(-reach, reach, 61)
    axes.hist(np.clip(r / spread, -reach, reach), bins=bins.tolist(), density=True, color=COLORS[5], alpha=0.7)
    axes.plot(bins, np.exp(-(bins**2) / 2) / math.sqrt(2 * math.pi), color=INK, linewidth=1.0, label="normal")
    axes.set_yticks([])
    axes.grid(False)
    legend_above(axes)


def _intervals(axes: Axes, result: FitResult) -> None:
    """One line per parameter, from the lower to the upper end in % of the estimate; or "not identifiable"."""
    ends = result.interval(0.95)
    known = {name: (result.values[name], *ends[name]) for name in result.identifiable}
    shares = {name: [100 * (end / value - 1) for end in (low, high)] for name, (value, low, high) in known.items()
              if value}  # fmt: skip
    reach = max((abs(end) for pair in shares.values() for end in pair), default=1.0)
    for row, name in enumerate(result.names):
        if name not in shares:
            axes.text(0, row, "not identifiable" if name in result.unidentifiable else "0", ha="center", va="center",
                      fontsize=8, color=COLORS[1])  # fmt: skip
            continue
        low, high = shares[name]
        axes.plot([low, high], [row, row], color=COLORS[0], linewidth=3, solid_capstyle="butt")
        axes.plot([0], [row], "o", color=INK, markersize=4)
    axes.set_yticks(range(len(result.names)), result.names, fontsize=8)
    axes.set(xlim=(-1.15 * reach, 1.15 * reach), ylim=(len(result.names) - 0.4, -0.6))
    axes.axvline(0, **FAINT)
    axes.set_xlabel("95 % interval about the value / %")


def _correlation(axes: Axes, matrix: np.ndarray, names: Sequence[str]) -> None:
    axes.imshow(matrix, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")
    if len(names) <= 12:
        for i, j in np.ndindex(*matrix.shape):
            color = "white" if abs(matrix[i, j]) > 0.6 else INK
            axes.text(j, i, f"{matrix[i, j]:.2f}", ha="center", va="center", fontsize=7, color=color)
    short = _short(names)
    axes.set_xticks(range(len(names)), short, rotation=90 if len(names) > 5 else 0, fontsize=8)
    axes.set_yticks(range(len(names)), short, fontsize=8)
    axes.grid(False)
    axes.set_title("correlation", fontsize=8, loc="left")


def _short(names: Sequence[str]) -> list[str]:
    """The last parts of paths if these are unique."""
    last = [name.rpartition(".")[2] for name in names]
    return last if len(set(last)) == len(last) else list(names)


def _shade(axes: Axes, time: np.ndarray, out: np.ndarray) -> None:
    """Grey where samples are not valid."""
    if out.any():
        axes.fill_between(time, 0, 1, where=out.tolist(), transform=axes.get_xaxis_transform(), color=GRID, linewidth=0)


def _thinned(size: int) -> slice:
    return slice(None, None, max(1, size // MOST_POINTS))
