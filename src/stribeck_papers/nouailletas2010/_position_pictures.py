"""Pictures of Section 5.3: position and torque of the position test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, FAINT, INK, Picture, legend_above, styled


def wanted(result: sb.Result, target: float, step: float) -> np.ndarray:
    """The wanted angle at the times of a run."""
    first = float(np.asarray(result["rotor.phi"])[0])
    return np.where(result.time < step, first, target)


@styled
def plot_angle(result: sb.Result, target: float, step: float) -> Picture:
    """Wanted (dashed) and true position, with the limit cycle enlarged."""
    picture = Picture(8.5, 3.6)
    left, right = picture.subplots(1, 2)
    for axes in (left, right):
        axes.plot(result.time, wanted(result, target, step), "--", color=COLORS[1], linewidth=1, label="wanted")
        axes.plot(result.time, result["rotor.phi"], color=COLORS[0], label="position")
        axes.set_xlabel("time / s")
    left.set_xlim(0, 2)
    left.set_ylabel("angle of the motor / rad")
    late = np.asarray(result["rotor.phi"])[result.time > 2]
    right.set_ylim(late.min() - 0.15, late.max() + 0.15)
    right.set_title("limit cycle", fontsize=9, loc="left")
    left.set_title("step", fontsize=9, loc="left")
    legend_above(right)
    return picture


@styled
def plot_torque(result: sb.Result, up: float, down: float) -> Picture:
    """The torque, with what friction needs in the cycle up and down."""
    picture = Picture(8.5, 3.2)
    axes = picture.subplots()
    axes.axhline(0, **FAINT)
    for limit, above in ((up, 4), (-down, -11)):
        axes.axhline(limit, color=COLORS[1], linestyle=":", linewidth=1)
        place: Any = {"xytext": (-4, above), "textcoords": "offset points", "ha": "right", "fontsize": 8}
        axes.annotate(f"{abs(limit):.3f} N·m", (result.time[-1], limit), **place)
    axes.plot(result.time, result["motor.tau"], color=COLORS[0], linewidth=0.9)
    axes.set_ylim(-0.22, 0.22)
    axes.set_xlim(0, float(result.time[-1]))
    axes.set_xlabel("time / s")
    axes.set_ylabel("torque of the motor / (N·m)")
    return picture


@styled
def plot_figure_21(bench: sb.Result, model: sb.Result, target: float, step: float) -> Picture:
    """Step and limit cycle, model (solid) and bench (dashed): position above, torque below."""
    picture = Picture(9.0, 4.8)
    axes = picture.subplots(2, 2, sharex="col")
    for result, name, dashes, color in ((model, "model", "-", COLORS[0]), (bench, "test bench", "--", COLORS[1])):
        for column in axes.T:
            column[0].plot(result.time, result["rotor.phi"], dashes, color=color, label=name)
            column[1].plot(result.time, result["motor.tau"], dashes, color=color, linewidth=1)
    (step_angle, cycle_angle), (step_torque, cycle_torque) = axes
    step_angle.set_xlim(step - 0.05, step + 0.9)
    cycle_angle.set_xlim(3, float(model.time[-1]))
    late = np.asarray(model["rotor.phi"])[model.time > 3]
    cycle_angle.set_ylim(late.min() - 0.15, late.max() + 0.15)
    cycle_torque.set_ylim(-0.2, 0.2)
    step_angle.axhline(target, color=INK, linestyle=":", linewidth=0.8)
    step_angle.set_ylabel("angle of the motor / rad")
    step_torque.set_ylabel("torque / (N·m)")
    for below in (step_torque, cycle_torque):
        below.set_xlabel("time / s")
        below.axhline(0, **FAINT)
    step_angle.set_title("step", fontsize=9, loc="left")
    cycle_angle.set_title("limit cycle", fontsize=9, loc="left")
    legend_above(cycle_angle)
    return picture


@styled
def plot_figure_22(bench: sb.Result, play: sb.Result, target: float) -> Picture:
    """The limit cycle with play and that of the mechanism, the rack behind the play as well."""
    picture = Picture(8.5, 4.4)
    above, below = picture.subplots(2, 1, sharex=True)
    above.plot(play.time, play["rotor.phi"], color=COLORS[0], label="model with play")
    above.plot(bench.time, bench["rotor.phi"], "--", color=COLORS[1], label="test bench")
    above.axhline(target, color=INK, linestyle=":", linewidth=0.8)
    below.axhline(0, **FAINT)
    below.plot(play.time, play["motor.tau"], color=COLORS[0], linewidth=1)
    below.plot(bench.time, bench["motor.tau"], "--", color=COLORS[1], linewidth=1)
    late = np.asarray(play["rotor.phi"])[play.time > 3]
    above.set_ylim(late.min() - 0.15, late.max() + 0.15)
    above.set_xlim(1, float(play.time[-1]))
    below.set_ylim(-0.1, 0.1)
    above.set_ylabel("angle of the motor / rad")
    below.set_ylabel("torque / (N·m)")
    below.set_xlabel("time / s")
    legend_above(above)
    return picture


@styled
def plot_cutoff(runs: Mapping[str, sb.Result], cycling: sb.Result, target: float, cutoff: float) -> Picture:
    """Position and torque with the cut-off, and the cycle without it."""
    picture = Picture(8.5, 4.4)
    above, below = picture.subplots(2, 1, sharex=True)
    above.axhspan(target - cutoff, target + cutoff, color="#f0f0f0", zorder=0)
    above.plot(cycling.time, cycling["rotor.phi"], color=COLORS[6], linewidth=0.8, label="model, no cut-off")
    below.plot(cycling.time, cycling["motor.tau"], color=COLORS[6], linewidth=0.6)
    for (name, run), color, dashes in zip(runs.items(), COLORS, ("-", "--", ":"), strict=False):
        above.plot(run.time, run["rotor.phi"], dashes, color=color, label=name)
        below.plot(run.time, run["motor.tau"], dashes, color=color, linewidth=1)
    above.set_xlim(0, 3)
    above.set_ylim(target - 5, target + 6)
    below.set_ylim(-0.2, 0.3)
    above.annotate("torque off", (2.9, target - cutoff), (0, -11), textcoords="offset points", ha="right", fontsize=8)
    above.set_ylabel("angle of the motor / rad")
    below.set_ylabel("torque / (N·m)")
    below.set_xlabel("time / s")
    legend_above(above)
    return picture
