"""What the study is."""

from __future__ import annotations

from ..paper import Collection

COLLECTION = Collection(
    key="across",
    title="Across the papers: every law on one rig, and why your LuGre is wrong",
    summary=(
        "Three of the papers pull a mass of 1 kg by a spring of 2 N/m at 0.1 m/s over a surface with a Coulomb "
        "friction of 1 N and a static friction of 1.5 N. Here every law of the package is run on this rig, with what "
        "it shows and what it costs; then the ways in which a simulation of LuGre's law goes wrong, each with its "
        "number."
    ),
    highlights=("Tolerance", "Laws", "First step", "Rounding", "Explicit steps"),
)
