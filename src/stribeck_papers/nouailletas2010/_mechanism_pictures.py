"""Pictures of Section 4.1: springs, torques, play, and the rack released."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from matplotlib.text import Text
from numpy.polynomial import Polynomial

import stribeck as sb
from stribeck.style import COLORS, FAINT, INK, Picture, legend_above, styled

from .actuator import RATIO, TABLE_4
from .mechanism import Mechanism

Curves = Mapping[int, tuple[np.ndarray, np.ndarray]]
"""Angle and torque by direction."""


def larger_words(picture: Figure, factor: float) -> Figure:
    """The same drawing with larger words: a wide one is shown small on a page."""
    for text in picture.findobj(Text):
        text.set_fontsize(factor * float(text.get_fontsize()))
    return picture


@styled
def plot_equation_39(theta: np.ndarray, torque: np.ndarray, motor: float) -> Picture:
    """The torque over the angle, up and back."""
    picture = Picture(8.5, 3.2)
    axes = picture.subplots()
    axes.axhline(0, **FAINT)
    axes.plot(theta[5:], 1e3 * torque[5:], color=COLORS[0])
    axes.set_xlabel("angle of the motor / rad")
    axes.set_ylabel("torque of the motor / (mN·m)")
    top, bottom = 1e3 * torque.max(), 1e3 * torque.min()
    axes.annotate("up", (theta.max() - 2.5, top), (0, -12), textcoords="offset points", ha="right", color=INK)
    axes.annotate("down", (theta.max() - 5.4, bottom), (0, 12), textcoords="offset points", ha="right", color=INK)
    axes.annotate(
        "through the play: friction of the motor",
        (theta.max() - 1.5, -1e3 * motor),
        (-8, 22),
        textcoords="offset points",
        ha="right",
        arrowprops={"arrowstyle": "-", "color": INK, "linewidth": 0.7},
    )
    return picture


@styled
def plot_equation_44(parts: Mechanism, runs: Mapping[str, sb.Result]) -> Picture:
    """What (44) asks for over the range, with and without 1 + sigma, and the rack after it was released."""
    picture = Picture(9.0, 3.4)
    left, right = picture.subplots(1, 2, gridspec_kw={"width_ratios": [1, 1.15]})
    ratio = parts.residue / parts.force_1
    left.plot(1e3 * parts.x, ratio / (1 + parts.sigma), color=COLORS[0], label="(44), to stay at rest")
    left.plot(1e3 * parts.x, ratio, "--", color=COLORS[1], label="without 1 + σ, to come to rest")
    left.axhline(parts.mu_c, color=INK, linestyle=":", linewidth=1)
    left.annotate("μ_c of Figure 12", (0, parts.mu_c), (2, 3), textcoords="offset points", fontsize=8)
    left.set_xlabel("position of the rack / mm")
    left.set_ylabel("least coefficient of friction")
    left.set_ylim(0, 1.28 * ratio.max())
    left.legend(loc="upper left", ncols=1)
    for (name, run), color, dashes in zip(runs.items(), COLORS, ("-", "--", "-", "--"), strict=False):
        right.plot(1e3 * run.time, 1e3 * np.asarray(run["rack.s"]), dashes, color=color, label=name)
    right.set_xlabel("time since it was released / ms")
    right.set_ylabel("position of the rack / mm")
    right.set_ylim(2.2, None)
    right.legend(loc="lower left", ncols=1)
    return picture


@styled
def plot_figure_12(parts: Mechanism, torques: Curves) -> Picture:
    """Forces above, torques below, both over the position of the rack."""
    picture = Picture(8.5, 5.2)
    above, below = picture.subplots(2, 1, sharex=True)
    x = 1e3 * parts.x
    above.plot(x, parts.force_2, "-", color=COLORS[0], label="F₂, clutch")
    above.plot(x, parts.force_1, "-.", color=COLORS[2], label="F₁, compensator")
    above.plot(x, parts.force_1 * parts.tangent, "--", color=COLORS[1], label="F₁ tan α")
    above.set_ylabel("force / N")
    above.set_ylim(0, None)
    legend_above(above)
    for direction, dashes, name in ((1, "-", "ω > 0"), (-1, "--", "ω < 0")):
        theta, torque = torques[direction]
        below.plot(1e3 * RATIO * theta, torque, dashes, color=COLORS[0], label=name)
    below.axhline(0, **FAINT)
    below.set_ylabel("torque at the motor / (N·m)")
    below.set_xlabel("position of the rack / mm")
    legend_above(below)
    return picture


@styled
def plot_figure_13(torques: Curves, fits: Mapping[int, Polynomial]) -> Picture:
    """Torque of the mechanism and the polynomials of Table 4, and what is between them."""
    picture = Picture(8.5, 4.4)
    above, below = picture.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": [2, 1]})
    for direction, color, word in ((1, COLORS[0], "ω > 0"), (-1, COLORS[1], "ω < 0")):
        theta, torque = torques[direction]
        printed = direction * (TABLE_4.forward if direction > 0 else TABLE_4.backward)
        above.plot(theta, torque, color=color, label=f"mechanism, {word}")
        above.plot(theta, printed(theta), "--", color=INK, linewidth=1, label="Table 4" if direction > 0 else None)
        below.plot(theta, 1e3 * (printed(theta) - torque), "--", color=color, label=f"Table 4, {word}")
        below.plot(theta, 1e3 * (fits[direction](theta) - torque), ":", color=color, label=f"our fit, {word}")
    above.axhline(0, **FAINT)
    below.axhline(0, **FAINT)
    above.set_ylabel("torque at the motor / (N·m)")
    below.set_ylabel("difference / (mN·m)")
    below.set_xlabel("angle of the motor / rad")
    legend_above(above)
    legend_above(below)
    return picture
