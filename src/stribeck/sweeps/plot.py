"""Pictures of a study: lines, heat maps, response surfaces."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from ..results.style import TIME_COLORS, Picture, styled
from ..units import pretty_unit

if TYPE_CHECKING:
    from .study import Study

FEW = 8
"""Lines that one panel can show."""
FINE = 80
"""Points along each side of a response surface."""


@styled
def plot_study(study: Study, measure: str, path: str | Path | None) -> Picture:
    """One measure over the parameters."""
    picture = Picture(6.4, 4.2)
    axes = picture.subplots()
    values = study[measure]
    grid = list(study.design.axes.items())
    names = list(study.design.columns)
    if len(names) == 1:
        _line(axes, study, names[0], values)
    elif grid and len(grid) == 2 and min(axis.size for _, axis in grid) <= FEW:
        _lines(axes, study, grid, values)
    elif grid and len(grid) == 2:
        _heat_map(picture, axes, study, grid, measure)
    else:
        _surface(picture, axes, study, measure)
    if len(names) == 1 or (len(grid) == 2 and axes.get_legend() is not None):
        axes.set_ylabel(_label(study, measure))
    return picture.finish(f"{study.name}: {measure}", path)


def named(name: str, unit: str) -> str:
    """The label of an axis.

    >>> named("mass.w:max", "rad/s")
    'mass.w:max / (rad/s)'
    """
    shown = pretty_unit(unit)
    return name if shown in ("", "1") else f"{name} / ({shown})" if "/" in shown else f"{name} / {shown}"


def _label(study: Study, name: str) -> str:
    return named(name, study.units[name])


def _line(axes: Axes, study: Study, name: str, values: np.ndarray) -> None:
    order = np.argsort(study[name], kind="stable")
    axes.plot(study[name][order], values[order], marker="o" if values.size <= 60 else "", markersize=3)
    axes.set_xlabel(_label(study, name))


def _lines(axes: Axes, study: Study, grid: list[tuple[str, np.ndarray]], values: np.ndarray) -> None:
    """One line for each value of the parameter with fewer of them."""
    table = values.reshape(grid[0][1].size, grid[1][1].size)
    if grid[0][1].size < grid[1][1].size:
        grid, table = grid[::-1], table.T
    (along, x), (other, levels) = grid
    for i, level in enumerate(levels):
        color = TIME_COLORS(i / max(levels.size - 1, 1))
        axes.plot(x, table[:, i], color=color, label=f"{level:.4g}", marker="o" if x.size <= 30 else "", markersize=3)
    axes.legend(title=_label(study, other))
    axes.set_xlabel(_label(study, along))


def _heat_map(picture: Picture, axes: Axes, study: Study, grid: list[tuple[str, np.ndarray]], measure: str) -> None:
    (first, x), (second, y) = grid
    table = study[measure].reshape(x.size, y.size)
    shown = axes.pcolormesh(x, y, table.T, cmap="viridis", shading="nearest", rasterized=True)
    _finish_map(picture, axes, study, shown, first, second, measure)


def _surface(picture: Picture, axes: Axes, study: Study, measure: str) -> None:
    """The measure over the first two parameters, interpolated by radial functions; the others are at their middle.
    Where there are too few results for that, or all on a line, these alone."""
    names = list(study.design.columns)
    values, table = study[measure], study.design.table
    good = np.isfinite(values)
    low, high = table.min(axis=0), table.max(axis=0)
    spread = (table[good] - low)[:, high > low] / (high - low)[high > low]
    if good.sum() > len(names) and np.linalg.matrix_rank(spread - spread.mean(axis=0), tol=1e-6) == spread.shape[1]:
        x, y = (np.linspace(low[i], high[i], FINE) for i in range(2))
        shown: Any = axes.contourf(x, y, _interpolated(table, values, good).T, levels=14, cmap="viridis")
        axes.plot(*table[good, :2].T, ".", color="white", markersize=2.5, alpha=0.7)
        middle = ", ".join(f"{name} = {(low[i] + high[i]) / 2:.4g}" for i, name in enumerate(names) if i > 1)
        axes.set_title(f"at {middle}" if middle else "", fontsize=8, loc="left")
    else:
        shown = axes.scatter(table[:, 0], table[:, 1], c=values, cmap="viridis", plotnonfinite=True)
    _finish_map(picture, axes, study, shown, names[0], names[1], measure)


def _interpolated(table: np.ndarray, values: np.ndarray, good: np.ndarray) -> np.ndarray:
    """Values over the first two parameters, between those that are good."""
    from scipy.interpolate import RBFInterpolator

    low, high = table.min(axis=0), table.max(axis=0)
    scaled = (table - low) / np.where(high > low, high - low, 1.0)
    surface = RBFInterpolator(scaled[good], values[good], neighbors=min(64, int(good.sum())))
    side = np.linspace(0, 1, FINE)
    points = np.full((FINE * FINE, table.shape[1]), 0.5)
    points[:, :2] = np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1).reshape(-1, 2)
    return np.asarray(surface(points)).reshape(FINE, FINE)


def _finish_map(picture: Picture, axes: Axes, study: Study, shown: Any, x: str, y: str, measure: str) -> None:
    axes.set(xlabel=_label(study, x), ylabel=_label(study, y))
    axes.grid(False)
    picture.colorbar(shown, ax=axes, label=_label(study, measure))
