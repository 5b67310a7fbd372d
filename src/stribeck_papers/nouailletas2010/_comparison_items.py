"""Section 5.3: simple model and test bench compared, the model with play, and the torque cut-off."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import stribeck as sb
from stribeck.reports import DataTable

from ..paper import Finding, titled_table
from ..scorecard import Claim, statement
from ._paper import PAPER
from ._position_items import DURATION, SETTLED, STAND_IN, START, STEP, TARGET, Friction, Kind, cycle, simple_cycle, test
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
    """Both after the step and in the limit cycle; then other targets, controllers and the friction of Table 5."""
    bench, model = test("bench"), test("model")
    ours, theirs = cycle("model"), cycle("bench")
    pairs = _scan(quick)
    both = [pair for pair in pairs if np.isfinite(pair.without.period) and np.isfinite(pair.play.period)]
    larger = sum(pair.without.amplitude > pair.play.amplitude for pair in pairs)
    stronger = sum(pair.without.torque > pair.play.torque for pair in pairs)
    slower = sum(pair.without.period > pair.play.period for pair in both)
    return Finding(
        text=(
            f"The model cycles with {ours.amplitude / theirs.amplitude:.1f} times the amplitude and "
            f"{ours.torque / theirs.torque:.1f} times the torque of the test bench: its rotor has to break the whole "
            "friction, that of the test bench its own. How fast cycles follow each other is another "
            "matter: the integrator has to build up less torque with play, but also sees a smaller error."
        ),
        claims=[
            *_step_response(bench, model),
            statement(
                "the amplitude of the limit cycle is higher with the model",
                ours.amplitude > theirs.amplitude and larger == len(pairs),
                f"{ours.amplitude:.2f} against {theirs.amplitude:.2f} rad; in {larger} of the {len(pairs)} pairs below",
                note=STAND_IN,
            ),
            statement(
                "the torque in the limit cycle is higher with the model",
                ours.torque > theirs.torque and stronger == len(pairs),
                f"{ours.torque:.3f} against {theirs.torque:.3f} N·m; in {stronger} of the {len(pairs)} pairs below",
                note=STAND_IN,
            ),
            statement(
                "the period of the limit cycle is higher with the model",
                ours.period > theirs.period and slower == len(both),
                f"{ours.period:.2f} against {theirs.period:.2f} s here, but in {slower} of {len(both)} pairs below",
                because=(
                    "it depends on the controller, which is not printed, on the friction and on the target. A period "
                    "is about twice the range of the torque by Ki times the error at rest; without play the range is "
                    "larger, which makes it longer, but so is the error, which makes it shorter"
                ),
            ),
        ],
        picture=plot_figure_21(bench, model, TARGET, STEP),
        tables=[
            titled_table(
                "Limit cycles of the simple model without and with play of 3 rad: friction, controller w (1/s) and "
                "integral, target and range (rad), period (s), largest torque (N·m)",
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
                [pair.cells for pair in pairs],
            ),
            _by_fixed_steps(),
        ],
    )


class Pair(NamedTuple):
    """Limit cycles of the simple model without and with play, for one friction, controller and target."""

    friction: Friction
    bandwidth: float
    integral: float
    target: float

    @property
    def without(self) -> LimitCycle:
        """The cycle without play."""
        return simple_cycle(*self, 0.0)

    @property
    def play(self) -> LimitCycle:
        """The cycle with play."""
        return simple_cycle(*self, PLAY)

    @property
    def cells(self) -> list[str | float]:
        """A row of the table."""
        numbers = [x for c in (self.without, self.play) for x in (c.amplitude, c.period, c.torque)]
        return [self.friction, f"{self.bandwidth:g}, {self.integral:g}", self.target, *numbers]


def _scan(quick: bool) -> list[Pair]:
    """Pairs by friction, controller and target."""
    if quick:
        return [Pair("Table 5", 20.0, 2.5, TARGET)]
    controllers = ((20.0, 2.5), (20.0, 4.0), (25.0, 2.0))
    printed = [Pair("Table 5", *controller, target) for controller in controllers for target in (30.0, 45.0)]
    return [*(Pair("mechanism", 20.0, 2.5, target) for target in (20.0, 40.0, 45.0, 50.0)), *printed]


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
        statement(
            "the step response of the model is close to the real one: position",
            way < 0.1 * (TARGET - START),
            f"within {way:.2f} rad of a step of {TARGET - START:g} rad, in the 0.3 s of the way there",
            note=STAND_IN,
        ),
        statement(
            "the step response of the model is close to the real one: torque",
            torque < 0.15 * float(np.ptp(torques[0])),
            f"{torque:.3f} N·m apart in the quadratic mean, of a torque that varies by {np.ptp(torques[0]):.3f} N·m "
            "(means over 20 ms)",
            because="the rotor of the test bench first turns within the play",
            note=STAND_IN,
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
        statement(
            f"with play the limit cycle is better modelled: {word}",
            abs(getattr(play, name) - getattr(bench, name)) < abs(getattr(without, name) - getattr(bench, name)),
            f"{getattr(play, name):.3g} {unit} with play, {getattr(without, name):.3g} {unit} without, "
            f"{getattr(bench, name):.3g} {unit} on the test bench",
            because="the cycles are nearly equal here",
            note=STAND_IN,
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
                note="the controller and the width of the cut-off are ours",
            ),
            statement(
                "with it the model without play is enough for the test of a controller",
                apart < 2 * CUTOFF,
                f"model and test bench come to rest {apart:.2f} rad from each other",
                note=STAND_IN,
            ),
        ],
        picture=plot_cutoff(runs, test("model"), TARGET, CUTOFF),
    )
