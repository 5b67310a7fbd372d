"""Clutch models that never stick: Sections 2.1 and 2.2 with Figure 1."""

from __future__ import annotations

import numpy as np

import stribeck as sb

from ..paper import Finding
from ..rules import EXACT, SAME, VISIBLE
from ..scorecard import Claim, judged, share, statement
from ._ensemble import drawn, launches, off
from ._paper import PAPER
from ._pictures import plot_curves
from .powertrain import FORCE, HOLDS, RADIUS, SLIDES, clutches, launch, powertrain, torque_curve

W_0, WINDOW = 6.5, 1.0
"""Transition and window of the clutch models (rad/s)."""


def slips(quick: bool, most: float = 12.0) -> np.ndarray:
    """Slips (rad/s) on both sides of 0, which they leave out."""
    half = np.sort([*np.geomspace(1e-3, most, 12 if quick else 60), 0.5 * W_0, WINDOW * (1 + 1e-9)])
    return np.concatenate([-half[::-1], half])


@PAPER.item(
    "Section 2",
    "Friction torques by command",
    shows="(1), (2): the dynamic and the static friction torque are the command, from 0 to 1, times their largest "
    "values, which follow from friction radius, coefficient and number of surfaces. Heat has slow dynamics and is left "
    "out.",
    basis="put in",
    equations=("(1)", "(2)"),
)
def section_2(quick: bool) -> Finding:
    """Sliding torque under a ramp of the command, and break-away under a ramp of torque."""
    model = sb.Model("pressed")
    model.add("drive", sb.Speed(w=10.0))
    pressed = sb.Ramp(1.0, duration=1.0)
    lining = {"law": clutches()["classic"], "fn_max": FORCE, "cgeo": RADIUS}
    model.add("clutch", sb.Brake("drive", f_normalized=pressed, **lining))
    sliding = sb.simulate(model, t_end=1.0, intervals=100)
    error = float(np.abs(np.asarray(sliding["clutch.tau"]) - SLIDES * sliding.time).max())
    commands = np.array([0.2, 0.5, 1.0])
    held = np.array([_break_away(command) for command in commands])
    worst = float(np.abs(held / (HOLDS * commands) - 1).max())
    return Finding(
        text=f"Sliding at 10 rad/s under a command that rises from 0 to 1, the torque is the command times {SLIDES:g} "
        f"N·m within {error:.1g} N·m. Pushed harder and harder, a clutch at rest breaks away at {_list(held)} N·m for "
        f"commands of {_list(commands)}.",
        claims=[
            judged(
                "the dynamic friction torque is the command times its largest value",
                EXACT,
                error / SLIDES,
                f"within {error:.1g} N·m",
                printed="(1)",
                otherwise="refuted",
            ),
            judged(
                "the static friction torque is the command times its largest value",
                SAME,
                worst,
                f"break-away at {_list(held)} N·m for {_list(commands)}",
                printed="(2)",
                otherwise="refuted",
            ),
            _radius(),
            _heat(),
        ],
    )


def _radius() -> Claim:
    """The torque of a clutch disc from its ring, by integrating pressure over it, against the usual expression."""
    inner, outer, mu, surfaces = 0.075, 0.115, 0.3, 2
    error = 0.0
    for lining in ("new", "worn"):
        r = np.linspace(inner, outer, 20_001)
        pressure = np.ones_like(r) if lining == "new" else 1 / r
        force, torque = (2 * np.pi * np.trapezoid(pressure * r**n, r) for n in (1, 2))
        usual = sb.plates_cgeo(inner, outer, lining=lining)
        error = max(error, abs(float(surfaces * mu * torque / (mu * force * usual)) - 1))
    return judged(
        "the largest friction torque follows from friction radius, coefficient and number of surfaces",
        SAME,
        error,
        f"within {error:.1g} of pressure times radius, integrated over a ring of 150 to 230 mm, new and worn",
        otherwise="refuted",
    )


def _heat() -> Claim:
    """A launch with a lining that warms up and loses half of its friction over 300 K, against one without heat."""
    parts = powertrain("classic").to_dict()
    parts["elements"]["lining"] = {"type": "ThermalMass", "C": "0.8 kJ/K", "T0": "60 degC"}
    parts["elements"]["clutch"] |= {"heat": "lining", "T_fade": ["60 degC", "360 degC"], "fade": [1.0, 0.5]}
    warm, plain = sb.simulate(sb.Model.from_dict(parts), intervals=400), launch("classic", intervals=400)
    apart = float(np.abs(np.asarray(warm["gearbox.w"]) - np.asarray(plain["gearbox.w"])).max())
    rise = float(warm["lining.T"][-1] - warm["lining.T"][0])
    return judged(
        "thermal effects are slow and do not matter here",
        SAME,
        apart / float(np.ptp(plain["gearbox.w"])),
        f"the lining warms up by {rise:.1f} K in a launch, and the speed of the gearbox changes by {apart:.2f} rad/s",
        otherwise="refuted",
        note="a lining of 0.8 kJ/K that loses half of its friction over 300 K",
        basis="reconstruction",
        where="Section 2",
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
    equations=("(3)", "(4)", "(5)", "(6)"),
)
def figure_1(quick: bool) -> Finding:
    """Curves (4) to (6), and launches with the combined models and with viscous friction alone."""
    slip = slips(quick)
    names = ("Coulomb", "Coulomb-viscous", "tanh")
    curves = {name: torque_curve(name, slip) for name in names}
    edge = float(torque_curve("Coulomb-viscous", [0.5 * W_0])[0])
    smooth = float(torque_curve("tanh", [0.5 * W_0])[0])
    at_rest = [float(torque_curve(name, [1e-4])[0] / 1e-4) for name in names[1:]]
    inside, outside = _slopes("Coulomb-viscous", 0.5 * W_0), _slopes("tanh", 0.5 * W_0)
    apart = off(launches("tanh", quick).speed, launches("Coulomb-viscous", quick).speed)
    return Finding(
        text="(5) reaches the full torque at omega_0/2, so omega_0 is the width of the whole transition; the tangent "
        f"has {smooth:.1f} of {SLIDES:g} N·m there. Both have the slope 2 T_fd/omega_0 at rest ({at_rest[0]:.2f} and "
        f"{at_rest[1]:.2f} N·m·s/rad). In launches they differ by {100 * apart.max():.1f} % of the range at most.",
        claims=[
            judged(
                "omega_0 is the width of the transition in (5)",
                EXACT,
                edge / SLIDES - 1,
                f"{edge:.4g} N·m at omega_0/2",
                printed="(5)",
                note=f"the tangent has {100 * smooth / SLIDES:.0f} % there",
                otherwise="misprint",
                basis="put in",
                where="Section 2.2, (5)",
            ),
            statement(
                "the tangent is perfectly continuous, the combined model is not",
                VISIBLE.holds(abs(inside[0] - inside[1]) / inside[0])
                and not VISIBLE.holds(abs(outside[0] - outside[1]) / outside[0]),
                f"slopes on both sides of omega_0/2: {inside[0]:.3g} and {inside[1]:.3g}, tanh {outside[0]:.4g} and "
                f"{outside[1]:.4g} N·m·s/rad",
                otherwise="refuted",
                basis="put in",
                where="Section 2.2, (6)",
            ),
            share(
                "the tangent behaves like the combined model",
                [SAME.holds(part) for part in apart],
                drawn(quick),
                note=f"speeds of the gearbox within {100 * apart.max():.1f} % of the range",
                where="Section 2.2",
            ),
            _viscous(),
        ],
        picture=plot_curves(slip, curves, ("a) Coulomb", "b) Coulomb-viscous", "c) tanh")),
        alt=f"Three panels of torque over slip up to {SLIDES:g} N·m: a step, a line between -3.25 and 3.25 rad/s, and "
        "a hyperbolic tangent of the same slope.",
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
    return judged(
        "viscous friction alone is no model of a clutch",
        VISIBLE,
        (left - locked) / 100.0,
        f"with {SLIDES:g} N·m at 100 rad/s the closed clutch still slips by {left:.1f} rad/s at 4 s",
        otherwise="refuted",
        basis="reconstruction",
        where="Section 2.2",
    )
