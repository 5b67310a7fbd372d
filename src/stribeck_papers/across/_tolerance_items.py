"""Why your LuGre is wrong, for solvers with a tolerance: its size, scaling, events, the first step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, label, legend_above, styled

from ..paper import Finding, titled_table
from ._collection import COLLECTION
from .plain import ONE_SLIP, Z_N, PlainRun, converged, plain, rig, right, swing

METHODS = ("LSODA", "BDF", "Radau")
"""Implicit solvers of SciPy."""
LOOSE = 1e-4


@cache
def scan(
    method: str, tolerance: float, quick: bool, scaled: bool = True, events: bool = False
) -> tuple[tuple[float, PlainRun], ...]:
    """Runs that differ by their first step (s) alone."""
    firsts = np.geomspace(1e-7, 1e-2, 4 if quick else 20).tolist()
    return tuple((first, plain(method, tolerance, scaled=scaled, events=events, first_step=first)) for first in firsts)


def tops(runs: Sequence[tuple[float, PlainRun]]) -> list[float]:
    """The largest friction of each run (N)."""
    return [run.largest for _, run in runs]


def stuck(runs: Sequence[tuple[float, PlainRun]]) -> int:
    """How many never break away."""
    return sum(not run.slid for _, run in runs)


def _range(values: Sequence[float], digits: int = 4) -> str:
    return f"{min(values):.{digits}f} to {max(values):.{digits}f} N"


@COLLECTION.item(
    "Tolerance",
    "Why your LuGre is wrong: the tolerance",
    shows="How small must the tolerance of a solver be? Three lines of LuGre, a solver of SciPy, relative tolerances "
    "from 1e-3 (its default) to 1e-8; the deflection of the bristles is scaled by its size.",
)
def tolerance(quick: bool) -> Finding:
    """Break-away over the tolerance, for three solvers and several first steps."""
    tolerances = np.geomspace(1e-3, 1e-6 if quick else 1e-8, 4 if quick else 11).tolist()
    runs = {method: {tol: scan(method, tol, True) for tol in tolerances} for method in METHODS}
    worst = {
        method: {tol: max(abs(top - right()) for top in tops(found)) for tol, found in by_tolerance.items()}
        for method, by_tolerance in runs.items()
    }
    default = [run for method in METHODS for _, run in runs[method][tolerances[0]]]
    never = sum(not run.slid for run in default)
    needed = {method: max((tol for tol in tolerances if worst[method][tol] < 1e-3), default=0.0) for method in METHODS}
    return Finding(
        text=(
            f"The mass must break away at {right():.4f} N. At the default tolerance of 1e-3, {never} of "
            f"{len(default)} runs never break away: friction follows the spring up to "
            f"{max(run.largest for run in default):.2f} N, above the static friction of 1.5 N, and nothing warns.\n\n"
            "While the mass sticks everything is nearly straight, so the solver takes steps of a second. The "
            "Stribeck effect that releases it lasts a few milliseconds: a loose step jumps over it. Break-away within "
            "1 mN takes "
            + ", ".join(f"{tol:.0e} with {method}" for method, tol in needed.items())
            + ".\n\nCure: a relative tolerance of 1e-6 or less; or a solver that searches its steps for the peak of "
            f"friction, as that of this package does: {_ours(1e-3):.4f} N at 1e-3."
        ),
        picture=_plot_tolerance(runs),
        tables=[
            titled_table(
                "Largest error of the break-away friction over the first steps (N)",
                ["tolerance", *METHODS],
                [[f"{tol:.1e}", *(f"{worst[method][tol]:.1e}" for method in METHODS)] for tol in tolerances],
            )
        ],
        headline=(
            f"At the default tolerance of SciPy {never} of {len(default)} runs of LuGre's law never break away; the "
            f"friction of 1.5 N holds {max(run.largest for run in default):.2f} N."
        ),
        alt=(
            "Largest friction over the tolerance for three solvers: scattered between the right value of "
            f"{right():.2f} N and 1.8 N at 1e-3, all at the right value from 1e-6 on."
        ),
    )


def _ours(tol: float) -> float:
    """The break-away friction of this package at a tolerance (N)."""
    return float(sb.simulate(rig(), t_end=ONE_SLIP, tolerance=tol).extremes["friction.f"]["max"])


@styled
def _plot_tolerance(runs: Mapping[str, Mapping[float, tuple[tuple[float, PlainRun], ...]]]) -> Picture:
    picture = Picture(8.6, 3.4)
    axes = picture.subplots()
    axes.axhline(right(), color=INK, linewidth=3, alpha=0.25)
    for shift, (color, (method, by_tolerance)) in enumerate(zip(COLORS, runs.items(), strict=False)):
        points = [(tol * 1.12 ** (shift - 1), top) for tol, found in by_tolerance.items() for top in tops(found)]
        axes.plot(*np.transpose(points), "o", color=color, markersize=4, alpha=0.7, label=method)
    axes.set(xscale="log", xlabel="relative tolerance", ylabel=label("N", "largest friction"))
    axes.annotate("right", (1e-6, right()), xytext=(0, 6), textcoords="offset points")
    legend_above(axes)
    return picture.finish("Break-away over the tolerance, a point for each first step", None)


@COLLECTION.item(
    "Scaling",
    "Why your LuGre is wrong: the scale of z",
    shows="The deflection of bristles is of the size 1e-5 m, place and speed are of the size 1. What happens if one "
    "absolute tolerance serves all states, as it does by default?",
)
def scaling(quick: bool) -> Finding:
    """The same runs with one absolute tolerance, and with one for each state."""
    direct, scaled = scan("LSODA", LOOSE, quick, scaled=False), scan("LSODA", LOOSE, quick)
    noise = [float(np.median([swing(run) for _, run in runs if run.slid])) for runs in (direct, scaled)]
    explicit = plain("RK45", 1e-3, scaled=False, t_end=8.0)
    return Finding(
        text=(
            f"A sliding bristle is bent by {1e6 * Z_N:.0f} µm. An absolute tolerance of 1e-4 allows {LOOSE / Z_N:.0f} "
            "times that as its error: the solver does not control it at all.\n\n"
            f"LSODA at 1e-4 over {len(direct)} first steps: one tolerance for all gives a largest friction of "
            f"{_range(tops(direct))}, and friction jumps by {noise[0]:.2f} N from step to step while the mass slides "
            f"(median); runs that never break away: {stuck(direct)}. With the tolerance of "
            f"z times 1e-5 m the jumps are {noise[1]:.3f} N, a factor of {noise[0] / noise[1]:.0f} less; "
            f"runs that never break away: {stuck(scaled)}, since the tolerance is as loose as before.\n\n"
            "An explicit solver stays stable only through the error that it controls: RK45 at 1e-3 without scaling "
            f"finds a friction of {explicit.largest:.0f} N.\n\n"
            "Cure: `atol=[tol, tol, tol * F_c/sigma0]`, or z/(F_c/sigma0) as the state. This package scales every "
            "state by its size."
        ),
        picture=_plot_scaling(direct, scaled),
        headline=(
            f"One absolute tolerance for all states lets friction jump by {noise[0]:.2f} N while sliding; scaling the "
            f"bristles makes that {noise[1]:.3f} N."
        ),
        alt=(
            "Friction over time of two runs at a tolerance of 1e-4: without scaling it jumps while the mass slides, "
            "with scaling it follows the converged run."
        ),
    )


@styled
def _plot_scaling(direct: tuple[tuple[float, PlainRun], ...], scaled: tuple[tuple[float, PlainRun], ...]) -> Picture:
    """The roughest run without scaling that breaks away, and a run with it."""
    picture = Picture(8.6, 3.4)
    axes = picture.subplots()
    axes.plot(converged().time, converged()["friction.f"], color=INK, alpha=0.25, linewidth=3, label="converged")
    rough = max((run for _, run in direct if run.slid), key=swing)
    smooth = min((run for _, run in scaled if run.slid), key=lambda run: abs(run.largest - right()))
    for run, color, text in ((rough, COLORS[1], "one tolerance for all"), (smooth, COLORS[0], "scaled")):
        axes.plot(run.time, run.friction, "o-", color=color, markersize=2.5, linewidth=1, label=text)
    axes.set(xlim=(7.2, ONE_SLIP), xlabel=label("s", "time"), ylabel=label("N", "friction"))
    legend_above(axes)
    return picture.finish("LSODA at a tolerance of 1e-4", None)


@COLLECTION.item(
    "Events",
    "Why your LuGre is wrong: no event at break-away",
    shows="The solver can be stopped where the bristles release, at the change of sign of dz/dt. Does that help?",
)
def events(quick: bool) -> Finding:
    """Loose tolerances with and without a restart at break-away."""
    cases = [(method, tol) for method in METHODS for tol in (1e-3, LOOSE)]
    found = {(method, tol): (scan(method, tol, quick), scan(method, tol, quick, events=True)) for method, tol in cases}
    before, after = (sum(stuck(pair[k]) for pair in found.values()) for k in (0, 1))
    total = sum(len(pair[0]) for pair in found.values())
    again = sum(not run.slid and run.restarts > 0 for pair in found.values() for _, run in pair[1])
    highest = max(top for method, tol in cases if method == "BDF" for top in tops(found[method, tol][1]))
    return Finding(
        text=(
            f"Of {total} runs at tolerances of 1e-3 and 1e-4, {before} never break away without an event and {after} "
            "with it. The search works on the polynomial of the step that jumped: it finds that dz/dt was negative, "
            "and the solver starts again there with a short step.\n\n"
            f"It does not make them right: BDF then breaks away at up to {highest:.4f} N, {right():.4f} N is right. "
            f"The event is where the polynomial says, and that is as loose as the tolerance. {again} runs found the "
            "event, started again, and jumped once more.\n\n"
            "Do not ask for every change of sign: in steady sliding dz/dt is zero up to rounding, and each sign of the "
            "noise is an event. Cure: an event for safety, a tolerance of 1e-6 for the number."
        ),
        picture=_plot_events(found),
        tables=[
            titled_table(
                "Runs that never break away, and the largest friction of all (N)",
                ["solver", "tolerance", "without event: stuck", "largest", "with event: stuck", "largest"],
                [
                    [method, f"{tol:.0e}", stuck(a), round(max(tops(a)), 4), stuck(b), round(max(tops(b)), 4)]
                    for (method, tol), (a, b) in found.items()
                ],
            )
        ],
        headline=f"An event at break-away takes the runs that never slide from {before} to {after} of {total}.",
        alt=(
            "Largest friction of all runs with and without an event at break-away: without it many are near 1.8 N, "
            f"with it most are between the right {right():.2f} N and 1.5 N."
        ),
    )


@styled
def _plot_events(found: Mapping[tuple[str, float], tuple[tuple[tuple[float, PlainRun], ...], ...]]) -> Picture:
    picture = Picture(8.6, 3.4)
    axes = picture.subplots()
    axes.axhline(right(), color=INK, linewidth=3, alpha=0.25)
    names = [f"{method}\n{tol:.0e}" for method, tol in found]
    for shift, color, text, k in ((-0.15, COLORS[1], "without event", 0), (0.15, COLORS[0], "with event", 1)):
        points = [(at + shift, top) for at, pair in enumerate(found.values()) for top in tops(pair[k])]
        axes.plot(*np.transpose(points), "o", color=color, markersize=4, alpha=0.6, label=text)
    axes.set_xticks(range(len(names)), names)
    axes.set(ylabel=label("N", "largest friction"))
    legend_above(axes)
    return picture.finish("Break-away with and without an event, one point for each first step", None)


@COLLECTION.item(
    "First step",
    "Why your LuGre is wrong: the luck of the first step",
    shows="Two runs that differ by nothing but the length of their first step: do they agree?",
)
def first_step(quick: bool) -> Finding:
    """Break-away over the first step, at three tolerances."""
    found = {tol: scan("LSODA", tol, quick) for tol in (1e-4, 1e-5, 1e-6)}
    spread = {tol: max(tops(runs)) - min(tops(runs)) for tol, runs in found.items()}
    count = len(found[LOOSE])
    return Finding(
        text=(
            f"LSODA with scaled bristles over {count} first steps from 1e-7 s to 1e-2 s. At a tolerance of 1e-4 the "
            f"largest friction is {_range(tops(found[1e-4]))}; at 1e-5 {_range(tops(found[1e-5]))}; at 1e-6 "
            f"{_range(tops(found[1e-6]))}. {right():.4f} N is right.\n\n"
            "A solver guesses its first step from the initial rates, which are zero here. All later steps follow from "
            "it, and whether one of them ends just before the break-away or behind it is chance.\n\n"
            "One run at a loose tolerance proves nothing, whether it looks right or not. Cure: run twice, with another "
            f"first step. If the results differ, the tolerance is too loose: here by {spread[1e-4]:.2f} N at 1e-4 and "
            f"{spread[1e-6]:.0e} N at 1e-6."
        ),
        picture=_plot_first_step(found),
        headline=(
            f"The length of the first step alone moves the break-away friction by {spread[1e-4]:.2f} N at a tolerance "
            f"of 1e-4, and by {spread[1e-6]:.0e} N at 1e-6."
        ),
        alt=f"Largest friction over the first step: scattered by {spread[1e-4]:.2f} N at 1e-4, straight at 1e-6.",
    )


@styled
def _plot_first_step(found: Mapping[float, tuple[tuple[float, PlainRun], ...]]) -> Picture:
    picture = Picture(8.6, 3.4)
    axes = picture.subplots()
    axes.axhline(right(), color=INK, linewidth=3, alpha=0.25)
    for color, (tol, runs) in zip((COLORS[1], COLORS[2], COLORS[0]), found.items(), strict=True):
        firsts = [first for first, _ in runs]
        axes.plot(firsts, tops(runs), "o-", color=color, markersize=4, linewidth=0.8, label=f"tolerance {tol:.0e}")
    axes.set(xscale="log", xlabel=label("s", "first step"), ylabel=label("N", "largest friction"))
    legend_above(axes)
    return picture.finish("Break-away over the first step, LSODA", None)
