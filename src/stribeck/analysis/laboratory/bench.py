"""The test bench for friction laws: a guide alone, led at a speed; or under a body that is pushed or towed.

    led       speed ──▶ ▭ guide                       friction over speed and displacement
    pushed    force ──▶ ▭ body on the guide           what happens below break-away
    towed     speed ──/\\/\\/── ▭ body on the guide     break-away and slip, at a given rate of loading

Body and spring are chosen for the friction of the law, so that every law meets the same experiment: the body weighs
as much (kg) as its friction of sliding (N), and the spring takes 0.1 m to reach that friction.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...elements.force import Force
from ...elements.guide import Guide
from ...elements.mass import Mass
from ...elements.speed import Speed
from ...elements.spring import Spring
from ...errors import SpecError
from ...laws import Law
from ...results import Result
from ...run.simulate import simulate
from ...spec import Model

SLOW = 1e-6
"""Lowest speed (m/s) of steady sliding."""
FAST = 1.0
"""Highest speed (m/s), unless the speeds among the parameters of a law ask for more."""
TRAVEL = 1.0
"""Distance (m) after which friction at constant speed is steady."""
SPRING = 0.1
"""Stretch of the spring (m) at the friction of sliding."""
SLID = 0.5 * SPRING
"""A body that has moved this far (m) has slid; a single slip is longer."""
TOW = 0.01
"""Speed (m/s) at which the far end of the spring is towed."""

TOLERANCE = 1e-9
"""Of the solver: presliding of 1e-6 m is measured on positions whose size is 1 m."""


UNITS = {"load": "N", "disp": "m", "vel": "m/s"}
"""Units of the parameters on the bench."""


class SteadyFriction(NamedTuple):
    """Friction (N) at constant speeds (m/s)."""

    speed: np.ndarray
    friction: np.ndarray


class Bench:
    """One law on the bench, as on a guide with load 1: friction in N, displacement in m.

    >>> Bench(LuGre()).break_away
    1.4882
    """

    def __init__(self, law: Law) -> None:
        self.law = law

    # --- the three rigs ----------------------------------------------------------------------------------------------

    def led(self, speed: Any, times: Iterable[float]) -> Result:
        """The guide led at a speed (m/s, a number or a signal)."""
        model = Model("led")
        model.add("drive", Speed(v=speed))
        model.add("guide", Guide("drive", law=self.law))
        return _run(model, times)

    def pushed(self, forces: Iterable[Any], times: Iterable[float]) -> Result:
        """The body at rest, pushed by the sum of these forces (N)."""
        model = Model("pushed")
        model.add("body", Mass(m=self.level))
        model.add("guide", Guide("body", law=self.law))
        for number, force in enumerate(forces, start=1):
            model.add(f"force{number}", Force("body", f=force))
        return _run(model, times)

    def towed(self, speed: Any, times: Iterable[float]) -> Result:
        """The body at rest, towed by a spring whose far end has this speed (m/s)."""
        model = Model("towed")
        model.add("drive", Speed(v=speed))
        model.add("body", Mass(m=self.level))
        model.add("spring", Spring("drive", "body", c=self.level / SPRING))
        model.add("guide", Guide("body", law=self.law))
        return _run(model, times)

    # --- what they measure first -------------------------------------------------------------------------------------

    def steady(self, speeds: Iterable[float]) -> np.ndarray:
        """Friction (N) after a long way at each of the constant speeds (m/s).

        >>> Bench(LuGre()).steady([1e-3, 0.1])
        array([1.1839, 1.    ])
        """
        speeds = [float(v) for v in speeds]
        if 0.0 in speeds:
            raise SpecError("steady friction at a speed of 0 is what the contact is asked for; leave 0 out")
        return np.array([self.led(v, [0.0, TRAVEL / abs(v)])["guide.f"][-1] for v in speeds])

    @cached_property
    def fast(self) -> float:
        """Highest speed (m/s): 1 m/s, or ten times the largest speed among the parameters, or the end of a table."""
        p: Any = self.law.resolve(UNITS, self.law.name)
        speeds = [getattr(p, name) for name, param in self.law.params.items() if param.unit == "{vel}"]
        return float(max([FAST, *(max(v) if isinstance(v, list) else 10 * v for v in speeds)]))

    @cached_property
    def curve(self) -> SteadyFriction:
        """Friction in steady sliding (N) over speeds (m/s) up to the highest one, equally spaced on a log scale."""
        speed = np.geomspace(SLOW, self.fast, 61)
        return SteadyFriction(speed, self.steady(speed))

    @cached_property
    def level(self) -> float:
        """The friction of sliding (N): the largest one in steady sliding up to a tenth of the highest speed."""
        return float(self.curve.friction[self.curve.speed <= 0.1 * self.fast].max())

    @cached_property
    def break_away(self) -> float:
        """Largest friction (N) while the body is towed slowly from rest until it has slid."""
        return self.largest_friction(TOW)

    def largest_friction(self, speed: float) -> float:
        """Largest friction (N) while the body is towed at this speed (m/s) from rest until it has slid."""
        times = np.linspace(0.0, 5 * SPRING / speed, 1001)
        slid = self.towed(speed, times).crossings("body.s", SLID, +1)[0]
        result = self.towed(speed, [*times[times < slid], slid])
        return float(result.extremes["guide.f"]["max"])


def _run(model: Model, times: Iterable[float]) -> Result:
    return simulate(model, times=np.asarray(list(times), float), tolerance=TOLERANCE)
