"""Presliding: stiffness, damping and the limit of a contact from loops of force over displacement below break-away.

The contact is that of Dahl and LuGre, whose bristles carry y = sigma0 z and move the surfaces by

    dx = dy / (sigma0 (1 - s y / f)),    s = sgn dx,    F = y + (sigma1 / sigma0) dy/dt.

Two consequences make the fit almost linear. What the bristles carry is the measured force behind a low-pass filter of
the time constant T = sigma1 / sigma0. And within a stroke the displacement is a function of y alone,

    x = x_0 - s (f / sigma0) log(1 - s y / f),

so that noise of the force does not add up. Only f and T stand nonlinearly. An encoder with few counts in a loop knows
the position exactly when its count changes: only these instants are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...errors import SpecError
from ...laws import Law
from ...laws.dahl import Dahl
from ...laws.lugre import LuGre
from ..curves.limits import without
from ..records.filters import smoothed
from ..records.inspect import grain, require_drive
from ..records.measurement import Measurement
from ..regression.estimate import Estimate
from ..regression.separable import Columns, Separated, separable_fit, uncertain
from .from_force import force_columns
from .from_position import REPEATS, Explained, against, explained, instant, repeated, seen, some
from .quiet import HARMONICS, quiet
from .strokes import strokes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COARSE = 300
"""Counts in a loop below which the changes of the count are used instead of all samples."""
FINENESS = 16
"""Values of a nonlinear parameter that are tried."""
TRIALS = 5 * REPEATS
"""Linear steps, each with another place of the encoder."""
ALIKE = 1.5
"""Errors by the scatter of repeated records, where a coarse encoder sees what a noisy force does. Loops of one kind
change their count at the same places and err alike; a repeated record is made of a path that holds noise itself, so
that its loops are less alike and their errors average out. Measured: 1.2 to 1.8, decision 36."""
LEFT = (0.05, 0.2)
"""Of what is explained: more than the first is worth a word, more than the second is no presliding."""
LONG = 30.0
"""Strokes that are so many times longer than f / sigma0 slide almost all the time."""
METHOD = "loops of force over displacement"
VAGUE = 0.4
"""A parameter with a larger standard error, relative to its value, is not told: the interval of 95 % reaches near 0."""
ELASTIC = "f cannot be told: the loops are as good as elastic; make them larger, up to near break-away"
UNDAMPED = "sigma1 cannot be told: damping does not show at the rate of these loops; make faster ones too"
EXPLAIN = (None, "position", "force")


@dataclass(frozen=True, eq=False)
class PreslidingFit:
    """Parameters of a contact below break-away: sigma0, sigma1 and the limit f, at which it would slide.

    >>> found = fit_presliding(run, "x", "f")
    >>> print(found); found["sigma0"]; found.law()
    """

    estimate: Estimate
    run: Measurement
    position: str
    force: str
    explained: str
    """Which of these channels the fit explains from the other one."""
    predicted: np.ndarray
    """It, as the contact has it."""
    at: np.ndarray
    """Which samples were used; an edge of an encoder lies between one of these and the next."""
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> float:
        return self.estimate[name]

    def __str__(self) -> str:
        return "\n".join([str(self.estimate), *self.notes])

    @property
    def measured(self) -> np.ndarray:
        """What is explained, as it was measured.

        >>> np.std(found.measured - found.predicted)
        2.1e-07
        """
        return np.asarray(self.run[self.explained])

    def plot(self, path: str | Path | None = None) -> Figure:
        """Loops of force over displacement, as measured and as the contact has them, and what it leaves over time.

        >>> found.plot("loops.png")
        """
        from .plot import plot_loops

        return plot_loops(self, path)

    def law(self) -> Law:
        """The bristle law with these parameters, LuGre or without damping Dahl; f is its static and Coulomb friction.

        >>> Guide(mass, law=found.law())
        """
        for name in ("sigma0", "f"):
            if name in self.estimate.unidentifiable:
                raise SpecError(f"the loops cannot tell {name}, so there is no law yet: {'; '.join(self.notes)}")
        damping = self.estimate.values.get("sigma1", np.nan)
        if np.isnan(damping):
            return Dahl(sigma0=self["sigma0"], mu_c=self["f"])
        return LuGre(sigma0=self["sigma0"], sigma1=max(damping, 0.0), mu_c=self["f"], mu_s=self["f"])


def fit_presliding(
    run: Measurement,
    position: str,
    force: str,
    *,
    explain: str | None = None,
    damping: bool = True,
    mass: float = 0.0,
    hold: bool = False,
) -> PreslidingFit:
    """Stiffness sigma0, damping sigma1 and limit f from loops in which nothing slides through.

    `explain` "position": the force is known well, as from a current or a load cell, and moves the contact; this also
    serves encoders that see a few counts only. "force": the position is known well and prescribed; the loops may then
    reach sliding, and an offset of the force is found. By itself it is "position" if the position is coarse. `mass`:
    what the force accelerates besides. `hold`: the force is a command that acts from its sample to the next one. Loops
    at two rates or more tell damping from plastic loss.

    >>> fit_presliding(run, "x", "f")["sigma0"]
    1.0e5
    """
    if explain not in EXPLAIN:
        raise SpecError(f"explain = {explain!r} must be one of {', '.join(map(repr, EXPLAIN))}")
    require_drive(run, force, position)
    run.even("fit_presliding")
    x = np.asarray(run[position])
    step = run.resolution.get(position) or grain(x)
    coarse = step > 0 and np.ptp(x) < COARSE * step
    if explain == "force" or (explain is None and not coarse):
        return _force_explained(run, position, force, damping, mass, hold)
    return _position_explained(run, position, force, damping, mass, step if coarse else 0.0, hold)


# --- position from force ----------------------------------------------------------------------------------------------


def _position_explained(
    run: Measurement, position: str, force: str, damping: bool, mass: float, step: float, hold: bool
) -> PreslidingFit:
    found = explained(run, position, force, damping, mass, step, hold)
    left = _left(run, position, found.goal, found.residuals, found.values["f"] / found.values["sigma0"], position)
    estimate = _scattered(run, position, force, found)
    lost, notes = _vague(estimate)
    estimate = without(estimate, lost)
    return PreslidingFit(estimate, run, position, force, position, found.path, found.at, (*left, *notes))


def _scattered(run: Measurement, position: str, force: str, found: Explained) -> Estimate:
    """Errors are the scatter of repeated fits, and their mean is the bias: noise of the force at a reversal moves a
    whole stroke, and residuals of a few strokes do not tell how much."""
    trials = [repeated(found, number) for number in range(TRIALS)]
    moved = np.array([move for move, _ in trials])
    excess = found.misfit / float(np.mean([left for _, left in trials]))
    alike = ALIKE if found.step and len(found.stirred) else 1.0
    covariance = max(excess, 1.0) * alike**2 * np.cov(moved.T)
    bias = moved.mean(axis=0)
    return Estimate(
        values={name: value - b for (name, value), b in zip(found.values.items(), bias.tolist(), strict=True)},
        covariance=covariance,
        residuals=found.residuals,
        freedom=float(REPEATS - 1),
        units=_units(run, position, force),
        condition=_condition(found),
        coloured=True,
        method=METHOD,
        target=float(np.sqrt(np.mean(found.goal**2))),
    )


def _condition(found: Explained) -> float:
    matrix = np.column_stack([seen(slope, found.at, found.step) for slope in found.slopes.values()])
    return float(np.linalg.cond(matrix / np.maximum(np.linalg.norm(matrix, axis=0), 1e-300)))


# --- force from position ----------------------------------------------------------------------------------------------


def _force_explained(
    run: Measurement, position: str, force: str, damping: bool, mass: float, hold: bool
) -> PreslidingFit:
    x, h = np.asarray(run[position]), run.even("fit_presliding")
    parts = strokes(x)
    if len(parts) < 3:
        raise SpecError(
            f"{run.name}: '{position}' turns {len(parts) - 1} times; loops need two reversals or more, so let it swing"
        )
    rate = len(parts) / (2 * h * x.size)
    calm = quiet(x, h, rate).course
    speed = np.gradient(smoothed(x, h, min(HARMONICS * rate, 0.4 / h)), h)
    at = some(run.valid)
    goal = (instant(np.asarray(run[force]), hold) - mass * np.gradient(speed, h))[at]
    columns = force_columns(calm, speed, strokes(calm), at, damping)
    span = max(abs(calm[part.stop] - calm[part.start]) for part in parts)
    grids = {"x_l": np.geomspace(1e-3, 30, 2 * FINENESS) * span}
    best = separable_fit(columns, goal, grids)
    whole = force_columns(calm, speed, strokes(calm), np.arange(x.size), damping)
    predicted = sum((best.linear[n] * c for n, c in whole(best.nonlinear).items()), np.zeros_like(x))
    if best.linear["f"] <= 0:
        raise against(run, position, force)
    left = _left(run, position, goal, best.residuals, best.nonlinear["x_l"], force)
    estimate = _physical(run, position, force, columns, goal, best)
    lost, notes = _vague(estimate)
    return PreslidingFit(without(estimate, lost), run, position, force, force, predicted, at, (*left, *notes))


# --- what is known ----------------------------------------------------------------------------------------------------


def _units(run: Measurement, position: str, force: str) -> dict[str, str]:
    length, load = run.units[position], run.units[force]
    both = bool(length and load)
    stiffness = {"sigma0": f"{load}/{length}" if both else "", "sigma1": f"{load}.s/{length}" if both else ""}
    return {"x_0": length, "offset": load, "start": load, "f": load, **stiffness}


def _physical(
    run: Measurement, position: str, force: str, columns: Columns, goal: np.ndarray, best: Separated
) -> Estimate:
    """The parameters of the contact with their uncertainty, whose residuals follow each other in time."""

    def model(p: Mapping[str, float]) -> np.ndarray:
        terms = columns({"x_l": p["f"] / p["sigma0"]})
        return np.asarray(sum((p[name] * column for name, column in terms.items()), np.zeros_like(goal)))

    p = best.values
    rest = {name: value for name, value in p.items() if name in ("sigma1", "offset", "start")}
    values = {"sigma0": p["f"] / p["x_l"], "f": p["f"], **rest}
    return uncertain(model, values, goal, units=_units(run, position, force), coloured=True, method=METHOD)


def _vague(estimate: Estimate) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Parameters of which hardly more than the size is known, and what to do about it."""
    notes = {"f": ELASTIC, "sigma1": UNDAMPED}
    lost = [n for n in notes if n in estimate.names and not estimate.errors[n] < VAGUE * abs(estimate.values[n])]
    return tuple(lost), tuple(notes[name] for name in lost)


def _left(
    run: Measurement, position: str, goal: np.ndarray, rest: np.ndarray, length: float, channel: str
) -> tuple[str, ...]:
    """Refuses what is no presliding, and says how much is not explained if it is much."""
    left = float(np.std(rest) / np.std(goal))
    span = float(np.ptp(run[position]))
    if left > LEFT[1] or (left > LEFT[0] and span > LONG * length):
        raise SpecError(
            f"{run.name}: this is no presliding: '{position}' goes {span:.3g} {run.units[position]}; bristles leave "
            f"{left:.0%} of '{channel}' unexplained, so it slides through; keep the force below break-away, and for "
            "friction in sliding see fit_curve and fit"
        )
    if left > LEFT[0]:
        return (f"{left:.0%} of '{channel}' are left unexplained: the values are those of the nearest such contact",)
    return ()
