"""How far the co-simulation is from one run of all, over the step."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

import stribeck as sb

from ..scorecard import Claim, unchecked
from .clutch import RADIUS, ClutchCycle, TestBed
from .cosimulation import SCHEMES, Coupled, coupled_cycle

SHORT = ClutchCycle(
    press=(0.005, 0.03),
    release=(0.18, 0.28),
    loads=((0.0, 5.0), (0.15, 12.0)),
    ramp=0.02,
    shaking=(0.28, 0.28),
    end=0.28,
)
"""All phases within 0.28 s, to be run with many steps."""
FAST = 15.0
"""Slip (rad/s) down to which the discs slide on the flat part of the Stribeck curve."""
RINGS = 1.0
"""A difference of speed (rad/s) between the discs that only a coupling that rings has."""
MISSING = "Exudyn is not installed; pip install 'stribeck[papers]' brings it"


def exudyn_installed() -> bool:
    """Whether Exudyn is installed."""
    return find_spec("exudyn") is not None


def not_installed(*claims: str) -> list[Claim]:
    """Claims that cannot be checked without Exudyn."""
    return [unchecked(claim, MISSING) for claim in claims]


class Distance(NamedTuple):
    """Largest differences (rad/s) between co-simulation and one run of all: of the speeds of both rotors, and of the
    slip while the discs slide fast, and of the slip."""

    speeds: float
    sliding: float
    slip: float

    @property
    def rings(self) -> bool:
        """Whether the coupling is unstable."""
        return self.slip > RINGS


@cache
def monolithic(bed: TestBed, points: int) -> sb.Result:
    """One run of the whole machine, at equally spaced times."""
    return sb.simulate(bed.model(), times=np.linspace(0.0, bed.cycle.end, points), tolerance=1e-10)


@cache
def coupled(bed: TestBed, h: float, scheme: str) -> Coupled:
    """The co-simulation with steps of h (s)."""
    return coupled_cycle(bed, h, scheme)


@cache
def distance(bed: TestBed, h: float, scheme: str) -> Distance:
    """How far the co-simulation is from one run of all."""
    run = coupled(bed, h, scheme)
    whole = monolithic(bed, run.time.size)
    off = {name: np.abs(np.asarray(whole[f"{name}.w"]) - getattr(run, name)) for name in ("engine", "brake")}
    slip = np.asarray(whole["clutch.w_rel"])
    sliding = run.time < run.time[np.argmax(slip < FAST)]
    return Distance(
        speeds=float(max(part.max() for part in off.values())),
        sliding=float(np.abs(slip - run.slip)[sliding].max()),
        slip=float(np.abs(slip - run.slip).max()),
    )


def steps(quick: bool) -> list[float]:
    """Steps (s) of the scan, from long to short."""
    return [4e-4, 2e-4, 1e-4] if quick else [8e-4, 4e-4, 2e-4, 1e-4, 5e-5]


def scan(quick: bool) -> dict[str, list[Distance]]:
    """Every coupling scheme at every step, through the short cycle."""
    bed = TestBed(cycle=SHORT)
    return {scheme: [distance(bed, h, scheme) for h in steps(quick)] for scheme in SCHEMES}


def whole(quick: bool) -> tuple[TestBed, float]:
    """The test bed and the step (s) for a co-simulation of all phases: the whole cycle, or a short one."""
    return (TestBed(cycle=SHORT), 2e-4) if quick else (TestBed(), 5e-4)


def order(h: list[float], errors: list[float]) -> float:
    """Observed order: slope of log(error) over log(h), for the three shortest steps.

    >>> order([0.4, 0.2, 0.1], [0.16, 0.04, 0.01])
    2.0
    """
    return float(np.polyfit(np.log(h[-3:]), np.log(errors[-3:]), 1)[0])


def orders(quick: bool) -> dict[str, float]:
    """Observed order of every coupling scheme, while the discs slide fast."""
    return {name: order(steps(quick), [one.sliding for one in ones]) for name, ones in scan(quick).items()}


def largest_stable(h: list[float], found: list[Distance]) -> float:
    """Largest step (s) from which on no shorter one rings; nan if all do."""
    best = float("nan")
    for step, one in sorted(zip(h, found, strict=True)):
        if one.rings:
            break
        best = step
    return best


def damper_limit(bed: TestBed) -> float:
    """Step (s) from which on a held torque must ring: 2 J/d of the bristles' damping between the two discs."""
    reduced = bed.engine.disc * bed.brake.disc / (bed.engine.disc + bed.brake.disc)
    return 2 * reduced / (RADIUS**2 * bed.force * bed.lining.sigma1)
