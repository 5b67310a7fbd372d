"""Presliding: stiffness, damping and limit of a contact from loops of force over displacement below break-away.

The contact is that of Dahl and LuGre, whose bristles carry y = sigma0 z and move the surfaces by

    dx = dy / (sigma0 (1 - s y / f)),    s = sgn dx,    F = y + (sigma1 / sigma0) dy/dt.

Two consequences make the fit almost linear. The bristle force is the measured force behind a low-pass filter with the
time constant T = sigma1 / sigma0. And within a stroke the displacement is a function of y alone,

    x = x_0 - s (f / sigma0) log(1 - s y / f),

so force noise does not accumulate. Only f and T are nonlinear parameters. An encoder with few counts in a loop shows
the position exactly at its count transitions: only these instants are used.
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
from ..regression.separable import Columns, Separated, linearised_estimate, separable_fit
from .denoising import HARMONICS, denoised
from .from_force import force_columns
from .from_position import REPEATS, Explained, explained, instant, repeated, sampled, subsample, wrong_sign
from .strokes import strokes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COARSE = 300
"""Counts in a loop below which the count transitions are used instead of all samples."""
FINENESS = 16
"""Trial values of a nonlinear parameter."""
TRIALS = 5 * REPEATS
"""Bootstrap replicates, each with another offset of the encoder."""
COARSE_INFLATION = 1.5
"""Ratio of the true errors to the bootstrap errors with a coarse encoder and a noisy force. Equal loops have their
count transitions at the same places, so their errors are correlated. A bootstrap record starts from a path that
contains noise itself: its loops differ more, and their errors average out. Measured: 1.2 to 1.8, decision 36."""
UNEXPLAINED = (0.05, 0.2)
"""Unexplained fractions: above the first there is a warning, above the second it is not presliding."""
LONG = 30.0
"""Length of strokes, relative to f / sigma0, that slide almost all the time."""
METHOD = "loops of force over displacement"
VAGUE = 0.4
"""Relative standard error above which a parameter is not identifiable: its 95 % interval almost includes 0."""
OTHER = (
    "f is not identifiable: loops of single bristles have another shape; take virgin_curve (stribeck evaluate virgin)"
)
FARTHEST = 10.0
"""Largest f relative to the force that was applied: the loops of stiffer contacts differ from elastic ones by less than
the shapes of contacts from each other."""
ELASTIC = "f is not identifiable: the loops are nearly elastic; make them larger, up to near break-away"
UNDAMPED = "sigma1 is not identifiable: damping has no effect at the rate of these loops; record faster ones too"
EXPLAIN = (None, "position", "force")


@dataclass(frozen=True, eq=False)
class PreslidingFit:
    """Parameters of a contact below break-away: sigma0, sigma1 and the force limit f, at which it would slide.

    >>> fitted["f"], fitted.explained
    (1.5, 'x')
    >>> print(fitted); fitted.law()
    """

    estimate: Estimate
    run: Measurement
    position: str
    force: str
    explained: str
    """The channel that the fit predicts from the other one."""
    predicted: np.ndarray
    """Its prediction."""
    at: np.ndarray
    """Indices of the samples used; a count transition lies between such a sample and the next one."""
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> float:
        return self.estimate[name]

    def __str__(self) -> str:
        return "\n".join([str(self.estimate), *self.notes])

    @property
    def measured(self) -> np.ndarray:
        """The measured values of the explained channel.

        >>> np.std(fitted.measured - fitted.predicted)
        2.87e-07
        """
        return np.asarray(self.run[self.explained])

    def plot(self, path: str | Path | None = None) -> Figure:
        """Plots loops of force over displacement, measured and predicted, and the residuals over time.

        >>> fitted.plot("loops.png")
        """
        from .plot import plot_loops

        return plot_loops(self, path)

    def law(self) -> Law:
        """The bristle law with these parameters: LuGre, or Dahl without damping; f is its static and Coulomb friction.

        >>> Guide(mass, law=fitted.law())
        """
        for name in ("sigma0", "f"):
            if name in self.estimate.unidentifiable:
                raise SpecError(f"{name} is not identifiable, so there is no law: {'; '.join(self.notes)}")
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
    """Estimates stiffness sigma0, damping sigma1 and limit f from loops without gross sliding.

    `explain` "position": the force is accurate, as from a current or a load cell, and moves the contact; also for
    encoders with only a few counts. "force": the position is accurate and prescribed; the loops may then reach sliding,
    and an offset of the force is estimated. The default is "position" if the position is coarse. `mass`: the mass that
    the force also accelerates. `hold`: the force is a command that is held from its sample to the next one. Loops at
    two or more rates separate damping from plastic loss.

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
    left = _check_explained(
        run, position, found.goal, found.residuals, found.values["f"] / found.values["sigma0"], position
    )
    estimate = _bootstrapped(run, position, force, found)
    lost, notes = _vague(estimate, float(np.abs(run[force]).max()), bool(left))
    estimate = without(estimate, lost)
    return PreslidingFit(estimate, run, position, force, position, found.path, found.at, (*left, *notes))


def _bootstrapped(run: Measurement, position: str, force: str, found: Explained) -> Estimate:
    """Standard errors and bias by a parametric bootstrap: force noise at a reversal shifts a whole stroke, which the
    residuals of a few strokes cannot show."""
    trials = [repeated(found, number) for number in range(TRIALS)]
    moved = np.array([move for move, _ in trials])
    excess = found.misfit / float(np.mean([left for _, left in trials]))
    inflation = COARSE_INFLATION if found.step and len(found.perturbed) else 1.0
    covariance = max(excess, 1.0) * inflation**2 * np.cov(moved.T)
    bias = moved.mean(axis=0)
    values = {name: value - b for (name, value), b in zip(found.values.items(), bias.tolist(), strict=True)}
    if not found.contact.mass:  # the contact has carried the whole force
        values["f"] = max(values["f"], float(np.abs(found.force.signal).max()))
    return Estimate(
        values=values,
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
    matrix = np.column_stack([sampled(slope, found.at, found.step) for slope in found.slopes.values()])
    return float(np.linalg.cond(matrix / np.maximum(np.linalg.norm(matrix, axis=0), 1e-300)))


# --- force from position ----------------------------------------------------------------------------------------------


def _force_explained(
    run: Measurement, position: str, force: str, damping: bool, mass: float, hold: bool
) -> PreslidingFit:
    x, h = np.asarray(run[position]), run.even("fit_presliding")
    parts = strokes(x)
    if len(parts) < 3:
        raise SpecError(
            f"{run.name}: '{position}' has {len(parts) - 1} reversals; loops need two or more, so let it oscillate, "
            "or take virgin_curve (stribeck evaluate virgin), for which one loading from rest is enough"
        )
    rate = len(parts) / (2 * h * x.size)
    calm = denoised(x, h, rate).signal
    speed = np.gradient(smoothed(x, h, min(HARMONICS * rate, 0.4 / h)), h)
    at = subsample(run.valid)
    goal = (instant(np.asarray(run[force]), hold) - mass * np.gradient(speed, h))[at]
    columns = force_columns(calm, speed, strokes(calm), at, damping)
    span = max(abs(calm[part.stop] - calm[part.start]) for part in parts)
    grids = {"x_l": np.geomspace(1e-3, 30, 2 * FINENESS) * span}
    best = separable_fit(columns, goal, grids)
    whole = force_columns(calm, speed, strokes(calm), np.arange(x.size), damping)
    predicted = sum((best.linear[n] * c for n, c in whole(best.nonlinear).items()), np.zeros_like(x))
    if best.linear["f"] <= 0:
        raise wrong_sign(run, position, force)
    left = _check_explained(run, position, goal, best.residuals, best.nonlinear["x_l"], force)
    estimate = _physical(run, position, force, columns, goal, best)
    lost, notes = _vague(estimate, float(np.abs(run[force]).max()), bool(left))
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
    """The parameters of the contact with their uncertainty, for autocorrelated residuals."""

    def model(p: Mapping[str, float]) -> np.ndarray:
        terms = columns({"x_l": p["f"] / p["sigma0"]})
        return np.asarray(sum((p[name] * column for name, column in terms.items()), np.zeros_like(goal)))

    p = best.values
    rest = {name: value for name, value in p.items() if name in ("sigma1", "offset", "start")}
    values = {"sigma0": p["f"] / p["x_l"], "f": p["f"], **rest}
    return linearised_estimate(model, values, goal, units=_units(run, position, force), coloured=True, method=METHOD)


def _vague(estimate: Estimate, applied: float, differs: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Parameters that are not identifiable, with remedies; `differs` if the contact differs from the model."""
    notes = {"f": OTHER if differs else ELASTIC, "sigma1": UNDAMPED}
    lost = [n for n in notes if n in estimate.names and not estimate.errors[n] < VAGUE * abs(estimate.values[n])]
    if "f" in estimate.names and "f" not in lost and estimate.values["f"] > FARTHEST * applied:
        lost.insert(0, "f")
    return tuple(lost), tuple(notes[name] for name in lost)


def _check_explained(
    run: Measurement, position: str, goal: np.ndarray, rest: np.ndarray, length: float, channel: str
) -> tuple[str, ...]:
    """Refuses records that are not presliding, and warns if much is unexplained."""
    left = float(np.std(rest) / np.std(goal))
    span = float(np.ptp(run[position]))
    if left > UNEXPLAINED[1] or (left > UNEXPLAINED[0] and span > LONG * length):
        raise SpecError(
            f"{run.name}: this is not presliding: '{position}' moves by {span:.3g} {run.units[position]}; bristles "
            f"leave {left:.0%} of '{channel}' unexplained, so it slides; keep the force below break-away, and for "
            "sliding friction use fit_curve or fit"
        )
    if left > UNEXPLAINED[0]:
        return (f"{left:.0%} of '{channel}' is unexplained: the contact differs from this model",)
    return ()
