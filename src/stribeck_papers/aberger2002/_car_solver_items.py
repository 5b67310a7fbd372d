"""Items of section 2.2.2 and of the conclusions: solvers, steps and parameters of the car's bristles."""

from __future__ import annotations

from typing import Any

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..rules import MUCH
from ..scorecard import Claim, judged, statement
from ._car_integrators import dassl_claim, unstable_range
from ._car_plots import plot_wedges
from ._car_runs import at_once, bristles, damping_ratios, first_slip, in_steps, kick
from ._coupled_items import fixed_steps
from ._gearbox_runs import LAWS, PRINTED, STANDARD, fine
from ._measures import apart
from ._paper import PAPER
from .car import ELEMENTS, car, drive, drive_in_steps, first_closing, table_7
from .clutch import table_6
from .gearbox import shift_in_steps


@PAPER.item(
    "Table 7",
    "LuGre clutches of the car",
    shows="sigma0 = 1e5, sigma1 = 0.03, sigma2 = 0, friction 0.12 to 0.144, w_s = 0.5 rad/s; normal forces differ and "
    "are not printed",
    basis="put in",
    equations=("(13)", "(14)"),
)
def table_7_item(quick: bool) -> Finding:
    """How weakly the bristles of the table are damped."""
    law, elements = table_7(), car().to_dict()["elements"]
    forces = {name: float(elements[name]["fn_max"]) for name in ELEMENTS}
    ratios = damping_ratios(law.sigma0, law.sigma1)
    soft = {s1: min(damping_ratios(1e4, s1), default=1.0) for s1 in (0.003, 0.3, 3.0)}
    return Finding(
        text=(
            "Stuck bristles swing against the small inertias of the gearbox, with a damping ratio of "
            f"{min(ratios):.4f}. Backward differences of orders 3 to 5 are not stable at every step for motions that "
            f"are damped so weakly (picture). With sigma0 = 1e4 the ratio runs from {soft[0.003]:.4f} at sigma1 = "
            f"0.003 over {soft[0.3]:.3f} at 0.3 to {soft[3.0]:.2g} at 3, where nothing swings any more: much of the "
            "range in which the paper saw instability is that in which bristles swing. But the printed pair, which it "
            "could run, is well inside. With sigma2 = 0 inequality (6) allows no damping at all: these bristles may "
            "give off energy for a moment."
        ),
        claims=[
            statement(
                "the largest normal force differs from clutch to clutch",
                len(set(forces.values())) == len(forces),
                ", ".join(f"{name} {force:g}" for name, force in forces.items()) + " N",
                note="for 1.5 times the largest torque of each element",
            )
        ],
        picture=plot_wedges(quick),
        alt=(
            "Damping ratios of swinging bristles over their damping, for two stiffnesses, with the ratios above which "
            f"backward differences of order 3 to 5 are stable: Table 7 is at {min(ratios):.4f}, below all of them."
        ),
    )


@PAPER.item(
    "Section 2.2.2",
    "Steps, solvers and bristles of the car",
    shows="200 s by DASSL at a tolerance of 1e-4; fixed steps are unstable, DASSL too with sigma0 = 1e4 and 0.003 ≤ "
    "sigma1 ≤ 3",
    basis="reconstruction",
)
def section_2_2_2(quick: bool) -> Finding:
    """Explicit steps after the first closing, the resolvent step, and scans of stiffness and damping."""
    model, law, slip = first_closing(), table_7(), first_slip()
    region = sb.analysis.stability_limit("ode4")
    limit = 1e9 * region * law.mu_c / (law.sigma0 * slip)
    tried = _explicit(model, (1e-6, 1e-7, 4e-8), 1.2e-3 if quick else 5e-3)
    worst = apart(in_steps(quick), bristles(), "car.v")
    sizes = (1e4, 1e5) if quick else (1e4, 1e5, 1e6)
    steps = {s0: drive(table_7(s0), t_end=1.4 if quick else 200.0).statistics.steps for s0 in sizes}
    claims, tables = unstable_range(quick)
    return Finding(
        text=(
            f"When A closes, the idling engine turns at {slip:.0f} rad/s. RK4 is then stable up to "
            f"{region:.2f} mu/(sigma0 |w|) = {limit:.0f} ns: it diverges at once at 1 µs and at 0.1 µs, "
            f"and is right at 40 ns, which would be {200e9 / limit:.1g} steps for 200 s. Our resolvent step of 1 ms is "
            f"right to {100 * worst:.2g} % of the velocity. Where the paper saw DASSL unstable, with sigma0 = 1e4, "
            "a code of its family comes through the whole drive, if its events are located; what stopped it in the car "
            "of the paper is not printed."
        ),
        claims=[
            fixed_steps(
                "the car with LuGre clutches is unstable with a fixed step, even a very small one",
                min(worst, *tried.values()),
                f"resolvent step of 1 ms: velocity right to {100 * worst:.2g} % of its range; RK4 diverges at 1 µs and "
                f"0.1 µs, at 40 ns it is {_shown(tried[4e-8])}",
                f"RK4 is stable below {limit:.0f} ns, by theory and in runs. The resolvent step solves bristles, slips "
                "and the coupling of the elements together",
                "Section 2.2.2",
            ),
            *claims,
            statement(
                "stiffer bristles take longer to simulate",
                list(steps.values()) == sorted(steps.values()),
                ", ".join(f"sigma0 = {s0:g}: {count} steps" for s0, count in steps.items()),
                note="counted in steps of our solver, which are alike",
                because="with our solver they do not",
            ),
            dassl_claim(quick),
        ],
        tables=[
            *tables,
            titled_table(
                f"Other laws in all six elements, to {_until(quick):g} s: pressures with a lag, steps of 1 ms, and "
                "jumps",
                [
                    "law",
                    "bristles begin",
                    "steps",
                    "largest acceleration / (m/s²)",
                    "error of velocity at 1 ms / (mm/s)",
                    "jumps: largest acceleration / (m/s²)",
                ],
                _other_laws(quick),
            ),
        ],
        headline=(
            f"The car that no fixed step could drive in 2002 runs in steps of 1 ms, right to {100 * worst:.2g} % in "
            f"velocity, where Runge-Kutta 4 needs less than {limit:.0f} ns."
        ),
    )


def _until(quick: bool) -> float:
    """Into second gear or into third gear (s)."""
    return 1.2 if quick else 50.0


def _other_laws(quick: bool) -> list[list[str | float]]:
    """What other laws give, adaptively, in steps of 1 ms, and where pressures jump."""
    mu = {"mu_c": 0.12, "mu_s": 0.144}
    elastic = sb.ElastoPlastic(sigma0=1e5, sigma1=0.03, sigma2=0, w_s=0.5, z_ba=1e-6, **mu)
    laws: list[tuple[str, Any, str]] = [
        ("Switch (standard)", None, ""),
        ("LuGre", table_7(), "frozen"),
        ("LuGre", table_7(), "steady"),
        ("ElastoPlastic", elastic, "frozen"),
        ("Karnopp", sb.Karnopp(**mu), ""),
        ("Hybrid", sb.Hybrid(w_s=0.5, **mu), ""),
    ]
    words = {"frozen": "as they were", "steady": "as they slide", "": ""}
    t_end = _until(quick)
    rows: list[list[str | float]] = []
    for name, law, begins in laws[: 2 if quick else None]:
        engage = begins or "steady"
        lag = drive(law, t_end=t_end, engage=engage, intervals=round(10 * t_end))
        jump = drive(law, t_end=t_end, engage=engage, abrupt=True)
        steps = drive_in_steps(law, t_end=t_end, engage=engage)
        error = 1e3 * float(np.abs(np.asarray(steps["car.v"]) - np.asarray(lag["car.v"])).max())
        rows.append([name, words[begins], lag.statistics.steps, kick(lag), error, kick(jump)])
    return rows


def _explicit(model: sb.Model, sizes: tuple[float, ...], t_end: float) -> dict[float, float]:
    """Largest error of the speed of ring 1 over its range by RK4, after clutch A has closed; inf: diverged."""
    exact = sb.simulate(model, t_end, intervals=100)
    program, found = sb.compile_model(model), {}
    for h in sizes:
        try:
            every = round(t_end / 100 / h)
            result = sb.realtime(program, h, method="ode4", energy=False).run(
                t_end=t_end, every=every, outputs=["ring1.w"]
            )
            found[h] = apart(result, exact, "ring1.w")
        except sb.SimulationError:
            found[h] = np.inf
    return found


def _shown(error: float) -> str:
    return f"right to {100 * error:.1g} %" if np.isfinite(error) else "diverges"


@PAPER.item(
    "Conclusions: coupled elements",
    "Are LuGre clutches suited for coupled friction elements?",
    shows="bristles cost simulation time; where clutches are coupled they are not suited for fixed steps, and "
    "sensitive to their parameters in any case",
    basis="reconstruction",
)
def conclusions(quick: bool) -> Finding:
    """Fixed steps of 1 ms, costs, and what parameters change."""
    gears = shift_in_steps(table_6(), "1 ms")
    box = max(apart(gears, fine(PRINTED), name) for name in ("load.w", "engine.w", "sun.w"))
    road = apart(in_steps(quick), bristles(), "car.v")
    cost = {
        "gearbox": (fine(STANDARD).statistics.steps, fine(PRINTED).statistics.steps),
        "car": (drive().statistics.steps, bristles().statistics.steps),
    }
    return Finding(
        text=(
            "Bristles do cost: "
            + ", ".join(f"in the {name} {b} steps instead of {a}" for name, (a, b) in cost.items())
            + ". But coupled elements with bristles do run with a fixed step, 1 ms in the gearbox (error "
            f"{100 * box:.2g} % of a speed's range) and in the car ({100 * road:.2g} %), if the step solves them "
            "together. And what comes out does not hang on their parameters but for the swings and peaks themselves."
        ),
        claims=[
            statement(
                "simulation takes longer with bristles",
                all(b > a for a, b in cost.values()),
                "; ".join(f"{name}: {b} steps, standard clutches {a}" for name, (a, b) in cost.items()),
                because="with our solver it does not",
                where="Conclusions",
            ),
            fixed_steps(
                "fixed steps could not be applied where LuGre clutches are coupled, as no stability was reached",
                min(box, road),
                f"resolvent step of 1 ms: gearbox right to {100 * box:.2g} %, car to {100 * road:.2g} %",
                "that holds for explicit methods at usable steps (Table 6, Section 2.2.2); the resolvent step is "
                "implicit in bristles, slips and coupling",
                "Conclusions",
            ),
            *_sensitive(quick),
        ],
    )


def _sensitive(quick: bool) -> list[Claim]:
    """What stiffness and damping of bristles change: peaks and swings in gearbox and car, and the motion."""
    laws = [name for name in LAWS if name != STANDARD]
    swings = [fine(name).extremes["load.a"] for name in laws]
    most, least = ([swing[end] for swing in swings] for end in ("max", "min"))
    kicks = [kick(at_once(quick, 1e5, sigma1)) for sigma1 in (0.03, 0.3)]
    ends = [float(fine(name)["load.w"][-1]) for name in LAWS]
    spread = (max(ends) - min(ends)) / ends[0]
    return [
        judged(
            "simulations are quite sensitive to stiffness and damping",
            MUCH,
            kicks[1] / kicks[0],
            f"acceleration of the load in the gearbox up to {min(most):.2f} or {max(most):.2f} rad/s², down to "
            f"{_rounded(max(least)):.2f} or {min(least):.2f} rad/s²; of the car where pressures jump {kicks[0]:.3g} or "
            f"{kicks[1]:.3g} m/s²",
            note=f"peaks and swings; the motion is not: the last speed of the load is within {100 * spread:.1g} % for "
            "all four kinds of clutches",
            because="not with ours",
            where="Conclusions",
        ),
    ]


def _rounded(value: float) -> float:
    """Rounding errors as 0, without a sign."""
    return round(value, 6) + 0.0
