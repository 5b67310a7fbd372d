"""Springs and torque of the actuator: Figure 12, and polynomials of the torque, Table 4 and Figure 13."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.polynomial import Polynomial

from ..paper import Finding, titled_table
from ..rules import MUCH, SAME
from ..scorecard import judged, statement
from ._mechanism_items import slow, swept
from ._mechanism_pictures import plot_figure_12, plot_figure_13
from ._paper import PAPER
from .actuator import TABLE_4, TRAVEL
from .mechanism import Mechanism


@PAPER.item(
    "Figure 12",
    "Forces of the springs and torque at the motor",
    shows=(
        "Above: F_2 (solid), F_1 (point-dashed) and F_1 tan(alpha) (dashed) over the position of the rack. Below: the "
        "torque at the motor for omega > 0 (solid) and w < 0 (dashed)."
    ),
    basis="put in",
    equations=("(38)", "(40)"),
)
def figure_12(quick: bool) -> Finding:
    """The springs that Table 4 asks for, and the torque of slow motions up and down."""
    parts = Mechanism()
    share = float(np.abs(parts.residue).max() / parts.force_2.max())
    up, down = slow(1)[1], slow(-1)[1]
    high, low = 1e3 * parts.x[int(parts.force_2.argmax())], 1e3 * parts.x[-1]
    return Finding(
        text=(
            "Springs, friction and motor that give the torques of Table 4 (reconstruction) are plausible for a clutch: "
            f"F_2 rises to {parts.force_2.max():.0f} N at {high:.1f} mm and falls to {parts.force_2[-1]:.0f} N at "
            f"{low:.1f} mm, as a diaphragm spring does; the slope goes from 0 to "
            f"{np.degrees(np.arctan(parts.tangent.max())):.0f} degrees. The shapes follow from Table 4; their "
            "scales are ours."
        ),
        claims=[
            judged(
                "F_1 and alpha are made to compensate F_2",
                MUCH,
                1 / share,
                f"what is left over is at most {100 * share:.0f} % of the largest F_2",
                otherwise="refuted",
            ),
            statement(
                "where one spring is compressed the other is not",
                bool(np.all(np.diff(parts.force_1) <= 0) and parts.force_2[0] < 0.1 * parts.force_2.max()),
                f"F_1 falls from {parts.force_1[0]:.0f} to {parts.force_1[-1]:.0f} N, F_2 is {parts.force_2[0]:.0f} N "
                f"at x = 0 and {parts.force_2[-1]:.0f} N at the end",
                otherwise="refuted",
                where="Section 4.1",
            ),
            statement(
                "without viscous friction C_r acts as dry friction: against the motion in both directions",
                bool(up.min() > 0 > down.max()),
                f"up {up.min():.4f} to {up.max():.4f} N·m, down {down.min():.4f} to {down.max():.4f} N·m",
                otherwise="refuted",
                where="Section 4.2",
            ),
        ],
        picture=plot_figure_12(parts, {way: _whole(way) for way in (1, -1)}),
        alt=(
            f"Above, over the position of the rack: F_2 rises to {parts.force_2.max():.0f} N and falls, F_1 falls from "
            f"{parts.force_1[0]:.0f} to {parts.force_1[-1]:.0f} N, F_1 tan(alpha) follows F_2. Below: the torque at "
            f"the motor, {up.min():.3f} to {up.max():.3f} N·m up and {down.max():.4f} to {down.min():.3f} N·m down."
        ),
    )


def _whole(direction: int) -> tuple[np.ndarray, np.ndarray]:
    """Angle and torque of a slow motion over the whole way, but for the sample in which the motor starts."""
    run = swept()[direction]
    theta, torque = np.asarray(run["motor.phi"]), np.asarray(run["motor.tau"])
    torque = np.where(np.arange(torque.size) < 1, torque[1], torque)
    return theta, torque


@cache
def fitted(direction: int) -> Polynomial:
    """The polynomial of degree 3 through the torque of a slow motion."""
    return Polynomial.fit(*slow(direction), 3).convert()


def printed(direction: int) -> Polynomial:
    """C_r of Table 4 with its sign."""
    return direction * (TABLE_4.forward if direction > 0 else TABLE_4.backward)


@PAPER.item(
    "Table 4",
    "Coefficients of the torque",
    shows="The coefficients of two polynomials of degree 3, which give C_r over the angle for both directions.",
    equations=("(45)",),
)
def table_4(quick: bool) -> Finding:
    """The printed polynomials over the range, and the coefficients of ours."""
    grid = np.linspace(0, TRAVEL, 2001)
    up, down = TABLE_4.forward(grid), TABLE_4.backward(grid)
    least_at = float(grid[down.argmin()])
    rows: list[list[str | float]] = [
        [f"a_{k}{word}", float(printed(direction).coef[k]), float(fitted(direction).coef[k])]
        for direction, word in ((1, "+"), (-1, "-"))
        for k in (3, 2, 1, 0)
    ]
    return Finding(
        text=(
            f"Down, only {down.min():.4f} N·m are left at {least_at:.0f} rad: the springs nearly drive the motor back. "
            f"Half the sum of both torques is what the springs leave over, half the difference is friction; it falls "
            f"from {(up + down)[0] / 2:.3f} to {(up + down)[-1] / 2:.3f} N·m, as a compensator that relaxes makes it."
        ),
        claims=[
            statement(
                "the torques of Table 4 agree with (44): springs never win",
                bool(up.min() > 0 and down.min() > 0),
                f"C_r up is at least {up.min():.4f} N·m, down at least {down.min():.4f} N·m at {least_at:.0f} rad, for "
                f"angles up to {TRAVEL:g} rad",
                otherwise="contradicts itself",
                because="the springs would drive the rack",
                basis="arithmetic",
                where="Table 4, (44)",
            )
        ],
        tables=[titled_table("Coefficients of C_r, N·m by powers of rad", ["", "paper", "simulated mechanism"], rows)],
    )


@PAPER.item(
    "Figure 13",
    "The torque as polynomials of the position",
    shows="Torque of the full model (solid) and polynomials of degree 3 for each direction (dashed), Table 4.",
    basis="put in",
)
def figure_13(quick: bool) -> Finding:
    """Polynomials through the torque of slow motions up and down, compared with Table 4."""
    claims = []
    for direction in (1, -1):
        theta, torque = slow(direction)
        off, apart = (float(np.abs(way(theta) - torque).max()) for way in (fitted(direction), printed(direction)))
        claims.append(
            judged(
                f"a polynomial of degree 3 describes C_r for omega {'>' if direction > 0 else '<'} 0",
                SAME,
                max(off, apart) / float(np.ptp(torque)),
                f"ours is within {off:.2g} N·m of the torque, Table 4 within {apart:.2g} N·m, of "
                f"{np.ptp(torque):.3f} N·m over the way",
                otherwise="refuted",
            )
        )
    return Finding(
        text=(
            "Degree 3 is enough. What is left near 52 rad on the way down comes from the reducer: there the springs "
            "carry a part of the friction of the motor, so that it works backwards."
        ),
        claims=claims,
        picture=plot_figure_13({1: slow(1), -1: slow(-1)}, {1: fitted(1), -1: fitted(-1)}),
        alt=(
            "Above: torque of the mechanism over the angle in both directions, with the polynomials of Table 4 on it. "
            "Below: what is left, at most 1.3 mN·m, near 52 rad on the way down."
        ),
    )
