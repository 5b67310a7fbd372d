"""Figures 2 and 3: what scaling, events and tolerances do to a code of DASSL's kind."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from statistics import median

import numpy as np

from ....results.style import COLORS, INK, Picture, label, legend_above, styled
from ..paper import Finding, Table
from ..scorecard import Claim, number, statement, unchecked
from ._paper import PAPER
from ._stick_slip_items import STATIC, slips, tight
from .bearing import PULL, STIFFNESS, T_END, fixed_step, largest, stick_slip
from .dassl import Z_N, Listing, Trail, dassl

LOOSE = 1e-4
TOO_HIGH = 1.05
"""A break-away torque that many times the right one is too high."""


def right() -> float:
    """The break-away torque of the converged run (N.m)."""
    return largest(tight())


def has_ida() -> bool:
    """Whether scikit-sundae is there."""
    return find_spec("sksundae") is not None


def without_ida(*claims: str) -> Finding:
    """What is left of an item that needs IDA."""
    because = "needs a code of DASSL's kind: pip install 'stribeck[cvode]'"
    return Finding("IDA is not installed.", [unchecked(claim, because) for claim in claims])


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


@PAPER.item(
    "Figure 2",
    "A loose tolerance, with and without scaling",
    shows="the friction torque by DASSL at a tolerance of 1e-4, without and with scaling of z: the direct "
    "implementation breaks away too late, and its torque oscillates while the mass rotates; scaling removes that",
)
def figure_2(quick: bool) -> Finding:
    """The listing without events by IDA at many first steps, in both scales."""
    names = ("the direct break-away torque is too high", "its friction oscillates", "scaling removes the oscillation")
    if not has_ida():
        return without_ida(*names)
    direct, scaled = scan(False, False, quick), scan(True, False, quick)
    stuck = [sum(not trail.break_aways for _, trail in runs) for runs in (direct, scaled)]
    noise = [median(swings(runs)) for runs in (direct, scaled)]
    weight = float(np.max(np.asarray(tight()["friction.z"]))) / LOOSE
    return Finding(
        text=(
            f"Whether and where such a run lets go is luck: over {len(direct)} first steps the largest torque of the "
            f"direct implementation is {min(tops(direct)):.2f} to {max(tops(direct)):.2f} N.m, and {stuck[0]} of them "
            "never let go; the steps have become so long that the code jumps over the break-away. Scaling takes the "
            f"oscillation down by a factor of {noise[0] / noise[1]:.0f}, but not the luck: {stuck[1]} of the scaled "
            f"runs never let go, the largest torque of the others is up to "
            f"{max(top for top, (_, trail) in zip(tops(scaled), scaled, strict=True) if trail.break_aways):.2f} N.m."
        ),
        claims=[
            statement(
                "without scaling the break-away torque is too high at a tolerance of 1e-4",
                min(tops(direct)) > TOO_HIGH * right(),
                f"{min(tops(direct)):.2f} N·m or more in all {len(direct)} runs, {right():.2f} N·m is right",
                note="runs that never let go among them",
            ),
            statement(
                "without scaling the friction torque oscillates while the mass rotates",
                noise[0] > 0.05,
                f"by {min(swings(direct)):.2f} to {max(swings(direct)):.1f} N·m around 1 + 0.4 w",
            ),
            statement(
                "with scaling these oscillations disappear",
                noise[1] < 0.1 * noise[0],
                f"{noise[1]:.3f} N·m instead of {noise[0]:.2f} N·m (medians)",
            ),
            statement(
                "scaling improves the simulation, but a loose tolerance may still miss the break-away",
                noise[1] < noise[0] and max(tops(scaled)) > TOO_HIGH * right(),
                f"largest torque {min(tops(scaled)):.2f} to {max(tops(scaled)):.2f} N·m over {len(scaled)} first steps",
            ),
            statement(
                "the error control of z is practically switched off without scaling",
                weight < 1,
                f"z as a whole is {weight:.2f} of what the tolerance allows as its error",
            ),
        ],
        picture=_plot_scaling(direct, scaled),
        tables=[_other_codes(quick)],
    )


@styled
def _plot_scaling(direct: tuple[tuple[float, Trail], ...], scaled: tuple[tuple[float, Trail], ...]) -> Picture:
    """Friction torque of the first pair of runs in which both let go, and the outcome of all."""
    lets_go = [a for (a, one), (_, two) in zip(direct, scaled, strict=True) if one.break_aways and two.break_aways]
    first = lets_go[0] if lets_go else direct[0][0]
    picture = Picture(8.6, 3.6)
    left, beside = picture.subplots(1, 2, width_ratios=[2.4, 1])
    left.plot(tight().time, tight()["friction.tau"], color=INK, alpha=0.25, linewidth=3, label="converged")
    for choice, style, color, text in ((False, "-", COLORS[1], "direct"), (True, "--", COLORS[0], "scaled")):
        trail = dassl(LOOSE, scaled=choice, events=False, first_step=first)
        left.plot(trail.time, trail.friction, style, color=color, linewidth=1.1, label=text)
    left.set(xlabel="time / s", ylabel=label("N.m", "friction torque"), xlim=(0, 25))
    legend_above(left)
    for runs, mark, color in ((direct, "o", COLORS[1]), (scaled, "s", COLORS[0])):
        beside.plot([first for first, _ in runs], tops(runs), mark, color=color, markersize=4, alpha=0.8)
    beside.axhline(right(), color=INK, alpha=0.25, linewidth=3)
    beside.axvline(first, color=INK, linewidth=0.7, linestyle=":")
    beside.set(xscale="log", xlabel="first step / s", ylabel=label("N.m", "largest torque"), ylim=(0, 5.6))
    beside.annotate("never let go", (0.5, 5.12), xycoords=("axes fraction", "data"), fontsize=8, ha="center")
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


def _other_codes(quick: bool) -> Table:
    rows: list[list[str | float]] = [
        [method, text, f"{min(torques):.3f} to {max(torques):.3f}", f"{good} of {len(torques)}"]
        for (method, text), (torques, good) in other_codes(quick).items()
    ]
    heads = ["integrator of SciPy", "z", "largest torque / (N·m)", "runs with three slips"]
    return Table("The same by other codes, tolerance 1e-4, no events, several first steps", heads, rows)


def _scipy(method: str, scale: float, first: float) -> tuple[float, int]:
    """Largest torque (N.m) and number of slips of the listing without events."""
    from scipy.integrate import solve_ivp

    model = Listing(zN=scale)
    how = {"method": method, "rtol": LOOSE, "atol": LOOSE, "first_step": first}
    run = solve_ivp(lambda t, y: model.rates(t, y.tolist()), (0.0, T_END), [0.0] * 3, **how)
    friction = [model.friction(*y) for y in run.y.T.tolist()]
    fast = run.y[1] >= PULL
    return max(friction), int(np.count_nonzero(fast[1:] & ~fast[:-1]))


@PAPER.item(
    "Figure 3",
    "Events, and two tolerances",
    shows="the friction torque by DASSL at tolerances of 1e-4 and 1e-6, scaled and with an event at every change of "
    "sign of dz/dt: they differ by their break-away torques, about 1.5 and 1.48 N.m",
)
def figure_3(quick: bool) -> Finding:
    """The listing with scaling and events by IDA, fixed steps, and our own tolerances."""
    names = ("break-away torque at 1e-4", "break-away torque at 1e-6", "events improve the result")
    if not has_ida():
        return without_ida(*names)
    loose, sharp = dassl(LOOSE), dassl(1e-6)
    with_events, without = scan(True, True, quick), scan(True, False, quick)
    spread = tops(with_events)
    return Finding(
        text=(
            f"With the first step that the code chooses, the first break-away is at {loose.break_aways[0]:.4f} N.m at "
            f"a tolerance of 1e-4 and at {sharp.break_aways[0]:.4f} N.m at 1e-6; {right():.4f} N.m is right. Over "
            f"other first steps the largest torque at 1e-4 is {min(spread):.4f} to {max(spread):.4f} N.m: an event "
            "keeps the code from jumping over the break-away, but where it falls within the Stribeck effect is still "
            "left to the tolerance. Our integrator, which looks for narrow peaks of friction within its steps, has no "
            f"such event and gives {largest(stick_slip(tolerance=LOOSE)):.4f} N.m at 1e-4."
        ),
        claims=[*_torques(loose, sharp), *_events(spread, tops(without)), _needed(quick)],
        picture=_plot_tolerances(loose, sharp),
        tables=[_tolerances(quick)],
    )


def _torques(loose: Trail, sharp: Trail) -> list[Claim]:
    """The two break-away torques, and whether they explain the difference of the runs."""
    first, second = loose.break_aways[0], sharp.break_aways[0]
    later = [float(trail.time[np.argmax(trail.states[:, 1] >= PULL)]) for trail in (loose, sharp)]
    expected = (first - second) / (STIFFNESS * PULL)
    fixed = {method: largest(fixed_step(method, 5e-5, energy=False)) for method in ("ode1", "ode4")}
    return [
        number(
            "break-away torque at a tolerance of 1e-4",
            "1.5",
            first,
            "N.m",
            within=0.005,
            note="that of the first slip; 1.50 is meant, as it is told from 1.48",
        ),
        number("break-away torque at a tolerance of 1e-6", "1.48", second, "N.m"),
        statement(
            "the difference of the two runs comes from different break-away torques",
            abs(later[0] - later[1] - expected) < 0.2 * abs(expected),
            f"the first slip is {1e3 * (later[0] - later[1]):.0f} ms later; the difference of the torques takes "
            f"{1e3 * expected:.0f} ms at {STIFFNESS * PULL:g} N·m/s",
        ),
        *(
            number(f"break-away torque with a fixed step of 50 µs, {name}", "1.48", fixed[method], "N.m")
            for method, name in (("ode1", "Euler"), ("ode4", "Runge-Kutta 4"))
        ),
    ]


def _events(with_events: list[float], without: list[float]) -> list[Claim]:
    return [
        statement(
            "an event at every change of sign of dz/dt improves the result further",
            max(with_events) < TOO_HIGH * STATIC < median(without),
            f"largest torque at most {max(with_events):.3f} N·m with events, up to {max(without):.2f} N·m without",
        ),
        statement(
            "a considerable difference between tolerances remains",
            max(with_events) - right() > 0.01,
            f"{min(with_events):.4f} to {max(with_events):.4f} N·m at 1e-4, depending on the first step",
        ),
    ]


def _needed(quick: bool) -> Claim:
    """Whether a tolerance of 1e-5 would do."""
    firsts = np.geomspace(1e-7, 1e-2, 3 if quick else 6).tolist()
    worst = {}
    for tolerance in (1e-5, 1e-6):
        trails = [dassl(tolerance, first_step=first, grid=False) for first in firsts]
        worst[tolerance] = max(abs(torque - right()) for trail in trails for torque in trail.break_aways)
    return statement(
        "a tolerance of 1e-6 is needed for accurate results with LuGre friction",
        worst[1e-6] < 1e-3 < worst[1e-5],
        f"break-away torques are off by up to {worst[1e-5]:.3f} N·m at 1e-5 and {worst[1e-6]:.4f} N·m at 1e-6",
        note=f"by IDA; ours is off by {abs(largest(stick_slip(tolerance=1e-5)) - right()):.0e} N·m at 1e-5",
    )


def _tolerances(quick: bool) -> Table:
    tolerances = [1e-3, 1e-4, 1e-6] if quick else [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8]
    rows: list[list[str | float]] = []
    for tolerance in tolerances:
        trail, run = dassl(tolerance, grid=False), stick_slip(tolerance=tolerance, intervals=5000)
        late = float(np.abs(slips(run)[:3] - slips(tight())[:3]).max()) if slips(run).size == 3 else np.nan
        cycles = ", ".join(f"{torque:.4f}" for torque in trail.break_aways)
        rows.append([f"{tolerance:g}", cycles, trail.steps, f"{largest(run):.6f}", run.statistics.steps, f"{late:.0e}"])
    heads = ["tolerance", "IDA with events: break-aways / (N·m)", "steps", "ours, no events / (N·m)", "steps"]
    return Table("Break-away torque over tolerance", [*heads, "our slips are off by / s"], rows)


@styled
def _plot_tolerances(loose: Trail, sharp: Trail) -> Picture:
    picture = Picture(8.6, 3.6)
    left, beside = picture.subplots(1, 2, width_ratios=[2.4, 1])
    for axes in (left, beside):
        axes.plot(loose.time, loose.friction, "-", color=COLORS[1], label="tolerance 1e-4")
        axes.plot(sharp.time, sharp.friction, "--", color=COLORS[0], label="tolerance 1e-6")
        axes.set(xlabel="time / s", ylim=(0, 1.6))
    left.set(ylabel=label("N.m", "friction torque"), xlim=(0, 25))
    legend_above(left)
    beside.set(xlim=(7.2, 7.7), ylim=(0.95, 1.55))
    for torque, side in ((1.5, "bottom"), (1.48, "top")):
        beside.axhline(torque, color=INK, linewidth=0.7, linestyle=":")
        shift = 0.008 if side == "bottom" else -0.008
        beside.text(7.69, torque + shift, f"{torque:g}", fontsize=8, ha="right", va=side)
    beside.set_title("first break-away", fontsize=9, loc="left")
    return picture.finish("Scaled, with events", None)
