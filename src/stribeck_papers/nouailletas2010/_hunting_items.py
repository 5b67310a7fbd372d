"""Figure 5: the limit cycle of a controlled mass, hybrid model and LuGre."""

from __future__ import annotations

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..scorecard import Claim, statement
from ._cycle_pictures import plot_figure_5
from ._cycles import AS_STIFF, PERFECT, STIFFNESSES, TIGHT, SteadyOscillation, as_printed, cycle, fits, force_at_peak
from ._paper import PAPER
from .friction import hybrid, hybrid_presliding, ideal, limit_cycle, lugre


@PAPER.item(
    "Figure 5",
    "Limit cycle of a mass under PID control",
    shows=(
        "A PID controller sends the mass to a position, and it hunts about it. Hybrid model (solid) and LuGre (dashed) "
        "agree at first; then, says the text, amplitude and profile stay the same but the period of the hybrid model "
        "is longer, because it has no presliding. Stiffer bristles remove the difference."
    ),
)
def figure_5(quick: bool) -> Finding:
    """Both models, the hybrid model with presliding, and LuGre with stiffer bristles."""
    ours, theirs = limit_cycle(ideal(), tolerance=TIGHT), limit_cycle(lugre(), tolerance=TIGHT)
    own, bristle = cycle(ours), cycle(limit_cycle(lugre(), intervals=200_000, tolerance=TIGHT))  # it turns sharply
    elastic = cycle(limit_cycle(hybrid_presliding(AS_STIFF))).period
    needed = force_at_peak(theirs, "motor.f")
    corrected = cycle(limit_cycle(ideal(needed))).period
    runs = {s: limit_cycle(lugre(s), tolerance=TIGHT) for s in STIFFNESSES if s in (1e5, 1e8) or not quick}
    gap = abs(own.period - bristle.period)
    claims = [
        _lasts(ours),
        _transient(ours, theirs),
        *_shape(own, bristle),
        statement(
            "the period of the limit cycle is longer with the hybrid model",
            own.period > bristle.period,
            f"hybrid {own.period:.4f} s, LuGre {bristle.period:.4f} s",
            because=(
                f"it is shorter in {_shorter(ours, theirs)}, at last by {100 * gap / bristle.period:.1f} %; two other "
                "solvers agree on both periods (see the converged values), and the model as printed with Euler steps "
                f"of 1 ms has {as_printed(True)[1]:.2f} s, which is shorter too. Stiffer bristles bring LuGre's period "
                "down to that of the hybrid model"
            ),
        ),
        statement(
            "the difference of the periods is due to presliding",
            abs(elastic - bristle.period) < 0.5 * gap,
            f"hybrid {own.period:.4f} s, with presliding {elastic:.4f} s, LuGre {bristle.period:.4f} s",
            because=(
                f"presliding changes it by {1e3 * abs(elastic - own.period):.0f} ms of {1e3 * gap:.0f} ms. LuGre "
                f"breaks away at {needed:.4f} N instead of 1.5 N, and with f_s = {needed:.4f} N the hybrid model has "
                f"a period of {corrected:.3f} s"
            ),
        ),
        fits("with larger sigma_0 and sigma_1 both models fit perfectly", ours, runs[1e8]),
        _work(),
    ]
    table = titled_table(
        "Stiffer bristles",
        ["sigma_0 / (N/m)", "period / s", "from hybrid / s", "amplitude / m", "break-away / N"],
        [
            [s, c.period, c.period - own.period, c.amplitude, -run.extremes["friction.f"]["min"]]
            for s, run, c in ((s, run, cycle(run)) for s, run in runs.items())
        ],
    )
    return Finding(
        text=(
            f"The hybrid model hunts with a period of {own.period:.4f} s and an amplitude of {own.amplitude:.5f} m, "
            f"LuGre with {bristle.period:.4f} s and {bristle.amplitude:.5f} m: the period of the hybrid model is "
            "shorter, not longer. As in stick-slip the models differ by the force at which they break away. A "
            "smaller one ends the wait earlier, but the mass then slides less far, and the integrator has a smaller "
            "error to work with: together the cycle takes longer."
        ),
        claims=claims,
        picture=plot_figure_5(ours, theirs, [(s, cycle(run).period) for s, run in runs.items()], own.period),
        tables=[table],
        converged={
            "F.hybrid_ideal.PID.period": own.period,
            "F.hybrid_ideal.PID.stick_x_high": 1.0 + own.amplitude,
            "F.LuGre.PID.period": bristle.period,
            "F.LuGre.PID.x_max_late": 1.0 + bristle.amplitude,
        },
    )


def _shorter(ours: sb.Result, theirs: sb.Result) -> str:
    """In how many of the cycles, counted from the start, the hybrid model is the faster one."""
    own, other = (np.diff(result.crossings("mass.s", 1.0, +1)) for result in (ours, theirs))
    cycles = min(own.size, other.size)
    return f"{np.count_nonzero(own[:cycles] < other[:cycles])} of {cycles} cycles"


def _lasts(result: sb.Result) -> Claim:
    """Whether the oscillation neither dies out nor grows."""
    passes = result.crossings("mass.s", 1.0, +1)
    highs = [
        result.at(np.linspace(a, b, 4001), "mass.s").max() - 1 for a, b in zip(passes[-3:-1], passes[-2:], strict=True)
    ]
    return statement(
        "the controlled mass does not come to rest at the target but goes on in a limit cycle",
        abs(highs[1] - highs[0]) < 1e-3 * highs[0] and highs[0] > 0.01,
        f"the last two of {passes.size - 1} cycles reach {highs[0]:.5f} m and {highs[1]:.5f} m beyond it",
    )


def _transient(ours: sb.Result, theirs: sb.Result) -> Claim:
    """The difference until the hybrid model has stopped twice: overshoot and return."""
    settled = [event.time for event in ours.events if event.to == "Stuck"][1]
    difference = np.abs(np.asarray(ours["mass.s"]) - np.asarray(theirs["mass.s"]))[ours.time <= settled].max()
    return statement(
        "the transient of the hybrid model fits that of LuGre well",
        bool(difference < PERFECT),
        f"at most {1e3 * difference:.2g} mm apart in the first {settled:.1f} s, of a step of 1 m",
    )


def _shape(own: SteadyOscillation, other: SteadyOscillation) -> list[Claim]:
    """Amplitude and profile of the last cycle."""
    larger, longer = own.amplitude / other.amplitude - 1, abs(own.period / other.period - 1)
    off = float(np.abs(own.profile - other.profile).max())
    return [
        statement(
            "the amplitude of the limit cycle is the same with both models",
            abs(larger) < longer,
            f"hybrid {own.amplitude:.4f} m, LuGre {other.amplitude:.4f} m",
            because=(
                f"the hybrid amplitude is larger by {100 * larger:.1f} %, which is more than the {100 * longer:.1f} % "
                "by which the periods differ: both follow from the higher force of break-away"
            ),
        ),
        statement(
            "the profile of the oscillation is the same with both models",
            off < 0.05,
            f"scaled to equal period and amplitude, they differ by at most {100 * off:.1f} % of the amplitude",
            note="the same: within 5 % of the amplitude, all the time",
        ),
    ]


def _work() -> Claim:
    """What the two models cost, in evaluations of their equations: the same on every computer."""
    own, other = (limit_cycle(law, tolerance=1e-6).statistics.rhs_evaluations for law in (hybrid(), lugre()))
    return statement(
        "the simulation times of both models are very close",
        0.8 < own / other < 1.25,
        f"{own} evaluations of the equations with the hybrid model, {other} with LuGre",
        because=(
            "times are not printed and depend on the solver. Ours locates the changes of mode, and takes long steps "
            "while the mass rests; the bristles of LuGre are stiff in every slip"
        ),
    )
