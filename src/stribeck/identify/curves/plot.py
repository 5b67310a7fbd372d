"""The plot of a curve of steady friction: points, curve, confidence band, residuals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...results.style import COLORS, FAINT, Picture, label, legend_above, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .curve import CurveFit

SIDES = ((1, "forwards", "o"), (-1, "backwards", "v"))
RELATIVE = 1e-6
"""Relative step of differences for the derivatives of the curve by its parameters."""


@styled
def plot_curve(found: CurveFit, path: str | Path | None = None) -> Figure:
    """Friction over the logarithm of the speed, both directions as positive values, with 95 % band; and residuals.

    >>> plot_curve(fit_curve(v, f), "curve.png")
    """
    shown = Picture(7.0, 5.2)
    upper, lower = shown.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    for number, (side, word, mark) in enumerate(SIDES):
        if (np.sign(found.points.speed) == side).any():
            _side(upper, lower, found, side, word, mark, COLORS[number])
    speed, friction = found.points.units
    upper.set_xscale("log")
    upper.set_ylim(bottom=0)
    upper.set_ylabel(label(friction, "friction"))
    lower.axhline(0, **FAINT)
    lower.set(xlabel=label(speed, "speed"), ylabel=label(friction, "residual"))
    legend_above(upper)
    return shown.finish("friction over speed", path)


def _side(upper: Axes, lower: Axes, found: CurveFit, side: int, word: str, mark: str, color: str) -> None:
    at = np.sign(found.points.speed) == side
    speed, friction = side * found.points.speed[at], side * found.points.friction[at]
    line = np.geomspace(speed.min() / 1.3, speed.max() * 1.1, 400)
    course, band = side * found(side * line), _half_band(found, side * line)
    upper.fill_between(line, course - band, course + band, color=color, alpha=0.2, linewidth=0)
    upper.plot(line, course, color=color)
    rest = friction - side * found(side * speed)
    error = found.points.friction_error
    bars = None if error is None else 1.96 * error[at]
    upper.errorbar(speed, friction, bars, fmt=mark, color=color, markersize=4, label=word, linewidth=0.8)
    upper.plot([], [], mark, color=color, markersize=4, label=word)
    lower.errorbar(speed, rest, bars, fmt=mark, color=color, markersize=3, linewidth=0.8)


def _half_band(found: CurveFit, speed: np.ndarray) -> np.ndarray:
    """Half the 95 % confidence band at given speeds, from the identifiable parameters."""
    from scipy.stats import t

    names = [name for name in found.estimate.names if name not in found.estimate.unidentifiable]
    at = [found.estimate.names.index(name) for name in names]
    rows = []
    for name in names:
        step = RELATIVE * (abs(found.found[name]) or 1.0)
        moved = {**found.found, name: found.found[name] + step}
        rows.append((found.form.friction(speed, moved) - found(speed)) / step)
    slopes, covariance = np.array(rows), found.estimate.covariance[np.ix_(at, at)]
    variance = np.einsum("ik,ij,jk->k", slopes, covariance, slopes) if rows else np.zeros_like(speed)
    return np.asarray(t.ppf(0.975, max(found.estimate.freedom, 1.0)) * np.sqrt(np.maximum(variance, 0.0)))
