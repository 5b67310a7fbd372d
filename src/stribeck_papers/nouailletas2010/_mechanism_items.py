"""Section 4.1: the actuator part by part, (38) to (40)."""

from __future__ import annotations

from functools import cache

import numpy as np

import stribeck as sb

from ..paper import Finding
from ..rules import ABOUT, EXACT, SAME
from ..scorecard import judged, number, statement
from ._mechanism_pictures import larger_words, plot_equation_39
from ._paper import PAPER
from .actuator import PLAY, RATIO, TEETH, TRAVEL, J
from .mechanism import Mechanism, reversal, sweep

ENDS = 1.0
"""Angles closer than this to an end (rad) are left out where the start of a sweep would show."""


@cache
def swept() -> dict[int, sb.Result]:
    """The slow ways up and down."""
    return sweep()


def slow(direction: int) -> tuple[np.ndarray, np.ndarray]:
    """Angle of the motor and the torque that it takes, away from the ends."""
    result = swept()[direction]
    theta, torque = np.asarray(result["motor.phi"]), np.asarray(result["motor.tau"])
    inside = (theta > ENDS) & (theta < TRAVEL - ENDS)
    return theta[inside], torque[inside]


@PAPER.item(
    "Figure 11",
    "The actuator",
    shows=(
        "Motor, toothed rack, compensator spring that presses on a slope of the rack by a wheel, and the clutch as a "
        "spring that the rack presses through two pistons. Figure 10 has photographs of it."
    ),
    basis="reconstruction",
)
def figure_11(quick: bool) -> Finding:
    """The simulated machine as a diagram."""
    m = sb.Model("clutch actuator")
    rotor = m.add("rotor", sb.Inertia(J=J))
    m.add("motor", sb.Torque(rotor, tau=sb.External(0.0)))
    Mechanism().build(m, rotor, play=PLAY)
    return Finding(
        text=(
            "The machine as it is simulated here. Play and losses of reducer and rack are next to the motor, "
            "friction of the rack is loaded by the force of the compensator, and the rack has ends."
        ),
        picture=larger_words(sb.analysis.draw(m), 1.4),
        alt=(
            "Chain of bodies from left to right: rotor with motor and brushes, play, pinion, reducer with losses, "
            "wheel, rack with its guide and end stops; from the rack a spring on a slope to the frame, and two pistons "
            "to the spring of the clutch."
        ),
    )


@PAPER.item(
    "Equation 38",
    "Master and slave piston",
    shows="Position of the clutch and force on the actuator follow from the ratio of the sections, S_m/S_s.",
    basis="put in",
    equations=("(38)",),
)
def equation_38(quick: bool) -> Finding:
    """The hydraulics in a slow motion up."""
    result, ratio = swept()[1], Mechanism().areas
    way, slave = np.asarray(result["rack.s"]), np.asarray(result["slave.s"])
    force, clutch = np.asarray(result["pipe.f_a"]), np.asarray(result["clutch.f"])
    ways, forces = float(np.abs(slave - ratio * way).max()), float(np.abs(force - ratio * clutch)[1:].max())
    power = np.asarray(result["rack.v"]) * force - np.asarray(result["slave.v"]) * clutch
    return Finding(
        text=(
            f"With S_m/S_s = {ratio:g} (ours) the clutch moves by {1e3 * slave.max():.2f} mm while the rack moves by "
            f"{1e3 * way.max():.2f} mm, against {clutch.max():.0f} N, of which the rack feels {force.max():.0f} N."
        ),
        claims=[
            judged(
                "the clutch moves by x_c = (S_m/S_s) x",
                EXACT,
                ways / float(slave.max()),
                f"at most {ways:.1g} m from it over the way",
                printed="(S_m/S_s) x",
                otherwise="refuted",
            ),
            judged(
                "the actuator feels F_2 = (S_m/S_s) F_c",
                EXACT,
                forces / float(force.max()),
                f"at most {forces:.2g} N of {force.max():.0f} N from it; no power is lost "
                f"({np.abs(power)[1:].max():.1g} W)",
                printed="(S_m/S_s) F_c",
                otherwise="refuted",
            ),
        ],
    )


@PAPER.item(
    "Equation 39",
    "Motor, play and rack",
    shows=(
        "The rotor turns against its own friction C_d and, while teeth touch, against the torque C_r of the rack. A "
        "function of the speed says when they touch; the play is 3 rad at the motor. All other inertias are neglected."
    ),
    basis="reconstruction",
    equations=("(39)",),
)
def equation_39(quick: bool) -> Finding:
    """The motor turned up and back through the play."""
    result, parts = reversal(), Mechanism()
    theta, torque = np.asarray(result["motor.phi"]), np.asarray(result["motor.tau"])
    free = float(np.abs(np.diff(theta))[_free(result, parts)].sum())
    printed = {place: float(np.sign(PLAY / 2 - abs(place))) for place in (0.0, PLAY / 2)}
    heavy = 0.01 * J / RATIO**2
    bent = 2 * float(np.abs(torque).max()) / TEETH["c"]
    return Finding(
        text=(
            f"After the reversal the motor feels nothing but its own {parts.motor:g} N·m over {free:.2f} rad, then the "
            f"rack again. Turned slowly it takes {torque.max():.3f} N·m up and {torque.min():.3f} N·m down there."
        ),
        claims=[
            number(
                "play that the motor sees",
                "3",
                free,
                "rad",
                rule=ABOUT,
                otherwise="refuted",
                basis="put in",
                where="Section 4.1",
                note=f"teeth that bend by up to {bent / 2:.2f} rad on each side are part of it",
            ),
            statement(
                "nu(omega) is 1 where teeth touch and 0 within the play",
                printed[PLAY / 2] == 1.0 and printed[0.0] == 0.0,
                f"as printed nu = {printed[PLAY / 2]:g} at the end of the play and {printed[0.0]:g} in its middle",
                printed="sign(q/2 - |...|)",
                otherwise="misprint",
                basis="arithmetic",
                corrected="nu = 1 - sign(q/2 - |...|)",
                because=(
                    "sign(q/2 - |...|) is 0 where the integral is saturated, that is in contact: the function is the "
                    "wrong way round, and the rack would not move while teeth push it. We use contact of teeth"
                ),
            ),
            statement(
                "all other inertias and masses are negligible compared with the motor",
                False,
                f"it holds for a rack that is much lighter than {heavy:.1f} kg, which is 1 % of the inertia of the "
                "rotor",
                otherwise="not determined",
                because="no other mass is printed",
                basis="arithmetic",
                where="Section 4.1",
            ),
        ],
        picture=plot_equation_39(theta, torque, parts.motor),
        alt=(
            f"Torque over the angle of the motor, up and back: {torque.max():.3f} N·m up, after the reversal only the "
            f"{parts.motor:g} N·m of the motor for {free:.2f} rad of play, then {torque.min():.3f} N·m down."
        ),
    )


def _free(result: sb.Result, parts: Mechanism) -> np.ndarray:
    """Where, on the way back, the motor has to overcome no more than its own friction."""
    back, torque = np.asarray(result["motor.w"]) < 0, np.asarray(result["motor.tau"])
    return (back & (np.abs(torque + parts.motor) < 0.05 * parts.motor))[1:]


@PAPER.item(
    "Equation 40",
    "The torque of rack, springs and friction at the motor",
    shows="C_r is the sum of the forces at the rack over r eta, plus the friction C_d of the motor.",
    basis="reconstruction",
    equations=("(40)",),
)
def equation_40(quick: bool) -> Finding:
    """The torque of a slow motion up against both readings."""
    parts = Mechanism()
    theta, torque = slow(1)
    force = np.interp(RATIO * theta, parts.x, parts.residue + parts.mu_c * parts.force_1)
    ours, literal = RATIO / parts.efficiency * force, force / (RATIO * parts.efficiency)
    once, twice = (float(np.abs(torque - ours - k * parts.motor).max()) for k in (1, 2))
    down, measured = slow(-1)
    eased = float(np.abs(measured - parts.torque(down, -1)).max())
    return Finding(
        text=(
            f"The torque of the simulated mechanism is r/eta times the force at the rack plus C_d, to {once:.1g} N·m. "
            f"On the way down the springs carry a little of C_d near 52 rad; the reducer then works the other "
            f"way, with r eta instead of r/eta: {eased:.1g} N·m."
        ),
        claims=[
            judged(
                "C_r is the force at the rack times 1/(r eta)",
                SAME,
                float(np.abs(torque - literal).max()) / float(torque.max()),
                f"{literal.max():.2g} instead of {torque.max():.3g} N·m",
                printed="1/(r eta)",
                otherwise="misprint",
                corrected="r/eta",
                basis="printed",
                because="N/(m/rad) is no torque: r is the travel of the rack per angle, so it is r/eta; a misprint",
            ),
            statement(
                "C_d belongs to C_r in (40) and once more to (39)",
                twice < once,
                f"once: within {once:.1g} N·m, twice: within {twice:.1g} N·m of the mechanism",
                printed="+ C_d in (40), - C_d in (39)",
                otherwise="contradicts itself",
                where="Section 4.1, (39), (40)",
                because="the motor rubs once; with (40) in (39) its friction would count twice while teeth touch",
            ),
        ],
    )
