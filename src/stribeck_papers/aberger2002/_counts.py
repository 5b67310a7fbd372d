"""What Tables 2 and 3 count: as printed, and of our runs."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

import stribeck as sb

from .bearing import INTERVALS
from .dassl import Trail
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


class Counts(NamedTuple):
    """What ours count, in the order of the tables."""

    steps: int
    equations: int
    events: int
    smallest: float
    largest: float
    order: float
    relations: int = 0
    jacobians: int = 0


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


def of_trail(trail: Trail, coarser: Trail) -> Counts:
    """Of IDA; its order is 5 if a run with orders up to 4 takes other steps."""
    states = trail.states.shape[1]
    equations = trail.residuals + states * trail.jacobians  # DASSL counts those for Jacobians by differences too
    order = 5 if coarser.steps != trail.steps else 4
    relations = trail.relations + INTERVALS + 1  # the code of the paper evaluates them at every result point, too
    sizes = trail.smallest, trail.largest
    return Counts(trail.steps, equations, trail.events, *sizes, order, relations, trail.jacobians)


@cache
def of_steps(method: str, events: int) -> Counts:
    """Of a fixed-step method on the grid of the paper, with the events that a run has had."""
    sizes = [part for _, part in steps_of(STEPS[method])]
    relations = len(sizes) + events + 1
    order = observed_order(method)
    return Counts(len(sizes), STAGES[method] * len(sizes), events, min(sizes), max(sizes), order, relations)


def observed_order(method: str) -> float:
    """From three runs of 20 ms, each with half the step of the one before."""
    coarse, middle, fine = (stepped(method, h, t_end=0.02).phi[-1] for h in (2.5e-4, 1.25e-4, 0.625e-4))
    return float(np.log2((coarse - middle) / (middle - fine)))


def relation_changes(run: sb.Result) -> int:
    """How many relations of the state machine of the Modelica library change: static torque exceeded and speed
    positive where the bearing breaks away, speed zero where it stops."""
    return sum({"Forward": 2, "Stuck": 1}[event.to] for event in run.events)
