"""Steady sliding: friction at constant speeds and on a ramp of speed; Stribeck effect and viscous friction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ...signals.table import Table
from .bench import SLOW, LawBench
from .experiment import NOTICED, Experiment, MeasuredCurve, PlotAxis, PropertyVerdict

VISCOUS = 0.4
"""Viscous friction at 1 m/s for the viscous probe, as a share of the friction of sliding."""
RAMP = 1.0
"""Duration (s) of the ramp of speed in each direction."""
POINTS = 401
"""Points of a ramp."""


@dataclass(frozen=True, eq=False)
class SteadySliding(Experiment):
    """Friction at constant speeds, the same with viscous friction, and on a ramp of speed up and down."""

    name = "steady sliding"
    text = (
        f"The contact slides at constant speeds from {SLOW:g} m/s to 1 m/s, to ten times the largest speed among the "
        "parameters, or to the end of a table. By how much does friction fall with rising speed? A viscous parameter, "
        f"if there is one, is then set to {100 * VISCOUS:g} % of the friction of sliding at 1 m/s. By how much does "
        "friction rise from half the highest speed to the highest? Lines: the speed rises from 0 within 1 s, and falls."
    )
    criteria: ClassVar = {
        "Stribeck effect": f"Friction falls by more than {100 * NOTICED:g} % of the friction of sliding; a step from "
        "rest to sliding is none.",
        "viscous friction": f"Friction rises by more than {100 * NOTICED:g} %.",
    }
    x = PlotAxis("slip velocity", "m/s", log=True)

    sliding_friction: float
    speeds: tuple[float, float]
    """Half the highest speed, and the highest (m/s)."""
    viscous: tuple[float, float]
    """Friction (N) there, with viscous friction."""
    setting: str
    """How viscous friction was set; empty if the law has no such parameter."""

    @classmethod
    def measure(cls, bench: LawBench) -> Self:
        """Runs the experiment."""
        speed, friction = bench.steady_curve
        curves = [MeasuredCurve("constant speeds", speed, friction, points=True)]
        other, setting = _with_viscous_friction(bench)
        ends = 0.5 * other.highest_speed, other.highest_speed
        slow, fast = other.steady_friction(ends)
        if setting:
            curves.append(MeasuredCurve(f"with {setting}", *other.steady_curve, points=True, faint=True))
        curves += _ramp(bench)
        return cls(tuple(curves), bench.sliding_friction, ends, (float(slow), float(fast)), setting)

    @property
    def verdicts(self) -> dict[str, PropertyVerdict]:
        """The properties that follow from the curves."""
        return {"Stribeck effect": self._stribeck_effect(), "viscous friction": self._viscous_friction()}

    def _stribeck_effect(self) -> PropertyVerdict:
        """The largest fall of friction with rising speed."""
        friction = self.curves[0].y
        fall = np.maximum.accumulate(friction) - friction
        most = int(np.argmax(fall))
        if fall[most] <= NOTICED * self.sliding_friction:
            return PropertyVerdict(False, "friction never falls with rising speed")
        text = f"friction falls from {friction[most] + fall[most]:.4g} N to {friction[most]:.4g} N"
        return PropertyVerdict(True, text)

    def _viscous_friction(self) -> PropertyVerdict:
        """The rise of friction from half the highest speed to the highest speed."""
        (half, full), (slow, fast) = self.speeds, self.viscous
        text = f"{slow:.4g} N at {half:g} m/s, {fast:.4g} N at {full:g} m/s"
        text += f" with {self.setting}" if self.setting else ""
        return PropertyVerdict(bool(fast > (1 + NOTICED) * slow), text)


def _with_viscous_friction(bench: LawBench) -> tuple[LawBench, str]:
    """The law with viscous friction, and how it was set; the law itself if it has no parameter for it."""
    name = next((name for name, param in bench.law.params.items() if "f_v" in param.aliases), None)
    if name is None:
        return bench, ""
    value = VISCOUS * bench.sliding_friction
    law: Any = bench.law.replace(**{name: value})
    return LawBench(law), f"{name} = {value:.3g}"


def _ramp(bench: LawBench) -> list[MeasuredCurve]:
    """Friction while the speed rises from 0 and falls again, up to where the curve shows what it does."""
    course = Table(time=[0.0, RAMP, 2 * RAMP], value=[0.0, bench.shown_speed, 0.0])
    rising = RAMP * np.geomspace(SLOW / bench.shown_speed, 1.0, POINTS)
    result = bench.at_speed(course, [0.0, *rising, *(2 * RAMP - rising[-2::-1])])
    speed, friction = np.asarray(result["guide.v_rel"])[1:], np.asarray(result["guide.f"])[1:]
    return [
        MeasuredCurve("speed rises", speed[:POINTS], friction[:POINTS]),
        MeasuredCurve("speed falls", speed[POINTS - 1 :], friction[POINTS - 1 :]),
    ]
