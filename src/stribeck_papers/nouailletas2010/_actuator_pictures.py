"""Pictures of Sections 4.2 to 5.2: coasting, break-away torques, sinusoidal test."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi
from typing import Protocol

import numpy as np
from numpy.polynomial import Polynomial

import stribeck as sb
from stribeck.style import COLORS, FAINT, INK, Picture, legend_above, styled

from .actuator import COUNT, F_V, TABLE_5, TRAVEL, W_V
from .swings import C_R, arccos_friction

Tests = Mapping[int, tuple[np.ndarray, np.ndarray]]
"""Angles and break-away torques by direction."""


@styled
def plot_table_3(true: sb.Result, captured: sb.Result) -> Picture:
    """A rotor that coasts: speed and angle, with true stick and with the two modes of Table 3."""
    picture = Picture(8.5, 3.2)
    speed, angle = picture.subplots(1, 2)
    for run, name, dashes, color in (
        (true, "true stick", "-", COLORS[0]),
        (captured, "Σ = 150 rad/s", "--", COLORS[1]),
    ):
        time = 1e3 * run.time
        speed.plot(time, run["rotor.w"], dashes, color=color, label=name)
        angle.plot(time, (np.asarray(run["rotor.phi"]) - 30) / COUNT, dashes, color=color, label=name)
    speed.set_ylabel("speed / (rad/s)")
    angle.set_ylabel("way / counts of the encoder")
    for axes in (speed, angle):
        axes.set_xlabel("time without torque / ms")
        axes.set_xlim(0, 25)
    legend_above(speed)
    return picture


@styled
def plot_figure_14(tests: Tests) -> Picture:
    """Break-away torques up and down, and what was put in."""
    picture = Picture(8.5, 3.6)
    axes = picture.subplots()
    grid = np.linspace(0, TRAVEL, 300)
    axes.axhline(0, **FAINT)
    for direction, color, word in ((1, COLORS[0], "up"), (-1, COLORS[1], "down")):
        angles, torque = tests[direction]
        axes.plot(angles, direction * torque, "o", color=color, markersize=3.2, mfc="none", label=f"test, {word}")
        axes.plot(grid, direction * TABLE_5.static(grid, direction), color=color, linewidth=0.8)
    axes.set_xlabel("angle of the motor / rad")
    axes.set_ylabel("torque when the encoder moves / (N·m)")
    legend_above(axes)
    return picture


@styled
def plot_figure_15(tests: Tests, fits: Mapping[int, Polynomial]) -> Picture:
    """Break-away torques as circles and the polynomials through them."""
    picture = Picture(8.5, 3.6)
    up, down = picture.subplots(1, 2, sharey=True)
    grid = np.linspace(1, TRAVEL - 1, 300)
    for axes, direction, title in ((up, 1, "ω > 0, degree 3"), (down, -1, "ω < 0, degree 4")):
        angles, torque = tests[direction]
        axes.plot(angles, torque, "o", color=COLORS[6], markersize=3.2, mfc="none", label="virtual test")
        axes.plot(grid, fits[direction](grid), color=COLORS[0], label="fit")
        axes.plot(grid, TABLE_5.static(grid, direction), "--", color=COLORS[1], linewidth=1, label="Table 5")
        axes.set_title(title, fontsize=9, loc="left")
        axes.set_xlabel("angle of the motor / rad")
    up.set_ylabel("break-away torque / (N·m)")
    legend_above(down)
    return picture


class MeanSeries(Protocol):
    """Amplitudes of sinusoidal tests and their means."""

    @property
    def speeds(self) -> np.ndarray:
        """In rad/s."""

    @property
    def means(self) -> np.ndarray:
        """In N.m."""

    @property
    def dry(self) -> float:
        """The mean below 240 rad/s (N.m)."""


@styled
def plot_figure_16(jumping: MeanSeries, lines: MeanSeries, found: np.ndarray) -> Picture:
    """Left the means over the amplitude, with (48) and with the arccos law; right both laws over speed."""
    picture = Picture(9.0, 4.0)
    left, right = picture.subplots(1, 2)
    line, grid = np.array([0.0, 610.0]), np.linspace(W_V, 610, 300)
    left.plot(line, np.full(2, C_R), color=INK, linewidth=0.8, linestyle="--", label="printed lines")
    left.plot(line, F_V * 2 * line / pi, color=INK, linewidth=0.8, linestyle="--")
    left.plot(grid, jumping.dry + F_V * 2 / pi * np.sqrt(grid**2 - W_V**2), color=COLORS[1], label="(48)")
    left.plot(jumping.speeds, jumping.means, "*", color=COLORS[1], markersize=5)
    left.plot(lines.speeds, lines.means, "o", color=COLORS[0], markersize=3.5, mfc="none", label="arccos law")
    left.set_ylabel("mean of u sign ω / (N·m)")
    left.set_xlabel("amplitude of the speed / (rad/s)")
    speed = np.linspace(0, 610, 1201)
    right.plot(speed, C_R + np.where(speed >= W_V, F_V * speed, 0.0), color=COLORS[1], label="(48)")
    right.plot(speed, arccos_friction(speed), color=COLORS[0], label="arccos law")
    right.plot(lines.speeds, found, "o", color=INK, markersize=3.5, mfc="none", label="found by inversion")
    right.set_ylabel("friction / (N·m)")
    right.set_xlabel("speed / (rad/s)")
    for axes, top in ((left, 0.4), (right, 0.6)):
        axes.axvline(W_V, color=INK, linestyle=":", linewidth=0.8)
        axes.annotate("240 rad/s", (W_V, 0.02 * top), (4, 0), textcoords="offset points", fontsize=8)
        axes.set_xlim(0, 610)
        axes.set_ylim(0, top)
        legend_above(axes)
    return picture
