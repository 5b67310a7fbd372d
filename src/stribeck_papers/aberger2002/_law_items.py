"""Section 1.1 and Table 1: the equations of the bristles, and what their parameters say."""

from __future__ import annotations

from typing import Literal

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, Picture, label, legend_above, styled

from ..paper import Finding, titled_table
from ..rules import EXACT, MAGNITUDE, MUCH
from ..scorecard import judged, number, statement
from ._paper import PAPER
from .bearing import BEARING, largest, lugre, rig, running_start, steady_sliding, stick_slip
from .dassl import Z_N

LIMIT = BEARING["tau_c"] * BEARING["tau_v"] / (BEARING["tau_s"] - BEARING["tau_c"])
"""The right-hand side of (6)."""


def loss(w: np.ndarray, z: np.ndarray, sigma1: float) -> np.ndarray:
    """Power (W) that bristles of Table 1 lose for good: torque times speed less the gain of energy sigma0 z^2/2."""
    p = BEARING
    curve = p["tau_c"] + (p["tau_s"] - p["tau_c"]) * np.exp(-((w / p["w_s"]) ** 2))
    rate = w - p["sigma0"] * np.abs(w) * z / curve
    power: np.ndarray = (sigma1 * rate + p["tau_v"] * w) * w + p["sigma0"] * z * (w - rate)
    return power


def least_loss(sigma1: float) -> float:
    """The smallest loss (W) over all deflections that bristles can have, and speeds up to 1e5 rad/s."""
    reach = BEARING["tau_s"] / BEARING["sigma0"]
    w, z = np.meshgrid(np.geomspace(1e-6, 1e5, 1101), np.linspace(-reach, reach, 201))
    return float(loss(w, z, sigma1).min())


def steady_torque(w: np.ndarray) -> np.ndarray:
    """Equation (8) with the parameters of Table 1 (N.m)."""
    p = BEARING
    curve = p["tau_c"] + (p["tau_s"] - p["tau_c"]) * np.exp(-((w / p["w_s"]) ** 2))
    torque: np.ndarray = curve * np.sign(w) + p["tau_v"] * w
    return torque


@PAPER.item(
    "Equation 6",
    "When bristles are passive",
    shows="an inequality that is said to be necessary and sufficient for bristles with constant damping to be "
    "dissipative, sigma1 <= tau_C tau_v/(tau_S - tau_C); the data of Table 1 do not satisfy it",
    equations=("(1)", "(2)", "(3)", "(5)", "(6)"),
)
def equation_6(quick: bool) -> Finding:
    """The bound, the sign of the loss on either side of it, and the loss in the stick-slip run."""
    run = stick_slip(tolerance=1e-9, intervals=25_000 if quick else 250_000)
    least = float(loss(np.asarray(run["mass.w"]), np.asarray(run["friction.z"]), BEARING["sigma1"]).min())
    below, above, table = (least_loss(sigma1) for sigma1 in (0.99 * LIMIT, 1.01 * LIMIT, BEARING["sigma1"]))
    return Finding(
        text=(
            f"The bound is {LIMIT:g} N.m.s/rad, {BEARING['sigma1'] / LIMIT:.0f} times less than the damping of Table "
            "1. Over all deflections and speeds the loss of the bristles changes its sign at the bound. The run of "
            f"stick-slip keeps away from where it is negative (its least loss is {least:.1e} W): for that a shaft "
            "would have to be jerked to a high speed while the bristles are still bent, so here the violation has no "
            "consequence."
        ),
        claims=[
            statement(
                "the damping of Table 1 violates the inequality",
                BEARING["sigma1"] > LIMIT and table < 0,
                f"{BEARING['sigma1']:g} > {LIMIT:g} N·m·s/rad",
                note="though the stick-slip run itself never has a negative loss",
                otherwise="refuted",
                where="Section 1.2, (6)",
            ),
            statement(
                "bristles are dissipative if and only if the inequality holds",
                below >= 0 > above,
                f"least loss {below:.2g} W at 0.99 of the bound, {above:.3g} W at 1.01 of it",
                note="with the energy sigma0 z²/2 of the bristles, over all their deflections and speeds to 1e5 rad/s",
                otherwise="refuted",
                where="Section 1.1, (6)",
            ),
        ],
        picture=_plot_loss(run),
        alt=(
            "Deflection of the bristles over speed: at high speeds, above about 1.05 times the steady deflection, the "
            "bristles give back more than they had stored; one slip of the stick-slip run passes below that region."
        ),
    )


@styled
def _plot_loss(run: sb.Result) -> Picture:
    """Where bristles give back more than they had stored, and where the run goes."""
    picture = Picture(8, 3.4)
    axes = picture.subplots()
    speeds, bent = np.geomspace(1e-5, 1.0, 401), np.linspace(0, 1.5, 301)
    w, z = np.meshgrid(speeds, bent)
    axes.contourf(w, z, loss(w, z * Z_N, BEARING["sigma1"]), levels=[-np.inf, 0], colors=[COLORS[1]], alpha=0.3)
    axes.text(0.12, 1.38, "gives back more than it had stored", color=COLORS[1], ha="center", va="center")
    speed = np.asarray(run["mass.w"])
    forward = (speed > speeds[0]) & (run.time > 7) & (run.time < 10.4)
    axes.plot(
        np.where(forward, speed, np.nan),
        np.where(forward, np.asarray(run["friction.z"]) / Z_N, np.nan),
        color=COLORS[0],
        label="one slip of the stick-slip run",
    )
    axes.set(xscale="log", xlim=(speeds[0], speeds[-1]), ylim=(0, 1.5), xlabel=label("rad/s"))
    axes.set_ylabel("deflection / 1e-5 rad")
    legend_above(axes)
    return picture.finish("Bristles of Table 1: the sign of their loss", None)


@PAPER.item(
    "Equation 8",
    "Steady sliding",
    shows="the friction torque of steady sliding: the Stribeck curve plus viscous friction, with the deflection (7)",
    equations=("(7)", "(8)"),
)
def equation_8(quick: bool) -> Finding:
    """Friction of a bearing at constant speeds, compared with the formula."""
    sides = np.geomspace(1e-4, 1.0, 9 if quick else 33)
    speeds = np.concatenate([-sides[::-1], sides])
    seen = np.array([steady_sliding(w) for w in speeds])
    off = float(np.abs(seen - steady_torque(speeds)).max())
    return Finding(
        text=f"At {speeds.size} speeds between -1 and 1 rad/s the torque comes within {off:.1e} N.m of the formula.",
        claims=[
            judged(
                "steady friction is (tau_C + (tau_S - tau_C) exp(-(w/w_s)²)) sgn w + tau_v w",
                EXACT,
                off / BEARING["tau_s"],
                f"largest difference {off:.1e} N·m at {speeds.size} speeds",
                otherwise="refuted",
                where="Section 1.1, (8)",
            )
        ],
        picture=_plot_steady(sides, seen[sides.size :]),
        alt=f"Friction torque over speed by (8) and from {sides.size} runs: from 1.5 N·m down to 1 and up to 1.4 N·m.",
    )


@styled
def _plot_steady(speeds: np.ndarray, seen: np.ndarray) -> Picture:
    picture = Picture(8, 3.2)
    axes = picture.subplots()
    fine = np.geomspace(speeds[0], speeds[-1], 400)
    axes.plot(fine, steady_torque(fine), label="equation (8)")
    axes.plot(speeds, seen, "o", color=COLORS[1], markersize=3.5, label="run at constant speed")
    axes.set(xscale="log", xlabel=label("rad/s"), ylabel=label("N.m", "friction torque"))
    legend_above(axes)
    return picture.finish("Steady friction of Table 1", None)


def damping_ratio(sigma1: float) -> float:
    """Of the mass on its bristles at rest, from the linearised rig."""
    model = rig(lugre(sigma1=sigma1)).linearize(at=0)
    first, second = sorted(np.linalg.eigvals(model.A), key=abs)[-2:]
    return float((-(first + second) / (2 * np.sqrt(first * second + 0j))).real)


def steps_of(law: sb.LuGre, solver: str) -> int:
    """Steps of 25 s of stick-slip at a tolerance of 1e-6."""
    return stick_slip(law, solver=solver, tolerance=1e-6, intervals=250).statistics.steps


@PAPER.item(
    "Section 1.1",
    "Bristles at the start, their scale, and what they cost",
    shows="advice: let bristles start with the deflection of steady sliding if the shaft turns, or friction has a peak "
    "that is not physical; measure the deflection in units of 1/sigma0; take sigma0 between 1e3 and 1e5 and sigma1 = "
    "2 sqrt(sigma0 J), for these two decide how stiff the equation and how long its integration is",
    equations=("(1)", "(10)"),
)
def section_1_1(quick: bool) -> Finding:
    """Starts with and without deflection; the size of z; steps over stiffness and damping."""
    peaks = {"zero": largest(running_start("zero")), "steady": largest(running_start("steady"))}
    deflection = float(stick_slip().extremes["friction.z"]["max"])
    stiffnesses = [1e3, 1e4, 1e5]
    dampings = [BEARING["sigma1"] / 100, BEARING["sigma1"] / 10, BEARING["sigma1"]]
    laws = {f"sigma0 = {s:g}, sigma1 = 2 sqrt(sigma0 J)": lugre(sigma0=s, sigma1=2 * s**0.5) for s in stiffnesses}
    laws |= {f"sigma0 = 1e5, sigma1 = {s:.4g}": lugre(sigma1=s) for s in dampings}
    steps = {name: [steps_of(law, "rodas5p"), steps_of(law, "dopri5")] for name, law in laws.items()}
    stiff, explicit = zip(*steps.values(), strict=True)
    rise, fall = explicit[2] / explicit[0], stiff[3] / stiff[5]
    return Finding(
        text=(
            f"A brake that closes at 0.3 rad/s onto bristles without deflection begins with {peaks['zero']:.4g} N.m, "
            f"sigma1 w; with the deflection of steady sliding the largest torque is {peaks['steady']:.4g} N.m. How "
            f"heavily the cost depends on the bristles is a matter of the integrator: from sigma0 = 1e3 to 1e5 an "
            f"explicit one takes {rise:.0f} times as many steps, ours for stiff equations {stiff[2] / stiff[0]:.1f} "
            f"times as many. Weakly damped bristles swing, and cost it {fall:.1f} times the steps. The rule for "
            f"sigma1 means critical damping: the damping ratio is {damping_ratio(2 * BEARING['sigma0'] ** 0.5):.4f}."
        ),
        claims=[
            judged(
                "z(0) with dz/dt = 0 avoids a peak of the friction torque at the start",
                MUCH,
                peaks["zero"] / peaks["steady"],
                f"{peaks['zero']:.4g} N·m without, {peaks['steady']:.4g} N·m with it",
                otherwise="refuted",
            ),
            judged(
                "z_N = 1/sigma0 is a reasonable scale: the largest deflection is of the order of it",
                MAGNITUDE,
                deflection / Z_N,
                f"{deflection / Z_N:.3f} of it",
                printed="(10)",
                otherwise="refuted",
                where="Section 1.1, (10)",
            ),
            judged(
                "the time of integration depends heavily on sigma0 and sigma1",
                MUCH,
                min(rise, fall),
                f"explicit: {rise:.0f} times the steps at 100 times the stiffness; stiff: {fall:.1f} times the steps "
                "at 1/100 of the damping",
                note="of an integrator for stiff equations the stiffness asks little",
                because="not with these integrators",
            ),
        ],
        picture=_plot_start(),
        alt=(
            f"Friction torque in the first 300 µs after a brake has closed: it begins with {peaks['zero']:.0f} N·m on "
            f"straight bristles and with {peaks['steady']:.2f} N·m on bent ones."
        ),
        tables=[
            titled_table(
                "Steps of 25 s of stick-slip at a tolerance of 1e-6",
                ["bristles", "Rodas5P (stiff)", "Dormand-Prince (explicit)"],
                [[name, *counts] for name, counts in steps.items()],
            )
        ],
    )


@styled
def _plot_start() -> Picture:
    picture = Picture(8, 3.0)
    axes = picture.subplots()
    names: dict[Literal["zero", "steady"], str] = {"zero": "no deflection", "steady": "deflection of steady sliding"}
    for (kind, text), color in zip(names.items(), (COLORS[1], COLORS[0]), strict=True):
        run = running_start(kind, times=np.linspace(0, 3e-4, 601))
        axes.plot(1e6 * run.time[1:], run["friction.tau"][1:], color=color, label=text)
    axes.set(xlabel="time / µs", ylabel=label("N.m", "friction torque"), xlim=(0, 300), ylim=(0, 100))
    legend_above(axes)
    return picture.finish("A brake closes onto a shaft that turns with 0.3 rad/s", None)


@PAPER.item(
    "Table 1",
    "Parameters of the bearing",
    shows="the parameters of the friction model; the listing of the appendix repeats them",
)
def table_1(quick: bool) -> Finding:
    """Where sigma1 comes from, and what the other value of the listing changes."""
    root = (BEARING["sigma0"] * 1.0) ** 0.5
    table, listing = (
        float(np.diff(stick_slip(lugre(sigma1=s), tolerance=1e-11).crossings("mass.w", 0.1, +1)).mean())
        for s in (316.23, 316.22)
    )
    return Finding(
        text=(
            "The damping of Table 1 is sqrt(sigma0 J), half of what the rule in Section 1.1 gives, so that the mass "
            f"swings on its bristles with a damping ratio of {damping_ratio(BEARING['sigma1']):.2f}; the Stribeck "
            "speed is a tenth of the one recommended there. The two values of sigma1 that are printed change the "
            f"period of stick-slip by {abs(table - listing):.1e} s."
        ),
        claims=[
            number("sigma1 of Table 1, sqrt(sigma0 J)", "316.23", root, "N.m.s/rad", digits=7, basis="arithmetic"),
            number(
                "sigma1 of the listings",
                "316.22",
                root,
                "N.m.s/rad",
                digits=7,
                otherwise="misprint",
                because=f"sqrt(1e5) cut off instead of rounded; it changes the period by {abs(table - listing):.0e} s",
                basis="arithmetic",
                where="Appendix",
                corrected="316.23, as in Table 1",
            ),
        ],
        tables=[
            titled_table(
                "Parameters",
                ["", "Table 1", "Section 1.1 recommends"],
                [
                    ["sigma0 / (N·m/rad)", BEARING["sigma0"], "1e3 to 1e5"],
                    ["sigma1 / (N·m·s/rad)", BEARING["sigma1"], f"2 sqrt(sigma0 J) = {2 * root:.2f}"],
                    ["tau_v / (N·m·s/rad)", BEARING["tau_v"], "as the application asks"],
                    ["tau_C / (N·m)", BEARING["tau_c"], "as the application asks"],
                    ["tau_S / (N·m)", BEARING["tau_s"], "as the application asks"],
                    ["w_s / (rad/s)", BEARING["w_s"], 0.01],
                ],
            )
        ],
    )
