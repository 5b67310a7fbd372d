"""Section 5.3: the position test on the whole mechanism and on the simple model, Figures 17 to 20."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

import stribeck as sb

from ..paper import Finding
from ..rules import ABOUT
from ..scorecard import Claim, number, share, statement, unchecked
from ._controllers import DRAWN, pairs
from ._paper import PAPER
from ._position_pictures import plot_angle, plot_torque
from .actuator import C_D, C_DS, COUNT, PLAY, TABLE_5, Controller, LimitCycle, position_test
from .mechanism import BENCH, bench_test

TARGET, START, STEP = 30.0, 5.0, 0.1
"""Wanted angle, first angle (rad), and time of the step (s)."""
SETTLED = 3.0
"""From this time on (s) only the limit cycle is left."""
DURATION = 15.0
STAND_IN = "the whole mechanism replaces the test bench, the controller is ours"

Kind = Literal["bench", "model", "model with play"]
Friction = Literal["mechanism", "Table 5"]


@cache
def test(kind: Kind, cutoff: float = 0.0) -> sb.Result:
    """The position test on the model of the test bench, or on its simple model without or with play."""
    controller, t_end = Controller(cutoff=cutoff), DURATION if cutoff == 0 else 3.0
    if kind == "bench":
        return bench_test(TARGET, t_end=t_end, start=START, controller=controller)
    play = PLAY if kind == "model with play" else 0.0
    friction = BENCH.simple()
    return position_test([TARGET], [STEP], t_end=t_end, play=play, controller=controller, resistance=friction)


@cache
def simple_cycle(friction: Friction, bandwidth: float, integral: float, target: float, play: float) -> LimitCycle:
    """The limit cycle of the simple model."""
    resistance, controller = TABLE_5 if friction == "Table 5" else BENCH.simple(), Controller(bandwidth, integral)
    run = position_test([target], [STEP], t_end=DURATION, play=play, controller=controller, resistance=resistance)
    return LimitCycle.of(run, SETTLED)


def cycle(kind: Kind) -> LimitCycle:
    """The limit cycle of a test."""
    return LimitCycle.of(test(kind), SETTLED)


def _swings(claim: str, kind: Kind, quick: bool) -> Claim:
    """Whether a limit cycle is seen, with many controllers."""
    drawn = pairs(quick)
    found = [(pair.play if kind == "bench" else pair.without).hunts for pair in drawn]
    return share(
        claim,
        found,
        f"{len(found)} {DRAWN}",
        because="with the others it comes to rest, or hunts so slowly that 30 s do not show it twice",
        note="a rotor with play stands for the test bench" if kind == "bench" else "",
        where="Section 5.3",
    )


@PAPER.item(
    "Figure 17",
    "Position test on the test bench: position",
    shows="Wanted position (dashed) and measured position (solid) on the test bench.",
    basis="reconstruction",
)
def figure_17(quick: bool) -> Finding:
    """The whole mechanism under a PID controller."""
    found = cycle("bench")
    return Finding(
        text=(
            f"The test bench is replaced by the whole mechanism of Figure 12 with play, the {C_D:g} N·m of the motor, "
            f"an encoder of 56 counts and a controller of ours. It ends in a limit cycle of {found.amplitude:.2f} rad, "
            f"{found.amplitude / COUNT:.0f} counts."
        ),
        claims=[
            _swings("the test bench does not settle: a limit cycle remains around the target", "bench", quick),
            unchecked("the measured course of the position", "the measured data are not printed"),
        ],
        picture=plot_angle(test("bench"), TARGET, STEP),
        alt=(
            f"Wanted and measured angle over {DURATION:g} s: a step from {START:g} to {TARGET:g} rad within 0.3 s, "
            f"then a limit cycle of {found.amplitude:.2f} rad every {found.period:.1f} s."
        ),
    )


@PAPER.item(
    "Figure 18",
    "Position test on the test bench: torque",
    shows="The torque of the motor in the same test; the friction of the motor alone is read from it.",
    basis="reconstruction",
)
def figure_18(quick: bool) -> Finding:
    """The torque of the limit cycle, which the motor alone needs."""
    found = cycle("bench")
    result = test("bench")
    rack = np.asarray(result["rack.s"])[result.time > SETTLED]
    return Finding(
        text=(
            f"While it cycles the torque reaches {found.torque:.4f} N·m and the rack is at rest (it moves by "
            f"{1e6 * np.ptp(rack):.2g} µm): the rotor moves within the play, against its own friction only. That is "
            "how the paper could read this friction from the figure."
        ),
        claims=[
            number(
                "break-away torque of the motor, C_ds, as the limit cycle shows it",
                "0.055",
                found.torque,
                "N·m",
                rule=ABOUT,
                otherwise="refuted",
                basis="put in",
                where="Section 5.3",
                note="what the torque rises until the encoder moves comes on top, " + STAND_IN,
            ),
            statement(
                "in the limit cycle play separates rotor and rack, and only the motor rubs",
                float(np.ptp(rack)) < 1e-7,
                f"the rack moves by {1e6 * np.ptp(rack):.2g} µm, the rotor by {found.amplitude:.2f} rad of "
                f"{PLAY:g} rad of play",
                otherwise="refuted",
                note=STAND_IN,
                where="Section 5.3",
            ),
            unchecked("the friction of the motor of 0.05 N·m", "the measured torque is not printed", "0.05 N·m"),
        ],
        picture=plot_torque(result, C_DS, C_DS),
        alt=(
            f"Torque of the motor over {DURATION:g} s: large in the step, then a saw-tooth between plus and minus "
            f"{found.torque:.3f} N·m, the break-away torque of the motor alone."
        ),
    )


@PAPER.item(
    "Figure 19",
    "Position test on the simple model: position",
    shows="The same test on the simple model without play.",
    basis="reconstruction",
)
def figure_19(quick: bool) -> Finding:
    """The simple model with the friction of the mechanism."""
    found, printed = cycle("model"), simple_cycle("Table 5", 20.0, 2.5, TARGET, 0.0)
    return Finding(
        text=(
            f"With the friction of the mechanism the simple model cycles by {found.amplitude:.2f} rad every "
            f"{found.period:.2f} s; with that of Table 5, by {printed.amplitude:.2f} rad every {printed.period:.2f} s."
        ),
        claims=[_swings("the simple model does not settle: a limit cycle remains around the target", "model", quick)],
        picture=plot_angle(test("model"), TARGET, STEP),
        alt=(
            f"Wanted and simulated angle over {DURATION:g} s: the step, then a limit cycle of {found.amplitude:.2f} "
            f"rad every {found.period:.1f} s."
        ),
    )


@PAPER.item(
    "Figure 20",
    "Position test on the simple model: torque",
    shows="The torque in the test on the simple model.",
    basis="reconstruction",
)
def figure_20(quick: bool) -> Finding:
    """The torque has to overcome the whole friction in every cycle."""
    found, friction = cycle("model"), BENCH.simple()
    breaks = [float(friction.static(TARGET, direction)) for direction in (1, -1)]
    return Finding(
        text=f"The torque swings between the break-away torques of both directions, up to {found.torque:.3f} N·m.",
        claims=[
            statement(
                "in each cycle of the model the torque has to break the whole friction",
                found.torque > max(breaks),
                f"{found.torque:.3f} N·m; break-away takes {breaks[0]:.3f} N·m up and {breaks[1]:.3f} N·m down",
                otherwise="refuted",
                where="Section 5.3",
            )
        ],
        picture=plot_torque(test("model"), *breaks),
        alt=(
            f"Torque of the motor over {DURATION:g} s: after the step it swings between the break-away torques of both "
            f"directions, up to {found.torque:.3f} N·m."
        ),
    )
