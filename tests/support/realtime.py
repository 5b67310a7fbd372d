"""Runs with a fixed step against the adaptive solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import stribeck as sb
from stribeck.analysis.fixed_step.limits import LawJacobian
from stribeck.laws import BristleLaw
from stribeck.laws.law import Law

TINY = 1e-9
"""Ranges below this are rounding."""

LOOKS = 20
"""Instants within a step at which the adaptive solution is looked at for its mean."""

CLUTCHES = ("C1", "C2", "B1", "B2")
"""Friction elements of the shipped gearbox."""


@dataclass(frozen=True)
class Pair:
    """A run with fixed steps, and the adaptive one at the same instants and at those of `width` steps around each."""

    fixed: sb.Result
    adaptive: sb.Result
    near: np.ndarray
    """Rows of the adaptive run: a column for each instant of the fixed one, its neighbours below each other."""
    stepper: sb.Stepper

    @classmethod
    def of(cls, model: sb.Model, h: float, t_end: float, every: int = 10, width: int = 4, **options: bool) -> Pair:
        """Both runs, compared at every so many steps.

        >>> Pair.of(sb.load_model("gearbox"), h=1e-3, t_end=4.0).apart("C1.tau")
        """
        last = round(t_end / h)
        steps = np.arange(0, last + 1, every)
        around = (steps + np.arange(-width, width + 1)[:, None]).clip(0, last)
        needed = np.unique(around)
        stepper = model.realtime(h=h, **options)
        fixed = stepper.run(n=last, every=every)
        return cls(fixed, sb.simulate(model, times=needed * h), np.searchsorted(needed, around), stepper)

    @property
    def speeds(self) -> list[str]:
        """Speeds of bodies."""
        return [name for name in self.fixed.names if name.rpartition(".")[2] in ("w", "v")]

    @property
    def frictions(self) -> list[str]:
        """Torques and forces of the friction elements."""
        names = [f"{element}.{end}" for element in self.fixed.meta.friction for end in ("tau", "f", "f_roll")]
        return [name for name in names if name in self.fixed.names]

    def beyond(self, name: str) -> np.ndarray:
        """How far an output is from all that the adaptive run takes within the neighbours, over its range.

        What switches some steps late is judged by its values; how late it switches is another question.
        """
        exact, found = np.asarray(self.adaptive[name])[self.near], np.asarray(self.fixed[name])
        extremes = self.adaptive.extremes[name]
        size = extremes["max"] - extremes["min"]
        return np.maximum(np.maximum(found - exact.max(axis=0), exact.min(axis=0) - found), 0.0) / max(size, TINY)

    def apart(self, name: str) -> float:
        """The largest of these errors."""
        return float(self.beyond(name).max())

    def often(self, name: str, limit: float) -> float:
        """The share of instants at which the error is above a limit: peaks shorter than a step come and go."""
        return float(np.mean(self.beyond(name) > limit))

    def scatter(self, name: str) -> float:
        """The root of the mean square error at the same instant, over the range."""
        exact = np.asarray(self.adaptive[name])[self.near[len(self.near) // 2]]
        size = np.ptp(exact)
        return float(np.sqrt(np.mean((np.asarray(self.fixed[name]) - exact) ** 2)) / size) if size > TINY else 0.0


def chatter(values: np.ndarray, rounds: int = 8) -> float:
    """The largest swing of period 2 that lasts for some rounds, over the range, also on top of a slow change.

    Second differences that alternate in sign: of a jump two, of a single peak three.

    >>> chatter(np.array([0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]))
    1.0
    """
    bends = np.diff(values, 2)
    turned = np.minimum(np.abs(bends[1:]), np.abs(bends[:-1])) * (bends[1:] * bends[:-1] < 0) / 2
    size = np.ptp(values)
    if len(turned) < rounds or size < TINY:
        return 0.0
    lasting = np.lib.stride_tricks.sliding_window_view(turned, rounds).min(axis=1)
    return float(lasting.max() / size)


def gearbox(law: Mapping[str, Any]) -> sb.Model:
    """The shipped gearbox with another friction law in all of its clutches and brakes.

    >>> gearbox({"type": "LuGre", "sigma0": 1e5}).realtime(h="1 ms")
    """
    plain = sb.load_model("gearbox").to_dict()
    for name in CLUTCHES:
        plain["elements"][name]["law"] = dict(law)
    return sb.Model.from_dict(plain)


def step_means(program: sb.Program, names: Sequence[str], t_end: float, h: float, **options: Any) -> np.ndarray:
    """Means over every step of what the adaptive solution gives, a row for each name: torques of a step are means.

    >>> step_means(program, ["C1.tau"], t_end=4.0, h=1e-3).shape
    (1, 4000)
    """
    steps = round(t_end / h)
    inside = (np.arange(steps)[:, None] + (np.arange(LOOKS) + 0.5) / LOOKS) * h
    result = sb.simulate(program, times=np.concatenate([[0.0], inside.ravel()]), **options)
    return np.array([np.asarray(result[name])[1:].reshape(steps, LOOKS).mean(axis=1) for name in names])


def ringing(law: Law) -> float:
    """Frequency (rad/s) at which bristles without damper ring with an inertia of 1, under a load of 1; 0 with damper.

    >>> ringing(sb.Dahl(sigma0=1e4)), ringing(sb.LuGre(sigma0=1e4, sigma1=1))
    (100.0, 0.0)
    """
    if not isinstance(law, BristleLaw):
        return 0.0
    slopes = LawJacobian(law).at(0.0)
    return float(np.sqrt(slopes[0, 1:] @ slopes[1:, 0])) if slopes[0, 0] == 0 else 0.0


def observed_order(errors: Sequence[float], steps: Sequence[float]) -> float:
    """Slope of log(error) over log(step).

    >>> observed_order([4e-3, 2e-3, 1e-3], [4e-3, 2e-3, 1e-3])
    1.0
    """
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])
