"""Section 7: the actuator as a linear system that depends on its position, and a controller designed on it."""

from __future__ import annotations

from functools import cache

import numpy as np

import stribeck as sb
from stribeck.reports import DataTable

from ..paper import Finding, titled_table
from ..rules import MUCH
from ..scorecard import Claim, judged, statement
from ._lpv_pictures import plot_section_7
from ._paper import PAPER
from .actuator import COUNT, J_SPREAD, TABLE_5, TRAVEL, J, single_mass
from .lpv import Scheduled, corners, decay, drive, lpv, tangent

TARGETS = ((5.0, 60.0), (60.0, 5.0))
"""Moves up and down (rad)."""


@cache
def tracked(scheduled: bool, start: float, target: float) -> sb.Result:
    """A smooth move with the controller on the LPV form, or with the one for the bare rotor."""
    return Scheduled(scheduled=scheduled).track(target, start=start)


def errors(scheduled: bool) -> list[float]:
    """Quadratic means of the error of both moves (rad)."""
    found = []
    for start, target in TARGETS:
        run = tracked(scheduled, start, target)
        found.append(float(np.sqrt(np.mean((np.asarray(run["reference"]) - np.asarray(run["rotor.phi"])) ** 2))))
    return found


@PAPER.item(
    "Section 7",
    "The actuator as an LPV system",
    shows=(
        "As an outlook: the single mass has been formulated as a linear system with varying parameters, from which a "
        "controller that is robust to parameter uncertainties may be developed. No equations are printed."
    ),
    basis="reconstruction",
)
def section_7(quick: bool) -> Finding:
    """The form against the model in simulation and linearised, and a scheduled controller compared with a fixed one."""
    ours, fixed = errors(True), errors(False)
    robust, bare = decay(Scheduled()), decay(Scheduled(scheduled=False))
    grid = np.linspace(0, TRAVEL, 200)
    return Finding(
        text=(
            "With x = (angle, speed), and angle and direction as the parameters, J omega' = u - s c(theta) is linear: "
            "A(theta, s) = [0, 1; -s (c_1 + c_2 theta + ...)/J, 0], B = (0, 1/J), and a constant -s c_0/J (our form). "
            "A controller whose first gain follows the slope of the friction, and which feeds friction forward, "
            f"follows a smooth path of 55 rad in 0.6 s within {max(ours):.2f} rad in the quadratic mean, with the same "
            f"encoder; the same poles on the bare rotor give {max(fixed):.1f} rad. About a point its matrices are "
            f"those of the linearised model, to {_linearised(4 if quick else 12):.1g} of 1/J over the way and both "
            "directions."
        ),
        claims=[
            _form(),
            judged(
                "a controller can be developed on it",
                MUCH,
                min(fixed) / max(ours),
                f"error of {ours[0]:.3f} and {ours[1]:.3f} rad up and down, without scheduling {fixed[0]:.2f} and "
                f"{fixed[1]:.2f} rad; one count is {COUNT:.3f} rad",
                otherwise="refuted",
            ),
            statement(
                "it can be robust to parameter uncertainties",
                robust["lyapunov"] < 0,
                f"one quadratic Lyapunov function proves stability for all {len(corners())} points of angle, direction "
                f"and inertia {J:g} ± {J_SPREAD:g} kg·m², however fast they change; slowest pole {robust['pole']:.0f} "
                f"1/s, with the fixed gains {bare['pole']:.0f} 1/s",
                otherwise="refuted",
            ),
        ],
        picture=plot_section_7(
            grid,
            {s: [lpv(float(a), s).A[1, 0] for a in grid] for s in (1, -1)},
            {s: [tangent(float(a), s).A[1, 0] for a in grid] for s in (1, -1)},
            {word: tracked(scheduled, *TARGETS[0]) for word, scheduled in (("scheduled", True), ("fixed", False))},
        ),
        alt=(
            "Left: the coefficient A(2, 1) of both forms over the angle, up and down. Right: a move of 55 rad; the "
            "scheduled controller lies on the wanted path, the fixed one is some radians behind."
        ),
        tables=[_matrices()],
    )


def _matrices() -> DataTable:
    """A(2, 1) of the exact form and of small departures, over the angle."""
    rows: list[list[str | float]] = [
        [angle, *(float(form(angle, s).A[1, 0]) for s in (1, -1) for form in (lpv, tangent))]
        for angle in np.linspace(0, TRAVEL, 6).tolist()
    ]
    heads = ["angle / rad", "up, exact", "up, departures", "down, exact", "down, departures"]
    return titled_table("A(2, 1) in 1/s²; A(1, 2) = 1, B(2) = 1/J = " + f"{1 / J:.5g} 1/(kg·m²)", heads, rows)


def _form() -> Claim:
    """The exact form in simulation."""
    result, states = drive()
    way = float(np.abs(np.asarray(result["rotor.phi"]) - states[0]).max())
    speed = float(np.abs(np.asarray(result["rotor.w"]) - states[1]).max())
    return statement(
        "the single-mass model can be formulated as an LPV system",
        way < 1e-8 and speed < 1e-6,
        f"driven by 0.25 N·m to {states[1, -1]:.0f} rad/s, form and model differ by {way:.1g} rad and "
        f"{speed:.1g} rad/s",
        otherwise="refuted",
    )


@cache
def _linearised(count: int) -> float:
    """The largest difference of A and B from those of `linearize`, by 1/J."""
    model, worst = single_mass(0.2, resistance=TABLE_5), 0.0
    for angle in np.linspace(1, TRAVEL - 1, count):
        for s in (1, -1):
            linear = sb.analysis.linearize(model, at={"rotor.phi": angle, "rotor.w": 50.0 * s})
            order = [linear.states.index(name) for name in ("rotor.phi", "rotor.w")]
            ours = tangent(float(angle), s)
            off = [linear.A[np.ix_(order, order)] - ours.A, linear.B[order] - ours.B]
            worst = max(worst, *(float(np.abs(part).max()) * J for part in off))
    return worst
