"""Figure 2: the effect of scaling on a code like DASSL."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from statistics import median

import numpy as np

from stribeck.reports import DataTable
from stribeck.style import COLORS, INK, Picture, label, legend_above, styled

from ..paper import Finding, titled_table
from ..scorecard import Claim, statement, unchecked
from ._paper import PAPER
from ._stick_slip_items import tight
from .bearing import PULL, T_END, largest
from .dassl import Z_N, Listing, Trail, dassl

LOOSE = 1e-4
TOO_HIGH = 1.05
"""A break-away torque above this multiple of the right one is too high."""


def right() -> float:
    """The break-away torque of the converged run (N.m)."""
    return largest(tight())


def has_ida() -> bool:
    """Whether scikit-sundae is installed."""
    return find_spec("sksundae") is not None


NEEDS_IDA = "needs a code of DASSL's kind: pip install 'stribeck[cvode]'"


def without_ida(*claims: str) -> list[Claim]:
    """Claims that need IDA."""
    return [unchecked(claim, NEEDS_IDA) for claim in claims]


@cache
def scan(scaled: bool, events: bool, quick: bool) -> tuple[tuple[float, Trail], ...]:
    """Runs at the loose tolerance, each with another first step (s)."""
    firsts = np.geomspace(1e-7, 1e-2, 5 if quick else 16).tolist()
    return tuple((first, dassl(LOOSE, scaled=scaled, events=events, first_step=first, grid=False)) for first in firsts)


def tops(runs: tuple[tuple[float, Trail], ...]) -> list[float]:
    """The largest friction torque of each run (N.m)."""
    return [float(trail.friction.max()) for _, trail in runs]


def swings(runs: tuple[tuple[float, Trail], ...]) -> list[float]:
    """How far friction swings from its steady value in each run in which the mass rotates (N.m)."""
    return [trail.swing for _, trail in runs if np.isfinite(trail.swing)]


SCALING = (
    "without scaling the break-away torque is too high at a tolerance of 1e-4",
    "without scaling the friction torque oscillates while the mass rotates",
    "with scaling these oscillations disappear",
    "scaling improves the simulation, but a loose tolerance may still miss the break-away",
)
"""Claims about Figure 2 that need IDA."""


@PAPER.item(
    "Figure 2",
    "A loose tolerance, with and without scaling",
    shows="the friction torque by DASSL at a tolerance of 1e-4, without and with scaling of z: the direct "
    "implementation breaks away too late, and its torque oscillates while the mass rotates; scaling removes that",
)
def figure_2(quick: bool) -> Finding:
    """The listing without events by IDA at many first steps, in both scales."""
    if not has_ida():
        return Finding("IDA is not installed.", [*without_ida(*SCALING), _switched_off()], tables=[_other_codes(quick)])
    direct, scaled = scan(False, False, quick), scan(True, False, quick)
    stuck = [sum(not trail.break_aways for _, trail in runs) for runs in (direct, scaled)]
    noise = [median(swings(runs)) for runs in (direct, scaled)]
    return Finding(
        text=(
            f"Whether and where such a run breaks away is chance: over {len(direct)} first steps the largest torque of "
            f"the direct implementation is {min(tops(direct)):.2f} to {max(tops(direct)):.2f} N.m, and {stuck[0]} of "
            "them never break away; the steps have become so long that the code jumps over it. Scaling takes the "
            f"oscillation down by a factor of {noise[0] / noise[1]:.0f}, but not the scatter: {stuck[1]} of the scaled "
            f"runs never break away, the largest torque of the others is up to "
            f"{max(top for top, (_, trail) in zip(tops(scaled), scaled, strict=True) if trail.break_aways):.2f} N.m."
        ),
        claims=[
            statement(
                SCALING[0],
                min(tops(direct)) > TOO_HIGH * right(),
                f"{min(tops(direct)):.2f} N·m or more in all {len(direct)} runs, {right():.2f} N·m is right",
                note="runs that never break away among them",
            ),
            statement(
                SCALING[1],
                noise[0] > 0.05,
                f"by {min(swings(direct)):.2f} to {max(swings(direct)):.1f} N·m around 1 + 0.4 w",
            ),
            statement(
                SCALING[2],
                noise[1] < 0.1 * noise[0],
                f"{noise[1]:.3f} N·m instead of {noise[0]:.2f} N·m (medians)",
            ),
            statement(
                SCALING[3],
                noise[1] < noise[0] and max(tops(scaled)) > TOO_HIGH * right(),
                f"largest torque {min(tops(scaled)):.2f} to {max(tops(scaled)):.2f} N·m over {len(scaled)} first steps",
            ),
            _switched_off(),
        ],
        picture=_plot_scaling(direct, scaled),
        tables=[_other_codes(quick)],
    )


def _switched_off() -> Claim:
    """The largest deflection compared with the tolerance."""
    weight = float(np.max(np.asarray(tight()["friction.z"]))) / LOOSE
    return statement(
        "the error control of z is practically switched off without scaling",
        weight < 1,
        f"z as a whole is {weight:.2f} of what the tolerance allows as its error",
    )


@styled
def _plot_scaling(direct: tuple[tuple[float, Trail], ...], scaled: tuple[tuple[float, Trail], ...]) -> Picture:
    """Friction torque of the first pair of runs in which both break away, and the outcome of all."""
    lets_go = [a for (a, one), (_, two) in zip(direct, scaled, strict=True) if one.break_aways and two.break_aways]
    first = lets_go[0] if lets_go else direct[0][0]
    picture = Picture(8.6, 3.6)
    left, overview = picture.subplots(1, 2, width_ratios=[2.4, 1])
    left.plot(tight().time, tight()["friction.tau"], color=INK, alpha=0.25, linewidth=3, label="converged")
    for choice, style, color, text in ((False, "-", COLORS[1], "direct"), (True, "--", COLORS[0], "scaled")):
        trail = dassl(LOOSE, scaled=choice, events=False, first_step=first)
        left.plot(trail.time, trail.friction, style, color=color, linewidth=1.1, label=text)
    left.set(xlabel="time / s", ylabel=label("N.m", "friction torque"), xlim=(0, 25))
    legend_above(left)
    for runs, mark, color in ((direct, "o", COLORS[1]), (scaled, "s", COLORS[0])):
        overview.plot([first for first, _ in runs], tops(runs), mark, color=color, markersize=4, alpha=0.8)
    overview.axhline(right(), color=INK, alpha=0.25, linewidth=3)
    overview.axvline(first, color=INK, linewidth=0.7, linestyle=":")
    overview.set(xscale="log", xlabel="first step / s", ylabel=label("N.m", "largest torque"), ylim=(0, 5.6))
    overview.annotate("never break away", (0.5, 5.12), xycoords=("axes fraction", "data"), fontsize=8, ha="center")
    title = f"Tolerance 1e-4, no events; left a run with a first step of {1e6 * first:.1f} µs, right all of them"
    return picture.finish(title, None)


@cache
def other_codes(quick: bool) -> dict[tuple[str, str], tuple[list[float], int]]:
    """By SciPy's integrators for stiff equations, direct and scaled: the largest torques (N.m) over some first steps,
    and in how many of these runs there are three slips."""
    firsts = np.geomspace(1e-7, 1e-2, 3 if quick else 8).tolist()
    found = {}
    for method in ("LSODA", "BDF", "Radau"):
        for text, scale in (("direct", 1.0), ("scaled", Z_N)):
            runs = [_scipy(method, scale, first) for first in firsts]
            found[method, text] = [top for top, _ in runs], sum(slips == 3 for _, slips in runs)
    return found


def _other_codes(quick: bool) -> DataTable:
    rows: list[list[str | float]] = [
        [method, text, f"{min(torques):.3f} to {max(torques):.3f}", f"{good} of {len(torques)}"]
        for (method, text), (torques, good) in other_codes(quick).items()
    ]
    heads = ["integrator of SciPy", "z", "largest torque / (N·m)", "runs with three slips"]
    return titled_table("The same by other codes, tolerance 1e-4, no events, several first steps", heads, rows)


def _scipy(method: str, scale: float, first: float) -> tuple[float, int]:
    """Largest torque (N.m) and number of slips of the listing without events."""
    from scipy.integrate import solve_ivp

    model = Listing(zN=scale)
    how = {"method": method, "rtol": LOOSE, "atol": LOOSE, "first_step": first}
    run = solve_ivp(lambda t, y: model.rates(t, y.tolist()), (0.0, T_END), [0.0] * 3, **how)
    friction = [model.friction(*y) for y in run.y.T.tolist()]
    fast = run.y[1] >= PULL
    return max(friction), int(np.count_nonzero(fast[1:] & ~fast[:-1]))
