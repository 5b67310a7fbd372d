"""Table 1: the parameters of stick-slip and limit cycle, and the rules (11) with these numbers."""

from __future__ import annotations

import stribeck as sb

from ..aberger2002.bearing import BEARING, PULL, STIFFNESS
from ..paper import Finding
from ..rules import EXACT
from ..scorecard import Claim, judged, statement
from ._paper import PAPER
from ._rule_items import P0, SIGMA, TE, U_MAX
from .friction import ideal, limit_cycle, lugre, stick_slip


@PAPER.item(
    "Table 1",
    "Parameters of the first tests",
    shows="Mass, friction, spring, controller, bristles of LuGre and simulation parameters of Figures 4 and 5.",
    equations=("(11)", "(12)", "(13)"),
)
def table_1(quick: bool) -> Finding:
    """The bristles as they are named there, the rules (11) with these numbers, and the largest force."""
    swapped = stick_slip(lugre(sigma0=1e5**0.5, sigma1=1e5), t_end=30.0)
    fastest, right = swapped.extremes["mass.v"]["max"], slips(lugre())
    return Finding(
        text=(
            "The names of stiffness and damping are exchanged, and one of the rules of Section 2.2 is met with "
            "equality. With the names put right the table gives Figures 4 and 5."
        ),
        claims=[
            statement(
                "stiffness of the bristles is sigma_1 = 1e5 N/m, damping sigma_0 = sqrt(1e5) Ns/m",
                fastest > 0.1,
                f"taken so in (12) the mass does not slip in 30 s: its speed stays below {fastest:.2g} m/s",
                printed="sigma_1 = 1e5 N/m, sigma_0 = sqrt(1e5) Ns/m",
                otherwise="misprint",
                because=(
                    "the names are exchanged: in (12) sigma_0 is the stiffness, and the units in the table say so too. "
                    f"The other way round the mass overtakes the pull {right} times in 28 s"
                ),
                corrected="sigma_0 = 1e5 N/m, sigma_1 = sqrt(1e5) Ns/m",
            ),
            statement(
                "the parameters keep the rule (11) for the step: m Sigma > u_max T_e",
                SIGMA > U_MAX * TE * (1 + 1e-9),
                f"{SIGMA:g} against {U_MAX * TE:g}",
                printed="m Sigma > u_max T_e",
                otherwise="contradicts itself",
                because="the two sides are equal: the table sits on the limit, and beyond what is safe (Section 2.2)",
                basis="arithmetic",
                where="Table 1, (11)",
            ),
            _largest_force(),
            *_open_rules(),
            _elsewhere(),
        ],
    )


def slips(law: sb.LuGre) -> int:
    """How often the mass overtakes the pull."""
    return int(stick_slip(law).crossings("mass.v", 0.1, +1).size)


def _largest_force() -> Claim:
    """The force that the spring has and the controller asks for."""
    pulled, free = stick_slip(ideal()).extremes["spring.f"], limit_cycle(ideal(), t_end=120.0, u_max=10.0)
    late = free.time > 30.0
    needed = {"stick-slip": -pulled["min"], "the limit cycle": float(abs(free["motor.f"][late]).max())}
    first, limited = (limit_cycle(ideal(), t_end=120.0, u_max=u).extremes["motor.f"]["max"] for u in (10.0, U_MAX))
    return statement(
        "the input force is at most u_max = 2 N",
        limited <= U_MAX * (1 + 1e-9) and max(needed.values()) < U_MAX,
        f"stick-slip needs {needed['stick-slip']:.3g} N, the limit cycle {needed['the limit cycle']:.3g} N",
        printed="2 N",
        otherwise="contradicts itself",
        because="the cycles need more than the table allows",
        basis="put in",
        note=f"the controller is limited to it; with x_d = 1 m, which is ours, it would start with {first:.3g} N",
    )


def _open_rules() -> list[Claim]:
    """The two rules of (11) whose right-hand sides are not printed for these tests."""
    return [
        statement(
            "the parameters keep the rule (11) for p_0: p_0 > 5/T_s",
            False,
            f"with p_0 = {P0:g} rad/s it holds from T_s = {1e3 * 5 / P0:g} ms on",
            printed="p_0 > 5/T_s",
            otherwise="not determined",
            because="T_s of these tests is not printed; for T_s = T_e = 1 ms it would be broken",
            basis="arithmetic",
            where="Table 1, (11)",
        ),
        statement(
            "the parameters keep the rule (11) for Sigma: Sigma < delta_x p_0",
            False,
            f"it holds for sensors coarser than {1e6 * SIGMA / P0:g} µm",
            printed="Sigma < delta_x p_0",
            otherwise="not determined",
            because="delta_x of these tests is not printed",
            basis="arithmetic",
            where="Table 1, (11)",
        ),
    ]


def _elsewhere() -> Claim:
    """The same numbers in another paper that says where they come from."""
    ours = {"sigma0": 1e5, "sigma1": 1e5**0.5, "tau_v": 0.4, "tau_c": 1.0, "tau_s": 1.5, "w_s": 1e-3}
    pairs = [(ours[name], value) for name, value in BEARING.items()] + [(2.0, STIFFNESS), (0.1, PULL)]
    off = max(abs(theirs / own - 1) for own, theirs in pairs if own != 1e5**0.5)
    return judged(
        "the parameters are those of Canudas de Wit et al. (1995)",
        EXACT,
        off,
        f"all {len(pairs)} numbers of friction and spring are those of aberger2002, which repeats the simulations of "
        f"that paper (sigma_1 = {BEARING['sigma1']:g} there)",
        otherwise="contradicts itself",
        because="two papers say so of different numbers",
        basis="arithmetic",
        note="two papers that print them independently; the paper of 1995 itself is not at hand",
        where="Section 2.3",
    )
