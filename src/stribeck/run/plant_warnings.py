"""What a plant says about its own tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..results import Statistics
from .task import Task

CROWDED = 20
"""Steps from one impact to the next below which errors of their times, each a part of a step, add up."""


FEWEST = 10
"""Steps within a period of an oscillation below which it is more than 5 % slower, and visibly damped."""


def coarse_springs(names: Sequence[str], angles: Sequence[float], h: float) -> list[str]:
    """Springs whose own oscillation (with angles in rad per step of `h`) a step cannot show.

    >>> coarse_springs(["shaft"], [1.2], 1e-3)
    ["spring 'shaft' swings with 5.2 steps per period, so it comes out slower and damped; take h below 0.00052 s"]
    """
    steps = {name: 2 * math.pi / angle for name, angle in zip(names, angles, strict=False) if angle > 0}
    text = "steps per period, so it comes out slower and damped; take h below"
    return [
        f"spring '{name}' swings with {n:.2g} {text} {h * n / FEWEST:.2g} s" for name, n in steps.items() if n < FEWEST
    ]


def plant_warnings(statistics: Statistics, task: Task, largest_error: float) -> list[str]:
    """One sentence for everything that may have made a run wrong, with a way out.

    >>> plant_warnings(stepper.statistics, stepper.task, stepper.largest_error)
    []
    """
    steps = statistics.steps
    found = []
    if statistics.capped:
        text = "friction elements did not agree within their rounds, and the torques of the last round were taken"
        found.append(f"{statistics.capped} of {steps} steps: {text}; take a smaller h or substeps")
    if statistics.unsolved:
        text = "no impulses were found, and what met was stopped without a rebound"
        found.append(f"{statistics.unsolved} of {statistics.impacts} impacts: {text}; put a spring or a clutch between")
    if statistics.impacts * CROWDED > steps > 0:
        text = f"{statistics.impacts} impacts in {steps} steps: their times are known to a part of a step, and add up"
        found.append(f"{text}; take a smaller h or substeps")
    if statistics.imprecise:
        text = f"their speeds change by more than {task.error_bound:g} of the largest one if the step is halved"
        found.append(
            f"{statistics.imprecise} of {statistics.tasks} tasks: {text} (at most by {largest_error:.2g}); "
            "take a smaller h or substeps"
        )
    return found
