"""Pictures of Section 3: samples of a coarse encoder, and a sinusoidal test."""

from __future__ import annotations

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, legend_above, styled


@styled
def plot_section_3_1(result: sb.Result, read: np.ndarray, step: float, noise: float) -> Picture:
    """Angle and acceleration, true and from the encoder."""
    picture = Picture(8.5, 3.4)
    left, right = picture.subplots(1, 2)
    angle, time = np.asarray(result["rotor.phi"]), 1e3 * result.time
    shown = slice(500, 560)
    left.plot(time[shown], angle[shown], color=COLORS[0], label="true")
    left.step(time[shown], read[shown], color=COLORS[1], where="post", label="encoder")
    left.set_ylabel("angle / rad")
    true, found = np.diff(angle, n=2) / step**2, np.diff(read, n=2) / step**2
    right.fill_between(time[shown], 1e-3 * (true[498:558] - noise), 1e-3 * (true[498:558] + noise), color="#eeeeee")
    right.plot(time[shown], 1e-3 * found[498:558], ".", color=COLORS[1], label="from the encoder")
    right.plot(time[shown], 1e-3 * true[498:558], color=COLORS[0], label="true")
    right.set_ylabel("acceleration / (1000 rad/s²)")
    right.text(0.99, 0.02, "grey: the bound (30)", ha="right", transform=right.transAxes, fontsize=8)
    for axes in (left, right):
        axes.set_xlabel("time / ms")
        legend_above(axes)
    return picture


@styled
def plot_section_3_3(u: np.ndarray, v: np.ndarray, a: np.ndarray, *, f_v: float, f_c: float) -> Picture:
    """Force with the sign of the speed, with and without inertia, and the mean."""
    picture = Picture(8.5, 3.0)
    axes = picture.subplots()
    period = u.size // 4
    phase = (np.arange(period) + 0.5) / period
    force = (u * np.sign(v))[:period]
    axes.plot(phase, force, color=COLORS[0], label="u sign(v)")
    axes.plot(phase, (f_v * np.abs(v) + f_c)[:period], "--", color=COLORS[1], label="$f_v |v| + f_c$")
    axes.axhline(float(force.mean()), color=INK, linewidth=0.8, linestyle=":", label="mean")
    axes.set_xlabel("part of the period")
    axes.set_ylabel("force / N")
    legend_above(axes)
    return picture
