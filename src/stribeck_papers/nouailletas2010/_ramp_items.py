"""Figure 9: the algorithm that finds the break-away torque, as the virtual bench runs it."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..rules import SAME
from ..scorecard import judged, statement
from ._method_pictures import plot_figure_9
from ._paper import PAPER
from .actuator import C_D, C_DS, COUNT, PLAY, SAMPLE, TABLE_5, TORQUE, single_mass
from .identification import HIGH, LOW

RATE, PLACES = 0.4, 25
"""Rise of the torque (N.m/s), and places at which a motion is started on the way: ours."""


class RampTest(NamedTuple):
    """A record of the test, all starts of motion in it, and those that are kept."""

    record: sb.identify.Measurement
    starts: sb.identify.BreakAways
    kept: sb.identify.BreakAways


@cache
def ramp_test() -> RampTest:
    """The way up and back on the virtual actuator, with its encoder and its play."""
    rig = single_mass(0.0, start=LOW + 2, play=PLAY, name="rig")
    settings: dict[str, Any] = {"encoder": 56, "sample_time": SAMPLE, "limit": TORQUE, "substeps": 4}
    bench = sb.identify.VirtualBench(rig, "motor.tau", "rotor.phi", **settings)
    record = bench.ramps(LOW, HIGH, RATE, stride=(HIGH - LOW) / PLACES)
    starts = sb.identify.break_aways(record)
    return RampTest(record, starts, starts.beyond(1.05 * PLAY).without_outliers())


def put_in(theta: np.ndarray, way: int) -> np.ndarray:
    """The break-away torque of the rig (N.m): that of the rack, half the play behind, and the motor's."""
    behind = TABLE_5.beyond(C_D, C_DS).static(theta - way * PLAY / 2, way)
    return np.asarray(0.5 * (C_D + C_DS) + np.maximum(behind, 0.0))


@PAPER.item(
    "Figure 9",
    "The algorithm that finds the break-away force",
    shows=(
        "A flow chart: the force is raised slowly until a motion occurs, its value is saved and reset; at the end of "
        "the way the test goes back with the other sign. Several goes and returns give mean values over the position."
    ),
    basis="reconstruction",
)
def figure_9(quick: bool) -> Finding:
    """The algorithm on the virtual actuator, step by step."""
    record, starts, kept = ramp_test()
    torque, angle = np.asarray(record["u"]), np.asarray(record["q"])
    time = SAMPLE * np.arange(torque.size)
    sides = {way: kept.towards(way) for way in (1, -1)}
    counts = {way: len(side) for way, side in sides.items()}
    means = {way: float(np.mean(side.drive)) for way, side in sides.items()}
    true = {way: float(np.mean(put_in(side.position, way))) for way, side in sides.items()}
    all_starts = len(starts)
    resets = int(np.count_nonzero((np.abs(torque[:-1]) > 0.02) & (np.abs(torque[1:]) < 1e-9)))
    shown = time < 4.0
    return Finding(
        text=(
            f"The virtual actuator has the encoder of {COUNT:.3f} rad, samples of 1 ms and 3 rad of play. The torque "
            f"rises by {RATE:g} N·m/s; each motion that the encoder sees ends a ramp. {all_starts} starts of motion "
            f"are found in {time[-1]:.0f} s, {sum(counts.values())} are kept: those within the play after a reversal "
            "and outliers go, as the text asks for. `stribeck bench-test` runs this algorithm and the sinusoidal tests "
            "after it on any model."
        ),
        claims=[
            statement(
                "when a motion occurs the force is saved and set back to 0, way up and way back",
                resets >= all_starts and min(counts.values()) > 0,
                f"{resets} times set back, {all_starts} starts of motion, {counts[1]} kept up and {counts[-1]} down",
                otherwise="refuted",
                where="Section 3.2",
            ),
            judged(
                "tests in both directions give accurate mean values of the break-away torque",
                SAME,
                max(abs(means[way] / true[way] - 1) for way in (1, -1)),
                f"{means[1]:.4f} N·m up and {means[-1]:.4f} N·m down; put in were {true[1]:.4f} and {true[-1]:.4f} N·m",
                otherwise="refuted",
                basis="put in",
                note="friction of Table 5; the motor's own share is between C_d and C_ds",
                where="Section 3.2",
            ),
        ],
        picture=plot_figure_9(time[shown], torque[shown], angle[shown]),
        alt=(
            "Left: flow chart. Raise the torque slowly; when the encoder moves save angle and torque and set the "
            "torque to 0; at the end of the way turn round; at last fit and average. Right: the first 4 s of a record, "
            "a saw-tooth of torque and an angle that climbs in steps."
        ),
        tables=[
            titled_table(
                "The steps on the virtual actuator",
                ["step", "in this run"],
                [
                    ["raise the torque", f"by {RATE:g} N·m/s, {torque.size} samples of 1 ms"],
                    ["a motion occurs", f"{all_starts} times, seen by the encoder"],
                    ["save, and set back", f"{resets} times"],
                    ["leave out reversals and outliers", f"{all_starts - sum(counts.values())} starts"],
                    ["mean up", f"{means[1]:.4f} N·m from {counts[1]} starts"],
                    ["mean down", f"{means[-1]:.4f} N·m from {counts[-1]} starts"],
                ],
            )
        ],
    )
