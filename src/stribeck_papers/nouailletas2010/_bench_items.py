"""Sections 5.1 and 5.2: the break-away test of the actuator, and the torques that it gave."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.polynomial import Polynomial

from ..paper import Finding, titled_table
from ..rules import MUCH, SAME, VISIBLE
from ..scorecard import bracketed, half_a_digit, judged
from ._actuator_pictures import plot_figure_14, plot_figure_15
from ._paper import PAPER
from .actuator import C_S_BACKWARD, C_S_FORWARD, RATIO, TABLE_5, TRAVEL
from .bench import break_away

PRINTED = {
    "b+": ("0.0794", "0.0077", "-2.7773e-4", "2.8731e-6"),
    "b-": ("0.0938", "-0.0126", "0.0013", "-3.2940e-5", "2.5120e-7"),
}
"""Table 5 as it is printed, the constants first."""
MEANS = {"b+": "0.1352", "b-": "0.1506"}


def mean(way: Polynomial, end: float = TRAVEL) -> float:
    """The mean of a torque from 0 to an angle."""
    return float(way.integ()(end) / end)


@cache
def passes(direction: int, rate: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Angles and break-away torques of the test of Figure 9."""
    angles = np.linspace(1.0, TRAVEL - 1.0, count)
    return angles, np.array([break_away(float(angle), direction, rate) for angle in angles])


def _tested(quick: bool) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    return {direction: passes(direction, 0.2, 16 if quick else 44) for direction in (1, -1)}


@PAPER.item(
    "Figure 14",
    "Break-away torques over the way",
    shows="Torques at which the encoder moves, while the torque rises slowly, over the whole way up and down.",
)
def figure_14(quick: bool) -> Finding:
    """The break-away test on the simple model with the friction of Table 5."""
    tests = _tested(quick)
    ranges = {d: (float(u.min()), float(u.max())) for d, (_, u) in tests.items()}
    bias = {d: float(np.mean(u - TABLE_5.static(angles, d))) for d, (angles, u) in tests.items()}
    slow = passes(1, 0.05, 8 if quick else 16)
    slower = float(np.mean(slow[1] - TABLE_5.static(slow[0], 1)))
    return Finding(
        text=(
            f"With a torque that rises by 0.2 N·m/s the test finds {1e3 * bias[1]:.1f} mN·m too much up and "
            f"{1e3 * bias[-1]:.1f} mN·m down: the torque goes on rising until a count has passed. At 0.05 N·m/s it is "
            f"{1e3 * slower:.1f} mN·m."
        ),
        claims=[
            judged(
                "C_s depends on the position and on the sign of the speed",
                VISIBLE,
                min(float(np.ptp(u)) / ranges[d][1] for d, (_, u) in tests.items()),
                f"up {ranges[1][0]:.3f} to {ranges[1][1]:.3f} N·m, down {ranges[-1][0]:.3f} to {ranges[-1][1]:.3f} N·m",
                otherwise="refuted",
                basis="put in",
                where="Section 5.1",
            ),
            judged(
                "motion occurs when u is slightly higher than the break-away torque",
                SAME,
                bias[1] / float(MEANS["b+"]) if 0 < slower < bias[1] else float("inf"),
                f"above it by {1e3 * slower:.2f} mN·m at 0.05 N·m/s and {1e3 * bias[1]:.2f} mN·m at 0.2 N·m/s",
                otherwise="refuted",
                basis="reconstruction",
                note="the rates are ours",
                where="Section 3.2",
            ),
        ],
        picture=plot_figure_14(tests),
        alt=(
            f"Torques at which the encoder moves, over the angle: circles on the curves of Table 5, from "
            f"{ranges[1][0]:.2f} to {ranges[1][1]:.2f} N·m up and from {ranges[-1][0]:.2f} to {ranges[-1][1]:.2f} N·m "
            "down."
        ),
    )


def _rounding(key: str, angle: float) -> float:
    """What the printed digits of Table 5 leave open at an angle (N·m)."""
    return sum(half_a_digit(text) * angle**power for power, text in enumerate(PRINTED[key]))


@PAPER.item(
    "Table 5",
    "Polynomials of the break-away torque",
    shows="Coefficients of C_s over the angle, degree 3 up and degree 4 down; the text has their means.",
    equations=("(47)",),
)
def table_5(quick: bool) -> Finding:
    """The means of the printed polynomials, and how far their digits reach."""
    ways = {"b+": C_S_FORWARD, "b-": C_S_BACKWARD}
    lengths = np.linspace(55, 70, 1501)
    misfit = [sum(abs(mean(way, end) - float(MEANS[key])) for key, way in ways.items()) for end in lengths]
    best = float(lengths[int(np.argmin(misfit))])
    doubts = {key: _rounding_of_mean(key) for key in ways}
    return Finding(
        text=(
            f"The angle up to which the means are taken is not printed. {best:.1f} rad, {1e3 * RATIO * best:.1f} mm of "
            f"the rack, brings both means nearest; we use {TRAVEL:g} rad. Down, b_2 and b_1 have two digits only: at "
            f"60 rad they leave {_rounding('b-', 60.0):.2f} N·m open, more than the torque itself. The printed curve "
            "fits its mean better than its digits promise."
        ),
        claims=[
            bracketed(
                f"mean of C_s for omega {'>' if key == 'b+' else '<'} 0",
                MEANS[key],
                [mean(way) - doubts[key], mean(way), mean(way) + doubts[key]],
                "N·m",
                over=f"the digits of Table 5, up to {TRAVEL:g} rad, which was chosen to meet it",
                otherwise="contradicts itself",
                because="the polynomials have another mean",
                basis="put in",
                where="Section 5.1, (47)",
            )
            for key, way in ways.items()
        ]
        + [
            judged(
                "the printed polynomials give C_s over the whole way",
                SAME,
                max(_rounding(key, 60.0) for key in ways) / float(MEANS["b-"]),
                f"their digits leave {_rounding('b+', 60.0):.4f} N·m open up and {_rounding('b-', 60.0):.2f} N·m down, "
                "at 60 rad",
                otherwise="contradicts itself",
                corrected="more digits of b_2 and b_1 for omega < 0; with those printed C_s is indicative only",
                basis="arithmetic",
                where="Table 5, (47)",
                because="b_2 and b_1 down are printed with two digits, by which the curve cannot be drawn to the end",
            )
        ],
    )


def _rounding_of_mean(key: str) -> float:
    """What the printed digits leave open in the mean over the range (N·m)."""
    return sum(half_a_digit(text) * TRAVEL**power / (power + 1) for power, text in enumerate(PRINTED[key]))


@PAPER.item(
    "Figure 15",
    "Polynomials through break-away torques",
    shows="Filtered break-away torques (circles) and the polynomials of (47), degree 3 up and 4 down (solid).",
)
def figure_15(quick: bool) -> Finding:
    """Polynomials of these degrees through the torques of the virtual test."""
    tests, fits, off = _tested(quick), {}, {}
    grid = np.linspace(2, TRAVEL - 2, 500)
    for direction, degree in ((1, 3), (-1, 4)):
        angles, torque = tests[direction]
        fits[direction] = Polynomial.fit(angles, torque, degree).convert()
        off[direction] = float(np.abs(fits[direction](grid) - TABLE_5.static(grid, direction)).max())
    lower = Polynomial.fit(*tests[-1], 3)
    worse = float(np.abs(lower(grid) - TABLE_5.static(grid, -1)).max())
    return Finding(
        text=(
            f"The fits come back to Table 5 within {1e3 * max(off.values()):.1f} mN·m, most of which is the delay of "
            "the encoder."
        ),
        claims=[
            judged(
                "polynomials of degree 3 up and 4 down fit the break-away torques",
                SAME,
                max(off[d] / float(np.ptp(tests[d][1])) for d in off),
                f"within {1e3 * off[1]:.2f} mN·m up and {1e3 * off[-1]:.2f} mN·m down of what was put in",
                otherwise="refuted",
                basis="put in",
                where="Section 5.1, (47)",
            ),
            judged(
                "down, degree 4 is needed",
                MUCH,
                worse / off[-1],
                f"degree 3 leaves {1e3 * worse:.0f} mN·m, degree 4 {1e3 * off[-1]:.1f} mN·m",
                otherwise="refuted",
                basis="put in",
                where="Section 5.1, (47)",
            ),
        ],
        picture=plot_figure_15(tests, fits),
        alt=(
            "Two panels, up and down: break-away torques of the virtual test as circles, polynomials of degree 3 and 4 "
            f"through them, and those of Table 5, within {1e3 * max(off.values()):.1f} mN·m of each other."
        ),
        tables=[
            titled_table(
                "Coefficients of C_s, N·m by powers of rad",
                ["", "Table 5", "virtual test"],
                [
                    [f"b_{k}{word}", float(PRINTED[f"b{word}"][k]), float(fits[direction].coef[k])]
                    for direction, word in ((1, "+"), (-1, "-"))
                    for k in reversed(range(len(PRINTED[f"b{word}"])))
                ],
            )
        ],
    )
