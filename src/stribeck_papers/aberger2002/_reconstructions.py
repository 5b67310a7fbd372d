"""Gearboxes drawn at random: which statements of the paper are true in how many of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import stribeck as sb

from ._gearbox_runs import LAWS, PRINTED, SOFT, STANDARD, WEAK
from ._measures import overshoot, peak
from .gearbox import gearbox

STATEMENTS = (
    "C1 exceeds 5 N·m (Figure 10)",
    "largest torque of C2 within 1 % (Figure 10)",
    "B1 peaks above the standard brake (Figure 11)",
    "B2 swings with the printed damping (Figure 11)",
    "softer: larger peaks of C1 (Figure 12)",
    "softer: smaller peak of B1 (Figure 12)",
    "weaker damping: smaller peaks of C1 (Figure 13)",
    "weaker damping: B1 or B2 swing further (Figure 13)",
    "higher acceleration than standard: soft bristles (Figure 14)",
    "weaker damping: negative acceleration, standard clutches none (Figure 14)",
    "stiffer: higher peaks of acceleration (Figure 14)",
)


class GearboxParameters(NamedTuple):
    """What the paper does not print: inertias (kg.m2), torque (N.m), load (N.m.s/rad), ramp (s)."""

    engine: float
    members: float
    load: float
    torque: float
    drag: float
    closing: float

    def run(self, name: str) -> sb.Result:
        """4 s with one of the four kinds of clutches."""
        members = dict.fromkeys(("ring1", "sun", "carrier2"), self.members)
        inertias = {"engine": self.engine, "load": self.load, **members}
        model = gearbox(LAWS[name], inertias=inertias, closing=self.closing)
        sb.set_parameter(model, "motor.tau", self.torque)
        sb.set_parameter(model, "drag.d", self.drag)
        return sb.simulate(model, tolerance=1e-7, intervals=8000, energy=False)


def boxes(count: int) -> list[GearboxParameters]:
    """A number of gearboxes, the same in every run."""
    draw = np.random.default_rng(2002)
    found = []
    for _ in range(count):
        engine = 10 ** draw.uniform(-1.7, 0.7)
        members, load = engine * 10 ** draw.uniform(-2, -0.5), engine * 10 ** draw.uniform(0, 1.5)
        others = draw.uniform(1, 3.5), 10 ** draw.uniform(-2, -0.7), 10 ** draw.uniform(-1.7, -0.5)
        found.append(GearboxParameters(engine, members, load, *others))
    return found


def holds(box: GearboxParameters) -> dict[str, bool]:
    """Which statements are true in a gearbox."""
    runs = {name: box.run(name) for name in LAWS}
    c1, c2, b1, a = (
        {name: peak(result, output) for name, result in runs.items()}
        for output in ("C1.tau", "C2.tau", "B1.tau", "load.a")
    )
    swings = {name: _swings(result, runs[STANDARD]) for name, result in runs.items()}
    least = {name: result.extremes["load.a"]["min"] for name, result in runs.items()}
    facts = (
        c1[PRINTED] > 5.0 * (1 + 1e-6),
        abs(c2[PRINTED] / c2[STANDARD] - 1) < 0.01,
        b1[PRINTED] > 1.001 * b1[STANDARD],
        swings[PRINTED][1] > swings[STANDARD][1] + 0.005,
        c1[SOFT] > c1[PRINTED],
        b1[SOFT] < b1[PRINTED],
        c1[WEAK] < c1[PRINTED],
        max(swings[WEAK]) > max(swings[PRINTED]),
        a[SOFT] > 1.001 * a[STANDARD],
        least[WEAK] < -1e-6 <= min(least[STANDARD], least[PRINTED]),
        a[PRINTED] > a[SOFT],
    )
    return dict(zip(STATEMENTS, map(bool, facts), strict=True))


def _swings(result: sb.Result, standard: sb.Result) -> tuple[float, float]:
    """How far B1 and B2 swing after they get stuck, at the times at which standard brakes do."""
    stuck = {event.element: event.time for event in standard.events if event.to == "Stuck"}
    found = [
        overshoot(result, f"{name}.tau", stuck[name] - 1e-3, 0.1) if name in stuck else 0.0 for name in ("B1", "B2")
    ]
    return found[0], found[1]
