"""The clutch models for themselves: Sections 2.1 to 2.5 with Figures 1, 3, 5 and Table 1."""

from __future__ import annotations

import numpy as np

import stribeck as sb

from ...oscillation import Oscillation
from ..paper import Finding, Table
from ..scorecard import Claim, statement
from ._paper import PAPER
from ._pictures import plot_curves
from .powertrain import FORCE, HOLDS, RADIUS, SLIDES, clutches, launch, powertrain, torque_curve

W_0, W_S, WINDOW = 6.5, 5.0, 1.0
"""Transition, Stribeck speed and window of the clutch models (rad/s)."""
I1, I2, T1 = 0.2, 0.05, 60.0
"""Inertias beside the clutch (kg.m2) and torque of the engine (N.m)."""


def _grid(quick: bool, most: float = 12.0) -> np.ndarray:
    """Slips (rad/s) on both sides of 0, which they leave out."""
    half = np.sort([*np.geomspace(1e-3, most, 12 if quick else 60), 0.5 * W_0, WINDOW * (1 + 1e-9)])
    return np.concatenate([-half[::-1], half])


@PAPER.item(
    "Section 2",
    "Friction torques by command",
    shows="(1), (2): the dynamic and the static friction torque are the command, from 0 to 1, times their largest "
    "values.",
)
def section_2(quick: bool) -> Finding:
    """Sliding torque under a ramp of the command, and break-away under a ramp of torque."""
    model = sb.Model("pressed")
    model.add("drive", sb.Speed(w=10.0))
    pressed = sb.Ramp(1.0, duration=1.0)
    lining = {"law": clutches()["classic"], "fn_max": FORCE, "cgeo": RADIUS}
    model.add("clutch", sb.Brake("drive", f_normalized=pressed, **lining))
    sliding = sb.simulate(model, t_end=1.0, intervals=100)
    off = float(np.abs(np.asarray(sliding["clutch.tau"]) - SLIDES * sliding.time).max())
    commands = np.array([0.2, 0.5, 1.0])
    held = np.array([_break_away(command) for command in commands])
    worst = float(np.abs(held / (HOLDS * commands) - 1).max())
    return Finding(
        text=f"Sliding at 10 rad/s under a command that rises from 0 to 1, the torque is the command times {SLIDES:g} "
        f"N·m within {off:.1g} N·m. Pushed harder and harder, a clutch at rest breaks away at {_list(held)} N·m for "
        f"commands of {_list(commands)}.",
        claims=[
            statement("T_fd = com T_fmaxd", off < 1e-9, f"within {off:.1g} N·m", printed="(1)"),
            statement(
                "T_fs = com T_fmaxs",
                worst < 1e-6,
                f"break-away at {_list(held)} N·m for {_list(commands)}",
                printed="(2)",
            ),
        ],
    )


def _break_away(command: float) -> float:
    """Torque (N.m) at which a clutch at rest begins to slip, pressed by the command."""
    model = sb.Model("pushed")
    body = model.add("body", sb.Inertia(J=1.0))
    model.add("push", sb.Torque(body, tau=sb.Ramp(400.0, duration=1.0)))
    law = clutches()["classic"]
    model.add("clutch", sb.Brake(body, law=law, fn_max=FORCE, cgeo=RADIUS, f_normalized=command))
    slips = [event.time for event in sb.simulate(model, t_end=1.0).events if event.to == "Forward"]
    return 400.0 * slips[0]


def _list(values: np.ndarray) -> str:
    return ", ".join(f"{value:.4g}" for value in values)


@PAPER.item(
    "Figure 1",
    "Coulomb, Coulomb-viscous and tanh",
    shows="Torque over slip: a step (4); a line between -omega_0/2 and omega_0/2 (5); a hyperbolic tangent of the same "
    "slope (6). The combined models are called adequate for a clutch, viscous friction alone is not.",
)
def figure_1(quick: bool) -> Finding:
    """Curves (4) to (6), and a launch with viscous friction alone."""
    slip = _grid(quick)
    names = ("Coulomb", "Coulomb-viscous", "tanh")
    curves = {name: torque_curve(name, slip) for name in names}
    edge = float(torque_curve("Coulomb-viscous", [0.5 * W_0])[0])
    smooth = float(torque_curve("tanh", [0.5 * W_0])[0])
    at_rest = [float(torque_curve(name, [1e-4])[0] / 1e-4) for name in names[1:]]
    inside, outside = _slopes("Coulomb-viscous", 0.5 * W_0), _slopes("tanh", 0.5 * W_0)
    runs = {name: launch(name, intervals=400) for name in ("tanh", "Coulomb-viscous", "classic")}
    speed = {name: np.asarray(run["gearbox.w"]) for name, run in runs.items()}
    apart = float(np.abs(speed["tanh"] - speed["Coulomb-viscous"]).max())
    far = float(np.abs(speed["tanh"] - speed["classic"]).max())
    return Finding(
        text="(5) reaches the full torque at omega_0/2, so omega_0 is the width of the whole transition; the tangent "
        f"has {smooth:.1f} of {SLIDES:g} N·m there. Both have the slope 2 T_fd/omega_0 at rest ({at_rest[0]:.2f} and "
        f"{at_rest[1]:.2f} N·m·s/rad). In a launch they differ by {apart:.2f} rad/s, while both are off the classic "
        f"clutch by up to {far:.1f} rad/s.",
        claims=[
            statement(
                "omega_0 is the width of the transition in (5)",
                abs(edge - SLIDES) < 1e-6,
                f"{edge:.4g} N·m at omega_0/2",
                printed="(5)",
                note=f"the tangent has {100 * smooth / SLIDES:.0f} % there",
            ),
            statement(
                "the tangent is perfectly continuous, the combined model is not",
                abs(inside[0] - inside[1]) > 10 and abs(outside[0] - outside[1]) < 0.1,
                f"slopes on both sides of omega_0/2: {inside[0]:.3g} and {inside[1]:.3g}, tanh {outside[0]:.4g} and "
                f"{outside[1]:.4g} N·m·s/rad",
            ),
            statement(
                "the tangent behaves like the combined model",
                apart < 0.01 * float(np.ptp(speed["classic"])),
                f"launches apart by {apart:.2f} rad/s, from the classic clutch by {far:.1f} rad/s",
            ),
            _viscous(),
        ],
        picture=plot_curves(slip, curves, ("a) Coulomb", "b) Coulomb-viscous", "c) tanh")),
    )


def _slopes(clutch: str, slip: float) -> tuple[float, float]:
    """Of torque over slip (N.m.s/rad) below and above a slip."""
    below, at, above = torque_curve(clutch, [slip - 1e-3, slip, slip + 1e-3])
    return float((at - below) / 1e-3), float((above - at) / 1e-3)


def _viscous() -> Claim:
    """A clutch with viscous friction alone: the torque of sliding at the first slip of 100 rad/s."""
    viscous = launch(sb.CoulombViscous(mu_c=0.25, w_0=200.0), intervals=400)
    left = abs(float(viscous["clutch.w_rel"][-1]))
    locked = abs(float(launch("classic", intervals=400)["clutch.w_rel"][-1]))
    return statement(
        "viscous friction alone is no model of a clutch",
        left > 5 and locked < 1e-6,
        f"with {SLIDES:g} N·m at 100 rad/s the closed clutch still slips by {left:.1f} rad/s at 4 s",
    )


@PAPER.item(
    "Table 1",
    "The classic model",
    shows="State equations of the slipping and of the locked clutch, the torque in both, and the conditions for going "
    "from one to the other.",
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
    return Finding(
        text=f"With b1 = {b1:g} and b2 = {b2:g} N·m·s/rad and T2 as the torque of the shaft. Slipping at 0.8 s, both "
        "equations are fulfilled to rounding. Locked at 3 s, two of the printed formulas contradict "
        "the equations of the slipping clutch, from which they follow; a run of the machine agrees with the corrected "
        "ones.",
        claims=[
            statement(
                "equations of the slipping clutch",
                slip_error < 1e-9,
                f"fulfilled within {slip_error:.1g} N·m",
                printed="Table 1",
            ),
            statement(
                "torque of the locked clutch, with - I1 T2",
                abs(printed - torque) < 1e-6,
                f"{printed:.2f} N·m as printed, {torque:.2f} N·m in the run",
                printed="Table 1",
                because=f"a misprint: equal accelerations on both sides give + I1 T2, {right:.2f} N·m",
            ),
            statement(
                "equation of the locked clutch, with (b1 + b2) times the acceleration",
                abs(slowed - a) < 1e-6,
                f"{slowed:.2f} rad/s² as printed, {a:.2f} rad/s² in the run",
                printed="Table 1",
                because=f"a misprint: viscous torques go with speed, which gives {free:.2f} rad/s²",
            ),
            *_transitions(),
        ],
        tables=[Table("Locked at 3 s", ["", "run", "as printed", "corrected"], rows)],
    )


def _moment(time: float, b1: float, b2: float) -> tuple[float, ...]:
    """Speed and acceleration of both sides, torque of the clutch and of the shaft, as the paper counts them."""
    result = launch("classic", b1=b1, b2=b2, times=[0.0, time], tolerance=1e-11)
    names = ("engine.w", "engine.a", "gearbox.w", "gearbox.a", "clutch.tau", "shaft.tau")
    signs = (1, 1, 1, 1, -1, -1)
    return tuple(sign * float(result[name][-1]) for sign, name in zip(signs, names, strict=True))


def _transitions() -> list[Claim]:
    """Speeds where the clutch locks, and its torque where it lets go."""
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
            printed="Table 1",
        ),
        statement(
            "it slips again where the torque exceeds the static one",
            abs(torque / limit[3] - 1) < 1e-5,
            f"{torque:.4f} N·m, the command allowing {limit[3]:.4f} N·m",
            printed="Table 1",
        ),
    ]


@PAPER.item(
    "Figure 3",
    "Classic switch and Karnopp's window",
    shows="Torque over slip of the classic model without and with stick-slip, and of Karnopp's model, which sticks "
    "within a window of slip. The window may be coarse and still gives stick-slip; it does not agree with real "
    "friction.",
)
def figure_3(quick: bool) -> Finding:
    """Curves, and stick-slip with windows of different widths."""
    slip = _grid(quick)
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
            ),
            statement(
                "Karnopp's window can be coarse and still gives stick-slip",
                max(good) >= 0.01,
                f"up to {max(good):g} rad/s at a pull of 0.1 rad/s",
                note="the period grows with the window",
            ),
            statement(
                "within the window the slip may be different from zero, unlike real friction",
                crept > 1e-3,
                f"{crept:.2g} rad/s while it sticks with a window of 0.01 rad/s, classic {classic[2]:.1g} rad/s",
            ),
        ],
        picture=plot_curves(
            slip, curves, ("a) classic", "b) classic with stick-slip", "c) Karnopp"), HOLDS, {"Karnopp": WINDOW}
        ),
        tables=[
            Table("Stick-slip with a window", ["window / (rad/s)", "period / s", "top speed", "slip while stuck"], rows)
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
    return Oscillation.of(result, "mass.w").period, float(speed.max()), float(np.abs(speed[stuck][1:]).max())


def _or_none(period: float) -> str:
    return f"{period:.4f}" if np.isfinite(period) else "none"


@PAPER.item(
    "Figure 5",
    "Stribeck effect and positive slope",
    shows="(6): friction that falls from static to dynamic friction with slip, for wet clutches; with the same "
    "equation friction that rises with slip.",
)
def figure_5(quick: bool) -> Finding:
    """Both curves, and what their slopes do to a swing of the shaft."""
    slip = _grid(quick, 20.0)
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
            ),
            statement(
                "(6) gives positive slopes, too",
                bool((rises >= -1e-9).all() and rises.max() > 1),
                f"from {curves['positive slope'][forward][0]:.0f} to {curves['positive slope'][-1]:.0f} N·m with T_fs "
                "= 200 N·m",
            ),
        ],
        picture=plot_curves(slip, curves, ("a) Stribeck effect", "b) positive slope")),
    )


def _growth(mu_s: float) -> float:
    """Real part (1/s) of the swing of the shaft while the clutch slips, at 0.6 s."""
    modes = sb.linearize(powertrain(sb.Stribeck(mu_c=0.25, mu_s=mu_s, w_s=100.0)), at=0.6).modes()
    return next(mode.eigenvalue.real for mode in modes if mode.frequency > 1)
