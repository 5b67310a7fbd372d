"""Sections 2.1 and 2.2, Table 1: the changes of mode, and the rules for Sigma, p0 and Te."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..scorecard import Claim, statement, unchecked
from ._cycles import as_printed
from ._paper import PAPER
from ._rule_pictures import plot_figure_2, plot_section_2_2
from .friction import at_speed, coasting, controlled, hybrid, ideal, limit_cycle, lugre, stick_slip
from .two_modes import TwoModes, alternating

SIGMA, P0, TE, U_MAX, F_C, F_S = 2e-3, 1e3, 1e-3, 2.0, 1.0, 1.5
"""Of Table 1, with m = 1 kg."""
SAFE = SIGMA / (U_MAX + F_S)
"""The largest step (s) that cannot jump over the window: friction helps the force to reverse the speed."""


@PAPER.item(
    "Figure 2",
    "The map of the two modes",
    shows=(
        "Force and speed as a plane: in the grey zone the system is motionless (mode 0), elsewhere it slides (mode 1). "
        "It is captured only where it is slower than Sigma while the force is below f_c; it slides again only when "
        "the force exceeds f_s; a change of direction passes through mode 0."
    ),
)
def figure_2(quick: bool) -> Finding:
    """All changes of mode in a limit cycle, which passes both directions."""
    result = limit_cycle(hybrid(), t_end=60.0, intervals=60_000)
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
        ),
        statement(
            "it slides again only when the force exceeds f_s",
            all(abs(u) > F_S - 1e-3 for u, _ in freed),
            f"released {len(freed)} times, never below {min(abs(u) for u, _ in freed):.4f} N",
        ),
        statement(
            "far above v_s friction tends to f_c + f_v v",
            abs(sliding - (F_C + 0.4 * 0.1)) < 1e-9,
            f"{sliding:.6f} N at 0.1 m/s, a hundred times v_s; f_c + f_v v = {F_C + 0.4 * 0.1:g} N",
            printed="(5)",
        ),
        statement(
            "it breaks away only below Sigma_2 = 2 % of Sigma",
            all(abs(v) < 0.02 * SIGMA * 1.001 for _, v in freed),
            f"speeds up to {max(abs(v) for _, v in freed):.2g} m/s, Sigma_2 = {0.02 * SIGMA:g} m/s",
        ),
        statement(
            "a change of direction passes through mode 0",
            direct == 0,
            f"{direct} direct changes among {len(result.events)} changes of mode",
        ),
    ]
    return Finding(
        text=(
            f"In 60 s of the limit cycle of Figure 5 the mass is captured {len(caught)} times and released "
            f"{len(freed)} times, always within the limits of the map. The picture has the path of the run in it."
        ),
        claims=claims,
        picture=plot_figure_2(_one_cycle(), SIGMA, F_C, F_S),
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
        statement(
            "with p_0 = 5/T_s at most 2 % of Sigma are left after T_s",
            left[1] < 0.02,
            f"{100 * left[1]:.2f} % are left",
            note=f"n = 4 would do, with {100 * left[0]:.2f} %",
        ),
        statement(
            "in mode 0 the system moves by less than Sigma/p_0",
            way <= SIGMA / P0,
            f"{1e6 * way:.4g} µm; Sigma/p_0 = {1e6 * SIGMA / P0:g} µm",
        ),
        statement(
            "with too long steps the speed changes its sign without mode 0",
            beyond[1] > 0,
            f"{beyond[1]} of {beyond[0]} reversals under 2 N missed at T_e = 1.5 ms",
        ),
        statement(
            "m Sigma > u_max T_e ensures that no change of sign is missed",
            kept[1] == 0,
            f"{kept[1]} of {kept[0]} reversals missed at T_e = 0.95 ms, where u_max T_e = {U_MAX * 0.95e-3:g} "
            f"is below m Sigma = {SIGMA:g}",
            because=(
                "the rule leaves friction out, but when the speed is turned round friction acts with the force: a step "
                f"changes it by up to (u_max + f_s) T_e/m. With T_e = {1e3 * 0.99 * SAFE:.3f} ms, just below "
                f"m Sigma/(u_max + f_s), {missed[0.99 * SAFE][1]} of {missed[0.99 * SAFE][0]} are missed"
            ),
        ),
        statement(
            "an input force without bound breaks the rule, and changes of sign are missed",
            strong[1] > kept[1],
            f"{strong[1]} of {strong[0]} reversals missed under 10 N at the same step",
        ),
        _ideal(),
        *_costs(),
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
    return statement(
        "with this tuning the simulation respects the ideal model",
        max(map(abs, off)) < 2,
        f"stick-slip {printed[0]:.3f} s ({off[0]:+.1f} %), limit cycle {printed[1]:.2f} s ({off[1]:+.1f} %)",
        note=(
            "within 2 %, with Euler steps of 1 ms. In the first step after break-away the sign of the speed is 0, and "
            "friction with it: that is most of the difference. With friction in that step too it is "
            f"{rest[0]:+.1f} % and {rest[1]:+.1f} %"
        ),
    )


def _costs() -> list[Claim]:
    """Evaluations of our adaptive solver over p0 and over Sigma."""

    def work(law: sb.Hybrid) -> int:
        return int(limit_cycle(law, tolerance=1e-7).statistics.rhs_evaluations)

    fast, slow = work(hybrid(p0=1e5)), work(hybrid(p0=1e2))
    narrow, wide = work(hybrid(Sigma=2e-5)), work(hybrid(Sigma=2e-2))
    return [
        statement(
            "the higher p_0, the longer the computation",
            fast > 1.25 * slow,
            f"{slow} evaluations with p_0 = 1e2, {fast} with 1e5",
            because=(
                "an explicit method needs steps below 2/p_0 in mode 0, an implicit one does not: ours takes the decay "
                "in its stride"
            ),
        ),
        statement(
            "a lower Sigma makes the simulation longer",
            narrow > 1.25 * wide,
            f"{wide} evaluations with Sigma = 2e-2 m/s, {narrow} with 2e-5 m/s",
        ),
    ]


@PAPER.item(
    "Table 1",
    "Parameters of the first tests",
    shows="Mass, friction, spring, controller, bristles of LuGre and simulation parameters of Figures 4 and 5.",
)
def table_1(quick: bool) -> Finding:
    """The bristles as they are named there, and the rules (11) with these numbers."""
    swapped = stick_slip(lugre(sigma0=1e5**0.5, sigma1=1e5), t_end=30.0)
    fastest, right = swapped.extremes["mass.v"]["max"], slip(lugre())
    needed = {
        "stick-slip": stick_slip(ideal()).extremes["spring.f"],
        "limit cycle": limit_cycle(ideal(), t_end=60.0).extremes["motor.f"],
    }
    forces = {name: max(-e["min"], e["max"]) for name, e in needed.items()}
    claims = [
        statement(
            "stiffness of the bristles is sigma_1 = 1e5 N/m, damping sigma_0 = sqrt(1e5) Ns/m",
            fastest > 0.1,
            f"taken so in (12) the mass does not slip in 30 s: its speed stays below {fastest:.2g} m/s",
            printed="sigma_1, sigma_0",
            because=(
                "the names are exchanged: in (12) sigma_0 is the stiffness, and the units in the table say so too. The "
                f"other way round the mass overtakes the pull {right} times in 28 s"
            ),
        ),
        statement(
            "m Sigma > u_max T_e",
            SIGMA > U_MAX * TE * (1 + 1e-9),
            f"{SIGMA:g} against {U_MAX * TE:g}",
            printed="(11)",
            because="the two sides are equal: the table sits on the limit, and beyond what is safe (Section 2.2)",
        ),
        statement(
            "the input force is at most u_max = 2 N",
            max(forces.values()) <= U_MAX,
            f"{forces['stick-slip']:.3g} N in stick-slip, {forces['limit cycle']:.3g} N in the limit cycle",
            printed="2 N",
            because=(
                "the controller starts with K_p x_d; x_d is not printed, we take 1 m. The limit cycle does not depend "
                "on it"
            ),
        ),
        unchecked(
            "p_0 > 5/T_s",
            f"T_s of these tests is not printed; with p_0 = {P0:g} it holds from T_s = {1e3 * 5 / P0:g} ms on",
            printed="(11)",
        ),
        unchecked(
            "Sigma < delta_x p_0",
            f"delta_x is not printed; it holds for sensors coarser than {1e6 * SIGMA / P0:g} µm",
            printed="(11)",
        ),
        unchecked("the parameters are those of Canudas de Wit et al. (1995)", "that paper is not available"),
    ]
    return Finding(
        text=(
            "The names of stiffness and damping are exchanged, and one of the rules of Section 2.2 is met with "
            "equality. With the names put right the table gives Figures 4 and 5."
        ),
        claims=claims,
    )


def slip(law: sb.LuGre) -> int:
    """How often the mass overtakes the pull."""
    return int(stick_slip(law).crossings("mass.v", 0.1, +1).size)
