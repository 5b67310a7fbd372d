"""The periods, and what the paper concludes from them: the end of Section III, Section IV."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import stribeck as sb
from stribeck.reports import DataTable

from ..paper import Finding, titled_table
from ..rules import ABOUT, MUCH, SAME, VISIBLE
from ..scorecard import Claim, judged, number, share, statement
from ._ensemble import DV, LIMITS, PRINTED, S2, SIGMA2, STIFFNESS, V_P, V_S, K, Rigs, drawn, periods, rigs
from ._other_reading import compare_readings
from ._paper import PAPER
from ._pictures import plot_periods, plot_rigs
from ._rig_items import converged, run_of
from .rig import PULL, friction_curve, laws, period, rig, stick_slip

LONG = 40.0
"""Time of the runs whose period counts (s): slow cycles, too, come several times."""
COARSE = {False: ("rodas5p", "dopri5", "scipy-lsoda", "scipy-radau", "scipy-bdf"), True: ("rodas5p", "scipy-bdf")}
"""Solvers to run at a coarse tolerance; True: in the quick form."""
Periods = dict[str, float]


def _period(law: sb.laws.Law, k: float = 2.0, v_p: float = PULL, **options: Any) -> float:
    span = LONG * 2.0 * PULL / (k * v_p)
    return period(stick_slip(law, t_end=span, k=k, v_p=v_p, **{"tolerance": 1e-8} | options), v_p)


def _periods(k: float = 2.0, v_p: float = PULL, **parameters: float) -> Periods:
    """Periods (s) of the three models that stick and slip."""
    models = laws(**parameters)
    return {name: _period(models[name], k, v_p) for name in PRINTED}


class Fit(NamedTuple):
    """What gives the printed periods: the speed limit (m/s) by 8.15 s, then sigma2 (N.s/m) by 6.52 s."""

    dv: float
    sigma2: float
    v_s: float
    """The Stribeck speed (m/s) with which LuGre has 6.12 s at sigma2 = 0.5 N.s/m."""


@cache
def _fit() -> Fit:
    def missing(name: str, parameter: str, **others: float) -> Callable[[float], float]:
        return lambda x: _period(laws(**{parameter: x}, **others)[name]) - float(PRINTED[name])

    dv = _root(missing("improved Dahl", "dv"), 0.008, 0.012)
    sigma2 = _root(missing("simplified LuGre", "sigma2", dv=dv), 0.4, 0.6)
    return Fit(dv, sigma2, _root(missing("LuGre", "v_s"), 5e-4, 1e-3))


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    from scipy.optimize import brentq

    return float(brentq(function, low, high, xtol=1e-7))


@PAPER.item(
    "Section III",
    "Three periods",
    shows="Under the same conditions a cycle of stick-slip takes about 6.12 s with the LuGre model, 8.15 s with the "
    "improved Dahl model and 6.52 s with the simplified one. The long cycle of the improved Dahl model is put down to "
    "friction that falls at the speed limit only.",
    basis="reconstruction",
    equations=("(2)", "(3)", "(4)"),
)
def section_3(quick: bool) -> Finding:
    """Periods, the parameters that they imply, and what makes the longest of them long."""
    ours = {name: float(np.diff(run_of(name).crossings("mass.v", PULL, direction=+1))[1]) for name in PRINTED}
    fit, found = _fit(), rigs(quick)
    readings = compare_readings({name: float(text) for name, text in PRINTED.items()}, ours, quick)
    golden = converged("improved Dahl", 0.4) | converged("simplified LuGre", 0.4)
    part = 100 * found.all_three.sum() / found.tried
    return Finding(
        text=f"With sigma2 = 0.5 N·s/m and a speed limit of 0.01 m/s the periods are {ours['LuGre']:.4f}, "
        f"{ours['improved Dahl']:.4f} and {ours['simplified LuGre']:.4f} s. These two parameters were solved for: 8.15 "
        f"s needs a limit of {fit.dv:.5f} m/s, and 6.52 s then sigma2 = {fit.sigma2:.4f} N·s/m.\n\nThat both are "
        f"round is no proof. {found.tried} rigs were drawn, k from {STIFFNESS[0]:g} to {STIFFNESS[1]:g} N/m and dv "
        f"from {LIMITS[0]:g} to {LIMITS[1]:g} m/s: for {part:.0f} % of them there is a pull, a sigma2 and a Stribeck "
        f"speed with which all three periods are met. {_possible(found)} If F in the rates of (2) and (4) is read as "
        f"sigma0 z alone, no parameters were found that come nearer to all three than {100 * readings.off:.1f} %, and "
        f"these have a speed limit of {readings.dv:g} m/s at a pull of 0.1 m/s.",
        claims=[
            _lugre_period(ours["LuGre"], fit, found, quick),
            *(
                number(
                    f"period with the {name} model",
                    PRINTED[name],
                    ours[name],
                    "s",
                    rule=ABOUT,
                    basis="put in",
                    note=f"{parameter} was fitted to it",
                    otherwise="not determined",
                )
                for name, parameter in (("improved Dahl", "the speed limit"), ("simplified LuGre", "sigma2"))
            ),
            *_reasons(ours),
            _order(quick),
        ],
        picture=plot_periods({name: run_of(name) for name in PRINTED}, {n: float(t) for n, t in PRINTED.items()}, ours),
        tables=[_parameter_table(fit), readings.table],
        converged=golden,
        headline=f"Three printed periods determine no parameter: {part:.0f} % of {found.tried} drawn rigs can meet all "
        f"of them, with sigma2 from {_range(found.possible[S2])} N·s/m and pulls from {_range(found.possible[V_P])} "
        "m/s.",
        alt="Displacement over time under three models, and periods: "
        + ", ".join(f"{name} {ours[name]:.3f} s (printed {text})" for name, text in PRINTED.items()),
    )


def _range(values: np.ndarray) -> str:
    return f"{values.min():.2g} to {values.max():.2g}"


def _possible(found: Rigs) -> str:
    """What the rigs that give all three periods have in common."""
    values = found.possible
    ratio = np.quantile(values[V_S] / values[DV], [0.05, 0.95])
    return (
        f"They have pulls of {_range(values[V_P])} m/s, sigma2 of {_range(values[S2])} N·s/m and Stribeck speeds of "
        f"{_range(values[V_S])} m/s; 90 % of them a Stribeck speed of {ratio[0]:.2f} to {ratio[1]:.2f} times the limit."
    )


def _lugre_period(ours: float, fit: Fit, found: Rigs, quick: bool) -> Claim:
    """The period that no parameter was fitted to."""
    others = {solver: period(stick_slip("LuGre", solver=solver, tolerance=1e-3)) for solver in COARSE[quick]}
    near = [ABOUT.holds(t / float(PRINTED["LuGre"]) - 1) for t in found.lugre]
    return share(
        "period with the LuGre model",
        near,
        f"{found.lugre.size} rigs that have the other two periods, within 10 % of it",
        printed=f"{PRINTED['LuGre']} s",
        because=f"no parameter is printed: on these rigs it is {found.lugre.min():.2f} to {found.lugre.max():.2f} s, "
        f"on the usual one {ours:.4f} s; {100 * found.all_three.mean():.0f} % of them meet it with a Stribeck speed of "
        f"0.1 to 10 mm/s (the usual one with {1e3 * fit.v_s:.3f} instead of 1 mm/s); coarse solvers do not explain it "
        f"({', '.join(others)} at a tolerance of 1e-3 give {min(others.values()):.2f} to {max(others.values()):.2f} s)",
        where="Section III",
    )


@PAPER.item(
    "Section III: parameters",
    "What the three periods say about the rig",
    shows="No parameter is printed; the three periods were found under the same conditions.",
    basis="ensemble",
)
def section_3_parameters(quick: bool) -> Finding:
    """Rigs that give all three periods."""
    found = rigs(quick)
    values = found.possible
    used = {K: 2.0, V_P: PULL, S2: 0.5, DV: 0.01, V_S: _fit().v_s}
    rows = [[path, *(f"{q:.3g}" for q in np.quantile(values[path], [0, 0.05, 0.5, 0.95, 1]))] for path in used]
    return Finding(
        text="Each model has one parameter that the others have not: the improved Dahl model the speed limit alone, "
        "the simplified one sigma2 too, LuGre the Stribeck speed. With stiffness and limit drawn, the pull follows "
        f"from 8.15 s, sigma2 from 6.52 s and the Stribeck speed from 6.12 s. {_possible(found)}",
        claims=[
            statement(
                "one rig gives the three periods",
                bool(found.all_three.any()),
                f"for {100 * found.all_three.sum() / found.tried:.0f} % of {found.tried} drawn pairs of k and dv",
                printed="6.12, 8.15 and 6.52 s",
                because="no rig within the ranges gives them",
                where="Section III",
            )
        ],
        picture=plot_rigs(values, [(K, V_P), (DV, S2), (DV, V_S)], used),
        tables=[titled_table("Rigs with the three periods", ["", "least", "5 %", "median", "95 %", "most"], rows)],
        alt=f"Three scatter plots of {values[K].size} rigs that give the printed periods: pull falls with stiffness, "
        "sigma2 depends little on the speed limit, the Stribeck speed grows with it.",
    )


def _reasons(ours: Periods) -> list[Claim]:
    """What makes the cycle of the improved Dahl model long: its threshold, or that it has no viscous friction."""
    plain = laws(sigma2=0.0)
    without, indifferent = _period(plain["LuGre"]), _period(plain["improved Dahl"])
    again = _period(plain["LuGre"], solver="scipy-radau", tolerance=1e-6)
    longer = ours["improved Dahl"] - ours["LuGre"]
    left = (ours["improved Dahl"] - without) / longer
    switch = [_period(sb.Switch(mu_c=1.0, mu_s=1.5, mu_v=viscous)) for viscous in (0.0, 0.5)]
    return [
        statement(
            "the improved Dahl model takes longer because friction falls at the threshold only",
            left > 0.5,
            f"of {longer:.2f} s more, {longer * left:.2f} s are left if LuGre has no viscous friction either "
            f"({without:.3f} s, by Radau {again:.3f} s)",
            otherwise="refuted",
            because=f"{100 * (1 - left):.0f} % come from viscous friction, which the improved Dahl model has not in "
            f"steady sliding: with sigma2 = 0 its period is {indifferent:.3f} s, and true stick with Coulomb friction "
            f"goes from {switch[1]:.3f} to {switch[0]:.3f} s",
        )
    ]


def _order(quick: bool) -> Claim:
    """Whether the simplified model is the closer one for other parameters, too."""
    values = drawn(100 if quick else 1000)
    found = {name: periods(name, values) for name in PRINTED}
    simplified, improved = (np.abs(found[name] - found["LuGre"]) for name in ("simplified LuGre", "improved Dahl"))
    low, high = SIGMA2
    return share(
        "the period of the simplified model is closer to LuGre than that of the improved Dahl model",
        (simplified < improved).tolist(),
        f"{simplified.size} rigs, k from {STIFFNESS[0]:g} to {STIFFNESS[1]:g} N/m, sigma2 from {low:g} to {high:g} "
        "N·s/m, with other pulls, limits and Stribeck speeds",
        because="if the Stribeck speed is far from the speed limit, the straight pieces are no nearer",
    )


def _parameter_table(fit: Fit) -> DataTable:
    """Periods for the parameters that were considered."""
    choices: dict[str, dict[str, float]] = {
        "usual parameters, sigma2 = 0.4": {"sigma2": 0.4},
        "sigma2 = 0.5, dv = 0.01 m/s: used": {},
        f"sigma2 = 0.5, v_s = {1e3 * fit.v_s:.3f} mm/s": {"v_s": fit.v_s},
        "sigma2 = 0.53": {"sigma2": 0.53},
        "k = 1.6, v_p = 0.14, dv = 0.0186, sigma2 = 0.483": {"k": 1.6, "v_p": 0.14, "dv": 0.0186, "sigma2": 0.483},
        "k = 2.2, v_p = 0.09, dv = 0.0134, sigma2 = 0.506": {"k": 2.2, "v_p": 0.09, "dv": 0.0134, "sigma2": 0.506},
    }
    rows = [[text, *(f"{t:.3f}" for t in _periods(**choice).values())] for text, choice in choices.items()]
    return titled_table(
        "Periods (s) for other parameters", ["parameters", *PRINTED], [["printed", *PRINTED.values()], *rows]
    )


@PAPER.item(
    "Section IV",
    "Closer to LuGre, and simpler",
    shows="The simplified model describes static, Coulomb and viscous friction and approximately the Stribeck effect; "
    "its results are closer to the LuGre model than those of Dahl's and of the improved Dahl model; its simulation is "
    "simpler.",
    basis="reconstruction",
)
def section_4(quick: bool) -> Finding:
    """Distances from LuGre in three measures, and what an integrator has to do."""
    motion, curve = _distances(quick)
    cycles = {name: abs(_period(law) - _period(laws()["LuGre"])) for name, law in laws().items()}
    measures = (cycles, motion, curve)
    effort = {name: _effort(name) for name in ("LuGre", "simplified LuGre")}
    heads = ["model", "period / s", "displacement, RMS over 25 s / m", "steady friction, RMS to 0.4 m/s / N"]
    rows = [[name, *(f"{value[name]:.3g}" for value in measures)] for name in cycles if name != "LuGre"]
    slow, limit, fast = friction_curve("simplified LuGre", [1e-4, 0.01, 0.4])
    lugre, simple = effort["LuGre"], effort["simplified LuGre"]
    return Finding(
        text="The table has the distance of each model from LuGre. The simplified model is the nearest in "
        f"{sum(map(_nearest, measures))} of {len(measures)} measures; Dahl's, which never sticks, is nearer than the "
        f"improved Dahl model in {sum(m['Dahl'] < m['improved Dahl'] for m in measures)}. For an explicit integrator "
        f"the fastest motion of the simplified model is one of {simple.rate:.0f} 1/s, that of LuGre, whose bristles "
        f"relax with sigma0 |v|/F_c, one of {lugre.rate:.0f} 1/s.",
        claims=[
            judged(
                "the simplified model has static and Coulomb friction",
                SAME,
                max(abs(float(slow) / 1.5 - 1), abs(float(limit) - 1)),
                f"{slow:.3f} N at 0.1 mm/s, {limit:.3f} N at 10 mm/s",
                otherwise="refuted",
                basis="put in",
            ),
            judged(
                "and viscous friction",
                VISIBLE,
                float(fast - limit) / 1.5,
                f"{limit:.3f} N at 10 mm/s, {fast:.3f} N at 0.4 m/s",
                otherwise="refuted",
                note="less than sigma2 says: (4)",
                basis="put in",
            ),
            statement(
                "its results are closer to LuGre than those of Dahl's and the improved Dahl model",
                all(map(_nearest, measures)),
                f"displacement apart by {motion['simplified LuGre']:.3f} m, Dahl {motion['Dahl']:.3f} m, improved Dahl "
                f"{motion['improved Dahl']:.3f} m",
                otherwise="not determined",
                because="not in all of three measures",
            ),
            judged(
                "the simulation of the simplified model is simpler than that of LuGre",
                MUCH,
                min(simple.step / lugre.step, lugre.steps / simple.steps),
                f"largest step of Runge-Kutta 4 {1e3 * simple.step:.2g} ms against {1e3 * lugre.step:.2g} ms; "
                f"Dormand-Prince needs {simple.steps} steps against {lugre.steps}",
                otherwise="refuted",
                because="an explicit integrator needs as many steps",
                note="for an explicit integrator; an implicit one sees little of it. Blocks are counted in Figure 8",
            ),
        ],
        tables=[titled_table("Distance from the LuGre model", heads, rows)],
        headline=f"Its advantage is another one: fed back, the whole friction slows the bristle down from "
        f"{lugre.rate:.0f} to {simple.rate:.0f} 1/s, so an explicit method needs {lugre.steps / simple.steps:.0f} "
        "times fewer steps than with LuGre.",
    )


def _nearest(distance: Periods) -> bool:
    return min((name for name in distance if name != "LuGre"), key=lambda name: distance[name]) == "simplified LuGre"


def _distances(quick: bool) -> tuple[Periods, Periods]:
    """From LuGre, root of the mean square: displacement (m) over the run, and steady friction (N) over speed."""
    speed = np.linspace(1e-3, 0.4, 20 if quick else 80)
    place = {name: np.asarray(run_of(name)["mass.s"]) for name in laws()}
    curve = {name: friction_curve(name, speed) for name in laws()}
    return _apart(place), _apart(curve)


def _apart(values: dict[str, np.ndarray]) -> Periods:
    return {name: float(np.sqrt(np.mean((value - values["LuGre"]) ** 2))) for name, value in values.items()}


class Effort(NamedTuple):
    """Fastest motion (1/s), largest step of Runge-Kutta 4 (s), and steps of an explicit method in 25 s."""

    rate: float
    step: float
    steps: int


def _effort(name: str) -> Effort:
    report = sb.analysis.check_realtime(rig(name), "1 ms", methods=[])
    assert report.fastest is not None
    steps = stick_slip(name, solver="dopri5", tolerance=1e-6).statistics.steps
    return Effort(abs(report.fastest.eigenvalue), report.steps["ode4"], steps)
