"""Section 7: conclusions."""

from __future__ import annotations

from ..paper import Finding, titled_table
from ..scorecard import statement, unchecked
from ._clutch_items import cycle
from ._laws import properties
from ._paper import PAPER
from .clutch import ClutchCycle


@PAPER.item(
    "Section 7",
    "Conclusions",
    shows="the modified model keeps all other properties of the original one, meets all requirements, and simulates "
    "all phases of a clutch continuously",
    basis="reconstruction",
)
def section_7(quick: bool) -> Finding:
    """Properties of both laws by experiment; the cycle without a mode change."""
    found, run = properties(), cycle()
    original, modified = found["elasto-plastic"], found["modified elasto-plastic"]
    has, lacks = ([name for name, here in modified.items() if here is wanted] for wanted in (True, False))
    return Finding(
        text=f"By experiment the modified law has {', '.join(has)}, but not {', '.join(lacks)}; the original one "
        f"{'likewise' if original == modified else 'does not agree'}. The cycle is one run of one law without modes.",
        claims=[
            statement(
                "all other properties of the original model remain",
                original == modified,
                f"of {len(modified)} properties both have {', '.join(has)}",
                note="by the experiments of stribeck laws, with default parameters; viscous friction needs sigma2 > 0",
                otherwise="refuted",
            ),
            statement(
                "all operation phases are simulated continuously",
                not run.events and run.time[-1] == ClutchCycle().end,
                f"{len(run.events)} mode changes, {run.statistics.steps} steps for {run.time[-1]:g} s",
                otherwise="refuted",
            ),
            unchecked(
                "remarkably good agreement with experiments in the abstract's words",
                "no measured value is printed",
            ),
        ],
        tables=[
            titled_table(
                "Properties, by experiment",
                ["property", *found],
                [[name, *("yes" if law[name] else "no" for law in found.values())] for name in modified],
            )
        ],
    )
