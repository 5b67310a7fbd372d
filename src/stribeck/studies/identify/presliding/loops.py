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
from dataclasses import dataclass, replace

import numpy as np

from ....errors import SpecError
from ....laws import Law
from ....laws.dahl import Dahl
from ....laws.lugre import LuGre
from ..curves.curve_limits import without
from ..records.filters import smoothed
from ..records.inspect import grain, require_motion
from ..records.measurement import Measurement
from ..regression.estimate import Estimate
from ..regression.separable import Columns, Separated, profile, separable_fit, uncertain
from .from_force import force_columns
from .from_position import HARMONICS, Explained, explained, instant, repeated, some
from .strokes import noise_of, strokes

COARSE = 300
"""Counts in a loop below which the changes of the count are used instead of all samples."""
FINENESS = 16
"""Values of a nonlinear parameter that are tried."""
LEVEL = 0.95
REPEATS = 20
"""Fits to records made of the best one with the noise that was found."""
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
    explained: str
    """The channel that the fit explains from the other one."""
    time: np.ndarray
    measured: np.ndarray
    predicted: np.ndarray
    at: np.ndarray
    """Which samples were used; an edge of an encoder lies between one of these and the next."""
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> float:
        return self.estimate[name]

    def __str__(self) -> str:
        return "\n".join([str(self.estimate), *self.notes])

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
    require_motion(run, position, force)
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
    _check_stiffness(run, position, force, found.best)
    estimate = _physical(run, position, force, found.columns, found.goal, found.best)
    estimate = _widened(estimate, found, step)
    lost, notes = _limits(found.columns, found.goal, found.grids, found.best, estimate)
    x = np.asarray(run[position])
    return PreslidingFit(without(estimate, lost), position, run.time, x, found.predicted, found.at, notes)


def _widened(estimate: Estimate, found: Explained, step: float) -> Estimate:
    """With the scatter of repeated fits where it is larger: noise of the force at a reversal moves a whole stroke, and
    residuals of a few strokes do not tell how much."""
    if not (found.noise or step):
        return estimate
    trials = [repeated(found, step, seed) for seed in range(REPEATS)]
    rows = np.array([[_contact(trial)[name] for name in estimate.names] for trial in trials])
    excess = max(1.0, found.best.cost / max(float(np.mean([trial.cost for trial in trials])), 1e-300))
    covariance = excess * np.cov(rows.T)
    wider = np.diag(covariance) > np.diag(estimate.covariance)
    if not wider.any():
        return estimate
    return replace(estimate, covariance=covariance, freedom=float(REPEATS - 1))


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
    cutoff = min(HARMONICS * len(parts) / (2 * h * x.size), 0.4 / h)
    quiet = smoothed(x, h, cutoff) if noise_of(x) > 1e-3 * np.ptp(x) else x
    speed = np.gradient(smoothed(x, h, cutoff), h)
    at = some(run.valid)
    goal = (instant(np.asarray(run[force]), hold) - mass * np.gradient(speed, h))[at]
    columns = force_columns(quiet, speed, strokes(quiet), at, damping)
    span = max(abs(quiet[part.stop] - quiet[part.start]) for part in parts)
    grids = {"x_l": np.geomspace(1e-3, 30, 2 * FINENESS) * span}
    best = separable_fit(columns, goal, grids)
    whole = force_columns(quiet, speed, strokes(quiet), np.arange(x.size), damping)
    predicted = sum((best.linear[n] * c for n, c in whole(best.nonlinear).items()), np.zeros_like(x))
    _check_stiffness(run, position, force, best)
    estimate = _physical(run, position, force, columns, goal, best)
    lost, notes = _limits(columns, goal, grids, best, estimate)
    return PreslidingFit(without(estimate, lost), force, run.time, np.asarray(run[force]), predicted, at, notes)


# --- what is known ----------------------------------------------------------------------------------------------------


def _check_stiffness(run: Measurement, position: str, force: str, best: Separated) -> None:
    stiffness = best.linear.get("compliance", best.linear.get("f", 0.0))
    if stiffness <= 0:
        raise SpecError(
            f"{run.name}: '{position}' moves against '{force}', as if the contact had a stiffness below 0; turn the "
            "sign of one of them"
        )


def _physical(
    run: Measurement, position: str, force: str, columns: Columns, goal: np.ndarray, best: Separated
) -> Estimate:
    """The parameters of the contact with their uncertainty, whose residuals follow each other in time."""
    units = (run.units[position], run.units[force])
    stiffness = f"{units[1]}/{units[0]}" if all(units) else ""
    named = {"sigma0": stiffness, "f": units[1], "sigma1": f"{units[1]}.s/{units[0]}" if all(units) else ""}
    known = {"x_0": units[0], "offset": units[1], "start": units[1]}

    def linear(p: Mapping[str, float]) -> np.ndarray:
        if "x_l" in best.nonlinear:
            terms = columns({"x_l": p["f"] / p["sigma0"]})
            return np.asarray(sum((p[name] * column for name, column in terms.items()), np.zeros_like(goal)))
        lag = {"T": p["sigma1"] / p["sigma0"]} if "T" in best.nonlinear else {}
        terms = columns({"f": p["f"], **lag})
        return np.asarray(p["x_0"] * terms["x_0"] + terms["compliance"] / p["sigma0"])

    values = _contact(best)
    return uncertain(
        linear, values, goal, units={**known, **named}, coloured=True, method="loops of force over displacement"
    )


def _contact(best: Separated) -> dict[str, float]:
    """sigma0, f, sigma1 and what else is found, from the parameters of the search."""
    p = best.values
    if "x_l" in p:
        rest = {name: value for name, value in p.items() if name in ("sigma1", "offset", "start")}
        return {"sigma0": p["f"] / p["x_l"], "f": p["f"], **rest}
    stiffness = 1 / p["compliance"]
    return {"sigma0": stiffness, "f": p["f"], **({"sigma1": p["T"] * stiffness} if "T" in p else {}), "x_0": p["x_0"]}


def _limits(
    columns: Columns, goal: np.ndarray, grids: Mapping[str, np.ndarray], best: Separated, estimate: Estimate
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Parameters that fit as well at an end of their grid, or of which hardly more than the size is known."""
    limit = "f" if "f" in grids else "x_l"
    checks = {"f": (limit, -1, ELASTIC)}
    if "sigma1" in estimate.names:
        checks["sigma1"] = ("T", 0, UNDAMPED)
    lost, notes = [], []
    for name, (searched, end, note) in checks.items():
        vague = not estimate.errors[name] < VAGUE * abs(estimate.values[name])
        if vague or (searched in grids and _open(columns, goal, grids, best, searched, end)):
            lost.append(name)
            notes.append(note)
    return tuple(lost), tuple(notes)


def _open(
    columns: Columns, goal: np.ndarray, grids: Mapping[str, np.ndarray], best: Separated, name: str, end: int
) -> bool:
    """Whether an end of the grid of a parameter fits as well as the best."""
    from scipy.stats import f as fisher

    freedom = max(goal.size - len(best.values), 1)
    bound = best.cost * (1 + fisher.ppf(LEVEL, 1, freedom) / freedom) + 1e-24 * float(goal @ goal)
    ends = {n: grid if n != name else grid[[end]] for n, grid in grids.items()}
    return bool(profile(columns, goal, ends, name, best)[0] <= bound)
