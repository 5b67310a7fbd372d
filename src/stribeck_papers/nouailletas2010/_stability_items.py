"""Section 4.1: friction that holds the springs, (41) to (44)."""

from __future__ import annotations

import numpy as np

import stribeck as sb

from ..paper import Finding
from ..rules import ABOUT, SAME
from ..scorecard import Claim, judged, statement
from ._mechanism_pictures import plot_equation_44
from ._paper import PAPER
from .actuator import RATIO
from .mechanism import Mechanism, let_go

WORST = 52.5
"""The angle (rad) at which the springs leave most over, by the friction that holds it."""
SAFE = 1.05
"""How far above a limit a coefficient of friction is taken."""


def needed(parts: Mechanism) -> float:
    """The least mu_c by (44) at the worst angle."""
    force_1, residue = (np.interp(RATIO * WORST, parts.x, curve) for curve in (parts.force_1, parts.residue))
    return float(residue / (force_1 * (1 + parts.sigma)))


def stays(mu_c: float, mu_v: float = 0.0) -> bool:
    """Whether the rack stays where it is without torque; the motor does not rub."""
    result = let_go(Mechanism(mu_c=mu_c, mu_v=mu_v, motor=0), theta=WORST, t_end=0.02)
    return bool(np.ptp(np.asarray(result["rack.s"])) < 1e-9)


def least(low: float, high: float, mu_v: float, rounds: int) -> float:
    """The least mu_c with which it stays, by halving."""
    for _ in range(rounds):
        middle = (low + high) / 2
        low, high = (low, middle) if stays(middle, mu_v) else (middle, high)
    return (low + high) / 2


@PAPER.item(
    "Equation 44",
    "Friction that holds the springs",
    shows=(
        "Without torque the rack must stay where it is. From a function that falls along every motion, (42) and (43), "
        "the least coefficient of friction follows: what the springs leave over, by F_1 (1 + sigma)."
    ),
    basis="reconstruction",
    equations=("(41)", "(42)", "(43)", "(44)"),
)
def equation_44(quick: bool) -> Finding:
    """The rack released at rest and from a push, with friction around the limit."""
    rule, sigma = needed(Mechanism()), Mechanism().sigma
    rounds = 4 if quick else 9
    found = [least(0.7 * rule, 1.3 * rule, mu_v, rounds) for mu_v in (0.0, 5.0)]
    accuracy = 0.6 * rule / 2**rounds
    pushes = {
        factor: let_go(Mechanism(mu_c=factor * rule, motor=0), theta=WORST, v=-0.02, t_end=0.4)
        for factor in (SAFE, SAFE * (1 + sigma))
    }
    runs = {
        "a push, (44) kept": pushes[SAFE],
        "a push, (44) without 1 + σ kept": pushes[SAFE * (1 + sigma)],
        "from rest, (44) kept": let_go(Mechanism(mu_c=SAFE * rule, motor=0), theta=WORST, t_end=0.4),
        "from rest, (44) broken": let_go(Mechanism(mu_c=rule / SAFE, motor=0), theta=WORST, t_end=0.4),
    }
    return Finding(
        text=(
            f"At {WORST:g} rad the springs leave most over for the friction there. (44) asks for mu_c > {rule:.5f}; "
            f"the simulated rack stays from {found[0]:.5f} on. That is the condition for a start from rest. Once it "
            "moves, friction is mu_c F_1, without 1 + sigma, and (44) does not bring it to rest."
        ),
        claims=[
            judged(
                "a rack at rest stays there if mu_c is above (44)",
                ABOUT,
                found[0] / rule - 1,
                f"least mu_c by simulation {found[0]:.5f}, by (44) {rule:.5f}, searched to {accuracy:.1g}",
                printed="(44)",
                otherwise="refuted",
            ),
            judged(
                "viscous friction does not change (44)",
                SAME,
                found[1] / found[0] - 1,
                f"least mu_c with mu_v = 5 s/m {found[1]:.5f}, without {found[0]:.5f}",
                otherwise="refuted",
            ),
            _falls(pushes, sigma),
            _over_compensated(),
            *_prestress(),
        ],
        picture=plot_equation_44(Mechanism(), runs),
        alt=(
            "Left: least coefficient of friction over the way by (44), and without 1 + sigma; the mu_c of Figure 12 "
            "is above the first and at one place below the second. Right: the rack released from rest stays if (44) "
            "is kept, but a push sets it going all the same."
        ),
    )


def _falls(pushes: dict[float, sb.Result], sigma: float) -> Claim:
    """Whether the kinetic energy falls along every motion."""
    fastest = [float(np.abs(np.asarray(run["rack.v"])).max()) for run in pushes.values()]
    ways = [1e3 * float(np.ptp(np.asarray(run["rack.s"]))) for run in pushes.values()]
    return statement(
        "with (44) V falls along every motion, so that the rack comes to rest",
        fastest[0] < 0.0201,
        f"pushed back by 20 mm/s it reaches {1e3 * fastest[0]:.0f} mm/s and runs over {ways[0]:.1f} mm, with mu_c 5 % "
        f"above (44); with 1 + sigma left out of (44) it stops after {ways[1]:.2f} mm",
        printed="dV/dt < 0",
        otherwise="refuted",
        where="Section 4.1, (43), (44)",
        because=(
            "(43) takes the break-away friction mu_c (1 + sigma) F_1 at every speed, but in (41) it acts at rest only: "
            f"beyond v_s the springs win unless mu_c is {1 + sigma:g} times larger. In practice the friction of the "
            "motor, which (44) leaves out, makes up for it"
        ),
    )


def _over_compensated() -> Claim:
    """A clutch that has become weaker, so that the springs drive the rack forward."""
    parts = Mechanism(wear=0.6, mu_c=0.05, motor=0)
    rule = float((parts.residue / (parts.force_1 * (1 + parts.sigma)))[np.searchsorted(parts.x, RATIO * 40.0)])
    run = let_go(parts, theta=40.0, t_end=0.1)
    way = 1e3 * float(np.asarray(run["rack.s"])[-1] - RATIO * 40.0)
    return statement(
        "(44) is enough for both signs of what the springs leave over",
        abs(way) < 1e-6,
        f"with a clutch at 60 % of its force (44) asks for mu_c > {rule:.3f} only, and with mu_c = {parts.mu_c:g} the "
        f"rack runs forward by {way:.1f} mm",
        printed="F_2 - F_1 tan(alpha)",
        otherwise="refuted",
        where="Section 4.1, (43), (44)",
        because="the size of F_2 - F_1 tan(alpha) counts, not its sign; (43) also has that sign reversed against (40)",
    )


def _prestress() -> list[Claim]:
    """The compensator without prestress: its force ends before the range does."""
    full = Mechanism()
    lost = float((full.force_1[0] - full.force_1[-1]) / full.force_1[0])
    weak = Mechanism(prestress=lost, motor=0)
    rule = np.abs(weak.residue[:-1]) / (weak.force_1[:-1] * (1 + weak.sigma))
    ways = [
        1e3 * float(np.ptp(np.asarray(let_go(parts, theta=62.0, t_end=0.1)["rack.s"])))
        for parts in (weak, Mechanism(motor=0))
    ]
    return [
        statement(
            "the compensator must be prestressed: where F_1 is 0 no friction holds the rack",
            ways[0] > 1.0 and ways[1] < 1e-6,
            f"with F_1 = 0 at the end of the way (44) asks for mu_c up to {rule.max():.2g}; released at 62 rad, the "
            f"rack runs over {ways[0]:.1f} mm, with the prestress of Table 4 over {ways[1]:.1g} mm",
            otherwise="refuted",
        )
    ]
