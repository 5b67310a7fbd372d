"""Section 1.2 with Figure 1: stick-slip, and where the bearing breaks away."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, label, styled

from ..paper import Finding
from ..rules import ABOUT, BRIEF, SAME, VISIBLE
from ..scorecard import judged, number
from ._paper import PAPER
from .bearing import BEARING, PULL, STIFFNESS, break_away, break_away_after, lugre, rig, stick_slip

TIGHT = 1e-11
STATIC = BEARING["tau_s"]
"""g(0) sigma0 (N.m)."""


@cache
def tight(sigma1: float = BEARING["sigma1"]) -> sb.Result:
    """The run of Figures 4 and 5, converged."""
    return stick_slip(lugre(sigma1=sigma1), tolerance=TIGHT, intervals=5000)


@cache
def fine() -> sb.Result:
    """The same with a point every 0.25 ms, to see the bristles turn."""
    return stick_slip(tolerance=TIGHT, intervals=100_000)


def bristle_rate(run: sb.Result) -> np.ndarray:
    """dz/dt (rad/s) at the points of a run."""
    w, z = np.asarray(run["mass.w"]), np.asarray(run["friction.z"])
    curve = BEARING["tau_c"] + (STATIC - BEARING["tau_c"]) * np.exp(-((w / BEARING["w_s"]) ** 2))
    rate: np.ndarray = w - BEARING["sigma0"] * np.abs(w) * z / curve
    return rate


def turns(run: sb.Result) -> int:
    """How often dz/dt changes its sign, by more than 1e-8 rad/s."""
    rate = bristle_rate(run)
    return int(np.count_nonzero(np.diff(np.sign(rate[np.abs(rate) > 1e-8]))))


def slips(run: sb.Result) -> np.ndarray:
    """When the mass overtakes the far end of the spring (s)."""
    return run.crossings("mass.w", PULL, +1)


def peaks(run: sb.Result) -> list[tuple[float, float]]:
    """Time and friction torque of each break-away: the largest torque before each slip, on a parabola through three
    points of the grid."""
    torque, found, start = np.asarray(run["friction.tau"]), [], 0
    for end in np.searchsorted(run.time, slips(run)):
        at = start + int(np.argmax(torque[start:end]))
        a, b, c = np.polyfit(run.time[at - 1 : at + 2] - run.time[at], torque[at - 1 : at + 2], 2)
        found.append((float(run.time[at] - b / (2 * a)), float(c - b * b / (4 * a))))
        start = int(end)
    return found


@PAPER.item(
    "Figure 1",
    "The set-up, and what happens on it",
    shows="an inertia with friction against the ground on a spring whose far end turns slowly. The text says how the "
    "spring torque rises linearly, the mass is displaced a little, breaks away at about g(0) sigma0, friction falls, "
    "the mass runs, stops again, and the cycle repeats",
)
def figure_1(quick: bool) -> Finding:
    """The machine, and each sentence of the story as a number."""
    run = fine()
    time, torque = run.time, np.asarray(run["friction.tau"])
    (at, top), *others = peaks(run)
    before = time < at
    bent = float(run.at(at, "mass.phi"))
    linear = float(np.abs(-np.asarray(run["spring.tau"])[before] - STIFFNESS * PULL * time[before]).max())
    low = time[(time > at) & (torque < 1.01 * BEARING["tau_c"])][0] - at
    rhythm = np.diff(slips(run))
    return Finding(
        text=(
            f"The mass is pulled {1e6 * bent:.0f} µrad from its place until friction peaks at {top:.5f} N.m after "
            f"{at:.4f} s, {100 * (1 - top / STATIC):.1f} % below g(0) sigma0; {1e3 * low:.0f} ms later friction has "
            f"fallen to the Coulomb level. The slips follow each other every {rhythm[0]:.6f} s."
        ),
        claims=[
            number(
                "the break-away torque is about g(0) sigma0",
                "1.5",
                top,
                "N.m",
                rule=ABOUT,
                note=f"{100 * (1 - top / STATIC):.1f} % below: bristles slide before they carry their static limit",
                otherwise="refuted",
                where="Section 1.2",
            ),
            judged(
                "the spring torque rises linearly up to the break-away",
                SAME,
                linear / STATIC,
                f"within {linear:.1e} N·m of a straight line",
                otherwise="refuted",
                where="Section 1.2",
            ),
            judged(
                "the mass is displaced a little before",
                SAME,
                bent / (PULL * at),
                f"by {1e6 * bent:.0f} µrad, while the far end of the spring turns by {PULL * at:.2f} rad",
                otherwise="refuted",
                where="Section 1.2",
            ),
            judged(
                "friction decreases rapidly at the break-away",
                BRIEF,
                low / rhythm[0],
                f"to the Coulomb level within {1e3 * low:.0f} ms, {100 * low / rhythm[0]:.1f} % of a period",
                otherwise="refuted",
                where="Section 1.2",
            ),
            judged(
                "the phenomenon repeats itself",
                SAME,
                max(np.ptp(rhythm) / rhythm[0], *(abs(torque - top) / top for _, torque in others)),
                f"{len(others) + 1} slips, periods alike to {np.ptp(rhythm):.0e} s",
                otherwise="refuted",
                where="Section 1.2",
            ),
        ],
        picture=_set_up(),
        alt="Drawing of the rig: a drive at constant speed, a spring, and an inertia in a bearing with friction.",
    )


def _set_up() -> Picture:
    picture = sb.analysis.draw(rig())
    assert isinstance(picture, Picture)
    return picture


@PAPER.item(
    "Section 1.2",
    "What the break-away torque depends on",
    shows="the break-away torque of bristles is said to vary with the time for which the bearing has been at rest and "
    "with the rate at which its load rises",
    equations=("(1)", "(3)"),
)
def section_1_2(quick: bool) -> Finding:
    """Loads that rise at different rates, and after different times of rest."""
    rates = [float(f"{rate:.3g}") for rate in np.geomspace(0.02, 20, 7 if quick else 19)]
    by_rate = [break_away(rate, tolerance=1e-9) for rate in rates]
    dwells = [1.0, 10.0, 100.0] if quick else [1.0, 3.0, 10.0, 30.0, 100.0]
    by_dwell = [break_away_after(dwell, tolerance=1e-10) for dwell in dwells]
    here = [top for _, top in peaks(fine())]
    falls = all(after < before for before, after in pairwise(by_rate))
    rested = max(by_dwell) - min(by_dwell)
    return Finding(
        text=(
            f"From {rates[0]:g} to {rates[-1]:g} N.m/s the break-away torque falls from {by_rate[0]:.4f} to "
            f"{by_rate[-1]:.4f} N.m: bristles that are bent fast slide before they have reached their static limit. A "
            f"load that rests at 0.9 N.m and then rises at 5 N.m/s finds the same {by_dwell[0]:.5f} N.m after "
            f"{dwells[0]:g} s and after {dwells[-1]:g} s: once the bristles are at rest they know no time. A longer "
            "dwell-time goes with a higher break-away torque only where it comes with a slower load. In the stick-slip "
            f"experiment all break-away torques are equal, because the load always rises at {STIFFNESS * PULL:g} N.m/s."
        ),
        claims=[
            judged(
                "the break-away torque of the LuGre model varies with the rate at which the load rises",
                VISIBLE,
                (by_rate[0] - by_rate[-1]) / STATIC if falls else 0.0,
                f"it falls from {by_rate[0]:.4f} to {by_rate[-1]:.4f} N·m over rates from {rates[0]:g} to "
                f"{rates[-1]:g} N·m/s",
                otherwise="refuted",
                note=f"in the stick-slip run, at one rate, {len(here)} break-aways are alike to "
                f"{max(here) - min(here):.0e} N·m",
            ),
            judged(
                "the break-away torque depends on the dwell-time",
                VISIBLE,
                rested / STATIC,
                f"at one rate it changes by {rested:.0e} N·m between {dwells[0]:g} and {dwells[-1]:g} s of rest",
                otherwise="refuted",
                because="z does not change while the mass is at rest, so the model has no clock; dwell-time and break-"
                "away are related only through the rate of the load",
            ),
        ],
        picture=_plot_break_away(rates, by_rate, dwells, by_dwell),
        headline=(
            f"Bristles have no clock: the break-away torque falls from {by_rate[0]:.2f} to {by_rate[-1]:.2f} N·m with "
            f"the rate of the load, but rest of {dwells[0]:g} s or {dwells[-1]:g} s makes no difference."
        ),
        alt=(
            f"Break-away torque over the rate of the load, falling from {by_rate[0]:.2f} to {by_rate[-1]:.2f} N·m, and "
            f"over the time of rest, constant at {by_dwell[0]:.3f} N·m."
        ),
    )


@styled
def _plot_break_away(rates: list[float], by_rate: list[float], dwells: list[float], by_dwell: list[float]) -> Picture:
    picture = Picture(8.6, 3.2)
    left, right = picture.subplots(1, 2, sharey=True)
    left.plot(rates, by_rate, "o-", markersize=3.5)
    left.axvline(STIFFNESS * PULL, color=INK, linewidth=0.7, linestyle=":")
    left.text(STIFFNESS * PULL * 1.1, 1.02, "stick-slip rig", fontsize=8, va="bottom")
    left.set(xscale="log", xlabel="rate of the load / (N·m/s)", ylabel=label("N.m", "break-away torque"))
    right.plot(dwells, by_dwell, "o-", color=COLORS[1], markersize=3.5)
    right.set(xscale="log", xlabel="time of rest at 0.9 N·m / s", ylim=(1, 1.55))
    right.text(dwells[0], by_dwell[0] + 0.02, "then 5 N·m/s", color=COLORS[1], fontsize=8)
    for axes in (left, right):
        axes.axhline(STATIC, color=COLORS[6], linewidth=0.8, linestyle="--")
    right.text(dwells[-1], STATIC - 0.01, "g(0) σ₀", fontsize=8, color=COLORS[6], ha="right", va="top")
    return picture.finish("Where bristles break away: it is the rate, not the time", None)
