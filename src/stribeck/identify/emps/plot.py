"""The plot of the study of EMPS."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from ...results.style import COLORS, FAINT, Picture, styled
from ..regression.terms import Motion

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .study import EmpsStudy, Judged


@styled
def plot_emps(study: EmpsStudy, path: str | Path | None = None) -> Figure:
    """Friction over speed as measured and as fitted; errors of the position on held-out data over time.

    >>> plot_emps(study, "emps.png")
    """
    picture = Picture(9.0, 3.9)
    left, right = picture.subplots(1, 2, width_ratios=(1, 1.25))
    shown = (study.judged[0], study.best)
    _friction(left, study, shown)
    _held_out(right, study, shown)
    return picture.finish("EMPS: friction of the drive, and errors on a held-out record", path)


def _friction(axes: Axes, study: EmpsStudy, shown: tuple[Judged, ...]) -> None:
    run = study.record
    motion = Motion.of(run, "position", "40 Hz")
    measured = np.asarray(run["force"]) - shown[-1].values["car.m"] * motion.a
    at = motion.valid & (np.arange(len(run)) % 5 == 0)
    axes.plot(
        1e3 * motion.v[at], measured[at], ".", ms=1.5, color=COLORS[6], alpha=0.35, label="force - M a", rasterized=True
    )
    speed = np.linspace(motion.v.min(), motion.v.max(), 1001)
    for judged, color in zip(shown, COLORS, strict=False):
        axes.plot(1e3 * speed, friction_force(judged, speed), color=color, label=judged.name)
    axes.axhline(0, **FAINT)
    axes.axvline(0, **FAINT)
    axes.set(xlabel="velocity (mm/s)", ylabel="friction and offset (N)")
    axes.legend(loc="upper left", markerscale=4)


def friction_force(judged: Judged, speed: np.ndarray) -> np.ndarray:
    """Friction and offset at steady speeds, with the sign of the force that overcomes them (N).

    >>> friction_force(judged, np.array([0.1]))
    """
    p = judged.values
    coulomb = p["guide.law.mu_c"]
    static, v_s = p.get("guide.law.mu_s", coulomb), p.get("guide.law.v_s", 1.0)
    curve = coulomb + (static - coulomb) * np.exp(-((speed / v_s) ** 2))
    return np.asarray(
        np.sign(speed) * curve + p["damper.d"] * speed - p["offset.f"] - p.get("drag.f.k", 0.0) * np.abs(speed)
    )


def _held_out(axes: Axes, study: EmpsStudy, shown: tuple[Judged, ...]) -> None:
    run = study.held_out
    part = (run.time > 2) & (run.time < 8)
    for judged, color in zip(shown, COLORS, strict=False):
        error = 1e6 * (judged.positions[run.name] - np.asarray(run["position"]))
        text = f"{judged.name}: rms {1e6 * judged.position_error(run):.2f} µm"
        axes.plot(run.time[part], error[part], color=color, linewidth=0.8, label=text)
    axes.axhline(0, **FAINT)
    axes.set(xlabel="time (s)", ylabel="simulated - measured position (µm)")
    axes.legend(loc="upper right")
