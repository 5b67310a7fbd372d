"""Items of section 2.2.1: fixed steps, and what the statements owe to numbers that are not printed."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

import stribeck as sb
from stribeck.style import CHANGE, COLORS, Picture, legend_above, styled

from ..paper import Finding, titled_table
from ..rules import SAME, UNSTABLE
from ..scorecard import Claim, judged, unchecked
from ._gearbox_runs import PRINTED, fine, light
from ._measures import apart, peak
from ._paper import PAPER
from ._reconstructions import FACTS, RANGES, draws, held
from .clutch import table_6
from .codes import NEEDS_CODE, best_code
from .dassl_model import ModelCourse, by_dassl
from .gearbox import gearbox, shift, shift_in_steps

SPEEDS = ("load.w", "engine.w", "sun.w")
RIGHT = 0.01
"""Error of a speed over its range below which a run counts as right."""

REGION = {method: sb.analysis.stability_limit(method) for method in ("ode1", "ode4")}
"""How far the methods are stable on the negative real axis: Euler, Runge-Kutta of order 4."""

METHODS = {"ode1": "Euler", "ode4": "RK4", "mixed": "mixed mode", "resolvent": "resolvent"}


class Trial(NamedTuple):
    """Outcome of a fixed step: the largest error of a speed over its range, or when it diverged (s)."""

    error: float
    diverged: float

    @classmethod
    def of(cls, h: float, method: str, t_end: float) -> Trial:
        """A run with this step (s) and method."""
        try:
            result = shift_in_steps(table_6(), h, method, t_end=t_end)
        except sb.SimulationError as error:
            return cls(np.inf, error.time or 0.0)
        return cls(max(apart(result, fine(PRINTED), name) for name in SPEEDS), np.nan)

    @property
    def right(self) -> bool:
        """Whether it can be used."""
        return self.error < RIGHT

    def __str__(self) -> str:
        return f"{100 * self.error:.2g} %" if np.isfinite(self.error) else f"diverges at {self.diverged:.3f} s"


def fixed_steps(claim: str, least: float, ours: str, because: str, where: str) -> Claim:
    """A claim that coupled bristles are unstable with a fixed step: the least error of all steps tried decides."""
    error = min(least, 1.0)
    return judged(claim, UNSTABLE, error, ours, otherwise="overcome", because=because, where=where)


@cache
def trials(quick: bool) -> dict[str, dict[float, Trial]]:
    """Steps (s) of four methods."""
    fast = (1e-3, 1e-4, 1e-5, 7e-6) if quick else (1e-3, 1e-4, 2e-5, 1e-5, 5e-6, 2.5e-6)
    slow = (1e-3, 1e-4) if quick else (5e-3, 2e-3, 1e-3, 1e-4, 2e-5)
    steps = {"ode1": fast, "ode4": fast[:-1], "mixed": slow, "resolvent": slow}
    t_end = 1.7 if quick else 2.9
    return {method: {h: Trial.of(h, method, t_end) for h in sizes} for method, sizes in steps.items()}


@PAPER.item(
    "Table 6",
    "LuGre clutches of the gearbox, and fixed steps",
    shows="sigma0 = 1e5, sigma1 = 300, friction 0.5 at any slip; with them every fixed step is unstable, however small",
    basis="reconstruction",
)
def table_6_item(quick: bool) -> Finding:
    """Explicit methods, the mixed mode and the resolvent step over the step size."""
    closing = {name: abs(float(fine(PRINTED).at(t, f"{name}.w_rel"))) for name, t in (("B2", 1.5), ("C2", 2.75))}
    fastest = closing["B2"] if quick else max(closing.values())
    bent = table_6().mu_c / table_6().sigma0
    limits = {method: 1e6 * size * bent / fastest for method, size in REGION.items()}
    found = trials(quick)
    small = 1e6 * REGION["ode1"] * bent / abs(float(light(PRINTED).at(2.75, "C2.w_rel")))
    euler, rk4 = (1e6 * max((h for h, trial in found[m].items() if trial.right), default=0) for m in REGION)
    ours = found["resolvent"][1e-3]
    rows = sorted({h for sizes in found.values() for h in sizes}, reverse=True)
    return Finding(
        text=(
            f"At {fastest:.2f} rad/s, when {'B2' if quick else 'C2'} closes, bristles relax with a rate of sigma0 "
            f"|w|/mu. Explicit methods are stable up to 2 mu/(sigma0 |w|) = {limits['ode1']:.1f} µs (Euler) and "
            f"{REGION['ode4']:.2f} mu/(sigma0 |w|) = {limits['ode4']:.1f} µs (RK4). Runs agree: above that they "
            f"diverge within a millisecond after a brake or clutch closes on slip, and {euler:.3g} and {rk4:.3g} µs "
            f"are right. With small inertias Euler's limit is {small:.2f} µs. With implicit bristles and explicit "
            f"bodies (mixed mode) the run stays bounded, with an error of {found['mixed'][1e-3]} at 1 ms. Our "
            f"resolvent step, which makes the four elements agree within each step, has {ours} there."
        ),
        claims=[
            fixed_steps(
                "the gearbox with LuGre clutches is unstable with a fixed step, even a very small one",
                min(trial.error for sizes in found.values() for trial in sizes.values()),
                f"resolvent step of 1 ms: speeds right to {ours} of the range; Euler right at {euler:.3g} µs, RK4 at "
                f"{rk4:.3g} µs",
                f"explicit methods end at {limits['ode1']:.1f} µs (Euler) and {limits['ode4']:.1f} µs (RK4), by theory "
                "and in runs, and a search that ends at 20 µs, 50 steps for each output interval of the paper, finds "
                "no stable one. The resolvent step solves bristles, slips and the coupling of the elements together",
                "Section 2.2.1",
            ),
        ],
        picture=plot_steps(found, limits),
        alt=(
            "Error of the speeds over the fixed step for Euler, Runge-Kutta 4, mixed mode and the resolvent step: the "
            f"explicit ones diverge above {limits['ode1']:.1f} and {limits['ode4']:.1f} µs."
        ),
        tables=[
            titled_table(
                "Fixed steps: largest error of a speed over its range",
                ["step", "Euler", "RK4", "mixed mode", "resolvent"],
                [[f"{1e6 * h:g} µs", *(str(found[m].get(h, "")) for m in METHODS)] for h in rows],
            )
        ],
    )


@styled
def plot_steps(found: dict[str, dict[float, Trial]], limits: dict[str, float]) -> Picture:
    """Error over step size; crosses above are steps that diverge."""
    picture = Picture(8.5, 3.8)
    axes = picture.add_subplot()
    for number, (method, color) in enumerate(zip(METHODS, COLORS, strict=False)):
        good = {1e6 * h: 100 * trial.error for h, trial in found[method].items() if np.isfinite(trial.error)}
        bad = [1e6 * h for h, trial in found[method].items() if not np.isfinite(trial.error)]
        axes.loglog(list(good), list(good.values()), "o-", color=color, label=METHODS[method], markersize=4)
        axes.loglog(bad, [300 * 3**number] * len(bad), "x", color=color, markersize=6)
    for method, limit in limits.items():
        axes.axvline(limit, color=COLORS[list(METHODS).index(method)], linewidth=0.8, linestyle=":")
    axes.axhline(100, color=CHANGE, linewidth=0.8)
    axes.text(0.995, 0.95, "diverge", fontsize=8, va="center", ha="right", transform=axes.transAxes)
    axes.set(xlabel="step / µs", ylabel="error of a speed / %", xlim=(2, 1e4), ylim=(None, 4000))
    legend_above(axes)
    return picture.finish("Fixed steps in the gearbox; dotted: limits by theory", None)


@PAPER.item(
    "Section 2.2.1",
    "What the statements owe to numbers that are not printed",
    shows="4 s with 4000 output intervals and DASSL at a tolerance of 1e-6; inertias, ratios, torques and pressures "
    "are not printed",
    basis="reconstruction",
)
def section_2_2_1(quick: bool) -> Finding:
    """The statements on Figures 10 to 14 in gearboxes drawn at random, other laws, other beginnings of bristles."""
    rows = {key: held(key, quick) for key in FACTS}
    count = next(iter(rows.values())).size
    together = np.sum(list(rows.values()), axis=0)
    without = np.sum([found for key, found in rows.items() if key != "stiffer higher"], axis=0)
    shares = {key: 100 * float(found.mean()) for key, found in rows.items()}
    mostly = sum(value >= 75 for value in shares.values())
    return Finding(
        text=(
            f"{draws(quick)} gearboxes were drawn at random: {RANGES}. {count} of them go through the three gears of "
            f"Table 5. Of the {len(FACTS)} statements on Figures 8 to 14 {mostly} hold in three quarters of these and "
            "more, so they do not hang on numbers that are not printed. No gearbox has more than "
            f"{together.max()} of them. That stiffer bristles give higher peaks of acceleration (Figure 14) holds in "
            f"{shares['stiffer higher']:.0f} %; the opposite, and larger torques of C1 (Figure 12), go together: the "
            f"load is accelerated more where C1 rises higher. The best box has {without.max()} of the other "
            f"{len(FACTS) - 1}."
        ),
        claims=[_by_dassl(quick)],
        tables=[
            titled_table(
                f"Statements on Figures 8 to 14 in {count} gearboxes drawn at random",
                ["statement", "true / %"],
                [[WORDS[key], round(value, 1)] for key, value in shares.items()],
            ),
            titled_table(
                "Other laws and other beginnings of bristles (largest torque / N·m, acceleration of the load / "
                "(rad/s²))",
                ["law", "bristles begin", "ramps 0.1 s: torque", "acceleration", "at once: torque", "acceleration"],
                _other_laws(quick),
            ),
        ],
        headline=(
            f"Of what the paper says about the gearbox {mostly} of {len(FACTS)} statements hold in at least three "
            f"quarters of {count} gearboxes drawn at random; that stiffer bristles kick the load harder holds in "
            f"{shares['stiffer higher']:.0f} %."
        ),
    )


WORDS = {
    "alike": "standard and LuGre clutches behave alike (Figure 8)",
    "slower": "shifts are slower with standard clutches (Figure 9)",
    "C2 alike": "torque of C2 without difference (Figure 10)",
    "C1 peaks": "C1 has peaks where a shift begins (Figure 10)",
    "above 5": "LuGre clutches exceed 5 N·m (Figures 10, 11)",
    "B1 stuck": "B1 has a peak when it gets stuck (Figure 11)",
    "B1 shift": "B1 has a peak where a shift begins (Figure 11)",
    "B2 swings": "B2 swings after the shift (Figure 11)",
    "soft C1": "softer: larger peaks of C1 (Figure 12)",
    "soft B1": "softer: smaller peak of B1 when it gets stuck (Figure 12)",
    "soft faster": "softer: shifts take less time than with standard clutches (Figure 12)",
    "weak C1": "weaker damping: smaller peaks of C1 (Figure 13)",
    "weak stuck": "weaker damping: larger peaks when elements get stuck (Figure 13)",
    "weak swings": "weaker damping: torques swing (Figure 13)",
    "weak time": "weaker damping: shifts take the same time (Figure 13)",
    "weak load": "weaker damping: the speed of the load swings (Figure 13)",
    "higher": "the load is accelerated more than with standard clutches (Figure 14)",
    "soft higher": "the same with soft bristles (Figure 14)",
    "stiffer higher": "stiffer bristles give higher peaks of acceleration (Figure 14)",
    "negative": "weaker damping: the acceleration becomes negative (Figure 14)",
}
"""The statements in words."""


def _by_dassl(quick: bool) -> Claim:
    """The whole run by a code of DASSL's family at the tolerance of the paper."""
    what = "DASSL at a tolerance of 1e-6 takes the gearbox with LuGre clutches through 4 s"
    code, t_end = best_code(), 1.7 if quick else 4.0
    if code is None:
        return unchecked(what, NEEDS_CODE)
    model, law = gearbox(table_6()), table_6()
    course = by_dassl(model, SPEEDS, t_end=t_end, tolerance=1e-6, sigma0=float(law.sigma0), interval=1e-3)
    worst = max(_off(course, name) for name in SPEEDS)
    return judged(
        what,
        SAME,
        1.0 if course.stopped else worst,
        course.stopped or f"{code}: {course.steps} steps to {t_end:g} s, speeds right to {100 * worst:.1g} %",
        because="it stops or errs on our gearbox",
    )


def _off(course: ModelCourse, name: str) -> float:
    exact = np.asarray(fine(PRINTED)[name])
    return float(np.abs(course.outputs[name] - fine(PRINTED).at(course.time, name)).max() / np.ptp(exact))


def _other_laws(quick: bool) -> list[list[str | float]]:
    """Largest torque and acceleration with other laws, for pressures that rise within 0.1 s and at once."""
    mu = {"mu_c": 0.5, "mu_s": 0.5}
    bristles = {"sigma0": 1e5, "sigma1": 300.0, **mu}
    laws: list[tuple[str, Any, str]] = [
        ("Coulomb", None, "steady"),
        ("LuGre", table_6(), "frozen"),
        ("LuGre", table_6(), "steady"),
        ("Dahl", sb.Dahl(sigma0=1e5, mu_c=0.5), "frozen"),
        ("ElastoPlastic", sb.ElastoPlastic(**bristles, z_ba=4e-6), "frozen"),
        ("ElastoPlastic", sb.ElastoPlastic(**bristles, z_ba=4e-6), "steady"),
        ("Hybrid", sb.Hybrid(**mu), "steady"),
    ]
    words = {"frozen": "as they were", "steady": "as they slide"}
    rows: list[list[str | float]] = []
    for name, law, engage in laws[: 3 if quick else None]:
        row: list[str | float] = [name, words[engage] if name in ("LuGre", "ElastoPlastic", "Dahl") else ""]
        for closing in (0.1, 0.0):
            result = shift(law, engage=engage, closing=closing, tolerance=1e-7)
            row += [max(peak(result, f"{e}.tau") for e in ("C1", "C2", "B1", "B2")), result.extremes["load.a"]["max"]]
        rows.append(row)
    return rows
