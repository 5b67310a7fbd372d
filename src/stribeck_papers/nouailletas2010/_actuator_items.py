"""Section 4.2: the simple model, its parameters in Table 3, and what it leaves out."""

from __future__ import annotations

import numpy as np

import stribeck as sb
from stribeck.reports import DataTable

from ..paper import Finding, titled_table
from ..rules import MUCH, WITHIN
from ..scorecard import Claim, judged, statement, unchecked
from ._actuator_pictures import plot_table_3
from ._paper import PAPER
from .actuator import COUNT, PLAY, RATIO, SAMPLE, TABLE_4, TABLE_5, TORQUE, TRAVEL, J, coast, stepped
from .bench import mean_friction, sinusoidal_test

SIGMA, P0, T_E = 150.0, 1e4, 1e-3
"""Simulation parameters of Table 3: rad/s, 1/s, s."""


@PAPER.item(
    "Table 3",
    "Parameters of the simple model",
    shows=(
        "Inertia, ratio and encoder, and the parameters Sigma, T_e max and p_0 of the two modes, which are said to be "
        "tuned by (11)."
    ),
    equations=("(11)", "(45)"),
)
def table_3(quick: bool) -> Finding:
    """The rules (11) for Table 3, and what a capture at 150 rad/s does to a rotor that coasts."""
    true, captured = coast(SIGMA * 0.999), coast(SIGMA * 0.999, hybrid=True)
    way, creep = (float(np.ptp(np.asarray(run["rotor.phi"]))) for run in (true, captured))
    lost = J * SIGMA**2 / (2 * TABLE_5.forward(30.0))
    return Finding(
        text=(
            f"One count of the encoder is {COUNT:.4f} rad, {1e6 * RATIO * COUNT:.0f} µm of the rack; p_0 and Sigma "
            f"keep the way in mode 0 at {creep:.3f} rad. But a rotor that coasts at {SIGMA:g} rad/s would go on for "
            f"{way:.2f} rad, {way / COUNT:.0f} counts. Capture at Sigma takes its energy away at once, which the "
            f"encoder does see: Sigma would have to be below {np.sqrt(2 * COUNT * TABLE_5.forward(30.0) / J):.0f} "
            "rad/s for this to stay within a count."
        ),
        claims=[*_rules(), *_modes(way, creep, lost), *_units()],
        picture=plot_table_3(true, captured),
        headline=(
            f"With Table 3 the rotor is stopped at {SIGMA:g} rad/s although it would coast on for {way:.2f} rad, "
            f"{way / COUNT:.0f} counts of the encoder: the rule Σ < δ p₀ counts the way in mode 0, not the one that "
            "is lost."
        ),
        alt=(
            f"A rotor that coasts without torque from {SIGMA:g} rad/s: with true stick its speed falls to 0 within "
            f"about 18 ms, over {way / COUNT:.0f} counts of the encoder; with the two modes of Table 3 it stops at "
            "once, within a count."
        ),
        tables=[_conditions()],
    )


def _conditions() -> DataTable:
    rows: list[list[str | float]] = [
        ["p_0 > 5/T_s", P0, 5 / SAMPLE, _word(P0 > 5 / SAMPLE)],
        ["Sigma < delta p_0", SIGMA, COUNT * P0, _word(COUNT * P0 > SIGMA)],
        ["J Sigma > u_max T_e max", J * SIGMA, TORQUE * T_E, _word(J * SIGMA > TORQUE * T_E)],
        ["p_0 T_e max < 2 (explicit Euler)", P0 * T_E, 2.0, _word(P0 * T_E < 2)],
    ]
    return titled_table("Rules (11) for Table 3, and one that is missing", ["rule", "left", "right", "kept"], rows)


def _word(kept: bool) -> str:
    return "yes" if kept else "no"


def _rules() -> list[Claim]:
    """The three rules of (11)."""
    left, right = J * SIGMA, TORQUE * T_E
    return [
        statement(
            "p_0 is tuned by (11): p_0 > 5/T_s",
            P0 > 5 / SAMPLE,
            f"{P0:g} > {5 / SAMPLE:g} 1/s",
            printed="p_0 > 5/T_s",
            otherwise="contradicts itself",
            because="Table 3 misses its own rule",
            basis="arithmetic",
            where="Table 3, (11)",
        ),
        statement(
            "Sigma is tuned by (11): Sigma < delta p_0",
            COUNT * P0 > SIGMA,
            f"{SIGMA:g} < {COUNT * P0:.0f} rad/s",
            printed="Sigma < delta_x p_0",
            otherwise="contradicts itself",
            because="Table 3 misses its own rule",
            basis="arithmetic",
            where="Table 3, (11)",
        ),
        statement(
            "Sigma is tuned by (11): J Sigma > u_max T_e max",
            left > right,
            f"{left:.3g} against {right:.3g} N·m·s",
            printed="m Sigma > u_max T_e max",
            otherwise="contradicts itself",
            basis="arithmetic",
            where="Table 3, (11)",
            because=f"Table 3 misses its own rule by {100 * (1 - left / right):.0f} %, with the 2 N·m of section 5.2",
        ),
    ]


def _modes(way: float, creep: float, lost: float) -> list[Claim]:
    """What mode 0 does to a motion."""
    explicit, stable = (stepped(method, T_E, 4) for method in ("ode1", "resolvent"))
    return [
        judged(
            "in mode 0 the way is bounded by Sigma/p_0, which the encoder does not see",
            WITHIN,
            max(creep - SIGMA / P0, SIGMA / P0 - COUNT, 0.0),
            f"{creep:.4f} rad of {SIGMA / P0:.4f} rad; one count is {COUNT:.4f} rad",
            printed="Sigma/p_0",
            otherwise="refuted",
            where="Section 2.2, Table 3",
        ),
        judged(
            "Sigma < delta p_0 is enough to model all displacements that can be measured",
            WITHIN,
            max(way - creep - COUNT, 0.0),
            f"released at {SIGMA:g} rad/s, true stick goes on for {way:.3f} rad, mode 0 for {creep:.3f} rad",
            printed="Sigma < delta_x p_0",
            otherwise="refuted",
            where="Section 2.2, Table 3",
            because=(
                "the rule counts the way in mode 0 and not the one that is lost: below Sigma a rotor without torque is "
                f"stopped at once, though its energy at Sigma, by C_r, would carry it over {lost:.2f} rad, "
                f"{lost / COUNT:.0f} counts"
            ),
        ),
        statement(
            "in mode 0 of (45) J d omega/dt = -p_0 omega, with p_0 = 1e4 rad/s",
            P0 / J < 1e5,
            f"the pole would be p_0/J = {P0 / J:.2g} 1/s",
            printed="J d omega/dt = -p_0 omega",
            otherwise="misprint",
            corrected="d omega/dt = -p_0 omega",
            basis="arithmetic",
            where="Section 4.2, (45)",
            because="(6) has no inertia there: d omega/dt = -p_0 omega, which has the pole that Table 3 states",
        ),
        statement(
            "the rules (11) make the model fit for steps of T_e max",
            abs(explicit[-1]) < 1.0,
            f"released at 149 rad/s, explicit Euler at {1e3 * T_E:g} ms gives "
            + ", ".join(f"{w:.0f}" for w in explicit)
            + f" rad/s; our fixed step {stable[-1]:.2g} rad/s at the end",
            otherwise="refuted",
            where="Section 2.2, Table 3",
            because=(
                f"each step in mode 0 multiplies the speed by 1 - p_0 T_e = {1 - P0 * T_E:g}: a rule p_0 T_e < 2 is "
                "missing. A variable-step method finds that limit and needs more steps"
            ),
        ),
    ]


def _measures_inertia(unit: str) -> bool:
    """Whether an inertia can have this unit."""
    model = sb.Model("motor")
    model.add("rotor", sb.Inertia(J=f"1 {unit}"))
    try:
        sb.compile_model(model)
    except sb.UnitError:
        return False
    return True


def _units() -> list[Claim]:
    return [
        statement(
            "J in kg/m",
            _measures_inertia("kg/m"),
            f"2 N·m make {TORQUE / J:.2g} rad/s² of {J:g} kg·m²",
            printed="kg/m",
            otherwise="misprint",
            corrected="kg·m²",
            basis="arithmetic",
            because="the unit is misprinted: torque by angular acceleration is N·m·s² = kg·m²",
        ),
    ]


@PAPER.item(
    "Section 4.1",
    "Play and the identification of friction",
    shows=(
        "Play does affect the sinusoidal test at each change of direction, but the wrong data are said to be weak "
        "compared with the noise of the position sensor."
    ),
    basis="reconstruction",
)
def section_4_1(quick: bool) -> Finding:
    """The mean of the sinusoidal test with play, and with the sign that the encoder gives."""
    speeds = (30.0, 300.0) if quick else (30.0, 60.0, 100.0, 200.0, 235.0, 300.0)
    rows: list[list[str | float]] = []
    for speed in speeds:
        rigid, loose = sinusoidal_test(speed), sinusoidal_test(speed, play=PLAY)
        rows.append([speed, mean_friction(rigid), mean_friction(loose), mean_friction(rigid, encoder=True)])
    play = max(abs(float(row[2]) - float(row[1])) for row in rows)
    sensor = min(abs(float(row[3]) - float(row[1])) for row in rows)
    return Finding(
        text=(
            f"While the rotor crosses its play only the motor rubs, so that the mean is {play:.4f} N·m too low, "
            f"{100 * play / float(rows[0][1]):.1f} % of the friction, at all speeds. The encoder does more harm: where "
            "it shows no motion within 1 ms the sign is lost."
        ),
        claims=[
            judged(
                "what play adds in the sinusoidal test is weak compared with the noise of the position sensor",
                MUCH,
                sensor / play,
                f"play shifts the mean by {play:.4f} N·m, the encoder by at least {sensor:.4f} N·m up to "
                f"{speeds[-1]:.0f} rad/s",
                otherwise="refuted",
                because="at 300 rad/s the encoder shifts it by less than twice as much, at lower speeds by far more",
                note="a virtual test: followed perfectly, a swing of 25 rad, friction of Table 5",
            )
        ],
        tables=[
            titled_table(
                "Mean of u sign(omega), N·m",
                ["amplitude / (rad/s)", "no play", "play of 3 rad", "no play, sign from the encoder"],
                rows,
            )
        ],
    )


@PAPER.item(
    "Section 4.2",
    "Play and position dependence in the simple model",
    shows="Play is left out of the simple model: its effect on C_r is said to be small compared with other errors.",
)
def section_4_2(quick: bool) -> Finding:
    """What an error of half the play in the position does to the torque of Table 4."""
    grid = np.linspace(0, TRAVEL, 2001)
    pairs = ((TABLE_4.forward, TABLE_5.forward), (TABLE_4.backward, TABLE_5.backward))
    error = max(float(np.abs(theory.deriv()(grid)).max()) for theory, _ in pairs) * PLAY / 2
    identified = max(float(np.abs(found.deriv()(grid)).max()) for _, found in pairs) * PLAY / 2
    apart = min(float(np.abs(found(grid) - theory(grid)).mean()) for theory, found in pairs)
    return Finding(
        text=(
            f"Within the play the rack can be {PLAY / 2:g} rad away from where the rotor says. By the slopes of Table "
            f"4 that is at most {error:.4f} N·m, by those of Table 5, with their few digits, {identified:.4f} N·m."
        ),
        claims=[
            judged(
                "the error that neglected play makes in C_r is small compared with the others",
                MUCH,
                apart / error,
                f"at most {error:.4f} N·m, while theory and test bench (Tables 4 and 5) are {apart:.3f} N·m apart in "
                "the mean",
                otherwise="refuted",
                basis="arithmetic",
            ),
            unchecked(
                "the simple model was validated in simulation", "the thesis that the paper cites is not available"
            ),
        ],
    )
