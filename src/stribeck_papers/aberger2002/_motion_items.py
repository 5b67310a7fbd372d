"""Figures 4 and 5: the motion of the mass and of its bristles."""

from __future__ import annotations

from math import ceil

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, legend_above, styled

from ..converged import Value
from ..paper import Finding, titled_table
from ..rules import BRIEF, MAGNITUDE
from ..scorecard import judged, number, statement, unchecked
from ._paper import PAPER
from ._stick_slip_items import bristle_rate, fine, slips, tight, turns
from .bearing import BEARING, PULL, stick_slip
from .dassl import Z_N


def converged_values(name: str, sigma1: float) -> dict[str, Value]:
    """Slips, period and peak of a run, by the names of golden.csv."""
    run = tight(sigma1)
    times, top = slips(run)[:3], run.extremes["friction.tau"]
    period = times[2] - times[1]
    # every cycle has the same peak and any of them may be the largest: reported as that before the first slip
    at = top["t_max"] - ceil((top["t_max"] - times[0]) / period) * period
    return {
        f"{name}.period": float(period),
        **{f"{name}.t_cross_vp[{i}]": float(time) for i, time in enumerate(times)},
        f"{name}.F_breakaway_peak": float(top["max"]),
        f"{name}.t_peak": (float(at), 1e-6),  # a maximum is flat
    }


@PAPER.item(
    "Figure 4",
    "Speed and angles",
    shows="the speed of the mass, its angle and that of the far end of the spring, at a tolerance of 1e-6; they are "
    "said to agree qualitatively with those of the first paper on LuGre friction",
)
def figure_4(quick: bool) -> Finding:
    """The run at the tolerance of the paper, and at one where it has converged."""
    run, exact = stick_slip(tolerance=1e-6), tight()
    off = float(np.abs(np.asarray(run["mass.phi"]) - exact.at(run.time, "mass.phi")).max())
    turned = np.asarray(run["mass.phi"])
    moving = np.asarray(run["mass.w"]) > 1e-3
    share = float(moving.mean())
    rows = [[n + 1, *map(float, pair)] for n, pair in enumerate(zip(slips(run), slips(exact), strict=True))]
    return Finding(
        text=(
            f"Three slips in 25 s, at {', '.join(f'{t:.4f}' for t in slips(exact))} s, with up to "
            f"{exact.extremes['mass.w']['max']:.4f} rad/s; {100 * share:.0f} % of the time the mass turns. At the "
            f"tolerance of the paper our angle is within {off:.1e} rad of the converged one."
        ),
        claims=[
            statement(
                "the mass advances in steps behind the steady far end of the spring",
                len(rows) == 3 and float(turned.max() - turned[-1]) < 1e-4 and share < 0.5,
                f"{len(rows)} slips, {turned[-1]:.4f} rad in 25 s behind {PULL * 25:g} rad",
                otherwise="refuted",
            ),
            unchecked(
                "the results agree qualitatively with those of Canudas de Wit and others, 1995",
                "the curves of that paper are not available; its parameters are those of Table 1, which another paper "
                "of this collection (nouailletas2010) has too",
                where="Section 1.2",
            ),
        ],
        picture=_plot_motion(run),
        alt=(
            f"Speed and angle of the mass and angle of the spring over 25 s: {len(rows)} steps, with speeds up to "
            f"{exact.extremes['mass.w']['max']:.2f} rad/s."
        ),
        tables=[titled_table("When the mass overtakes the spring / s", ["slip", "tolerance 1e-6", "converged"], rows)],
        converged=converged_values("B.LuGre_Table1_s1_316.23", BEARING["sigma1"])
        | converged_values("B.LuGre_canonical_s1_sqrt1e5", BEARING["sigma0"] ** 0.5),
    )


@styled
def _plot_motion(run: sb.Result) -> Picture:
    picture = Picture(8.6, 3.4)
    axes = picture.subplots()
    axes.plot(run.time, run["pull.phi"], ":", color=INK, label="angle of the spring / rad")
    axes.plot(run.time, run["mass.phi"], "--", color=COLORS[1], label="angle of the mass / rad")
    axes.plot(run.time, run["mass.w"], "-", color=COLORS[0], label="speed of the mass / (rad/s)")
    axes.set(xlabel="time / s", xlim=(0, 25), ylim=(-0.05, 2.6))
    legend_above(axes)
    return picture.finish("Stick-slip", None)


@PAPER.item(
    "Figure 5",
    "Deflection of the bristles and its rate",
    shows="the scaled deflection and its derivative, which changes very sharply between stuck and sliding",
    equations=("(1)", "(10)"),
)
def figure_5(quick: bool) -> Finding:
    """Size of z, how concentrated dz/dt is, and how often it changes its sign."""
    run, rate = fine(), bristle_rate(fine())
    sharp = float((np.abs(rate) > 0.01 * np.abs(rate).max()).mean())
    bent = float(np.abs(np.asarray(run["friction.z"])).max())
    calm = float(np.abs(rate[np.asarray(run["mass.w"]) > 0.02]).max())
    return Finding(
        text=(
            f"z reaches {bent:.4g} rad. {100 * (1 - sharp):.1f} % of the time |dz/dt| is below a hundredth of its "
            f"largest value, {np.abs(rate).max():.2e} rad/s; while the mass rotates faster than 0.02 rad/s it is at "
            f"most {calm:.0e} rad/s. In 25 s it changes its sign {turns(run)} times, six times in each cycle: at the "
            "peak before the slip, in the slip, and as the mass swings on its bristles after the stop."
        ),
        claims=[
            judged(
                "z is in the order of 1e-5 rad",
                MAGNITUDE,
                bent / 1e-5,
                f"{bent:.3g} rad",
                printed="1e-5 rad",
                otherwise="refuted",
                where="Section 1.2",
            ),
            judged(
                "dz/dt changes very sharply between stuck and sliding, and hardly in between",
                BRIEF,
                sharp,
                f"above 1 % of its largest value in {100 * sharp:.1f} % of the time",
                otherwise="refuted",
                where="Section 1.2",
            ),
            number(
                "scaling factor z_n of the figure",
                "1e5",
                Z_N,
                otherwise="misprint",
                because="(10) and the listing have 1e-5; with 1e5 the scaled deflection would be of order "
                f"{bent / 1e5:.0e}, smaller than before",
                where="Section 1.2",
                corrected="1e-5",
            ),
        ],
        picture=_plot_bristles(run, rate),
        alt=(
            "Deflection of the bristles and its rate over 25 s, and larger at the break-away and at the stop: the rate "
            f"is near 0 but for {100 * sharp:.1f} % of the time."
        ),
        converged={"B.LuGre.dzdt_sign_changes_25s": (turns(run), 0.0)},
    )


@styled
def _plot_bristles(run: sb.Result, rate: np.ndarray) -> Picture:
    picture = Picture(8.6, 5.0)
    grid = picture.subplots(2, 3, sharex="col", width_ratios=[2.4, 1, 1])
    z, spans = np.asarray(run["friction.z"]), ((0, 25), (7.25, 7.6), (10.2, 10.35))
    for (above, below), (start, end) in zip(grid.T, spans, strict=True):
        part = (run.time >= start) & (run.time <= end)
        above.plot(run.time[part], z[part] / Z_N, color=COLORS[0])
        below.plot(run.time[part], rate[part] / Z_N, color=COLORS[1], linewidth=0.9)
        below.set(xlabel="time / s", xlim=(start, end))
    grid[0][0].set_ylabel("z / 1e-5 rad")
    grid[1][0].set_ylabel("dz/dt / (1e-5 rad/s)")
    for axes, text in zip(grid[0], ("25 s", "break-away", "stop"), strict=True):
        axes.set_title(text, fontsize=9, loc="left")
    return picture.finish("Bristles: deflection and its rate", None)
