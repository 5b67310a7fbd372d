"""What must hold for every machine at a fixed step: finite, no creep, energies that add up, speeds near the exact.

python tests/support/campaign.py fixed-assorted --runs 2000 --jobs 1
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

import stribeck as sb

from .builder import T_END, Machine, Plain
from .machine_checks import COARSE, RESIDUAL, STILL, Fault, Runs, exchanged, sticks

STEPS = (1e-3, 1e-4)
"""Steps (s) at which every machine runs."""

INTERVALS = 1000
"""Of the grid on which speeds are compared: the coarser of the steps."""

MOST_CREEP = 1e-12
"""Displacement (rad or m) of a stuck contact per second of rest, where speeds are 1 or less, else by the largest speed:
a slip is the difference of speeds, with their rounding."""

LARGE = 0.05
"""Error of the speeds, by their range, from which on a machine is listed with its reason."""


@dataclass
class FixedVerdict:
    """What was found about a machine at fixed steps.

    >>> check_fixed(Machine(driveline(7))).errors
    [0.0002, 2e-05]
    """

    faults: list[Fault] = field(default_factory=list)
    refused: str = ""
    parts: float | None = None
    """The time (s) from which on a machine that is far off is sensitive; None: it is not, or not far off."""
    errors: list[float] = field(default_factory=list)
    """At each of the STEPS: the mean over time of the largest error of a speed, over the largest speed."""
    capped: int = 0
    """Steps whose friction elements did not agree, at the largest step."""


def check_fixed(machine: Machine) -> FixedVerdict:
    """Everything that does not hold for a machine at fixed steps.

    >>> check_fixed(Machine(driveline(7))).faults
    []
    """
    verdict = FixedVerdict()
    try:
        program = sb.compile_model(sb.Model.from_dict(machine.plain))
        fixed = {h: sb.realtime(program, h).run(t_end=T_END) for h in STEPS}
    except sb.SimulationError as error:
        verdict.faults.append(Fault("run", str(error)))
        return verdict
    except sb.SpecError as error:
        verdict.refused = str(error)
        return verdict
    verdict.capped = fixed[STEPS[0]].statistics.capped
    for h, result in fixed.items():
        verdict.faults += [Fault(f"{kind} at {h:g} s", text) for kind, text in within_fixed(machine.plain, result)]
    try:
        exact = sb.simulate(program, T_END, intervals=INTERVALS, tolerance=COARSE)
    except sb.SimulationError:
        return verdict  # a matter of the adaptive campaign
    size = float(np.abs(speeds_of(exact)).max(initial=0.0))
    verdict.errors = [speed_error(result, exact) for result in fixed.values()] if size > STILL else []
    if max(verdict.errors, default=0.0) > LARGE:
        verdict.parts = _parts(machine.plain)
    return verdict


def _parts(plain: Plain) -> float | None:
    try:
        return Runs(plain).parts
    except sb.SimulationError:
        return None


def speeds_of(result: sb.Result) -> np.ndarray:
    """Speeds of all bodies, a row for each."""
    return np.array([np.asarray(result[name]) for name in result.names if name.endswith((".w", ".v"))])


def speed_error(result: sb.Result, exact: sb.Result) -> float:
    """The mean over time of the largest error of a speed, in shares of the largest speed."""
    every = (len(result.time) - 1) // (len(exact.time) - 1)
    wanted = speeds_of(exact)
    return float(np.abs(speeds_of(result)[:, ::every] - wanted).max(axis=0).mean() / np.abs(wanted).max())


def within_fixed(plain: Plain, result: sb.Result) -> Iterator[Fault]:
    """What does not hold in one run."""
    bad = [name for name, row in zip(result.names, result.data, strict=True) if not np.isfinite(row).all()]
    if bad:
        yield Fault("not finite", ", ".join(bad))
        return
    name, worst = creep(plain, result)
    if worst > MOST_CREEP:
        yield Fault("creep", f"{name} creeps by {worst:.3g} per second of rest")
    left, whole = abs(result.energy.residual), exchanged(plain, result)
    if left > max(RESIDUAL * whole, STILL**3):  # what rests does works of rounding: 1 N over 1e-18 m
        yield Fault("residual", f"residual {left:.3g} J of {whole:.3g} J")


def creep(plain: Plain, result: sb.Result) -> tuple[str, float]:
    """The contact that creeps most while it is stuck: its displacement per second of rest, by the speeds around.

    From the end of the step that has brought it to rest on, a stuck contact has the slip 0 at both ends of each step,
    and displacements move with the mean of both.
    """
    worst = "", 0.0
    scale = np.maximum(1.0, np.abs(speeds_of(result)).max(axis=0, initial=0.0))
    for name, values in plain["elements"].items():
        if not sticks(values):
            continue
        slip = next(result[f"{name}.{word}"] for word in ("w_rel", "v_rel") if f"{name}.{word}" in result.names)
        stuck = np.asarray(result[f"{name}.mode"]) == 0
        rests = stuck[1:] & stuck[:-1]
        share = np.abs(np.asarray(slip)) / scale
        way = np.where(rests, 0.5 * (share[1:] + share[:-1]), 0.0)
        worst = max(worst, (name, float(way.sum() / max(rests.sum(), 1))), key=lambda found: found[1])
    return worst
