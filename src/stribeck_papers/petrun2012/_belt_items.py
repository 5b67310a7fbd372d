"""Section 6.2: the mass on the belt."""

from __future__ import annotations

from functools import cache
from math import exp, sqrt
from typing import Any

import numpy as np

import stribeck as sb
from stribeck.reports import DataTable
from stribeck.style import COLORS, ZERO, Picture, label, legend_above, styled

from ..paper import Finding, titled_table
from ..rules import EXACT, SAME
from ..scorecard import judged, share, statement
from ._ensemble import DRAWN, belts, mostly_the_curve, sticks_often
from ._laws import BRISTLED
from ._paper import PAPER
from .belt import (
    BRISTLE,
    CURVE,
    KAPPA,
    STICKS,
    belt,
    coulomb,
    elasto_plastic,
    modified_law,
    no_stick_limit,
    period,
    stick_phases,
)
from .bristle import curve

TIGHT = 1e-11


# --- Figure 5 --------------------------------------------------------------------------------------------------------


def damped_oscillator(t: np.ndarray, force: float = 1.0, d: float = 0.1) -> np.ndarray:
    """Displacement (m) of 1 kg on 1 N/m with damping d (N.s/m) under a constant force (N) from rest."""
    zeta = d / 2
    w = sqrt(1 - zeta**2)
    return force * (1 - np.exp(-zeta * t) * (np.cos(w * t) + zeta / w * np.sin(w * t)))


@PAPER.item(
    "Figure 5",
    "The mass on the belt, constant friction",
    shows="friction, relative speed and spring force over time for constant friction: the friction force is constant, "
    "the rest is an oscillation that spring and damper determine, and nothing sticks",
    basis="reconstruction",
)
def figure_5(quick: bool) -> Finding:
    """Constant friction of 1 N, and more of it."""
    run, limit, found = coulomb(tolerance=TIGHT), no_stick_limit(), _limit_by_run()
    off = float(np.abs(np.asarray(run["mass.s"]) - damped_oscillator(run.time)).max())
    slowest, change = run.extremes["friction.v_rel"]["min"], float(np.ptp(run["friction.f"]))
    forces = [0.5, 1.0, 1.2, 5.0] if quick else [0.5, 0.8, 1.0, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0]
    sticks = [sum(event.to == "Stuck" for event in coulomb(force).events) for force in forces]
    return Finding(
        text=f"Friction of 1 N drives a damped oscillation; the belt stays faster than the mass by {slowest:.4f} m/s "
        f"at least. The mass would reach the speed of the belt from {limit:.7f} N on, which bounds what the paper can "
        f"have used. Above, the mass sticks once, for a while, and after that never again.",
        claims=[
            judged(
                "the friction force is always constant",
                EXACT,
                change,
                f"it changes by {change:.1g} N",
                otherwise="refuted",
                basis="put in",
            ),
            judged(
                "relative speed and spring force depend on stiffness and damping",
                SAME,
                off,
                f"off the closed form of the damped oscillator by {off:.1g} m",
                otherwise="refuted",
                basis="printed",
            ),
            statement(
                "no stick/slip occurs",
                slowest > 0 and not run.events,
                f"smallest relative speed {slowest:.4f} m/s, {len(run.events)} mode changes",
                note=f"with 1 N; the paper prints no friction force, its figure bounds it by {limit:.4f} N",
                otherwise="not determined",
                because=f"it takes less than {limit:.4f} N",
            ),
            statement(
                "that is due to the constant coefficient: no stick/slip whatever its size",
                max(sticks) <= 1,
                f"{max(sticks)} stick phase at most with {forces[0]:g} to {forces[-1]:g} N",
                note="above the bound it sticks once at the start; it never sticks again, so there is no cycle",
                otherwise="refuted",
            ),
        ],
        picture=plot_belt(run, "Constant friction of 1 N", 0.0),
        alt=f"Constant friction, an oscillating spring force that decays, and a relative speed of {slowest:.2f} m/s at "
        "least.",
        tables=[
            titled_table(
                "Stick phases in 40 s",
                ["friction / N", "sticks"],
                [list(pair) for pair in zip(forces, sticks, strict=True)],
            )
        ],
        converged={"E.belt.Coulomb_no_stick_threshold": found},
    )


@cache
def _limit_by_run() -> float:
    """The limit by a run without sticking: the largest speed is proportional to friction."""
    return 0.5 / float(sb.simulate(belt(sb.Coulomb(mu_c=0.5)), t_end=5.0, tolerance=TIGHT).extremes["mass.v"]["max"])


@styled
def plot_belt(run: sb.Result, title: str, start: float) -> Picture:
    """Forces above, relative speed below."""
    picture = Picture(8.5, 4.4)
    forces, speed = picture.subplots(2, 1, sharex=True)
    forces.plot(run.time, run["friction.f"], color=COLORS[1], label="friction")
    forces.plot(run.time, run["spring.f"], color=COLORS[0], label="spring")
    speed.plot(run.time, run["friction.v_rel"], color=COLORS[2])
    for first, last in stick_phases(run):
        for axes in (forces, speed):
            axes.axvspan(first, last, color="#d5dae1", alpha=0.6, lw=0, label="sticks" if axes is forces else None)
    speed.axhline(0, color=ZERO, lw=0.8)
    forces.set_ylabel(label("N"))
    speed.set(xlabel=label("s", "time"), ylabel=label("m/s", "belt against mass"), xlim=(start, run.time[-1]))
    marks = [*forces.get_lines(), *forces.patches[:1]]
    legend_above(forces, marks)
    picture.finish(title, None)
    return picture


# --- Figure 6 --------------------------------------------------------------------------------------------------------

LAWS = {
    "EP_kappa0.8": BRISTLED["modified elasto-plastic"],
    "EP_Dupont2002_zba0.9Fc": BRISTLED["elasto-plastic"],
    "LuGre": BRISTLED["LuGre"],
    "exact_stick_slip": sb.Stribeck(**CURVE),
}
NAMES = ("modified elasto-plastic", "elasto-plastic (Dupont)", "LuGre", "true stick and slip")


@cache
def tight_run(name: str) -> sb.Result:
    """A law on the belt, at a tight tolerance."""
    return elasto_plastic(LAWS[name], tolerance=TIGHT, t_end=32.0, intervals=16000)


@PAPER.item(
    "Figure 6",
    "The mass on the belt, modified elasto-plastic friction",
    shows="the same test with a realistic Stribeck curve: friction follows the relative speed while the mass slides "
    "and the load while it sticks, and stick and slip alternate for good",
    basis="reconstruction",
)
def figure_6(quick: bool) -> Finding:
    """The modified law with our Stribeck curve, and others for comparison."""
    run = tight_run("EP_kappa0.8")
    phases = stick_phases(run)
    slip, stick = off_the_curve(run, phases), off_the_load(run, phases)
    rise = float(np.ptp([run.at(t, "spring.f") for t in phases[1]]))
    part = sum(b - a for a, b in phases[1:-1]) / (len(phases[1:-1]) * period(run))
    many = sticks_often(belts(quick))
    span, slope, damping = curve(STICKS) - curve(2.0), falling_slope(), 0.1
    return Finding(
        text=f"The mass sticks for {100 * part:.0f} % of each period of {period(run):.4f} s. While it slides friction "
        f"is within {slip:.2g} N of the Stribeck curve, while it sticks within {stick:.2g} N of what spring and damper "
        f"ask for. It does not decay, since friction falls with speed by {slope:.2f} N.s/m at the speed of the belt, "
        f"more than the damper's {damping:g}.",
        claims=[
            judged(
                "friction depends on the relative speed in the slip phase",
                SAME,
                slip / span,
                f"within {slip:.2g} N of the Stribeck curve, whose values range over {span:.2f} N",
                note="sliding faster than 0.05 m/s",
                otherwise="refuted",
            ),
            judged(
                "friction depends on the load in the stick phase",
                SAME,
                stick / rise,
                f"within {stick:.2g} N of the force of spring and damper, which rises by {rise:.2f} N",
                note="from 0.1 s after the mass is caught until 0.25 s before it has broken away",
                otherwise="refuted",
            ),
            share(
                "there is extensive stick/slip",
                many.tolist(),
                f"{many.size} belts with {DRAWN}",
                because=f"it takes a curve that falls by more than the damper's {damping:g} N·s/m at the speed of the "
                f"belt, such as ours by {slope:.2f}; narrow curves are flat there",
                note=f"ours sticks {len(phases)} times in {run.time[-1]:g} s, {100 * part:.0f} % of the time",
            ),
        ],
        headline=f"On a belt of 1 m/s stick/slip needs a Stribeck curve that still falls there: "
        f"{100 * many.mean():.0f} % of {many.size} drawn belts stick again and again.",
        alt=f"Friction, spring force and relative speed over time with {len(phases)} shaded stick phases of "
        f"{100 * part:.0f} % of each period of {period(run):.2f} s.",
        picture=plot_belt(run, "Modified elasto-plastic friction", 0.0),
        tables=[_laws_table()],
        converged=_converged(),
    )


def falling_slope(v: float = 1.0) -> float:
    """By how much friction falls with speed (N.s/m), with the belt at v (m/s) and the mass at rest."""
    return (CURVE["mu_s"] - CURVE["mu_c"]) / CURVE["v_s"] * exp(-v / CURVE["v_s"])


def off_the_curve(run: sb.Result, phases: list[tuple[float, float]]) -> float:
    """Largest difference (N) between friction and the Stribeck curve outside the stick phases."""
    slides = np.ones(run.time.size, bool)
    for first, last in phases:
        slides &= (run.time < first) | (run.time > last)
    v, f = np.asarray(run["friction.v_rel"])[slides], np.asarray(run["friction.f"])[slides]
    return float(max(abs(force - curve(speed)) for force, speed in zip(f, v, strict=True)))


def off_the_load(run: sb.Result, phases: list[tuple[float, float]]) -> float:
    """Largest difference (N) between friction and what spring and damper ask for, inside the stick phases."""
    asked = np.asarray(run["spring.f"]) + np.asarray(run["damper.f"])
    inside = np.zeros(run.time.size, bool)
    for first, last in phases:
        inside |= (run.time > first + 0.1) & (run.time < last - 0.25)
    return float(np.abs(np.asarray(run["friction.f"]) - asked)[inside].max())


def _laws_table() -> DataTable:
    rows: list[list[Any]] = []
    for name, title in zip(LAWS, NAMES, strict=True):
        run = tight_run(name)
        sides = run.extremes["friction.f"]
        rows.append([title, round(period(run), 7), round(sides["max"], 5), round(sides["min"], 5)])
    return titled_table(
        "The same belt under other laws", ["law", "period / s", "largest friction / N", "smallest / N"], rows
    )


def _converged() -> dict[str, float]:
    values: dict[str, float] = {}
    for name in LAWS:
        run = tight_run(name)
        values[f"E.belt.{name}.period"] = period(run)
        if name != "exact_stick_slip":
            values[f"E.belt.{name}.t_vzero_down[0]"] = float(run.crossings("mass.v", 0.0, -1)[0])
    return values


# --- what counts most ------------------------------------------------------------------------------------------------


@PAPER.item(
    "Section 6.2",
    "What the stick/slip test depends on",
    shows="of all parameters of friction the curve over sliding speed has the greatest influence on friction dynamics; "
    "the test is said to prove it",
    basis="reconstruction",
)
def section_6_2(quick: bool) -> Finding:
    """The period and the share of sticking, with each parameter of friction changed."""
    base = {**CURVE, **BRISTLE, "kappa": KAPPA}
    effects = {name: _effect(name, base[name]) for name in ("mu_s", "v_s", "mu_c", "sigma0", "sigma1", "kappa")}
    of_curve = max(max(pair) for name, pair in effects.items() if name in CURVE)
    of_bristle = max(max(pair) for name, pair in effects.items() if name not in CURVE)
    cycles = np.diff(tight_run("EP_kappa0.8").crossings("mass.v", 0.0, direction=-1))
    ragged = float(np.ptp(cycles[1:]))
    counts = mostly_the_curve(belts(quick), quick)
    return Finding(
        text="Each parameter of friction is raised and lowered by 10 %. The table shows by how much period and share "
        "of sticking change per change of the parameter (1 means: 10 % for 10 %). Of the curve it is how much "
        "friction falls that counts, not at which speed. The paper calls the test a 'chaos model'; its motion is "
        f"periodic here: the last {cycles.size - 1} periods differ by {ragged:.1g} s, since a mass that sticks "
        "forgets what was before.",
        claims=[
            share(
                "the curve of friction over sliding speed has the greatest influence",
                counts.tolist(),
                f"{counts.size} belts that stick and slip",
                note=f"on ours 1 % of a parameter changes period or sticking by up to {of_curve:.2g} % (curve) and "
                f"{of_bristle:.2g} % (bristle); on the drawn ones the period is compared",
                because="on some of them a bristle parameter counts more",
            ),
        ],
        tables=[
            titled_table(
                "Change per change of a parameter",
                ["parameter", "period", "share of sticking"],
                [[name, round(a, 5), round(b, 5)] for name, (a, b) in effects.items()],
            )
        ],
    )


@cache
def _effect(name: str, value: float) -> tuple[float, float]:
    """Relative change of period and of the share of sticking per relative change of a parameter."""
    ends = [_period_and_share(modified_law(**{name: factor * value})) for factor in (0.9, 1.1)]
    period_change, share_change = (abs(b - a) / (0.1 * (a + b)) for a, b in zip(*ends, strict=True))
    return period_change, share_change


def _period_and_share(law: Any) -> tuple[float, float]:
    run = elasto_plastic(law, tolerance=1e-9)
    first, last = stick_phases(run)[2]
    return period(run), (last - first) / period(run)
