"""Pictures of Figure 2 and Section 2.2: the map of the modes, mode 0, missed reversals."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, legend_above, styled

GREY = "#e8e8e8"


@styled
def plot_figure_2(result: sb.Result, sigma: float, f_c: float, f_s: float) -> Picture:
    """The zones of the modes over force and speed, with the path of a run."""
    picture = Picture(8.0, 4.2)
    axes = picture.subplots()
    s = 1e3 * sigma
    axes.fill_between([-3, f_c], 0, s, color=GREY, linewidth=0)
    axes.fill_between([-f_c, 3], -s, 0, color=GREY, linewidth=0)
    force, speed, mode = (np.asarray(result[name]) for name in ("motor.f", "mass.v", "friction.mode"))
    for which, color, word in ((mode != 0, COLORS[0], "mode 1"), (mode == 0, COLORS[1], "mode 0")):
        shown = which & (result.time > 0)
        axes.plot(np.where(shown, force, np.nan), 1e3 * np.where(shown, speed, np.nan), color=color, label=word)
    _arrows(axes, force, 1e3 * speed)
    for value, word in ((f_c, "$f_c$"), (-f_c, "$-f_c$"), (f_s, "$f_s$"), (-f_s, "$-f_s$")):
        axes.axvline(value, color=INK, linewidth=0.6, linestyle=":")
        axes.text(value, 230, word, ha="center", va="bottom", fontsize=8)
    axes.set_yscale("symlog", linthresh=s, linscale=1.0)
    axes.set_yticks([-100, -10, -s, 0, s, 10, 100], ["−100", "−10", "−Σ", "0", "Σ", "10", "100"])
    axes.set_ylim(-200, 200)
    axes.set_xlim(-2, 2)
    axes.set_xlabel("force u / N")
    axes.set_ylabel("velocity / (mm/s)")
    axes.grid(visible=False)
    axes.legend(loc="lower right")
    return picture


def _arrows(axes: Axes, force: np.ndarray, speed: np.ndarray) -> None:
    """The sense of the path, midway between f_c and f_s on either side, and at u = 0 when stuck."""
    for side in (1, -1):
        (sliding,) = np.nonzero(
            (side * speed > 10) & (np.diff(side * force, append=force[-1]) < 0) & (side * force < 1.3)
        )
        (stuck,) = np.nonzero(
            (np.abs(speed) < 1e-3) & (np.diff(side * force, append=force[-1]) > 0) & (side * force > 0.5)
        )
        for at, color in ((sliding[0], COLORS[0]), (stuck[1], COLORS[1])):
            start, end = (force[at], speed[at]), (force[at + 200], speed[at + 200])
            axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": color, "mutation_scale": 14})


@styled
def plot_section_2_2(
    free: sb.Result, sigma: float, missed: Mapping[float, tuple[int, int]], rule: float, safe: float
) -> Picture:
    """The speed in mode 0, and the share of reversals without mode 0 over the step."""
    picture = Picture(8.5, 3.2)
    left, right = picture.subplots(1, 2)
    _decay(left, free, sigma)
    steps = 1e3 * np.array(list(missed))
    shares = [100 * lost / max(turns, 1) for turns, lost in missed.values()]
    right.plot(steps, shares, "o-", color=COLORS[0], markersize=4)
    for value, word, side in ((safe, "mΣ/($u_{max}$ + $f_s$) ", "right"), (rule, " mΣ/$u_{max}$, rule (11)", "left")):
        right.axvline(1e3 * value, color=INK, linewidth=0.8, linestyle="--")
        right.text(1e3 * value, 1.0, word, ha=side, va="bottom", fontsize=8, transform=right.get_xaxis_transform())
    right.set_xlabel("step $T_e$ / ms")
    right.set_ylabel("reversals without mode 0 / %")
    right.set_xlim(0, None)
    right.set_ylim(-2, None)
    return picture


def _decay(axes: Axes, free: sb.Result, sigma: float) -> None:
    shown = free.time <= 8e-3
    axes.semilogy(
        1e3 * free.time[shown], 100 * np.asarray(free["mass.v"])[shown] / sigma, color=COLORS[0], label="speed"
    )
    axes.axhline(2, color=INK, linewidth=0.8, linestyle="--", label="2 %")
    axes.axvline(5, color=INK, linewidth=0.8, linestyle=":", label="5/$p_0$")
    axes.set_xlabel("time in mode 0 / ms")
    axes.set_ylabel("speed / % of Σ")
    legend_above(axes)


@styled
def plot_figure_1(starts: int, stops: int) -> Picture:
    """Two states with their equations, and the conditions of the changes between them."""
    picture = Picture(8.0, 2.6)
    axes = picture.subplots()
    axes.set_axis_off()
    axes.set_xlim(0, 10)
    axes.set_ylim(0, 3.4)
    for x, color, name, equation in (
        (1.6, COLORS[1], "mode 0: motionless", r"$\dot{v} = -p_0 v,\quad f = u$"),
        (8.4, COLORS[0], "mode 1: sliding", r"$m\dot{v} = u - f(v)$"),
    ):
        axes.text(
            x,
            1.7,
            f"{name}\n{equation}",
            ha="center",
            va="center",
            linespacing=1.9,
            bbox={"boxstyle": "round,pad=0.9", "facecolor": "white", "edgecolor": color, "linewidth": 1.6},
        )
    for ends, bend, y, words in (
        ((2.75, 7.4), -0.2, 2.75, rf"$|u| > f_s$  and  $|v| < \Sigma_2$   ({starts} times in 60 s)"),
        (
            (7.4, 2.75),
            -0.2,
            0.42,
            r"$u < f_c$  and  $0 < v < \Sigma$,  or  $u > -f_c$  and  $-\Sigma < v < 0$" + f"   ({stops} times)",
        ),
    ):
        axes.annotate(
            "",
            (ends[1], 1.7 + (0.35 if y > 1.7 else -0.35)),
            (ends[0], 1.7 + (0.35 if y > 1.7 else -0.35)),
            arrowprops={"arrowstyle": "-|>", "color": INK, "connectionstyle": f"arc3,rad={bend}"},
        )
        axes.text(5.0, y, words, ha="center", va="center", fontsize=9)
    return picture
