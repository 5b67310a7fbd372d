"""What Tables 2 and 3 count: as printed, and of our runs."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

import stribeck as sb

from .bearing import BEARING, INTERVALS, T_END, rig
from .dassl import Trail, dassl, dassl_bearing_friction
from .rounding import stepped, steps_of

STEPS = {"RKFIX4": 1e-3, "EULER": 0.9e-3, "MIXED": 2e-3}
"""The steps of the paper (s) ..."""
STAGES = {"RKFIX4": 4, "EULER": 1, "MIXED": 1}
"""... and evaluations of the equations in each."""


class Printed(NamedTuple):
    """A column of Table 2 or 3, as printed: seconds, milliseconds for each interval, and counts."""

    cpu: str
    cpu_interval: str
    points: str
    steps: str
    equations: str
    relations: str
    events: str
    smallest: str
    largest: str
    order: str
    jacobians: str = ""


TABLE_2 = {
    "DASSL": Printed("0.909", "0.363", "2587", "1732", "5626", "4962", "43", "1.58e-7", "1.19", "5", "595"),
    "RKFIX4": Printed("1.23", "0.494", "2537", "25000", "100000", "25020", "19", "1e-3", "1e-3", "4"),
    "EULER": Printed("1.09", "0.436", "2586", "30000", "30000", "30044", "43", "0.1e-3", "0.9e-3", "1"),
    "MIXED": Printed("0.875", "0.360", "2531", "12500", "12500", "12518", "17", "2e-3", "2e-3", "1"),
}
TABLE_3 = {
    "DASSL": Printed("0.847", "0.339", "2519", "303", "905", "2864", "9", "1.79e-6", "4.1", "5", "120"),
    "RKFIX4": Printed("1.24", "0.498", "2517", "25000", "100000", "25010", "9", "1e-3", "1e-3", "4"),
    "EULER": Printed("1.22", "0.489", "2519", "30000", "30000", "30010", "9", "0.1e-3", "0.9e-3", "1"),
}


NAMES = {
    "points": "result points",
    "steps": "steps",
    "equations": "F-evaluations",
    "relations": "H-evaluations",
    "jacobians": "Jacobian evaluations",
    "events": "state events",
    "smallest": "smallest step",
    "largest": "largest step",
    "order": "order",
}

BANDS = (1e-8, 2e-9, 5e-10, 2e-10)
"""By how much dz/dt (1e-5 rad/s) has to pass zero for an event; Dymola's own value is not printed."""
FIRST_STEPS = (0.0, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
"""After an event (s); 0 is a thousandth of the way to the next point of the grid, DASSL's own choice."""


class Counts(NamedTuple):
    """What a run of DDASPK counts, by the names of the tables."""

    steps: int
    equations: int
    relations: int
    jacobians: int
    events: int
    smallest: float
    largest: float
    order: int

    @classmethod
    def of(cls, trail: Trail) -> Counts:
        """The code of the paper evaluates relations at every result point, too."""
        relations = trail.relations + INTERVALS + 1
        sizes = trail.smallest, trail.largest
        return cls(trail.steps, trail.evaluations, relations, trail.jacobians, trail.events, *sizes, trail.order)


@cache
def bristles() -> dict[tuple[int, float], Counts]:
    """Of Table 2, by the number of states and the band of the relation."""
    return {
        (states, band): Counts.of(dassl(1e-6, states=states, band=band, grid=False, code="DDASPK"))
        for states in (3, 4, 5)
        for band in BANDS
    }


@cache
def true_stick() -> dict[tuple[int, float], Counts]:
    """Of Table 3, by the number of states and the first step after an event."""
    return {
        (states, first): Counts.of(
            dassl_bearing_friction(1e-6, states=states, first_step=first, grid=False, code="DDASPK")
        )
        for states in (2, 3, 4)
        for first in FIRST_STEPS
    }


def of_grid(method: str, events: int) -> dict[str, float]:
    """What follows from the grid of the paper for a fixed step, and from the number of events."""
    sizes = [part for _, part in steps_of(STEPS[method])]
    steps = len(sizes)
    counts = {"steps": steps, "equations": STAGES[method] * steps, "relations": steps + events + 1}
    return {**counts, "smallest": min(sizes), "largest": max(sizes)}


def on_grid(changes: np.ndarray) -> int:
    """How many of some instants (s) are points of the grid."""
    cells = changes * INTERVALS / T_END
    return int(np.count_nonzero(np.abs(cells - np.round(cells)) < 1e-6))


def order_with_bristles(method: str) -> float:
    """From three runs of 20 ms, each with half the step of the one before."""
    return _order([float(stepped(method, h, t_end=0.02).phi[-1]) for h in (2.5e-4, 1.25e-4, 0.625e-4)])


def order_with_true_stick(method: str) -> float:
    """The same of the kernel on 0.8 s in which the mass slides on BearingFriction."""
    model = rig(truly())
    sb.set_parameter(model, "mass.w0", 0.3)
    name = {"RKFIX4": "ode4", "EULER": "ode1"}[method]
    runs = [model.realtime(h=h, method=name, energy=False).run(t_end=0.8) for h in (0.04, 0.02, 0.01)]
    return _order([float(run["mass.phi"][-1]) for run in runs])


def _order(ends: list[float]) -> float:
    coarse, middle, fine = ends
    return float(np.log2((coarse - middle) / (middle - fine)))


def truly() -> sb.Switch:
    """BearingFriction of the paper."""
    return sb.Switch(tau_c=BEARING["tau_c"], tau_s=BEARING["tau_s"], tau_v=BEARING["tau_v"])


def relation_changes(run: sb.Result) -> np.ndarray:
    """When relations of the state machine of the Modelica library change (s): static torque exceeded and speed positive
    where the bearing breaks away, speed zero where it stops."""
    return np.repeat(run.events.time, [{"Forward": 2, "Stuck": 1}[event.to] for event in run.events])
