"""Presliding: displacement under a small force that comes and goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

import numpy as np

from ...signals.table import Table
from .bench import LawBench
from .experiment import DISPLACEMENT, Experiment, MeasuredCurve, PlotAxis, PropertyVerdict, without_rounding

SHARES = 0.01, 0.02
"""The forces, as shares of break-away."""
RETURN = 0.1
"""Share of the displacement that may be left, and by which it may deviate from the force."""


class Displacement(NamedTuple):
    """Displacement (m) under the force, and what is left without it."""

    there: float
    left: float


@dataclass(frozen=True, eq=False)
class SmallForce(Experiment):
    """Displacement under small forces that come and go."""

    name = "small force"
    text = (
        f"A force of {100 * SHARES[0]:g} % and one of {100 * SHARES[1]:g} % of break-away comes within 10 s, stays "
        "for 10 s and goes within 10 s. How far is the body displaced, and how much of that is left?"
    )
    criteria: ClassVar = {
        "presliding": f"It moves, in proportion to the force within {100 * RETURN:g} %; less than {100 * RETURN:g} % "
        "is left."
    }
    x = DISPLACEMENT
    y = PlotAxis("force", "N")

    displacements: tuple[Displacement, Displacement]
    forces: tuple[float, float]

    @classmethod
    def measure(cls, bench: LawBench) -> Self:
        """Runs the experiment."""
        times = np.linspace(0, 40, 401)
        curves, found, forces = [], [], []
        for share in SHARES:
            force = share * bench.break_away
            course = Table(time=[0, 10, 20, 30], value=[0, force, force, 0])
            place = without_rounding(np.asarray(bench.under_force([course], times)["body.s"]))
            there, left = np.interp([20.0, 40.0], times, place)
            found.append(Displacement(float(there), float(left)))
            forces.append(force)
            applied = np.interp(times, course.time, course.value)
            curves.append(MeasuredCurve(f"{100 * share:g} % of break-away", place, applied))
        return cls(tuple(curves), (found[0], found[1]), (forces[0], forces[1]))

    @property
    def moves(self) -> bool:
        """Whether the body moves at all."""
        return self.displacements[1].there > 0

    @property
    def stiffness(self) -> float:
        """Force over displacement (N/m)."""
        return self.forces[1] / abs(self.displacements[1].there)

    @property
    def verdicts(self) -> dict[str, PropertyVerdict]:
        """The properties that follow from the curves."""
        if not self.moves:
            return {"presliding": PropertyVerdict(False, "does not move below break-away")}
        small, large = self.displacements
        ratio, left = large.there / small.there / (SHARES[1] / SHARES[0]), abs(large.left / large.there)
        elastic = abs(ratio - 1) < RETURN and left < RETURN
        text = f"{large.there:.3g} m at {100 * SHARES[1]:g} % of break-away, {left:.2g} of it left without the force"
        return {"presliding": PropertyVerdict(bool(elastic), text)}
