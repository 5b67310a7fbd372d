"""Fixed steps of 1 ms: good, divergent and noisy results, and tuned models: Figures 8 to 10."""

from __future__ import annotations

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..scorecard import statement
from ._launch_items import adaptive, verdicts, words
from ._paper import PAPER
from ._pictures import plot_noise, plot_situations, plot_tuned
from .powertrain import SOLVERS, STEP, clutches, launch, launch_at_fixed_step, powertrain


@PAPER.item(
    "Figure 8",
    "Good and divergent results with a fixed step",
    shows="At 1 ms a model with some solver is adequate (a), or its simulation diverges (b).",
    basis="reconstruction",
)
def figure_8(quick: bool) -> Finding:
    """Every clutch model with every solver, and how the swing of the shaft grows under Euler's method."""
    tested = ("tanh", "classic", "Karnopp")
    table = {name: verdicts(name) for name in ("Coulomb", "Coulomb-viscous", *tested)}
    good = [f"{name} with {m}" for name in tested for m in SOLVERS if table[name][m].word == "adequate"]
    bad = [f"{name} with {m}" for name in tested for m in SOLVERS if table[name][m].word == "divergent"]
    grown, expected = _growth()
    rows = [[name, *words(found)] for name, found in table.items()]
    return Finding(
        text=f"Of {5 * len(tested)} pairs of tested models and solvers {len(good)} are adequate; {', '.join(bad)} "
        "diverge. Friction cannot make a run diverge, its torque is bounded; but under Euler's method a swing that "
        f"nothing damps grows like exp(h omega^2 t/2), whatever the clutch is: from 1.5 to 4 s by {grown:.4f}, where "
        f"this says {expected:.4f}. That explains Figure 8b on our powertrain; the paper does not say which solver it "
        "shows. The last column of the table is the step of this package, which has no such growth.",
        claims=[
            statement(
                "there are adequate results at 1 ms",
                bool(good),
                f"{len(good)} of {5 * len(tested)} pairs, such as {good[-1]}",
            ),
            statement(
                "there are divergent results at 1 ms",
                bool(bad) and abs(grown / expected - 1) < 0.01,
                f"{', '.join(bad)}: the swing grows by {grown:.3f} in 2.5 s",
                note="by Euler's method on a shaft without damping",
            ),
        ],
        picture=plot_situations(
            adaptive("classic"),
            {
                "a) classic model, ode4": launch_at_fixed_step("classic", "ode4"),
                "b) classic model, ode1": launch_at_fixed_step("classic", "ode1"),
            },
        ),
        tables=[titled_table("Fixed steps of 1 ms", ["clutch model", *SOLVERS, "resolvent step"], rows)],
    )


def _growth() -> tuple[float, float]:
    """By how much the swing of the locked shaft grows from 1.5 to 4 s with ode1, and what exp(h omega^2 t/2) says."""
    run = launch_at_fixed_step("classic", "ode1")
    omega2 = 60.0 * (1 / 0.25 + 1 / 0.65)
    mean = -(60.0 * 0.65 / 0.9) / 60.0  # twist under the share of the torque that goes on to the car
    swing = np.hypot(np.asarray(run["shaft.phi_rel"]) - mean, np.asarray(run["shaft.w_rel"]) / np.sqrt(omega2))
    return float(swing[4000] / swing[1500]), float(np.exp(STEP * omega2 * 2.5 / 2))


@PAPER.item(
    "Figure 9",
    "Numerical noise",
    shows="A model that runs at a fixed step, but with noise in the results.",
    basis="reconstruction",
)
def figure_9(quick: bool) -> Finding:
    """A transition and a window that are too narrow for 1 ms."""
    narrow = clutches(w_0=1.0, dw=0.01)
    noisy = {
        "tanh, $\\omega_0$ = 1 rad/s, ode1": ("tanh", "ode1"),
        "Karnopp, DV = 0.01 rad/s, ode4": ("Karnopp, Stribeck", "ode4"),
        "Coulomb as sign(slip), ode1": ("Coulomb", "ode1"),
    }
    runs = {
        title: launch_at_fixed_step(narrow[name], method, literal_sign=name == "Coulomb")
        for title, (name, method) in noisy.items()
    }
    judged = {name: _noise(narrow[name], name == "Coulomb") for name in ("tanh", "Karnopp, Stribeck", "Coulomb")}
    swings = {title: _swing_of(run) for title, run in runs.items()}
    rows = [[name, *(f"{word} ({100 * noise:.1f} %)" for word, noise in found)] for name, found in judged.items()]
    all_noisy = {name: sum(word == "noisy" for word, _ in found) for name, found in judged.items()}
    return Finding(
        text="A tangent of 1 rad/s is too steep for every solver at 1 ms, a window of 0.01 rad/s too narrow: the slip "
        "jumps over it. The torque then changes its sign from step to step where a clutch should hold "
        f"{-adaptive('classic')['clutch.tau'][1500]:.0f} N·m; so it does with the sign of the slip, at any parameters.",
        claims=[
            statement(
                "there are results with numerical noise at 1 ms",
                min(all_noisy.values()) > 0 and min(swings.values()) > 50,
                f"noisy with {all_noisy['tanh']}, {all_noisy['Karnopp, Stribeck']} and {all_noisy['Coulomb']} of 5 "
                "solvers (tanh, Karnopp, sign)",
            ),
        ],
        picture=plot_noise(adaptive("classic"), runs, (1.08, 1.16)),
        tables=[titled_table("Verdict and noise at 1 ms", ["clutch model", *SOLVERS], rows)],
    )


def _noise(law: sb.laws.Law, literal: bool) -> list[tuple[str, float]]:
    report = sb.analysis.check_realtime(powertrain(law), STEP, methods=SOLVERS, literal_sign=literal)
    return [(verdict.word, verdict.noise) for verdict in report.verdicts]


def _swing_of(run: sb.Result) -> float:
    """Largest change of the torque (N.m) from one step to the next between 1.1 and 1.16 s."""
    torque = np.asarray(run["clutch.tau"])[(run.time > 1.1) & (run.time < 1.16)]
    return float(np.abs(np.diff(torque)).max())


@PAPER.item(
    "Figure 10",
    "Tuned models: fixed against variable step",
    shows="Where results are not acceptable, parameters of the clutch model are changed until a fixed step is, with "
    "small errors against the original model.",
    basis="reconstruction",
)
def figure_10(quick: bool) -> Finding:
    """A wider transition and a wider window."""
    tuned = {"tanh, $\\omega_0$ = 6.5 rad/s, ode4": "tanh", "Karnopp, DV = 1 rad/s, ode4": "Karnopp, Stribeck"}
    narrow = clutches(w_0=1.0, dw=0.01)
    seen = {title: launch_at_fixed_step(name, "ode4") for title, name in tuned.items()}
    exact = {title: adaptive(name) for title, name in tuned.items()}
    errors = {name: apart(seen[title], exact[title]) for title, name in tuned.items()}
    changed = {name: apart(seen[title], launch(narrow[name], intervals=4000)) for title, name in tuned.items()}
    before = {name: _noise(narrow[name], False)[3] for name in tuned.values()}
    after = {name: verdicts(name)["ode4"] for name in tuned.values()}
    needed = _needed_window()
    rows = [
        [
            name,
            f"{before[name][0]} ({100 * before[name][1]:.0f} %)",
            after[name].word,
            f"{100 * errors[name]:.3f}",
            f"{100 * changed[name]:.2f}",
        ]
        for name in tuned.values()
    ]
    return Finding(
        text="The transition of the tangent goes from 1 to 6.5 rad/s, just above what ode1 to ode5 need, the window of "
        f"Karnopp from 0.01 to 1 rad/s, where h/2 times the largest change of slip is {needed:.2f} rad/s. Both are "
        "adequate then. Of the range of the speed of the gearbox, the fixed step is off the variable one by "
        f"{100 * errors['tanh']:.2g} and {100 * errors['Karnopp, Stribeck']:.2g} %, and the tuned models off the "
        f"original ones by {100 * changed['tanh']:.1f} and {100 * changed['Karnopp, Stribeck']:.2g} %: the tangent "
        "pays with damping that is not there.",
        claims=[
            statement(
                "parameters can be changed until a fixed step is adequate",
                all(verdict.word == "adequate" for verdict in after.values())
                and all(word != "adequate" for word, _ in before.values()),
                f"tanh from {before['tanh'][0]} to {after['tanh'].word}, Karnopp from {before['Karnopp, Stribeck'][0]} "
                f"to {after['Karnopp, Stribeck'].word}, with ode4",
            ),
            statement(
                "errors against the original model stay small",
                max(changed.values()) < 0.1,
                f"speed of the gearbox off by {100 * changed['tanh']:.1f} % of its range (tanh) and "
                f"{100 * changed['Karnopp, Stribeck']:.2g} % (Karnopp)",
                because="the transition that a step of 1 ms needs changes the motion by more than 10 %",
            ),
        ],
        picture=plot_tuned(exact, seen, adaptive("classic")),
        tables=[
            titled_table(
                "ode4 at 1 ms",
                ["clutch model", "before", "tuned", "fixed against variable step / %", "tuned against original / %"],
                rows,
            )
        ],
    )


def apart(run: sb.Result, other: sb.Result) -> float:
    """Largest difference of the speed of the gearbox between two launches, as a share of its range."""
    speed = np.asarray(other["gearbox.w"])
    return float(np.abs(np.asarray(run["gearbox.w"]) - speed).max() / np.ptp(speed))


def _needed_window() -> float:
    """The window (rad/s) that Karnopp's model needs with ode4 at 1 ms."""
    report = sb.analysis.check_realtime(powertrain("Karnopp, Stribeck"), STEP, methods=[])
    return next(advice.needed["ode4"] for advice in report.advice if advice.parameter == "dv")
