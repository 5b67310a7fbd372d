"""Tables 2 and 3: what the integrators count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

import numpy as np

import stribeck as sb
from stribeck.reports import DataTable

from ..paper import Finding, titled_table
from ..rules import ABOUT, COUNT, DIGITS, EXACT, MUCH, WITHIN
from ..scorecard import Claim, bracketed, half_a_digit, judged, number, unchecked
from ._counts import (
    BANDS,
    FIRST_STEPS,
    NAMES,
    STEPS,
    TABLE_2,
    TABLE_3,
    Counts,
    Printed,
    bristles,
    of_grid,
    on_grid,
    order_with_bristles,
    order_with_true_stick,
    relation_changes,
    true_stick,
    truly,
)
from ._paper import PAPER
from ._stick_slip_items import fine, tight, turns
from .bearing import INTERVALS, bearing_friction, fixed_step, rig, stick_slip
from .codes import NEEDS_DDASPK, has_code
from .rounding import stepped

COUNTED = ("steps", "equations", "relations", "jacobians", "events", "smallest", "largest")
OVER_BANDS = f"3 to 5 states and bands of dz/dt from {min(BANDS):g} to {max(BANDS):g} (in 1e-5 rad/s)"
OVER_FIRST_STEPS = f"2 to 4 states and first steps of DASSL's choice and {FIRST_STEPS[1]:g} to {FIRST_STEPS[-1]:g} s"
PENTIUM = "the seconds are those of a Pentium III with 600 MHz; the counts below are what can be compared"


@PAPER.item(
    "Table 2",
    "What integrators count with LuGre friction",
    shows="CPU times, result points, steps, evaluations and events of DASSL at 1e-6, Runge-Kutta 4 at 1 ms, Euler at "
    "0.9 ms and mixed mode at 2 ms, for 25 s of stick-slip with 2500 output intervals",
    equations=("(9)",),
)
def table_2(quick: bool) -> Finding:
    """The listing by DDASPK over what is not printed, and by the fixed steps of the paper."""
    scan = bristles() if has_code("DDASPK") else {}
    changes = {method: stepped(method, h).changes for method, h in STEPS.items()}
    real, own_steps = turns(fine()), stick_slip(tolerance=1e-6).statistics.steps
    rates = fastest("LuGre"), fastest("switch")
    return Finding(
        text=(
            "DASSL's own code is run here as DDASPK, with what the paper leaves open scanned: the band by which dz/dt "
            "has to pass zero, and whether angle and speed of the drive are states. "
            + (_fitting(scan) if scan else "It is not installed. ")
            + "The counts of the fixed steps follow from the grid: 2500 intervals of 10 ms, in each 10 steps of 1 ms, "
            "11 of 0.9 ms and one of 0.1 ms, or 5 of 2 ms; the relation is evaluated once at the start, once after "
            "each step and once after each event. A result has the points of the grid and two for each event, one if "
            f"the event falls on the grid. Only {real} events are there (Figure 5); what is counted beyond that is "
            f"made by the solver. Ours takes {own_steps} steps at the same tolerance, without events."
        ),
        claims=[
            unchecked("CPU times of the four integrators", PENTIUM, _listed(TABLE_2, "cpu", "s")),
            *scanned(TABLE_2["DASSL"], scan, OVER_BANDS),
            *(claim for method in STEPS for claim in column(method, TABLE_2[method], changes[method])),
            *_events(changes, real),
            *(order(method, TABLE_2[method], order_with_bristles(method)) for method in STEPS),
            *(per_interval(method, printed) for method, printed in TABLE_2.items()),
            judged(
                "the differences in Jacobians and smallest steps come from the stiffness of the LuGre model",
                MUCH,
                rates[0] / rates[1],
                f"fastest motion while sliding: {rates[0]:.3g} 1/s, with BearingFriction {rates[1]:.3g} 1/s",
                where="Section 1.3",
            ),
        ],
        tables=[*_scan_tables(scan, TABLE_2["DASSL"], "band"), own(stick_slip, None)],
        headline=_headline(scan, real),
    )


@PAPER.item(
    "Table 3",
    "What integrators count with BearingFriction",
    shows="the same counts with the bearing that truly sticks; with LuGre friction DASSL needs about 5 to 6 times as "
    "many evaluations of the equations and of Jacobians",
)
def table_3(quick: bool) -> Finding:
    """The state machine of the Modelica library by DDASPK, the rest from the steps; values in closed form."""
    scan = true_stick() if has_code("DDASPK") else {}
    changes = {
        "RKFIX4": relation_changes(fixed_step("ode4", 1e-3, truly(), energy=False)),
        "EULER": relation_changes(fixed_step("ode1", 0.9e-3, truly(), energy=False)),
    }
    exact = bearing_friction(tolerance=1e-11, intervals=5000)
    own_steps = bearing_friction(tolerance=1e-6).statistics.steps
    return Finding(
        text=(
            "In each cycle three relations change: the static torque is exceeded, the speed becomes positive, the "
            "speed becomes zero. The largest step of 4.1 s is 2 to the power of 12 times 1 ms: a code that doubles its "
            "steps of 1 ms, or of a power of two below that, comes to it while the mass is stuck. Ours takes "
            f"{own_steps} steps at the same tolerance."
        ),
        claims=[
            unchecked("CPU times of the three integrators", PENTIUM, _listed(TABLE_3, "cpu", "s")),
            *scanned(TABLE_3["DASSL"], scan, OVER_FIRST_STEPS),
            *(claim for method in changes for claim in column(method, TABLE_3[method], changes[method])),
            *(_counted(method, TABLE_3[method].events, changes[method].size) for method in changes),
            *(order(method, TABLE_3[method], order_with_true_stick(method)) for method in changes),
            *(per_interval(method, printed) for method, printed in TABLE_3.items()),
            *ratios(scan),
            unchecked(
                "the CPU times with LuGre friction and with BearingFriction differ little", PENTIUM, "0.909 s, 0.847 s"
            ),
        ],
        tables=[*_scan_tables(scan, TABLE_3["DASSL"], "first step / s"), own(stick_slip, truly())],
        converged={
            **{f"B.BearingFriction.{name}": value for name, value in cycle(exact).items()},
            "B.BearingFriction.state_events_25s": (relation_changes(exact).size, 0.0),
        },
    )


def scanned(printed: Printed, scan: Mapping[tuple[int, float], Counts], over: str) -> list[Claim]:
    """The column of DASSL: each count over a scan of what is not printed."""
    points = INTERVALS + 1 + 2 * int(printed.events)
    claims = [
        number(
            "DASSL: result points are those of the grid and two for each event",
            printed.points,
            points,
            basis="arithmetic",
            otherwise="contradicts itself",
        )
    ]
    for name in COUNTED:
        claim, text = f"DASSL: {NAMES[name]}", getattr(printed, name)
        unit = "s" if name in ("smallest", "largest") else ""
        if not scan:
            claims.append(unchecked(claim, NEEDS_DDASPK, f"{text} {unit}".strip()))
            continue
        values = [getattr(counts, name) for counts in scan.values()]
        if min(values) == max(values):
            claims.append(number(claim, text, values[0], rule=COUNT, note=f"by DDASPK, over {over}"))
            continue
        nearest = values[int(np.argmin(np.abs(np.array(values) - float(text))))]
        because = (
            f"DDASPK comes to {100 * (nearest / float(text) - 1):+.1f} %; Dymosim's search for events is not known"
        )
        claims.append(bracketed(claim, text, values, unit, over=over, because=because))
    if not scan:
        return [*claims, unchecked("DASSL: order", NEEDS_DDASPK, printed.order)]
    highest = max(counts.order for counts in scan.values())
    return [*claims, number("DASSL: order", printed.order, highest, note="the highest that DDASPK reports")]


def column(method: str, printed: Printed, changes: np.ndarray) -> list[Claim]:
    """What follows from the grid and the printed number of events for a fixed step."""
    events, shared = int(printed.events), on_grid(changes)
    ours, most = of_grid(method, events), INTERVALS + 1 + 2 * events
    off = max(abs(value / float(getattr(printed, name)) - 1) for name, value in ours.items())
    points = int(printed.points)
    return [
        judged(
            f"{method}: steps, evaluations of F and H, smallest and largest step follow from the grid",
            EXACT,
            off,
            ", ".join(f"{value:g}" for value in ours.values()),
            printed=", ".join(getattr(printed, name) for name in ours),
            otherwise="contradicts itself",
            because="they do not fit the grid of the paper",
            basis="arithmetic",
        ),
        judged(
            f"{method}: result points are those of the grid and two for each event, one if it falls on the grid",
            WITHIN,
            max(points - most, most - events - points, 0),
            f"{most} less those on the grid; {shared} of the {changes.size} in our run are",
            printed=printed.points,
            otherwise="contradicts itself",
            because="more or fewer points than this rule can give",
            basis="arithmetic",
        ),
    ]


def _counted(method: str, printed: str, found: int, because: str = "") -> Claim:
    return number(f"{method}: state events", printed, found, rule=COUNT, otherwise="not determined", because=because)


def _events(changes: Mapping[str, np.ndarray], real: int) -> list[Claim]:
    """The events of the fixed steps of Table 2."""
    lagged = stepped("LAGGED", STEPS["MIXED"]).changes.size
    chatter = (
        "what is counted beyond the real ones is rounding of dz/dt around zero while the mass slides: its sign there "
        f"is that of the last bit; the converged run has {real}"
    )
    return [
        _counted("RKFIX4", TABLE_2["RKFIX4"].events, changes["RKFIX4"].size, chatter),
        _counted("EULER", TABLE_2["EULER"].events, changes["EULER"].size, chatter),
        bracketed(
            "MIXED: state events",
            TABLE_2["MIXED"].events,
            [changes["MIXED"].size, lagged],
            over="friction from the new deflection and from the old one",
            because=chatter,
        ),
    ]


def order(method: str, printed: Printed, found: float) -> Claim:
    """The order of a fixed step, from three step sizes."""
    return number(f"{method}: order", printed.order, found, digits=4, because="another order was observed")


def per_interval(method: str, printed: Printed) -> Claim:
    """The CPU time for one interval from the whole one, both rounded as printed."""
    value = 1e3 * float(printed.cpu) / INTERVALS
    rounding = half_a_digit(printed.cpu_interval) + 1e3 * half_a_digit(printed.cpu) / INTERVALS
    return judged(
        f"{method}: CPU time for one interval, from the CPU time and {INTERVALS} intervals",
        DIGITS,
        (value - float(printed.cpu_interval)) / rounding,
        f"{value:.4g} ms",
        printed=f"{printed.cpu_interval} ms",
        otherwise="misprint",
        because=f"{printed.cpu} s over {INTERVALS} intervals is another number",
        basis="arithmetic",
        corrected=f"{value:.3f} ms",
    )


def cycle(run: sb.Result) -> dict[str, float]:
    """Time of a slip (s), friction torque at its end (N.m), and period (s) of the bearing that truly sticks."""
    away, stop, again = run.events.time[:3]
    return {
        "slip_time": float(stop - away),
        "F_stop": 2.0 * float(0.1 * stop - run.at(stop, "mass.phi")),
        "period": float(again - away),
    }


def ratios(scan: Mapping[tuple[int, float], Counts]) -> list[Claim]:
    """How many times more evaluations LuGre friction takes: about 5 to 6 times, it is said."""
    claims = []
    for name in ("equations", "jacobians"):
        text = f"{NAMES[name]} with LuGre friction over those with BearingFriction"
        paper = int(getattr(TABLE_2["DASSL"], name)) / int(getattr(TABLE_3["DASSL"], name))
        claims.append(
            judged(
                f"{text}, from the tables of the paper",
                ABOUT,
                _outside(paper),
                f"{paper:.2f}",
                printed="about 5 to 6",
                otherwise="contradicts itself",
                basis="arithmetic",
                where="Section 1.3",
            )
        )
        if not scan:
            claims.append(unchecked(f"{text}, by a run", NEEDS_DDASPK, "about 5 to 6", where="Section 1.3"))
            continue
        found = [
            getattr(counts, name) / getattr(scan[states - 1, 0.0], name) for (states, _), counts in bristles().items()
        ]
        claims.append(
            judged(
                f"{text}, by a run",
                ABOUT,
                min(map(_outside, found)),
                f"{min(found):.2g} to {max(found):.2g}, over {OVER_BANDS}",
                printed="about 5 to 6",
                because="DDASPK takes fewer evaluations with BearingFriction than the paper's code",
                where="Section 1.3",
            )
        )
    return claims


def _outside(ratio: float) -> float:
    """How far a ratio is outside of 5 to 6, over the nearer of them."""
    return max((5 - ratio) / 5, (ratio - 6) / 6, 0.0)


@cache
def fastest(kind: str) -> float:
    """The rate of the fastest motion (1/s) while the mass slides at its highest speed."""
    model = rig(truly()) if kind == "switch" else rig()
    at = float(tight().extremes["mass.w"]["t_max"]) if kind != "switch" else 8.5
    return float(np.abs(np.linalg.eigvals(model.linearize(at=at).A)).max())


def _fitting(scan: Mapping[tuple[int, float], Counts]) -> str:
    """The run of the scan whose counts are nearest to the printed ones."""
    names = ("steps", "equations", "jacobians", "events")

    def off(counts: Counts) -> float:
        return max(abs(float(getattr(counts, name)) / int(getattr(TABLE_2["DASSL"], name)) - 1) for name in names)

    (states, band), best = min(scan.items(), key=lambda entry: off(entry[1]))
    return (
        f"The events rise from {min(c.events for c in scan.values())} to {max(c.events for c in scan.values())} as the "
        f"band narrows. Nearest to the table is the run with {states} states and a band of {band:g}: {best.steps} "
        f"steps, {best.equations} and {best.jacobians} evaluations and {best.events} events, within "
        f"{100 * off(best):.0f} %. "
    )


def _headline(scan: Mapping[tuple[int, float], Counts], real: int) -> str:
    if not scan:
        return f"Of the 43 events that the paper counts only {real} are there; its solver made the others."
    low, high = (end(counts.steps for counts in scan.values()) for end in (min, max))
    return (
        f"DASSL's own successor takes {low} to {high} steps today where the paper printed 1732: its table of 2002 is "
        "bracketed, count by count, by what it leaves open."
    )


def _listed(printed: Mapping[str, Printed], name: str, unit: str) -> str:
    return ", ".join(getattr(column, name) for column in printed.values()) + f" {unit}"


def _scan_tables(scan: Mapping[tuple[int, float], Counts], printed: Printed, second: str) -> Iterable[DataTable]:
    """Every run of DDASPK, and the printed column."""
    if not scan:
        return
    heads = ["states", second, *(NAMES[name] for name in COUNTED), "order"]
    rows = [
        [states, f"{value:g}" if value else "its own", *(_shown(getattr(counts, name)) for name in (*COUNTED, "order"))]
        for (states, value), counts in scan.items()
    ]
    yield titled_table(
        "DDASPK at 1e-6", heads, [["paper", "", *(getattr(printed, n) for n in COUNTED), printed.order], *rows]
    )


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
