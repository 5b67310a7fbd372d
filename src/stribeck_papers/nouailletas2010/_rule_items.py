"""Sections 2.1 and 2.2: the changes of mode, and the rules for Sigma, p0 and Te."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..rules import EXACT, SAME, WITHIN
from ..scorecard import Claim, judged, statement
from ._cycles import as_printed
from ._paper import PAPER
from ._rule_pictures import plot_figure_1, plot_figure_2, plot_section_2_2
from .friction import at_speed, coasting, controlled, hybrid, ideal, limit_cycle, stick_slip
from .two_modes import TwoModes, alternating

SIGMA, P0, TE, U_MAX, F_C, F_S = 2e-3, 1e3, 1e-3, 2.0, 1.0, 1.5
"""Of Table 1, with m = 1 kg."""
SAFE = SIGMA / (U_MAX + F_S)
"""The largest step (s) that cannot jump over the window: friction helps the force to reverse the speed."""


@PAPER.item(
    "Figure 1",
    "The machine of two modes",
    shows=(
        "Two states: motionless (mode 0) and sliding (mode 1). The condition C_0-1 leads from 0 to 1, C_1-0 back; each "
        "mode has its own equations."
    ),
    equations=("(4)", "(6)", "(7)", "(10)"),
)
def figure_1(quick: bool) -> Finding:
    """The machine, with how often a run takes each way."""
    changes = [(e.from_, e.to) for e in _hunting().events if e.time > 0]
    starts, stops = sum(a == "Stuck" for a, _ in changes), sum(b == "Stuck" for _, b in changes)
    other = len(changes) - starts - stops
    return Finding(
        text=(
            f"In 60 s of the limit cycle of Figure 5 the machine leaves mode 0 {starts} times and comes back {stops} "
            "times. The conditions are those of (7) and (10); the law Hybrid has them."
        ),
        claims=[
            statement(
                "sliding and motionless are the only states, and it changes only between them",
                other == 0 and starts > 0,
                f"{starts} changes from 0 to 1, {stops} from 1 to 0, {other} others",
                otherwise="refuted",
                where="Section 2.1",
            )
        ],
        picture=plot_figure_1(starts, stops),
        alt=(
            "Two boxes, mode 0 (motionless) and mode 1 (sliding), with their equations. An arrow from 0 to 1 has the "
            f"condition |u| > f_s and |v| < Sigma_2, one back has (7). A run of 60 s takes them {starts} and {stops} "
            "times."
        ),
    )


@cache
def _hunting() -> sb.Result:
    """A limit cycle, which passes both directions."""
    return limit_cycle(hybrid(), t_end=60.0, intervals=60_000)


@PAPER.item(
    "Figure 2",
    "The map of the two modes",
    shows=(
        "Force and speed as a plane: in the grey zone the system is motionless (mode 0), elsewhere it slides (mode 1). "
        "It is captured only where it is slower than Sigma while the force is below f_c; it slides again only when "
        "the force exceeds f_s; a change of direction passes through mode 0."
    ),
    equations=("(5)", "(7)", "(8)"),
)
def figure_2(quick: bool) -> Finding:
    """All changes of mode in a limit cycle, which passes both directions."""
    result = _hunting()
    sides = {"Forward": 1, "Backward": -1}
    caught = [(sides[e.from_], *_place(result, e.time)) for e in result.events if e.to == "Stuck"]
    freed = [_place(result, e.time) for e in result.events if e.from_ == "Stuck" and e.time > 0]
    sliding = float(sb.simulate(at_speed(ideal(), 0.1), t_end=1.0)["friction.f"][-1])
    direct = sum({a.to, b.to} == {"Forward", "Backward"} for a, b in pairwise(result.events))
    claims = [
        statement(
            "it is captured only below Sigma and under a force below f_c",
            all(0 <= side * v < SIGMA * 1.001 and side * u < F_C for side, u, v in caught),
            f"captured {len(caught)} times, at speeds up to {1e3 * max(abs(v) for _, _, v in caught):.3g} mm/s and "
            f"forces up to {max(side * u for side, u, _ in caught):.3g} N",
            otherwise="refuted",
            where="Section 2.1, (7)",
        ),
        statement(
            "it slides again only when the force exceeds f_s",
            all(abs(u) > F_S - 1e-3 for u, _ in freed),
            f"released {len(freed)} times, never below {min(abs(u) for u, _ in freed):.4f} N",
            otherwise="refuted",
            where="Section 2.1, (8)",
        ),
        judged(
            "far above v_s friction tends to f_c + f_v v",
            EXACT,
            sliding / (F_C + 0.4 * 0.1) - 1,
            f"{sliding:.6f} N at 0.1 m/s, a hundred times v_s; f_c + f_v v = {F_C + 0.4 * 0.1:g} N",
            printed="f_c sign(v) + f_v v",
            otherwise="refuted",
            where="Section 2.1, (5)",
        ),
        judged(
            "it breaks away only below Sigma_2 = 2 % of Sigma",
            WITHIN,
            max(max(abs(v) for _, v in freed) - 0.02 * SIGMA, 0.0),
            f"speeds up to {max(abs(v) for _, v in freed):.2g} m/s, Sigma_2 = {0.02 * SIGMA:g} m/s",
            otherwise="refuted",
            where="Section 2.2, (10)",
        ),
        statement(
            "a change of direction passes through mode 0",
            direct == 0,
            f"{direct} direct changes among {len(result.events)} changes of mode",
            otherwise="refuted",
            where="Section 2.1, (7)",
        ),
    ]
    return Finding(
        text=(
            f"In 60 s of the limit cycle of Figure 5 the mass is captured {len(caught)} times and released "
            f"{len(freed)} times, always within the limits of the map. The picture has the path of the run in it."
        ),
        claims=claims,
        picture=plot_figure_2(_one_cycle(), SIGMA, F_C, F_S),
        alt=(
            "Plane of force and speed. Grey zones, where the mass is captured, lie between 0 and Sigma for forces "
            "below f_c and mirrored below. One cycle of the run goes round it: it slides until it enters the zone, "
            "falls to speed 0, and leaves at f_s = 1.5 N."
        ),
    )


def _one_cycle() -> sb.Result:
    """A cycle on a grid that shows how fast mode 0 stops the mass."""
    return sb.simulate(controlled(hybrid()), times=[0.0, *np.linspace(40.0, 66.0, 130_001)])


def _place(result: sb.Result, time: float) -> tuple[float, float]:
    """Force (N) and speed (m/s) at a time."""
    return float(result.at(time, "motor.f")), float(result.at(time, "mass.v"))


@PAPER.item(
    "Section 2.2",
    "Rules for the simulation parameters",
    shows=(
        "Three rules (11): p_0 > 5/T_s, so that the speed has gone after one sample; Sigma < delta_x p_0, so that the "
        "sensor does not resolve the displacement in mode 0; m Sigma > u_max T_e, so that no step jumps over the "
        "window when the speed changes its sign."
    ),
    equations=("(9)", "(10)", "(11)"),
)
def section_2_2(quick: bool) -> Finding:
    """Mode 0 alone, reversals under a strong force at many steps, and the model as printed compared with the ideal."""
    free = coasting()
    left = [abs(float(free.at(n / P0, "mass.v"))) / SIGMA for n in (4, 5)]
    way = float(free["mass.s"][-1])
    steps = [0.2e-3, 0.5e-3, 0.95e-3, 1.5e-3] if quick else [1e-4 * k for k in range(2, 17)]
    span = 20.0 if quick else 60.0
    missed = {step: _missed(U_MAX, step, span) for step in sorted({*steps, 0.99 * SAFE, 0.95e-3, 1.5e-3})}
    kept, beyond, strong = missed[0.95e-3], missed[1.5e-3], _missed(10.0, 0.95e-3, span)
    claims = [
        judged(
            "with p_0 = 5/T_s at most 2 % of Sigma are left after T_s",
            WITHIN,
            max(left[1] - 0.02, 0.0),
            f"{100 * left[1]:.2f} % are left",
            printed="2 %",
            otherwise="refuted",
            note=f"n = 4 would do, with {100 * left[0]:.2f} %",
            where="Section 2.2, (9)",
        ),
        judged(
            "in mode 0 the system moves by less than Sigma/p_0",
            WITHIN,
            max(way - SIGMA / P0, 0.0),
            f"{1e6 * way:.4g} µm; Sigma/p_0 = {1e6 * SIGMA / P0:g} µm",
            printed="Sigma/p_0",
            otherwise="refuted",
        ),
        statement(
            "with too long steps the speed changes its sign without mode 0",
            beyond[1] > 0,
            f"{beyond[1]} of {beyond[0]} reversals under 2 N missed at T_e = 1.5 ms",
            otherwise="refuted",
        ),
        statement(
            "m Sigma > u_max T_e ensures that no change of sign is missed",
            kept[1] == 0,
            f"{kept[1]} of {kept[0]} reversals missed at T_e = 0.95 ms, where u_max T_e = {U_MAX * 0.95e-3:g} "
            f"is below m Sigma = {SIGMA:g}",
            printed="m Sigma > u_max T_e",
            otherwise="refuted",
            because=(
                "the rule leaves friction out, but when the speed is turned round friction acts with the force: a step "
                f"changes it by up to (u_max + f_s) T_e/m. With T_e = {1e3 * 0.99 * SAFE:.3f} ms, just below "
                f"m Sigma/(u_max + f_s), {missed[0.99 * SAFE][1]} of {missed[0.99 * SAFE][0]} are missed"
            ),
            where="Section 2.2, (11)",
        ),
        statement(
            "an input force without bound breaks the rule, and changes of sign are missed",
            strong[1] > kept[1],
            f"{strong[1]} of {strong[0]} reversals missed under 10 N at the same step",
            otherwise="refuted",
        ),
        _ideal(),
        *_costs(quick),
    ]
    return Finding(
        text=(
            f"Mode 0 does what the text says: the speed falls to {100 * left[1]:.2f} % within 5/p_0, over a distance "
            f"of {1e6 * way:.2f} µm. The rule for the step is not safe, because it leaves friction out; m Sigma > "
            "(u_max + f_s) T_e is. An Euler step needs p_0 T_e < 2 on top of that, which the rules do not mention. Our "
            "own solvers need none of these: they locate the changes of mode, or solve for them in the step."
        ),
        claims=claims,
        picture=plot_section_2_2(free, SIGMA, missed, SIGMA / U_MAX, SAFE),
        headline=(
            f"The paper's rule for the step, m Σ > u_max T_e, is not safe: at a step that keeps it, {kept[1]} of "
            f"{kept[0]} reversals jump over the window, because friction helps the force. m Σ > (u_max + f_s) T_e is."
        ),
        alt=(
            f"Left: the speed in mode 0 falls to {100 * left[1]:.2f} % of Sigma within 5/p_0. Right: share of "
            f"reversals that are missed over the step; none up to {1e3 * SAFE:.2f} ms, where friction is counted, some "
            f"from there to {1e3 * SIGMA / U_MAX:g} ms, which the printed rule allows."
        ),
        tables=[
            titled_table(
                "Reversals under 2 N",
                ["T_e / ms", "reversals", "without mode 0"],
                [[round(1e3 * h, 4), *n] for h, n in missed.items()],
            )
        ],
    )


def _missed(force: float, step: float, t_end: float) -> tuple[int, int]:
    """Reversals under a force (N) that changes its sign, and how many of them without mode 0."""
    return TwoModes(step=step).run(alternating(force), t_end).reversals(SIGMA)


def _ideal() -> Claim:
    """The model as printed, with Table 1, compared with the ideal one."""
    true = [
        np.diff(stick_slip(ideal()).crossings("mass.v", 0.1, +1))[-1],
        np.diff(limit_cycle(ideal()).crossings("mass.s", 1.0, +1))[-1],
    ]
    printed, prompt = as_printed(True), as_printed(False)
    off, rest = ([100 * (a / b - 1) for a, b in zip(periods, true, strict=True)] for periods in (printed, prompt))
    return judged(
        "with this tuning the simulation respects the ideal model",
        SAME,
        max(map(abs, off)) / 100,
        f"stick-slip {printed[0]:.3f} s ({off[0]:+.1f} %), limit cycle {printed[1]:.2f} s ({off[1]:+.1f} %)",
        otherwise="refuted",
        note=(
            "periods, with Euler steps of 1 ms. In the first step after break-away the sign of the speed is 0, and "
            "friction with it: that is most of the difference. With friction in that step too it is "
            f"{rest[0]:+.1f} % and {rest[1]:+.1f} %"
        ),
    )


def _costs(quick: bool) -> list[Claim]:
    """Steps of an explicit adaptive solver over p0, and of ours over Sigma."""

    def steps(law: sb.Hybrid, solver: str | None = None) -> int:
        run = sb.simulate(controlled(law), t_end=30.0, intervals=300, tolerance=1e-6, solver=solver)
        return int(run.statistics.steps)

    poles = [1e2, 1e3, 1e4] if quick else [1e2, 1e3, 1e4, 1e5]
    explicit, implicit = ([steps(hybrid(p0=p0), solver) for p0 in poles] for solver in ("dopri5", "rodas5p"))
    narrow, wide = steps(hybrid(Sigma=2e-5)), steps(hybrid(Sigma=2e-2))
    return [
        statement(
            "the higher p_0, the longer the computation",
            all(fewer < more for fewer, more in pairwise(explicit)),
            "steps of an explicit method (Dormand and Prince): "
            + ", ".join(f"{n} with p_0 = {p0:.0e}" for n, p0 in zip(explicit, poles, strict=True)),
            otherwise="refuted",
            note=(
                "its steps stay below about 3/p_0 in mode 0. An implicit method has no such limit: "
                f"{implicit[0]} and {implicit[-1]} steps at the ends of this range"
            ),
        ),
        statement(
            "a lower Sigma makes the simulation longer",
            narrow > wide,
            f"{wide} steps with Sigma = 2e-2 m/s, {narrow} with 2e-5 m/s",
            otherwise="refuted",
        ),
    ]
