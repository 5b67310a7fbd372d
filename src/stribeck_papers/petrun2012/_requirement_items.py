"""Section 2: what the friction model must fulfil."""

from __future__ import annotations

from ..paper import Finding
from ..rules import SAME
from ..scorecard import Claim, judged, statement, unchecked
from ._c_joint import c_joint_claim
from ._coupling import damper_limit, distance, exudyn_installed, largest_stable, not_installed, scan, steps, whole
from ._laws import properties
from ._paper import PAPER
from .clutch import SPEED, TestBed

JOINED = (
    "The friction element is a joint of Exudyn here, as it was one of AVL EXCITE in the paper; section 5 shows both "
    "codes side by side."
)
JOINT = (
    "the friction model can be a joint between two parts of a multi-body system",
    "velocities and displacements are its only input, a torque is its output",
    "it allows a stable numerical process",
)


@PAPER.item(
    "Section 2",
    "Requirements",
    shows="seven requirements: a joint between two parts, fed by velocities and displacements alone, that gives a "
    "torque, has all important effects, is stable, has friendly parameters, and agrees with measurements",
    basis="reconstruction",
)
def section_2(quick: bool) -> Finding:
    """The joint in a multi-body code, and the effects that the law has."""
    law = properties()["modified elasto-plastic"]
    has, lacks = ([name for name, here in law.items() if here is wanted] for wanted in (True, False))
    return Finding(
        text=(f"{JOINED} " if exudyn_installed() else "")
        + f"Of the {len(law)} properties of friction that were tested the law has {', '.join(has)}.",
        claims=[
            *(_joint(quick) if exudyn_installed() else not_installed(*JOINT)),
            c_joint_claim(),
            unchecked(
                "it accounts for all important friction effects",
                f"which effects are important is not said; by experiment it has {', '.join(has)}, and not "
                f"{', '.join(lacks)}",
                where="Section 2, requirement 4",
            ),
            unchecked(
                "its parameters are as user-friendly as possible",
                "a matter of taste; it has five and kappa",
                where="Section 2, requirement 6",
            ),
            unchecked("it agrees well with measurements", "no measured value is printed"),
        ],
        headline=f"By experiment the law has {len(has)} of {len(law)} properties of friction, not {', '.join(lacks)}.",
    )


def _joint(quick: bool) -> list[Claim]:
    bed, step = whole(quick)
    together, found, h = distance(bed, step, "iterated"), scan(quick), steps(quick)
    stable = {name: largest_stable(h, ones) for name, ones in found.items()}
    speed_only, both = found["held"][-1].slip, found["predicted"][-1].slip
    return [
        judged(
            JOINT[0],
            SAME,
            together.speeds / SPEED,
            f"as a joint between two discs in Exudyn: speeds within {together.speeds:.2g} rad/s of one run of all",
            otherwise="refuted",
            where="Section 2, requirement 1",
        ),
        judged(
            JOINT[1],
            SAME,
            both / SPEED,
            f"slip within {both:.2g} rad/s of one run of all, with speed alone {speed_only:.2g} rad/s "
            f"(steps of {1e3 * h[-1]:g} ms)",
            note="with bristles they are enough; the normal force is a function of time within the joint",
            otherwise="refuted",
            where="Section 2, requirements 2 and 3",
        ),
        statement(
            JOINT[2],
            stable["iterated"] == h[0] and stable["held"] > 0,
            ", ".join(f"{name} up to {1e3 * value:g} ms" for name, value in stable.items()),
            note=f"largest steps of the scan without ringing; a held torque must ring from 2 J/d = "
            f"{1e3 * damper_limit(TestBed()):.2f} ms on",
            otherwise="refuted",
            where="Section 2, requirement 5",
        ),
    ]
