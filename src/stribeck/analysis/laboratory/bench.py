"""The test bench for friction laws: a guide alone at a prescribed speed; or under a body with a force or a spring.

    at_speed      speed ──▶ ▭ guide                       friction over speed and displacement
    under_force   force ──▶ ▭ body on the guide           motion below break-away
    towed         speed ──/\\/\\/── ▭ body on the guide     break-away and slip, at a given rate of loading

Body and spring are scaled by the sliding friction of the law, so that every law undergoes the same experiment: the mass
of the body (kg) equals that friction (N), and the spring reaches that force at 0.1 m.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...compile import Program, compile_model
from ...elements.force import Force
from ...elements.guide import Guide
from ...elements.mass import Mass
from ...elements.speed import Speed
from ...elements.spring import Spring
from ...errors import SpecError
from ...laws import Law
from ...results import Result
from ...run.simulate import simulate
from ...signals import Signal
from ...spec import Model

SLOW = 1e-6
"""Lowest speed (m/s) of steady sliding."""
FAST = 1.0
"""Highest speed (m/s), unless the speeds among the parameters of a law ask for more."""
TRAVEL = 0.02
"""Distance (m) after which friction at constant speed is read. Runs start in the steady state of the law; the distance
is the same at all speeds, for laws whose friction scatters over it."""
SPRING = 0.1
"""Stretch of the spring (m) at the friction of sliding."""
SLID = 0.5 * SPRING
"""A body that has moved this far (m) has slid; a single slip is longer."""
FARTHEST = 1e3 * SPRING
"""A body that has not slid when its spring is towed this far (m) does not slide."""
TOW = 0.01
"""Speed (m/s) at which the far end of the spring is towed."""

STILL = 1e-12
"""A displacement (m) that is none: rounding."""
TOLERANCE = 1e-9
"""Of the solver: presliding of 1e-6 m is measured on positions whose size is 1 m."""


UNITS = {"load": "N", "disp": "m", "vel": "m/s"}
"""Units of the parameters on the bench."""


class SteadyFriction(NamedTuple):
    """Friction (N) at constant speeds (m/s)."""

    speed: np.ndarray
    friction: np.ndarray


class LargestFriction(NamedTuple):
    """The largest friction (N) of a run, and its instant (s)."""

    friction: float
    time: float


class LawBench:
    """A friction law on a test bench, on a guide with load 1: friction in N, displacement in m. Parameters that follow
    signals have a typical value there.

    >>> bench = sb.analysis.LawBench(sb.LuGre())
    >>> round(bench.break_away, 4)
    1.4814
    """

    def __init__(self, law: Law) -> None:
        self.law = law.with_numbers()
        self.experiments: dict[type, Any] = {}
        """Experiments that were made with it."""

    # --- the three rigs ----------------------------------------------------------------------------------------------

    def at_speed(self, speed: float | Signal, times: Iterable[float]) -> Result:
        """The guide at a prescribed speed (m/s, a number or a signal).

        >>> sweep = bench.at_speed(sb.Sine(amplitude=1e-3, f=1), np.linspace(0, 2, 401))
        >>> sweep.plot_displacement("guide")
        """
        return _run(self._at_speed.varied({"drive.v": speed}), times)

    @cached_property
    def _at_speed(self) -> Program:
        model = Model("prescribed speed")
        model.add("drive", Speed(v=FAST))
        model.add("guide", Guide("drive", law=self.law))
        return compile_model(model)

    def under_force(self, forces: Iterable[float | Signal], times: Iterable[float]) -> Result:
        """The body, at rest at first, under the sum of these forces (N, numbers or signals).

        >>> below = bench.under_force([0.5 * bench.break_away], [0, 10])
        """
        model = Model("prescribed force")
        model.add("body", Mass(m=self.sliding_friction))
        model.add("guide", Guide("body", law=self.law))
        for number, force in enumerate(forces, start=1):
            model.add(f"force{number}", Force("body", f=force))
        return _run(model, times)

    def towed(self, speed: float | Signal, times: Iterable[float], start: Result | None = None) -> Result:
        """The body, at rest at first or as another run has left it (`start`), towed by a spring whose far end has this
        speed (m/s, a number or a signal).

        >>> slips = bench.towed(0.01, np.linspace(0, 50, 1001)).crossings("body.v", 0.01, +1)
        """
        return _run(self._towed.varied({"drive.v": speed}), times, start)

    @cached_property
    def _towed(self) -> Program:
        model = Model("towed")
        model.add("drive", Speed(v=TOW))
        model.add("body", Mass(m=self.sliding_friction))
        model.add("spring", Spring("drive", "body", c=self.sliding_friction / SPRING))
        model.add("guide", Guide("body", law=self.law))
        return compile_model(model)

    # --- what they measure first -------------------------------------------------------------------------------------

    def steady_friction(self, speeds: Iterable[float]) -> np.ndarray:
        """Friction (N) after a long way at each of the constant speeds (m/s).

        >>> bench.steady_friction([1e-3, 0.1]).round(4)
        array([1.1839, 1.    ])
        """
        speeds = [float(v) for v in speeds]
        if 0.0 in speeds:
            raise SpecError("LawBench: a body at a speed of 0 does not slide; leave 0 out of the speeds")
        return np.array([self.at_speed(v, [0.0, TRAVEL / abs(v)])["guide.f"][-1] for v in speeds])

    @cached_property
    def highest_speed(self) -> float:
        """Highest speed (m/s): 1 m/s, or ten times the largest speed among the parameters, or the end of a table.

        >>> bench.highest_speed
        1.0
        """
        p: Any = self.law.resolve(UNITS, self.law.name)
        speeds = [getattr(p, name) for name, param in self.law.params.items() if param.unit == "{vel}"]
        return float(max([FAST, *(max(v) if isinstance(v, list) else 10 * v for v in speeds)]))

    @cached_property
    def steady_curve(self) -> SteadyFriction:
        """Friction in steady sliding (N) over speeds (m/s) up to the highest one, equally spaced on a log scale.

        >>> speed, friction = bench.steady_curve
        """
        speed = np.geomspace(SLOW, self.highest_speed, 61)
        return SteadyFriction(speed, self.steady_friction(speed))

    @cached_property
    def shown_speed(self) -> float:
        """The speed (m/s) up to which a picture shows what the steady curve does: twice the speed of its last 5 %.

        >>> round(bench.shown_speed, 4)
        0.0032
        """
        speed, friction = self.steady_curve
        span = np.ptp(friction)
        if span < 1e-3 * self.sliding_friction:
            return self.highest_speed
        last = speed[np.abs(friction - friction[-1]) > 0.05 * span].max()
        return float(min(2 * last, self.highest_speed))

    @cached_property
    def sliding_friction(self) -> float:
        """The largest friction (N) in steady sliding up to a tenth of the highest speed.

        >>> round(bench.sliding_friction, 3)
        1.5
        """
        return float(self.steady_curve.friction[self.steady_curve.speed <= 0.1 * self.highest_speed].max())

    @cached_property
    def break_away(self) -> float:
        """Largest friction (N) while the body is towed slowly from rest until it has slid.

        >>> round(bench.break_away, 4)
        1.4814
        """
        return self.largest_friction(TOW)

    def largest_friction(self, speed: float) -> float:
        """Largest friction (N) while the body is towed at this speed (m/s) from rest until it has slid.

        >>> bench.largest_friction(0.1) < bench.largest_friction(0.01)
        True
        """
        return self.until_slid(speed, np.linspace(0.0, self.way_to_slide / speed, 1001)).friction

    @cached_property
    def way_to_slide(self) -> float:
        """How far (m) the spring is towed, so that the body slides: five times its stretch at the friction of sliding,
        or more if break-away is far above that.

        >>> bench.way_to_slide
        0.5
        """
        way = 5 * SPRING
        while way < FARTHEST and float(self.towed(TOW, [0.0, way / TOW])["body.s"][-1]) < SLID:
            way *= 2
        return way

    def until_slid(self, speed: float | Signal, times: np.ndarray, start: Result | None = None) -> LargestFriction:
        """Largest friction while the body is towed, from these times' first, until it has slid or to their last.

        >>> bench.until_slid(0.01, np.linspace(0, 50, 1001)).friction
        1.4814
        """
        place = self.towed(speed, times, start).curve("body.s")
        slid = place.crossings(place.value[0] + SLID, +1)
        end = float(slid[0]) if slid.size else float(times[-1])
        most = self.towed(speed, [*times[times < end], end], start).extremes["guide.f"]
        return LargestFriction(float(most["max"]), float(most["t_max"]))


def _run(model: Model | Program, times: Iterable[float], start: Result | None = None) -> Result:
    return simulate(model, times=np.asarray(list(times), float), tolerance=TOLERANCE, start=start)
