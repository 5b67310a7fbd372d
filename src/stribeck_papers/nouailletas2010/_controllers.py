"""Section 5.3 with many controllers: gains, target and friction are drawn, because the paper prints no controller."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from .actuator import PLAY, TABLE_5, Controller, LimitCycle, position_test
from .mechanism import BENCH

DRAWN = (
    "draws (bandwidths from 12 to 35 1/s, integral parts from 1 to 5, of which 9 is the limit of stability, targets "
    "from 15 to 55 rad, friction of Table 5 or of the mechanism)"
)
"""What is drawn: controllers that are stable, move within a second and hunt within the 30 s of a run."""


class Pair(NamedTuple):
    """Limit cycles of the simple model without and with play, for one friction, controller and target."""

    friction: str
    controller: Controller
    target: float
    without: LimitCycle
    play: LimitCycle

    @property
    def cells(self) -> list[str | float]:
        """A row of a table."""
        numbers = [x for c in (self.without, self.play) for x in (c.amplitude, c.period, c.torque)]
        gains = f"{self.controller.bandwidth:.3g}, {self.controller.integral:.2g}"
        return [self.friction, gains, round(self.target, 1), *numbers]


@cache
def pairs(quick: bool) -> list[Pair]:
    """Position tests by fixed steps of 1 ms, without and with play, for each draw."""
    random, found = np.random.default_rng(21), []
    frictions = {"Table 5": TABLE_5, "mechanism": BENCH.simple()}
    for _ in range(14 if quick else 120):
        controller = Controller(float(random.uniform(12, 35)), float(random.uniform(1, 5)))
        target, friction = float(random.uniform(15, 55)), str(random.choice(list(frictions)))
        cycles = [
            LimitCycle.of(
                position_test(
                    [target],
                    [0.1],
                    t_end=30.0,
                    play=play,
                    controller=controller,
                    resistance=frictions[friction],
                    step=1e-3,
                ),
                3.0,
            )
            for play in (0.0, PLAY)
        ]
        found.append(Pair(friction, controller, target, *cycles))
    return found
