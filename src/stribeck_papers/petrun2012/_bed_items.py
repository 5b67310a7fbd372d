"""Section 4 on a virtual test bed, (1), and the schemes: Figures 1 to 4."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, label, legend_above, styled

from ..paper import Finding, titled_table
from ..rules import ABOUT, EXACT
from ..scorecard import judged, statement
from ._paper import PAPER
from .belt import CURVE, belt, modified_law
from .bristle import rubbing
from .clutch import RADIUS, Lining, TestBed

# --- (1) and Figure 1 ------------------------------------------------------------------------------------------------


@PAPER.item(
    "Equation 1",
    "Coulomb friction",
    shows="the simplest model: normal force times a coefficient that is constant over speed, force and direction",
    basis="put in",
    equations=("(1)",),
)
def equation_1(quick: bool) -> Finding:
    """Sliding at several speeds under several forces, in both directions."""
    cases = [(v, force) for v in (-2.0, 0.01, 1.0) for force in (1.0, 5.0)]
    friction = [float(rubbing(sb.Coulomb(mu_c=0.3), v, force=force)["friction.f"][-1]) for v, force in cases]
    off = max(abs(abs(f) / (0.3 * force) - 1) for f, (_, force) in zip(friction, cases, strict=True))
    return Finding(
        text=f"At {len(cases)} pairs of speed and normal force friction is mu F_n within {off:.1g} of it.",
        claims=[
            judged(
                "friction is normal force times coefficient, whatever speed, force and direction are",
                EXACT,
                off,
                f"within {off:.1g} at {len(cases)} pairs of speed and force",
                otherwise="refuted",
                where="Section 1, (1)",
            )
        ],
    )


@PAPER.item(
    "Figure 1",
    "The contact as two brushes",
    shows="two surfaces with bristles that interact: relative speed, tangential load",
)
def figure_1(quick: bool) -> Finding:
    """The scheme, with the mean deflection of a run."""
    z = float(rubbing(modified_law(), 1.0)["friction.z"][-1])
    return Finding(
        text=f"Bristles of both sides bend until they slide over each other. The state of the model is their mean "
        f"deflection z: {1e6 * z:.0f} µm in steady sliding at 1 m/s with our parameters.",
        picture=plot_brushes(),
        alt="Drawing of two surfaces with bent bristles between them; the upper one is pulled by F and moves with v_r, "
        "bristles are bent by z.",
    )


@styled
def plot_brushes() -> Picture:
    """Two brushes, the upper one moving to the right."""
    picture = Picture(6.2, 2.6)
    axes = picture.subplots()
    for low, high in ((-0.35, 0.0), (1.0, 1.35)):
        axes.fill([0, 6, 6, 0], [low, low, high, high], facecolor="#e8edf4", edgecolor=INK, linewidth=1.0)
    share = np.linspace(0, 1, 20)
    for foot in np.arange(0.4, 5.6, 0.5):
        axes.plot(foot + 0.3 * share**2, 0.5 * share, color=COLORS[0], linewidth=1.6)
        axes.plot(foot + 0.55 - 0.3 * share**2, 1.0 - 0.5 * share, color=COLORS[1], linewidth=1.6)
    look: Any = {"arrowstyle": "-|>", "color": INK, "lw": 1.4}
    axes.annotate("", (7.2, 1.17), (6.05, 1.17), arrowprops=look)
    axes.text(7.25, 1.17, "$F, v_r$", va="center")
    axes.annotate("", (0.72, 0.62), (0.4, 0.62), arrowprops={**look, "arrowstyle": "<|-|>", "lw": 0.8})
    axes.text(0.46, 0.68, "$z$")
    axes.set(xlim=(-0.1, 8), ylim=(-0.5, 1.6), aspect="equal")
    axes.axis("off")
    return picture.finish("Bristles between two surfaces", None)


# --- Figures 2 to 4 --------------------------------------------------------------------------------------------------


@PAPER.item(
    "Figure 2",
    "The test bed",
    shows="two shafts, each with a motor and a torque sensor at one end and a disc at the other; the discs are pressed "
    "together by a hydraulic bearing",
)
def figure_2(quick: bool) -> Finding:
    """Drawn from the model with rigid shafts."""
    return Finding(
        text="Drawn from our model: motor with its controller, both sides, the clutch between the discs, and the load "
        "on the brake side.",
        picture=TestBed().model(flexible=False).draw(),
        alt="Drawing of the test bed: engine side with its motor, clutch, brake side with its load.",
    )


@PAPER.item(
    "Section 4",
    "Friction identified on a virtual test bed",
    shows="the test bed leaves three unknowns, the friction coefficient, contact stiffness and contact damping; all "
    "others come from data sheets, and the three are obtained from measurements",
    basis="reconstruction",
)
def section_4(quick: bool) -> Finding:
    """The cycle with noise as a record, and the parameters of the lining fitted to it."""
    result, truth = identified(quick), _truth()
    off = {path: float(result.values[path] / value - 1) for path, value in truth.items()}
    of_curve = float(np.max([abs(off[path]) for path in truth if "sigma" not in path]))  # nan: not identifiable
    known = {path: bool(np.isfinite(result.values[path])) for path in truth}
    bristle = {path.split(".")[-1]: off[path] for path in truth if "sigma" in path}
    rows = [
        [path, f"{value:.4g}", f"{result.values[path]:.4g}", f"{result.errors[path]:.2g}"]
        for path, value in truth.items()
    ]
    return Finding(
        text=f"The virtual bed records speeds of both sides and the torque between them, {record(quick).time.size} "
        "samples with noise of 0.05 rad/s and 0.1 N·m. An output-error fit starts with coefficients that are 5 to 10 % "
        "off, and with twice the stiffness and damping of the contact. It finds the curve of the coefficient within "
        f"{100 * of_curve:.1f} %; the bristle acts during the few milliseconds in which the discs lock or part, and "
        "while the load changes: "
        + ", ".join(f"{name} {_word(part)}" for name, part in bristle.items())
        + ". From starts that are 10 or 20 % off in all coefficients the fit ends in local minima.",
        claims=[
            judged(
                "the friction coefficient over speed can be obtained from measurements on the test bed",
                ABOUT,
                of_curve,
                f"mu_c, mu_s and v_s within {100 * of_curve:.2g} % of the truth",
                otherwise="not determined",
                because="the record does not determine the curve",
            ),
            statement(
                "so can contact stiffness and damping",
                all(known.values()) and all(ABOUT.holds(part) for part in bristle.values()),
                ", ".join(f"{name} {_word(part)}" for name, part in bristle.items()),
                otherwise="not determined",
                because="with these sensors a record of one cycle does not determine them to 10 %",
                note="from a start that is 5 to 10 % off in the coefficients; from farther ones the fit ends in local "
                "minima, with a stiffness up to 100 times off",
            ),
        ],
        tables=[titled_table("Lining, per rad of slip", ["parameter", "truth", "found", "standard error"], rows)],
        picture=plot_record(quick),
        headline=f"On a virtual test bed one noisy cycle gives the curve of the friction coefficient within "
        f"{100 * of_curve:.1f} %; stiffness and damping of the contact: "
        + " and ".join(map(_word, bristle.values()))
        + ".",
        alt="Noisy speeds and torque of the virtual test bed over the cycle, with the fitted model on them.",
    )


def _word(part: float) -> str:
    """How far a parameter is off the truth, if the record determines it."""
    return f"{100 * part:+.1f} % off" if np.isfinite(part) else "not identifiable"


START = {"mu_c": 0.95, "mu_s": 1.05, "v_s": 0.9, "sigma0": 2.0, "sigma1": 2.0}
"""Factors by which the start of the fit is off: coefficients as from a data sheet, a guess of the bristle."""
SHOWN = {"engine.w": "engine", "brake.w": "brake", "clutch.tau": "torque"}
NOISE = {"engine": 0.05, "brake": 0.05, "torque": 0.1}


def _truth() -> dict[str, float]:
    values = Lining().at_radius()
    return {f"clutch.law.{name}": values[name] for name in START}


@cache
def record(quick: bool) -> sb.identify.Measurement:
    """What the sensors of the virtual test bed see of the cycle.

    >>> record(quick=True)["torque"].shape
    """
    end, h = 9.0, 6e-3 if quick else 3e-3
    times = h * np.arange(round(end / h))
    run = sb.simulate(TestBed().model(flexible=False), times=times, tolerance=1e-9)
    rng = np.random.default_rng(4)
    channels = {name: np.asarray(run[out]) + rng.normal(0, NOISE[name], times.size) for out, name in SHOWN.items()}
    units = {"engine": "rad/s", "brake": "rad/s", "torque": "N.m"}
    return sb.identify.Measurement(channels, sample_time=h, units=units)


@cache
def identified(quick: bool) -> Any:
    """The fit of the parameters of the lining, from a start that is off by START."""
    wrong = {path: value * START[path.split(".")[-1]] for path, value in _truth().items()}
    start = TestBed().model(flexible=False).varied(wrong)
    return sb.identify.fit(start, record(quick), list(wrong), outputs=SHOWN, tolerance=1e-6)


@styled
def plot_record(quick: bool) -> Picture:
    """The record in colour, the fitted model in ink."""
    picture = Picture(8.5, 4.2)
    speeds, torque = picture.subplots(2, 1, sharex=True)
    seen, found = record(quick), identified(quick)
    fitted = found.simulate(seen)
    time = np.asarray(seen.time)
    for output, color, text in (("engine.w", COLORS[0], "engine side"), ("brake.w", COLORS[1], "brake side")):
        speeds.plot(time, seen[SHOWN[output]], ".", color=color, markersize=2, label=text)
        speeds.plot(time, fitted[output].simulated, color=INK, linewidth=0.8)
    torque.plot(time, seen["torque"], ".", color=COLORS[2], markersize=2)
    torque.plot(time, fitted["clutch.tau"].simulated, color=INK, linewidth=0.8)
    speeds.set_ylabel(label("rad/s", "speed"))
    torque.set(xlabel=label("s", "time"), ylabel=label("N.m", "torque"), xlim=(0, float(time[-1])))
    legend_above(speeds)
    return picture.finish("A record of the virtual test bed, and the fitted model", None)


@PAPER.item(
    "Figure 3",
    "The multi-body model",
    shows="one flexible body for each side, the friction joint between them",
)
def figure_3(quick: bool) -> Finding:
    """Drawn from the model with flexible shafts."""
    return Finding(
        text="Drawn from our model with flexible shafts: rotor, shaft and disc on each side; the torque sensors are "
        f"those of the shafts. The friction radius is {1e3 * RADIUS:g} mm.",
        picture=TestBed().model().draw(),
        alt="Drawing of the multi-body model: rotor, flexible shaft and disc on each side of the clutch.",
    )


@PAPER.item(
    "Figure 4",
    "The stick/slip test",
    shows="a mass on a moving belt, held by a spring and a damper",
)
def figure_4(quick: bool) -> Finding:
    """Drawn from the model of the belt."""
    return Finding(
        text=f"Drawn from our model: 1 kg, 1 N/m, 0.1 N·s/m, a belt of 1 m/s. Friction is ours: from "
        f"{CURVE['mu_s']:g} to {CURVE['mu_c']:g} N.",
        picture=belt(modified_law()).draw(),
        alt="Drawing of a mass between a wall with spring and damper and a moving belt with friction.",
    )
