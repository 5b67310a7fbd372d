"""Section 5: the simulation model, in one run and as a co-simulation."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes

import stribeck as sb
from stribeck.reports import DataTable
from stribeck.style import COLORS, Picture, label, legend_above, styled

from ..paper import Finding, titled_table
from ..rules import SAME
from ..scorecard import Claim, judged, statement, unchecked
from ._coupling import (
    SHORT,
    Distance,
    coupled,
    damper_limit,
    distance,
    exudyn_installed,
    largest_stable,
    monolithic,
    not_installed,
    orders,
    scan,
    steps,
    whole,
)
from ._paper import PAPER
from .clutch import SPEED, TestBed, validation_cycle

CLAIMS = (
    "friction code and multi-body code can run as a co-simulation",
    "the co-simulation is the whole: it tends to one run of all with the step",
)


@PAPER.item(
    "Section 5",
    "The test bed as a multi-body model, with its friction as a joint",
    shows="two flexible bodies, one for each side, in a multi-body code; friction in Simulink; both in a co-simulation",
    basis="reconstruction",
)
def section_5(quick: bool) -> Finding:
    """Shafts of one and of twelve pieces; Exudyn and Stribeck stepping side by side."""
    fine, rigid = _pieces(), _rigid()
    found = scan(quick) if exudyn_installed() else {}
    return Finding(
        text=_text(quick, found, fine, rigid),
        claims=[
            *(_coupled_claims(quick) if found else not_installed(*CLAIMS)),
            judged(
                "parts that are rigidly connected may be merged without loss of accuracy",
                SAME,
                fine / SPEED,
                f"shafts of one piece and of twelve: speeds within {fine:.1g} rad/s",
                note="one flexible body a side, with rotor and disc at its ends; without flexibility the speeds differ "
                f"by {rigid:.2g} rad/s",
                otherwise="refuted",
            ),
            unchecked(
                "the shaft modeller gives practically the same results as finite elements in space",
                "neither geometry nor finite elements of the test bed are printed; in torsion alone twelve pieces of "
                "each shaft give the same as one",
            ),
        ],
        picture=plot_coupling(quick, found) if found else None,
        tables=[_table(quick, found)] if found else [],
        headline=_headline(quick, found),
        alt="Speeds and torque of one run with dots of the co-simulation on them, and differences over the step for "
        "three ways of coupling."
        if found
        else "",
    )


def _text(quick: bool, found: dict[str, list[Distance]], fine: float, rigid: float) -> str:
    shafts = f"Cutting each shaft into twelve pieces changes no speed by more than {fine:.1g} rad/s."
    if not found:
        return shafts
    h, limit, slopes = steps(quick), damper_limit(TestBed()), orders(quick)
    stable = {name: largest_stable(h, ones) for name, ones in found.items()}
    return (
        "Exudyn has the test bed as four rigid bodies in space with flexible shafts, Stribeck the friction. The joint "
        "takes an angle or a speed and returns a torque, in three ways. Held: the joint moves on with the speed "
        "at the start of a step, and its torque is held. Predicted: it goes to where angle and speed lead, and its "
        "torque is extrapolated to the end of the step. Iterated: it answers within the iterations of Exudyn, stepping "
        "again from where it was for every angle that these try.\n\nWhile the discs slide fast, held is of order "
        f"{slopes['held']:.2f}, the others are of order "
        f"{slopes['predicted']:.2f} and "
        f"{slopes['iterated']:.2f}. Once they are locked, bristles are a stiff "
        f"damper: a held torque must ring from 2 J/d = {1e3 * limit:.2f} ms on. In this scan they are stable up to "
        f"{1e3 * stable['held']:g}, {1e3 * stable['predicted']:g} and {1e3 * stable['iterated']:g} ms. {shafts}"
    )


def _headline(quick: bool, found: dict[str, list[Distance]]) -> str:
    if not found:
        return ""
    limit, h = damper_limit(TestBed()), steps(quick)
    return (
        f"A friction joint with bristles is a stiff damper: a torque that is held over a step rings from "
        f"{1e3 * limit:.2f} ms on, while one that takes part in the iterations of the multi-body code is stable up to "
        f"{1e3 * largest_stable(h, found['iterated']):g} ms."
    )


def _coupled_claims(quick: bool) -> list[Claim]:
    bed, step = whole(quick)
    best, slopes = distance(bed, step, "iterated"), orders(quick)
    return [
        judged(
            CLAIMS[0],
            SAME,
            best.speeds / SPEED,
            f"{bed.cycle.end:g} s with steps of {1e3 * step:g} ms: speeds within {best.speeds:.2g} rad/s of one run",
            note="Exudyn for the bodies, Stribeck for the friction, both stepping",
            otherwise="refuted",
        ),
        statement(
            CLAIMS[1],
            slopes["held"] > 0.9 and min(slopes["predicted"], slopes["iterated"]) > 1.8,
            ", ".join(f"{name}: order {value:.2f}" for name, value in slopes.items()),
            note="while the discs slide fast; the paper does not say how its two codes were coupled",
            otherwise="refuted",
        ),
    ]


@cache
def _pieces() -> float:
    """Largest change (rad/s) of a speed of the rotors if each shaft is cut into twelve pieces."""
    bed = TestBed()
    cut = bed.changed(engine=replace(bed.engine, pieces=12), brake=replace(bed.brake, pieces=12))
    return _apart(validation_cycle(bed, tolerance=1e-9), validation_cycle(cut, tolerance=1e-9))


@cache
def _rigid() -> float:
    """The same if they are rigid."""
    return _apart(*(validation_cycle(flexible=flexible, tolerance=1e-9) for flexible in (True, False)))


def _apart(one: sb.Result, other: sb.Result) -> float:
    names = ("engine.w", "brake.w")
    return float(max(np.abs(np.asarray(one[name]) - np.asarray(other[name])).max() for name in names))


def _table(quick: bool, found: dict[str, list[Distance]]) -> DataTable:
    heads = ["step / ms", *(f"{name}: {what}" for name in found for what in ("sliding", "all"))]
    rows = [
        [1e3 * h, *(round(value, 6) for ones in found.values() for value in (ones[k].sliding, ones[k].slip))]
        for k, h in enumerate(steps(quick))
    ]
    return titled_table("Largest difference of the slip from one run of all / (rad/s)", heads, rows)


@styled
def plot_coupling(quick: bool, found: dict[str, list[Distance]]) -> Picture:
    """Both runs above each other, and their difference over the step."""
    picture = Picture(8.8, 4.8)
    grid = picture.subplot_mosaic([["speed", "sliding"], ["torque", "all"]], width_ratios=[3, 2])
    bed, shown = TestBed(cycle=SHORT), min(2e-4, max(steps(quick)))
    run, one = coupled(bed, shown, "iterated"), monolithic(bed, 4001)
    every = slice(None, None, max(1, run.time.size // 60))
    for name, color in (("engine", COLORS[0]), ("brake", COLORS[1])):
        grid["speed"].plot(one.time, one[f"{name}.w"], color=color, label=f"{name} side")
        grid["speed"].plot(run.time[every], getattr(run, name)[every], ".", color=color, ms=4)
    grid["torque"].plot(one.time, one["clutch.tau"], color=COLORS[2])
    grid["torque"].plot(run.time[every], run.torque[every], ".", color=COLORS[2], ms=4)
    grid["speed"].set_ylabel(label("rad/s"))
    grid["torque"].set(xlabel=label("s", "time"), ylabel=label("N.m"))
    grid["speed"].set_title(f"lines: one run; dots: co-simulation, {1e3 * shown:g} ms", fontsize=8, loc="left")
    legend_above(grid["speed"])
    _plot_distances(picture, [grid["sliding"], grid["all"]], 1e3 * np.array(steps(quick)), found)
    picture.finish("One run of all, and friction coupled to Exudyn as a joint", None)
    return picture


def _plot_distances(picture: Picture, both: list[Axes], h: np.ndarray, found: dict[str, list[Distance]]) -> None:
    """Differences over the step (ms): while the discs slide fast, and in the whole cycle."""
    styles: Any = ({"marker": "o"}, {"marker": "s", "lw": 2.4}, {"marker": "^", "ls": "--", "mfc": "white"})
    for axes, part in zip(both, ("sliding", "slip"), strict=True):
        for (name, ones), color, style in zip(found.items(), COLORS[3:], styles, strict=False):
            axes.loglog(
                h,
                [getattr(one, part) for one in ones],
                label=name if part == "slip" else None,
                ms=5,
                color=color,
                **style,
            )
        axes.set_xticks(h, [f"{step:g}" for step in h])
        axes.minorticks_off()
        axes.set_ylabel("difference of slip / (rad/s)")
    both[0].set_title("while the discs slide fast", fontsize=8, loc="left")
    both[1].set_title("whole cycle", fontsize=8, loc="left")
    both[1].set_xlabel(label("ms", "step"))
    legend_above(both[1])
