"""Powertrains, and clutch models with a variable step: Figure 6 and the first part of Section 3."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

import stribeck as sb

from ..converged import Value
from ..paper import Finding, titled_table
from ..rules import MUCH, SAME
from ..scorecard import judged, number, share, statement
from ._ensemble import drawn, four_against_three
from ._paper import PAPER
from ._pictures import plot_limits, plot_machines
from .powertrain import SLIDES, SOLVERS, STEP, clutches, launch, powertrain, three_powertrains

TIGHT = 1e-11
"""Tolerance of the runs that are compared with converged values."""
REDUCED = 0.2 * 0.05 / (0.2 + 0.05)
"""Inertia I1 I2/(I1 + I2) against the slip of the clutch (kg.m2)."""
SPEEDS = {
    2: ("engine.w", "car.w"),
    3: ("engine.w", "gearbox.w", "car.w"),
    4: ("engine.w", "disc.w", "gearbox.w", "car.w"),
}


@cache
def adaptive(clutch: str) -> sb.Result:
    """A launch with a variable step, at every millisecond."""
    return launch(clutch, intervals=4000)


@cache
def verdicts(clutch: str, dof: int = 3, hub: float | None = None) -> dict[str, sb.analysis.MethodVerdict]:
    """How each solver fares at 1 ms; Coulomb friction is the sign of the slip, as in (4)."""
    model = powertrain(clutch, dof=dof)
    if hub is not None:
        sb.set_parameter(model, "hub.c", hub)
    literal = clutch == "Coulomb"
    methods = SOLVERS if literal else ("resolvent", *SOLVERS)
    report = sb.analysis.check_realtime(model, STEP, methods=methods, literal_sign=literal)
    return {verdict.method: verdict for verdict in report.verdicts}


def words(found: dict[str, sb.analysis.MethodVerdict]) -> list[str]:
    """The verdicts on ode1 to ode5 and on the step of this package."""
    return [found[method].word if method in found else "-" for method in (*SOLVERS, "resolvent")]


STIFF = 3e4
"""A stiff hub (N.m/rad)."""


@PAPER.item(
    "Figure 6",
    "Schemes of the powertrains",
    shows="Torsional models with 2, 3 and 4 degrees of freedom, all behind the gearbox reduced to its input.",
    basis="reconstruction",
)
def figure_6(quick: bool) -> Finding:
    """The three machines as drawings, and their swings."""
    swings = {dof: _swing(powertrain("classic", dof=dof)) for dof in (3, 4)}
    return Finding(
        text="Drawn by this package. With a shaft the powertrain swings while the clutch slips, with "
        f"{swings[3]:.2f} Hz; with the springs of the disc also with {swings[4]:.1f} Hz.",
        picture=three_powertrains().draw(),
        alt="Three drawings: engine, clutch and car; engine, clutch, gearbox, shaft and car; the same with a disc on "
        "hub springs between clutch and gearbox.",
    )


@PAPER.item(
    "Section 3: degrees of freedom",
    "What a step of 1 ms resolves",
    shows="More degrees of freedom bring small inertias on stiff springs, whose motion the usual steps of 0.5 to 1 ms "
    "do not resolve, so that there are overruns; multi-rate steps would help. Three degrees of freedom are taken.",
    basis="reconstruction",
)
def degrees_of_freedom(quick: bool) -> Finding:
    """Launches of all three, their fastest swings, and what a step of 1 ms makes of them."""
    runs = {dof: launch("classic", dof=dof, intervals=2000) for dof in SPEEDS}
    swings = {dof: _swing(powertrain("classic", dof=dof)) for dof in SPEEDS}
    locks = {dof: run.events[-1].time for dof, run in runs.items()}
    soft, hard = verdicts("classic", 4), verdicts("classic", 4, STIFF)
    adequate, stiff_good = ([m for m in SOLVERS if found[m].word == "adequate"] for found in (soft, hard))
    stiff = powertrain("classic", dof=4)
    sb.set_parameter(stiff, "hub.c", STIFF)
    fast = _swing(stiff)
    least = min(_error(hard[method]) for method in SOLVERS)
    apart = four_against_three(quick)
    substeps = int(np.ceil(STEP * 2 * np.pi * fast / 0.2))
    rows = [[str(dof), f"{locks[dof]:.4f}", f"{swings[dof]:.2f}", *words(verdicts("classic", dof))] for dof in SPEEDS]
    rows.append([f"4, hub {STIFF:g} N·m/rad", "-", f"{fast:.1f}", *words(hard)])
    return Finding(
        text=f"The clutch locks at {locks[2]:.3f}, {locks[3]:.3f} and {locks[4]:.3f} s. With the springs of a clutch "
        f"disc the powertrain swings at {swings[4]:.1f} Hz, {1 / (STEP * swings[4]):.0f} steps of 1 ms; adequate with "
        f"that: {', '.join(adequate) or 'no solver'}. With a stiff hub of {STIFF:g} N·m/rad it swings at {fast:.0f} "
        f"Hz; adequate: {', '.join(stiff_good) or 'no solver'}. To follow that swing with steps of 0.2/omega a task of "
        f"1 ms would need {substeps} of them. With the largest printed time of a task, 0.1 ms, that is "
        f"{0.1 * substeps:.1f} ms: an overrun, unless the two fast bodies alone take the small steps. The resolvent "
        f"step of this package is {hard['resolvent'].word} at 1 ms.",
        claims=[
            statement(
                "small inertias on stiff springs have motions that a step of 1 ms does not resolve",
                not stiff_good,
                f"{fast:.0f} Hz with a hub of {STIFF:g} N·m/rad: none of ode1 to ode5 is within 5 % of the ranges, the "
                f"best one errs by {100 * least:.0f} %",
                otherwise="refuted",
                because=f"{', '.join(stiff_good)} are adequate",
                note=f"with the soft springs of a disc, {swings[4]:.0f} Hz, {', '.join(adequate)} are adequate",
                where="Section 3",
            ),
            share(
                "three degrees of freedom are sufficient",
                [SAME.holds(part) for part in apart],
                drawn(quick),
                because=f"the speed of the engine is off that with 4 degrees of freedom by {100 * apart.min():.0f} to "
                f"{100 * apart.max():.0f} % of its range, since the disc shares its inertia and twists; the clutch "
                f"locks within {1e3 * abs(locks[3] - locks[4]):.1f} ms",
                where="Section 3",
            ),
        ],
        picture=plot_machines(runs, SPEEDS),
        tables=[
            titled_table(
                "Fixed steps of 1 ms, classic clutch",
                ["degrees of freedom", "locks at / s", "fastest swing / Hz", *SOLVERS, "resolvent step"],
                rows,
            )
        ],
        converged=_converged(),
        headline=f"A fourth degree of freedom on a stiff hub ({fast:.0f} Hz) is not resolved at 1 ms by any of ode1 to "
        f"ode5; with the soft springs of a real disc ({swings[4]:.0f} Hz) {', '.join(adequate)} are adequate.",
        alt=f"Speeds in launches with 2, 3 and 4 degrees of freedom; the clutch locks at {locks[2]:.2f}, "
        f"{locks[3]:.2f} and {locks[4]:.2f} s.",
    )


def _error(verdict: sb.analysis.MethodVerdict) -> float:
    """Of a solver, as a share of a range; 1 if the run stops."""
    return min(float(verdict.error), 1.0) if np.isfinite(verdict.error) else 1.0


def _swing(model: sb.Model) -> float:
    """The fastest swing (Hz) while the clutch slips."""
    return max(mode.frequency for mode in sb.analysis.linearize(model, at=0.6).modes())


def _slowest(model: sb.Model) -> float:
    """The slowest swing (Hz) while the clutch is locked."""
    return min(mode.frequency for mode in sb.analysis.linearize(model, at=3.0).modes() if mode.frequency > 0)


def _converged() -> dict[str, Value]:
    """The launch with 3 degrees of freedom by the names of its converged values; the paper counts torques forwards."""
    (lock,) = (event.time for event in launch("classic", tolerance=TIGHT).events if event.to == "Stuck")
    run = launch("classic", times=[0.0, lock + 1e-12, 4.0], tolerance=TIGHT)
    values = {
        "t_lock": lock,
        "w_lock": run["engine.w"][1],
        "Tc_before": -run.extremes["clutch.tau"]["min"],
        "Tc_stick": -run["clutch.tau"][1],
        "w1(4s)": run["engine.w"][-1],
        "w2(4s)": run["gearbox.w"][-1],
        "theta(4s)": -run["shaft.phi_rel"][-1],
        "w3(4s)": run["car.w"][-1],
    }
    return {f"D.powertrain.{name}": (float(value), 1e-8) for name, value in values.items()}


@PAPER.item(
    "Section 3",
    "States, and tests with a variable step",
    shows="The powertrain has 4 states (with the classic model 5: Table 1). With a variable step the Coulomb model "
    "turns out to be unfit for such an oscillating system; the combined model has no difficulty at zero slip; the "
    "tangent is probably more stable than that one.",
    basis="reconstruction",
)
def section_3(quick: bool) -> Finding:
    """States; the sign of the slip under a variable step; the shortest transition that is stable with each solver."""
    names = sb.compile_model(powertrain("classic")).state_names
    states = [name for name in names if not name.endswith(".phi")]
    sign = _sign_by_variable_step(1.3)
    combined, exact = adaptive("Coulomb-viscous"), adaptive("classic")
    limits = {name: [_smallest(name, method, quick) for method in SOLVERS] for name in ("tanh", "Coulomb-viscous")}
    formula = [_limit(method) for method in SOLVERS]
    euler, best = (sb.analysis.stability_limit(method) for method in ("ode1", "ode5"))
    less = [1 - a / b for a, b in zip(limits["tanh"], limits["Coulomb-viscous"], strict=True)]
    off = max(abs(a / b - 1) for a, b in zip(limits["Coulomb-viscous"], formula, strict=True))
    rows = [
        [m, f"{f:.2f}", f"{a:.2f}", f"{b:.2f}"] for m, f, a, b in zip(SOLVERS, formula, *limits.values(), strict=True)
    ]
    return Finding(
        text=f"States are {', '.join(states)}, and two angles that nothing depends on. Under the sign of the slip a "
        f"Runge-Kutta method of order 5 with step control goes on with steps of {1e3 * sign.after:.2g} ms after the "
        f"speeds have met, {sign.before / sign.after:.0f} times shorter than before, and the torque changes its sign "
        f"in {100 * sign.turns:.0f} % of them. The combined model runs through with {combined.statistics.steps} steps. "
        "Which transition is safe follows from its slope at rest, omega_0 > 2 T_fd h/(c I) with I = I1 I2/(I1 + I2) "
        f"and c = {euler:.3g} to {best:.3g} by solver; runs with the combined model turn "
        f"from wrong to right within {100 * off:.0f} % of it. The tangent may be a little narrower, because it is less "
        "steep where it holds a torque.",
        claims=[
            number("states of the powertrain", "4", len(states), basis="put in", otherwise="refuted"),
            judged(
                "the Coulomb model (4) is not fit for the powertrain",
                MUCH,
                sign.before / sign.after,
                f"steps of {1e3 * sign.after:.2g} ms instead of {1e3 * sign.before:.2g} ms, torque changing its sign "
                f"in {100 * sign.turns:.0f} % of them",
                note="(3), which sticks, is fit: it is the classic model without stick-slip",
                otherwise="refuted",
            ),
            statement(
                "the combined model has no difficulty at zero slip",
                not combined.events and not MUCH.holds(combined.statistics.steps / exact.statistics.steps),
                f"{combined.statistics.steps} steps with a variable step, no switching; classic model "
                f"{exact.statistics.steps}",
                otherwise="refuted",
                because="it takes at least twice the steps of the classic model",
            ),
            statement(
                "the tangent is more stable than the combined model",
                min(less) > 0,
                f"allows a transition that is shorter by {100 * min(less):.1f} to {100 * max(less):.1f} %",
                printed="probably",
                note="hardly: both have the same slope at rest",
                otherwise="refuted",
            ),
        ],
        picture=plot_limits(limits, formula, SOLVERS),
        alt=f"Smallest transition by solver, from {max(formula):.2f} rad/s with ode1 to {min(formula):.2f} rad/s with "
        "ode5 by the formula, and just as much by runs of both models.",
        tables=[
            titled_table("Smallest omega_0 (rad/s) at 1 ms", ["solver", "formula", "tanh", "Coulomb-viscous"], rows)
        ],
    )


class Steps(NamedTuple):
    """Mean step (s) before the speeds meet, typical step after, and the share of steps in which the torque turns."""

    before: float
    after: float
    turns: float


def _sign_by_variable_step(t_end: float, tolerance: float = 1e-3) -> Steps:
    """The powertrain with (4) as it is written, by Dormand-Prince with the tolerance that Simulink has."""
    from scipy.integrate import RK45

    def torque(t: float, x: np.ndarray) -> float:
        return float(SLIDES * np.clip((t - 0.2) / 1.5, 0, 1) * np.sign(x[0] - x[1]))

    def rates(t: float, x: np.ndarray) -> list[float]:
        clutch, shaft = torque(t, x), 60.0 * x[2]
        return [(60.0 - clutch) / 0.2, (clutch - shaft) / 0.05, x[1] - x[3], shaft / 0.65]

    solver = RK45(rates, 0.0, np.array([100.0, 0.0, 0.0, 0.0]), t_end, rtol=tolerance, atol=1e-3 * tolerance)
    times, torques = [0.0], [0.0]
    while solver.status == "running" and len(times) < 20_000:
        solver.step()
        times.append(solver.t)
        torques.append(torque(solver.t, solver.y))
    steps, ends, signs = np.diff(times), np.array(times[1:]), np.sign(torques[1:])
    met = adaptive("classic").events[-1].time
    early, late = ends < 0.95 * met, ends > met
    turned = np.diff(signs[late]) != 0
    return Steps(float(steps[early].mean()), float(np.median(steps[late])), float(turned.mean()))


def _limit(method: str) -> float:
    """The transition (rad/s) whose slope at rest, 2 T_fd/omega_0, is at the limit of stability of a solver."""
    return 2 * SLIDES * STEP / (sb.analysis.stability_limit(method) * REDUCED)


def _smallest(clutch: str, method: str, quick: bool) -> float:
    """The smallest transition (rad/s) with which the torque is right within 10 % of T_fd after the lock, by halving."""
    limit = _limit(method)
    low, high = 0.8 * limit, 1.1 * limit
    program = sb.compile_model(powertrain(clutches(w_0=limit)[clutch]))
    for _ in range(7 if quick else 9):
        middle = 0.5 * (low + high)
        right = _worst(program.varied({"clutch.law.w_0": middle}), method) < 0.1 * SLIDES
        low, high = (low, middle) if right else (middle, high)
    return high


def _worst(program: sb.Program, method: str) -> float:
    """Largest error of the torque (N.m) from 1.3 to 2 s."""
    exact = sb.simulate(program, t_end=2.0, intervals=2000, energy=False)
    try:
        run = sb.realtime(program, STEP, method=method, energy=False).run(t_end=2.0)
    except sb.SimulationError:
        return float("inf")
    late = run.time > 1.3
    return float(np.abs(np.asarray(run["clutch.tau"]) - np.asarray(exact["clutch.tau"]))[late].max())
