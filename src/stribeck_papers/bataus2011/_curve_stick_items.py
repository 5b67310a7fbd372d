"""Clutch models that stick: Sections 2.3 to 2.5 with Table 1, Figures 3 and 5."""

from __future__ import annotations

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..rules import EXACT, SAME, VISIBLE
from ..scorecard import Claim, judged, number, statement
from ._curve_items import WINDOW, slips
from ._literal import two_subsystems
from ._paper import PAPER
from ._pictures import plot_curves
from .powertrain import HOLDS, SLIDES, clutches, launch, powertrain, torque_curve

I1, I2, T1 = 0.2, 0.05, 60.0
"""Inertias on both sides of the clutch (kg.m2) and torque of the engine (N.m)."""
W_S = 5.0
"""Stribeck speed of the clutch models (rad/s)."""


@PAPER.item(
    "Table 1",
    "The classic model",
    shows="State equations of the slipping and of the locked clutch, the torque in both, and the conditions for going "
    "from one to the other; as two subsystems, of which one is enabled. With them the powertrain has 5 states.",
    equations=("Table 1, slip", "Table 1, stick"),
)
def table_1(quick: bool) -> Finding:
    """The printed equations on a launch and on a lock-up, both with damping."""
    b1, b2 = 0.07, 0.04
    slipping, locked = (_moment(time, b1, b2) for time in (0.8, 3.0))
    w1, a1, w2, a2, torque, shaft = slipping
    slip_error = max(abs(I1 * a1 - (T1 - b1 * w1 - torque)), abs(I2 * a2 - (torque - b2 * w2 - shaft)))
    w, a, _, _, torque, shaft = locked
    damping = (I2 * b1 - I1 * b2) * w
    printed, right = ((I2 * T1 + sign * I1 * shaft - damping) / (I1 + I2) for sign in (-1, 1))
    slowed, free = (T1 - shaft) / (I1 + I2 + b1 + b2), (T1 - (b1 + b2) * w - shaft) / (I1 + I2)
    rows = [
        ["locked torque, N·m", f"{torque:.4f}", f"{printed:.4f}", f"{right:.4f}"],
        ["locked acceleration, rad/s²", f"{a:.4f}", f"{slowed:.4f}", f"{free:.4f}"],
    ]
    built = two_subsystems()
    (met,) = (event.time for event in launch("classic", tolerance=1e-11).events if event.to == "Stuck")
    return Finding(
        text=f"With b1 = {b1:g} and b2 = {b2:g} N·m·s/rad and T2 as the torque of the shaft. Slipping at 0.8 s, both "
        "equations are fulfilled to rounding. Locked at 3 s, two of the printed formulas contradict "
        "the equations of the slipping clutch, from which they follow; a run of the machine agrees with the corrected "
        f"ones. Built as two subsystems, the powertrain has the states {', '.join(built.states)} and locks at "
        f"{built.locks:.9f} s; here, where a stuck clutch shares its speed, it locks at {met:.9f} s.",
        claims=[
            judged(
                "equations of the slipping clutch",
                EXACT,
                slip_error / T1,
                f"fulfilled within {slip_error:.1g} N·m",
                printed="I1 dw1/dt = T1 - b1 w1 - T_c, I2 dw2/dt = T_c - b2 w2 - T2",
                otherwise="misprint",
                basis="put in",
            ),
            judged(
                "torque of the locked clutch, with - I1 T2",
                SAME,
                printed / torque - 1,
                f"{printed:.2f} N·m as printed, {torque:.2f} N·m in the run",
                printed="T_c = (I2 T1 - I1 T2 - (I2 b1 - I1 b2) w)/(I1 + I2)",
                otherwise="misprint",
                because=f"equal accelerations on both sides give + I1 T2, {right:.2f} N·m",
                corrected="T_c = (I2 T1 + I1 T2 - (I2 b1 - I1 b2) w)/(I1 + I2)",
            ),
            judged(
                "equation of the locked clutch, with (b1 + b2) times the acceleration",
                SAME,
                slowed / a - 1,
                f"{slowed:.2f} rad/s² as printed, {a:.2f} rad/s² in the run",
                printed="(I1 + I2) dw/dt = T1 - (b1 + b2) dw/dt - T2",
                otherwise="misprint",
                because=f"viscous torques are proportional to speed, which gives {free:.2f} rad/s²",
                corrected="(I1 + I2) dw/dt = T1 - (b1 + b2) w - T2",
            ),
            statement(
                "Table 2 describes the classic model",
                _DESCRIBES["the classic model"] == "Table 2",
                f"{_DESCRIBES['the classic model']} does; Table 2 has execution times",
                printed="Table 2, in the text",
                otherwise="misprint",
                because="the number of another table",
                corrected="Table 1",
                where="Section 2.3",
            ),
            statement(
                "equations have different numbers",
                len(set(_NUMBERS)) == len(_NUMBERS),
                f"({_NUMBERS[-1]}) is the hyperbolic tangent and the Stribeck curve",
                printed="(6) and (6)",
                otherwise="misprint",
                because="the number (6) is given twice",
                corrected="(7) for the Stribeck curve",
                where="Sections 2.2 and 2.5",
            ),
            number("states with the classic model", "5", len(built.states), where="Section 3", otherwise="refuted"),
            judged(
                "two subsystems, one of which is enabled, make the classic model",
                SAME,
                built.locks / met - 1,
                f"locks at {built.locks:.9f} s, {abs(built.locks - met):.1g} s from a run with multipliers",
                otherwise="refuted",
                where="Section 2.3",
                basis="reconstruction",
            ),
            *_transitions(),
        ],
        tables=[titled_table("Locked at 3 s", ["", "run", "as printed", "corrected"], rows)],
        headline=f"Two formulas of Table 1 are misprints: the locked torque has - I1 T2 for + I1 T2 ({printed:.0f} "
        f"instead of {torque:.0f} N·m), and viscous torques multiply the acceleration ({slowed:.0f} instead of {a:.0f} "
        "rad/s²).",
    )


_DESCRIBES = {"the classic model": "Table 1", "execution times": "Table 2"}
"""What the captions of the tables say."""
_NUMBERS = (1, 2, 3, 4, 5, 6, 6)
"""Numbers of the equations, in the order of the paper."""


def _moment(time: float, b1: float, b2: float) -> tuple[float, ...]:
    """Speed and acceleration of both sides, torque of the clutch and of the shaft, as the paper counts them."""
    result = launch("classic", b1=b1, b2=b2, times=[0.0, time], tolerance=1e-11)
    names = ("engine.w", "engine.a", "gearbox.w", "gearbox.a", "clutch.tau", "shaft.tau")
    signs = (1, 1, 1, 1, -1, -1)
    return tuple(sign * float(result[name][-1]) for sign, name in zip(signs, names, strict=True))


def _transitions() -> list[Claim]:
    """Speeds where the clutch locks, and its torque where it breaks away."""
    opened = launch("classic", command="lockup", tolerance=1e-11)
    lock = next(event.time for event in opened.events if event.to == "Stuck")
    go = next(event.time for event in opened.events if event.from_ == "Stuck")
    model = powertrain("classic", command="lockup")
    ends = sb.simulate(model, times=[0.0, lock - 1e-9, lock + 1e-9, go - 1e-9], tolerance=1e-11)
    slip, torque = float(ends["clutch.w_rel"][1]), abs(float(ends["clutch.tau"][3]))
    held, limit = abs(float(ends["clutch.tau"][2])), HOLDS * np.asarray(ends["clutch.f_normalized"])
    return [
        statement(
            "it locks where the speeds are equal and the torque is below the static one",
            abs(slip) < 1e-5 and held <= limit[2],
            f"slip {abs(slip):.1g} rad/s 1 ns before; holds {held:.1f} of {limit[2]:.1f} N·m",
            printed="w1 = w2 and |T_c| <= T_fs",
            otherwise="refuted",
            basis="put in",
        ),
        judged(
            "it slips again where the torque exceeds the static one",
            SAME,
            torque / limit[3] - 1,
            f"{torque:.4f} N·m, the command allowing {limit[3]:.4f} N·m",
            printed="|T_c| > T_fs",
            otherwise="refuted",
            basis="put in",
        ),
    ]


@PAPER.item(
    "Figure 3",
    "Classic switch and Karnopp's window",
    shows="Torque over slip of the classic model without and with stick-slip, and of Karnopp's model, which sticks "
    "within a window of slip. The window may be coarse and still gives stick-slip; it does not agree with real "
    "friction.",
    basis="reconstruction",
)
def figure_3(quick: bool) -> Finding:
    """Curves, and stick-slip with windows of different widths."""
    slip = slips(quick)
    names = ("classic, no stick-slip", "classic", "Karnopp")
    curves = {name: torque_curve(name, slip) for name in names}
    windows = [1e-4, 1e-2, 0.05, 0.1] if quick else [1e-4, 1e-3, 1e-2, 0.03, 0.05, 0.07, 0.1]
    cycles = {dw: _stick_slip(dw) for dw in windows}
    classic = _stick_slip(None)
    good = [dw for dw, (period, *_) in cycles.items() if np.isfinite(period)]
    crept = cycles[1e-2][2]
    rows = [[f"{dw:g}", _or_none(period), f"{top:.4f}", f"{rest:.2g}"] for dw, (period, top, rest) in cycles.items()]
    rows.insert(0, ["classic", _or_none(classic[0]), f"{classic[1]:.4f}", f"{classic[2]:.2g}"])
    return Finding(
        text="On the stick-slip machine of this package Karnopp's window keeps stick-slip up to "
        f"{max(good):g} rad/s, {100 * max(good) / 0.1:.0f} % of the pull of 0.1 rad/s or "
        f"{100 * max(good) / classic[1]:.0f} % of the largest speed, but the period grows from {classic[0]:.2f} to "
        f"{cycles[max(good)][0]:.2f} s. While it sticks the slip stays what it was when the window was entered, so the "
        "contact creeps.",
        claims=[
            statement(
                "the classic model with a larger static friction gives stick-slip",
                bool(np.isfinite(classic[0])),
                f"cycles of {classic[0]:.3f} s",
                otherwise="refuted",
                where="Section 2.3",
            ),
            judged(
                "Karnopp's window can be coarse and still gives stick-slip",
                VISIBLE,
                max(good) / classic[1],
                f"up to {max(good):g} rad/s, {100 * max(good) / classic[1]:.0f} % of the largest speed",
                note="the period grows with the window",
                otherwise="refuted",
                where="Section 2.4",
            ),
            judged(
                "within the window the slip may be different from zero, unlike real friction",
                VISIBLE,
                crept / 1e-2,
                f"{crept:.2g} rad/s while it sticks with a window of 0.01 rad/s, classic {classic[2]:.1g} rad/s",
                otherwise="refuted",
                note="on an axis as wide as the window; by construction",
                basis="put in",
                where="Section 2.4",
            ),
        ],
        picture=plot_curves(
            slip, curves, ("a) classic", "b) classic with stick-slip", "c) Karnopp"), HOLDS, {"Karnopp": WINDOW}
        ),
        alt=f"Three panels of torque over slip: classic, {SLIDES:g} N·m; with {HOLDS:g} N·m at rest; Karnopp, which "
        f"holds up to {HOLDS:g} N·m within {WINDOW:g} rad/s.",
        tables=[
            titled_table(
                "Stick-slip with a window", ["window / (rad/s)", "period / s", "top speed", "slip while stuck"], rows
            )
        ],
    )


def _stick_slip(dw: float | None) -> tuple[float, float, float]:
    """Period (s; nan without a steady oscillation), largest speed, and largest slip while stuck (rad/s)."""
    model = sb.load_model("stick-slip-switch")
    if dw is not None:
        window = sb.Karnopp(mu_c=1.0, mu_s=1.5, mu_v=0.4, w_s=1e-9, dw=dw)
        sb.set_parameter(model, "friction.law", window)
    result = sb.simulate(model, t_end=40.0, intervals=4000)
    speed, stuck = np.asarray(result["mass.w"]), np.asarray(result["friction.mode"]) == 0
    return (
        sb.analysis.Oscillation.of(result, "mass.w").period,
        float(speed.max()),
        float(np.abs(speed[stuck][1:]).max()),
    )


def _or_none(period: float) -> str:
    return f"{period:.4f}" if np.isfinite(period) else "none"


@PAPER.item(
    "Figure 5",
    "Stribeck effect and positive slope",
    shows="(6): friction that falls from static to dynamic friction with slip, for wet clutches; with the same "
    "equation friction that rises with slip.",
    equations=("(6')",),
)
def figure_5(quick: bool) -> Finding:
    """Both curves, and what their slopes do to a swing of the shaft."""
    slip = slips(quick, 20.0)
    falling, rising = clutches()["classic, Stribeck"], sb.Stribeck(mu_c=0.25, mu_s=0.2, w_s=W_S)
    curves = {"Stribeck": torque_curve(falling, slip), "positive slope": torque_curve(rising, slip)}
    forward = slip > 0
    formula = SLIDES + (HOLDS - SLIDES) * np.exp(-((slip[forward] / W_S) ** 2))
    off = float(np.abs(curves["Stribeck"][forward] - formula).max())
    falls, rises = np.diff(curves["Stribeck"][forward]), np.diff(curves["positive slope"][forward])
    growth = {name: _growth(mu_s) for name, mu_s in (("falling", 0.3), ("rising", 0.2))}
    return Finding(
        text=f"The curve of the clutch with the Stribeck effect is (6) with the exponent 2, within {off:.1g} N·m. With "
        "T_fs below T_fd the same equation rises with slip. The sign of the slope decides about judder: linearised "
        f"while the clutch slips, the swing of the shaft grows with {growth['falling']:.2g} 1/s for a curve that falls "
        f"over 100 rad/s, and decays with {-growth['rising']:.2g} 1/s for one that rises.",
        claims=[
            statement(
                "friction falls with slip at low slip",
                bool((falls <= 1e-9).all() and falls.min() < -1),
                f"from {curves['Stribeck'][forward][0]:.0f} to {curves['Stribeck'][-1]:.0f} N·m",
                otherwise="refuted",
                basis="put in",
                where="Section 2.5, (6')",
            ),
            statement(
                "(6) gives positive slopes, too",
                bool((rises >= -1e-9).all() and rises.max() > 1),
                f"from {curves['positive slope'][forward][0]:.0f} to {curves['positive slope'][-1]:.0f} N·m with T_fs "
                "= 200 N·m",
                otherwise="refuted",
                basis="put in",
                where="Section 2.5, (6')",
            ),
            statement(
                "in a control loop a clutch model must have the Stribeck effect and positive slopes",
                growth["falling"] > 0 > growth["rising"],
                f"the swing of the shaft grows with {growth['falling']:.2g} 1/s on the one and decays with "
                f"{-growth['rising']:.2g} 1/s on the other",
                otherwise="refuted",
                note="the sign of the slope decides on judder",
                basis="reconstruction",
                where="Section 2",
            ),
        ],
        picture=plot_curves(slip, curves, ("a) Stribeck effect", "b) positive slope")),
        alt=f"Two panels of torque over slip: falling from {HOLDS:g} to {SLIDES:g} N·m, and rising from 200 to "
        f"{SLIDES:g} N·m.",
    )


def _growth(mu_s: float) -> float:
    """Real part (1/s) of the swing of the shaft while the clutch slips, at 0.6 s."""
    modes = sb.analysis.linearize(powertrain(sb.Stribeck(mu_c=0.25, mu_s=mu_s, w_s=100.0)), at=0.6).modes()
    return next(mode.eigenvalue.real for mode in modes if mode.frequency > 1)
