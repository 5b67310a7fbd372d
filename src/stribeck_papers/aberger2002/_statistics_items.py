"""Tables 2 and 3: what the integrators count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np

import stribeck as sb
from stribeck.reports import DataTable

from ..paper import Finding, titled_table
from ..scorecard import Claim, half_a_digit, number, statement, unchecked
from ._counts import NAMES, STEPS, TABLE_2, TABLE_3, Counts, Printed, of_steps, of_trail, relation_changes
from ._paper import PAPER
from ._scaling_items import NEEDS_IDA, has_ida
from ._stick_slip_items import fine, tight, turns
from .bearing import INTERVALS, bearing_friction, fixed_step, rig, stick_slip
from .dassl import dassl, dassl_bearing_friction
from .rounding import METHODS, stepped

OTHER_CODE = "IDA is not DASSL: restarts, step control and Newton's iteration have been changed since"


@PAPER.item(
    "Table 2",
    "What integrators count with LuGre friction",
    shows="CPU times, result points, steps, evaluations and events of DASSL at 1e-6, Runge-Kutta 4 at 1 ms, Euler at "
    "0.9 ms and mixed mode at 2 ms, for 25 s of stick-slip with 2500 output intervals",
)
def table_2(quick: bool) -> Finding:
    """The listing by IDA and by the fixed steps of the paper, compared with ours."""
    counts = {method: of_steps(method, stepped(method, STEPS[method]).events) for method in METHODS}
    if has_ida():
        counts["DASSL"] = _bristles()
    ours = stick_slip(tolerance=1e-6)
    real = turns(fine())
    why = f"so often the relation dz/dt < 0 changes at the ends of these steps; in the converged run {real} times"
    return Finding(
        text=(
            "The counts of the fixed steps follow from the grid: 2500 intervals of 10 ms, in each 10 steps of 1 ms, 11 "
            "of 0.9 ms and one of 0.1 ms, or 5 of 2 ms; the relation is evaluated once at the start, once after each "
            "step and once after each event. A result has the points of the grid and two for each event, but for some "
            f"that fall together. Of the events only {real} are there (Figure 5); what is counted beyond that is made "
            f"by the steps of the solver. Ours takes {ours.statistics.steps} steps at the same tolerance, "
            "without events."
        ),
        claims=[
            *(claim for method in TABLE_2 for claim in column(method, TABLE_2[method], counts.get(method), why)),
            statement(
                "the differences in Jacobians and smallest steps come from the stiffness of the LuGre model",
                fastest("LuGre") > 1e3 * fastest("switch"),
                f"fastest motion while sliding: {fastest('LuGre'):.3g} 1/s, with BearingFriction "
                f"{fastest('switch'):.3g} 1/s",
            ),
        ],
        tables=[table("Table 2 and our runs", TABLE_2, counts), own(stick_slip, None)],
    )


@PAPER.item(
    "Table 3",
    "What integrators count with BearingFriction",
    shows="the same counts with the bearing that truly sticks; with LuGre friction DASSL needs about 5 to 6 times as "
    "many evaluations of the equations and of Jacobians",
)
def table_3(quick: bool) -> Finding:
    """The state machine of the Modelica library by IDA, the rest from the steps; closed-form values of the motion."""
    law = sb.Switch(tau_c=1, tau_s=1.5, tau_v=0.4)
    seen = {
        "RKFIX4": relation_changes(fixed_step("ode4", 1e-3, law, energy=False)),
        "EULER": relation_changes(fixed_step("ode1", 0.9e-3, law, energy=False)),
    }
    counts = {method: of_steps(method, events) for method, events in seen.items()}
    if has_ida():
        counts["DASSL"] = of_trail(dassl_bearing_friction(), dassl_bearing_friction(max_order=4, grid=False))
    exact = bearing_friction(tolerance=1e-11, intervals=5000)
    return Finding(
        text=(
            "In each cycle three relations change: the static torque is exceeded, the speed becomes positive, the "
            f"speed becomes zero. Ours takes {bearing_friction(tolerance=1e-6).statistics.steps} steps at the same "
            "tolerance."
        ),
        claims=[
            *(claim for method in TABLE_3 for claim in column(method, TABLE_3[method], counts.get(method), "")),
            *ratios(counts.get("DASSL")),
            unchecked(
                "the CPU times with LuGre friction and with BearingFriction differ little",
                "a Pentium III with 600 MHz is not available",
                "0.909 s, 0.847 s",
            ),
        ],
        tables=[table("Table 3 and our runs", TABLE_3, counts), own(stick_slip, law)],
        converged={
            **{f"B.BearingFriction.{name}": value for name, value in cycle(exact).items()},
            "B.BearingFriction.state_events_25s": (relation_changes(exact), 0.0),
        },
    )


def column(method: str, printed: Printed, ours: Counts | None, why: str) -> list[Claim]:
    """A claim for every number of a column."""
    per_interval = 1e3 * float(printed.cpu) / INTERVALS
    rounding = half_a_digit(printed.cpu_interval) + 1e3 * half_a_digit(printed.cpu) / INTERVALS
    points = INTERVALS + 1 + 2 * int(printed.events)
    claims = [
        unchecked(f"{method}: CPU time", "a Pentium III with 600 MHz is not available", f"{printed.cpu} s"),
        number(
            f"{method}: CPU time for one interval, from the CPU time and {INTERVALS} intervals",
            printed.cpu_interval,
            per_interval,
            "ms",
            within=rounding,
            because=f"a misprint: {printed.cpu} s over {INTERVALS} intervals is another number",
        ),
        number(
            f"{method}: result points, from the grid and two for each event of the paper",
            printed.points,
            points,
            because="some events seem to share their points with the grid or with each other",
        ),
    ]
    if ours is None:
        rest = [name for name in NAMES if name != "points" and getattr(printed, name)]
        return [*claims, *(unchecked(f"{method}: {NAMES[name]}", NEEDS_IDA, getattr(printed, name)) for name in rest)]
    return [*claims, *counted(method, printed, ours, why)]


def counted(method: str, printed: Printed, ours: Counts, why: str) -> list[Claim]:
    """The counts of a run and the printed ones."""
    claims = []
    for name in ("steps", "equations", "relations", "jacobians", "events", "smallest", "largest", "order"):
        text = getattr(printed, name)
        if not text:
            continue
        value = getattr(ours, name)
        claim = f"{method}: {NAMES[name]}"
        because = f"{OTHER_CODE}; {value / float(text):.2f} times that" if method == "DASSL" else why
        if name == "relations" and method != "DASSL":
            value = ours.steps + int(printed.events) + 1
            claim, because = f"{claim}, from our steps and the events of the paper", "another rule than we think"
        unit = "s" if name in ("smallest", "largest") else ""
        within = half_a_digit(text) + (1e-12 if unit else 0.0)
        claims.append(number(claim, text, value, unit, within=within, because=because))
    return claims


def cycle(run: sb.Result) -> dict[str, float]:
    """Time of a slip (s), friction torque at its end (N.m), and period (s) of the bearing that truly sticks."""
    away, stop, again = run.events.time[:3]
    return {
        "slip_time": float(stop - away),
        "F_stop": 2.0 * float(0.1 * stop - run.at(stop, "mass.phi")),
        "period": float(again - away),
    }


def ratios(truly: Counts | None) -> list[Claim]:
    """How many times more evaluations LuGre friction takes: about 5 to 6 times, it is said."""
    claims = []
    for name, printed in (("equations", "6"), ("jacobians", "5")):
        paper = int(getattr(TABLE_2["DASSL"], name)) / int(getattr(TABLE_3["DASSL"], name))
        text = f"{NAMES[name]} with LuGre friction over those with BearingFriction"
        claims.append(number(f"{text}, from the tables of the paper", printed, paper))
        if truly is None:
            claims.append(unchecked(f"{text}, by IDA", NEEDS_IDA, printed))
        else:
            ours = getattr(_bristles(), name) / getattr(truly, name)
            claims.append(number(f"{text}, by IDA", printed, ours, because=OTHER_CODE))
    return claims


@cache
def _bristles() -> Counts:
    """The listing by IDA at the tolerance of Table 2."""
    return of_trail(dassl(1e-6), dassl(1e-6, max_order=4, grid=False))


@cache
def fastest(kind: str) -> float:
    """The rate of the fastest motion (1/s) while the mass slides at its highest speed."""
    model = rig(sb.Switch(tau_c=1, tau_s=1.5, tau_v=0.4)) if kind == "switch" else rig()
    at = float(tight().extremes["mass.w"]["t_max"]) if kind != "switch" else 8.5
    return float(np.abs(np.linalg.eigvals(model.linearize(at=at).A)).max())


def table(title: str, printed: Mapping[str, Printed], counts: Mapping[str, Counts]) -> DataTable:
    """The columns of the paper, each with ours."""
    heads, rows = [""], []
    for method in printed:
        heads += [f"{method}, paper", "IDA" if method == "DASSL" else "here"]
    for name, text in NAMES.items():
        cells: list[str | float] = [text]
        for method, column in printed.items():
            ours = "" if name == "points" or method not in counts else getattr(counts[method], name)
            shown = "" if name == "jacobians" and method != "DASSL" else ours
            cells += [getattr(column, name) or "-", f"{shown:.3g}" if isinstance(shown, float) else shown]
        rows.append(cells)
    return titled_table(title, heads, rows)


def own(run: Callable[..., sb.Result], law: sb.Switch | None) -> DataTable:
    """What ours count, adaptive at two tolerances and at a fixed step."""
    runs = {f"adaptive, tolerance {tolerance:g}": run(law, tolerance=tolerance) for tolerance in (1e-4, 1e-6, 1e-8)}
    names = ["steps", "rejected", "rhs_evaluations", "output_evaluations", "jacobian_evaluations"]
    names += ["event_evaluations", "state_events", "smallest_step", "largest_step"]
    columns = [result.statistics for result in runs.values()]
    rows: list[Sequence[str | float]] = [
        [name.replace("_", " "), *(_shown(getattr(statistics, name)) for statistics in columns)] for name in names
    ]
    rows.append(
        ["largest friction torque / (N·m)", *(f"{r.extremes['friction.tau']['max']:.6f}" for r in runs.values())]
    )
    return titled_table("Ours (Rodas5P, order 5)", ["", *runs], rows)


def _shown(value: float) -> str | float:
    return f"{value:.3g}" if isinstance(value, float) else value
