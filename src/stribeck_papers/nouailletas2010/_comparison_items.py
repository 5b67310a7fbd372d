"""Section 5.3: simple model and test bench compared, the model with play, and the torque cut-off."""

from __future__ import annotations

import numpy as np

import stribeck as sb
from stribeck.reports import DataTable

from ..paper import Finding, titled_table
from ..rules import SAME, VISIBLE
from ..scorecard import Claim, judged, share, statement
from ._controllers import DRAWN, pairs
from ._paper import PAPER
from ._position_items import DURATION, SETTLED, STAND_IN, START, STEP, TARGET, Kind, cycle, simple_cycle, test
from ._position_pictures import plot_cutoff, plot_figure_21, plot_figure_22
from .actuator import COUNT, PLAY, LimitCycle, position_test

CUTOFF = 4 * COUNT
"""Distance from the target within which the torque is switched off (rad): ours."""


@PAPER.item(
    "Figure 21",
    "Simple model and test bench",
    shows=(
        "Zoom on the step response and on the limit cycle, model (solid) and test bench (dashed). The step responses "
        "are close, but the cycles of the model are slower, larger, and take more torque."
    ),
    basis="reconstruction",
)
def figure_21(quick: bool) -> Finding:
    """Both after the step and in the limit cycle; then many controllers, targets and both frictions."""
    bench, model = test("bench"), test("model")
    ours, theirs = cycle("model"), cycle("bench")
    shown = pairs(quick)[:10]
    return Finding(
        text=(
            f"The model cycles with {ours.amplitude / theirs.amplitude:.1f} times the amplitude and "
            f"{ours.torque / theirs.torque:.1f} times the torque of the test bench: its rotor has to break the whole "
            "friction, that of the test bench its own. How fast cycles follow each other is another "
            "matter: the integrator has to build up less torque with play, but also sees a smaller error."
        ),
        claims=[*_step_response(bench, model), *_cycles_compared(quick)],
        picture=plot_figure_21(bench, model, TARGET, STEP),
        alt=(
            "Left: the step responses of model and test bench lie close to each other. Right: their limit cycles; that "
            f"of the model has {ours.amplitude:.2f} rad and {ours.torque:.3f} N·m, that of the test bench "
            f"{theirs.amplitude:.2f} rad and {theirs.torque:.3f} N·m."
        ),
        tables=[
            titled_table(
                "Limit cycles of the simple model without and with play of 3 rad, the first of the draws: friction, "
                "controller w (1/s) and integral, target and range (rad), period (s), largest torque (N·m)",
                [
                    "friction",
                    "w, integral",
                    "target",
                    "range",
                    "period",
                    "torque",
                    "range, play",
                    "period, play",
                    "torque, play",
                ],
                [pair.cells for pair in shown],
            ),
            _by_fixed_steps(),
        ],
    )


def _cycles_compared(quick: bool) -> list[Claim]:
    """Amplitude, torque and period without play (the model) and with it (the bench), where both hunt."""
    both = [pair for pair in pairs(quick) if pair.without.hunts and pair.play.hunts]
    drawn = f"{len(both)} pairs that hunt, of {len(pairs(quick))} {DRAWN}"
    note = "a rotor with play stands for the test bench"
    return [
        share(
            "the amplitude of the limit cycle is higher with the model",
            [pair.without.amplitude > pair.play.amplitude for pair in both],
            drawn,
            note=note,
            where="Section 5.3",
        ),
        share(
            "the torque in the limit cycle is higher with the model",
            [pair.without.torque > pair.play.torque for pair in both],
            drawn,
            note=note,
            where="Section 5.3",
        ),
        share(
            "the period of the limit cycle is higher with the model",
            [pair.without.period > pair.play.period for pair in both],
            drawn,
            because=(
                "it depends on the controller, which is not printed, on the friction and on the target. A period is "
                "about twice the range of the torque by Ki times the error at rest; without play the range is larger, "
                "which makes it longer, but so is the error, which makes it shorter"
            ),
            where="Section 5.3",
        ),
    ]


def _by_fixed_steps() -> DataTable:
    """A second method for what contradicts the paper: periods with the friction of Table 5 at fixed steps."""
    rows: list[list[str | float]] = []
    for step in (1e-3, 2e-4):
        runs = [position_test([TARGET], [STEP], t_end=DURATION, play=play, step=step) for play in (0.0, PLAY)]
        rows.append([f"fixed steps of {1e3 * step:g} ms", *(LimitCycle.of(run, SETTLED).period for run in runs)])
    rows.append(["adaptive", *(simple_cycle("Table 5", 20.0, 2.5, TARGET, play).period for play in (0.0, PLAY))])
    return titled_table(
        "Periods with the friction of Table 5 by other methods (s)", ["method", "without", "with play"], rows
    )


def _step_response(bench: sb.Result, model: sb.Result) -> list[Claim]:
    """How far the model is from the bench while it moves to the target."""
    rise = (bench.time > STEP) & (bench.time < STEP + 0.3)
    angles = [np.asarray(run["rotor.phi"])[rise] for run in (bench, model)]
    torques = [np.convolve(np.asarray(run["motor.tau"])[rise], np.full(20, 0.05), "valid") for run in (bench, model)]
    way, torque = np.abs(angles[1] - angles[0]).max(), np.sqrt(np.mean((torques[1] - torques[0]) ** 2))
    return [
        judged(
            "the step response of the model is close to the real one: position",
            SAME,
            float(way) / (TARGET - START),
            f"within {way:.2f} rad of a step of {TARGET - START:g} rad, in the 0.3 s of the way there",
            otherwise="not determined",
            because="the rotor of the test bench first turns within the play; the controller is not printed",
            note=STAND_IN,
            where="Section 5.3",
        ),
        judged(
            "the step response of the model is close to the real one: torque",
            SAME,
            float(torque) / float(np.ptp(torques[0])),
            f"{torque:.3f} N·m apart in the quadratic mean, of a torque that varies by {np.ptp(torques[0]):.3f} N·m "
            "(means over 20 ms)",
            otherwise="not determined",
            because=(
                "the rotor of the test bench first turns within the play, which shifts its torque in time; the "
                "controller, which decides how much, is not printed"
            ),
            note=STAND_IN,
            where="Section 5.3",
        ),
    ]


@PAPER.item(
    "Figure 22",
    "Simple model with play",
    shows="The test with play between rotor and rack in the model, C_d = 0.05 and C_ds = 0.055 N·m: cycles fit better.",
    basis="reconstruction",
)
def figure_22(quick: bool) -> Finding:
    """The limit cycle with play, compared with the one without and that of the mechanism."""
    bench, without, play = cycle("bench"), cycle("model"), cycle("model with play")
    claims = [
        judged(
            f"with play the limit cycle is better modelled: {word}",
            VISIBLE,
            (abs(getattr(without, name) - getattr(bench, name)) - abs(getattr(play, name) - getattr(bench, name)))
            / getattr(bench, name),
            f"{getattr(play, name):.3g} {unit} with play, {getattr(without, name):.3g} {unit} without, "
            f"{getattr(bench, name):.3g} {unit} on the test bench",
            otherwise="not determined",
            because="with this controller, which is ours, the three are nearly equal",
            note=STAND_IN,
            basis="put in",
            where="Section 5.3",
        )
        for name, word, unit in (
            ("amplitude", "range", "rad"),
            ("period", "period", "s"),
            ("torque", "torque", "N·m"),
        )
    ]
    return Finding(
        text=(
            f"With play the simple model cycles by {play.amplitude:.3f} rad every {play.period:.2f} s, up to "
            f"{play.torque:.4f} N·m; the whole mechanism by {bench.amplitude:.3f} rad, {bench.period:.2f} s, "
            f"{bench.torque:.4f} N·m."
        ),
        claims=claims,
        picture=plot_figure_22(test("bench"), test("model with play"), TARGET),
        alt=(
            f"Angle and torque in the limit cycle: the model with play, {play.amplitude:.2f} rad and {play.torque:.3f} "
            f"N·m, is close to the test bench, {bench.amplitude:.2f} rad and {bench.torque:.3f} N·m."
        ),
        tables=[
            titled_table(
                "Limit cycles",
                ["", "range / rad", "period / s", "torque / N·m"],
                [
                    [name, found.amplitude, found.period, found.torque]
                    for name, found in (
                        ("test bench (mechanism)", bench),
                        ("model without play", without),
                        ("model with play", play),
                    )
                ],
            )
        ],
    )


@PAPER.item(
    "Section 5.3",
    "Torque cut-off near the target",
    shows=(
        "Limit cycles are usually removed by setting the torque to 0 close to the target. They need then not be "
        "modelled well, and the model without play is enough for the design and the test of a controller."
    ),
    basis="reconstruction",
)
def section_5_3(quick: bool) -> Finding:
    """The same tests with the torque switched off within four counts of the target."""
    kinds: tuple[Kind, ...] = ("bench", "model", "model with play")
    runs: dict[str, sb.Result] = {kind: test(kind, CUTOFF) for kind in kinds}
    ends = {kind: float(np.asarray(run["rotor.phi"])[-1]) for kind, run in runs.items()}
    moving = {
        kind: float(np.ptp(np.asarray(run["rotor.phi"])[run.time > run.time[-1] - 1.0])) for kind, run in runs.items()
    }
    apart = abs(ends["model"] - ends["bench"])
    wrong = max(abs(end - TARGET) for end in ends.values())
    return Finding(
        text=(
            f"With the torque off within {CUTOFF / COUNT:.0f} counts all three come to rest, at "
            + ", ".join(f"{end:.2f}" for end in ends.values())
            + f" rad for a target of {TARGET:g} rad. Friction holds the rack there because (44) holds."
        ),
        claims=[
            statement(
                "a torque of 0 close to the target removes the limit cycles",
                max(moving.values()) < 1e-6,
                f"in the last second they move by {max(moving.values()):.1g} rad, and stay within {wrong:.2f} rad of "
                f"the target (cut-off at {CUTOFF:.2f} rad, one count {COUNT:.2f} rad)",
                otherwise="refuted",
                note="the controller and the width of the cut-off are ours",
            ),
            judged(
                "with it the model without play is enough for the test of a controller",
                SAME,
                apart / (TARGET - START),
                f"model and test bench come to rest {apart:.2f} rad from each other, after a step of "
                f"{TARGET - START:g} rad",
                otherwise="refuted",
                note=STAND_IN,
            ),
        ],
        picture=plot_cutoff(runs, test("model"), TARGET, CUTOFF),
        alt=(
            f"Angle after the step: with the torque off within {CUTOFF:.2f} rad of the target, test bench, model and "
            "model with play come to rest and stay; without it the model goes on hunting."
        ),
    )
