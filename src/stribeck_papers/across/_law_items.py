"""Every law of the package on the rig that three papers share: what it shows and what it costs."""

from __future__ import annotations

from functools import cache
from math import isfinite, nan
from typing import NamedTuple

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, label, styled

from ..paper import Finding, titled_table
from ..settings import adjusted
from ._collection import COLLECTION
from .plain import PULL, STIFFNESS, V_S, lugre, rig

SHORT = ("Switch", "Karnopp", "Dahl", "LuGre", "ElastoPlastic", "GMS", "Leuven", "SevenParameter")
"""Laws of a quick run: one of each family."""
SLOW, FAST = 0.01, 1.0
"""Speeds of the pull (m/s) between which break-away is compared."""
HELD = 0.5
"""Force of the spring (N), a third of the static friction, at which presliding is read."""
DRIFTING = 20.0
"""Time (s) under a small force that swings; the drift is that of the second half."""
STICKING = 0.2
"""It sticks and slips if it is slower than the Stribeck speed for this share of the time after the first slip; a mass
that swings on its spring and only touches rest is so for less than 5 %."""
STILL = 1e-10
"""A creep (m/s) that is none: the tolerance of a run over ten seconds."""
RIGHT = 0.01
"""A run at a fixed step is right if the place is within this share of its range."""


class LawRow(NamedTuple):
    """What a law does on the rig; every number is from a run."""

    law: str
    break_away: float
    """Largest friction until the first slip (N), pulled at 0.1 m/s, without viscous friction."""
    slow: float
    fast: float
    """The same, pulled at 0.01 and 1 m/s."""
    period: float
    """Of the stick-slip (s); nan if there is none."""
    presliding: float
    """Displacement (m) under a third of the static friction."""
    drift: float
    """Speed (m/s) under a force between 0.2 and 0.8 N."""
    memory: bool | None
    """Whether nested loops close."""
    steps: int
    milliseconds: float
    fixed: float
    """Largest error of the place at a fixed step of 1 ms, over its range; 1 if the run stops."""


@cache
def law_row(name: str) -> LawRow:
    """The experiments with one law, with the parameters that it shares with LuGre's.

    >>> law_row("Switch").break_away
    1.5
    """
    law = sb.laws.get(name)().adopt(lugre())
    model = _rig(law)
    result = sb.simulate(model)
    return LawRow(
        law=name,
        break_away=_break_away(name, PULL),
        slow=_break_away(name, SLOW),
        fast=_break_away(name, FAST),
        period=_period(result),
        presliding=float(result.at(HELD / (STIFFNESS * PULL), "mass.s")),
        drift=_drift(law),
        memory=sb.analysis.friction_properties(law, "nonlocal memory")["nonlocal memory"].has,
        steps=result.statistics.steps,
        milliseconds=1e3 * min(sb.simulate(model).statistics.seconds for _ in range(3)),
        fixed=_fixed(model, result),
    )


def _break_away(name: str, speed: float) -> float:
    """The largest friction (N) until the mass overtakes the pull, with a law without viscous friction."""
    model = _rig(sb.laws.get(name)().adopt(lugre(sigma2=0.0)), speed)
    whole = sb.simulate(model, t_end=4.0 / (STIFFNESS * speed))
    slips = whole.crossings("mass.v", speed, direction=+1)
    t_end = float(slips[0]) if slips.size else float(whole.time[-1])
    return float(sb.simulate(model, t_end=t_end).extremes["friction.f"]["max"])


def _rig(law: sb.laws.Law, speed: float = PULL) -> sb.Model:
    return adjusted(rig(law, speed))


def _period(result: sb.Result) -> float:
    """Time (s) between the last two slips; nan if the mass does not stick between slips."""
    slips = result.crossings("mass.v", PULL, direction=+1)
    if slips.size < 2:
        return nan
    slow = np.abs(np.asarray(result["mass.v"])[result.time > slips[0]]) < V_S
    return float(slips[-1] - slips[-2]) if slow.mean() > STICKING else nan


def _drift(law: sb.laws.Law) -> float:
    """Speed (m/s) of a mass of 1 kg under 0.5 N and a sine of 0.3 N at 1 Hz, both below the Coulomb friction of 1 N."""
    model = sb.Model("drift", t_end=DRIFTING, intervals=20)
    mass = model.add("mass", sb.Mass(m=1.0))
    model.add("friction", sb.Guide(mass, law=law))
    model.add("push", sb.Force(mass, f=sb.Ramp(height=0.5, duration=1.0) + sb.Sine(amplitude=0.3, f=1.0)))
    place = np.asarray(sb.simulate(adjusted(model), tolerance=1e-8)["mass.s"])
    return float((place[-1] - place[place.size // 2]) / (0.5 * DRIFTING))


def _fixed(model: sb.Model, exact: sb.Result) -> float:
    try:
        run = model.realtime(h=1e-3, energy=False).run(t_end=float(exact.time[-1]), every=10)
    except sb.SimulationError:
        return 1.0
    place = exact.at(run.time.clip(max=exact.time[-1]), "mass.s")
    off = np.abs(np.asarray(run["mass.s"]) - place).max() / np.ptp(np.asarray(exact["mass.s"]))
    return min(1.0, float(off))


@COLLECTION.item(
    "Laws",
    "Laws, experiments and costs on one rig",
    shows="A mass of 1 kg on a spring of 2 N/m, pulled at 0.1 m/s: the rig of aberger2002, guo2017 and "
    "nouailletas2010. Every law has the parameters that it shares with their LuGre law. What does each show, and what "
    "does it cost?",
)
def laws(quick: bool) -> Finding:
    """A row for each law, every cell from a run."""
    known = [law.__name__ for law in sb.laws.all_laws().values()]
    rows = [law_row(name) for name in (SHORT if quick else known)]
    creeping = [row.law for row in rows if row.drift > STILL]
    slipping = [row for row in rows if isfinite(row.period)]
    sliding = [row.law for row in rows if not isfinite(row.period)]
    rated = [row.law for row in rows if row.slow - row.fast > 0.01 * row.slow]
    shortest, longest = (choice(slipping, key=lambda row: row.period) for choice in (min, max))
    costs = sorted(row.milliseconds for row in rows)
    wrong = [row.law for row in rows if row.fixed > RIGHT]
    return Finding(
        text=(
            f"{len(slipping)} of {len(rows)} laws stick and slip, with periods from {shortest.period:.2f} s "
            f"({shortest.law}) to {longest.period:.2f} s ({longest.law}). With the others the mass comes to slide: "
            f"{', '.join(sliding)}.\n\n"
            f"With {len(rated)} laws break-away falls by more than 1 % if the spring is pulled a hundred times faster; "
            "with the others it does not.\n\n"
            f"{len(creeping)} creep under a force that stays below the Coulomb friction: {', '.join(creeping)}.\n\n"
            f"25 s take {costs[0]:.2g} to {costs[-1]:.0f} ms by the adaptive solver. At a fixed step of 1 ms "
            f"{len(rows) - len(wrong)} of {len(rows)} are within 1 % of the way"
            + (f"; not {', '.join(wrong)}." if wrong else ".")
        ),
        picture=_plot_laws([row.law for row in rows]),
        tables=[titled_table("Every cell is a run", HEADS, [_cells(row) for row in rows])],
        headline=(
            f"{len(rows)} laws on one rig: break-away from {min(r.break_away for r in rows):.2f} to "
            f"{max(r.break_away for r in rows):.2f} N, periods from {shortest.period:.1f} to {longest.period:.1f} s; "
            f"{len(creeping)} of them creep under a small force."
        ),
        alt=(
            f"Friction over 25 s for {len(rows)} laws, one panel each, over that of LuGre's law: saw teeth that rise "
            "to break-away and fall within a slip, with other periods and peaks."
        ),
    )


HEADS = (
    "law",
    "break-away / N",
    "at 0.01 m/s",
    "at 1 m/s",
    "period / s",
    "presliding at 0.5 N / µm",
    "creep / (µm/s)",
    "nonlocal memory",
    "steps",
    "ms",
    "1 ms fixed: error",
)


def _cells(row: LawRow) -> list[str | float]:
    memory = {True: "yes", False: "", None: "?"}[row.memory]
    period = f"{row.period:.3f}" if isfinite(row.period) else "none"
    friction = [f"{value:.4f}" for value in (row.break_away, row.slow, row.fast)]
    places = [_micro(row.presliding), _micro(row.drift)]
    cost = [str(row.steps), f"{row.milliseconds:.3g}", f"{100 * row.fixed:.2g} %"]
    return [row.law, *friction, period, *places, memory, *cost]


def _micro(value: float) -> str:
    """In millionths; nothing if it is rounding."""
    return f"{1e6 * value:.3g}" if abs(value) > 1e-12 else "0"


@styled
def _plot_laws(names: list[str]) -> Picture:
    columns = 4 if len(names) <= 8 else 6
    lines = -(-len(names) // columns)
    picture = Picture(1.9 * columns, 1.25 * lines)
    grid = picture.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
    reference = sb.simulate(_rig(lugre()))
    for axes, name in zip(grid.flat, names, strict=False):
        result = sb.simulate(_rig(sb.laws.get(name)().adopt(lugre())))
        axes.plot(reference.time, reference["friction.f"], color=INK, alpha=0.25, linewidth=2)
        axes.plot(result.time, result["friction.f"], color=COLORS[0], linewidth=1)
        axes.set(title=name, ylim=(0, 1.7), xlim=(0, 25))
        axes.title.set_fontsize(8)
    for axes in grid.flat[len(names) :]:
        axes.set_visible(False)
    for axes in grid[-1]:
        axes.set_xlabel(label("s", "time"))
    grid[lines // 2][0].set_ylabel(label("N", "friction"))
    return picture.finish("Friction on the shared rig; grey: LuGre", None)
